"""Sums over whole games that say how a set of rules plays: leads, scales, bets, chances to win.

Points are inside points. Deals stand game after game; nothing here holds the GIL while it sums.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

import numpy as np

from engine_ext.policy cimport DOMAIN_BOOTSTRAP, philox, stream_c2

WIN = 2520    # the least that 1..10 divide: any share of a win is a whole number of these

cdef enum:
    MAX_SEATS = 10
    MAX_CONTRACTS = 32
    ONE_WIN = 2520


cdef uint32_t first_together(const int64_t* scores, int seats, uint32_t among) noexcept nogil:
    """Who has the best total of the seats ``among``."""
    cdef uint32_t first = 0
    cdef int64_t best = 0
    cdef int s
    for s in range(seats):
        if (among >> s) & 1 and (first == 0 or scores[s] >= best):
            first = (first if first and scores[s] == best else 0) | <uint32_t>1 << s
            best = scores[s]
    return first


def check_deals(const int64_t[::1] n_deals, int64_t rows, int64_t seats):
    """Raise ``ValueError`` unless the games' deals are so many rows."""
    cdef int64_t g, total = 0
    for g in range(n_deals.shape[0]):
        if n_deals[g] < 0:
            raise ValueError(f"game {g}: {n_deals[g]} deals")
        total += n_deals[g]
    if total != rows or not 2 <= seats <= MAX_SEATS:
        raise ValueError(f"{total} deals of games, {rows} rows of {seats} seats")


def check_contracts(const uint8_t[::1] contract, int64_t rows, int64_t contracts):
    """Raise ``ValueError`` unless every row has one of so many contracts."""
    if contract.shape[0] != rows or not 1 <= contracts <= MAX_CONTRACTS:
        raise ValueError(f"{contract.shape[0]} contracts of {contracts} for {rows} rows")
    if rows and np.asarray(contract).max() >= contracts:
        raise ValueError(f"contract {np.asarray(contract).max()} of {contracts}")


def follow(const int32_t[:, ::1] points, const int32_t[:, ::1] side, const int64_t[::1] n_deals,
           const int64_t[::1] n_main, bint all_eligible):
    """Return who won, (G, S) in 1/2520 of a game, and how often the sole leader changed, (G,).

    Behind its ``n_main`` deals a game may have such that play out a tie; then only those can
    win who were tied before, or everybody. A change of the lead is counted when a seat leads
    alone and the last one that led alone was another.
    """
    cdef int64_t games = n_deals.shape[0], g, d, row = 0
    cdef int s, seats = <int>points.shape[1]
    cdef uint32_t first, everybody = (<uint32_t>1 << seats) - 1, among, leader
    cdef int64_t[MAX_SEATS] scores
    check_deals(n_deals, points.shape[0], seats)
    check_deals(n_deals, side.shape[0], side.shape[1])
    if n_main.shape[0] != games or side.shape[1] != seats:
        raise ValueError("one number of deals for each game, one side bet for each seat")
    won, changed = np.zeros((games, seats), np.int64), np.zeros(games, np.int64)
    cdef int64_t[:, ::1] win = won
    cdef int64_t[::1] changes = changed
    with nogil:
        for g in range(games):
            leader, among = 0, everybody
            for s in range(seats):
                scores[s] = 0
            for d in range(n_deals[g]):
                if d >= n_main[g] and not all_eligible:
                    among = first_together(scores, seats, among)
                for s in range(seats):
                    scores[s] += points[row, s] + side[row, s]
                row += 1
                first = first_together(scores, seats, everybody)
                if first & (first - 1) == 0:
                    changes[g] += leader != 0 and leader != first
                    leader = first
            first = first_together(scores, seats, among)
            among = 0
            for s in range(seats):
                among += (first >> s) & 1
            for s in range(seats):
                win[g, s] = ONE_WIN // among if (first >> s) & 1 else 0
    return won, changed


