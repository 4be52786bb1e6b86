"""The canonical bytes of games, of which :mod:`pipeline.digest` takes the hashes; what stands
in them and why is told there.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy

import numpy as np

cdef extern from *:
    """
    #if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    #error "canonical bytes are little-endian, and numbers are copied as they lie in memory"
    #endif
    """

cdef enum:                       # bytes
    GAME = 8 + 2 + 1 + 1 + 2 + 2 # block, table, rotation, n_first, deals, doubles
    GAME_SEAT = 4 + 1 + 2        # score, place, fouls
    DEAL = 2 + 6                 # deal, contract, param, dealer, declarer, leader, n_left
    DEAL_SEAT = 4 + 4 + 8 + 1    # points, side, items, finish
    DOUBLE = 2 + 3 + 4 + 4       # deal, doubler, doubled, redoubled, difference, settlement


cdef struct deals_t:             # columns of deals
    const uint8_t* contract
    const int8_t* param
    const uint8_t* dealer
    const int8_t* declarer
    const uint8_t* leader
    const uint8_t* n_left
    const int32_t* points        # (deals, seats), as all below but the last two
    const int32_t* side
    const uint64_t* items
    const uint8_t* finish
    const uint8_t* extra         # NULL where the variant has none
    const int8_t* revoked        # the same


cdef inline uint8_t* put(uint8_t* at, const void* what, int64_t size) noexcept nogil:
    memcpy(at, what, size)
    return at + size


cdef inline uint8_t* put_deal(uint8_t* at, const deals_t* d, int64_t row, uint16_t number,
                              int64_t n) noexcept nogil:
    at = put(at, &number, 2)
    at[0], at[1], at[2] = d.contract[row], <uint8_t>d.param[row], d.dealer[row]
    at[3], at[4], at[5] = <uint8_t>d.declarer[row], d.leader[row], d.n_left[row]
    at = put(at + 6, d.points + row * n, 4 * n)
    at = put(at, d.side + row * n, 4 * n)
    at = put(at, d.items + row * n, 8 * n)
    at = put(at, d.finish + row * n, n)
    if d.extra != NULL:
        at = put(at, d.extra + row, 1)
    if d.revoked != NULL:
        at = put(at, d.revoked + row, 1)
    return at


cdef uint8_t* put_deals(uint8_t* at, const deals_t* d, int64_t row, uint16_t n_deals,
                        int64_t n) noexcept nogil:
    cdef uint16_t number
    for number in range(n_deals):
        if n == 4:                         # copies of a known size are single moves
            at = put_deal(at, d, row + number, number, 4)
        else:
            at = put_deal(at, d, row + number, number, n)
    return at


def canonical_bytes(games, names):
    """Return the bytes of every game behind what all games of its variant share, one game
    after the other, and where each begins, with the end of the last behind them.

    ``games`` is a ``pipeline.tables.Games`` with its columns in one piece each; ``names`` are
    those of its entrants as bytes, each behind its length.
    """
    records, deals, doubles = games.records, games.records.deals, games.doubles
    cdef const uint64_t[::1] block = games.block
    cdef const uint16_t[::1] table = games.table
    cdef const uint8_t[::1] rotation = games.rotation
    cdef const uint8_t[:, ::1] entrant = np.ascontiguousarray(games.entrant)
    cdef const int32_t[:, ::1] score = records.score
    cdef const uint8_t[:, ::1] place = records.place
    cdef const uint8_t[::1] n_first = records.n_first
    cdef const uint16_t[:, ::1] fouls = records.fouls
    cdef const uint16_t[::1] n_deals = records.n_deals
    cdef const uint8_t[::1] contract = deals.contract, dealer = deals.dealer
    cdef const uint8_t[::1] leader = deals.leader, n_left = deals.n_left, extra = deals.extra
    cdef const int8_t[::1] param = deals.param, declarer = deals.declarer
    cdef const int8_t[::1] revoked = deals.revoked
    cdef const int32_t[:, ::1] points = deals.points, side = deals.side
    cdef const uint64_t[:, ::1] items = deals.items
    cdef const uint8_t[:, ::1] finish = deals.finish
    cdef const int64_t[::1] game = doubles.game
    cdef const uint16_t[::1] deal = doubles.deal
    cdef const uint8_t[::1] doubler = doubles.doubler, doubled = doubles.doubled
    cdef const uint8_t[::1] redoubled = doubles.redoubled.view(np.uint8)
    cdef const int32_t[::1] difference = doubles.difference, settlement = doubles.settlement
    cdef int64_t g, s, k, row = 0, bet = 0, n = entrant.shape[1], n_games = block.shape[0]
    cdef uint16_t n_bets
    cdef uint8_t* at
    cdef deals_t d

    sizes = np.array([len(name) for name in names], np.int64)
    starts = np.cumsum(sizes) - sizes
    cdef const int64_t[::1] size = sizes, start = starts
    cdef const uint8_t[::1] text = np.frombuffer(b"".join(names), np.uint8)
    one_deal = DEAL + DEAL_SEAT * n + (extra is not None) + (revoked is not None)
    whole = (
        n_games * (GAME + GAME_SEAT * n) + int(sizes[games.entrant].sum())
        + contract.shape[0] * one_deal + game.shape[0] * DOUBLE
    )
    out = np.empty(whole, np.uint8)
    ends = np.zeros(n_games + 1, np.int64)
    if n_games == 0:
        return out, ends
    cdef uint8_t[::1] bytes_ = out
    cdef int64_t[::1] end = ends
    d.extra, d.revoked = NULL, NULL
    if contract.shape[0]:  # of games of people perhaps the totals alone are known
        d.contract, d.param, d.dealer = &contract[0], &param[0], &dealer[0]
        d.declarer, d.leader, d.n_left = &declarer[0], &leader[0], &n_left[0]
        d.points, d.side, d.items = &points[0, 0], &side[0, 0], &items[0, 0]
        d.finish = &finish[0, 0]
        if extra is not None:
            d.extra = <const uint8_t*>&extra[0]
        if revoked is not None:
            d.revoked = <const int8_t*>&revoked[0]

    with nogil:
        at = &bytes_[0]
        for g in range(n_games):
            at = put(put(put(at, &block[g], 8), &table[g], 2), &rotation[g], 1)
            for s in range(n):
                k = entrant[g, s]
                at = put(at, &text[start[k]], size[k])
            at = put(put(at, &score[g, 0], 4 * n), &place[g, 0], n)
            at = put(put(at, &n_first[g], 1), &fouls[g, 0], 2 * n)
            k = bet
            while k < game.shape[0] and game[k] == g:
                k += 1
            n_bets = <uint16_t>(k - bet)
            at = put(put(at, &n_deals[g], 2), &n_bets, 2)
            at = put_deals(at, &d, row, n_deals[g], n)
            row += n_deals[g]
            for bet in range(bet, k):
                at = put(at, &deal[bet], 2)
                at[0], at[1], at[2] = doubler[bet], doubled[bet], redoubled[bet]
                at = put(put(at + 3, &difference[bet], 4), &settlement[bet], 4)
            bet = k
            end[g + 1] = at - &bytes_[0]
    assert end[n_games] == whole
    return out, ends
