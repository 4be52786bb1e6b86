"""Perfect information: what some seats can make sure of in points, all hands seen.

Two camps, one that wants the points of certain seats and one that does not, both playing
their best. Null windows over alpha-beta; what was found at the starts of tricks is
remembered; of neighbours in a hand (no card of another seat between them, nothing told of
one and not of the other) one is tried. What may be played and what wins are the engine's
own pieces (:mod:`engine_ext.tricks`).

To use it from compiled code: ``ask`` a question, ``begin``; then for each ending fill
``hand``, put cards of the trick down with ``lie``, and take ``value_of`` or
``value_after``. A solver belongs to one thread.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from engine_ext.cards cimport count, lane_of, lowest_number, nth_card, pack_t
from engine_ext.solve_bounds cimport (
    CARDS_ONLY, count_top_trumps, is_safe, is_safe_without_one, lost_leads, points_left, takes_all,
)
from engine_ext.solve_memory cimport (
    NO_LEAD, forget, is_named, known_t, memory_t, name_ending, place_of, remember,
)
from engine_ext.solve_order cimport manner_t, pick_lead, pick_reply
from engine_ext.solve_question cimport has_gains, question_t, trick_points
from engine_ext.tricks cimport PICK, may_follow, may_lead


cdef enum:
    WIDEST = 1 << 30            # beyond any points


# The trick in progress, as the next seat finds it.
cdef struct lying_t:
    pack_t led                  # the whole suit led
    pack_t power                # the suit that wins at the moment
    pack_t best                 # the card that wins at the moment
    pack_t cards
    pack_t left                 # in all hands
    uint32_t seats              # that have played
    int n
    int winner


cdef struct solver_t:
    question_t q
    memory_t memory
    pack_t hand[4]
    int shy                     # the seat that counts where it wants no tricks, since nothing
                                # is a gain, and can duck as it likes (no trumps, nothing
                                # forced out); else 4
    uint64_t n_nodes            # positions looked at
    int64_t sum_of[32]          # values found, by cards in each hand, and how many: their
    int64_t n_of[32]            # mean is where to look first
    # Called through pointers: what calls itself cannot be inlined into itself.
    int32_t (*open_trick)(solver_t* s, int leader, int n_left, int32_t goal) noexcept nogil
    int32_t (*reply)(solver_t* s, int seat, int n_left, int32_t goal,
                     const lying_t* lying) noexcept nogil


cdef inline pack_t next_above(pack_t cards, pack_t gone) noexcept nogil:
    """The first cards above each of ``cards`` that are not ``gone`` (within a lane)."""
    cdef pack_t step = cards << 1
    # A step into a gap starts at its low end: the sum carries it over the gap.
    return ((gone + (step & gone)) | step) & ~gone


cdef inline pack_t distinct(const question_t* q, pack_t cards, pack_t there) noexcept nogil:
    """Of neighbours in a hand that nothing tells apart, the lowest; ``there`` are the cards
    that can come between."""
    cdef pack_t gone = ~there & CARDS_ONLY, doubles = 0, some
    cdef int j
    if q.n_classes == 1:
        return cards & ~next_above(cards, gone)
    for j in range(q.n_classes):
        some = cards & q.classes[j]
        doubles |= some & next_above(some, gone)
    return cards & ~doubles


cdef inline bint settles(int32_t value, int32_t goal, bint wants, int32_t* best) noexcept nogil:
    """Take a card's value to the best so far; whether no other card need be tried."""
    if wants:
        if value > best[0]:
            best[0] = value
        return value >= goal
    if value < best[0]:
        best[0] = value
    return value < goal


cdef inline int next_of(const question_t* q, int seat) noexcept nogil:
    return seat + 1 if seat + 1 < q.seats else 0


cdef inline void lie(const solver_t* s, lying_t* lying, int seat, pack_t card) noexcept nogil:
    """``seat`` lays a card to the trick. (The hand is the caller's.)"""
    if lying.n == 0:
        lying.led = lying.power = lane_of(card)
        lying.best = 0
    else:
        lying.power = PICK(card & s.q.trump, s.q.trump, lying.power)
    if (card & lying.power) > (lying.best & lying.power):
        lying.best = card
        lying.winner = seat
    lying.cards |= card
    lying.left ^= card
    lying.seats |= <uint32_t>1 << seat
    lying.n += 1


