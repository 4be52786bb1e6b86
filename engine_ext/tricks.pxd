"""Trick contracts: who may play what, who wins, what was taken.

Written for the branch predictor: what cannot be foreseen (who holds the suit, who
wins) is computed on masks, not decided by jumps.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from engine_ext.cards cimport check, count, lane_of, lowest_number, lowest_rank, one_pack, pack_t
from engine_ext.policy cimport (
    DOMAIN_STRATEGY, NO_SEAT, NO_SUIT, POLICY_DRAWS, SLOT_CARDS, SLOT_TRICKS, VOID_MUST_RUFF,
    cardset_t, contract_t, policy_t, stream_load, stream_t, view_t,
)
from engine_ext.table cimport LIKELY, note_foul, table_t

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


cdef inline pack_t ask_card(table_t* t, int seat, pack_t legal) noexcept nogil:
    """The card that ``seat`` plays; its lowest legal one in place of a foul."""
    cdef policy_t* policy = t.policies[seat]
    cdef stream_t* stream = &t.streams[seat]
    cdef cardset_t answer = policy.play(policy.play_state, &t.view, stream)
    cdef pack_t card = answer.w[0]
    stream.decision += 1
    if LIKELY((card & legal) != 0 and (card & (card - 1)) == 0 and answer.w[1] == 0):
        return card
    note_foul(t, seat)
    return lowest_rank(legal)


# The trick in progress, in registers once everything is inlined.
cdef struct trick_t:
    pack_t led                  # whole suit led
    pack_t power                # suit that wins at the moment: led, or trump once played
    pack_t best                 # the winning card
    pack_t cards                # all cards of the trick
    pack_t played               # all cards of the deal so far
    int led_suit


# What the rules of the deal say about playing, fetched once.
cdef struct duties_t:
    pack_t trump
    pack_t ban                  # not led from a hand that holds anything else
    pack_t forced               # must go when void of the suit led
    pack_t ruff                 # trumps that must be played when void, or nothing
    uint32_t who[10]            # seat and role, as the view stores them side by side


cdef inline void show_turn(table_t* t, const duties_t* d, const trick_t* trick, int seat, int k,
                           pack_t hand, pack_t legal) noexcept nogil:
    """Turn the view to the seat that plays card ``k`` of the trick."""
    cdef view_t* v = &t.view
    # seat, role, position and may_pass are neighbours: one store instead of four.
    cdef uint32_t turn = d.who[seat] | <uint32_t>k << 16
    memcpy(&v.seat, &turn, 4)
    v.hand.w[0] = hand
    v.legal.w[0] = legal
    v.best.w[0] = trick.best


cdef inline void lay_down(table_t* t, trick_t* trick, int seat, int n_moves,
                          pack_t hand, pack_t card) noexcept nogil:
    """The card leaves the hand and lies on the table for all to see."""
    cdef view_t* v = &t.view
    t.hand[seat] = hand ^ card
    trick.cards |= card
    v.trick.w[0] = trick.cards
    trick.played |= card
    v.played.w[0] = trick.played
    v.moves[n_moves] = <uint8_t>lowest_number(card)
    v.n_moves = <uint16_t>(n_moves + 1)


cdef inline pack_t lead(table_t* t, const duties_t* d, trick_t* trick, int seat,
                        int n_moves) noexcept nogil:
    """The seat on lead plays; what it led must be followed."""
    cdef view_t* v = &t.view
    cdef pack_t hand = t.hand[seat]
    cdef pack_t legal = hand & ~d.ban
    cdef pack_t card
    legal = PICK(legal, legal, hand)
    trick.best = trick.cards = 0
    v.trick.w[0] = 0
    v.led.w[0] = 0
    v.led_suit = NO_SUIT
    show_turn(t, d, trick, seat, 0, hand, legal)
    card = ask_card(t, seat, legal)
    trick.led = lane_of(card)
    trick.led_suit = lowest_number(card) >> 4
    trick.power = trick.led
    trick.best = card
    v.led.w[0] = t.variant.suit[trick.led_suit].w[0]
    v.led_suit = <uint8_t>trick.led_suit
    lay_down(t, trick, seat, n_moves, hand, card)
    return card


cdef inline pack_t follow(table_t* t, const duties_t* d, trick_t* trick, int seat, int k,
                          int n_moves) noexcept nogil:
    """A further seat plays: of the suit led, else what duty says, else anything."""
    cdef pack_t hand = t.hand[seat]
    cdef pack_t suited = hand & trick.led
    cdef pack_t ruffs = hand & d.ruff
    cdef pack_t forced = hand & d.forced
    cdef pack_t legal = PICK(suited, suited, PICK(forced, forced, PICK(ruffs, ruffs, hand)))
    cdef pack_t card, counts
    show_turn(t, d, trick, seat, k, hand, legal)
    card = ask_card(t, seat, legal)
    t.view.voids[seat] |= <uint8_t>((suited == 0) << trick.led_suit)
    trick.power = PICK(card & d.trump, d.trump, trick.power)
    trick.best &= trick.power                  # a first trump beats what lay there
    counts = card & trick.power
    trick.best = PICK(counts > trick.best, counts, trick.best)
    lay_down(t, trick, seat, n_moves, hand, card)
    return card


cdef inline int next_seat(int seat, int n) noexcept nogil:
    return seat + 1 if seat + 1 < n else 0


cdef inline int play_trick(table_t* t, const duties_t* d, trick_t* trick, int leader, int n_moves,
                           const int n) noexcept nogil:
    """One trick with ``n`` seats; the seat that takes it."""
    cdef pack_t cards[10]
    cdef int seat = leader, winner = leader, k
    lead(t, d, trick, seat, n_moves)
    if n == 4:                                 # the common table, written out
        seat = (leader + 1) & 3
        cards[1] = follow(t, d, trick, seat, 1, n_moves + 1)
        seat = (leader + 2) & 3
        cards[2] = follow(t, d, trick, seat, 2, n_moves + 2)
        seat = (leader + 3) & 3
        cards[3] = follow(t, d, trick, seat, 3, n_moves + 3)
        winner += (cards[1] == trick.best) + 2 * (cards[2] == trick.best) \
            + 3 * (cards[3] == trick.best)
        return winner & 3
    for k in range(1, n):
        seat = next_seat(seat, n)
        cards[k] = follow(t, d, trick, seat, k, n_moves + k)
    for k in range(1, n):
        winner += k * (cards[k] == trick.best)
    return winner - n if winner >= n else winner


cdef inline int play_tricks_of(table_t* t, const contract_t* contract, const int n) noexcept nogil:
    """Play the deal to its end with ``n`` seats. 0, or 1 when told to stop."""
    cdef view_t* v = &t.view
    # Bit 15 is no card: a deal without an early end never has it played.
    cdef pack_t end = contract.end_cards.w[0] if contract.end_cards.w[0] else <pack_t>1 << 15
    cdef duties_t d
    cdef trick_t trick
    cdef int leader = v.leader, seat, turn, winner
    cdef int origin = v.leader if v.declarer == NO_SEAT else v.declarer

    d.trump = v.trump_cards.w[0]
    d.ban = contract.lead_ban.w[0]
    d.forced = contract.forced.w[0]
    d.ruff = d.trump if contract.void_duty == VOID_MUST_RUFF else 0
    for seat in range(n):
        d.who[seat] = <uint32_t>seat | <uint32_t>((seat - origin + n) % n) << 8

    trick.played = 0
    for turn in range(t.variant.hand_size):
        if v.stop[0]:
            return 1
        v.trick_leader = <uint8_t>leader
        v.leaders[turn] = <uint8_t>leader
        winner = play_trick(t, &d, &trick, leader, turn * n, n)
        t.captured[winner] |= trick.cards
        t.face_up[winner].w[0] |= trick.cards & contract.face_up.w[0]
        t.tricks_won[winner] += 1
        v.n_tricks = <uint8_t>(turn + 1)
        leader = winner
        if (end & ~trick.played) == 0:
            break
    v.leaders[v.n_tricks] = <uint8_t>leader
    v.position = 0
    v.trick.w[0] = 0
    v.led.w[0] = 0
    return 0


cdef inline int play_tricks(table_t* t) noexcept nogil:
    """Play a trick contract; four seats, the common table, get a loop of their own."""
    if t.seats == 4:
        return play_tricks_of(t, t.view.contract, 4)
    return play_tricks_of(t, t.view.contract, t.seats)


cdef inline void score_tricks(table_t* t) noexcept nogil:
    """Count the contract's items by seat and turn them into points."""
    cdef const contract_t* c = t.view.contract
    cdef view_t* v = &t.view
    cdef int slot, seat, n, turn
    cdef uint64_t items
    cdef int32_t points
    for seat in range(t.seats):
        items = 0
        points = 0
        for slot in range(c.n_slots):
            if c.slot_kind[slot] == SLOT_TRICKS:
                n = t.tricks_won[seat]
            elif c.slot_kind[slot] == SLOT_CARDS:
                n = count(t.captured[seat] & c.slot_cards[slot].w[0])
            else:
                n = 0
                for turn in range(v.n_tricks):
                    n += <int>((c.slot_tricks[slot] >> turn) & 1) * (v.leaders[turn + 1] == seat)
            items |= <uint64_t>n << (8 * slot)
            points += n * c.slot_points[slot]
        t.items[seat] = items
        t.points[seat] = points
