# Numbers of a block summed over axes, and sums of them, their squares and products over blocks.
#
# Cells of a number stand owner by owner: owners are all together (one), members of line-ups or
# entrants. Those who do not play in a block have only zeros in it and are passed over.

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset

cdef enum:
    OF_ALL, OF_MEMBERS, OF_ENTRANTS, N_OWNERS

cdef struct owners_t:
    int64_t n                    # of those who played
    int64_t all                  # of those that there are
    int64_t* who
    uint8_t* there

cdef struct step_t:              # a number summed over one of its axes
    int64_t owners               # whose cells stay apart
    int64_t over                 # who are summed over, OF_ALL: an axis within an owner's cells
    int64_t source               # where the number stands in a block
    int64_t target               # where its sum does
    int64_t outer                # the axis within: places of those before it
    int64_t length               # of the axis
    int64_t inner                # places of those behind it

cdef struct power_t:             # count, sum and sum of squares wanted of cells
    int64_t owners
    int64_t cells                # where they stand in a block
    int64_t width                # of one owner
    int64_t sums                 # where the sums stand

cdef struct product_t:           # sum of products wanted
    int64_t owners
    int64_t n                    # where the factors stand in a block
    int64_t x
    int64_t width
    int64_t sums


cdef inline void note_owner(owners_t* owners, int64_t who) noexcept nogil:
    """He plays in the block."""
    if not owners.there[who]:
        owners.there[who] = 1
        owners.who[owners.n] = who
        owners.n += 1


cdef inline void forget_owners(owners_t* owners) noexcept nogil:
    cdef int64_t i
    for i in range(owners.n):
        owners.there[owners.who[i]] = 0
    owners.n = 0


cdef inline int64_t pieces(const owners_t* owners) noexcept nogil:
    """Into how many pieces a number falls of which only the owners' cells are looked at: as
    many as there are owners, but their cells are all one piece where everybody plays."""
    return 1 if owners.n == owners.all else owners.n


cdef inline int64_t first_of(const owners_t* owners, int64_t piece) noexcept nogil:
    """The owner of the piece's first cells."""
    return 0 if owners.n == owners.all else owners.who[piece]


cdef inline int64_t owners_of_piece(const owners_t* owners) noexcept nogil:
    return owners.all if owners.n == owners.all else 1


# In C, since gcc adds four cells at once only where it is told that arrays do not overlap.
cdef extern from *:
    """
    static void add_to(const int64_t *restrict cells, int64_t width, int64_t *restrict sums) {
        for (int64_t i = 0; i < width; i++)
            sums[i] += cells[i];
    }

    /* Over an axis within: outer x length x inner cells become outer x inner. */
    static inline void sum_over(const int64_t *restrict cells, int64_t outer, int64_t length,
                                int64_t inner, int64_t *restrict sums) {
        for (; outer; outer--, sums += inner, cells += length * inner) {
            for (int64_t i = 0; i < inner; i++)
                sums[i] = cells[i];
            for (int64_t k = 1; k < length; k++)
                for (int64_t i = 0; i < inner; i++)
                    sums[i] += cells[k * inner + i];
        }
    }

    /* The same; the shapes of four seats have loops of their own. */
    static void sum_within(const int64_t *restrict cells, int64_t outer, int64_t length,
                           int64_t inner, int64_t *restrict sums) {
        if (inner == 1 && length == 4)
            sum_over(cells, outer, 4, 1, sums);
        else if (inner == 1)
            sum_over(cells, outer, length, 1, sums);
        else if (inner == 4)
            sum_over(cells, outer, length, 4, sums);
        else if (inner == 16)
            sum_over(cells, outer, length, 16, sums);
        else
            sum_over(cells, outer, length, inner, sums);
    }

    static void add_cell_powers(const int64_t *restrict cells, int64_t width,
                                int64_t *restrict count, int64_t *restrict sum,
                                int64_t *restrict squares) {
        for (int64_t i = 0; i < width; i++) {
            int64_t x = cells[i];
            count[i] += x != 0;
            sum[i] += x;
            squares[i] += x * x;
        }
    }

    static void add_cell_products(const int64_t *restrict n, const int64_t *restrict x,
                                  int64_t width, int64_t *restrict sums) {
        for (int64_t i = 0; i < width; i++)
            sums[i] += n[i] * x[i];
    }
    """
    void add_to(const int64_t* cells, int64_t width, int64_t* sums) noexcept nogil
    void sum_within(const int64_t* cells, int64_t outer, int64_t length, int64_t inner,
                    int64_t* sums) noexcept nogil
    void add_cell_powers(const int64_t* cells, int64_t width, int64_t* count, int64_t* total,
                         int64_t* squares) noexcept nogil
    void add_cell_products(const int64_t* n, const int64_t* x, int64_t width,
                           int64_t* sums) noexcept nogil


cdef inline void take_step(const step_t* s, int64_t* block, const owners_t* owners) noexcept nogil:
    """Sum a number of a block over an axis."""
    cdef int64_t k, at
    cdef int64_t width = s.outer * s.inner
    cdef const owners_t* of
    if s.over == OF_ALL:
        of = &owners[s.owners]
        for k in range(pieces(of)):
            at = first_of(of, k) * width
            sum_within(block + s.source + at * s.length, owners_of_piece(of) * s.outer, s.length,
                       s.inner, block + s.target + at)
        return
    of = &owners[s.over]
    memset(block + s.target, 0, width * sizeof(int64_t))
    for k in range(of.n):
        add_to(block + s.source + of.who[k] * width, width, block + s.target)


cdef inline void add_powers(const power_t* p, const int64_t* block, const owners_t* owners,
                            int64_t* count, int64_t* total, int64_t* squares) noexcept nogil:
    cdef int64_t k, at
    cdef const owners_t* of = &owners[p.owners]
    for k in range(pieces(of)):
        at = first_of(of, k) * p.width
        add_cell_powers(block + p.cells + at, owners_of_piece(of) * p.width,
                        count + p.sums + at, total + p.sums + at, squares + p.sums + at)


cdef inline void add_products(const product_t* p, const int64_t* block, const owners_t* owners,
                              int64_t* sums) noexcept nogil:
    cdef int64_t k, at
    cdef const owners_t* of = &owners[p.owners]
    for k in range(pieces(of)):
        at = first_of(of, k) * p.width
        add_cell_products(block + p.n + at, block + p.x + at, owners_of_piece(of) * p.width,
                          sums + p.sums + at)
