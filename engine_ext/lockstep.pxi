# Many tables in step: each is played until a batched strategy has to answer, and waits; a
# whole queue of them is asked at once. What is shown and what an answer does is the
# ordinary loop's (tricks.pxd, layout.pxd, doubling.pxd, game.pxd). Part of kernel.pyx.


cdef extern from *:
    """
    #include <stdlib.h>
    #include <string.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    /* Memory for all tables, empty, in large pages where there are any: a step looks at three
     * places of each table, and thousands of small pages would each have to be looked up. */
    static char *set_tables(size_t bytes) {
        const size_t page = (size_t)1 << 21;
        void *found = NULL;
        bytes = (bytes + page - 1) / page * page;
        if (posix_memalign(&found, page, bytes)) return NULL;
    #if defined(MADV_HUGEPAGE)
        madvise(found, bytes, MADV_HUGEPAGE);
    #endif
        memset(found, 0, bytes);
        return (char *)found;
    }
    """
    char* set_tables(size_t n_bytes) noexcept nogil


cdef enum:
    ASK_CHOOSE = 0            # in the order of pypolicy.QUESTIONS
    ASK_DOUBLE = 1
    ASK_REDOUBLE = 2
    ASK_PLAY = 3
    ASK_LAY = 4
    N_QUESTIONS = 5
    NOTHING = 5               # no game at this table
    NO_QUEUE = -1


# What the machine keeps of a table beside it. All these together stay in the cache.
cdef struct desk_t:
    Py_ssize_t game
    layout_t layout
    uint8_t question          # that the view shows
    uint8_t speaker           # who speaks k-th is being asked for doubles
    uint8_t opening           # the next game is being seated
    uint8_t free              # the game before it is over
    uint8_t player[16]        # strategy by seat


cdef struct lockstep_t:
    const variant_t* variant
    const dealing_t* dealing
    uint64_t key[2]
    const volatile int* stop
    # tables
    int n_tables
    size_t stride
    char* tables
    desk_t* desks
    # strategies
    policy_t* policies[256]
    int queue_of[1280]        # [strategy * N_QUESTIONS + question], NO_QUEUE: answers at once
    # queues of tables that wait
    int n_queues
    int* n_waiting
    int32_t* waiting          # [queue * n_tables ...]
    int32_t* asked            # the tables that are being asked
    # games, or single deals where contracts are given
    Py_ssize_t next_game, n_games
    uint8_t* whole            # by game: finished
    const uint64_t* blocks
    const uint32_t* replicates
    const uint8_t* seating
    const uint8_t* turns
    fixed_t fixed             # no deals: all are dealt
    games_t games
    uint64_t first_block
    const uint8_t* contracts
    int n_contracts
    uint16_t* single_fouls
    trials_t* trials          # NULL: games, or single deals
    rows_t rows


cdef inline table_t* table_at(const lockstep_t* m, int i) noexcept nogil:
    return <table_t*>(m.tables + <size_t>i * m.stride)


cdef void open_game(lockstep_t* m, int i) noexcept nogil:
    """The next game at table ``i``, up to its first question. One that ends without any is
    followed by the next from here, not from within itself: there may be any number of them."""
    cdef desk_t* desk = &m.desks[i]
    desk.free = True
    if desk.opening:
        return
    desk.opening = True
    while desk.free:
        desk.free = False
        seat_game(m, i)
    desk.opening = False


cdef void seat_game(lockstep_t* m, int i) noexcept nogil:
    """Seat the next game at table ``i`` and play up to its first question."""
    cdef table_t* t = table_at(m, i)
    cdef desk_t* desk = &m.desks[i]
    cdef policy_t* seated[10]
    cdef int s, contract, base, seats = m.variant.seats
    cdef Py_ssize_t game = m.next_game
    cdef bint single = m.contracts != NULL or m.trials != NULL
    desk.question = NOTHING
    if game == m.n_games or m.stop[0]:
        return
    m.next_game += 1
    desk.game = game
    for s in range(seats):
        desk.player[s] = <uint8_t>s if single else m.seating[game * seats + s]
        seated[s] = m.policies[desk.player[s]]
    if m.trials != NULL:
        open_trial(m, i, seated)
        return
    seat_players(t, m.variant, m.dealing, seated, m.key,
                 m.first_block + <uint64_t>game if single else m.blocks[game],
                 0 if single else m.replicates[game], <const int*>m.stop)
    begin_game(t)
    if not single:
        t.turn = m.turns[game]
        t.fixed = &m.fixed if m.fixed.n_deals else NULL
        open_deal(m, i, 0)
        return
    base = <int>(game % seats)
    begin_single(t, base)
    contract = m.contracts[game % m.n_contracts]
    offer(m, i, <uint32_t>1 << contract, base if m.variant.has_choice else t.view.leader,
          names_something(&m.variant.contracts[contract]))


