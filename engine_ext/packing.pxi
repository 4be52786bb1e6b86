# Resolved rules (engine_ext/rules/numbers.py) into the structs of policy.h.

cdef cardset_t words_of(cards):
    """A Python set of cards as two words."""
    cdef cardset_t both
    both.w[0] = cards & 0xffffffffffffffff
    both.w[1] = cards >> 64
    return both


cdef void pack_slots(contract_t* c, n) except *:
    """What is counted in a deal, and what it is worth."""
    cdef int i
    c.n_slots = n.n_slots
    for i in range(n.n_slots):
        c.slot_kind[i] = n.slot_kind[i]
        c.slot_points[i] = n.slot_points[i]
        c.slot_cards[i] = words_of(n.slot_cards[i])
        c.slot_tricks[i] = n.slot_tricks[i]
    c.total = n.total
    c.trick_points = n.trick_points
    c.scoring_cards = words_of(n.scoring_cards)
    c.scoring_tricks = n.scoring_tricks
    c.n_card_slots = n.n_card_slots
    for i in range(n.n_card_slots):
        c.card_slots[i] = n.card_slots[i]
    c.shoot_cards = words_of(n.shoot_cards)
    c.shoot_taker = n.shoot_taker
    c.shoot_others = n.shoot_others


cdef void pack_duties(contract_t* c, n) except *:
    """Kind trick: what may be played."""
    c.trump_mode = n.trump_mode
    c.void_duty = n.void_duty
    c.beat_duty = n.beat_duty
    c.lead_ban = words_of(n.lead_ban)
    c.ban_until = n.ban_until
    c.ban_broken_by = words_of(n.ban_broken_by)
    c.ban_trick = n.ban_trick
    c.forced = words_of(n.forced)
    c.forced_when = n.forced_when
    c.forced_highest = n.forced_highest
    c.first_lead = words_of(n.first_lead)
    c.first_trick_ban = words_of(n.first_trick_ban)
    c.plain = n.plain
    c.end_cards = words_of(n.end_cards)
    c.face_up = words_of(n.face_up)


cdef void pack_layout(contract_t* c, n) except *:
    """Kind layout."""
    cdef int i
    c.may_pass = n.may_pass
    c.passes = n.passes
    c.stall_forces = n.stall_forces
    c.stall_freezes = n.stall_freezes
    c.missing_stalls = n.missing_stalls
    c.copies = n.copies
    c.lose_turn = n.lose_turn
    c.all_out = n.all_out
    c.replay = words_of(n.replay)
    c.replay_must = n.replay_must
    for i in range(len(n.payout)):
        c.payout[i] = n.payout[i]


cdef void pack_contract(contract_t* c, n) except *:
    """Copy one ContractNumbers into its struct."""
    c.id = n.id
    c.kind = n.kind
    c.tone = n.tone
    c.params = n.params
    pack_slots(c, n)
    pack_duties(c, n)
    pack_layout(c, n)


cdef void pack_schedule(variant_t* v, n) except *:
    """Who deals, declares and leads; how a game ends."""
    cdef int i
    v.n_deals = n.n_deals
    v.has_choice = n.has_choice
    v.uses_of_table = n.uses_of_table
    v.dealership = n.dealership
    v.dealer_offset = n.dealer_offset
    v.leader_offset = n.leader_offset
    v.leader_card = words_of(n.leader_card)
    for i in range(min(len(n.sequence), n.n_deals)):
        v.sequence[i] = n.sequence[i]
    v.extra_contract = NO_CONTRACT if n.extra_contract < 0 else n.extra_contract
    v.max_extra = n.max_extra
    v.extra_for_all = n.extra_for_all


cdef void pack_honour(variant_t* v, n) except *:
    """What a revoke costs, where players are on their honour."""
    v.honour = n.honour
    v.revoke_at_end = n.revoke_at_end
    v.revoke_sign = n.revoke_sign
    v.revoke_keeps = n.revoke_keeps
    v.revoke_replays = n.revoke_replays
    v.ban_as_revoke = n.ban_as_revoke


cdef void pack_doubling(variant_t* v, n) except *:
    """Side bets."""
    cdef int i
    v.has_doubling = n.has_doubling
    for i in range(3):
        v.targets[i] = n.targets[i]
    v.declarer_redoubles = n.declarer_redoubles
    v.redoubles = n.redoubles
    v.rounds = n.rounds
    v.duty = n.duty
    v.duty_forced = n.duty_forced
    v.duty_penalty = n.duty_penalty
    v.undoubled_split = n.undoubled_split


cdef class Rules:
    """A resolved variant, packed for the kernel. Immutable; any thread may read it."""

    cdef variant_t variant
    cdef dealing_t dealing
    cdef readonly object numbers
    cdef int max_deals            # rows that a game may need

    def __cinit__(self, numbers):
        cdef int i
        cdef variant_t* v = &self.variant
        memset(v, 0, sizeof(variant_t))
        self.numbers = numbers
        self.max_deals = numbers.max_deals
        v.seats = numbers.seats
        v.hand_size = numbers.hand_size
        v.n_suits = numbers.n_suits
        v.n_ranks = numbers.n_ranks
        v.copies = numbers.copies
        v.first_wins = numbers.first_wins
        v.deck = words_of(numbers.deck)
        for i in range(numbers.n_suits):
            v.suit[i] = words_of(numbers.suit[i])
        v.n_contracts = numbers.n_contracts
        for i in range(numbers.n_contracts):
            pack_contract(&v.contracts[i], numbers.contracts[i])
            v.uses[i] = numbers.uses[i]
        v.objective = numbers.objective
        pack_schedule(v, numbers)
        pack_honour(v, numbers)
        pack_doubling(v, numbers)
        plan_dealing(&self.dealing, &v.deck, v.seats)
