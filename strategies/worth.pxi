# What a hand is worth in a contract, by playouts, and what the contracts left are worth
# together. Part of choosing.pyx.


cdef enum:
    MAX_STATES = 65536          # what may be left to a declarer, in all ways


# What is worth knowing of one variant: nothing of any deal.
cdef struct worth_t:
    const variant_t* source     # compared last; NULL: other rules may stand there
    variant_t variant
    bint made                   # for this variant, as far as there was room for it
    bint averaged               # there are averages
    bint counted                # and values of what is left
    int n_hands
    int stride[33]              # of a contract's uses in the number of a state; the last: states
    double average[32]          # of a contract, over hands with the best that may be named
    double* half[2]             # [hand][contract]: by the first half of the worlds, by the second
    double* other[2]            # the same answers by the other half
    double* left                # [later * states + state]: what the contracts left come to
    int turns                   # 1, or seats where the table shares its contracts


cdef int try_contract(playout_t* p, worlds_t* worlds, dice_t* dice, const contract_t* c, int param,
                      int n, double* mean, double* error) noexcept nogil:
    """Mean over ``n`` worlds of how far the seat to choose is ahead of the others' mean, and its
    standard error. 0, or 1 when told to stop."""
    cdef pack_t hands[10]
    cdef int64_t sum = 0, squares = 0, here
    cdef const variant_t* rules = p.seen.variant
    cdef int i, suit, others = rules.seats - 1
    for i in range(n):
        suit = <int>roll_below(dice, rules.n_suits)      # in any case: the same worlds for all
        take_up(p, c, suit if c.kind == KIND_TRICK and c.trump_mode == TRUMP_DRAWN else param)
        draw_world(worlds, dice, hands)
        if p.draws:
            p.lot = roll(dice)
        if play_deal_out(p, hands):
            return 1
        here = ahead(&p.table, p.seen.seat)
        sum += here
        squares += here * here
    mean[0] = <double>sum / n / others
    error[0] = 0
    if n > 1:
        error[0] = sqrt((squares - <double>sum * sum / n) / (n - 1) / n) / others
    return 0


cdef int judge_hand(worth_t* w, playout_t* p, worlds_t* worlds, dice_t* dice, int n, int hand) noexcept nogil:
    """One hand of the table: each contract by each half of the worlds, with what that half
    would name, and what the other half says of it."""
    cdef const contract_t* c
    cdef double mean[2][32]
    cdef double error = 0
    cdef int k, param, side, best, at
    for k in range(w.variant.n_contracts):
        c = &w.variant.contracts[k]
        for side in range(2):
            for param in range(32):
                if (c.params >> param) & 1:
                    if try_contract(p, worlds, dice, c, param, n, &mean[side][param], &error):
                        return 1
        at = hand * w.variant.n_contracts + k
        for side in range(2):
            best = -1
            for param in range(32):
                if (c.params >> param) & 1 and (best < 0 or mean[side][param] > mean[side][best]):
                    best = param
            w.half[side][at] = mean[side][best]
            w.other[side][at] = mean[1 - side][best]
    return 0


cdef inline int picked(const worth_t* w, int how, const double* value, int state,
                       const double* later) noexcept nogil:
    """The contract that is named of those left in ``state``; ``value`` by contract."""
    cdef int k, best = -1, n = w.variant.n_contracts
    cdef double here, most = 0
    for k in range(n):
        if state % w.stride[k + 1] < w.stride[k]:
            continue                           # no use left
        if how == BY_ORDER:
            return k
        here = value[k]
        if how == BY_SURPLUS:
            here -= w.average[k]
        elif how == BY_DP:
            here += later[state - w.stride[k]]
        if best < 0 or here > most:
            best = k
            most = here
    return best


cdef void average_contracts(worth_t* w) noexcept nogil:
    cdef int k, hand, n = w.variant.n_contracts
    cdef double sum
    for k in range(n):
        sum = 0
        for hand in range(w.n_hands):
            sum += w.other[0][hand * n + k] + w.other[1][hand * n + k]
        w.average[k] = sum / (2 * w.n_hands)


cdef int value_states(worth_t* w, const int* stop) noexcept nogil:
    """What is left to choose from is worth, from the fewest contracts up: chosen by one half
    of the worlds, valued by the other. Where the table shares its contracts the next one
    chooses next, and what he comes out ahead the others come out behind. 0, or 1 when told to
    stop."""
    cdef int state, hand, side, k, turn, n = w.variant.n_contracts
    cdef double sums[10]
    cdef double gain
    for turn in range(w.turns):
        w.left[turn * w.stride[n]] = 0
    for state in range(1, w.stride[n]):
        if stop[0]:
            return 1
        memset(sums, 0, sizeof(sums))
        for hand in range(w.n_hands):
            for side in range(2):
                # The first to choose is the last again only after all the others.
                k = picked(w, BY_DP, w.half[side] + hand * n, state,
                           w.left + (w.turns - 1) * w.stride[n])
                gain = w.other[side][hand * n + k]
                sums[0] += gain + w.left[(w.turns - 1) * w.stride[n] + state - w.stride[k]]
                for turn in range(1, w.turns):
                    sums[turn] += w.left[(turn - 1) * w.stride[n] + state - w.stride[k]] \
                        - gain / (w.turns - 1)
        for turn in range(w.turns):
            w.left[turn * w.stride[n] + state] = sums[turn] / (2 * w.n_hands)
    return 0


cdef int number_states(worth_t* w) noexcept nogil:
    """How many ways there are of what is left to a declarer; 0 if too many."""
    cdef int k
    w.stride[0] = 1
    for k in range(w.variant.n_contracts):
        w.stride[k + 1] = w.stride[k] * (w.variant.uses[k] + 1)
        if w.stride[k + 1] > MAX_STATES:
            return 0
    return w.stride[w.variant.n_contracts]


cdef int state_of(const worth_t* w, const uint8_t* uses) noexcept nogil:
    cdef int k, state = 0
    for k in range(w.variant.n_contracts):
        state += min(uses[k], w.variant.uses[k]) * w.stride[k]
    return state


cdef void give_back(worth_t* w) noexcept nogil:
    """Forget the table."""
    cdef int side
    for side in range(2):
        free(w.half[side])
        free(w.other[side])
        w.half[side] = w.other[side] = NULL
    free(w.left)
    w.left = NULL
    w.made = w.averaged = w.counted = False


cdef bint take_room(worth_t* w, int n_hands) noexcept nogil:
    """Room for the table of the variant, for the values of what is left only if there are not
    too many; False if there is none."""
    cdef size_t cells = <size_t>n_hands * w.variant.n_contracts
    cdef int side, states = number_states(w)
    give_back(w)
    w.n_hands = n_hands
    w.turns = w.variant.seats if w.variant.uses_of_table and w.variant.dealership == 1 else 1
    for side in range(2):
        w.half[side] = <double*>malloc(cells * sizeof(double))
        w.other[side] = <double*>malloc(cells * sizeof(double))
    if states:
        w.left = <double*>malloc(<size_t>states * w.turns * sizeof(double))
    return w.half[0] != NULL and w.half[1] != NULL and w.other[0] != NULL and w.other[1] != NULL