cdef void open_trial(lockstep_t* m, int i, policy_t** seated) noexcept nogil:
    cdef table_t* t = table_at(m, i)
    cdef Py_ssize_t trial = m.desks[i].game
    cdef int seat = 0
    cdef bint ask = False
    cdef uint32_t choices
    seat_trial(t, m.trials, trial, m.variant, m.dealing, seated, m.key, <const int*>m.stop)
    choices = named_in_trial(t, m.trials, trial, &seat, &ask)
    if ask or m.trials.code[trial] & 255 == NAMED:
        offer(m, i, choices, seat, ask)
    else:
        name_contract(m, i, m.trials.code[trial])


cdef void go_on_with_trial(lockstep_t* m, int i) noexcept nogil:
    """The contract of a trial is taken up."""
    cdef table_t* t = table_at(m, i)
    cdef Py_ssize_t trial = m.desks[i].game
    use_contract(t)
    if m.trials.question == TRIAL_CHOOSE:
        close_deal(m, i)
    elif m.trials.question == TRIAL_BET:
        m.desks[i].speaker = 0
        next_speaker(m, i)
    else:
        put_bets(t, m.trials, trial)
        open_play(m, i)


cdef void open_deal(lockstep_t* m, int i, int deal) noexcept nogil:
    cdef table_t* t = table_at(m, i)
    cdef uint32_t choices = 0
    cdef int seat = 0
    cdef bint ask
    begin_deal(t, deal)
    ask = what_to_name(t, &choices, &seat)
    offer(m, i, choices, seat, ask)


cdef void offer(lockstep_t* m, int i, uint32_t choices, int seat, bint ask) noexcept nogil:
    if ask:
        show_choices(table_at(m, i), seat, choices)
        m.desks[i].question = ASK_CHOOSE
    else:
        name_contract(m, i, lowest_code(m.variant, choices))


cdef void name_contract(lockstep_t* m, int i, int code) noexcept nogil:
    cdef table_t* t = table_at(m, i)
    set_contract(t, code)
    if m.trials != NULL:
        go_on_with_trial(m, i)
        return
    if m.contracts == NULL:
        use_contract(t)
        if has_bets(t):
            m.desks[i].speaker = 0
            next_speaker(m, i)
            return
    open_play(m, i)


cdef void next_speaker(lockstep_t* m, int i) noexcept nogil:
    """The first further seat that has anybody to double or redouble, in the second round to
    redouble; else play begins, or the contract is not played at all."""
    cdef table_t* t = table_at(m, i)
    cdef desk_t* desk = &m.desks[i]
    cdef int seat
    cdef uint32_t targets, against
    while desk.speaker < t.seats:
        desk.speaker += 1
        seat = kth_speaker(t, desk.speaker)
        targets = allowed_targets(t, seat)
        against = doubled_by(&t.view, seat, t.seats)
        if show_doubles(t, seat, targets & ~against, t.to_declare[t.view.declarer]):
            desk.question = ASK_DOUBLE
            return
        if show_redoubles(t, seat, targets & against):
            desk.question = ASK_REDOUBLE
            return
    while m.variant.rounds == 2 and desk.speaker < 2 * t.seats:
        desk.speaker += 1
        seat = kth_speaker(t, desk.speaker - t.seats)
        if show_redoubles(t, seat, allowed_targets(t, seat) & doubled_since(t, seat)):
            desk.question = ASK_REDOUBLE
            return
    if m.trials != NULL:                       # the doubles were all that was asked for
        close_deal(m, i)
        return
    if is_split(t):
        split_points(t)
        close_deal(m, i)
        return
    open_play(m, i)


cdef void take_bets(lockstep_t* m, int i, uint32_t answer) noexcept nogil:
    """Doubles or redoubles of the seat that was asked."""
    cdef table_t* t = table_at(m, i)
    cdef desk_t* desk = &m.desks[i]
    cdef int seat = t.view.seat
    if desk.question == ASK_DOUBLE:
        take_doubles(t, seat, answer)
        if show_redoubles(t, seat, allowed_targets(t, seat) & doubled_by(&t.view, seat, t.seats)):
            desk.question = ASK_REDOUBLE
            return
    else:
        take_redoubles(t, seat, answer)
    next_speaker(m, i)


