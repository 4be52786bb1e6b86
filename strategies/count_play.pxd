"""How ``count.v1`` plays to a trick: every legal card gets a score, the best is played."""

from libc.stdint cimport int64_t, uint32_t

from engine_ext.cards cimport count, lane_of, lowest_bit, lowest_number, pack_t
from engine_ext.policy cimport VOID_FREE, view_t
from strategies.count_hand cimport cards_bring, look, sight_t, weigh_hand
from strategies.count_rules cimport (
    W_DRAW, W_DUMP, W_EMPTY, W_EMPTY_LEAD, W_EXIT, W_FORCE, W_GUARD, W_HIGH, W_HIGH_LEAD,
    W_LONG, W_LONG_LEAD, W_NOW, W_NOW_LEAD, W_OPEN, W_TURN, W_TURN_LEAD, W_UNDER, rules_t,
    weights_t,
)
from strategies.duck_play cimport both

cdef extern from *:
    """
    /* (1 - 1/m)^k in 1,024ths: none of k cards is with one of m players. */
    static const int16_t NONE_OF[10][16] = {
        {1024, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {1024, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0},
        {1024, 683, 455, 303, 202, 135, 90, 60, 40, 27, 18, 12, 8, 5, 4, 2},
        {1024, 768, 576, 432, 324, 243, 182, 137, 103, 77, 58, 43, 32, 24, 18, 14},
        {1024, 819, 655, 524, 419, 336, 268, 215, 172, 137, 110, 88, 70, 56, 45, 36},
        {1024, 853, 711, 593, 494, 412, 343, 286, 238, 198, 165, 138, 115, 96, 80, 66},
        {1024, 878, 752, 645, 553, 474, 406, 348, 298, 256, 219, 188, 161, 138, 118, 101},
        {1024, 896, 784, 686, 600, 525, 460, 402, 352, 308, 269, 236, 206, 180, 158, 138},
        {1024, 910, 809, 719, 639, 568, 505, 449, 399, 355, 315, 280, 249, 221, 197, 175},
    };
    static inline int none_of(int players, int cards) {
        return NONE_OF[players][cards < 15 ? cards : 15];
    }
    """
    int none_of(int players, int cards) noexcept nogil


# What is the same for all candidates of a suit in this trick.
cdef struct trick_t:
    pack_t led              # the suit of the trick as a set, 0 on lead
    pack_t best             # the card that wins so far
    int64_t table           # points of its cards so far
    int64_t dump            # points a player who cannot follow is expected to throw
    int n_later             # players after me
    uint32_t later[10]      # their voids
    bint first_wins         # of two cards alike
    bint ruffs              # those who cannot follow may or must trump


cdef inline void read_trick(trick_t* t, const sight_t* s, const rules_t* r,
                            const view_t* view) noexcept nogil:
    cdef int k, n, seat = view.seat, seats = view.variant.seats
    cdef int64_t miss = 1024
    t.led = both(view.led)
    t.best = both(view.best)
    t.table = cards_bring(r, both(view.trick)) if view.n_trick else 0
    t.first_wins = view.variant.first_wins
    t.n_later = seats - 1 - view.n_trick
    for k in range(t.n_later):
        seat = seat + 1 if seat + 1 < seats else 0
        t.later[k] = view.voids[seat]
    t.dump = 0
    for k in range(r.n_sets):
        if r.points[k] >= 0:
            break
        n = none_of(seats - 1, count(s.out & r.cards[k]))
        t.dump += r.points[k] * (miss * (1024 - n) >> 10) >> 10
        miss = miss * n >> 10
    t.ruffs = s.trump and (s.gain > 0 or view.contract.void_duty != VOID_FREE)


# One candidate: its chance to win (1,024ths), and what the trick then brings.
cdef struct outlook_t:
    int64_t win
    int64_t brings
    int64_t take            # the chance that a later player who may hold its suit can go over
    int64_t empty           # that one of whom nothing is known cannot follow


cdef inline bint goes_over(const trick_t* t, const sight_t* s, pack_t card) noexcept nogil:
    """Whether the card would win the trick so far. Of two alike the later does, unless the
    rules say otherwise."""
    if card & lane_of(t.best):
        return card > t.best or card == t.best and not t.first_wins
    return (card & s.trump) != 0


cdef inline int64_t falls_under(const sight_t* s, const rules_t* r, pack_t below,
                                int suit) noexcept nogil:
    """What each later player who follows is expected to put under the card of what costs."""
    cdef int k = count(below & r.penalty)
    cdef int64_t points
    if not k:
        return 0
    points = cards_bring(r, below & r.penalty)
    points = points * (1024 - none_of(s.holders[suit], k)) // (1024 * k)
    return points * r.w[W_UNDER] >> 6


