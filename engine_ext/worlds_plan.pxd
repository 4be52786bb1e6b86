"""How the unseen cards can lie, worked out once for many worlds: which cards only certain
seats may hold, and what remains for everybody.

Cards that the same seats may hold are a class; seats that are alike for every class are a row,
and what falls to a row is dealt among its seats like any cards.
"""

from libc.stdint cimport uint8_t, uint32_t

from engine_ext.cards cimport count, pack_t
from engine_ext.shown_facts cimport EVERY_SEAT, shown_t
from engine_ext.worlds_ways cimport MAX_ROWS, ways_t


cdef enum:
    MAX_CLASSES = 128


cdef struct class_t:
    pack_t cards
    uint32_t seats              # who may hold them; later on, which rows
    int first_step


cdef struct row_t:
    pack_t cards                # that only its seats may hold
    int n_cards                 # that it gets in all
    int n_seats
    uint8_t seat[MAX_ROWS]


cdef struct plan_t:
    pack_t known[EVERY_SEAT]    # by seat: cards it holds in every world
    int need[EVERY_SEAT]        # and how many more
    uint32_t hidden             # seats that need some
    int n_classes
    class_t classes[MAX_CLASSES]
    pack_t free                 # cards that every row may hold
    int n_free
    int n_rows
    row_t rows[MAX_ROWS]


cdef inline bint give(plan_t* p, int seat, pack_t cards) noexcept nogil:
    """Cards that lie with a seat for certain; False if it cannot hold so many."""
    p.known[seat] |= cards
    p.need[seat] -= count(cards)
    if p.need[seat] == 0:
        p.hidden &= ~(<uint32_t>1 << seat)
    return p.need[seat] >= 0


cdef inline bint take_seats(plan_t* p, const shown_t* s) noexcept nogil:
    """Who needs how many of which cards; False if that does not fit together."""
    cdef pack_t cards = s.unseen
    cdef int seat, needed = 0
    p.hidden = 0
    for seat in range(s.seats):
        p.known[seat] = s.hand if seat == s.viewer else 0
        p.need[seat] = 0 if seat == s.viewer else s.left[seat]
        p.hidden |= <uint32_t>(p.need[seat] != 0) << seat
        needed += p.need[seat]
    if needed != count(cards):
        return False
    for seat in range(s.seats):
        if s.holds[seat]:
            if s.holds[seat] & (s.lacks[seat] | ~cards) or not give(p, seat, s.holds[seat]):
                return False
            cards ^= s.holds[seat]
    p.n_classes = 1
    p.classes[0].cards = cards
    p.classes[0].seats = p.hidden
    return True


cdef inline void split_classes(plan_t* p, int seat, pack_t lacked) noexcept nogil:
    """Apart from each class what a seat lacks of it."""
    cdef class_t* k
    cdef class_t* apart
    cdef pack_t cards
    cdef int i
    for i in range(p.n_classes):
        k = &p.classes[i]
        cards = k.cards & lacked
        if cards == 0:
            continue
        if cards != k.cards:
            apart = &p.classes[p.n_classes]
            p.n_classes += 1
            apart.cards = k.cards ^ cards
            apart.seats = k.seats
            k.cards = cards
        k.seats &= ~(<uint32_t>1 << seat)


cdef inline void drop_class(plan_t* p, int i) noexcept nogil:
    """One class less; the last one stands in its place."""
    p.n_classes -= 1
    p.classes[i] = p.classes[p.n_classes]


cdef inline void merge_classes(plan_t* p) noexcept nogil:
    """Classes of the same seats become one."""
    cdef int i = 0, j
    while i < p.n_classes:
        j = i + 1
        while j < p.n_classes:
            if p.classes[j].seats == p.classes[i].seats:
                p.classes[i].cards |= p.classes[j].cards
                drop_class(p, j)
            else:
                j += 1
        i += 1


cdef inline int lowest_bit_number(uint32_t bits) noexcept nogil:
    """The first seat or row of a set."""
    cdef int i = 0
    while not (bits >> i) & 1:
        i += 1
    return i


