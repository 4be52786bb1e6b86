"""Layout contracts (domino): what fits, who moves, who may pass, who is out."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from engine_ext.cards cimport (
    LIKELY, TWO_PACKS, add_to, alike, beyond_pack, cards_of, check, count, lowest_number,
    lowest_rank, meant, of_rank, pack_t, pairs, put,
)
from engine_ext.policy cimport (
    COPIES_PARALLEL, COPIES_SHARED, COPIES_STACK, MAX_MOVES, PASS, SLOT_PLACE, cardset_t,
    contract_t, policy_t, stream_t, view_t,
)
from engine_ext.table cimport note_foul, show_hand, table_t


cdef enum:
    ANSWER_PASS = 0      # said pass, or turned a replay down
    ANSWER_LAID = 1
    ANSWER_TAKEN_BACK = 2


cdef inline pack_t beside(pack_t cards) noexcept nogil:
    """The neighbours in rank, same suit."""
    # A lane's top bit is no card, so they never reach into the next suit.
    return cards << 1 | cards >> 1


cdef inline pack_t playable(pack_t laid, pack_t start, pack_t deck, int copies,
                            bint closed) noexcept nogil:
    """Cards that fit: of the start rank, or next to a card laid (document 000 A20). Of cards
    alike all fit or none (dossier 2.16); ``copies`` says where they lie."""
    # A start card that is not in the deck counts as laid, or its suit stays closed (dossier
    # 2.15).
    cdef pack_t unseen = start if not closed else 0
    cdef pack_t there = alike(laid) | (unseen & ~alike(deck)), lone, fits
    if copies == COPIES_PARALLEL:
        # The second row of a suit, without the start card if there is only one of it. No row
        # is longer than the one before, but for a start that is not there.
        lone = unseen & ~pairs(deck)
        fits = beside(there | lone) & ~alike(laid)
        there = pairs(laid) | (unseen & ~alike(deck)) | (lone & alike(laid))
        return (start | fits | (beside(there) & ~pairs(laid))) & deck & ~laid
    if copies == COPIES_STACK:
        there &= ~alike(deck & ~laid)
    return (start | beside(there)) & deck & ~laid


cdef inline void note_move(view_t* v, int seat, int move) noexcept nogil:
    check(v.n_moves < MAX_MOVES)
    v.moves[v.n_moves] = <uint8_t>move
    v.movers[v.n_moves] = <uint8_t>seat
    v.n_moves += 1


# How far a layout is, beside the view.
cdef struct layout_t:
    int seat                     # who moves, or was last
    int n_out
    int last_out                 # the layout ends with so many out
    bint again                   # the seat has laid a card that gives it a further turn
    bint forced                  # a full circle has passed: a card must come


cdef inline int judge_layout(table_t* t, const layout_t* at, cardset_t answer,
                             pack_t* card) noexcept nogil:
    """What an answer to a layout's question comes to: an ANSWER_; ``card`` if one was shown."""
    cdef const view_t* v = &t.view
    card[0] = meant(cards_of(answer), t.hand[at.seat])
    t.streams[at.seat].decision += 1
    # Several cards at once, or a second copy where there is none, are no answer.
    cdef pack_t too_many = (card[0] & (card[0] - 1)) | beyond_pack(answer)
    if LIKELY(too_many == 0):
        if LIKELY(card[0] & cards_of(v.legal)):
            return ANSWER_LAID
        if card[0] == 0 and v.may_pass:
            return ANSWER_PASS
        # Document 000 A23: warned, taken back, the turn is lost.
        if v.contract.lose_turn and not at.forced and card[0] & t.hand[at.seat]:
            return ANSWER_TAKEN_BACK
    note_foul(t, at.seat)
    card[0] = lowest_rank(cards_of(v.legal))
    return ANSWER_LAID


cdef inline void go_out(table_t* t, layout_t* at, int seat) noexcept nogil:
    at.n_out += 1
    t.view.places[seat] = <uint8_t>at.n_out


cdef inline void begin_layout(const table_t* t, layout_t* at) noexcept nogil:
    """From what lies and who is out, ``v.trick_leader`` to move."""
    cdef int seat
    at.seat = t.view.trick_leader
    at.last_out = t.seats if t.view.contract.all_out else t.seats - 1
    at.again = t.further
    at.forced = False
    at.n_out = 0
    for seat in range(t.seats):
        at.n_out += t.view.places[seat] != 0


