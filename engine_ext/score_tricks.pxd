"""What the tricks of a deal are worth: the contract's items counted by seat, points for each."""

from libc.stdint cimport uint64_t

from engine_ext.cards cimport cards_of, count, lowest_number
from engine_ext.policy cimport SLOT_CARDS, SLOT_TRICKS, contract_t
from engine_ext.table cimport table_t


cdef inline void score_shot(table_t* t, const contract_t* c) noexcept nogil:
    """Whoever has taken all of certain cards replaces the points of all; the last item says
    who did."""
    cdef int seat, other
    for seat in range(t.seats):
        if cards_of(c.shoot_cards) & ~t.captured[seat]:
            continue
        for other in range(t.seats):
            t.points[other] = c.shoot_others
        t.points[seat] = c.shoot_taker
        t.items[seat] |= <uint64_t>1 << (8 * (c.n_slots - 1))


cdef inline void score_tricks(table_t* t) noexcept nogil:
    """Count the contract's items by seat and turn them into points."""
    cdef const contract_t* c = t.view.contract
    cdef int slot, seat
    cdef uint64_t tricks
    cdef int items[10]
    for slot in range(c.n_slots):
        if c.slot_kind[slot] == SLOT_TRICKS:
            for seat in range(t.seats):
                items[seat] = t.tricks_won[seat]
        elif c.slot_kind[slot] == SLOT_CARDS:
            for seat in range(t.seats):
                items[seat] = count(t.captured[seat] & cards_of(c.slot_cards[slot]))
        else:
            for seat in range(t.seats):
                items[seat] = 0
            tricks = c.slot_tricks[slot] & ((<uint64_t>1 << t.view.n_tricks) - 1)
            while tricks:
                items[t.view.leaders[lowest_number(tricks) + 1]] += 1
                tricks &= tricks - 1
        for seat in range(t.seats):
            t.items[seat] |= <uint64_t>items[seat] << (8 * slot)
            t.points[seat] += items[seat] * c.slot_points[slot]
    if cards_of(c.shoot_cards):
        score_shot(t, c)
