"""How ``count.v1`` counts: what is outstanding, what the cards it holds will bring, and what
it is worth to be rid of each.
"""

from libc.stdint cimport int16_t, int64_t, uint64_t

from engine_ext.cards cimport count, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport view_t
from strategies.count_rules cimport (
    FOURTH_STEPS, HIGHER_STEPS, LOWER_STEPS, THIRD_STEPS, T_LATE, T_SIDE, T_TAKE, T_TRUMP,
    W_BASE, W_BELOW, W_OWN, rules_t, weights_t,
)
from strategies.duck_play cimport both


# What one decision rests on.
cdef struct sight_t:
    pack_t hand
    pack_t out              # what the others hold; two copies are one card
    pack_t trump
    int64_t loss            # points a later trick costs on average, 0 or less
    int64_t gain            # points it pays
    int64_t late            # points of late tricks to come that cost
    int64_t now             # points of this trick, apart from its cards
    int left                # tricks to come after this one
    int stage               # how far the deal is, from 3 down to 0
    int holders[4]          # by suit: the others who may hold some of it
    int lane_trump          # suit of trumps, or 4
    int64_t rid[64]         # by card: what it is worth to be rid of it


cdef inline int64_t cards_bring(const rules_t* r, pack_t cards) noexcept nogil:
    """Points of a set of cards."""
    cdef int64_t points = 0
    cdef int k
    for k in range(r.n_sets):
        points += r.points[k] * count(cards & r.cards[k])
    return points


cdef inline void look(sight_t* s, const rules_t* r, const view_t* view) noexcept nogil:
    """What is outstanding, and what later tricks bring on average."""
    cdef pack_t unplayed
    cdef uint64_t coming
    cdef int k, seat, suit, n, seats = view.variant.seats
    cdef int64_t points
    s.hand = both(view.hand)
    s.out = (view.variant.deck.w[0] & ~(view.played.w[0] | view.hand.w[0])) | \
        (view.variant.deck.w[1] & ~(view.played.w[1] | view.hand.w[1]))
    s.trump = both(view.trump_cards)
    s.lane_trump = view.trump if s.trump else 4
    s.left = view.variant.hand_size - view.n_tricks - 1
    s.stage = 0 if s.left <= 3 else 1 if s.left <= 5 else 2 if s.left <= 8 else 3
    unplayed = s.hand | s.out
    s.loss = s.gain = s.late = 0
    s.now = r.trick
    for k in range(r.n_sets):
        points = r.points[k] * count(unplayed & r.cards[k])
        if points < 0:
            s.loss += points
        else:
            s.gain += points
    for k in range(r.n_late):
        if (r.late[k] >> view.n_tricks) & 1:
            s.now += r.late_points[k]
        coming = r.late[k] >> view.n_tricks >> 1
        n = count(coming)
        if r.late_points[k] < 0:
            s.late += r.late_points[k] * n
        else:
            s.gain += r.late_points[k] * n
    n = s.left if s.left else 1
    s.loss //= n
    s.gain //= n
    if r.trick < 0:
        s.loss += r.trick
    else:
        s.gain += r.trick
    for suit in range(view.variant.n_suits):
        n = 0
        for seat in range(seats):
            n += 1 - ((view.voids[seat] >> suit) & 1)
        n -= 1 - ((view.voids[view.seat] >> suit) & 1)
        s.holders[suit] = n if n > 0 else 1


cdef inline const int16_t* row_of(const weights_t* weights, int table, int lower, int higher,
                                  int fourth) noexcept nogil:
    """Chances of a card with so many others below and above, by own cards below it."""
    return weights.chance + (((table * LOWER_STEPS + lower) * HIGHER_STEPS + higher)
                             * FOURTH_STEPS + fourth) * THIRD_STEPS


cdef inline void add_chance(int64_t* costs, int64_t each, const int16_t* row,
                            int under) noexcept nogil:
    """What a card brings, with ``under`` own cards below it and with one less."""
    cdef int less = under - 1
    if under > 3:
        under = less = 3
    elif less < 0:
        less = 0
    costs[0] += each * row[under]
    costs[1] += each * row[less]


cdef inline void weigh_card(int64_t* costs, const sight_t* s, const rules_t* r,
                            const weights_t* weights, pack_t card, int suit,
                            int under) noexcept nogil:
    """Points that an own card is expected to bring, times 2^16: as the hand is, and with one
    card less below it."""
    cdef pack_t out = s.out & (<pack_t>0xffff << (16 * suit)), below = out & (card - 1)
    cdef int lower = r.steps_lower[count(below)], fourth = s.stage, table = T_TAKE
    cdef int higher = r.steps_higher[count(out & ~(card - 1))]
    cdef int64_t each
    costs[0] = costs[1] = 0
    if s.loss:
        each = s.loss * r.w[W_BASE]
        if r.penalty & below:
            each += cards_bring(r, r.penalty & below) * r.w[W_BELOW]
        if card & r.penalty:
            each += cards_bring(r, card) * r.w[W_OWN]
        add_chance(costs, each, row_of(weights, r.avoid, lower, higher, s.stage), under)
    if s.late:
        each = s.late * r.w[W_BASE]
        add_chance(costs, each, row_of(weights, T_LATE, lower, higher, s.stage), under)
    if s.gain:
        each = s.gain * r.w[W_BASE]
        if r.prize & below:
            each += cards_bring(r, r.prize & below) * r.w[W_BELOW]
        if card & r.prize:
            each += cards_bring(r, card) * r.w[W_OWN]
        if suit == s.lane_trump:
            table = T_TRUMP
        elif s.trump:
            table = T_SIDE
            fourth = (count(s.out & s.trump) + 2) // 3
            fourth = fourth if fourth < 3 else 3
        add_chance(costs, each, row_of(weights, table, lower, higher, fourth), under)


cdef inline void weigh_hand(sight_t* s, const rules_t* r, const weights_t* weights) noexcept nogil:
    """For each own card, what the hand gains if it is gone."""
    cdef pack_t rest, card
    cdef int suit, i, k
    cdef int64_t costs[16][2]
    cdef int numbers[16]
    cdef int64_t more
    for suit in range(4):
        rest = s.hand & (<pack_t>0xffff << (16 * suit))
        i = 0
        while rest:
            card = lowest_bit(rest)
            rest ^= card
            numbers[i] = lowest_number(card)
            weigh_card(costs[i], s, r, weights, card, suit, i)
            i += 1
        more = 0
        for k in range(i - 1, -1, -1):
            s.rid[numbers[k]] = (more - costs[k][0]) >> 6
            more += costs[k][1] - costs[k][0]
