"""How ``count.v1`` lays a card of a layout: every playable card gets a score."""

from libc.stdint cimport int32_t

from engine_ext.cards cimport count, highest_number, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport view_t
from strategies.count_rules cimport N_GROUPS, N_WEIGHTS, weights_t
from strategies.duck_play cimport both

# Features of a card, by their place among the weights of layouts. Those of a direction are
# added up over the directions that the card opens.
cdef enum:
    L_FAR = 0           # steps to the own card furthest beyond
    L_OWN = 1           # own cards beyond
    L_THEIRS = 2        # others' cards beyond
    L_NEXT_OWN = 3      # the next card is my own: nobody else can use the opening
    L_NEXT_THEIRS = 4   # somebody can lay the next card at once
    L_BEFORE = 5        # others' cards before my next one
    L_BEHIND = 6        # others' cards behind my last one
    L_ALIEN = 7         # others' cards where none of mine waits
    L_END = 8           # nothing is opened
    L_START = 9         # it opens a suit
    L_REPLAY = 10       # it gives a further turn
    L_LATE = 11         # others' cards where none of mine waits, when somebody is nearly out
    L_RUN = 12          # own cards that follow without a gap
    L_PASS = 13         # a pass, against the best card's score


cdef inline int lane_worth(const int32_t* w, pack_t lane, pack_t out, int rank, int start,
                           int nearest) noexcept nogil:
    """One card's score in its suit; ``lane`` own cards of it, ``out`` the others', from bit 0."""
    cdef pack_t mine, theirs, first
    cdef int score = 0, side, far, n
    for side in range(2):
        if side == 0:
            if rank < start:
                continue
            mine = lane >> rank >> 1
            theirs = out >> rank >> 1
        else:
            if rank > start:
                continue
            # Turned round, so that the next card is bit 0.
            mine = turned(lane) >> (16 - rank)
            theirs = turned(out) >> (16 - rank)
        if not mine | theirs:
            score += w[L_END]
            continue
        n = count(theirs)
        score += w[L_THEIRS] * n
        if not mine:
            score += w[L_ALIEN] * n + w[L_LATE] * n * nearest // 4
            score += w[L_NEXT_THEIRS]
            continue
        far = highest_number(mine)
        score += w[L_FAR] * (far + 1) + w[L_OWN] * count(mine)
        score += w[L_NEXT_OWN] if mine & 1 else w[L_NEXT_THEIRS] if theirs & 1 else 0
        first = mine & (0 - mine)
        score += w[L_BEFORE] * count(theirs & (first - 1))
        score += w[L_BEHIND] * count(theirs >> far)
        score += w[L_RUN] * lowest_number(~mine)
    if rank == start:
        score += w[L_START]
    return score


cdef inline pack_t turned(pack_t lane) noexcept nogil:
    """The 16 bits the other way round."""
    lane = (lane & 0x5555) << 1 | (lane >> 1) & 0x5555
    lane = (lane & 0x3333) << 2 | (lane >> 2) & 0x3333
    lane = (lane & 0x0f0f) << 4 | (lane >> 4) & 0x0f0f
    return (lane & 0x00ff) << 8 | lane >> 8


cdef inline pack_t lay_card(const weights_t* weights, const view_t* view) noexcept nogil:
    """The card of the highest score, the first of equals; 0 is a pass."""
    cdef const int32_t* w = weights.w + N_GROUPS * N_WEIGHTS
    cdef pack_t hand = both(view.hand), rest = both(view.legal), card, chosen = 0
    cdef pack_t out = both(view.variant.deck) & ~(both(view.played) | hand)
    cdef pack_t replay = both(view.contract.replay)
    cdef int seat, least = 16
    cdef int number, worth, shift, best = 0
    cdef bint slow = view.contract.payout[0] < view.contract.payout[view.variant.seats - 1]
    if rest & (rest - 1) == 0 and not view.may_pass:
        return rest
    for seat in range(view.variant.seats):
        if seat != view.seat and not view.places[seat] and view.n_cards[seat] < least:
            least = view.n_cards[seat]
    while rest:
        card = lowest_bit(rest)
        rest ^= card
        number = lowest_number(card)
        shift = number & 48
        worth = lane_worth(w, (hand >> shift) & 0xffff, (out >> shift) & 0xffff, number & 15,
                           view.start_rank, 16 - least)
        if card & replay:
            worth += w[L_REPLAY]
        if slow:
            worth = -worth
        if not chosen or worth > best:
            best = worth
            chosen = card
    # A further turn is always taken: only a turn of its own may be worth more unused.
    if view.may_pass and view.contract.may_pass and (slow or best < w[L_PASS]):
        return 0
    return chosen
