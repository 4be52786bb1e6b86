"""A game: who deals, declares and leads, what is left to choose, deal after deal."""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from engine_ext.any_tricks cimport play_any_tricks
from engine_ext.cards cimport cards_of, pack_t, put
from engine_ext.deal cimport deal_hands, drawn_suit, turn_hands
from engine_ext.policy cimport (
    KIND_LAYOUT, NO_CONTRACT, NO_SEAT, POLICY_DRAWS, POLICY_HAS_MEMORY, TRUMP_DECLARER, TRUMP_DRAWN,
    contract_t, declared_before, policy_t, stream_load, stream_t, variant_t, view_t,
)
from engine_ext.revokes cimport begin_honour, is_played_again
from engine_ext.table cimport clear_table, fetch_hands, note_foul, show_hand, table_t


cdef inline void give_roles(table_t* t, int base) noexcept nogil:
    """Dealer, declarer and first leader where seat ``base`` declares, or is the base of the
    schedule (all offsets in playing order)."""
    cdef const variant_t* r = t.variant
    t.view.dealer = <uint8_t>((base + r.dealer_offset) % t.seats)
    t.view.leader = <uint8_t>((base + r.leader_offset) % t.seats)
    t.view.trick_leader = t.view.leader    # not who led last in the deal before
    t.view.declarer = <uint8_t>base if r.has_choice else NO_SEAT


