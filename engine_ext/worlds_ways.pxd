"""In how many ways classes of cards can go to rows of seats.

A class is a set of cards that the same rows may hold; a row takes a certain number of cards
from all classes together. Class after class, row after row: how many of its cards go there.
The number of ways from each point on is found once and remembered; the draw of a world goes
down the same steps.

Only sums and products of whole numbers: exact below 2^53, the same on every machine beyond.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef extern from *:
    """
    /* Pascal's triangle, row n from n * (n + 1) / 2 on. */
    enum { MOST_CARDS = 128 };
    static double BINOMIALS[(MOST_CARDS + 1) * (MOST_CARDS + 2) / 2];
    static __attribute__((constructor)) void fill_binomials(void) {
        double *row = BINOMIALS, *above = BINOMIALS;
        for (int n = 0; n <= MOST_CARDS; above = row, row += ++n)
            for (int k = 0; k <= n; k++)
                row[k] = k == 0 || k == n ? 1.0 : above[k - 1] + above[k];
    }
    static inline double ways_to_pick(int n, int k) {
        return BINOMIALS[n * (n + 1) / 2 + k];
    }
    """
    # Subsets of k cards among n.
    double ways_to_pick(int n, int k) noexcept nogil


cdef enum:
    MAX_ROWS = 9
    MAX_STEPS = 1024
    SMALL = 1024                # numbers kept in place; more in a table of their own
    MOST_POINTS = 1 << 20       # remembered in that


# One row's share of a class.
cdef struct step_t:
    int row
    int other                   # the last row of the class, which gets the rest; -1 later
    int n                       # cards of the class
    int first                   # the same in its first step; else 0
    uint32_t place              # dense: where its numbers begin, and the stride of cards left
    uint32_t left_stride


# A point and what is known of it.
cdef struct point_t:
    uint64_t rows               # cards that each row still takes, 7 bits each
    double ways
    uint32_t step               # + 1; 0: nothing stands here


cdef struct ways_t:
    int n_rows
    int need[MAX_ROWS]          # cards each row still takes; changes while it is counted
    int n_steps
    step_t steps[MAX_STEPS + 1]
    bint dense
    uint64_t stride[MAX_ROWS]
    uint64_t start
    double small[SMALL]         # -1: not counted yet
    point_t* points
    uint64_t mask               # room for so many points less one
    uint64_t n_points
    bint too_many
    double (*count)(ways_t* w, int step, int left, uint64_t rows) noexcept nogil


cdef inline double free_ways(const ways_t* w) noexcept nogil:
    """Ways to deal out cards that everybody may hold, as many as are still taken."""
    cdef double ways = 1
    cdef int row, n = w.need[0]
    for row in range(1, w.n_rows):
        n += w.need[row]
        ways *= ways_to_pick(n, w.need[row])
    return ways


cdef inline uint64_t slot_of(const ways_t* w, int step, uint64_t rows) noexcept nogil:
    """Where a point stands among ``points``, or would."""
    cdef uint64_t at = (rows * <uint64_t>0x9e3779b97f4a7c15) ^ \
        (<uint64_t>step * <uint64_t>0xbf58476d1ce4e5b9)
    at = (at ^ at >> 32) & w.mask
    while w.points[at].step and (w.points[at].step != <uint32_t>step + 1 or
                                 w.points[at].rows != rows):
        at = (at + 1) & w.mask
    return at


cdef inline bint make_room(ways_t* w, uint64_t room) noexcept nogil:
    """A larger table with the same points."""
    cdef point_t* old = w.points
    cdef uint64_t n = w.mask + 1 if old != NULL else 0, i
    w.points = <point_t*>calloc(room, sizeof(point_t))
    if w.points == NULL:
        w.points = old
        return False
    w.mask = room - 1
    for i in range(n):
        if old[i].step:
            w.points[slot_of(w, old[i].step - 1, old[i].rows)] = old[i]
    free(old)
    return True


cdef inline double known_ways(const ways_t* w, int step, int left, uint64_t rows) noexcept nogil:
    """What is remembered of a point; -1 if nothing is."""
    cdef const step_t* s = &w.steps[step]
    cdef uint64_t at
    if w.dense:
        return w.small[s.place + rows + left * s.left_stride]
    at = slot_of(w, step, rows)
    return w.points[at].ways if w.points[at].step else -1


cdef inline void remember_ways(ways_t* w, int step, int left, uint64_t rows,
                               double ways) noexcept nogil:
    cdef const step_t* s = &w.steps[step]
    cdef point_t* p
    if w.dense:
        w.small[s.place + rows + left * s.left_stride] = ways
        return
    if w.n_points * 2 > w.mask and not make_room(w, 2 * (w.mask + 1)) or \
            w.n_points == MOST_POINTS:
        w.too_many = True
        return
    p = &w.points[slot_of(w, step, rows)]
    p.rows = rows
    p.ways = ways
    p.step = <uint32_t>step + 1
    w.n_points += 1


cdef inline double ways_from(ways_t* w, int step, int left, uint64_t rows) noexcept nogil:
    """Ways from a step on, with ``left`` cards of its class left."""
    cdef double ways
    if step == w.n_steps:
        return free_ways(w)
    ways = known_ways(w, step, left, rows)
    return ways if ways >= 0 else w.count(w, step, left, rows)


cdef inline double take_step(ways_t* w, int step, int left, int n, uint64_t* rows) noexcept nogil:
    """``n`` of ``left`` cards go to the row of a step: ways from there on. ``rows`` is moved."""
    cdef const step_t* s = &w.steps[step]
    w.need[s.row] -= n
    rows[0] -= <uint64_t>n * w.stride[s.row]
    left -= n
    if s.other >= 0:
        w.need[s.other] -= left
        rows[0] -= <uint64_t>left * w.stride[s.other]
        left = w.steps[step + 1].first
    return ways_from(w, step + 1, left, rows[0])


cdef inline void take_back_step(ways_t* w, int step, int left, int n) noexcept nogil:
    cdef const step_t* s = &w.steps[step]
    w.need[s.row] += n
    if s.other >= 0:
        w.need[s.other] += left - n


cdef inline int fewest(const ways_t* w, int step, int left) noexcept nogil:
    """How many cards of its class the row of a step gets at least."""
    cdef int other = w.steps[step].other
    return left - w.need[other] if other >= 0 and left > w.need[other] else 0


cdef inline int most(const ways_t* w, int step, int left) noexcept nogil:
    cdef int need = w.need[w.steps[step].row]
    return need if need < left else left


cdef inline double count_ways(ways_t* w, int step, int left, uint64_t rows) noexcept nogil:
    """The sum over all numbers of cards that the row of a step may get."""
    cdef double ways = 0
    cdef uint64_t then
    cdef int n
    if w.too_many:
        return 0
    for n in range(fewest(w, step, left), most(w, step, left) + 1):
        then = rows
        ways += ways_to_pick(left, n) * take_step(w, step, left, n, &then)
        take_back_step(w, step, left, n)
    remember_ways(w, step, left, rows, ways)
    return ways


cdef inline void choose_memory(ways_t* w) noexcept nogil:
    """Number the points: in place if they are few, else by what each row still takes."""
    cdef uint64_t layer = 1, place = 0
    cdef int row, i
    for row in range(w.n_rows):                # the last row's need follows from the others'
        w.stride[row] = layer if row < w.n_rows - 1 else 0
        if row < w.n_rows - 1 and layer <= SMALL:
            layer *= <uint64_t>w.need[row] + 1
    for i in range(w.n_steps):
        w.steps[i].place = <uint32_t>place
        w.steps[i].left_stride = 0 if w.steps[i].first else <uint32_t>layer
        place += layer if w.steps[i].first else layer * <uint64_t>(w.steps[i].n + 1)
        if place > SMALL:
            break
    w.dense = place <= SMALL
    if w.dense:
        for i in range(<int>place):
            w.small[i] = -1
        return
    for row in range(w.n_rows):
        w.stride[row] = <uint64_t>1 << (7 * row)
    w.n_points = 0
    if w.points != NULL:
        memset(w.points, 0, (w.mask + 1) * sizeof(point_t))
    elif not make_room(w, 1 << 12):
        w.too_many = True


cdef inline double count_all(ways_t* w) noexcept nogil:
    """All ways, once rows and steps are set up; 0 also if there are too many points."""
    cdef double ways
    cdef int row
    w.too_many = False
    w.count = count_ways
    w.start = 0
    if w.n_steps == 0:
        return free_ways(w)
    choose_memory(w)
    if w.too_many:
        return 0
    for row in range(w.n_rows):
        w.start += <uint64_t>w.need[row] * w.stride[row]
    ways = ways_from(w, 0, w.steps[0].first, w.start)
    return 0 if w.too_many else ways