cdef inline void show_passed(table_t* t, int seat) noexcept nogil:
    """Show a seat how often it passed of its own will, and nothing of the others: to the table
    their passes all look alike."""
    cdef int s
    if t.view.contract.may_pass:           # else nobody ever does, and none is shown
        for s in range(t.seats):
            t.view.passed[s] = t.passed[s] if s == seat else 0


cdef inline bint may_pass_now(const table_t* t, const layout_t* at) noexcept nogil:
    """Whether the seat to move, that can lay a card, may leave it."""
    cdef const contract_t* c = t.view.contract
    if at.again:
        return not c.replay_must            # dossier 2.24
    if not c.may_pass or at.forced:
        return False
    return not c.passes or t.passed[at.seat] < c.passes    # dossier 2.13


cdef inline void next_mover(const table_t* t, layout_t* at) noexcept nogil:
    at.again = False
    at.seat = at.seat + 1 if at.seat + 1 < t.seats else 0


cdef inline bint show_layout(table_t* t, layout_t* at) noexcept nogil:
    """Pass for those who cannot lay a card; show the first who can what it may lay. False
    when the layout is over."""
    cdef view_t* v = &t.view
    cdef const contract_t* c = v.contract
    cdef pack_t deck = cards_of(t.variant.deck)
    cdef pack_t fits = playable(cards_of(v.played), of_rank(v.start_rank), deck,
                                c.copies if TWO_PACKS else COPIES_SHARED, c.missing_stalls)
    cdef pack_t legal
    while at.n_out < at.last_out:
        if not v.places[at.seat]:
            if c.stall_freezes and t.passes >= t.seats - at.n_out:
                return False
            legal = fits & t.hand[at.seat]
            if legal:
                # Dossier 2.14: after a full circle of passes a card must come.
                at.forced = c.stall_forces and t.passes >= t.seats - at.n_out
                show_hand(t, at.seat)
                put(&v.legal, legal)
                v.may_pass = may_pass_now(t, at)
                show_passed(t, at.seat)
                return True
            if not at.again:
                note_move(v, at.seat, PASS)
                t.passes += 1
        next_mover(t, at)
    return False


cdef inline void take_layout(table_t* t, layout_t* at, cardset_t answer) noexcept nogil:
    """The answer to what :func:`show_layout` showed."""
    cdef view_t* v = &t.view
    cdef pack_t card
    cdef int verdict = judge_layout(t, at, answer, &card)
    if verdict == ANSWER_LAID:
        note_move(v, at.seat, lowest_number(card))
        t.passes = 0
        add_to(&v.played, card)
        t.hand[at.seat] ^= card
        v.n_cards[at.seat] -= 1
        if t.hand[at.seat] == 0:
            go_out(t, at, at.seat)
        elif card & cards_of(v.contract.replay):
            at.again = True      # document 003 C8: an ace may be followed by another card
            return
    elif verdict == ANSWER_TAKEN_BACK:
        note_move(v, at.seat, (lowest_number(card) & 63) | 128)    # cards alike: the first
        t.passes += 1
    elif not at.again:
        note_move(v, at.seat, PASS)
        t.passes += 1
        t.passed[at.seat] += 1
    next_mover(t, at)


cdef inline void end_layout(table_t* t, layout_t* at) noexcept nogil:
    """Who still holds cards is out now: fewest cards first, equal ones in the order in which
    they would have moved (dossier 2.14, freeze; else there is but one)."""
    cdef view_t* v = &t.view
    cdef int k, seat, best
    while at.n_out < t.seats:
        while v.places[at.seat]:
            next_mover(t, at)
        best = seat = at.seat
        for k in range(1, t.seats):
            seat = seat + 1 if seat + 1 < t.seats else 0
            if not v.places[seat] and v.n_cards[seat] < v.n_cards[best]:
                best = seat
        go_out(t, at, best)


cdef inline int play_layout(table_t* t) noexcept nogil:
    """Play the layout from where it stands to its end. 0, or 1 when told to stop."""
    cdef layout_t at
    cdef policy_t* policy
    begin_layout(t, &at)
    while show_layout(t, &at):
        if t.view.stop[0]:
            return 1
        policy = t.policies[at.seat]
        take_layout(t, &at, policy.lay(policy.lay_state, &t.view, &t.streams[at.seat]))
    end_layout(t, &at)
    return 0


cdef inline void score_layout(table_t* t) noexcept nogil:
    """Points by finishing place; the place is the one item of a layout."""
    cdef int seat
    for seat in range(t.seats):
        t.items[seat] = t.view.places[seat]
        t.points[seat] = t.view.contract.payout[t.view.places[seat] - 1]
