"""What the solver remembers of endings, at the starts of tricks.

An ending is named by the order of the cards among those left, so endings alike but for
ranks are one. What rules or points say of single cards goes into the name.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from engine_ext.cards cimport count, pack_t
from engine_ext.policy cimport mulhilo
from engine_ext.solve_question cimport question_t

cdef extern from *:
    """
    /* The cards of a set as bits 0, 1, ... of their order in another set. */
    static inline uint64_t order_in(uint64_t cards, uint64_t whole) {
    #if defined(__BMI2__)
        return _pext_u64(cards, whole);
    #else
        uint64_t order = 0;
        for (int i = 0; whole; i++, whole &= whole - 1)
            order |= (uint64_t)((cards & whole & (0 - whole)) != 0) << i;
        return order;
    #endif
    }
    """
    pack_t order_in(pack_t cards, pack_t whole) noexcept nogil


cdef enum:
    NO_LEAD = 255


cdef struct known_t:
    uint64_t name[2]
    int32_t low                 # the value is at least this ...
    int32_t high                # ... and at most this
    uint8_t lead                # the lead to try first, by its order in the cards left


cdef struct memory_t:
    known_t* entries
    uint64_t mask               # their number less one
    uint64_t stamp              # of the question, 1..255: other entries are strange


cdef inline void stir(uint64_t* name, uint64_t word) noexcept nogil:
    """Mix a word into both words of a name."""
    cdef uint64_t high, low = mulhilo(name[0] ^ <uint64_t>0x9e3779b97f4a7c15,
                                      word ^ <uint64_t>0xbf58476d1ce4e5b9, &high)
    cdef uint64_t up, down = mulhilo(name[1] ^ <uint64_t>0xa0761d6478bd642f,
                                     word ^ <uint64_t>0xe7037ed1a0b428db, &up)
    name[0] = high ^ low ^ up
    name[1] = up ^ down ^ (low << 32 | low >> 32)


cdef inline void name_ending(const memory_t* m, const question_t* q, const pack_t* hand,
                             int leader, int n_left, pack_t left, uint64_t* name) noexcept nogil:
    """What tells an ending from others of the question: who holds each card of the order,
    how many cards each suit has, who leads."""
    cdef uint64_t a = order_in(hand[0], left), b = 0, c = 0, sizes
    cdef int n = n_left * q.seats, j
    if q.seats > 2:                            # the last hand is what is left
        b = order_in(hand[1], left)
    if q.seats > 3:
        c = order_in(hand[2], left)
    sizes = <uint64_t>(count(left & <pack_t>0xffff) | count(left & <pack_t>0xffff0000) << 4 |
                       count(left & <pack_t>0xffff00000000) << 8) | m.stamp << 56
    if n <= 20 and q.n_classes <= 3:
        name[0] = a | b << 20 | c << 40 | <uint64_t>leader << 60
        name[1] = sizes
        for j in range(1, q.n_classes):
            name[1] |= order_in(q.classes[j] & left, left) << (20 * j - 4)
        return
    # More does not fit: longer endings are told apart by 128 bits of a hash.
    name[0] = a
    name[1] = sizes | <uint64_t>leader << 48 | <uint64_t>n << 50
    stir(name, b)
    stir(name, c)
    for j in range(1, q.n_classes):
        stir(name, order_in(q.classes[j] & left, left))


cdef inline known_t* place_of(const memory_t* m, const uint64_t* name) noexcept nogil:
    cdef uint64_t high, low = mulhilo(name[0] ^ (name[1] >> 29 | name[1] << 35),
                                      <uint64_t>0x9e3779b97f4a7c15, &high)
    return &m.entries[(high ^ low) & m.mask]


cdef inline bint is_named(const known_t* e, const uint64_t* name) noexcept nogil:
    return e.name[0] == name[0] and e.name[1] == name[1]


cdef inline void remember(const memory_t* m, const uint64_t* name, int32_t bound, int32_t goal,
                          int32_t down, int32_t up, uint8_t lead) noexcept nogil:
    """Note a bound found for a goal, and the lead that decided it; the entry of another
    ending gives way."""
    cdef known_t* e = place_of(m, name)
    if not is_named(e, name):
        e.name[0] = name[0]
        e.name[1] = name[1]
        e.low = down
        e.high = up
        e.lead = NO_LEAD
    if bound >= goal:
        e.low = bound
    else:
        e.high = bound
    if lead != NO_LEAD:
        e.lead = lead


cdef inline void forget(memory_t* m) noexcept nogil:
    """Another question: what was known is strange to it."""
    if m.stamp == 255:
        memset(m.entries, 0, (m.mask + 1) * sizeof(known_t))
        m.stamp = 0
    m.stamp += 1