cdef inline void take_roles(table_t* t, int number) noexcept nogil:
    """Dealer, declarer and first leader of a deal of the schedule."""
    cdef const variant_t* r = t.variant
    cdef int base = (number // r.dealership) % t.seats
    give_roles(t, base)


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
            param = drawn_suit(t.key, t.block, v.deal, t.world, t.variant.n_suits)
        v.trump = <uint8_t>param
        put(&v.trump_cards, cards_of(t.variant.suit[param]))
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


cdef inline void find_leader(table_t* t) noexcept nogil:
    """Where the rules say so, whoever was dealt a certain card leads."""
    cdef int s
    if not cards_of(t.variant.leader_card):
        return
    for s in range(t.seats):
        if t.hand[s] & cards_of(t.variant.leader_card):
            t.view.leader = <uint8_t>s
    t.view.trick_leader = t.view.leader


cdef inline void begin_schedule(table_t* t) noexcept nogil:
    """All deals of the game are still to come."""
    cdef int s
    for s in range(t.seats):
        t.to_declare[s] = declared_before(t.variant, t.variant.n_deals, s)


cdef inline void give_hands(table_t* t, int deal) noexcept nogil:
    """The hands that are given for deal number ``deal``, as far as there are any; else dealt."""
    if t.fixed != NULL and deal < t.fixed.n_deals:
        fetch_hands(t.fixed, t.block, deal, t.seats, t.hand)
    else:
        deal_hands(t.dealing, t.key, t.block, deal, t.hand)


cdef inline void begin_deal(table_t* t, int deal) noexcept nogil:
    """Deal number ``deal`` of the game: cards dealt, roles taken."""
    clear_table(t, deal)
    if deal == 0 and t.variant.has_choice:
        begin_schedule(t)
    # A declarer plays again what was stopped in his deal; without declarers the deal passes on.
    take_roles(t, t.step if t.variant.has_choice else deal)
    if t.variant.has_choice:
        memcpy(t.view.duty_done, t.duty[t.view.declarer], sizeof(t.view.duty_done))
    give_hands(t, deal)
    if t.turn:
        turn_hands(t.hand, t.seats, t.turn)
    find_leader(t)
    if t.variant.honour:
        begin_honour(t)


cdef inline bint what_to_name(table_t* t, uint32_t* choices, int* seat) noexcept nogil:
    """Which contracts may be named and by whom; whether there is anything to ask."""
    cdef const variant_t* r = t.variant
    cdef int contract = t.given
    seat[0] = t.view.declarer if r.has_choice else t.view.leader
    if contract < 0:
        if r.has_choice:
            choices[0] = contracts_left(t)
            return True
        contract = r.sequence[t.step]
    choices[0] = <uint32_t>1 << contract
    return names_something(&r.contracts[contract])


cdef inline void use_contract(table_t* t) noexcept nogil:
    """The declarer's contract has one use less, or the whole table's where it is one stock.
    None, where it was given."""
    cdef int s
    if not t.variant.has_choice or t.given >= 0:
        return
    if not t.variant.uses_of_table:
        t.view.uses_left[t.view.declarer][t.view.contract.id] -= 1
        return
    for s in range(t.seats):
        t.view.uses_left[s][t.view.contract.id] -= 1


cdef inline void enter_scores(table_t* t) noexcept nogil:
    """Points and side bets of the deal into the game's totals."""
    cdef int s
    for s in range(t.seats):
        t.view.scores[s] += t.points[s] + t.side[s]


cdef inline bint goes_on(table_t* t) noexcept nogil:
    """Once the deal at hand is entered: whether another follows, and which. After a revoke
    the contract again, where the rules say so; else the schedule; then ties."""
    cdef const variant_t* r = t.variant
    t.given = -1
    if is_played_again(t):
        t.again += 1
        t.given = t.view.contract.id
        return True
    if t.step + 1 < r.n_deals:
        t.step += 1
        if r.has_choice:
            t.to_declare[t.view.declarer] -= 1
        return True
    return r.extra_contract != NO_CONTRACT and plays_out_tie(t)


cdef inline void begin_single(table_t* t, int base) noexcept nogil:
    """A deal on its own, deal 0: seat ``base`` declares, or is the base of the schedule."""
    clear_table(t, 0)
    give_roles(t, base)
    deal_hands(t.dealing, t.key, t.block, 0, t.hand)
    find_leader(t)
    if t.variant.honour:
        begin_honour(t)


cdef inline uint32_t first_together(const int32_t* scores, int seats,
                                    uint32_t among) noexcept nogil:
    """Who has the best total of the seats ``among``."""
    cdef uint32_t first = 0
    cdef int32_t best = 0
    cdef int s
    for s in range(seats):
        if (among >> s) & 1 and (first == 0 or scores[s] >= best):
            first = (first if first and scores[s] == best else 0) | <uint32_t>1 << s
            best = scores[s]
    return first


cdef inline uint32_t can_win(const table_t* t) noexcept nogil:
    """The seats that can be first by their totals: all, but for what an extra deal settles."""
    return t.view.tied if t.view.extra else (<uint32_t>1 << t.seats) - 1


cdef inline bint plays_out_tie(table_t* t) noexcept nogil:
    """Behind the schedule: whether the first place calls for an extra deal (000 A33)."""
    cdef const variant_t* r = t.variant
    cdef uint32_t first = first_together(t.view.scores, t.seats, can_win(t))
    if t.n_extra == r.max_extra or first & (first - 1) == 0:
        return False
    if r.extra_for_all:
        first = (<uint32_t>1 << t.seats) - 1
    t.n_extra += 1
    t.step += 1
    t.given = r.extra_contract
    t.view.extra = 1
    t.view.tied = <uint16_t>first
    return True


cdef inline bint has_bets(const table_t* t) noexcept nogil:
    """Whether there are side bets in this deal: none in one that plays out a tie."""
    return t.variant.has_doubling and not t.view.extra


cdef inline void begin_game(table_t* t) noexcept nogil:
    cdef int s
    for s in range(t.seats):
        if t.policies[s].flags & POLICY_HAS_MEMORY:
            t.policies[s].new_game(t.policies[s].game_state)


cdef inline void place_seats(const int32_t* scores, int seats, uint32_t among, uint8_t* place,
                             uint8_t* n_first) noexcept nogil:
    """Places from 1, equal scores share the better one; how many are first. First are the
    best of the seats ``among``, whatever others have; those follow by their scores."""
    cdef uint32_t first = first_together(scores, seats, among)
    cdef int s, o, better
    n_first[0] = 0
    for s in range(seats):
        n_first[0] += (first >> s) & 1
    for s in range(seats):
        better = 0
        if not (first >> s) & 1:
            better = n_first[0]
            for o in range(seats):
                better += scores[o] > scores[s] and not (first >> o) & 1
        place[s] = <uint8_t>(better + 1)
