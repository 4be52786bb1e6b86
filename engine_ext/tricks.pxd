"""Trick contracts: who may play what, who wins, what was taken.

Written for the branch predictor: what cannot be foreseen (who holds the suit, who
wins) is computed on masks, not decided by jumps.

Every turn is two halves, what the seat is shown and what its card does, so that the loop
here and the batches of lockstep.pxi, which ask in between, share the rules.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from engine_ext.cards cimport LIKELY, check, count, lane_of, lowest_number, lowest_rank, one_pack, pack_t
from engine_ext.policy cimport (
    DOMAIN_STRATEGY, NO_SEAT, NO_SUIT, POLICY_DRAWS, SLOT_CARDS, SLOT_TRICKS, VOID_MUST_RUFF,
    cardset_t, contract_t, policy_t, stream_load, stream_t, view_t,
)
from engine_ext.table cimport note_foul, table_t

cdef extern from *:
    """
    /* yes if test is not 0, else no. Never a jump: it would be mispredicted, and
     * compilers make one where they are free to. */
    static inline uint64_t PICK(uint64_t test, uint64_t yes, uint64_t no) {
    #if defined(__x86_64__)
        __asm__("test %1, %1; cmovne %2, %0" : "+r"(no) : "r"(test), "r"(yes) : "cc");
        return no;
    #else
        return no ^ ((no ^ yes) & (0 - (uint64_t)(test != 0)));
    #endif
    }
    """
    pack_t PICK(pack_t test, pack_t yes, pack_t no) noexcept nogil


cdef inline pack_t may_lead(pack_t hand, pack_t ban) noexcept nogil:
    """What may be led from a hand: a banned card only where nothing else is held."""
    cdef pack_t free = hand & ~ban
    return PICK(free, free, hand)


cdef inline pack_t may_follow(pack_t hand, pack_t led, pack_t forced, pack_t ruff) noexcept nogil:
    """What a further seat may play: of the suit led, else a card that is forced out, else a
    trump where it must ruff, else anything."""
    cdef pack_t suited = hand & led
    cdef pack_t ruffs = hand & ruff
    cdef pack_t out = hand & forced
    return PICK(suited, suited, PICK(out, out, PICK(ruffs, ruffs, hand)))


cdef inline pack_t accept_card(table_t* t, int seat, cardset_t answer, pack_t legal) noexcept nogil:
    """The card that ``seat`` plays: its answer, or its lowest legal one in place of a foul."""
    cdef pack_t card = answer.w[0]
    t.streams[seat].decision += 1
    if LIKELY((card & legal) != 0 and (card & (card - 1)) == 0 and answer.w[1] == 0):
        return card
    note_foul(t, seat)
    return lowest_rank(legal)


cdef inline pack_t ask_card(table_t* t, int seat, pack_t legal) noexcept nogil:
    """The card that ``seat`` plays, asked at once."""
    cdef policy_t* policy = t.policies[seat]
    return accept_card(t, seat, policy.play(policy.play_state, &t.view, &t.streams[seat]), legal)


# What the engine keeps of the trick in progress beside the view. The view itself holds
# the rest (winning card, cards of the trick, cards played): kept twice it would be saved
# and fetched around every question.
cdef struct trick_t:
    pack_t led                  # whole suit led
    pack_t power                # suit that wins at the moment: led, or trump once played
    int led_suit


cdef inline void trick_so_far(const view_t* v, trick_t* trick) noexcept nogil:
    """The same read off the view, for those who did not keep it."""
    trick.led_suit = v.led_suit
    trick.led = lane_of(<pack_t>1 << 16 * trick.led_suit)
    trick.power = lane_of(v.best.w[0])


# What the rules of the deal say about playing, fetched once.
cdef struct duties_t:
    pack_t trump
    pack_t ban                  # not led from a hand that holds anything else
    pack_t forced               # must go when void of the suit led
    pack_t ruff                 # trumps that must be played when void, or nothing
    uint32_t who[10]            # seat and role, as the view stores them side by side


cdef inline uint32_t who_is(int seat, int origin, int n) noexcept nogil:
    """Seat and role as the view stores them, role counted from ``origin``."""
    return <uint32_t>seat | <uint32_t>(seat - origin if seat >= origin else seat - origin + n) << 8


cdef inline void show_turn(table_t* t, uint32_t who, int seat, int k, pack_t legal) noexcept nogil:
    """Turn the view to the seat that plays card ``k`` of the trick."""
    cdef view_t* v = &t.view
    # seat, role, position and may_pass are neighbours: one store instead of four.
    cdef uint32_t turn = who | <uint32_t>k << 16
    memcpy(&v.seat, &turn, 4)
    v.hand.w[0] = t.hand[seat]
    v.legal.w[0] = legal


cdef inline void lay_down(table_t* t, int seat, int n_moves, pack_t card) noexcept nogil:
    """The card leaves the hand and lies on the table for all to see."""
    cdef view_t* v = &t.view
    t.hand[seat] ^= card
    v.trick.w[0] |= card
    v.played.w[0] |= card
    v.moves[n_moves] = <uint8_t>lowest_number(card)
    v.n_moves += 1


cdef inline pack_t show_lead(table_t* t, const duties_t* d, uint32_t who, int seat) noexcept nogil:
    """A new trick: show the seat on lead what it may play; that set."""
    cdef view_t* v = &t.view
    cdef pack_t legal = may_lead(t.hand[seat], d.ban)
    v.best.w[0] = 0
    v.trick.w[0] = 0
    v.led.w[0] = 0
    v.led_suit = NO_SUIT
    show_turn(t, who, seat, 0, legal)
    return legal


cdef inline void take_lead(table_t* t, trick_t* trick, int seat, int n_moves,
                           pack_t card) noexcept nogil:
    """What was led must be followed."""
    cdef view_t* v = &t.view
    trick.led = lane_of(card)
    trick.led_suit = lowest_number(card) >> 4
    trick.power = trick.led
    v.best.w[0] = card
    v.led.w[0] = t.variant.suit[trick.led_suit].w[0]
    v.led_suit = <uint8_t>trick.led_suit
    lay_down(t, seat, n_moves, card)


cdef inline pack_t show_follow(table_t* t, const duties_t* d, uint32_t who, int seat, int k,
                               pack_t hand, pack_t led) noexcept nogil:
    """Show a further seat what it may play; that set."""
    cdef pack_t legal = may_follow(hand, led, d.forced, d.ruff)
    show_turn(t, who, seat, k, legal)
    return legal


cdef inline void take_follow(table_t* t, const duties_t* d, trick_t* trick, int seat, int n_moves,
                             pack_t suited, pack_t card) noexcept nogil:
    """A further card: a void may show, the winner may change."""
    cdef view_t* v = &t.view
    cdef pack_t counts, best
    v.voids[seat] |= <uint8_t>((suited == 0) << trick.led_suit)
    trick.power = PICK(card & d.trump, d.trump, trick.power)
    best = v.best.w[0] & trick.power           # a first trump beats what lay there
    counts = card & trick.power
    v.best.w[0] = counts if counts > best else best
    lay_down(t, seat, n_moves, card)


cdef inline void lead(table_t* t, const duties_t* d, trick_t* trick, int seat,
                      int n_moves) noexcept nogil:
    """The seat on lead plays."""
    cdef pack_t legal = show_lead(t, d, d.who[seat], seat)
    take_lead(t, trick, seat, n_moves, ask_card(t, seat, legal))


cdef inline pack_t follow(table_t* t, const duties_t* d, trick_t* trick, int seat, int k,
                          int n_moves) noexcept nogil:
    """A further seat plays; its card."""
    cdef pack_t hand = t.hand[seat]
    cdef pack_t legal = show_follow(t, d, d.who[seat], seat, k, hand, trick.led)
    cdef pack_t card = ask_card(t, seat, legal)
    take_follow(t, d, trick, seat, n_moves, hand & trick.led, card)
    return card


cdef inline int next_seat(int seat, int n) noexcept nogil:
    return seat + 1 if seat + 1 < n else 0


cdef inline int winner_of(const pack_t* cards, pack_t best, int leader, const int n) noexcept nogil:
    """The seat that played the best card; cards[k] is the k-th of the trick, cards[0] unread."""
    cdef int winner = leader, k
    if n == 4:                                 # the common table, written out
        winner += (cards[1] == best) + 2 * (cards[2] == best) + 3 * (cards[3] == best)
        return winner & 3
    for k in range(1, n):
        winner += k * (cards[k] == best)
    return winner - n if winner >= n else winner


cdef inline int play_trick(table_t* t, const duties_t* d, int leader, int n_moves,
                           const int n) noexcept nogil:
    """One trick with ``n`` seats; the seat that takes it."""
    cdef trick_t trick
    cdef pack_t cards[10]
    cdef int seat = leader, k
    lead(t, d, &trick, seat, n_moves)
    if n == 4:
        cards[1] = follow(t, d, &trick, (leader + 1) & 3, 1, n_moves + 1)
        cards[2] = follow(t, d, &trick, (leader + 2) & 3, 2, n_moves + 2)
        cards[3] = follow(t, d, &trick, (leader + 3) & 3, 3, n_moves + 3)
        return winner_of(cards, t.view.best.w[0], leader, n)
    for k in range(1, n):
        seat = next_seat(seat, n)
        cards[k] = follow(t, d, &trick, seat, k, n_moves + k)
    return winner_of(cards, t.view.best.w[0], leader, n)


cdef inline int role_origin(const view_t* v) noexcept nogil:
    """The seat that roles are counted from."""
    return v.leader if v.declarer == NO_SEAT else v.declarer


cdef inline void fetch_duties(const table_t* t, const contract_t* contract,
                              duties_t* d) noexcept nogil:
    """All of ``d`` but ``who``."""
    d.trump = t.view.trump_cards.w[0]
    d.ban = contract.lead_ban.w[0]
    d.forced = contract.forced.w[0]
    d.ruff = d.trump if contract.void_duty == VOID_MUST_RUFF else 0


cdef inline pack_t last_cards(const contract_t* contract) noexcept nogil:
    """The cards with which the deal ends; bit 15, no card, where it has no early end."""
    return contract.end_cards.w[0] if contract.end_cards.w[0] else <pack_t>1 << 15


cdef inline void begin_trick(view_t* v, int turn, int leader) noexcept nogil:
    v.trick_leader = <uint8_t>leader
    v.leaders[turn] = <uint8_t>leader


cdef inline bint take_trick(table_t* t, const contract_t* contract, pack_t end, int turn,
                            int winner) noexcept nogil:
    """Trick number ``turn`` goes to ``winner``; whether that ended the deal early."""
    cdef view_t* v = &t.view
    t.captured[winner] |= v.trick.w[0]
    t.face_up[winner].w[0] |= v.trick.w[0] & contract.face_up.w[0]
    t.tricks_won[winner] += 1
    v.n_tricks = <uint8_t>(turn + 1)
    return (end & ~v.played.w[0]) == 0


cdef inline void end_tricks(view_t* v, int leader) noexcept nogil:
    """The last trick lies with its owner, who would lead now."""
    v.leaders[v.n_tricks] = <uint8_t>leader
    v.n_trick = 0
    v.trick.w[0] = 0
    v.led.w[0] = 0


cdef inline int play_tricks_of(table_t* t, const contract_t* contract, const int n) noexcept nogil:
    """Play the deal from trick ``v.n_tricks`` on, led by ``v.trick_leader``, to its end with
    ``n`` seats. 0, or 1 when told to stop."""
    cdef view_t* v = &t.view
    cdef pack_t end = last_cards(contract)
    cdef duties_t d
    cdef int leader = v.trick_leader, seat, turn
    cdef int origin = role_origin(v)

    fetch_duties(t, contract, &d)
    for seat in range(n):
        d.who[seat] = who_is(seat, origin, n)

    for turn in range(v.n_tricks, t.variant.hand_size):
        if v.stop[0]:
            return 1
        begin_trick(v, turn, leader)
        leader = play_trick(t, &d, leader, turn * n, n)
        if take_trick(t, contract, end, turn, leader):
            break
    end_tricks(v, leader)
    return 0


cdef inline int play_tricks(table_t* t) noexcept nogil:
    """Play a trick contract; four seats, the common table, get a loop of their own."""
    if t.seats == 4:
        return play_tricks_of(t, t.view.contract, 4)
    return play_tricks_of(t, t.view.contract, t.seats)


cdef inline void score_tricks(table_t* t) noexcept nogil:
    """Count the contract's items by seat and turn them into points."""
    cdef const contract_t* c = t.view.contract
    cdef int slot, seat
    cdef uint64_t tricks
    cdef int items[10]
    for slot in range(c.n_slots):
        if c.slot_kind[slot] == SLOT_TRICKS:
            for seat in range(t.seats):
                items[seat] = t.tricks_won[seat]
        elif c.slot_kind[slot] == SLOT_CARDS:
            for seat in range(t.seats):
                items[seat] = count(t.captured[seat] & c.slot_cards[slot].w[0])
        else:
            for seat in range(t.seats):
                items[seat] = 0
            tricks = c.slot_tricks[slot] & ((<uint64_t>1 << t.view.n_tricks) - 1)
            while tricks:
                items[t.view.leaders[lowest_number(tricks) + 1]] += 1
                tricks &= tricks - 1
        for seat in range(t.seats):
            t.items[seat] |= <uint64_t>items[seat] << (8 * slot)
            t.points[seat] += items[seat] * c.slot_points[slot]
