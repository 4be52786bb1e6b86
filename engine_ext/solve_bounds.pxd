"""Bounds on what is to come that need no search."""

from libc.stdint cimport int32_t

from engine_ext.cards cimport count, highest_number, lane_of, pack_t
from engine_ext.solve_question cimport question_t

cdef extern from *:
    """
    #define CARDS_ONLY 0x7fff7fff7fff7fffull   /* the top bit of a lane is no card */
    #define SUIT_TOPS (~CARDS_ONLY)

    /* One less in each lane; its top bit is lent, so that none borrows from the next. */
    static inline uint64_t less_one(uint64_t cards) {
        return (cards | SUIT_TOPS) - 0x0001000100010001ull;
    }
    static inline uint64_t lowest_of_suits(uint64_t cards) { return cards & ~less_one(cards); }
    static inline uint64_t under_all(uint64_t cards) {
        return less_one(cards) & ~cards & CARDS_ONLY;
    }
    static inline uint64_t suits_of(uint64_t cards) {
        uint64_t tops = (cards + CARDS_ONLY) & SUIT_TOPS;
        return (tops << 1) - (tops >> 15);
    }
    """
    const pack_t CARDS_ONLY
    # The lowest card of each suit.
    pack_t lowest_of_suits(pack_t cards) noexcept nogil
    # What is below every card of its suit; a whole suit where there is none.
    pack_t under_all(pack_t cards) noexcept nogil
    # The whole suits that there are cards of.
    pack_t suits_of(pack_t cards) noexcept nogil


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
    # All suits at once: its lowest card is under the lowest of the others, its next under
    # their next, and so on.
    while hand:
        if lowest_of_suits(hand) & ~under_all(others):
            return False
        hand ^= lowest_of_suits(hand)
        others ^= lowest_of_suits(others)
    return True


cdef inline bint is_safe_without_one(pack_t hand, pack_t cards, pack_t others) noexcept nogil:
    """Whether one of ``cards`` leaves a hand that is safe."""
    cdef pack_t card
    while cards:
        # If any of a suit does, then the highest: it helps no other card to be under.
        card = <pack_t>1 << highest_number(cards)
        cards &= ~lane_of(card)
        if is_safe(hand ^ card, others):
            return True
    return False


cdef inline bint takes_all(pack_t hand, pack_t others) noexcept nogil:
    """Whether a hand on lead takes every trick without trumps, like it or not: nothing is
    above any of its cards, whatever it leads."""
    return others & suits_of(hand) & ~under_all(hand) == 0


cdef inline pack_t lost_leads(const pack_t* hand, int seats, int leader,
                              pack_t leads) noexcept nogil:
    """Of the leads those that another must beat: it has the suit, and nothing below."""
    cdef pack_t lost = 0
    cdef int seat
    for seat in range(seats):
        if seat != leader:
            lost |= under_all(hand[seat]) & suits_of(hand[seat])
    return leads & lost