def scale_sums(const int32_t[:, ::1] points, const int32_t[:, ::1] side,
               const uint8_t[::1] contract, const int64_t[::1] n_deals, const int64_t[::1] group,
               int64_t contracts, int64_t groups):
    """Return three sums by group of games, of S * points - the table's total (x below).

    Deals, (groups, contracts); x squared over seats and deals, likewise; and, (groups,
    contracts + 1), the x that a contract brought in a game times those of the whole game,
    over seats and games, side bets last: these add up to the squares of final x. Exact
    while whole numbers below 2^53 will do.
    """
    cdef int64_t games = n_deals.shape[0], g, d, c, row = 0, at, total, bets, x
    cdef int s, seats = <int>points.shape[1]
    cdef int64_t[(MAX_CONTRACTS + 1) * MAX_SEATS] brought
    cdef int64_t[MAX_SEATS] final
    check_deals(n_deals, points.shape[0], seats)
    check_deals(n_deals, side.shape[0], side.shape[1])
    check_contracts(contract, points.shape[0], contracts)
    if side.shape[1] != seats or group.shape[0] != games or (
            games and not 0 <= np.asarray(group).min() <= np.asarray(group).max() < groups):
        raise ValueError(f"one group below {groups} for each game, one side bet for each seat")
    sums = np.zeros((groups, contracts)), np.zeros((groups, contracts)), \
        np.zeros((groups, contracts + 1))
    cdef double[:, ::1] deals = sums[0], squares = sums[1], parts = sums[2]
    with nogil:
        for g in range(games):
            at = group[g]
            for c in range((contracts + 1) * seats):
                brought[c] = 0
            for s in range(seats):
                final[s] = 0
            for d in range(n_deals[g]):
                c, total, bets = contract[row], 0, 0
                for s in range(seats):
                    total += points[row, s]
                    bets += side[row, s]
                deals[at, c] += 1
                for s in range(seats):
                    x = seats * <int64_t>points[row, s] - total
                    squares[at, c] += <double>x * <double>x
                    brought[c * seats + s] += x
                    x = seats * <int64_t>side[row, s] - bets
                    brought[contracts * seats + s] += x
                row += 1
            for c in range(contracts + 1):
                for s in range(seats):
                    final[s] += brought[c * seats + s]
            for c in range(contracts + 1):
                for s in range(seats):
                    parts[at, c] += <double>brought[c * seats + s] * <double>final[s]
    return sums


def bet_sums(const int64_t[::1] row, const uint8_t[::1] doubler, const uint8_t[::1] doubled,
             const uint8_t[::1] redoubled, const int32_t[:, ::1] points,
             const int8_t[::1] declarer, const int64_t[::1] n_deals, const uint8_t[::1] step,
             const int64_t[::1] group, int64_t groups, int64_t duty):
    """Return sums by group of games, (groups, 4): bets unasked, what these pay the doublers,
    all bets, all that were answered. Bets stand by ``row`` of the deal, ascending.

    A seat owes the declarer ``duty`` doubles in the deals that he declares; a double is
    compulsory once those that are left with this one just suffice. All others are unasked.
    ``step`` says of each deal whether the schedule goes on by it: a deal that is played again
    leaves the declarer as many.
    """
    cdef int64_t bets = row.shape[0], games = n_deals.shape[0], g, d, at = 0, bet = 0
    cdef int64_t difference
    cdef int by, to, whom, seats = <int>points.shape[1]
    cdef int64_t[MAX_SEATS] left
    cdef int64_t[MAX_SEATS][MAX_SEATS] owed
    check_deals(n_deals, points.shape[0], seats)
    if not doubler.shape[0] == doubled.shape[0] == redoubled.shape[0] == bets \
            or step.shape[0] != points.shape[0] or group.shape[0] != games:
        raise ValueError("a doubler and a doubled seat for each bet, a group for each game")
    if games and not 0 <= np.asarray(group).min() <= np.asarray(group).max() < groups:
        raise ValueError(f"one group below {groups} for each game")
    if bets and (max(np.asarray(doubler).max(), np.asarray(doubled).max()) >= seats
                 or (np.diff(row) < 0).any() or row[0] < 0 or row[bets - 1] >= points.shape[0]):
        raise ValueError(f"bets by row below {points.shape[0]}, of seats below {seats}")
    if declarer.shape[0] != points.shape[0] or bets and not (
            0 <= np.asarray(declarer).min() <= np.asarray(declarer).max() < seats):
        raise ValueError(f"a declarer below {seats} for each deal")
    made = np.zeros((groups, 4), np.int64)
    cdef int64_t[:, ::1] sums = made
    if bets == 0:
        return made
    with nogil:
        for g in range(games):
            for to in range(seats):
                left[to] = 0
                for by in range(seats):
                    owed[to][by] = duty
            for d in range(at, at + n_deals[g]):
                left[declarer[d]] += step[d]
            for d in range(n_deals[g]):
                to = declarer[at]    # at is the row
                while bet < bets and row[bet] == at:
                    by, whom = doubler[bet], doubled[bet]
                    if whom != to or not 0 < owed[to][by] >= left[to]:
                        difference = points[at, by] - points[at, whom]
                        sums[group[g], 0] += 1
                        sums[group[g], 1] += difference * (1 + redoubled[bet])
                    owed[to][by] -= whom == to
                    sums[group[g], 2] += 1
                    sums[group[g], 3] += redoubled[bet]
                    bet += 1
                left[to] -= step[at]
                at += 1
    return made