cdef inline int32_t last_trick(const solver_t* s, int leader) noexcept nogil:
    """The value when each hand holds one card."""
    cdef pack_t best = s.hand[leader], power = lane_of(best), cards = best, card
    cdef int k, seat = leader, winner = leader
    for k in range(1, s.q.seats):
        seat = next_of(&s.q, seat)
        card = s.hand[seat]
        cards |= card
        power = PICK(card & s.q.trump, s.q.trump, power)
        best &= power
        card &= power
        winner = seat if card > best else winner
        best = card if card > best else best
    return trick_points(&s.q, cards, 1) if (s.q.counted >> winner) & 1 else 0


cdef inline bint is_seen(const solver_t* s, int leader, pack_t left, int32_t down,
                         int32_t* value) noexcept nogil:
    """Whether it can be seen without a search what the shy seat gets: no trick or all."""
    cdef pack_t hand = s.hand[s.shy], others = left ^ hand, leads
    value[0] = 0
    if s.shy != leader:
        return is_safe(hand, others)
    if takes_all(hand, others):
        value[0] = down
        return True
    leads = lost_leads(s.hand, s.q.seats, leader, may_lead(hand, s.q.ban))
    return is_safe_without_one(hand, leads, others)


cdef inline int32_t open_trick(solver_t* s, int leader, int n_left, int32_t goal) noexcept nogil:
    """A bound of the points to come when ``leader`` leads with ``n_left`` cards in each hand:
    if at least ``goal``, they are at least this many; if below it, at most this many."""
    cdef const question_t* q = &s.q
    cdef const known_t* e
    cdef uint64_t name[2]
    cdef pack_t left, leads, card, first = 0
    cdef int32_t up, down, value, best
    cdef int seat
    cdef uint8_t decider = NO_LEAD
    cdef bint wants = (q.wanting >> leader) & 1
    cdef bint high = ((q.greedy >> leader) | (q.idle >> n_left)) & 1
    cdef lying_t lying
    if n_left == 1:
        return last_trick(s, leader)
    left = s.hand[0]
    for seat in range(1, q.seats):
        left |= s.hand[seat]
    points_left(q, left, n_left, &up, &down)
    if q.even and left & q.trump:
        count_top_trumps(q, s.hand, n_left, left & q.trump, &up, &down)
    if down >= goal or up == down:
        return down
    if up < goal:
        return up
    if s.shy < 4 and is_seen(s, leader, left, down, &value):
        return value
    s.n_nodes += 1
    name_ending(&s.memory, q, s.hand, leader, n_left, left, name)
    e = place_of(&s.memory, name)
    if is_named(e, name):
        if e.low >= goal or e.low == e.high:
            return e.low
        if e.high < goal:
            return e.high
        if e.lead != NO_LEAD:
            first = nth_card(left, e.lead)
    leads = distinct(q, may_lead(s.hand[leader], q.ban), left)
    best = -WIDEST if wants else WIDEST
    lying.seats = <uint32_t>1 << leader
    lying.n = 1
    lying.winner = leader
    while leads:
        if first == 0:
            first = pick_lead(q, s.hand, leader, leads, s.shy, high)
        card = first
        first = 0
        leads ^= card
        lying.led = lying.power = lane_of(card)
        lying.best = lying.cards = card
        lying.left = left ^ card
        s.hand[leader] ^= card
        value = s.reply(s, next_of(q, leader), n_left, goal, &lying)
        s.hand[leader] ^= card
        if settles(value, goal, wants, &best):
            decider = <uint8_t>count(left & (card - 1))
            break
    remember(&s.memory, name, best, goal, down, up, decider)
    return best