cdef inline void in_suit(outlook_t* o, const trick_t* t, const sight_t* s, const rules_t* r,
                         pack_t card, int suit) noexcept nogil:
    """A card of the suit that is led, with those to come who follow, trump or throw."""
    cdef pack_t out = s.out & (<pack_t>0xffff << (16 * suit)), below = out & (card - 1)
    cdef int k, n = count(out)
    cdef int64_t over = o.take, duck, ruff = 0, under, hide, dump = t.dump * r.w[W_DUMP] >> 6
    if o.brings < 0:
        # They stay under if they can, some not: a weight, which may overdo it either way.
        duck = none_of(s.holders[suit], count(below)) * o.take >> 10
        over = duck + ((o.take - duck) * r.w[W_OPEN] >> 6)
    if t.ruffs and not card & s.trump:
        ruff = 1024 - none_of(s.holders[s.lane_trump & 3], count(s.out & s.trump))
    under = falls_under(s, r, below, suit)
    if below & r.prize:
        # A card that pays is not thrown away: it falls if its holder has no other.
        o.brings += cards_bring(r, below & r.prize) * r.w[W_UNDER] * \
            (t.n_later if t.n_later < n else n) // (64 * n)
    over = (over * (1024 - o.empty) >> 10) + (ruff * o.empty >> 10)
    hide = (under * (1024 - o.empty) + dump * o.empty) >> 10
    for k in range(t.n_later):
        if (t.later[k] >> suit) & 1:
            if not (t.later[k] >> (s.lane_trump & 3)) & 1:
                o.win -= o.win * ruff >> 10
            o.brings += dump
        else:
            o.win -= o.win * over >> 10
            o.brings += hide


cdef inline void trumped(outlook_t* o, const trick_t* t, int led, int suit) noexcept nogil:
    """A trump on another suit: only those can go over who cannot follow either."""
    cdef int k
    cdef int64_t over
    for k in range(t.n_later):
        if (t.later[k] >> led) & 1:
            over = 0 if (t.later[k] >> suit) & 1 else o.take
        else:
            over = o.empty * o.take >> 10
        o.win -= o.win * over >> 10


cdef inline void foresee(outlook_t* o, const trick_t* t, const sight_t* s, const rules_t* r,
                         pack_t card) noexcept nogil:
    cdef int suit = lowest_number(card) >> 4, led = suit, k, n
    cdef pack_t lane = <pack_t>0xffff << (16 * suit)
    o.win = o.brings = 0
    if t.best and not goes_over(t, s, card):
        return
    o.win = 1024
    o.brings = s.now + t.table + cards_bring(r, card)
    if not t.n_later:
        return
    if t.led:
        led = lowest_number(t.led) >> 4
    k = s.holders[suit]
    if t.led and o.brings >= 0:
        # Who wanted the trick and did not go higher cannot.
        k = 0
        for n in range(t.n_later):
            k += 1 - ((t.later[n] >> suit) & 1)
    o.take = 1024 - none_of(k, count(s.out & lane & ~(card - 1)))
    o.empty = none_of(s.holders[led], count(s.out & (<pack_t>0xffff << (16 * led))))
    if led == suit:
        in_suit(o, t, s, r, card, suit)
    else:
        trumped(o, t, led, suit)


cdef inline int64_t shape(const sight_t* s, const rules_t* r, pack_t card, bint lead,
                          int64_t unit) noexcept nogil:
    """What else speaks for a card: lengths, ranks, guards."""
    cdef int number = lowest_number(card), suit = number >> 4
    cdef pack_t lane = <pack_t>0xffff << (16 * suit)
    cdef pack_t stays = s.hand & lane & ~card, out = s.out & lane
    cdef int64_t score = 0, per = 0
    if out:
        if not stays:
            per += r.w[W_EMPTY_LEAD if lead else W_EMPTY]
        per += r.w[W_LONG_LEAD if lead else W_LONG] * count(stays)
    if not out & (card - 1) and not (card - 1) & stays:
        per += r.w[W_EXIT]
    per += r.w[W_HIGH_LEAD if lead else W_HIGH] * (number & 15)
    score = per * unit
    if stays & r.penalty & ~(card - 1):
        score += cards_bring(r, stays & r.penalty & ~(card - 1)) * r.w[W_GUARD]
    if lead and out & r.penalty & ~(card - 1):
        score -= cards_bring(r, out & r.penalty & ~(card - 1)) * r.w[W_FORCE]
    if lead and card & s.trump:
        score += unit * r.w[W_DRAW] * (3 * (count(stays) + 1) - count(out))
    return score


cdef inline pack_t best_card(const rules_t* r, const weights_t* weights,
                             const view_t* view) noexcept nogil:
    """The card of the highest score; of equals the first in the order of the pack."""
    cdef pack_t rest = both(view.legal), card, chosen = 0
    cdef sight_t s
    cdef trick_t t
    cdef outlook_t o
    cdef int64_t score, top = 0, unit, turn
    cdef bint lead = view.n_trick == 0
    if rest & (rest - 1) == 0:
        return rest
    look(&s, r, view)
    weigh_hand(&s, r, weights)
    read_trick(&t, &s, r, view)
    unit = (s.gain - s.loss - s.late // (s.left + 1)) >> 3
    turn = s.loss + s.gain + s.late // (s.left + 1)
    while rest:
        card = lowest_bit(rest)
        rest ^= card
        foresee(&o, &t, &s, r, card)
        # 1,024ths of a point times 64
        score = s.rid[lowest_number(card)] * 64
        score += o.win * o.brings * r.w[W_NOW_LEAD if lead else W_NOW]
        score += o.win * turn * r.w[W_TURN_LEAD if lead else W_TURN]
        score += shape(&s, r, card, lead, unit) * 128
        if not chosen or score > top:
            top = score
            chosen = card
    return chosen
