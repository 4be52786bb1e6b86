"""Layout contracts (domino): what fits, who moves, who may pass, who is out."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t

from engine_ext.cards cimport LIKELY, check, count, lowest_number, lowest_rank, pack_t
from engine_ext.policy cimport (
    MAX_MOVES, PASS, SLOT_PLACE, cardset_t, contract_t, policy_t, stream_t, view_t,
)
from engine_ext.table cimport note_foul, show_hand, table_t


cdef enum:
    ANSWER_PASS = 0      # said pass, or turned a replay down
    ANSWER_LAID = 1
    ANSWER_TAKEN_BACK = 2


cdef inline pack_t rank_set(int rank) noexcept nogil:
    """The cards of a rank in all suits, removed ones included."""
    return <pack_t>0x0001000100010001 << rank


cdef inline pack_t playable(pack_t laid, pack_t start, pack_t deck) noexcept nogil:
    """Cards that fit: of the start rank, or next to a card laid (document 000 A20)."""
    # A lane's top bit is no card, so neighbours never reach into the next suit. A start
    # card that is not in the deck counts as laid (dossier 2.15, virtual).
    cdef pack_t there = laid | (start & ~deck)
    return (start | there << 1 | there >> 1) & deck & ~laid


cdef inline void note_move(view_t* v, int seat, int move) noexcept nogil:
    check(v.n_moves < MAX_MOVES)
    v.moves[v.n_moves] = <uint8_t>move
    v.movers[v.n_moves] = <uint8_t>seat
    v.n_moves += 1


cdef inline int ask_layout(table_t* t, int seat, pack_t legal, bint may_pass,
                           bint lose_turn, pack_t* card) noexcept nogil:
    """One move of ``seat``, which can lay ``legal``: an ANSWER_; ``card`` if one was shown."""
    cdef policy_t* policy = t.policies[seat]
    cdef stream_t* stream = &t.streams[seat]
    cdef view_t* v = &t.view
    cdef cardset_t answer
    show_hand(t, seat)
    v.legal.w[0] = legal
    v.may_pass = may_pass
    answer = policy.lay(policy.lay_state, v, stream)
    stream.decision += 1
    card[0] = answer.w[0]
    if LIKELY(answer.w[1] == 0):
        if card[0] == 0 and may_pass:
            return ANSWER_PASS
        if card[0] & legal and (card[0] & (card[0] - 1)) == 0:
            return ANSWER_LAID
        # Document 000 A23: warned, taken back, the turn is lost.
        if lose_turn and card[0] & t.hand[seat] and (card[0] & (card[0] - 1)) == 0:
            return ANSWER_TAKEN_BACK
    note_foul(t, seat)
    card[0] = lowest_rank(legal)
    return ANSWER_LAID


cdef inline void go_out(table_t* t, int seat, int* n_out) noexcept nogil:
    n_out[0] += 1
    t.view.places[seat] = <uint8_t>n_out[0]


cdef inline int play_layout(table_t* t) noexcept nogil:
    """Play the layout from what lies and who is out, ``v.trick_leader`` to move, to its end.
    0, or 1 when told to stop."""
    cdef view_t* v = &t.view
    cdef const contract_t* c = v.contract
    cdef pack_t deck = t.variant.deck.w[0]
    cdef pack_t start = rank_set(v.start_rank)
    cdef pack_t laid = v.played.w[0], legal, card
    cdef int seats = t.seats, seat, n_out = 0, passes = t.passes, answer
    cdef int last_out = seats if c.all_out else seats - 1
    cdef bint forced, again

    for seat in range(seats):
        n_out += v.places[seat] != 0
    seat = v.trick_leader
    while n_out < last_out:
        if v.stop[0]:
            return 1
        if v.places[seat]:
            seat = seat + 1 if seat + 1 < seats else 0
            continue
        again = False
        while True:
            legal = playable(laid, start, deck) & t.hand[seat]
            if legal == 0:
                if not again:
                    note_move(v, seat, PASS)
                    passes += 1
                break
            # Dossier 2.14: after a full circle of passes a card must come.
            forced = c.stall_forces and passes >= seats - n_out
            answer = ask_layout(t, seat, legal, again or (c.may_pass and not forced),
                                c.lose_turn and not forced, &card)
            if answer != ANSWER_LAID:
                if answer == ANSWER_TAKEN_BACK:
                    note_move(v, seat, lowest_number(card) | 128)
                    passes += 1
                elif not again:
                    note_move(v, seat, PASS)
                    passes += 1
                break
            note_move(v, seat, lowest_number(card))
            passes = 0
            laid |= card
            v.played.w[0] = laid
            t.hand[seat] ^= card
            v.n_cards[seat] -= 1
            if t.hand[seat] == 0:
                go_out(t, seat, &n_out)
                break
            # Document 003 C8: an ace may be followed by another card.
            if not card & c.replay.w[0]:
                break
            again = True
        seat = seat + 1 if seat + 1 < seats else 0

    for seat in range(seats):
        if not v.places[seat]:
            go_out(t, seat, &n_out)
    return 0


cdef inline void score_layout(table_t* t) noexcept nogil:
    """Points by finishing place; the place is the one item of a layout."""
    cdef int seat
    for seat in range(t.seats):
        t.items[seat] = t.view.places[seat]
        t.points[seat] = t.view.contract.payout[t.view.places[seat] - 1]
