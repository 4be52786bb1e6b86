"""Bounds on what is to come that need no search."""

from libc.stdint cimport int32_t

from engine_ext.cards cimport count, highest_number, highest_rank, lane_of, lowest_bit, pack_t
from engine_ext.solve_question cimport question_t


cdef inline void points_left(const question_t* q, pack_t cards, int n_left, int32_t* up,
                             int32_t* down) noexcept nogil:
    """All gains and all losses that are still to be had; ``cards`` are not yet in a trick."""
    cdef int32_t points
    cdef int k
    up[0] = q.tricks_up[n_left]
    down[0] = q.tricks_down[n_left]
    for k in range(q.n_kinds):
        points = q.kind_points[k] * count(cards & q.kind[k])
        up[0] += points if points > 0 else 0
        down[0] += points if points < 0 else 0


cdef inline void count_top_trumps(const question_t* q, const pack_t* hand, int n_left,
                                  pack_t trumps, int32_t* up, int32_t* down) noexcept nogil:
    """The highest trumps take a trick each, whatever is played: closer bounds where every
    trick has the same points."""
    cdef pack_t top = <pack_t>1 << highest_number(trumps), mine, others
    cdef int seat = 0, t
    while not hand[seat] & top:
        seat += 1
    mine = trumps & hand[seat]
    others = trumps ^ mine
    t = count(mine if others == 0 else mine & ~((<pack_t>2 << highest_number(others)) - 1))
    if (q.counted >> seat) & 1:
        (down if q.even > 0 else up)[0] = t * q.even
    else:                                      # at most the other tricks are theirs
        (up if q.even > 0 else down)[0] = (n_left - t) * q.even


cdef inline bint is_safe(pack_t hand, pack_t others) noexcept nogil:
    """Whether a hand that is not on lead need take no trick without trumps: below each of
    its cards, in its suit, others hold at most as many cards as it does itself. Then one
    card of it is under whatever is led, and playing the highest under keeps this so."""
    cdef pack_t card, below, rest = hand
    while rest:
        card = lowest_bit(rest)
        rest ^= card
        below = lane_of(card) & (card - 1)
        if count(others & below) > count(hand & below):
            return False
    return True


cdef inline bint is_safe_without_one(pack_t hand, pack_t cards, pack_t others) noexcept nogil:
    """Whether one of ``cards`` leaves a hand that is safe."""
    cdef pack_t card
    while cards:
        card = highest_rank(cards)             # the one that mostly does
        cards ^= card
        if is_safe(hand ^ card, others):
            return True
    return False


cdef inline bint takes_all(pack_t hand, pack_t others) noexcept nogil:
    """Whether a hand on lead takes every trick without trumps, like it or not: nothing is
    above any of its cards, whatever it leads."""
    cdef pack_t card
    while hand:
        card = lowest_bit(hand)                # the lowest of its suit
        hand &= ~lane_of(card)
        if others & lane_of(card) & ~(card - 1):
            return False
    return True


cdef inline pack_t lost_leads(const pack_t* hand, int seats, int leader,
                              pack_t leads) noexcept nogil:
    """Of the leads those that another must beat: it has the suit, and nothing below."""
    cdef pack_t card, lost = 0, suited
    cdef int seat
    while leads:
        card = lowest_bit(leads)
        leads ^= card
        for seat in range(seats):
            suited = hand[seat] & lane_of(card)
            if seat != leader and suited and suited & (card - 1) == 0:
                lost |= card
    return lost
