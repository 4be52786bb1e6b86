"""Which cards the solver tries first. That changes no value, only how soon it is found."""

from engine_ext.cards cimport highest_rank, lowest_rank, pack_t
from engine_ext.solve_bounds cimport lost_leads, suits_of
from engine_ext.solve_question cimport question_t


cdef inline pack_t pick_lead(const question_t* q, const pack_t* hand, int leader, pack_t leads,
                             int shy, bint high) noexcept nogil:
    """The lead to try next. ``shy`` is the seat that wants no trick, 4 if there is none;
    ``high``: the leader gladly wins, or nothing is at stake."""
    cdef pack_t some
    if high:
        return highest_rank(leads)
    if shy == leader:                          # rid of a high card, and of the lead
        some = lost_leads(hand, q.seats, leader, leads)
        return highest_rank(some) if some else lowest_rank(leads)
    some = leads & suits_of(hand[shy]) if shy < 4 else 0
    return lowest_rank(some if some else leads)    # in others it would throw a card away


# How a seat goes about a trick: which cards it tries first. Changes no value.
cdef struct manner_t:
    bint greedy                 # gladly wins
    bint last                   # no seat that counts is to come after it
    bint free                   # nothing in this trick is at stake any more


cdef inline pack_t pick_reply(pack_t over, pack_t under, manner_t m) noexcept nogil:
    """The card to try next, of those that would win the trick so far and of the others."""
    if m.free:
        return lowest_rank(over | under) if m.greedy else highest_rank(over | under)
    if m.greedy:
        if over:
            return lowest_rank(over) if m.last else highest_rank(over)
        return lowest_rank(under)
    if under:
        return highest_rank(under)
    return highest_rank(over) if m.last else lowest_rank(over)