cdef inline bint settle(plan_t* p) noexcept nogil:
    """Give away what only one seat may hold, until every class has several; False if a card
    has none."""
    cdef class_t* k
    cdef uint32_t hidden
    cdef int i = 0, seat
    while i < p.n_classes:
        k = &p.classes[i]
        k.seats &= p.hidden
        if k.cards == 0:
            drop_class(p, i)
        elif k.seats == 0:
            return False
        elif k.seats & (k.seats - 1):
            i += 1
        else:
            seat = lowest_bit_number(k.seats)
            hidden = p.hidden
            if not give(p, seat, k.cards):
                return False
            drop_class(p, i)
            if p.hidden != hidden:             # for the others it is one seat less
                i = 0
    merge_classes(p)
    return True


cdef inline bint are_alike(const plan_t* p, int a, int b) noexcept nogil:
    """Whether two seats may hold the same classes."""
    cdef int i
    for i in range(p.n_classes):
        if ((p.classes[i].seats >> a) ^ (p.classes[i].seats >> b)) & 1:
            return False
    return True


cdef inline void make_rows(plan_t* p, int seats) noexcept nogil:
    """Seats alike into one row; classes name rows from here on."""
    cdef row_t* r
    cdef uint32_t rows[MAX_CLASSES]
    cdef int seat, row, i
    p.n_rows = 0
    for i in range(p.n_classes):
        rows[i] = 0
    for seat in range(seats):
        if not (p.hidden >> seat) & 1:
            continue
        row = 0
        while row < p.n_rows and not are_alike(p, seat, p.rows[row].seat[0]):
            row += 1
        r = &p.rows[row]
        if row == p.n_rows:
            p.n_rows += 1
            r.cards = 0
            r.n_cards = r.n_seats = 0
            for i in range(p.n_classes):
                rows[i] |= ((p.classes[i].seats >> seat) & 1) << row
        r.seat[r.n_seats] = <uint8_t>seat
        r.n_seats += 1
        r.n_cards += p.need[seat]
    for i in range(p.n_classes):
        p.classes[i].seats = rows[i]


cdef inline bint part_classes(plan_t* p, ways_t* w) noexcept nogil:
    """Cards of one row go there, cards of all rows are free, the others are classes to be
    counted. False if a row gets more than it holds."""
    cdef uint32_t every = (<uint32_t>1 << p.n_rows) - 1
    cdef class_t* k
    cdef int i = 0, row
    p.free = 0
    w.n_rows = p.n_rows
    w.need[0] = 0
    for row in range(p.n_rows):
        w.need[row] = p.rows[row].n_cards
    while i < p.n_classes:
        k = &p.classes[i]
        if k.seats & (k.seats - 1) == 0:
            row = lowest_bit_number(k.seats)
            p.rows[row].cards |= k.cards
            w.need[row] -= count(k.cards)
            if w.need[row] < 0:
                return False
            drop_class(p, i)
        elif k.seats == every:
            p.free = k.cards
            drop_class(p, i)
        else:
            i += 1
    p.n_free = count(p.free)
    return True


cdef inline void list_steps(plan_t* p, ways_t* w) noexcept nogil:
    """Row after row of class after class, the last two rows of a class in one."""
    cdef int i, row, last, n
    w.n_steps = 0
    for i in range(p.n_classes):
        p.classes[i].first_step = w.n_steps
        n = count(p.classes[i].cards)
        last = -1
        for row in range(p.n_rows):
            if not (p.classes[i].seats >> row) & 1:
                continue
            if last >= 0:
                w.steps[w.n_steps].row = last
                w.steps[w.n_steps].other = -1
                w.steps[w.n_steps].n = n
                w.steps[w.n_steps].first = n if w.n_steps == p.classes[i].first_step else 0
                w.n_steps += 1
            last = row
        w.steps[w.n_steps - 1].other = last
    w.steps[w.n_steps].first = 0


cdef inline bint lay_out(plan_t* p, ways_t* w, const shown_t* s) noexcept nogil:
    """Fill a plan, and what is to be counted; False if no deal has all that is shown."""
    cdef int seat
    if not take_seats(p, s):
        return False
    for seat in range(s.seats):
        if (p.hidden >> seat) & 1 and s.lacks[seat]:
            split_classes(p, seat, s.lacks[seat])
    if not settle(p):
        return False
    make_rows(p, s.seats)
    if not part_classes(p, w):
        return False
    list_steps(p, w)
    return True
