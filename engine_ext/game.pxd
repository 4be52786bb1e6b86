"""A game: who deals, declares and leads, what is left to choose, deal after deal."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from engine_ext.cards cimport pack_t
from engine_ext.deal cimport deal_hands, drawn_suit
from engine_ext.doubling cimport ask_doubles, settle
from engine_ext.layout cimport play_layout, score_layout
from engine_ext.policy cimport (
    KIND_LAYOUT, NO_SEAT, POLICY_DRAWS, POLICY_HAS_MEMORY, TRUMP_DECLARER, TRUMP_DRAWN,
    contract_t, policy_t, stream_load, stream_t, variant_t, view_t,
)
from engine_ext.table cimport clear_table, note_foul, show_hand, table_t
from engine_ext.tricks cimport play_tricks, score_tricks


cdef inline void take_roles(table_t* t, int deal) noexcept nogil:
    """Dealer, declarer and first leader of a deal (all offsets in playing order)."""
    cdef const variant_t* r = t.variant
    cdef int base = (deal // r.dealership) % t.seats
    t.view.dealer = <uint8_t>((base + r.dealer_offset) % t.seats)
    t.view.leader = <uint8_t>((base + r.leader_offset) % t.seats)
    t.view.declarer = <uint8_t>base if r.has_choice else NO_SEAT


cdef inline int ask_choice(table_t* t, int seat, uint32_t choices) noexcept nogil:
    """Contract * 256 + parameter that ``seat`` names among the contracts ``choices``."""
    cdef view_t* v = &t.view
    cdef policy_t* policy = t.policies[seat]
    cdef int32_t answer
    cdef int contract = 0
    show_hand(t, seat)
    v.choices = choices
    answer = policy.choose(policy.choose_state, v, &t.streams[seat])
    t.streams[seat].decision += 1
    if answer >= 0 and answer >> 8 < t.variant.n_contracts and (choices >> (answer >> 8)) & 1 \
            and (answer & 255) < 32 \
            and (t.variant.contracts[answer >> 8].params >> (answer & 255)) & 1:
        return answer
    note_foul(t, seat)
    while not (choices >> contract) & 1:
        contract += 1
    answer = 0
    while not (t.variant.contracts[contract].params >> answer) & 1:
        answer += 1
    return contract << 8 | answer


cdef inline uint32_t contracts_left(table_t* t) noexcept nogil:
    """The declarer's contracts that still have a use; ``t.left`` counts the uses."""
    cdef uint32_t choices = 0
    cdef int c, uses
    for c in range(t.variant.n_contracts):
        uses = t.view.uses_left[t.view.declarer][c]
        choices |= <uint32_t>(uses != 0) << c
        t.left += uses
    return choices


cdef inline void take_contract(table_t* t, uint32_t choices, int seat, bint ask) noexcept nogil:
    """Settle which contract is played, with trump suit or start rank, and clear for it."""
    cdef view_t* v = &t.view
    cdef int code, param, contract = 0
    cdef const contract_t* c
    if ask:
        code = ask_choice(t, seat, choices)
        contract = code >> 8
    else:
        while not (choices >> contract) & 1:
            contract += 1
        code = contract << 8
        while not (t.variant.contracts[contract].params >> (code & 255)) & 1:
            code += 1
    c = &t.variant.contracts[contract]
    param = code & 255
    v.contract = c
    v.choices = 0
    v.trick_leader = v.leader
    if c.kind == KIND_LAYOUT:
        v.start_rank = <uint8_t>param
        t.param = param
    elif c.trump_mode == TRUMP_DECLARER or c.trump_mode == TRUMP_DRAWN:
        if c.trump_mode == TRUMP_DRAWN:
            param = drawn_suit(t.key, t.block, v.deal, t.variant.n_suits)
        v.trump = <uint8_t>param
        v.trump_cards.w[0] = t.variant.suit[param].w[0]
        t.param = param


cdef inline bint names_something(const contract_t* c) noexcept nogil:
    """Whether there is more than one trump suit or start rank to name."""
    return (c.params & (c.params - 1)) != 0


cdef inline int play_out(table_t* t) noexcept nogil:
    """Play the contract from where it stands and score it. 0, or 1 when told to stop."""
    cdef int s
    if t.view.contract.kind == KIND_LAYOUT:
        if play_layout(t):
            return 1
        score_layout(t)
        return 0
    for s in range(t.seats):
        if t.policies[s].flags & POLICY_DRAWS and \
                t.streams[s].group != <int32_t>(t.streams[s].decision >> 4):
            # All seats' blocks together: the ciphers overlap in the processor.
            stream_load(&t.streams[s], <int32_t>(t.streams[s].decision >> 4))
    if play_tricks(t):
        return 1
    score_tricks(t)
    return 0


cdef inline int play_deal(table_t* t, bint bets) noexcept nogil:
    """From the contract chosen to points and side bets. 0, or 1 when told to stop."""
    if bets:
        ask_doubles(t, t.variant.dealership - t.view.deal % t.variant.dealership)
    if play_out(t):
        return 1
    if bets:
        settle(t)
    return 0


cdef inline int next_deal(table_t* t, int deal) noexcept nogil:
    """Deal number ``deal`` of the game, from the shuffle on. 0, or 1 when stopped."""
    cdef view_t* v = &t.view
    cdef const variant_t* r = t.variant
    cdef int s, contract
    clear_table(t, deal)
    take_roles(t, deal)
    if deal % r.dealership == 0:
        for s in range(t.seats):
            v.duty_done[s] = 0
    deal_hands(t.dealing, t.key, t.block, deal, t.hand)
    if r.has_choice:
        take_contract(t, contracts_left(t), v.declarer, True)
        contract = v.contract.id
        v.uses_left[v.declarer][contract] -= 1
    else:
        contract = r.sequence[deal]
        take_contract(t, <uint32_t>1 << contract, v.leader,
                      names_something(&r.contracts[contract]))
    if play_deal(t, r.has_doubling):
        return 1
    for s in range(t.seats):
        v.scores[s] += t.points[s] + t.side[s]
    return 0


cdef inline void begin_game(table_t* t) noexcept nogil:
    cdef int s
    for s in range(t.seats):
        if t.policies[s].flags & POLICY_HAS_MEMORY:
            t.policies[s].new_game(t.policies[s].game_state)


cdef inline void place_seats(const int32_t* scores, int seats, uint8_t* place,
                             uint8_t* n_first) noexcept nogil:
    """Places from 1, equal scores share the better one; how many are first."""
    cdef int s, o, better
    n_first[0] = 0
    for s in range(seats):
        better = 0
        for o in range(seats):
            better += scores[o] > scores[s]
        place[s] = <uint8_t>(better + 1)
        n_first[0] += better == 0
