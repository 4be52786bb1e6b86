"""How ``duck.v1`` judges a hand: points expected in a contract, and how far that is
from what such contracts usually bring. The rules in words stand in ``duck.pyx``.

Estimates are integers in thousandths of a point. Averages and spreads are taken over
1,024 hands drawn once (``duck_learn.pxd``).

Where points are to be avoided, a hand is expected to take, in each item that costs
points: of tricks, its ``danger``; of late tricks, its ``late`` for each (early ones say
nothing of the hand); of a set of cards, for each card 0.65 / hand size of its danger,
and to this, where half of a suit or more counts, 3/4 of the danger in that suit by
the share of the suit that counts, else what LONE says of each card. Where all is to be
taken, it is expected to take its ``plain`` (``trump``) of tricks, and of everything
else in proportion.
"""

from libc.stdint cimport int16_t, int64_t, uint32_t
from libc.string cimport memset

from engine_ext.cards cimport count, lowest_number, pack_t
from engine_ext.policy cimport KIND_LAYOUT, TRUMP_NONE, contract_t, variant_t
from strategies.duck_lanes cimport lane_t, start_t, tables_t
from strategies.duck_play cimport line_t

cdef extern from *:
    """
    /* Chance, in thousandths, that a seat captures a single penalty card, on top of its
     * share of all tricks. Columns: how many lower cards of the suit it holds, 0 to 4,
     * scaled to a mean length of 13 / 4. Rows: it holds the card; neither the card nor a
     * higher one; not the card, but a higher one. From the fits of duck_lanes.pxd: first
     * for a card alone of its kind, then for a kind found in several suits. */
    static const int16_t LONE[2][3][5] = {
        {{620, 360, 20, -160, -240}, {0, -20, -50, -90, -140}, {60, 0, -55, -120, -170}},
        {{390, 350, 270, 180, 140}, {-310, -290, -110, 20, 10}, {-180, 0, 100, 70, 45}}};
    """
    const int16_t LONE[2][3][5]


# A penalty card alone of its kind, or nearly.
cdef struct lone_t:
    pack_t card
    pack_t below                # lower cards of its suit
    pack_t above
    int kinds                   # 0: alone of its kind, 1: found in several suits
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
    const tables_t* tables
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
        hand.lane[suit] = &j.tables.lanes[(cards >> (16 * suit)) & 0x7fff]
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
        lane = &j.tables.starts[(cards >> (16 * suit)) & 0x7fff]
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
