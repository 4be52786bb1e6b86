"""What the turns of a layout show of hidden hands: by passes, further turns that were not taken,
and cards taken back.

A layout is gone through from its end to its beginning, so that what a seat laid later, which
it held all the time, is known at each turn.
"""

from engine_ext.cards cimport (
    TWO_PACKS, alike, card_bit, cards_of, of_rank, pack_t,
)
from engine_ext.layout cimport playable
from engine_ext.policy cimport COPIES_PARALLEL, COPIES_SHARED, PASS, contract_t, view_t
from engine_ext.shown_facts cimport EVERY_SEAT, MAX_SOME, add_some, shown_t


cdef enum:
    NO_CARD_LAID = 128          # moves from here on: PASS, or a card taken back


# The layout before a move.
cdef struct rewound_t:
    const view_t* v
    pack_t laid
    pack_t fits                 # what could be laid on that
    pack_t had[EVERY_SEAT]      # by seat: cards it is known to have held then
    int left[EVERY_SEAT]        # cards in each hand
    int n_in                    # seats that had any
    int passes[EVERY_SEAT]      # looked at so far, of those that may have been its own will


cdef inline void find_fits(rewound_t* b) noexcept nogil:
    cdef const view_t* v = b.v
    b.fits = playable(b.laid, of_rank(v.start_rank), cards_of(v.variant.deck),
                      v.contract.copies if TWO_PACKS else COPIES_SHARED,
                      v.contract.missing_stalls)


cdef inline void start_at_end(const shown_t* s, const view_t* v, rewound_t* b) noexcept nogil:
    cdef int seat
    b.v = v
    b.laid = cards_of(v.played)
    b.n_in = 0
    for seat in range(s.seats):
        b.had[seat] = s.holds[seat]
        b.left[seat] = s.left[seat]
        b.n_in += s.left[seat] != 0
        b.passes[seat] = 0
    find_fits(b)


cdef inline void take_up(rewound_t* b, int i) noexcept nogil:
    """Before move ``i``, a card that was laid."""
    cdef int seat = b.v.movers[i]
    cdef pack_t card = card_bit(b.v.moves[i])
    b.laid ^= card
    b.had[seat] |= card
    b.n_in += b.left[seat] == 0
    b.left[seat] += 1
    find_fits(b)


cdef inline bint full_circle(const rewound_t* b, int i) noexcept nogil:
    """Whether everybody who was in had passed before move ``i``. Passes from before a position
    that was set up are not seen: that may say too little, never too much."""
    cdef int first = i
    while first and b.v.moves[first - 1] >= NO_CARD_LAID:
        first -= 1
    return i - first >= b.n_in


cdef inline bint is_own_will(const rewound_t* b, int i) noexcept nogil:
    """Whether pass number ``i`` may have been the seat's own will."""
    cdef const contract_t* c = b.v.contract
    return c.may_pass and not (c.stall_forces and full_circle(b, i))


cdef inline void note_shown_cards(shown_t* s, const view_t* v) noexcept nogil:
    """Cards taken back are in the hand that showed them until it lays them."""
    cdef rewound_t b
    cdef pack_t cards
    cdef int i = v.n_moves, seat
    start_at_end(s, v, &b)
    while i:
        i -= 1
        seat = v.movers[i]
        if v.moves[i] < NO_CARD_LAID:
            b.had[seat] |= card_bit(v.moves[i])
        elif v.moves[i] != PASS and seat != s.viewer:
            cards = alike(card_bit(v.moves[i] & 63))
            if not cards & b.had[seat]:
                cards &= s.unseen
                if cards & (cards - 1):        # which of the two is not seen
                    add_some(s, seat, cards)
                else:
                    s.holds[seat] |= cards


cdef inline void count_own_will(const shown_t* s, const view_t* v, int* own) noexcept nogil:
    """By seat: passes although it could have laid a card, as is known by now."""
    cdef rewound_t b
    cdef int i = v.n_moves, seat
    start_at_end(s, v, &b)
    for seat in range(s.seats):
        own[seat] = 0
    while i:
        i -= 1
        if v.moves[i] < NO_CARD_LAID:
            take_up(&b, i)
        elif v.moves[i] == PASS and b.fits & b.had[v.movers[i]]:
            own[v.movers[i]] += 1


cdef inline void limit_pass(shown_t* s, rewound_t* b, int seat, int spare) noexcept nogil:
    """One more pass that only the hidden cards tell: was it own will? ``spare``: so many may
    have been."""
    if b.v.contract.copies != COPIES_PARALLEL or not TWO_PACKS:
        # What fits goes on fitting until it is laid. So who could lay a hidden card could in
        # all passes after, and the earlier ones are those that were forced upon it.
        b.passes[seat] += 1
        if b.passes[seat] > spare:
            s.lacks[seat] |= b.fits
    elif s.n_passes < MAX_SOME:
        s.passes[s.n_passes].seat = seat
        s.passes[s.n_passes].cards = b.fits & s.unseen
        s.n_passes += 1
        s.spare[seat] = spare


cdef inline void shown_by_pass(shown_t* s, rewound_t* b, int i, const int* own) noexcept nogil:
    cdef const contract_t* c = b.v.contract
    cdef int seat = b.v.movers[i]
    if not is_own_will(b, i):
        s.lacks[seat] |= b.fits
    elif c.passes and not b.fits & b.had[seat] and b.fits & s.unseen:
        limit_pass(s, b, seat, c.passes - own[seat])


cdef inline void shown_by_replay(shown_t* s, const rewound_t* b, int i) noexcept nogil:
    """Before move ``i``: whether the card before gave a further turn that went by, although it
    may not be declined. Who can lay no card is not asked."""
    cdef const view_t* v = b.v
    cdef int seat = v.movers[i - 1]
    if v.moves[i - 1] >= NO_CARD_LAID or seat == s.viewer or b.left[seat] == 0 or \
            not card_bit(v.moves[i - 1]) & cards_of(v.contract.replay):
        return
    if i == v.n_moves or v.movers[i] != seat or v.moves[i] == PASS:
        s.lacks[seat] |= b.fits


cdef inline void read_layout(shown_t* s, const view_t* v) noexcept nogil:
    """All that the turns so far show."""
    cdef const contract_t* c = v.contract
    cdef rewound_t b
    cdef int own[EVERY_SEAT]
    cdef int i = v.n_moves
    if c.lose_turn:
        note_shown_cards(s, v)
    if c.passes:
        count_own_will(s, v, own)
    start_at_end(s, v, &b)
    while i:
        if c.replay_must:
            shown_by_replay(s, &b, i)
        i -= 1
        if v.moves[i] < NO_CARD_LAID:
            take_up(&b, i)
        elif v.movers[i] == s.viewer:
            pass
        elif v.moves[i] == PASS:
            shown_by_pass(s, &b, i, own)
        elif not b.fits & b.had[v.movers[i]]:
            # Only who can lay a card is asked for one, and can take back another.
            add_some(s, v.movers[i], b.fits & s.unseen)
