"""How ``duck.v1`` judges a hand: points expected in a contract, and how far that is
from what such contracts usually bring. The rules in words stand in ``duck.pyx``.

Estimates are integers in thousandths of a point. Averages and spreads are taken over
1,024 hands drawn from a stream of its own that is the same for ever.

Where points are to be avoided, a hand is expected to take, in each item that costs
points: of tricks, its ``danger``; of late tricks, its ``late`` for each (early ones say
nothing of the hand); of a set of cards, for each card 0.65 / hand size of its danger,
and to this, where half of a suit or more counts, 3/4 of the danger in that suit by
the share of the suit that counts, else what LONE says of each card. Where all is to be
taken, it is expected to take its ``plain`` (``trump``) of tricks, and of everything
else in proportion.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from engine_ext.cards cimport count, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport (
    KIND_LAYOUT, MAX_CONTRACTS, SLOT_CARDS, SLOT_TRICKS, TRUMP_NONE, contract_t, stream_below_u64,
    stream_t, variant_t,
)
from strategies.duck_lanes cimport fill_lanes, lane_t, root, start_t
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


# A penalty card alone of its kind, or nearly.
cdef struct lone_t:
    pack_t card
    pack_t below                # lower cards of its suit
    pack_t above
    int kinds                   # row of LONE
    int64_t points


# What is known of one contract: its play, and what hands bring in it.
cdef struct record_t:
    line_t line
    int64_t per_trick           # thousandths of a point for a trick taken, in all
    int64_t per_late            # for each late trick that counts
    int64_t per_suit[4]         # for the danger in a suit
    int n_lone
    lone_t lone[64]
    int64_t spread              # a layout: standard deviation of the payout, thousandths
    int64_t declared            # mean with the best trump suit or start rank
    int64_t mean[16]            # mean with each of them
    int64_t deviation           # standard deviation of a hand's estimate


cdef struct judge_t:
    const variant_t* source     # the rules at this address were compared in this game
    variant_t variant           # what the tables are of
    lane_t* lanes               # by holding of a suit
    start_t* starts
    int column[128]             # of LONE, by the number of lower cards
    int usual[16]               # mean worth of a hand by start rank
    record_t records[32]


# A hand, looked up.
cdef struct hand_t:
    pack_t cards
    const lane_t* lane[4]
    int64_t danger
    int64_t late
    int64_t plain


cdef inline void look_up(const judge_t* j, pack_t cards, hand_t* hand) noexcept nogil:
    cdef int suit
    hand.cards = cards
    hand.danger = hand.late = hand.plain = 0
    for suit in range(j.variant.n_suits):
        hand.lane[suit] = &j.lanes[(cards >> (16 * suit)) & 0x7fff]
        hand.danger += hand.lane[suit].danger
        hand.late += hand.lane[suit].late
        hand.plain += hand.lane[suit].plain


cdef inline int64_t avoided(const judge_t* j, const record_t* r, const hand_t* hand) noexcept nogil:
    """Points of a contract of penalties."""
    cdef int64_t points = r.per_trick * hand.danger + r.per_late * hand.late
    cdef const lone_t* lone
    cdef int i, suit, row
    for suit in range(j.variant.n_suits):
        points += r.per_suit[suit] * hand.lane[suit].danger
    points //= 1000
    for i in range(r.n_lone):
        lone = &r.lone[i]
        row = 0 if hand.cards & lone.card else 2 if hand.cards & lone.above else 1
        points += lone.points * LONE[lone.kinds][row][j.column[count(hand.cards & lone.below)]]
    return points


cdef inline void weigh_starts(const judge_t* j, pack_t cards, int16_t* worth) noexcept nogil:
    """worth[0..15]: the hand by start rank, hundredths of the payout's deviation."""
    cdef const start_t* lane
    cdef int suit, rank
    memset(worth, 0, 16 * sizeof(int16_t))
    for suit in range(j.variant.n_suits):
        lane = &j.starts[(cards >> (16 * suit)) & 0x7fff]
        for rank in range(16):
            worth[rank] += lane.worth[rank]


cdef inline int64_t layout_points(const judge_t* j, const record_t* r, pack_t cards,
                                  uint32_t ranks, int* start) noexcept nogil:
    """Points of a layout with the best of the start ranks ``ranks``, the first of equals."""
    cdef int16_t worth[16]
    cdef int rank, gain, best = -32768
    weigh_starts(j, cards, worth)
    for rank in range(j.variant.n_ranks):
        gain = worth[rank] - j.usual[rank]
        if (ranks >> rank) & 1 and gain > best:
            best = gain
            start[0] = rank
    return best * r.spread // 100


cdef inline int64_t estimate(const judge_t* j, const contract_t* c, const hand_t* hand,
                             uint32_t params, int* param) noexcept nogil:
    """Points that a hand brings in a contract, in thousandths apart from a constant,
    with the best of the trump suits or start ranks ``params``: ``param``."""
    cdef const record_t* r = &j.records[c.id]
    cdef int64_t gain, best = 0
    cdef int suit
    param[0] = lowest_number(params)
    if c.kind == KIND_LAYOUT:
        return layout_points(j, r, hand.cards, params, param)
    if not r.line.take:
        return avoided(j, r, hand)
    if c.trump_mode == TRUMP_NONE:
        return r.per_trick * hand.plain // 1000
    for suit in range(j.variant.n_suits):
        if (params >> suit) & 1:
            gain = hand.lane[suit].trump - hand.lane[suit].plain
            if suit == lowest_number(params) or gain > best:
                best = gain
                param[0] = suit
    return r.per_trick * (hand.plain + best) // 1000


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
    r.spread = root(square * 1000000 // seats) // seats


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
    cdef pack_t hands[1024]
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
                    squares[k] += worth * worth // HANDS
    for k in range(v.n_contracts):
        record = &j.records[k]
        record.declared //= HANDS
        for p in range(16):
            record.mean[p] //= HANDS
        record.deviation = root(squares[k] - record.mean[0] * record.mean[0])


cdef inline void read_variant(judge_t* j, const variant_t* v) noexcept nogil:
    """Learn a variant: tables, then averages. A few milliseconds, once."""
    cdef record_t* record
    cdef int k
    memcpy(&j.variant, v, sizeof(variant_t))
    memset(j.records, 0, sizeof(j.records))
    memset(j.usual, 0, sizeof(j.usual))
    fill_lanes(j.lanes, j.starts, v.n_ranks, v.n_suits, v.hand_size)
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


cdef inline void know(judge_t* j, const variant_t* v) noexcept nogil:
    """See to it that the tables are of this variant. Compared once a game: other rules
    may have come to the same address."""
    if j.source == v:
        return
    j.source = v
    if (j.variant.seats != v.seats or j.variant.hand_size != v.hand_size
            or j.variant.n_suits != v.n_suits or j.variant.n_ranks != v.n_ranks
            or j.variant.deck.w[0] != v.deck.w[0] or j.variant.deck.w[1] != v.deck.w[1]
            or j.variant.n_contracts != v.n_contracts
            or memcmp(j.variant.contracts, v.contracts, v.n_contracts * sizeof(contract_t))):
        read_variant(j, v)
