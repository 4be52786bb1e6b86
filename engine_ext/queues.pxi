# Tables that wait for a batched strategy stand in its queue, and go on when it has answered.
# Part of kernel.pyx.


cdef extern from *:
    void __builtin_prefetch(const void* where) noexcept nogil


cdef inline bint wait_in_line(lockstep_t* m, int i, const table_t* t,
                              const desk_t* desk) noexcept nogil:
    """Put the table in the queue of the strategy that it shows its question; False if that
    one answers at once. For a table without a game all is done."""
    cdef int queue
    if desk.question == NOTHING:
        return True
    queue = m.queue_of[desk.player[t.view.seat] * N_QUESTIONS + desk.question]
    if queue == NO_QUEUE:
        return False
    m.waiting[queue * m.n_tables + m.n_waiting[queue]] = i
    m.n_waiting[queue] += 1
    return True


cdef void run_table(lockstep_t* m, int i) noexcept nogil:
    """Go on until the table waits in a queue, or there is no further game for it."""
    cdef table_t* t = table_at(m, i)
    cdef desk_t* desk = &m.desks[i]
    cdef policy_t* policy
    cdef stream_t* stream
    cdef int seat
    while not wait_in_line(m, i, t, desk) and not m.stop[0]:
        seat = t.view.seat
        policy = t.policies[seat]
        stream = &t.streams[seat]
        if desk.question == ASK_PLAY:
            take_card(m, i, t, policy.play(policy.play_state, &t.view, stream))
        elif desk.question == ASK_LAY:
            take_layout(t, &desk.layout, policy.lay(policy.lay_state, &t.view, stream))
            next_layout(m, i)
        elif desk.question == ASK_CHOOSE:
            name_contract(m, i, accept_choice(
                t, seat, policy.choose(policy.choose_state, &t.view, stream)))
        elif desk.question == ASK_DOUBLE:
            take_bets(m, i, policy.make_doubles(policy.double_state, &t.view, stream))
        else:
            take_bets(m, i, policy.make_redoubles(policy.redouble_state, &t.view, stream))


cdef inline cardset_t card_answer(int64_t number, bint may_pass) noexcept nogil:
    """A card by its number, or PASS; what is neither is no card and a foul."""
    if 0 <= number < PACK_BITS:
        return as_set(card_bit(<unsigned int>number))
    return as_set(0) if number == PASS and may_pass else no_card()


cdef inline void fetch_ahead(const lockstep_t* m, int row, int n) noexcept nogil:
    """Have the processor fetch what a row soon needs: its table lies far from the last."""
    cdef const table_t* t
    if row + 8 < n:
        t = table_at(m, m.asked[row + 8])
        __builtin_prefetch(&t.view)
        __builtin_prefetch(&t.view.seat)
        __builtin_prefetch(&t.view.trick)
        __builtin_prefetch(t.view.voids)
        __builtin_prefetch(t.hand)
    if row + 4 < n:
        t = table_at(m, m.asked[row + 4])
        __builtin_prefetch(&t.streams[t.view.seat].decision)


cdef void take_cards(lockstep_t* m, int n, const int64_t* answers) noexcept nogil:
    """Cards to tricks from the ``n`` tables in ``m.asked``; each table goes on."""
    cdef table_t* t
    cdef int row, i
    for row in range(n):
        fetch_ahead(m, row, n)
        i = m.asked[row]
        t = table_at(m, i)
        take_card(m, i, t, card_answer(answers[row], False))
        if not wait_in_line(m, i, t, &m.desks[i]):
            run_table(m, i)


cdef void take_answers(lockstep_t* m, int question, int n, const int64_t* answers) noexcept nogil:
    """The answers of the ``n`` tables in ``m.asked``; each table goes on."""
    cdef table_t* t
    cdef int row, i
    cdef int64_t answer
    if question == ASK_PLAY:
        take_cards(m, n, answers)
        return
    for row in range(n):
        i = m.asked[row]
        t = table_at(m, i)
        answer = answers[row]
        if question == ASK_LAY:
            take_layout(t, &m.desks[i].layout, card_answer(answer, t.view.may_pass))
            next_layout(m, i)
        elif question == ASK_CHOOSE:
            name_contract(m, i, accept_choice(
                t, t.view.seat, <int32_t>answer if 0 <= answer < 65536 else -1))
        else:
            take_bets(m, i, <uint32_t>answer if 0 <= answer < 65536 else NO_SEATS_ANSWER)
        run_table(m, i)


cdef int fullest_queue(const lockstep_t* m) noexcept nogil:
    """The queue in which most tables wait: the others fill up meanwhile."""
    cdef int q, best = NO_QUEUE, most = 0
    for q in range(m.n_queues):
        if m.n_waiting[q] > most:
            best = q
            most = m.n_waiting[q]
    return best


cdef int take_queue(lockstep_t* m, int queue) noexcept nogil:
    """Move a queue's tables to ``m.asked``; how many."""
    cdef int n = m.n_waiting[queue]
    memcpy(m.asked, m.waiting + queue * m.n_tables, n * sizeof(int32_t))
    m.n_waiting[queue] = 0
    return n
