# A table that is set up by hand: anywhere in a deal, and played on from there by the same
# code that plays whole games. Part of kernel.pyx.


cdef enum:
    MAX_WALK = 512


# Which of its options each decision took: the digits of a number that is counted up.
cdef struct walker_t:
    int depth
    uint8_t taken[512]
    uint8_t options[512]


cdef cardset_t walk_card(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef walker_t* w = <walker_t*>state
    cdef pack_t legal = cards_of(view.legal)
    cdef int n = count(legal), k = w.taken[w.depth]
    w.options[w.depth] = <uint8_t>(n + (view.may_pass != 0))
    w.depth += 1
    return as_set(nth_card(legal, k) if k < n else 0)


cdef int shot_of(const table_t* t) noexcept nogil:
    """The seat that took all that changes the points of the deal, or NO_SEAT."""
    cdef const contract_t* c = t.view.contract
    cdef int s
    if c.kind != KIND_LAYOUT and cards_of(c.shoot_cards):
        for s in range(t.seats):
            if (t.items[s] >> (8 * (c.n_slots - 1))) & 255:
                return s
    return NO_SEAT


cdef void forget_tricks(table_t* t, uint64_t unknown) noexcept nogil:
    """Take out again what tricks bring that nobody is known to have taken."""
    cdef const contract_t* c = t.view.contract
    cdef int slot, owner, worth
    cdef uint64_t tricks
    cdef bint replaced = shot_of(t) != NO_SEAT      # by points that no trick has a part in
    for slot in range(c.n_slots):
        if c.slot_kind[slot] != SLOT_TRICK_AT:
            continue
        tricks = c.slot_tricks[slot] & unknown
        while tricks:
            owner = t.view.leaders[lowest_number(tricks) + 1]
            t.items[owner] -= <uint64_t>1 << (8 * slot)
            worth = 0 if replaced else c.slot_points[slot]
            t.points[owner] -= worth
            tricks &= tricks - 1


cdef class Tabletop:
    """One deal set up in the middle; see :mod:`engine_ext.position` for the meaning."""

    cdef table_t* start           # as set up
    cdef table_t* t               # being played
    cdef readonly Rules rules
    cdef int stop
    cdef uint64_t unknown         # bit t = who took trick t was not said

    def __cinit__(self, Rules rules):
        self.rules = rules
        self.start = <table_t*>calloc(1, sizeof(table_t))
        self.t = <table_t*>calloc(1, sizeof(table_t))
        if self.start == NULL or self.t == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.start)
        free(self.t)

    def set_up(self, p):
        """Put a :class:`engine_ext.position.Setup` on the table."""
        cdef table_t* t = self.start
        cdef view_t* v = &t.view
        cdef const variant_t* r = &self.rules.variant
        cdef policy_t* nobody[10]
        cdef uint64_t key[2]
        cdef int s, i
        memset(nobody, 0, sizeof(nobody))
        key[0], key[1] = p.key
        seat_players(t, r, &self.rules.dealing, nobody, key, p.block, 0, &self.stop)
        clear_table(t, p.deal)
        t.step = p.step
        t.again = p.deal - p.step
        t.given = -1 if p.given is None else p.given
        v.tied = p.tied
        v.extra = p.tied != 0
        v.dealer = p.dealer
        v.leader = p.leader
        v.declarer = NO_SEAT if p.declarer is None else p.declarer
        t.first_revoker = -1 if p.first_revoker is None else p.first_revoker
        for s in range(t.seats):
            t.withheld[s] = p.withheld[s]
            t.to_declare[s] = deals_to_declare(r, t.step, s)
            t.hand[s] = p.hands[s]
            v.n_cards[s] = count(t.hand[s])
            v.scores[s] = p.scores[s]
            v.duty_done[s] = p.duty_done[s]
            v.doubled[s] = p.doubled[s]
            for i in range(r.n_contracts):
                v.uses_left[s][i] = p.uses_left[s][i]
        self.set_tricks(p)
        if p.contract is not None:
            self.set_contract(p)

    cdef set_tricks(self, p):
        """The tricks before: who took them, as far as it is known."""
        cdef table_t* t = self.start
        cdef view_t* v = &t.view
        cdef int i
        self.unknown = 0
        v.n_tricks = len(p.owners)
        v.n_moves = v.n_tricks * t.seats
        memset(v.moves, UNKNOWN_MOVE, v.n_moves)
        v.ban_lifted = p.ban_lifted
        v.leaders[0] = p.leader
        for i in range(v.n_tricks):
            if p.owners[i] is None:
                self.unknown |= <uint64_t>1 << i
                v.leaders[i + 1] = p.to_move
            else:
                v.leaders[i + 1] = p.owners[i]
                t.tricks_won[p.owners[i]] += 1

    cdef set_contract(self, p):
        """The contract, and how far it is played."""
        cdef table_t* t = self.start
        cdef view_t* v = &t.view
        cdef const contract_t* c = &self.rules.variant.contracts[p.contract]
        cdef int s
        v.contract = c
        if p.param is not None:
            t.param = p.param
            if c.kind == KIND_LAYOUT:
                v.start_rank = p.param
            else:
                v.trump = p.param
                put(&v.trump_cards, cards_of(self.rules.variant.suit[p.param]))
        v.trick_leader = p.to_move
        put(&v.played, p.played)
        t.passes = p.passes
        t.further = p.further
        for s in range(t.seats):
            v.voids[s] = p.voids[s]
            v.places[s] = p.places[s]
            t.passed[s] = p.passed[s]
            t.captured[s] = p.captured[s]
            put(&t.face_up[s], p.captured[s] & cards_of(c.face_up))

    cdef seat(self, list capsules):
        cdef int s
        memcpy(self.t, self.start, sizeof(table_t))
        self.t.view.face_up = self.t.face_up
        self.stop = 0
        for s in range(self.t.seats):
            self.t.policies[s] = policy_of(capsules[s])

    cdef int play_phase(self, int phase) noexcept nogil:
        """From a phase (0 choose, 1 double, 2 play) to the end; 1 when told to stop."""
        cdef table_t* t = self.t
        cdef const variant_t* r = t.variant
        cdef uint32_t choices = 0
        cdef int seat = 0
        cdef bint ask, bets = has_bets(t) and t.view.declarer != NO_SEAT
        if phase == 0:
            ask = what_to_name(t, &choices, &seat)
            take_contract(t, choices, seat, ask)
            use_contract(t)
        if self.stop:
            return 1
        if bets and phase <= 1:
            ask_doubles(t)
            if self.stop:
                return 1
            if is_split(t):
                split_points(t)
                forget_tricks(t, self.unknown)
                settle(t)
                return 0
        if t.view.contract.kind == KIND_LAYOUT:
            t.view.n_tricks = 0
            t.view.n_moves = 0
        if self.stop or play_out(t):
            return 1
        if t.revoked < 0 or r.revoke_keeps:
            forget_tricks(t, self.unknown)
        if bets:
            settle(t)
        return 0

    def play_on(self, list capsules, int phase):
        """Play to the end with one policy a seat; False if one of them said stop."""
        cdef int stopped
        self.seat(capsules)
        with nogil:
            stopped = self.play_phase(phase)
        return not stopped

    def say_stop(self):
        """For a policy that has seen enough: the rest of the deal does not count."""
        self.stop = 1

    def outcome(self):
        """Points, side bets, items, places, fouls, moves of what was played; the scores of
        the game with it, and the rank of each seat in them."""
        cdef table_t* t = self.t
        cdef int32_t scores[10]
        cdef uint8_t ranks[10]
        cdef uint8_t n_first
        cdef int s
        for s in range(t.seats):
            scores[s] = t.view.scores[s] + t.points[s] + t.side[s]
        place_seats(scores, t.seats, can_win(t), ranks, &n_first)
        seats = range(t.seats)
        layout = t.view.contract != NULL and t.view.contract.kind == KIND_LAYOUT
        return {
            "contract": None if t.view.contract == NULL else t.view.contract.id,
            "param": None if t.param < 0 else t.param,
            "points": [t.points[s] for s in seats],
            "side": [t.side[s] for s in seats],
            "items": [t.items[s] for s in seats],
            "places": [t.view.places[s] for s in seats],
            "fouls": [t.fouls[s] for s in seats],
            "revoked": None if t.revoked < 0 else t.revoked,
            "doubled": [t.view.doubled[s] for s in seats],
            "owners": [t.view.leaders[i + 1] for i in range(t.view.n_tricks)],
            "moves": [t.view.moves[i] for i in range(t.view.n_moves)],
            "movers": [t.view.movers[i] if layout
                       else (t.view.leaders[i // t.seats] + i % t.seats) % t.seats
                       for i in range(t.view.n_moves)],
            "scores": [scores[s] for s in seats],
            "ranks": [ranks[s] for s in seats],
        }

    def roles(self, int deal):
        """Dealer, declarer (None without choice) and first leader of a deal of a game."""
        cdef table_t* t = self.t
        t.variant = &self.rules.variant
        t.seats = t.variant.seats
        take_roles(t, deal)
        seat = t.view.declarer
        return t.view.dealer, None if seat == NO_SEAT else seat, t.view.leader

    def walk(self, uint64_t limit):
        """Play every line of legal cards from a position in play; at most ``limit`` lines.

        Returns {product of the numbers of options along a line: [lines, points by seat]},
        from which the exact mean under random play follows: each line has probability
        1 / product.
        """
        cdef walker_t walker
        cdef policy_t policy
        cdef uint64_t lines = 0, product
        cdef int s, d, stopped
        memset(&policy, 0, sizeof(policy))
        policy.abi = BARBU_POLICY_ABI
        policy.play = walk_card
        policy.lay = walk_card
        policy.play_state = policy.lay_state = &walker
        memset(&walker, 0, sizeof(walker))
        found = {}
        while True:
            memcpy(self.t, self.start, sizeof(table_t))
            self.t.view.face_up = self.t.face_up
            for s in range(self.t.seats):
                self.t.policies[s] = &policy
            walker.depth = 0
            with nogil:
                stopped = self.play_phase(2)
            lines += 1
            if lines > limit:
                raise ValueError(f"more than {limit} lines")
            product = 1
            for d in range(walker.depth):
                product *= walker.options[d]
            sums = found.setdefault(product, [0] * (self.t.seats + 1))
            sums[0] += 1
            for s in range(self.t.seats):
                sums[s + 1] += self.t.points[s]
            while walker.depth and walker.taken[walker.depth - 1] + 1 == \
                    walker.options[walker.depth - 1]:
                walker.depth -= 1
            if walker.depth == 0:
                return found
            walker.taken[walker.depth - 1] += 1
            memset(&walker.taken[walker.depth], 0, MAX_WALK - walker.depth)