cdef void open_play(lockstep_t* m, int i) noexcept nogil:
    cdef table_t* t = table_at(m, i)
    cdef duties_t d
    if t.view.contract.kind == KIND_LAYOUT:
        begin_layout(t, &m.desks[i].layout)
        next_layout(m, i)
        return
    load_streams(t)
    fetch_duties(t, t.view.contract, &d)
    open_trick(t, &d, t.view.trick_leader)
    m.desks[i].question = ASK_PLAY


cdef void next_layout(lockstep_t* m, int i) noexcept nogil:
    cdef table_t* t = table_at(m, i)
    if show_layout(t, &m.desks[i].layout):
        m.desks[i].question = ASK_LAY
        return
    end_layout(t, &m.desks[i].layout)
    score_layout(t)
    close_deal(m, i)


cdef inline void open_trick(table_t* t, const duties_t* d, int leader) noexcept nogil:
    cdef uint32_t who = who_is(leader, role_origin(&t.view), t.seats)
    begin_trick(&t.view, t.view.n_tricks, leader)
    if LIKELY(t.view.contract.plain):
        show_lead(&t.view, d, who, t.hand[leader])
    else:
        show_any_lead(t, d, who, leader)


cdef inline void take_card(lockstep_t* m, int i, table_t* t, cardset_t answer) noexcept nogil:
    """A card to a trick, and what the next seat is shown."""
    cdef view_t* v = &t.view
    cdef const contract_t* c = v.contract
    cdef int seat = v.seat, k = v.n_trick, n = m.variant.seats
    cdef bint honour = m.variant.honour
    cdef pack_t legal = cards_of(v.legal)
    cdef pack_t card = accept_on_honour(t, seat, answer, legal) if honour \
        else accept_card(t, seat, answer, legal)
    cdef duties_t d
    cdef trick_t trick
    cdef uint32_t who
    fetch_duties(t, c, &d)
    if k == 0:
        take_lead(v, &trick, &t.hand[seat], NULL, card)
    else:
        trick_so_far(v, &trick)
        # A card of another suit shows a void: a legal one always, on honour as far as is known.
        take_follow(v, &d, &trick, seat, &t.hand[seat], NULL, card, card, False)
    if honour and comes_out(t, seat, card):
        end_tricks(v, v.trick_leader)
        finish_tricks(t)
        close_deal(m, i)
        return
    if k + 1 < n:
        seat = next_seat(seat, n)
        who = who_is(seat, role_origin(v), n)
        if LIKELY(c.plain):
            show_follow(v, &d, who, k + 1, t.hand[seat], trick.led, False)
        else:
            show_any_follow(t, &d, who, seat, k + 1, trick.led)
        return
    close_trick(m, i, t, &d)


cdef inline void close_trick(lockstep_t* m, int i, table_t* t, const duties_t* d) noexcept nogil:
    cdef view_t* v = &t.view
    cdef const contract_t* c = v.contract
    cdef int k, winner = v.trick_leader, n = m.variant.seats
    cdef int best = lowest_number(cards_of(v.best))
    for k in range(1, n):                      # who played it cannot be foreseen: no jumps
        winner += k * (v.moves[v.n_moves - n + k] == best)
    if winner >= n:
        winner -= n
    if take_trick(t, c, last_cards(c), v.n_tricks, winner) or v.n_tricks == m.variant.hand_size:
        end_tricks(v, winner)
        finish_tricks(t)
        close_deal(m, i)
        return
    open_trick(t, d, winner)


cdef void close_deal(lockstep_t* m, int i) noexcept nogil:
    """Settle, write down, and go on to the next deal or game."""
    cdef table_t* t = table_at(m, i)
    cdef Py_ssize_t game = m.desks[i].game
    cdef int s, deal = t.view.deal
    if m.stop[0]:                              # answers may be anything by now
        m.desks[i].question = NOTHING
        return
    if m.trials != NULL:
        if m.trials.question == TRIAL_PLAY and has_bets(t):
            settle(t)
        write_trial(&m.rows, m.trials, game, t)
    elif m.contracts != NULL:
        write_deal(&m.rows, game, t)
        for s in range(t.seats):
            m.single_fouls[game * t.seats + s] = t.fouls[s]
    else:
        if has_bets(t):
            settle(t)
        enter_scores(t)
        write_deal(&m.rows, game * m.rows.per_game + deal, t)
        if goes_on(t):
            open_deal(m, i, deal + 1)
            return
        write_game(&m.games, game, t)
    m.whole[game] = 1
    open_game(m, i)
