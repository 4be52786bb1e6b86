"""Worlds: the hidden hands filled in, uniformly over all deals that agree with what was shown.

Never card after card to a seat that may hold it: that favours some deals as soon as two seats
lack something. How many cards of each class go where is drawn by the number of deals behind
each answer; then which cards.

To use it: ``begin_worlds`` once; for each decision ``plan_worlds`` and as often as wanted
``draw_world``; ``end_worlds`` at last. Worlds belong to one thread.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free

from engine_ext.cards cimport pack_t
from engine_ext.dice cimport dice_t
from engine_ext.policy cimport view_t
from engine_ext.shown cimport read_believing, read_shown
from engine_ext.shown_facts cimport EVERY_SEAT, shown_t
from engine_ext.worlds_draw cimport roll_part, take_some
from engine_ext.worlds_plan cimport lay_out, plan_t, row_t
from engine_ext.worlds_ways cimport (
    MAX_ROWS, count_all, fewest, most, step_t, take_back_step, take_step, ways_t, ways_to_pick,
)


cdef enum:
    MOST_ODD = 16               # n_worlds goes through every subset of so many


cdef struct worlds_t:
    shown_t shown
    plan_t plan
    ways_t ways
    double n_ways               # in which classes and free cards go to rows


cdef inline void begin_worlds(worlds_t* w) noexcept nogil:
    """Worlds that nothing was planned of yet."""
    w.ways.points = NULL
    w.ways.mask = 0


cdef inline void end_worlds(worlds_t* w) noexcept nogil:
    """Give back what memory was asked for."""
    free(w.ways.points)
    w.ways.points = NULL


cdef inline bint arrange(worlds_t* w) noexcept nogil:
    """Plan for what ``shown`` says; False if there is no such deal."""
    w.n_ways = count_all(&w.ways) if lay_out(&w.plan, &w.ways, &w.shown) else 0
    return w.n_ways > 0


cdef inline bint plan_worlds(worlds_t* w, const view_t* view) noexcept nogil:
    """Work out what ``view`` shows. False if no deal agrees with it, as a position can have it
    that was set up by hand; or if there are too many ways to count."""
    read_shown(&w.shown, view)
    if arrange(w):
        return True
    if not view.variant.honour:
        return False
    read_believing(&w.shown, view, False)      # somebody revoked
    return arrange(w)


cdef inline double deals_planned(const worlds_t* w) noexcept nogil:
    """How many deals the plan has, before what only whole hands can tell."""
    cdef double deals = w.n_ways
    cdef const row_t* r
    cdef int row, i, n
    if deals == 0:
        return 0
    for row in range(w.plan.n_rows):
        r = &w.plan.rows[row]
        n = r.n_cards
        for i in range(r.n_seats):
            deals *= ways_to_pick(n, w.plan.need[r.seat[i]])
            n -= w.plan.need[r.seat[i]]
    return deals


cdef inline double share_of(const shown_t* s, int subset) noexcept nogil:
    """How often the deals in which no card of these sets is held count among those that have
    all that only whole hands can tell: inclusion and exclusion."""
    cdef double share = 1
    cdef int seat, k, n, apart, least
    for k in range(s.n_some):
        if (subset >> k) & 1:
            share = -share
    for seat in range(s.seats):
        n = apart = 0
        for k in range(s.n_passes):
            if s.passes[k].seat == seat:
                n += 1
                apart += (subset >> (s.n_some + k)) & 1
        least = n - s.spare[seat] if n else 0  # of its passes so many were forced upon it
        if least <= 0:
            share = 0 if apart else share
        elif apart < least:
            return 0
        else:
            share *= ways_to_pick(apart - 1, least - 1) * (-1 if (apart - least) & 1 else 1)
    return share


cdef inline double deals_agreeing(worlds_t* w) noexcept nogil:
    """How many deals agree where whole hands are looked at. The plan is made again."""
    cdef shown_t shown = w.shown
    cdef int n = shown.n_some + shown.n_passes, subset, k
    cdef double share, deals = 0
    for subset in range(1 << n):
        share = share_of(&shown, subset)
        if share == 0:
            continue
        for k in range(n):
            if (subset >> k) & 1 and k < shown.n_some:
                w.shown.lacks[shown.some[k].seat] |= shown.some[k].cards
            elif (subset >> k) & 1:
                w.shown.lacks[shown.passes[k - shown.n_some].seat] |= \
                    shown.passes[k - shown.n_some].cards
        if arrange(w):
            deals += share * deals_planned(w)
        w.shown = shown
    arrange(w)
    return deals


cdef inline double n_worlds(worlds_t* w) noexcept nogil:
    """How many deals agree with all that was shown; more where a layout was so odd that to
    count them would take too long."""
    cdef int odd = w.shown.n_some + w.shown.n_passes
    return deals_agreeing(w) if 0 < odd <= MOST_ODD else deals_planned(w)


cdef inline bint agree(const shown_t* s, const pack_t* hands) noexcept nogil:
    """Whether hands have what no plan can say."""
    cdef int could[EVERY_SEAT]
    cdef int k
    for k in range(s.n_some):
        if not hands[s.some[k].seat] & s.some[k].cards:
            return False
    if s.n_passes:
        for k in range(s.seats):
            could[k] = 0
        for k in range(s.n_passes):
            could[s.passes[k].seat] += (hands[s.passes[k].seat] & s.passes[k].cards) != 0
        for k in range(s.n_passes):
            if could[s.passes[k].seat] > s.spare[s.passes[k].seat]:
                return False
    return True


cdef inline int draw_share(ways_t* ways, dice_t* dice, int step, int left, uint64_t* rows,
                           double* here) noexcept nogil:
    """How many cards the row of a step gets, by the deals behind each number; the step is
    taken. ``here``: ways from it on, then from the next on."""
    cdef double at = roll_part(dice, here[0]), part
    cdef uint64_t then
    cdef int n, last = most(ways, step, left), share = 0
    for n in range(fewest(ways, step, left), last + 1):
        then = rows[0]
        part = take_step(ways, step, left, n, &then)
        take_back_step(ways, step, left, n)
        if part <= 0:                          # never, whatever sums were rounded to
            continue
        share = n
        part *= ways_to_pick(left, n)
        if at < part:
            break
        at -= part
    here[0] = take_step(ways, step, left, share, rows)
    return share


cdef inline void draw_classes(worlds_t* w, dice_t* dice, pack_t* rows) noexcept nogil:
    """Cards of each class, and the free ones, to the rows."""
    cdef ways_t* ways = &w.ways
    cdef const step_t* s
    cdef pack_t cards = 0, some
    cdef double here = w.n_ways
    cdef uint64_t key = ways.start
    cdef int need[MAX_ROWS]
    cdef int step, n, left = 0, i = 0, row
    for row in range(w.plan.n_rows):
        need[row] = ways.need[row]
    for step in range(ways.n_steps):
        s = &ways.steps[step]
        if s.first:
            cards = w.plan.classes[i].cards
            left = s.n
            i += 1
        n = draw_share(ways, dice, step, left, &key, &here)
        some = take_some(dice, cards, left, n)
        rows[s.row] |= some
        cards ^= some
        left -= n
        if s.other >= 0:
            rows[s.other] |= cards
    cards = w.plan.free
    left = w.plan.n_free
    for row in range(w.plan.n_rows):
        if row + 1 < w.plan.n_rows:
            some = take_some(dice, cards, left, ways.need[row])
        else:
            some = cards
        rows[row] |= some
        cards ^= some
        left -= ways.need[row]
        ways.need[row] = need[row]


cdef inline void draw_once(worlds_t* w, dice_t* dice, pack_t* hands) noexcept nogil:
    """A deal of the plan."""
    cdef plan_t* p = &w.plan
    cdef pack_t rows[MAX_ROWS]
    cdef pack_t some
    cdef int row, seat, i, left
    for seat in range(w.shown.seats):
        hands[seat] = p.known[seat]
    for row in range(p.n_rows):
        rows[row] = p.rows[row].cards
    draw_classes(w, dice, rows)
    for row in range(p.n_rows):
        left = p.rows[row].n_cards
        for i in range(p.rows[row].n_seats):
            seat = p.rows[row].seat[i]
            if i + 1 == p.rows[row].n_seats:
                some = rows[row]
            else:
                some = take_some(dice, rows[row], left, p.need[seat])
            hands[seat] |= some
            rows[row] ^= some
            left -= p.need[seat]


cdef inline void draw_world(worlds_t* w, dice_t* dice, pack_t* hands) noexcept nogil:
    """One world: the hands of all seats, the viewer's own too."""
    draw_once(w, dice, hands)
    while not agree(&w.shown, hands):
        draw_once(w, dice, hands)
