"""How ``duck.v1`` judges a hand: points expected in a contract, and how far that is
from what such contracts usually bring. The rules in words stand in ``duck.pyx``.

Estimates are integers in thousandths of a point. Averages and spreads are taken over
1,024 hands drawn from a stream of its own that is the same for ever.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from engine_ext.cards cimport count, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport (
    KIND_LAYOUT, MAX_CONTRACTS, SLOT_CARDS, SLOT_TRICKS, TRUMP_NONE, contract_t, stream_below_u64,
    stream_t, variant_t,
)
from strategies.duck_lanes cimport fill_lanes, lane_t, start_t
from strategies.duck_play cimport both, line_t, read_contract

cdef extern from *:
    """
    enum { HANDS = 1024 };      /* drawn for the averages */
    /* Chance, in thousandths, that a seat captures a single penalty card, by the cards
     * it holds below it in units of a quarter of 13 / 4, apart from its share of all
     * tricks. Rows: it holds the card; it does not, nor one above it; nor it, but one
     * above. From the same fits: first for a card alone of its kind, then for a kind
     * found in several suits. */
    static const int16_t LONE[2][3][5] = {
        {{620, 360, 20, -160, -240}, {0, -20, -50, -90, -140}, {60, 0, -55, -120, -170}},
        {{390, 350, 270, 180, 140}, {-310, -290, -110, 20, 10}, {-180, 0, 100, 70, 45}}};
    """
    int HANDS
    const int16_t LONE[2][3][5]


# What is known of one contract: its play, and what hands bring in it.
cdef struct record_t:
    line_t line
    int64_t spread              # points that `starts` are counted in (layout)
    int64_t declared            # mean with the best trump suit or start rank
    int64_t mean[16]            # mean with each of them
    int64_t deviation           # standard deviation of a hand's estimate


cdef struct judge_t:
    const variant_t* source     # the rules at this address ...
    variant_t variant           # ... were these
    lane_t* lanes               # by holding of a suit
    start_t* starts
    record_t records[32]


cdef inline int64_t root(int64_t square) noexcept nogil:
    """Integer square root, rounded down (Newton from above)."""
    cdef int64_t x = square, y = (square + 1) // 2
    while y < x:
        x = y
        y = (x + square // x) // 2
    return x


cdef inline const lane_t* lane(const judge_t* j, pack_t hand, int suit) noexcept nogil:
    return &j.lanes[(hand >> (16 * suit)) & 0x7fff]


cdef inline int64_t captured(const judge_t* j, pack_t penalty, pack_t hand,
                             int64_t danger) noexcept nogil:
    """Cards of the set ``penalty`` that the hand will capture, in thousandths.

    Of every card, its share of two thirds of the tricks it takes; to this, where most
    of a suit counts, 3/4 of the danger in that suit; else what LONE says."""
    cdef const variant_t* v = &j.variant
    cdef int64_t cards = 650 * danger * count(penalty) // (1000 * v.hand_size)
    cdef pack_t here, held, card, below
    cdef int suit, column, row, kinds = 0
    for suit in range(v.n_suits):
        kinds += ((penalty >> (16 * suit)) & 0xffff) != 0
    for suit in range(v.n_suits):
        here = (penalty >> (16 * suit)) & 0xffff
        if 2 * count(here) >= v.n_ranks:
            cards += 3 * lane(j, hand, suit).danger * count(here) // (4 * v.n_ranks)
            continue
        held = (hand >> (16 * suit)) & 0xffff
        while here:
            card = lowest_bit(here)
            here ^= card
            below = held & (card - 1)
            column = (13 * count(below) * v.n_suits + 2 * v.hand_size) // (4 * v.hand_size)
            row = 0 if held & card else 1 if held ^ below == 0 else 2
            cards += LONE[kinds > 1][row][column if column < 4 else 4]
    return cards


cdef inline int64_t tricks_points(const judge_t* j, const contract_t* c, pack_t hand,
                                  int trump) noexcept nogil:
    """Points of a trick contract, thousandths, apart from a constant."""
    cdef const line_t* line = &j.records[c.id].line
    cdef int64_t danger = 0, late = 0, points = 0, strength = 0, n
    cdef int suit, slot
    for suit in range(j.variant.n_suits):
        danger += lane(j, hand, suit).danger
        late += lane(j, hand, suit).late
        strength += lane(j, hand, suit).trump if suit == trump else lane(j, hand, suit).plain
    if line.take:
        danger = strength
    for slot in range(c.n_slots):
        if c.slot_kind[slot] == SLOT_TRICKS:
            n = danger
        elif c.slot_kind[slot] == SLOT_CARDS:
            if line.take:
                n = danger * count(both(c.slot_cards[slot])) // j.variant.hand_size
            else:
                n = captured(j, both(c.slot_cards[slot]), hand, danger)
        elif line.take:
            n = danger * count(c.slot_tricks[slot]) // j.variant.hand_size
        else:
            # Early tricks say nothing of the hand.
            n = late * count(c.slot_tricks[slot] >> (j.variant.hand_size // 2))
        points += n * c.slot_points[slot]
    return points


cdef inline int64_t layout_points(const judge_t* j, const contract_t* c, pack_t hand,
                                  int start) noexcept nogil:
    """Points of a layout, thousandths, apart from a constant."""
    cdef int64_t worth = 0
    cdef int suit
    for suit in range(j.variant.n_suits):
        worth += j.starts[(hand >> (16 * suit)) & 0x7fff].worth[start]
    return worth * j.records[c.id].spread // 1000


cdef inline int64_t estimate(const judge_t* j, const contract_t* c, pack_t hand,
                             int param) noexcept nogil:
    """Points that the hand brings in a contract with this trump suit or start rank."""
    if c.kind == KIND_LAYOUT:
        return layout_points(j, c, hand, param)
    return tricks_points(j, c, hand, -1 if c.trump_mode == TRUMP_NONE else param)


cdef inline int64_t best_estimate(const judge_t* j, const contract_t* c, pack_t hand,
                                  int* param) noexcept nogil:
    """The same with the best one to name, the first of equals."""
    cdef uint32_t rest = c.params
    cdef int64_t worth, best = 0
    cdef bint first = True
    while rest:
        worth = estimate(j, c, hand, lowest_number(rest))
        if first or worth > best:
            best = worth
            param[0] = lowest_number(rest)
            first = False
        rest &= rest - 1
    return best


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
    cdef pack_t rest, hand
    cdef stream_t stream
    cdef int64_t worth, squares[32]
    cdef int i, k, n_cards = 0, param = 0
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
        hand = drawn_hand(deck, n_cards, v.hand_size, &stream)
        for k in range(v.n_contracts):
            c = &v.contracts[k]
            record = &j.records[k]
            record.declared += best_estimate(j, c, hand, &param)
            worth = estimate(j, c, hand, param)
            for param in range(16 if c.kind == KIND_LAYOUT else v.n_suits):
                record.mean[param] += estimate(j, c, hand, param)
            worth = estimate(j, c, hand, lowest_number(c.params))
            squares[k] += worth * worth // HANDS
    for k in range(v.n_contracts):
        record = &j.records[k]
        record.declared //= HANDS
        for param in range(16):
            record.mean[param] //= HANDS
        worth = record.mean[lowest_number(v.contracts[k].params)]
        record.deviation = root(squares[k] - worth * worth)


cdef inline void read_variant(judge_t* j, const variant_t* v) noexcept nogil:
    """Learn a variant: tables, then averages. A few milliseconds, once."""
    cdef const contract_t* c
    cdef record_t* record
    cdef int64_t mean, square
    cdef int k, place
    j.source = v
    memcpy(&j.variant, v, sizeof(variant_t))
    memset(j.records, 0, sizeof(j.records))
    fill_lanes(j.lanes, j.starts, v.n_ranks, v.n_suits, v.hand_size)
    for k in range(v.n_contracts):
        c = &j.variant.contracts[k]
        record = &j.records[k]
        read_contract(&record.line, c)
        if c.kind == KIND_LAYOUT:
            mean = square = 0
            for place in range(v.seats):
                mean += c.payout[place]
            for place in range(v.seats):
                square += (v.seats * <int64_t>c.payout[place] - mean) \
                    * (v.seats * <int64_t>c.payout[place] - mean)
            # Thousandths: 1000 * sqrt(square / seats) / seats.
            record.spread = root(square * 1000000 // v.seats) // v.seats
    average(j)


cdef inline bint knows(const judge_t* j, const variant_t* v, int deal) noexcept nogil:
    """Whether the tables are of this variant. Compared in full at the start of a game:
    the rules at an address may have been replaced by others."""
    return j.source == v and (deal != 0 or memcmp(&j.variant, v, sizeof(variant_t)) == 0)
