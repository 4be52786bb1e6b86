"""Set operations, inline. The only place where compiled code knows that the cards
of one pack are the bits 16 * suit + rank of a 64-bit word (``pack_t``); the second
word of a ``cardset_t`` is for second copies.
"""

from libc.stdint cimport uint64_t

from engine_ext.policy cimport cardset_t

ctypedef uint64_t pack_t

cdef extern from *:
    """
    #include <assert.h>
    #include <stdint.h>
    #if defined(__BMI2__)
    #include <immintrin.h>
    #endif
    #include "policy.h"

    #define LANE 0xffffull

    static inline int count(uint64_t set) { return __builtin_popcountll(set); }
    static inline int lowest_number(uint64_t set) { return __builtin_ctzll(set); }
    static inline int highest_number(uint64_t set) { return 63 - __builtin_clzll(set); }
    static inline uint64_t lowest_bit(uint64_t set) { return set & (0 - set); }

    /* The k-th card of the set in order of number, k from 0 below count(set). */
    static inline uint64_t nth_card(uint64_t set, uint32_t k) {
    #if defined(__BMI2__)
        return _pdep_u64(1ull << k, set);
    #else
        /* Vigna's broadword select: byte sums, the byte, then the bit in it. */
        uint64_t s = set - ((set >> 1) & 0x5555555555555555ull);
        s = (s & 0x3333333333333333ull) + ((s >> 2) & 0x3333333333333333ull);
        s = ((s + (s >> 4)) & 0x0f0f0f0f0f0f0f0full) * 0x0101010101010101ull;
        uint64_t steps = k * 0x0101010101010101ull;
        uint64_t below = ((((steps | 0x8080808080808080ull) - s) &
                           0x8080808080808080ull) >> 7);
        uint32_t place = (uint32_t)((below * 0x0101010101010101ull) >> 53) & ~7u;
        uint32_t rest = k - (uint32_t)(((s << 8) >> place) & 0xffu);
        uint64_t byte = (set >> place) & 0xffu;
        while (rest--) byte &= byte - 1;
        return (byte & (0 - byte)) << place;
    #endif
    }

    /* Ranks present in any suit, as a 15-bit set. */
    static inline uint32_t ranks_of(uint64_t set) {
        set |= set >> 32;
        return (uint32_t)((set | set >> 16) & LANE);
    }
    /* Lowest, highest card by rank; among equals the first suit. Not for 0. */
    static inline uint64_t lowest_rank(uint64_t set) {
        return lowest_bit(set & (0x0001000100010001ull << __builtin_ctz(ranks_of(set))));
    }
    static inline uint64_t highest_rank(uint64_t set) {
        return lowest_bit(set &
                          (0x0001000100010001ull << (31 - __builtin_clz(ranks_of(set)))));
    }
    /* The whole lane of a card's suit. */
    static inline uint64_t lane_of(uint64_t card) {
        return LANE << (__builtin_ctzll(card) & 48);
    }
    static inline cardset_t one_pack(uint64_t set) {
        cardset_t s = {{set, 0}};
        return s;
    }
    #define LIKELY(x) __builtin_expect(!!(x), 1)
    static inline void check(int truth) { assert(truth); (void)truth; }
    """
    int count(pack_t set) noexcept nogil
    int lowest_number(pack_t set) noexcept nogil
    int highest_number(pack_t set) noexcept nogil
    pack_t lowest_bit(pack_t set) noexcept nogil
    pack_t nth_card(pack_t set, unsigned int k) noexcept nogil
    unsigned int ranks_of(pack_t set) noexcept nogil
    pack_t lowest_rank(pack_t set) noexcept nogil
    pack_t highest_rank(pack_t set) noexcept nogil
    pack_t lane_of(pack_t card) noexcept nogil
    cardset_t one_pack(pack_t set) noexcept nogil
    void check(bint truth) noexcept nogil
    bint LIKELY(bint truth) noexcept nogil
