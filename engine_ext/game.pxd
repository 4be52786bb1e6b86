"""A game: who deals, declares and leads, what is left to choose, deal after deal."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from engine_ext.cards cimport pack_t
from engine_ext.deal cimport deal_hands, drawn_suit
from engine_ext.policy cimport (
    KIND_LAYOUT, NO_SEAT, POLICY_DRAWS, POLICY_HAS_MEMORY, TRUMP_DECLARER, TRUMP_DRAWN,
    contract_t, policy_t, stream_load, stream_t, variant_t, view_t,
)
from engine_ext.table cimport clear_table, note_foul, show_hand, table_t


cdef inline void take_roles(table_t* t, int deal) noexcept nogil:
    """Dealer, declarer and first leader of a deal (all offsets in playing order)."""
    cdef const variant_t* r = t.variant
    cdef int base = (deal // r.dealership) % t.seats
    t.view.dealer = <uint8_t>((base + r.dealer_offset) % t.seats)
    t.view.leader = <uint8_t>((base + r.leader_offset) % t.seats)
    t.view.trick_leader = t.view.leader    # not who led last in the deal before
    t.view.declarer = <uint8_t>base if r.has_choice else NO_SEAT


cdef inline int lowest_code(const variant_t* r, uint32_t choices) noexcept nogil:
    """The first contract of ``choices`` with the first that may be named in it: contract *
    256 + parameter."""
    cdef int contract = 0, param = 0
    while not (choices >> contract) & 1:
        contract += 1
    while not (r.contracts[contract].params >> param) & 1:
        param += 1
    return contract << 8 | param


cdef inline void show_choices(table_t* t, int seat, uint32_t choices) noexcept nogil:
    """Show ``seat`` the contracts it may name."""
    show_hand(t, seat)
    t.view.choices = choices


cdef inline int accept_choice(table_t* t, int seat, int32_t answer) noexcept nogil:
    """Contract * 256 + parameter that ``seat`` named; the first choice in place of a foul."""
    cdef uint32_t choices = t.view.choices
    t.streams[seat].decision += 1
    if answer >= 0 and answer >> 8 < t.variant.n_contracts and (choices >> (answer >> 8)) & 1 \
            and (answer & 255) < 32 \
            and (t.variant.contracts[answer >> 8].params >> (answer & 255)) & 1:
        return answer
    note_foul(t, seat)
    return lowest_code(t.variant, choices)


cdef inline int ask_choice(table_t* t, int seat, uint32_t choices) noexcept nogil:
    """What ``seat`` names among the contracts ``choices``, asked at once."""
    cdef policy_t* policy = t.policies[seat]
    show_choices(t, seat, choices)
    return accept_choice(t, seat, policy.choose(policy.choose_state, &t.view, &t.streams[seat]))


cdef inline uint32_t contracts_left(table_t* t) noexcept nogil:
    """The declarer's contracts that still have a use; ``t.left`` counts the uses."""
    cdef uint32_t choices = 0
    cdef int c, uses
    for c in range(t.variant.n_contracts):
        uses = t.view.uses_left[t.view.declarer][c]
        choices |= <uint32_t>(uses != 0) << c
        t.left += uses
    return choices


cdef inline void set_contract(table_t* t, int code) noexcept nogil:
    """Contract * 256 + parameter is played: clear for it, draw the trump where it is drawn."""
    cdef view_t* v = &t.view
    cdef int param = code & 255
    cdef const contract_t* c = &t.variant.contracts[code >> 8]
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


cdef inline void take_contract(table_t* t, uint32_t choices, int seat, bint ask) noexcept nogil:
    """Settle which contract is played, with trump suit or start rank, and clear for it."""
    set_contract(t, ask_choice(t, seat, choices) if ask else lowest_code(t.variant, choices))


cdef inline bint names_something(const contract_t* c) noexcept nogil:
    """Whether there is more than one trump suit or start rank to name."""
    return (c.params & (c.params - 1)) != 0


cdef inline void load_streams(table_t* t) noexcept nogil:
    """Blocks of those who will draw, all seats' together: the ciphers overlap in the
    processor."""
    cdef int s
    for s in range(t.seats):
        if t.policies[s].flags & POLICY_DRAWS and \
                t.streams[s].group != <int32_t>(t.streams[s].decision >> 4):
            stream_load(&t.streams[s], <int32_t>(t.streams[s].decision >> 4))


cdef inline void begin_deal(table_t* t, int deal) noexcept nogil:
    """Deal number ``deal`` of the game: cards dealt, roles taken."""
    cdef int s
    clear_table(t, deal)
    take_roles(t, deal)
    if deal % t.variant.dealership == 0:
        for s in range(t.seats):
            t.view.duty_done[s] = 0
    deal_hands(t.dealing, t.key, t.block, deal, t.hand)


cdef inline bint what_to_name(table_t* t, uint32_t* choices, int* seat) noexcept nogil:
    """Which contracts may be named and by whom; whether there is anything to ask."""
    cdef const variant_t* r = t.variant
    cdef int contract
    if r.has_choice:
        choices[0] = contracts_left(t)
        seat[0] = t.view.declarer
        return True
    contract = r.sequence[t.view.deal]
    choices[0] = <uint32_t>1 << contract
    seat[0] = t.view.leader
    return names_something(&r.contracts[contract])


cdef inline void use_contract(table_t* t) noexcept nogil:
    """The declarer's contract has one use less."""
    if t.variant.has_choice:
        t.view.uses_left[t.view.declarer][t.view.contract.id] -= 1


cdef inline void enter_scores(table_t* t) noexcept nogil:
    """Points and side bets of the deal into the game's totals."""
    cdef int s
    for s in range(t.seats):
        t.view.scores[s] += t.points[s] + t.side[s]


cdef inline void begin_single(table_t* t, int base) noexcept nogil:
    """A deal on its own, deal 0: seat ``base`` declares, or is the base of the schedule."""
    cdef const variant_t* r = t.variant
    clear_table(t, 0)
    t.view.dealer = <uint8_t>((base + r.dealer_offset) % t.seats)
    t.view.leader = <uint8_t>((base + r.leader_offset) % t.seats)
    t.view.trick_leader = t.view.leader    # not who led last in the deal before
    t.view.declarer = <uint8_t>base if r.has_choice else NO_SEAT
    deal_hands(t.dealing, t.key, t.block, 0, t.hand)


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
