"""The pairs with a bet, from what every seat said in every deal."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t

import numpy as np


cdef inline int turn_of(int seat, int declarer, int n) noexcept nogil:
    """When a seat speaks: the one after the declarer first, he last."""
    cdef int turn = seat - declarer - 1
    return turn + n if turn < 0 else turn


cdef inline bint is_pair(const uint16_t* said, int by, int to, int declarer, int n) noexcept nogil:
    """Whether ``by`` doubled ``to``: of two that doubled each other the earlier speaker."""
    if not (said[by] >> to) & 1:
        return False
    return not (said[to] >> by) & 1 or turn_of(by, declarer, n) < turn_of(to, declarer, n)


cdef int64_t count_pairs(const uint16_t[:, ::1] said, const int8_t[::1] declarer) noexcept nogil:
    cdef int64_t d, pairs = 0
    cdef int by, to, n = <int>said.shape[1]
    for d in range(said.shape[0]):
        for by in range(n):
            if said[d, by]:
                for to in range(n):
                    pairs += is_pair(&said[d, 0], by, to, declarer[d], n)
    return pairs


def find_pairs(const uint16_t[:, ::1] said, const int8_t[::1] declarer,
               const int32_t[:, ::1] points, const uint16_t[::1] n_deals):
    """Return game, deal, doubler, doubled, redoubled, difference and settlement of every pair,
    by game, deal, doubler, doubled.

    ``said`` is ``doubled`` of ``DealRecords``, (deals, seats) as ``points``; games have
    ``n_deals`` of them, one after the other.
    """
    cdef int64_t g, d, row = 0, k = 0, pairs
    cdef int by, to, n = <int>said.shape[1]
    with nogil:
        pairs = count_pairs(said, declarer)
    found = (
        np.empty(pairs, np.int64),
        np.empty(pairs, np.uint16),
        np.empty(pairs, np.uint8),
        np.empty(pairs, np.uint8),
        np.empty(pairs, np.bool_),
        np.empty(pairs, np.int32),
        np.empty(pairs, np.int32),
    )
    cdef int64_t[::1] game = found[0]
    cdef uint16_t[::1] deal = found[1]
    cdef uint8_t[::1] doubler = found[2], doubled = found[3]
    cdef uint8_t[::1] redoubled = found[4].view(np.uint8)
    cdef int32_t[::1] difference = found[5], settlement = found[6]
    with nogil:
        for g in range(n_deals.shape[0]):
            for d in range(n_deals[g]):
                for by in range(n):
                    if not said[row, by]:
                        continue
                    for to in range(n):
                        if not is_pair(&said[row, 0], by, to, declarer[row], n):
                            continue
                        game[k], deal[k] = g, <uint16_t>d
                        doubler[k], doubled[k] = <uint8_t>by, <uint8_t>to
                        redoubled[k] = (said[row, to] >> by) & 1
                        difference[k] = points[row, by] - points[row, to]
                        settlement[k] = difference[k] * (1 + redoubled[k])
                        k += 1
                row += 1
    return found
