"""How ``duck.v1`` lays a card of a layout. The rules in words stand in ``duck.pyx``.

Written without jumps on what cannot be foreseen, as the engine's tricks are.
"""

from engine_ext.cards cimport count, highest_number, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport view_t
from strategies.duck_play cimport both


cdef inline int layout_worth(pack_t lane, int rank, int start, int top) noexcept nogil:
    """Twice the distance to the own card furthest beyond, less others' cards beyond."""
    cdef pack_t up = lane >> rank >> 1, down = lane & ((<pack_t>1 << rank) - 1)
    cdef int opens_up = -<int>(rank >= start), opens_down = -<int>(rank <= start)
    cdef int above = highest_number(up << 1 | 1) & opens_up
    cdef int below = (rank - lowest_number(down | <pack_t>1 << rank)) & opens_down
    cdef int others = (top - rank - count(up)) & opens_up
    others += (rank - count(down)) & opens_down
    return 2 * (above if above > below else below) - others


cdef inline pack_t layout_card(const view_t* view) noexcept nogil:
    """The card that duck.v1 lays: the one worth most, the first of equals."""
    cdef pack_t hand = both(view.hand), rest = both(view.legal), card, chosen = 0
    cdef int top = view.variant.n_ranks - 1, start = view.start_rank
    cdef int number, worth, best = -1000
    if rest & (rest - 1) == 0:
        return rest
    while rest:
        card = lowest_bit(rest)
        rest ^= card
        number = lowest_number(card)
        worth = layout_worth((hand >> (number & 48)) & 0xffff, number & 15, start, top)
        if worth > best:
            best = worth
            chosen = card
    return chosen
