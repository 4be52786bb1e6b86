"""What ``count.v1`` knows of a contract before a card is played: what each card and each
trick brings, and how its features weigh there.

Points are scaled so that the points of the deal, all taken without their signs, come to
1,024 a trick: weights then mean the same at every table.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

from engine_ext.cards cimport count, pack_t
from engine_ext.policy cimport (
    SLOT_CARDS, SLOT_TRICK_AT, SLOT_TRICKS, contract_t, variant_t, view_t,
)
from strategies.duck_play cimport both

cdef extern from "count_weights.h" nogil:
    enum:
        N_GROUPS
        N_WEIGHTS
        N_TABLES
        LOWER_STEPS
        HIGHER_STEPS
        THIRD_STEPS
        FOURTH_STEPS
    const int32_t COUNT_WEIGHTS[1]
    const int16_t COUNT_CHANCES[1]

# Kinds of items, each with weights of its own.
cdef enum:
    G_TRICKS = 0        # tricks that cost
    G_SUITS = 1         # cards that cost, half of a suit or more
    G_CARDS = 2         # cards that cost, of several suits
    G_SINGLE = 3        # a single card that costs
    G_SEVERAL = 4       # more than one of these
    G_LATE = 5          # certain tricks that cost
    G_TAKE = 6          # whatever pays, without trumps
    G_TRUMPS = 7        # whatever pays, with trumps

# Features, by their place among the weights of a group. 64 is one.
cdef enum:
    W_BASE = 0          # what a later trick brings on average
    W_BELOW = 1         # outstanding penalty cards under a card of mine
    W_OWN = 2           # my own penalty cards
    W_NOW_LEAD = 3      # this trick, when I lead
    W_NOW = 4           # this trick, when I follow
    W_OPEN = 5          # how far others go over although they could stay under
    W_DUMP = 6          # penalty cards thrown by those who cannot follow
    W_UNDER = 7         # penalty cards put under mine by those who can
    W_TURN_LEAD = 8     # to lead again, when I lead
    W_TURN = 9          # to lead next, when I follow
    W_EMPTY_LEAD = 10   # the last card of a suit, led
    W_EMPTY = 11        # the last card of a suit, thrown
    W_LONG_LEAD = 12    # each card of the suit that stays, when I lead
    W_LONG = 13         # each card of the suit that stays, when I throw
    W_HIGH_LEAD = 14    # the rank, when I lead
    W_HIGH = 15         # the rank, when I follow or throw
    W_GUARD = 16        # a card below a penalty card of my own
    W_FORCE = 17        # to lead below a penalty card that others hold
    W_DRAW = 18         # to lead trumps
    W_EXIT = 19         # my last card of a suit with nothing outstanding below

# Tables of chances that a card takes a trick: those of the first five kinds, then
cdef enum:
    T_LATE = 5          # that it takes a late trick, if it is kept until then
    T_TAKE = 6          # where tricks are wanted, without trumps
    T_SIDE = 7          # the same beside a trump suit
    T_TRUMP = 8         # the same of a trump


cdef struct rules_t:
    const contract_t* contract      # NULL: none yet in this game
    int32_t w[32]                   # weights, mixed by what share of the points each kind has
    int64_t trick                   # of each trick
    int n_late
    uint64_t late[8]                # of certain tricks
    int64_t late_points[8]
    int n_sets
    pack_t cards[8]                 # sets of cards, those that cost most first
    int64_t points[8]
    pack_t penalty                  # all that cost
    pack_t prize                    # all that pay
    int avoid                       # table of chances where something costs
    int steps_lower[64]             # steps of the table of chances at this table
    int steps_higher[64]


# What it is compiled from, or is told when it is tuned: N_GROUPS rows of N_WEIGHTS and one for
# layouts; N_TABLES tables in 1,024ths.
cdef struct weights_t:
    int32_t w[256]
    int16_t chance[5600]


cdef inline int kind_of_cards(pack_t cards, const variant_t* v) noexcept nogil:
    cdef int suit, here
    for suit in range(v.n_suits):
        here = count(cards & (<pack_t>0xffff << (16 * suit)))
        if 2 * here >= v.n_ranks:
            return G_SUITS
    return G_SINGLE if count(cards) == 1 else G_CARDS


cdef inline int64_t sort_points(int64_t* share, int* avoid, const view_t* view) noexcept nogil:
    """How many points each kind of item has, without their signs; all of them, at least 1."""
    cdef const contract_t* c = view.contract
    cdef int64_t points, size, total = 0
    cdef int slot, g, n, kinds = 0
    for slot in range(c.n_slots):
        points = c.slot_points[slot]
        if c.slot_kind[slot] == SLOT_TRICKS:
            n = view.variant.hand_size
            g = G_TRICKS
        elif c.slot_kind[slot] == SLOT_CARDS:
            n = count(c.slot_cards[slot].w[0]) + count(c.slot_cards[slot].w[1])
            g = kind_of_cards(both(c.slot_cards[slot]), view.variant)
        elif c.slot_kind[slot] == SLOT_TRICK_AT:
            n = count(c.slot_tricks[slot])
            g = G_LATE
        else:
            continue
        size = (points if points > 0 else -points) * n
        share[g if points < 0 else G_TRUMPS if c.trump_mode else G_TAKE] += size
        total += size
    avoid[0] = G_TRICKS
    for g in range(G_LATE + 1):
        if share[g]:
            kinds += 1
            avoid[0] = g if g < G_SEVERAL else G_TRICKS
    if kinds > 1:
        avoid[0] = G_SEVERAL
        for g in range(G_LATE + 1):
            if g != G_SEVERAL:
                share[G_SEVERAL] += share[g]
                share[g] = 0
    return total if total else 1


cdef inline void add_cards(rules_t* r, pack_t cards, int64_t points) noexcept nogil:
    """A set of cards, at its place by points."""
    cdef int j = r.n_sets
    while j > 0 and r.points[j - 1] > points:
        r.points[j] = r.points[j - 1]
        r.cards[j] = r.cards[j - 1]
        j -= 1
    r.points[j] = points
    r.cards[j] = cards
    r.n_sets += 1
    if points < 0:
        r.penalty |= cards
    else:
        r.prize |= cards


cdef inline void read_rules(rules_t* r, const weights_t* weights, const view_t* view) noexcept nogil:
    """Work out from the contract's numbers how it is played."""
    cdef const contract_t* c = view.contract
    cdef const variant_t* v = view.variant
    cdef int64_t share[8]
    cdef int64_t points, total
    cdef int slot, k, g, n
    memset(r, 0, sizeof(rules_t))
    memset(share, 0, sizeof(share))
    r.contract = c
    total = sort_points(share, &r.avoid, view)
    for k in range(N_WEIGHTS):
        points = 0
        for g in range(N_GROUPS):
            points += share[g] * weights.w[g * N_WEIGHTS + k]
        r.w[k] = <int32_t>(points // total)
    for slot in range(c.n_slots):
        points = 1024 * v.hand_size * <int64_t>c.slot_points[slot] // total
        if c.slot_kind[slot] == SLOT_TRICKS:
            r.trick += points
        elif c.slot_kind[slot] == SLOT_TRICK_AT:
            r.late[r.n_late] = c.slot_tricks[slot]
            r.late_points[r.n_late] = points
            r.n_late += 1
        elif c.slot_kind[slot] == SLOT_CARDS:
            add_cards(r, both(c.slot_cards[slot]), points)
    for k in range(64):
        # A table of four is the measure: a round takes three cards of the others.
        n = (3 * k + (v.seats - 1) // 2) // (v.seats - 1)
        r.steps_lower[k] = n if n < 5 else 5 if n < 7 else 6
        r.steps_higher[k] = n if n < 3 else 3 if n < 5 else 4
