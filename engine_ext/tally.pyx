"""Games counted into cells block by block, and what that comes to over blocks.

What the numbers and cells mean, and where they stand, says :mod:`pipeline.block_totals`: it
makes the plan.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

import numpy as np

from engine_ext.tally_sums cimport (
    N_OWNERS, OF_ALL, OF_ENTRANTS, OF_MEMBERS, add_powers, add_products, first_of, forget_owners,
    note_owner, owners_of_piece, owners_t, pieces, power_t, product_t, step_t, take_step,
)

# Numbers of a block, in the order of pipeline.block_totals.NUMBERS.
cdef enum:
    MEMBER_GAMES, MEMBER_ADVANTAGE, MEMBER_WIN, MEMBER_PLACE, MEMBER_FOULS
    GAMES, ADVANTAGE, WIN, PLACE, FOULS
    SEAT_GAMES, SEAT_ADVANTAGE
    DEALS, POINTS, DEALS_WITH_BETS
    LAST_USE, COULD_CHOOSE, CHOSEN, CHOICES, EARNED, EARNED_SCORE
    ANSWERED, COULD_DOUBLE, DOUBLED, GAIN, COULD_REDOUBLE, REDOUBLED, REDOUBLE_GAIN
    N_NUMBERS

cdef enum:
    MAX_SEATS = 10
    MAX_CONTRACTS = 32


cdef struct games_t:             # columns of games, deals and bets
    const uint64_t* block
    const uint16_t* table
    const uint8_t* entrant       # (games, seats)
    const int32_t* score         # (games, seats)
    const uint8_t* place         # (games, seats)
    const uint8_t* n_first
    const uint16_t* fouls        # (games, seats)
    const uint16_t* n_deals
    const uint8_t* contract
    const int8_t* declarer
    const uint8_t* leader
    const uint8_t* n_left
    const int32_t* points        # (deals, seats)
    const int32_t* side          # (deals, seats)
    const uint8_t* extra         # NULL where there is none
    int64_t n_bets
    const int64_t* game          # of each bet: index of its game
    const uint16_t* deal
    const uint8_t* doubler
    const uint8_t* doubled
    const uint8_t* redoubled
    const int32_t* settlement


cdef class Tally:
    """Counts of a run's games of one variant; used by one thread at a time."""

    cdef int64_t seats, contracts, lefts, win, size
    cdef bint of_members, has_choice, has_doubling
    cdef int64_t at[N_NUMBERS]             # where each number stands in a block
    cdef const int64_t[:, ::1] member      # (tables, entrants)
    # (contracts, roles, roles): who may double whom, who only answers whose double, who may
    cdef const uint8_t[:, :, ::1] may, answers, may_answer
    cdef const int64_t[::1] uses
    cdef const int64_t[:, ::1] counted     # owners, cells, width of what is counted game by game
    cdef const int64_t[:, ::1] steps, powers, products
    cdef int64_t[::1] block                # the open one
    cdef int64_t[:, ::1] who
    cdef uint8_t[:, ::1] there
    cdef owners_t owners[N_OWNERS]
    cdef int64_t[:, ::1] power
    cdef int64_t[::1] product
    cdef readonly object power_sums        # (3, powers): blocks not 0, sum, sum of squares
    cdef readonly object product_sums

    def __init__(self, plan):
        cdef int k
        self.seats, self.contracts, self.lefts = plan.seats, plan.contracts, plan.lefts
        self.win = plan.win
        if self.seats > MAX_SEATS or self.contracts > MAX_CONTRACTS:
            raise ValueError(f"{self.seats} seats, {self.contracts} contracts: too many")
        for k in range(N_NUMBERS):
            self.at[k] = plan.at[k]
        self.of_members = self.at[MEMBER_GAMES] >= 0
        self.has_choice, self.has_doubling = self.at[CHOSEN] >= 0, self.at[DOUBLED] >= 0
        self.member, self.uses = plan.member, plan.uses
        self.may, self.answers, self.may_answer = plan.may, plan.answers, plan.may_answer
        self.counted, self.steps = plan.counted, plan.steps
        self.powers, self.products = plan.powers, plan.products
        self.size = plan.size
        self.block = np.zeros(plan.size, np.int64)
        self.power = self.power_sums = np.zeros((3, plan.n_powers), np.int64)
        self.product = self.product_sums = np.zeros(plan.n_products, np.int64)
        self.who = np.zeros((N_OWNERS, max(plan.owners)), np.int64)
        self.there = np.zeros((N_OWNERS, max(plan.owners)), np.uint8)
        for k in range(N_OWNERS):
            self.owners[k].n = 0
            self.owners[k].all = plan.owners[k]
            self.owners[k].who = &self.who[k, 0]
            self.owners[k].there = &self.there[k, 0]
        note_owner(&self.owners[OF_ALL], 0)

    def add(self, games, bint whole, int64_t[:, ::1] each=None):
        """Add games in the order of their blocks: ``whole`` blocks, else some of the open one.

        ``games`` is a ``pipeline.tables.Games`` with its columns in one piece each. ``each``,
        (blocks, size), is filled with the numbers of whole blocks.
        """
        records, deals, doubles = games.records, games.records.deals, games.doubles
        cdef const uint64_t[::1] block = games.block
        cdef const uint16_t[::1] table = games.table
        cdef const uint8_t[:, ::1] entrant = np.ascontiguousarray(games.entrant)
        cdef const int32_t[:, ::1] score = records.score
        cdef const uint8_t[:, ::1] place = records.place
        cdef const uint8_t[::1] n_first = records.n_first
        cdef const uint16_t[:, ::1] fouls = records.fouls
        cdef const uint16_t[::1] n_deals = records.n_deals
        cdef const uint8_t[::1] contract = deals.contract, leader = deals.leader
        cdef const uint8_t[::1] n_left = deals.n_left, extra = deals.extra
        cdef const int8_t[::1] declarer = deals.declarer
        cdef const int32_t[:, ::1] points = deals.points, side = deals.side
        cdef const int64_t[::1] game = doubles.game
        cdef const uint16_t[::1] deal = doubles.deal
        cdef const uint8_t[::1] doubler = doubles.doubler, doubled = doubles.doubled
        cdef const uint8_t[::1] redoubled = doubles.redoubled.view(np.uint8)
        cdef const int32_t[::1] settlement = doubles.settlement
        cdef games_t g
        cdef int64_t n = block.shape[0]
        if n == 0:
            return
        if (
            contract.shape[0] != games.records.n_deals.sum() or entrant.shape[1] != self.seats
            or games.entrant.max() >= self.owners[OF_ENTRANTS].all
            or deals.contract.max(initial=0) >= self.contracts
            or deals.n_left.max(initial=0) >= self.lefts
        ):
            raise ValueError("games of another run, or another variant")
        g.block, g.table, g.entrant = &block[0], &table[0], &entrant[0, 0]
        g.score, g.place, g.n_first = &score[0, 0], &place[0, 0], &n_first[0]
        g.fouls, g.n_deals, g.extra = &fouls[0, 0], &n_deals[0], NULL
        if contract.shape[0]:  # of games of people perhaps the totals alone are known
            g.contract, g.declarer = &contract[0], &declarer[0]
            g.leader, g.n_left = &leader[0], &n_left[0]
            g.points, g.side = &points[0, 0], &side[0, 0]
            if extra is not None:
                g.extra = <const uint8_t*>&extra[0]
        g.n_bets = game.shape[0]
        if g.n_bets:
            g.game, g.deal, g.doubler = &game[0], &deal[0], &doubler[0]
            g.doubled, g.redoubled = &doubled[0], &redoubled[0]
            g.settlement = &settlement[0]
        with nogil:
            self.add_games(&g, n, whole, each)

    def close(self):
        """All games of the open block have been added."""
        with nogil:
            self.close_block()

    def open_block(self):
        """The open block's numbers, (size,), summed over axes as planned."""
        with nogil:
            self.work_out()
        return np.array(self.block)

    cdef void add_games(self, const games_t* g, int64_t n, bint whole,
                        int64_t[:, ::1] each) noexcept nogil:
        cdef int64_t game, row = 0, bet = 0, block = 0
        for game in range(n):
            self.add_game(g, game, row)
            if self.has_doubling:
                bet = self.add_bets(g, game, row, bet)
            row += g.n_deals[game]
            if whole and (game + 1 == n or g.block[game + 1] != g.block[game]):
                if each is not None:
                    self.work_out()
                    each[block, :] = self.block
                    block += 1
                self.close_block()

    cdef inline int64_t* number(self, int which) noexcept nogil:
        return &self.block[0] + self.at[which]

    cdef void add_game(self, const games_t* g, int64_t game, int64_t row) noexcept nogil:
        cdef int64_t s, other, e, n = self.seats
        cdef int64_t tied, total = 0
        cdef int64_t x[4]
        cdef const int32_t* score = g.score + game * n
        cdef const uint8_t* place = g.place + game * n
        cdef const uint8_t* entrant = g.entrant + game * n
        for s in range(n):
            total += score[s]
        for s in range(n):
            tied = 0
            for other in range(n):
                tied += place[s] == place[other]
            x[0] = n * score[s] - total
            x[1] = self.win // g.n_first[game] if place[s] == 1 else 0
            x[2] = 2 * place[s] + tied - 1
            x[3] = g.fouls[game * n + s]
            e = entrant[s]
            note_owner(&self.owners[OF_ENTRANTS], e)
            self.add_seat(GAMES, e, x)
            if self.of_members:
                e = self.member[g.table[game], e]
                note_owner(&self.owners[OF_MEMBERS], e)
                self.add_seat(MEMBER_GAMES, e, x)
            self.number(SEAT_GAMES)[s] += 1
            self.number(SEAT_ADVANTAGE)[s] += x[0]
        self.add_deals(g, row, g.n_deals[game], entrant)
        if self.has_choice:
            self.add_choices(g, row, g.n_deals[game], entrant)

    cdef inline void add_seat(self, int first, int64_t who, const int64_t* x) noexcept nogil:
        """Games, and behind them advantage, win, place and fouls."""
        cdef int k
        self.number(first)[who] += 1
        for k in range(4):
            self.number(first + 1 + k)[who] += x[k]

    cdef void add_deals(self, const games_t* g, int64_t row, int64_t n_deals,
                        const uint8_t* entrant) noexcept nogil:
        """Own points against the table's, by entrant, contract and role."""
        cdef int64_t d, s, role, at, total, n = self.seats
        cdef int64_t* deals = self.number(DEALS)
        cdef int64_t* points = self.number(POINTS)
        cdef int64_t* with_bets = self.number(DEALS_WITH_BETS) if self.has_doubling else NULL
        cdef const int32_t* made
        for d in range(row, row + n_deals):
            made = g.points + d * n
            role = g.declarer[d] if g.declarer[d] >= 0 else g.leader[d]
            role = -role if role == 0 else n - role    # of seat 0
            total = 0
            for s in range(n):
                total += made[s]
            for s in range(n):
                at = (entrant[s] * self.contracts + g.contract[d]) * n + role
                deals[at] += 1
                points[at] += n * made[s] - total
                if with_bets != NULL and (g.extra == NULL or g.extra[d] == 0):
                    with_bets[at] += 1
                role = 0 if role + 1 == n else role + 1

    cdef void add_choices(self, const games_t* g, int64_t row, int64_t n_deals,
                          const uint8_t* entrant) noexcept nogil:
        """What declarers chose, and what it earned them; of deals whose contract was given
        (played again, or extra) nothing."""
        cdef int64_t d, s, c, at, n = self.seats, width = self.contracts
        cdef int64_t last[MAX_SEATS * MAX_CONTRACTS]   # how many were left at the last use
        cdef int64_t* chosen = self.number(CHOSEN)
        cdef int64_t* earned = self.number(EARNED)
        cdef int64_t* score = self.number(EARNED_SCORE)
        cdef int64_t* last_use = self.number(LAST_USE)
        for s in range(n * width):
            last[s] = 0
        for d in range(row, row + n_deals):
            if g.n_left[d] == 0:
                continue
            s = g.declarer[d]
            last[s * width + g.contract[d]] = g.n_left[d]
            at = (entrant[s] * width + g.contract[d]) * self.lefts + g.n_left[d]
            chosen[at] += 1
            earned[at] += g.points[d * n + s]
            score[at] += g.points[d * n + s] + g.side[d * n + s]
        for s in range(n):
            for c in range(width):
                if self.uses[c]:
                    at = (entrant[s] * width + c) * self.lefts + last[s * width + c]
                    last_use[at] += 1

    cdef int64_t add_bets(self, const games_t* g, int64_t game, int64_t row,
                          int64_t bet) noexcept nogil:
        """Side bets by the roles of the two; the index of the next game's first is returned."""
        cdef int64_t d, base, by, to, c, e, at, turned, n = self.seats
        cdef const uint8_t* entrant = g.entrant + game * n
        cdef const uint8_t* answers = &self.answers[0, 0, 0]
        cdef const uint8_t* may_answer = &self.may_answer[0, 0, 0]
        cdef int64_t* doubled = self.number(DOUBLED)
        cdef int64_t* gain = self.number(GAIN)
        cdef int64_t* answered = self.number(ANSWERED)
        cdef int64_t* could = self.number(COULD_REDOUBLE)
        cdef int64_t* redoubled = self.number(REDOUBLED)
        cdef int64_t* redouble_gain = self.number(REDOUBLE_GAIN)
        while bet < g.n_bets and g.game[bet] == game:
            d = row + g.deal[bet]
            c = g.contract[d]
            base = g.declarer[d] if g.declarer[d] >= 0 else g.leader[d]
            # Without branches, which nobody could foresee.
            by, to = g.doubler[bet] - base, g.doubled[bet] - base
            by, to = by + n * (by < 0), to + n * (to < 0)
            e = entrant[g.doubler[bet]]
            at = ((e * self.contracts + c) * n + by) * n + to
            doubled[at] += 1
            gain[at] += g.settlement[bet]
            e = entrant[g.doubled[bet]]
            turned = (c * n + to) * n + by
            at = e * self.contracts * n * n + turned
            answered[at] += answers[turned]
            could[at] += may_answer[turned]
            redoubled[at] += g.redoubled[bet]
            redouble_gain[at] -= g.settlement[bet] * g.redoubled[bet]
            bet += 1
        return bet

    cdef void work_out(self) noexcept nogil:
        """What follows from a block's counts, and the planned sums over axes."""
        cdef int64_t k, e
        for k in range(self.owners[OF_ENTRANTS].n):
            e = self.owners[OF_ENTRANTS].who[k]
            if self.has_choice:
                self.work_out_choices(e)
            if self.has_doubling:
                self.work_out_doubles(e)
        for k in range(self.steps.shape[0]):
            take_step(<const step_t*>&self.steps[k, 0], &self.block[0], self.owners)

    cdef void work_out_choices(self, int64_t e) noexcept nogil:
        """A declarer plays all uses, one at each number left. So a contract was there at
        ``left`` if its last use was at that number or a smaller one."""
        cdef int64_t c, left, total, lefts = self.lefts
        cdef int64_t first = e * self.contracts * lefts
        cdef int64_t* last_use = self.number(LAST_USE) + first
        cdef int64_t* could = self.number(COULD_CHOOSE) + first
        cdef int64_t* chosen = self.number(CHOSEN) + first
        cdef int64_t* choices = self.number(CHOICES) + first
        for c in range(self.contracts):
            total = 0
            for left in range(lefts):
                total += last_use[c * lefts + left]
                could[c * lefts + left] = total
        for left in range(lefts):
            total = 0
            for c in range(self.contracts):
                total += chosen[c * lefts + left]
            for c in range(self.contracts):
                choices[c * lefts + left] = total

    cdef void work_out_doubles(self, int64_t e) noexcept nogil:
        """A seat might double in every deal with bets, but where it could only answer."""
        cdef int64_t at, to, n = self.seats, cells = self.contracts * n
        cdef int64_t* deals = self.number(DEALS_WITH_BETS) + e * cells
        cdef int64_t* answered = self.number(ANSWERED) + e * cells * n
        cdef int64_t* could = self.number(COULD_DOUBLE) + e * cells * n
        cdef const uint8_t* may = &self.may[0, 0, 0]
        for at in range(cells):
            for to in range(n):
                could[at * n + to] = deals[at] * may[at * n + to] - answered[at * n + to]

    cdef void close_block(self) noexcept nogil:
        """Add its numbers to the sums, and open another."""
        cdef int64_t k
        cdef const int64_t* block = &self.block[0]
        self.work_out()
        for k in range(self.powers.shape[0]):
            add_powers(<const power_t*>&self.powers[k, 0], block, self.owners,
                       &self.power[0, 0], &self.power[1, 0], &self.power[2, 0])
        for k in range(self.products.shape[0]):
            add_products(<const product_t*>&self.products[k, 0], block, self.owners,
                         &self.product[0])
        self.clear()

    cdef void clear(self) noexcept nogil:
        """Nobody has played in the block. What is worked out is so anew in each."""
        cdef int64_t k, i, width
        cdef const owners_t* of
        for k in range(self.counted.shape[0]):
            of, width = &self.owners[self.counted[k, 0]], self.counted[k, 2]
            for i in range(pieces(of)):
                memset(&self.block[0] + self.counted[k, 1] + first_of(of, i) * width, 0,
                       owners_of_piece(of) * width * sizeof(int64_t))
        forget_owners(&self.owners[OF_MEMBERS])
        forget_owners(&self.owners[OF_ENTRANTS])
