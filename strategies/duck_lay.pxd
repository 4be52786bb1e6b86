"""How ``duck.v1`` lays a card of a layout. The rules in words stand in ``duck.pyx``."""

from engine_ext.cards cimport (
    count, highest_number, lowest_bit, lowest_number, lowest_rank, pack_t,
)
from engine_ext.policy cimport view_t
from strategies.duck_play cimport both


cdef inline int reach_up(pack_t lane, int rank) noexcept nogil:
    """How far above ``rank`` the furthest card of the lane lies; 0 if none does."""
    return highest_number(lane) - rank if lane >> rank >> 1 else 0


cdef inline int reach_down(pack_t lane, int rank) noexcept nogil:
    """How far below ``rank`` the furthest card of the lane lies; 0 if none does."""
    return rank - lowest_number(lane) if lane & (((<pack_t>1) << rank) - 1) else 0


cdef inline pack_t layout_card(const view_t* view) noexcept nogil:
    """The card that duck.v1 lays."""
    cdef pack_t hand = both(view.hand), legal = both(view.legal), rest = legal
    cdef pack_t replay = legal & both(view.contract.replay), card, lane, chosen = 0
    cdef int start = view.start_rank, top = view.variant.n_ranks - 1
    cdef int rank, best = -1000, up, down, worth
    if replay and replay != legal:
        return lowest_bit(replay)               # another card goes with it
    while rest:
        card = lowest_bit(rest)
        rest ^= card
        rank = lowest_number(card)
        lane = (hand >> (rank & 48)) & 0xffff
        rank &= 15
        up = reach_up(lane, rank) if rank >= start else 0
        down = reach_down(lane, rank) if rank <= start else 0
        worth = up if up > down else down
        if worth > best:
            best = worth
            chosen = card
    return chosen