cdef inline int32_t reply(solver_t* s, int seat, int n_left, int32_t goal,
                          const lying_t* lying) noexcept nogil:
    """As :func:`open_trick`, with cards of the trick lying and ``seat`` to play."""
    cdef const question_t* q = &s.q
    cdef pack_t hand = s.hand[seat], card
    cdef pack_t cards = may_follow(hand, lying.led, q.forced, q.ruff)
    cdef pack_t over
    cdef int32_t value, best, gain
    cdef bint wants = (q.wanting >> seat) & 1
    cdef bint played = not q.counted & ~lying.seats
    cdef manner_t manner
    cdef lying_t then
    s.n_nodes += 1
    cards = distinct(q, cards, lying.left | lying.best)
    # Above the winning card in its suit, or a first trump.
    over = cards & lying.power & ~(lying.best | (lying.best - 1))
    if not lying.power & q.trump:
        over |= cards & q.trump
    # It stays under this trick, and under all that follow.
    if seat == s.shy and is_safe_without_one(hand, cards & ~over, lying.left ^ hand):
        return 0
    manner.greedy = (q.greedy >> seat) & 1
    manner.last = played or lying.n + 1 == q.seats
    manner.free = (q.idle >> n_left) & 1 or (played and not (q.counted >> lying.winner) & 1)
    best = -WIDEST if wants else WIDEST
    then.led = lying.led
    then.seats = lying.seats | <uint32_t>1 << seat
    then.n = lying.n + 1
    while cards:
        card = pick_reply(over & cards, cards & ~over, manner)
        cards ^= card
        s.hand[seat] = hand ^ card
        then.cards = lying.cards | card
        then.left = lying.left ^ card
        if card & over:
            then.power = lane_of(card)
            then.best = card
            then.winner = seat
        else:
            then.power = lying.power
            then.best = lying.best
            then.winner = lying.winner
        if then.n < q.seats:
            value = s.reply(s, next_of(q, seat), n_left, goal, &then)
        else:
            gain = 0
            if (q.counted >> then.winner) & 1:
                gain = trick_points(q, then.cards, n_left)
            value = gain + s.open_trick(s, then.winner, n_left - 1, goal - gain)
        if settles(value, goal, wants, &best):
            break
    s.hand[seat] = hand
    return best


cdef inline int32_t first_goal(const solver_t* s, int n_left, int32_t down,
                               int32_t up) noexcept nogil:
    """Where to look first between two bounds: at the mean of what was found before."""
    cdef int64_t n = s.n_of[n_left]
    cdef int32_t goal = down + (up - down + 1) // 2
    if n:
        goal = <int32_t>((s.sum_of[n_left] + n // 2) // n)
    return up if goal > up else (down + 1 if goal <= down else goal)


cdef inline int32_t value_of(solver_t* s, int seat, const lying_t* lying) noexcept nogil:
    """The points to come for the seats that count, exactly. ``seat`` plays, to the trick that
    lies there or, if none does, on lead; ``lying.left`` is set in any case."""
    cdef int n_left = count(s.hand[seat])
    cdef int32_t down, up, goal, value
    points_left(&s.q, lying.cards | lying.left, n_left, &up, &down)
    goal = first_goal(s, n_left, down, up)
    while down < up:
        if lying.n:
            value = s.reply(s, seat, n_left, goal, lying)
        else:
            value = s.open_trick(s, seat, n_left, goal)
        if value >= goal:
            down = value
            goal = value + 1
        else:
            up = value
            goal = value
    s.sum_of[n_left] += down
    s.n_of[n_left] += 1
    return down


cdef inline int32_t value_after(solver_t* s, int seat, pack_t card,
                                const lying_t* lying) noexcept nogil:
    """The same once ``seat`` has played the card; the trick's points are counted in."""
    cdef lying_t then = lying[0], nothing
    cdef int n_left = count(s.hand[seat])
    cdef int32_t value = 0
    s.hand[seat] ^= card
    lie(s, &then, seat, card)
    if then.n < s.q.seats:
        value = value_of(s, next_of(&s.q, seat), &then)
    else:
        if (s.q.counted >> then.winner) & 1:
            value = trick_points(&s.q, then.cards, n_left)
        if n_left > 1:
            memset(&nothing, 0, sizeof(lying_t))
            nothing.left = then.left
            value += value_of(s, then.winner, &nothing)
    s.hand[seat] ^= card
    return value


cdef inline void begin(solver_t* s) noexcept nogil:
    """After a question was asked: forget what was found for the one before."""
    s.open_trick = open_trick
    s.reply = reply
    s.n_nodes = 0
    memset(s.sum_of, 0, sizeof(s.sum_of))
    memset(s.n_of, 0, sizeof(s.n_of))
    s.shy = 4
    if s.q.trump == 0 and s.q.forced == 0 and count(s.q.counted) == 1 and \
            s.q.counted == s.q.wanting and not has_gains(&s.q):
        s.shy = lowest_number(s.q.counted)
    forget(&s.memory)
