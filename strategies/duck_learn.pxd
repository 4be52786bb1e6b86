"""What ``duck.v1`` works out of a variant once, before it judges hands in it: what each
contract pays for, and what an average hand brings.

The averages are over 1,024 hands drawn from a stream with key 0, the same for ever.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcmp, memcpy, memset

from engine_ext.cards cimport count, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport (
    KIND_LAYOUT, SLOT_CARDS, SLOT_TRICKS, contract_t, stream_below_u64, stream_t, variant_t,
)
from strategies.duck_judge cimport (
    estimate, hand_t, judge_t, look_up, record_t, weigh_starts,
)
from strategies.duck_lanes cimport root, tables_for
from strategies.duck_play cimport both, read_contract

cdef enum:
    HANDS = 1024


cdef inline void add_cards(judge_t* j, record_t* r, pack_t penalty, int64_t points) noexcept nogil:
    """A set of cards that costs ``points`` each."""
    cdef const variant_t* v = &j.variant
    cdef pack_t here, lane, rest
    cdef int suit, kinds = 0
    r.per_trick += 650 * points * count(penalty) // v.hand_size
    for suit in range(v.n_suits):
        kinds += (penalty >> (16 * suit)) & 0xffff != 0
    for suit in range(v.n_suits):
        lane = <pack_t>0xffff << (16 * suit)
        here = penalty & lane
        if 2 * count(here) >= v.n_ranks:
            r.per_suit[suit] += 750 * points * count(here) // v.n_ranks
            continue
        while here and r.n_lone < 64:
            rest = lowest_bit(here)
            here ^= rest
            r.lone[r.n_lone].card = rest
            r.lone[r.n_lone].below = lane & (rest - 1)
            r.lone[r.n_lone].above = lane & ~(rest | (rest - 1))
            r.lone[r.n_lone].kinds = kinds > 1
            r.lone[r.n_lone].points = points
            r.n_lone += 1


cdef inline void read_tricks(judge_t* j, record_t* r, const contract_t* c) noexcept nogil:
    """What a trick contract pays for, item by item, in thousandths of a point."""
    cdef int slot, n
    cdef int64_t points
    for slot in range(c.n_slots):
        points = c.slot_points[slot]
        if c.slot_kind[slot] == SLOT_TRICKS:
            r.per_trick += 1000 * points
        elif r.line.take:
            n = count(c.slot_tricks[slot])
            if c.slot_kind[slot] == SLOT_CARDS:
                n = count(both(c.slot_cards[slot]))
            r.per_trick += 1000 * points * n // j.variant.hand_size
        elif c.slot_kind[slot] == SLOT_CARDS:
            add_cards(j, r, both(c.slot_cards[slot]), points)
        else:
            r.per_late += 1000 * points * count(c.slot_tricks[slot] >> (j.variant.hand_size // 2))


cdef inline void read_payout(judge_t* j, record_t* r, const contract_t* c) noexcept nogil:
    """The standard deviation of a layout's payout."""
    cdef int place, seats = j.variant.seats
    cdef int64_t total = 0, square = 0
    for place in range(seats):
        total += c.payout[place]
    for place in range(seats):
        square += (seats * c.payout[place] - total) * (seats * c.payout[place] - total)
    # In this order no payout that a file may state overflows.
    r.spread = 10 * root(square * 10000 // seats) // seats


cdef inline pack_t drawn_hand(const uint8_t* deck, int n_cards, int hand_size,
                              stream_t* stream) noexcept nogil:
    """A hand of the first ``hand_size`` places of a shuffle."""
    cdef uint8_t order[128]
    cdef uint8_t card
    cdef pack_t hand = 0
    cdef int i, k
    memcpy(order, deck, n_cards)
    for i in range(hand_size):
        k = i + <int>stream_below_u64(stream, n_cards - i)
        card = order[k]
        order[k] = order[i]
        hand |= <pack_t>1 << card
    return hand


cdef inline void average(judge_t* j) noexcept nogil:
    """Means and deviations of every contract's estimates over the drawn hands."""
    cdef const variant_t* v = &j.variant
    cdef const contract_t* c
    cdef record_t* record
    cdef uint8_t deck[128]
    cdef pack_t rest
    cdef pack_t hands[HANDS]
    cdef int16_t starts[16]
    cdef hand_t hand
    cdef stream_t stream
    cdef int64_t worth
    cdef int64_t squares[32]
    cdef int i, k, p, param, n_cards = 0
    for i in range(2):                      # a second copy is one more card of its place
        rest = v.deck.w[i]
        while rest:
            deck[n_cards] = <uint8_t>lowest_number(rest)
            n_cards += 1
            rest &= rest - 1
    memset(&stream, 0, sizeof(stream_t))
    memset(squares, 0, sizeof(squares))
    for i in range(HANDS):
        stream.decision = <uint32_t>i
        hands[i] = drawn_hand(deck, n_cards, v.hand_size, &stream)
        weigh_starts(j, hands[i], starts)
        for p in range(16):
            j.usual[p] += starts[p]
    for p in range(16):
        j.usual[p] //= HANDS
    for i in range(HANDS):
        look_up(j, hands[i], &hand)
        for k in range(v.n_contracts):
            c = &v.contracts[k]
            record = &j.records[k]
            record.declared += estimate(j, c, &hand, c.params, &param)
            for p in range(v.n_ranks if c.kind == KIND_LAYOUT else v.n_suits):
                worth = estimate(j, c, &hand, <uint32_t>1 << p, &param)
                record.mean[p] += worth
                if p == 0:
                    squares[k] += (worth // 16) * (worth // 16) // HANDS
    for k in range(v.n_contracts):
        record = &j.records[k]
        record.declared //= HANDS
        for p in range(16):
            record.mean[p] //= HANDS
        worth = record.mean[0] // 16
        # A deviation of nothing, where no hand differs from another, comes out as 16.
        record.deviation = 16 * (1 + root(squares[k] - worth * worth))


cdef inline bint read_variant(judge_t* j, const variant_t* v) noexcept nogil:
    """Learn a variant: tables, then averages. A few milliseconds, once. False, and
    nothing learnt, if there is no memory for the tables."""
    cdef record_t* record
    cdef int k
    j.tables = tables_for(v.n_ranks, v.n_suits, v.hand_size)
    if j.tables == NULL:
        return False
    memcpy(&j.variant, v, sizeof(variant_t))
    memset(j.records, 0, sizeof(j.records))
    memset(j.usual, 0, sizeof(j.usual))
    for k in range(128):
        j.column[k] = (13 * k * v.n_suits + 2 * v.hand_size) // (4 * v.hand_size)
        if j.column[k] > 4:
            j.column[k] = 4
    for k in range(v.n_contracts):
        record = &j.records[k]
        if v.contracts[k].kind == KIND_LAYOUT:
            read_payout(j, record, &v.contracts[k])
        else:
            read_contract(&record.line, &v.contracts[k])
            read_tricks(j, record, &v.contracts[k])
    average(j)
    return True


cdef inline bint know(judge_t* j, const variant_t* v) noexcept nogil:
    """See to it that what is known is of this variant; False if it cannot be. Compared
    once a game: other rules may have come to the same address."""
    if j.source == v:
        return True
    if (j.tables == NULL
            or j.variant.seats != v.seats or j.variant.hand_size != v.hand_size
            or j.variant.n_suits != v.n_suits or j.variant.n_ranks != v.n_ranks
            or j.variant.deck.w[0] != v.deck.w[0] or j.variant.deck.w[1] != v.deck.w[1]
            or j.variant.n_contracts != v.n_contracts
            or memcmp(j.variant.contracts, v.contracts, v.n_contracts * sizeof(contract_t))):
        if not read_variant(j, v):
            return False
    j.source = v
    return True
