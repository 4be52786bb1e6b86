# Playouts: the deal that a seat sees, its hidden hands filled in, played to its end by policies.
# Included by the modules that search.
#
# A playout begins at the question the seat was asked, with its answer, and ends with points. The
# table is set up once for a question; every playout restores what the one before has changed.


# The table of playouts, and what it is restored from.
cdef struct playout_t:
    table_t table
    view_t seen                 # as it stood when the seat was asked
    duties_t duties
    pack_t captured[10]         # before the trick in progress
    uint8_t tricks_won[10]
    int winning                 # seat whose card is best in the trick so far
    int passes                  # layout: in a row
    bint again                  # layout: the seat has a further turn
    bint bets                   # somebody has doubled
    bint draws                  # the policy takes random numbers, or does not say
    uint64_t lot                # which: the same for every answer in one world


cdef void count_taken(playout_t* p) noexcept nogil:
    """Who has taken what, and whose card is the best on the table. Cards taken before a position
    that was set up are not in its moves: they are as good as taken by nobody."""
    cdef view_t* v = &p.seen
    cdef int n = v.variant.seats, trick, k, owner, move = 0
    memset(p.captured, 0, sizeof(p.captured))
    memset(p.tricks_won, 0, sizeof(p.tricks_won))
    for trick in range(v.n_tricks):
        owner = v.leaders[trick + 1]
        p.tricks_won[owner] += 1
        for k in range(n):
            if v.moves[move] < 128:
                p.captured[owner] |= card_bit(v.moves[move])
            move += 1
    p.winning = v.trick_leader
    for k in range(v.n_trick):
        if card_bit(v.moves[move + k]) == cards_of(v.best):
            p.winning = (v.trick_leader + k) % n


cdef void read_layout(playout_t* p) noexcept nogil:
    """How often in a row nobody laid, and whether the last card gives a further turn."""
    cdef view_t* v = &p.seen
    cdef int last = v.n_moves - 1
    p.passes = 0
    while last >= 0 and v.moves[last] >= 128:
        p.passes += 1
        last -= 1
    p.again = p.passes == 0 and last >= 0 and v.movers[last] == v.seat \
        and (card_bit(v.moves[last]) & alike(cards_of(v.contract.replay))) != 0


cdef void set_table(playout_t* p, const view_t* view, policy_t* policy,
                    const stream_t* stream) noexcept nogil:
    """A table as ``view`` shows it, with ``policy`` in every seat."""
    cdef table_t* t = &p.table
    cdef int s, n = view.variant.seats
    memcpy(&p.seen, view, sizeof(view_t))
    memcpy(&t.view, view, sizeof(view_t))
    t.view.face_up = t.face_up
    t.variant = view.variant
    t.dealing = NULL
    t.seats = n
    t.further = False
    t.revoked = t.first_revoker = -1
    p.lot = 0
    p.bets = False
    for s in range(n):
        t.policies[s] = policy
        t.streams[s] = stream[0]
        t.streams[s].seat = <uint32_t>s
        p.bets |= view.doubled[s] != 0


cdef void set_up(playout_t* p, const view_t* view, policy_t* policy,
                 const stream_t* stream) noexcept nogil:
    """The table at a question of card or layout move."""
    set_table(p, view, policy, stream)
    if view.contract.kind == KIND_LAYOUT:
        read_layout(p)
        return
    count_taken(p)
    fetch_duties(&p.table, view.contract, &p.duties)


cdef void take_up(playout_t* p, const contract_t* c, int param) noexcept nogil:
    """The table before the first card of a contract, ``param`` its trump suit or start rank."""
    cdef view_t* v = &p.seen
    v.contract = c
    v.choices = 0
    v.trump = NO_SUIT
    v.start_rank = 0
    put(&v.trump_cards, 0)
    if c.kind == KIND_LAYOUT:
        v.start_rank = <uint8_t>param
    elif c.trump_mode != TRUMP_NONE:
        v.trump = <uint8_t>param
        put(&v.trump_cards, cards_of(v.variant.suit[param]))
    v.trick_leader = v.leader
    p.table.view.contract = c
    memset(p.captured, 0, sizeof(p.captured))
    memset(p.tricks_won, 0, sizeof(p.tricks_won))
    memcpy(&p.table.view.hand, &v.hand, <char*>&v.moves - <char*>&v.hand)
    fetch_duties(&p.table, c, &p.duties)


cdef inline void restore(playout_t* p, const pack_t* hands) noexcept nogil:
    """Back to the question, with these hands."""
    cdef table_t* t = &p.table
    cdef view_t* v = &t.view
    cdef view_t* seen = &p.seen
    cdef int s
    # All that play changes stands in these two stretches of the view, but for the lists of
    # moves, of which only what is counted is read.
    memcpy(&v.hand, &seen.hand, <char*>&seen.moves - <char*>&seen.hand)
    memcpy(&v.voids, &seen.voids, <char*>&seen.face_up - <char*>&seen.voids)
    memcpy(t.hand, hands, sizeof(t.hand))
    memcpy(t.captured, p.captured, sizeof(t.captured))
    memcpy(t.tricks_won, p.tricks_won, sizeof(t.tricks_won))
    memset(t.points, 0, sizeof(t.points))
    memset(t.side, 0, sizeof(t.side))
    memset(t.items, 0, sizeof(t.items))
    for s in range(t.seats):
        put(&t.face_up[s], p.captured[s] & cards_of(v.contract.face_up))
        if p.draws:
            t.streams[s].block = p.lot
            t.streams[s].decision = 0
            t.streams[s].group = -1
            t.streams[s].sliced = t.streams[s].extra_for = 0


