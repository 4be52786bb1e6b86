# Trials: single deals in which everything is given: whose hand stays while the others are dealt
# anew, who declares and what is left to him, the contract, the bets. Part of kernel.pyx.


cdef enum:
    TRIAL_PLAY = 0                # with the bets that are given
    TRIAL_CHOOSE = 1              # the contract is asked for, nothing is played
    TRIAL_BET = 2                 # and the doubles, nothing is played
    NAMED = 255                   # parameter: the one who names is asked for it


# What is given, by trial, and where what came of it goes.
cdef struct trials_t:
    const uint64_t* block
    const uint16_t* deal
    const uint32_t* world         # 0: as dealt; else which dealing anew
    const uint8_t* held           # seat whose hand stays then
    const uint8_t* turn
    const uint8_t* base           # who declares, or is the base of the schedule
    const int32_t* code           # contract * 256 + parameter; < 0: the declarer is asked
    const uint8_t* left           # [trial][contract]: uses left to the declarer
    const uint8_t* duty           # [trial][seat]: doubles of him so far
    const uint16_t* doubled       # [trial][seat]: whom it has doubled
    int32_t* taken                # contract * 256 + parameter that was played or named
    uint16_t* fouls               # [trial][seat]
    int question                  # TRIAL_


cdef void point_trials(trials_t* a, dict given, int question) except *:
    """Take the addresses of the arrays (C-contiguous, checked by the buffer)."""
    cdef const uint64_t[::1] block = given["block"]
    cdef const uint16_t[::1] deal = given["deal"]
    cdef const uint32_t[::1] world = given["world"]
    cdef const uint8_t[::1] held = given["held"]
    cdef const uint8_t[::1] turn = given["turn"]
    cdef const uint8_t[::1] base = given["base"]
    cdef const int32_t[::1] code = given["code"]
    cdef const uint8_t[:, ::1] left = given["left"]
    cdef const uint8_t[:, ::1] duty = given["duty"]
    cdef const uint16_t[:, ::1] doubled = given["doubled"]
    cdef int32_t[::1] taken = given["taken"]
    cdef uint16_t[:, ::1] fouls = given["fouls"]
    a.block = &block[0]
    a.deal = &deal[0]
    a.world = &world[0]
    a.held = &held[0]
    a.turn = &turn[0]
    a.base = &base[0]
    a.code = &code[0]
    a.left = &left[0, 0]
    a.duty = &duty[0, 0]
    a.doubled = &doubled[0, 0]
    a.taken = &taken[0]
    a.fouls = &fouls[0, 0]
    a.question = question


cdef inline void deal_trial(const dealing_t* d, const uint64_t* key, uint64_t block, int deal,
                            int turn, int held, uint32_t world, pack_t* hands) noexcept nogil:
    """The hands as dealt, seats turned; then all but one anew, if there is a world."""
    deal_hands(d, key, block, deal, hands)
    turn_hands(hands, d.seats, turn)
    if world:
        deal_others(d, key, block, deal, held, world, hands)


cdef void begin_trial(table_t* t, const trials_t* a, Py_ssize_t i) noexcept nogil:
    """The table of trial ``i`` before the contract is named."""
    cdef const variant_t* v = t.variant
    cdef int s, c, base = a.base[i]
    cdef const uint8_t* left = a.left + i * v.n_contracts
    clear_table(t, a.deal[i])
    t.world = a.world[i]
    t.turn = a.turn[i]
    give_roles(t, base)
    if v.has_choice:
        begin_schedule(t)
        for c in range(v.n_contracts):
            t.left += left[c]
            for s in range(t.seats):
                if s == base or v.uses_of_table:
                    t.view.uses_left[s][c] = left[c]
        # One stock: what is left says how many deals of the game are, and so how many are whose.
        t.to_declare[base] = deals_to_declare(v, v.n_deals - t.left, base) if v.uses_of_table \
            else t.left
        for s in range(t.seats):
            t.view.duty_done[s] = t.duty[base][s] = a.duty[i * t.seats + s]
    deal_trial(t.dealing, t.key, a.block[i], a.deal[i], a.turn[i], a.held[i], a.world[i], t.hand)
    find_leader(t)
    if v.honour:
        begin_honour(t)


cdef inline void seat_trial(table_t* t, const trials_t* a, Py_ssize_t i, const variant_t* v,
                            const dealing_t* dealing, policy_t** seated, const uint64_t* key,
                            const int* stop) noexcept nogil:
    """Players come to the table; their draws differ from world to world."""
    seat_players(t, v, dealing, seated, key, a.block[i], a.world[i], stop)
    begin_game(t)
    begin_trial(t, a, i)


