"""What the public moves of a deal show of the hands that a seat does not see.

:func:`read_shown` goes through a view once. Whatever deal of the unseen cards has all that it
finds agrees with everything that was shown, and no other does.
"""

from engine_ext.cards cimport cards_of, pack_t
from engine_ext.policy cimport KIND_LAYOUT, view_t
from engine_ext.shown_facts cimport shown_t
from engine_ext.shown_layout cimport read_layout
from engine_ext.shown_tricks cimport read_tricks


cdef inline int cards_left(const view_t* v, int seat) noexcept nogil:
    """How many cards a seat holds."""
    cdef int turn = seat - v.trick_leader
    if v.contract == NULL or v.contract.kind == KIND_LAYOUT:
        return v.n_cards[seat]
    if turn < 0:
        turn += v.variant.seats
    return v.variant.hand_size - v.n_tricks - (turn < v.n_trick)


cdef inline void read_believing(shown_t* s, const view_t* v, bint voids) noexcept nogil:
    """As :func:`read_shown`; whether the view's voids are believed."""
    cdef int seat
    cdef pack_t card
    s.seats = v.variant.seats
    s.viewer = v.seat
    s.hand = cards_of(v.hand)
    s.unseen = cards_of(v.variant.deck) & ~cards_of(v.played) & ~s.hand
    s.n_some = s.n_passes = 0
    for seat in range(s.seats):
        s.left[seat] = cards_left(v, seat)
        s.holds[seat] = s.lacks[seat] = 0
    card = cards_of(v.variant.leader_card) & s.unseen
    if card and v.leader != s.viewer:
        s.holds[v.leader] = card
    if v.contract == NULL:
        return
    if v.contract.kind == KIND_LAYOUT:
        read_layout(s, v)
    else:
        read_tricks(s, v, voids)


cdef inline void read_shown(shown_t* s, const view_t* v) noexcept nogil:
    """Fill ``s`` with what ``v`` shows. On honour a seat that has not followed suit is taken
    to have none of it, as everybody at the table takes it."""
    read_believing(s, v, True)


cdef inline pack_t may_hold(const shown_t* s, int seat) noexcept nogil:
    """The cards that may be in a hand."""
    cdef pack_t cards = s.unseen & ~s.lacks[seat]
    cdef int other
    if seat == s.viewer or s.left[seat] == 0:
        return s.hand if seat == s.viewer else 0
    for other in range(s.seats):
        if other != seat:
            cards &= ~s.holds[other]
    return cards