cdef int play_on_four_bare(table_t* t, const duties_t* d) noexcept nogil:
    return play_tricks_of(t, d, 4, True)


cdef int play_on_four(table_t* t, const duties_t* d) noexcept nogil:
    return play_tricks_of(t, d, 4, False)


cdef int play_on_many(table_t* t, const duties_t* d) noexcept nogil:
    return play_tricks_of(t, d, t.seats, False)


cdef int play_on_by_all_rules(table_t* t) noexcept nogil:
    return play_any_tricks(t)


cdef inline int play_on(playout_t* p) noexcept nogil:
    """The tricks from ``n_tricks`` on. 0, or 1 when told to stop."""
    cdef table_t* t = &p.table
    if not t.view.contract.plain:
        return play_on_by_all_rules(t)
    if t.seats != 4:
        return play_on_many(t, &p.duties)
    return play_on_four_bare(t, &p.duties) if p.duties.bare else play_on_four(t, &p.duties)


cdef int end_trick(playout_t* p, pack_t card) noexcept nogil:
    """The seat's card, then those of the rest of the trick; 0 where the deal goes on, 1 at its
    end."""
    cdef table_t* t = &p.table
    cdef view_t* v = &t.view
    cdef const contract_t* c = v.contract
    cdef trick_t trick
    cdef pack_t legal
    cdef int seat = v.seat, k = v.n_trick, winner, origin = role_origin(v)
    if k == 0:
        begin_trick(v, v.n_tricks, seat)
        take_lead(v, &trick, &t.hand[seat], as_owner(seat), card)
    else:
        trick_so_far(v, &trick)
        trick.winner = as_owner(p.winning)
        take_follow(v, &p.duties, &trick, seat, &t.hand[seat], as_owner(seat), card, card, False)
    for k in range(k + 1, t.seats):
        seat = next_seat(seat, t.seats)
        if c.plain:
            legal = show_follow(v, &p.duties, who_is(seat, origin, t.seats), k, t.hand[seat],
                                trick.led, False)
        else:
            legal = show_any_follow(t, &p.duties, who_is(seat, origin, t.seats), seat, k, trick.led)
        card = ask_any_card(t, seat, legal)
        take_follow(v, &p.duties, &trick, seat, &t.hand[seat], as_owner(seat), card, card, False)
    winner = owner_of(&trick)
    v.trick_leader = <uint8_t>winner
    if take_trick(t, c, last_cards(c), v.n_tricks, winner) or v.n_tricks == t.variant.hand_size:
        end_tricks(v, winner)
        return 1
    return 0


cdef int lay_rest(table_t* t, layout_t* at) noexcept nogil:
    """The layout from where it stands to its points. 0, or 1 when told to stop."""
    cdef policy_t* policy
    while show_layout(t, at):
        if t.view.stop[0]:
            return 1
        policy = t.policies[at.seat]
        take_layout(t, at, policy.lay(policy.lay_state, &t.view, &t.streams[at.seat]))
    end_layout(t, at)
    score_layout(t)
    return 0


cdef int lay_out(playout_t* p, cardset_t move) noexcept nogil:
    """The seat's move of the layout, then the rest of it. 0, or 1 when told to stop."""
    cdef table_t* t = &p.table
    cdef layout_t at
    cdef int s
    t.passes = p.passes
    for s in range(t.seats):
        t.passed[s] = t.view.passed[s]
    t.view.trick_leader = t.view.seat
    begin_layout(t, &at)
    t.view.trick_leader = p.seen.trick_leader
    at.again = p.again                         # forced or not, the move is one of those shown
    take_layout(t, &at, move)
    return lay_rest(t, &at)


cdef inline void pay_bets(table_t* t) noexcept nogil:
    """Pair by pair; what duty costs is not at stake in the play."""
    cdef view_t* v = &t.view
    cdef int i, j, bets
    cdef int32_t payment
    for i in range(1, t.seats):
        for j in range(i):
            bets = ((v.doubled[i] >> j) & 1) + ((v.doubled[j] >> i) & 1)
            payment = bets * (t.points[i] - t.points[j])
            t.side[i] += payment
            t.side[j] -= payment


cdef inline int32_t ahead(const table_t* t, int seat) noexcept nogil:
    """Points of a seat less the others' mean, times all seats but one; side bets included."""
    cdef int s
    cdef int32_t sum = 0
    for s in range(t.seats):
        sum += t.points[s] + t.side[s]
    return t.seats * (t.points[seat] + t.side[seat]) - sum


cdef int play_world(playout_t* p, const pack_t* hands, cardset_t move, int32_t* worth) noexcept nogil:
    """Play the answer ``move`` and the rest of the deal with these hands: how far the seat is
    ``ahead``. 0, or 1 when told to stop."""
    cdef table_t* t = &p.table
    cdef int seat = p.seen.seat
    restore(p, hands)
    if t.view.contract.kind == KIND_LAYOUT:
        if lay_out(p, move):
            return 1
    else:
        if end_trick(p, cards_of(move)) == 0 and play_on(p):
            return 1
        score_tricks(t)
    if p.bets:
        pay_bets(t)
    worth[0] = ahead(t, seat)
    return 0


cdef int play_deal_out(playout_t* p, const pack_t* hands) noexcept nogil:
    """Play the contract taken up from its first card to its points, without bets. 0, or 1 when
    told to stop."""
    cdef table_t* t = &p.table
    cdef layout_t at
    restore(p, hands)
    if t.view.contract.kind == KIND_LAYOUT:
        t.view.n_moves = 0
        t.passes = 0
        memset(t.passed, 0, sizeof(t.passed))
        begin_layout(t, &at)
        return lay_rest(t, &at)
    if play_on(p):
        return 1
    score_tricks(t)
    return 0
