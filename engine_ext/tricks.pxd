"""Trick contracts: who may play what, who wins, what was taken.

Written for the branch predictor: what cannot be foreseen (who holds the suit, who
wins) is computed on masks, not decided by jumps.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from engine_ext.cards cimport check, count, lane_of, lowest_number, lowest_rank, one_pack, pack_t
from engine_ext.policy cimport (
    DOMAIN_STRATEGY, NO_SEAT, NO_SUIT, POLICY_DRAWS, SLOT_CARDS, SLOT_TRICKS, VOID_MUST_RUFF,
    cardset_t, contract_t, policy_t, stream_load, stream_t, view_t,
)
from engine_ext.table cimport LIKELY, note_foul, table_t

cdef extern from *:
    """
    #define PICK(test, yes, no) ((test) ? (yes) : (no))
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


cdef inline int play_tricks_of(table_t* t, const contract_t* contract, const int n) noexcept nogil:
    """Play the deal to its end with ``n`` seats. 0, or 1 when told to stop."""
    cdef view_t* v = &t.view
    cdef pack_t trump = v.trump_cards.w[0]
    cdef pack_t ban = contract.lead_ban.w[0]
    cdef pack_t forced = contract.forced.w[0]
    cdef pack_t ruff = trump if contract.void_duty == VOID_MUST_RUFF else 0
    # Bit 15 is no card: a deal without an early end never has it played.
    cdef pack_t end = contract.end_cards.w[0] if contract.end_cards.w[0] else <pack_t>1 << 15
    cdef pack_t visible = contract.face_up.w[0]
    cdef pack_t hand, legal, card, led, power, best, trick, follow, other, played = 0
    cdef pack_t cards[10]
    cdef uint8_t role[10]
    cdef int leader = v.leader, origin, seat, k, winner, number, n_moves = 0, turn, led_suit
    cdef int hand_size = t.variant.hand_size

    origin = v.leader if v.declarer == NO_SEAT else v.declarer
    for seat in range(n):
        role[seat] = <uint8_t>((seat - origin + n) % n)

    for turn in range(hand_size):
        if v.stop[0]:
            return 1
        v.trick_leader = <uint8_t>leader
        v.leaders[turn] = <uint8_t>leader
        seat = leader
        trick = best = led = 0
        led_suit = NO_SUIT
        power = 0
        v.led.w[0] = 0
        v.led_suit = NO_SUIT
        v.trick.w[0] = 0
        for k in range(n):
            hand = t.hand[seat]
            if k == 0:
                legal = hand & ~ban
                legal = PICK(legal, legal, hand)
            else:
                follow = hand & led
                other = hand & ruff
                other = PICK(other, other, hand)
                legal = hand & forced
                other = PICK(legal, legal, other)
                legal = PICK(follow, follow, other)
                v.voids[seat] |= <uint8_t>((follow == 0) << led_suit)
            v.hand.w[0] = hand
            v.legal.w[0] = legal
            v.best.w[0] = best
            v.seat = <uint8_t>seat
            v.role = role[seat]
            v.position = <uint8_t>k
            card = ask_card(t, seat, legal)
            t.hand[seat] = hand ^ card
            cards[k] = card
            number = lowest_number(card)
            if k == 0:
                led = lane_of(card)
                led_suit = number >> 4
                power = led
                v.led.w[0] = led
                v.led_suit = <uint8_t>led_suit
            power = PICK(card & trump, trump, power)
            best = best & power
            card &= power
            best = PICK(card > best, card, best)
            trick |= cards[k]
            played |= cards[k]
            v.trick.w[0] = trick
            v.played.w[0] = played
            v.moves[n_moves] = <uint8_t>number
            n_moves += 1
            v.n_moves = <uint16_t>n_moves
            seat = seat + 1 if seat + 1 < n else 0
        winner = leader
        for k in range(1, n):
            winner += k * (cards[k] == best)
        winner = winner - n if winner >= n else winner
        t.captured[winner] |= trick
        t.face_up[winner].w[0] |= trick & visible
        t.tricks_won[winner] += 1
        v.n_tricks = <uint8_t>(turn + 1)
        leader = winner
        if (end & ~played) == 0:
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