cdef inline int64_t pick(uint32_t word, int64_t own, int64_t n_own, int64_t first,
                         int64_t n) noexcept nogil:
    """One of the places first..first + n - 1 but the stretch of ``n_own`` from ``own`` on. The
    chances differ by n / 2^32 at most."""
    cdef int64_t at = first + <int64_t>((<uint64_t>word * <uint64_t>(n - n_own)) >> 32)
    return at + n_own * (at >= own)


cdef void draw_words(uint64_t number, int64_t deal, int64_t draws, uint32_t* words) noexcept nogil:
    """The random words of a deal's draws, by game and deal alone; ``draws`` is whole eights."""
    cdef uint64_t[2] key
    cdef uint64_t[4] out
    cdef int64_t k
    cdef int i
    key[0], key[1] = 0x62617262752d7770, 0
    for k in range(0, draws, 8):
        philox(key, <uint64_t>(1 + k // 8), number, stream_c2(<uint32_t>deal, 0, 0, 0),
               DOMAIN_BOOTSTRAP, out)
        for i in range(4):
            words[k + 2 * i] = <uint32_t>out[i]
            words[k + 2 * i + 1] = <uint32_t>(out[i] >> 32)


cdef inline void add_deal(const int32_t* pool, const uint32_t* words, int64_t own, int64_t n_own,
                          int64_t first, int64_t n, int base, int seats, int64_t draws,
                          int64_t* future) noexcept nogil:
    """Add a deal of a stretch of the pool to each of the futures, (draws, seats)."""
    cdef int64_t k, at
    cdef int s, turn
    cdef int[MAX_SEATS] to
    if n_own == n:
        n_own = 0
    for s in range(seats):
        to[s] = (base + s) % seats
    for k in range(draws):
        at = pick(words[k], own, n_own, first, n)
        if base < 0:
            # What is left of the product tells the turn: as good as another number.
            turn = <int>((<uint64_t>(<uint32_t>(words[k] * <uint32_t>(n - n_own))) * seats) >> 32)
            for s in range(seats):
                to[s] = (turn + s) % seats
        for s in range(seats):
            future[k * seats + to[s]] += pool[at * seats + s]


cdef inline void add_wins(const int64_t* before, const int64_t* future, int64_t draws, int seats,
                          int64_t* chances) noexcept nogil:
    """Who is first after each of the futures; of several each a part."""
    cdef int64_t k, best, total
    cdef int s, first
    cdef int64_t[MAX_SEATS] totals
    cdef int64_t[MAX_SEATS + 1] share
    for s in range(1, seats + 1):
        share[s] = ONE_WIN // s
    for k in range(draws):
        for s in range(seats):
            totals[s] = before[s] + future[k * seats + s]
        best = totals[0]
        for s in range(1, seats):
            best = totals[s] if totals[s] > best else best
        first = 0
        for s in range(seats):
            first += totals[s] == best
        for s in range(seats):
            chances[s] += share[first] * (totals[s] == best)


cdef void step_back(const int32_t* pool, const uint32_t* words, int64_t own, int64_t n_own,
                    int64_t first, int64_t n, int base, int seats, int64_t draws,
                    const int64_t* before, int64_t* future, int64_t* chances) noexcept nogil:
    """One deal more is to come: futures and chances before it."""
    if seats == 4:    # loops of a known length, twice as fast
        add_deal(pool, words, own, n_own, first, n, base, 4, draws, future)
        add_wins(before, future, draws, 4, chances)
    else:
        add_deal(pool, words, own, n_own, first, n, base, seats, draws, future)
        add_wins(before, future, draws, seats, chances)


def win_chances(const int32_t[:, ::1] scores, const uint8_t[::1] contract, const int8_t[::1] base,
                const int64_t[::1] n_deals, const uint64_t[::1] number, int64_t contracts,
                int64_t draws):
    """Return each seat's chance to be first before each deal, (D, S) in 1 / (2520 draws).

    ``scores`` (D, S) is what each deal brought. A future is a deal drawn for each one to come:
    of the same contract and of another game (of its own only where there is no other), turned so
    that the seat ``base`` is the same; where ``base`` is -1, by any number of seats. Draws depend
    on ``number`` of the game and on the deal's in it; one future goes on as the same in the
    deals before. ``draws`` is a multiple of 8, at most 4096.
    """
    cdef int64_t games = n_deals.shape[0], rows = scores.shape[0], g, d, k, c, row, at, first, last
    cdef int s, seats = <int>scores.shape[1], turn
    cdef int64_t[MAX_SEATS] before
    cdef int64_t[MAX_CONTRACTS] done, own
    check_deals(n_deals, rows, seats)
    check_contracts(contract, rows, contracts)
    if base.shape[0] != rows or number.shape[0] != games:
        raise ValueError("a base for each deal, a number for each game")
    if rows and not -1 <= np.asarray(base).min() <= np.asarray(base).max() < seats:
        raise ValueError(f"base below {seats}")
    if draws < 8 or draws % 8 or draws > 4096:
        raise ValueError(f"{draws} draws: want a multiple of 8 up to 4096")
    made = np.zeros((rows, seats), np.int64)
    order = np.argsort(contract, kind="stable")
    starts = np.searchsorted(np.asarray(contract)[order], np.arange(contracts + 1)).astype(np.int64)
    turned = np.empty((rows, seats), np.int32)
    futures, drawn = np.empty((draws, seats), np.int64), np.empty(draws, np.uint32)
    cdef const int64_t[::1] place = order.astype(np.int64), start = starts
    cdef int64_t[:, ::1] chances = made, future = futures
    cdef int32_t[:, ::1] pool = turned
    cdef uint32_t[::1] words = drawn
    with nogil:
        for at in range(rows):
            row = place[at]
            for s in range(seats):
                turn = s + (base[row] if base[row] > 0 else 0)
                pool[at, s] = scores[row, turn - seats if turn >= seats else turn]
        first = 0
        for c in range(contracts):
            done[c] = start[c]
        for g in range(games):
            last = first + n_deals[g]
            for c in range(contracts):
                own[c] = 0
            for s in range(seats):
                before[s] = 0
            for row in range(first, last):
                own[contract[row]] += 1
                for s in range(seats):
                    before[s] += scores[row, s]
            for k in range(draws):
                for s in range(seats):
                    future[k, s] = 0
            for row in range(last - 1, first - 1, -1):
                c = contract[row]
                draw_words(number[g], row - first, draws, &words[0])
                for s in range(seats):
                    before[s] -= scores[row, s]
                step_back(&pool[0, 0], &words[0], done[c], own[c], start[c],
                          start[c + 1] - start[c], base[row], seats, draws, before,
                          &future[0, 0], &chances[row, 0])
            for c in range(contracts):
                done[c] += own[c]
            first = last
    return made
