"""Stored deals counted by other points: what each seat gets, side bets, totals of games.

What a seat had in a deal is given as a number, and what such a number is worth as a table, so
that one candidate after the other costs a look-up a seat.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t


cdef inline void settle_pair(uint16_t bet, const int32_t* points, int32_t* side) noexcept nogil:
    """``bet``: doubler, doubled (4 bits each), and 1 or 2 bets between them."""
    cdef int by = bet & 15, to = (bet >> 4) & 15
    cdef int32_t payment = (bet >> 8) * (points[by] - points[to])
    side[by] += payment
    side[to] -= payment


cdef inline int64_t count_deal(const uint32_t* code, const int32_t* value, const uint16_t* bets,
                               int n_bets, int n, int32_t* points, int32_t* side,
                               int32_t* score) noexcept nogil:
    """One deal into its row and the game's totals; how many bets it had."""
    cdef int s, k
    for s in range(n):
        points[s] = value[code[s]]
        side[s] = 0
    for k in range(n_bets):
        settle_pair(bets[k], points, side)
    for s in range(n):
        score[s] += points[s] + side[s]
    return n_bets


def rescore(const uint32_t[:, ::1] code, const int32_t[::1] value, const int64_t[::1] n_deals,
            const uint8_t[::1] n_bets, const uint16_t[::1] bets, int32_t[:, ::1] points,
            int32_t[:, ::1] side, int32_t[:, ::1] score):
    """Fill ``points`` and ``side``, (D, S), and ``score``, (G, S).

    ``code`` (D, S): index into ``value`` of what each seat had; ``n_deals`` (G,) deals of each
    game, one game after the other; ``n_bets`` (D,) pairs with a bet, and all of them in order in
    ``bets``: doubler | doubled << 4 | bets between them << 8. The caller sees that they fit.
    """
    cdef int64_t g, d, row = 0, bet = 0
    cdef int s, n = <int>code.shape[1]
    cdef const uint16_t* said = &bets[0] if bets.shape[0] else NULL
    with nogil:
        for g in range(n_deals.shape[0]):
            for s in range(n):
                score[g, s] = 0
            for d in range(n_deals[g]):
                # The common table: known in advance, the loops over seats become straight code.
                if n == 4:
                    bet += count_deal(&code[row, 0], &value[0], said + bet, n_bets[row], 4,
                                      &points[row, 0], &side[row, 0], &score[g, 0])
                else:
                    bet += count_deal(&code[row, 0], &value[0], said + bet, n_bets[row], n,
                                      &points[row, 0], &side[row, 0], &score[g, 0])
                row += 1


def add_fines(const int64_t[::1] row, const int64_t[::1] game, const uint8_t[::1] seat,
              const uint8_t[::1] lacking, int32_t penalty, int32_t[:, ::1] side,
              int32_t[:, ::1] score):
    """What doubles that lacked in the end cost, ``penalty`` for each, onto side bets and totals."""
    cdef int64_t k
    cdef int32_t fine
    with nogil:
        for k in range(row.shape[0]):
            fine = penalty * lacking[k]
            side[row[k], seat[k]] += fine
            score[game[k], seat[k]] += fine
