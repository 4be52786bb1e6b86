"""How ``duck.v1`` lays a card of a layout. The rules in words stand in ``duck.pyx``."""

from engine_ext.cards cimport count, highest_number, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport view_t
from strategies.duck_play cimport both


cdef inline pack_t layout_card(const view_t* view) noexcept nogil:
    """The card that duck.v1 lays: twice the distance to its own furthest card beyond,
    less the cards of others beyond, is the most."""
    cdef pack_t hand = both(view.hand), rest = both(view.legal), card, chosen = 0, up, down
    cdef int top = view.variant.n_ranks - 1, start = view.start_rank
    cdef int rank, suit, reach, others, worth, best = 0
    while rest:
        card = lowest_bit(rest)
        rest ^= card
        suit = lowest_number(card) & 48
        rank = lowest_number(card) & 15
        up = ((hand >> suit) & 0xffff) >> rank >> 1
        down = (hand >> suit) & ((<pack_t>1 << rank) - 1)
        reach = others = 0
        if rank >= start:                       # it opens the way up
            others = top - rank - count(up)
            if up:
                reach = highest_number(up) + 1
        if rank <= start:                       # and the start card both ways
            others += rank - count(down)
            if down and rank - lowest_number(down) > reach:
                reach = rank - lowest_number(down)
        worth = 2 * reach - others
        if chosen == 0 or worth > best:
            best = worth
            chosen = card
    return chosen