cdef inline uint32_t named_in_trial(const table_t* t, const trials_t* a, Py_ssize_t i, int* seat,
                                    bint* ask) noexcept nogil:
    """Which contracts may be named in trial ``i`` and by whom; whether anything is asked."""
    cdef const variant_t* v = t.variant
    cdef int c, code = a.code[i]
    cdef uint32_t choices = 0
    seat[0] = t.view.declarer if v.has_choice else t.view.leader
    if code < 0:
        ask[0] = True
        for c in range(v.n_contracts):
            choices |= <uint32_t>(a.left[i * v.n_contracts + c] != 0) << c
        return choices
    ask[0] = (code & 255) == NAMED and names_something(&v.contracts[code >> 8])
    return <uint32_t>1 << (code >> 8)


cdef inline int code_of(const table_t* t) noexcept nogil:
    """Contract * 256 + trump suit or start rank at hand, 0 where nobody names one: a drawn suit
    is no part of what was chosen."""
    cdef bint named = t.param >= 0 and t.view.contract.trump_mode != TRUMP_DRAWN
    return t.view.contract.id << 8 | (t.param if named else 0)


cdef inline void take_in_trial(table_t* t, int code) noexcept nogil:
    """The contract is taken up as in a game."""
    set_contract(t, code)
    use_contract(t)


cdef inline void put_bets(table_t* t, const trials_t* a, Py_ssize_t i) noexcept nogil:
    """The bets that are given lie on the table, as if they had been said."""
    cdef int s
    for s in range(t.seats):
        t.view.doubled[s] = a.doubled[i * t.seats + s]
        if t.variant.has_choice:
            t.view.duty_done[s] += (t.view.doubled[s] >> t.view.declarer) & 1


cdef void write_trial(const rows_t* out, const trials_t* a, Py_ssize_t i,
                      const table_t* t) noexcept nogil:
    cdef int s
    write_deal(out, i, t)
    a.taken[i] = code_of(t)
    for s in range(t.seats):
        a.fouls[i * t.seats + s] = t.fouls[s]


cdef int play_trial(table_t* t, const trials_t* a, Py_ssize_t i) noexcept nogil:
    """From the contract to what was asked for. 0, or 1 when told to stop."""
    cdef int seat = 0, code = a.code[i]
    cdef bint ask = False
    cdef uint32_t choices = named_in_trial(t, a, i, &seat, &ask)
    if ask:
        code = ask_choice(t, seat, choices)
    elif (code & 255) == NAMED:
        code = lowest_code(t.variant, choices)
    take_in_trial(t, code)
    if a.question == TRIAL_CHOOSE:
        return 0
    if a.question == TRIAL_BET:
        ask_doubles(t)
        return 0
    put_bets(t, a, i)
    if play_out(t):
        return 1
    if has_bets(t):
        settle(t)
    return 0


def play_trials(Rules rules, list capsules, tuple key, dict given, int question, Py_ssize_t n,
                dict rows, const int[::1] stop):
    """Carry out ``n`` trials; return how many were finished before a stop."""
    cdef table_t* t
    cdef rows_t out
    cdef trials_t a
    cdef policy_t* seated[10]
    cdef uint64_t key_words[2]
    cdef Py_ssize_t i = 0
    cdef int s, seats = rules.variant.seats
    if n == 0:
        return 0
    key_words[0], key_words[1] = key
    for s in range(seats):
        seated[s] = policy_of(capsules[s])
    point_trials(&a, given, question)
    point_rows(&out, rows)
    t = <table_t*>calloc(1, sizeof(table_t))
    if t == NULL:
        raise MemoryError
    with nogil:
        while i < n and not stop[0]:
            seat_trial(t, &a, i, &rules.variant, &rules.dealing, seated, key_words, &stop[0])
            if play_trial(t, &a, i) or stop[0]:
                break
            write_trial(&out, &a, i, t)
            i += 1
    free(t)
    return i


def deal_trials(Rules rules, tuple key, dict given, uint64_t[:, :, ::1] hands):
    """Fill ``hands`` (trials, seats, packs)."""
    cdef const uint64_t[::1] block = given["block"]
    cdef const uint16_t[::1] deal = given["deal"]
    cdef const uint32_t[::1] world = given["world"]
    cdef const uint8_t[::1] held = given["held"]
    cdef const uint8_t[::1] turn = given["turn"]
    cdef uint64_t key_words[2]
    cdef pack_t out[10]
    cdef Py_ssize_t i
    cdef int s, w
    key_words[0], key_words[1] = key
    for i in range(block.shape[0]):
        deal_trial(&rules.dealing, key_words, block[i], deal[i], turn[i], held[i], world[i], out)
        for s in range(rules.variant.seats):
            for w in range(hands.shape[2]):
                hands[i, s, w] = as_set(out[s]).w[w]
