"""Columns of tables out of arrays of games, and totals by member of a line-up."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

import numpy as np

ctypedef fused key_t:
    uint8_t
    uint16_t
    uint64_t

ctypedef fused value_t:
    uint8_t
    uint16_t
    int32_t
    uint64_t

cdef enum:
    MAX_SEATS = 10


cdef int check_rows(const uint16_t[::1] times, int64_t rows) except -1:
    cdef int64_t i, due = 0
    for i in range(times.shape[0]):
        due += times[i]
    if due != rows:
        raise ValueError(f"{due} rows are due, there is room for {rows}")
    return 0


def spread(const key_t[::1] values, const uint16_t[::1] times, key_t[::1] out):
    """Fill ``out`` with each value so many times, one behind the other."""
    cdef int64_t i, k, at = 0
    cdef key_t value
    check_rows(times, out.shape[0])
    with nogil:
        for i in range(values.shape[0]):
            value = values[i]
            for k in range(at, at + times[i]):
                out[k] = value
            at += times[i]


def count_up(const uint16_t[::1] times, uint16_t[::1] out):
    """Fill ``out`` with 0, 1, ... as often as ``times`` says for each, beginning anew."""
    cdef int64_t i, k, at = 0
    check_rows(times, out.shape[0])
    with nogil:
        for i in range(times.shape[0]):
            for k in range(times[i]):
                out[at + k] = <uint16_t>k
            at += times[i]


def split_seats(const value_t[:, ::1] values, outs):
    """Fill a column for each seat from ``values``, (rows, seats)."""
    cdef value_t* out[MAX_SEATS]
    cdef value_t[::1] column
    cdef int64_t row, s, n = values.shape[1]
    if values.shape[0] == 0:
        return
    for s in range(n):
        column = outs[s]
        if column.shape[0] != values.shape[0]:
            raise ValueError(f"seat {s}: {column.shape[0]} rows for {values.shape[0]}")
        out[s] = &column[0]
    with nogil:
        for row in range(values.shape[0]):
            for s in range(n):
                out[s][row] = values[row, s]


def pairs_of_games(const int64_t[::1] game, int64_t n):
    """How many pairs with a bet each of ``n`` games has; ``game`` is of each, ascending."""
    counts = np.zeros(n, np.uint16)
    cdef uint16_t[::1] count = counts
    cdef int64_t i
    with nogil:
        for i in range(game.shape[0]):
            count[game[i]] += 1
    return counts


def add_totals(games, int64_t first_block, int64_t win, int64_t[:, :, :, ::1] sums,
               int64_t[:, :, ::1] who):
    """Add games to n, x, xx, win and place by block, table and member (``pipeline.totals``),
    and note the members' entrants.

    ``games`` is a ``pipeline.tables.Games``, ``win`` the share of a game that is won alone.
    """
    records = games.records
    cdef const uint64_t[::1] block = games.block
    cdef const uint16_t[::1] table = games.table
    cdef const uint8_t[::1] rotation = games.rotation, n_first = records.n_first
    cdef const uint8_t[:, ::1] entrant = np.ascontiguousarray(games.entrant)
    cdef const uint8_t[:, ::1] place = records.place
    cdef const int32_t[:, ::1] score = records.score
    cdef int64_t g, s, other, b, t, m, x, total, tied, n = score.shape[1]
    if block.shape[0] and not (
        first_block <= games.block.min() and games.block.max() < first_block + who.shape[0]
        and games.table.max() < who.shape[1] and n == who.shape[2]
    ):
        raise ValueError(f"games beyond the totals' {tuple(who.shape)[:3]} from {first_block}")
    with nogil:
        for g in range(block.shape[0]):
            b, t = <int64_t>(block[g] - <uint64_t>first_block), table[g]
            total = 0
            for s in range(n):
                total += score[g, s]
            for s in range(n):
                m = s - rotation[g] % n
                m += n * (m < 0)
                x = n * score[g, s] - total
                tied = 0
                for other in range(n):
                    tied += place[g, s] == place[g, other]
                sums[0, b, t, m] += 1
                sums[1, b, t, m] += x
                sums[2, b, t, m] += x * x
                sums[3, b, t, m] += win // n_first[g] if place[g, s] == 1 else 0
                sums[4, b, t, m] += 2 * place[g, s] + tied - 1
                who[b, t, m] = entrant[g, s]
