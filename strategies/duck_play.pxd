"""How ``duck.v1`` plays to a trick. The rules in words stand in ``duck.pyx``.

Nothing here knows a contract by name: what it does follows from the signs of the
points and from what scores (tricks, cards, certain tricks). Two copies of a card are
one card to it; of two equal ones the later wins, so a copy does not go under.
"""

from libc.stdint cimport uint32_t, uint64_t

from engine_ext.cards cimport count, highest_rank, lane_of, lowest_bit, lowest_rank, pack_t
from engine_ext.policy cimport (
    MAX_SLOTS, SLOT_CARDS, SLOT_TRICKS, cardset_t, contract_t, view_t,
)


# What the play needs to know of a contract, worked out once a deal.
cdef struct line_t:
    const contract_t* contract      # NULL: none yet in this game
    bint take                       # nothing costs points: take what one can
    bint guard                      # only cards cost points
    pack_t penalty                  # cards that cost points
    pack_t spare                    # penalty cards kept back when the trick must be taken
    pack_t cover                    # cards above the one penalty card, in its suit
    uint64_t counting               # bit t: trick t costs points, or any trick may
    int n_groups                    # sets of penalty cards, the dearest first
    pack_t group[8]


cdef inline pack_t both(cardset_t cards) noexcept nogil:
    """First and second copies as one set."""
    return cards.w[0] | cards.w[1]


cdef inline void read_contract(line_t* line, const contract_t* c) noexcept nogil:
    """Work out from the contract's numbers how it is played."""
    cdef int k, slot
    cdef uint32_t suits = 0
    cdef bint per_trick = False
    cdef uint64_t tricks = 0
    line.contract = c
    line.take = True
    line.penalty = 0
    line.n_groups = 0
    for slot in range(c.n_slots):
        if c.slot_points[slot] < 0:
            line.take = False
            if c.slot_kind[slot] == SLOT_TRICKS:
                per_trick = True
            elif c.slot_kind[slot] != SLOT_CARDS:
                tricks |= c.slot_tricks[slot]
    for k in range(c.n_card_slots):
        slot = c.card_slots[k]
        if c.slot_points[slot] < 0:
            line.group[line.n_groups] = both(c.slot_cards[slot])
            line.penalty |= line.group[line.n_groups]
            line.n_groups += 1
    line.guard = line.n_groups > 0 and not per_trick and tricks == 0
    # Only where nothing else costs points does it matter which trick this is.
    line.counting = tricks if tricks and not per_trick and line.n_groups == 0 else ~<uint64_t>0
    for k in range(4):
        suits += ((line.penalty >> (16 * k)) & 0xffff) != 0
    line.spare = line.penalty if line.guard and suits > 1 else 0
    line.cover = 0
    if line.guard and count(line.penalty) == 1:
        line.cover = lane_of(line.penalty) & ~(line.penalty | (line.penalty - 1))


cdef inline pack_t take(pack_t legal, const view_t* view) noexcept nogil:
    """Every trick is worth having: the trumps line."""
    cdef pack_t best = both(view.best), trump = both(view.trump_cards), over
    if view.n_trick == 0:
        return highest_rank(legal)
    if best & trump:
        over = legal & trump & (0 - best)
    else:
        over = legal & ((both(view.led) & (0 - best)) | trump)
    if over == 0:
        return lowest_rank(legal)
    return lowest_rank(over) if view.n_trick + 1 == view.variant.seats else highest_rank(over)


cdef inline pack_t discard(const line_t* line, pack_t legal) noexcept nogil:
    """Void: the dearest penalty card, what stands above it, else the highest card."""
    cdef int k
    for k in range(line.n_groups):
        if legal & line.group[k]:
            return highest_rank(legal & line.group[k])
    return highest_rank(legal & line.cover if legal & line.cover else legal)


cdef inline pack_t duck(const line_t* line, pack_t legal, pack_t under,
                        const view_t* view) noexcept nogil:
    """In the suit of the trick: stay under the best card, or get rid of a high one."""
    cdef bint last = view.n_trick + 1 == view.variant.seats
    cdef pack_t safe
    if line.guard:
        safe = legal & ~line.penalty
        if last and safe and not both(view.trick) & line.penalty:
            return highest_rank(safe)
        if under & line.penalty:
            return highest_rank(under & line.penalty)
    if under:
        return highest_rank(under)
    safe = legal & ~line.spare
    if safe:
        legal = safe
    return highest_rank(legal) if last else lowest_rank(legal)


cdef inline pack_t trick_card(const line_t* line, const view_t* view) noexcept nogil:
    """The card that duck.v1 plays."""
    cdef pack_t legal = both(view.legal), best, suit
    cdef uint64_t ahead
    if line.take:
        return take(legal, view)
    ahead = line.counting >> view.n_tricks
    if view.n_trick == 0:
        # A trick that counts is this one or one of the next two.
        return lowest_rank(legal) if ahead & 7 else highest_rank(legal)
    suit = legal & both(view.led)
    if suit == 0:
        suit = legal & both(view.trump_cards)
        if suit != legal or suit == 0:
            return discard(line, legal & ~suit)
    if not ahead & 1:
        return highest_rank(legal)
    best = both(view.best)
    if best & lane_of(lowest_bit(suit)):
        return duck(line, legal, suit & (best - 1), view)
    # Another suit is winning: over it with a trump, safe under a trump of others.
    return duck(line, legal, suit & both(view.led), view)
