"""Set operations, inline. The only place where compiled code knows how a set of cards lies
in memory.

Every module of the engine is compiled for one pack and, with BARBU_WIDE, once more for two.
A ``pack_t`` has the bits 16 * suit + rank; for two packs it is 128 bits wide, and second
copies stand 64 bits up, as in the two words of a ``cardset_t``. Compiled for one pack, the
second word is never touched.
"""

from engine_ext.policy cimport cardset_t

cdef extern from *:
    """
    #include <assert.h>
    #include <stdint.h>
    #if defined(__BMI2__)
    #include <immintrin.h>
    #endif
    #include "policy.h"

    #define LANE 0xffffull
    #define FIRST_RANKS 0x0001000100010001ull

    /* The k-th bit of a word in order of number, k from 0 below their number. */
    static inline uint64_t nth_bit(uint64_t set, uint32_t k) {
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
    static inline uint32_t ranks_in(uint64_t word) {
        word |= word >> 32;
        return (uint32_t)((word | word >> 16) & LANE);
    }
    static inline uint64_t lowest_in(uint64_t word) {
        word &= FIRST_RANKS << __builtin_ctz(ranks_in(word));
        return word & (0 - word);
    }
    static inline uint64_t highest_in(uint64_t word) {
        word &= FIRST_RANKS << (31 - __builtin_clz(ranks_in(word)));
        return word & (0 - word);
    }
    static inline uint64_t lane_in(uint64_t card) {
        return LANE << (__builtin_ctzll(card) & 48);
    }

    #if !defined(BARBU_WIDE)

    enum { TWO_PACKS = 0, PACK_BITS = 64 };
    typedef uint64_t pack_t;

    static inline pack_t cards_of(cardset_t set) { return set.w[0]; }
    static inline void put(cardset_t *set, pack_t cards) { set->w[0] = cards; }
    static inline void add_to(cardset_t *set, pack_t cards) { set->w[0] |= cards; }
    static inline cardset_t as_set(pack_t cards) {
        cardset_t set = {{cards, 0}};
        return set;
    }
    static inline pack_t beyond_pack(cardset_t set) { return set.w[1]; }
    static inline pack_t card_bit(unsigned number) { return 1ull << (number & 63); }
    static inline int count(pack_t set) { return __builtin_popcountll(set); }
    static inline int lowest_number(pack_t set) { return __builtin_ctzll(set); }
    static inline int highest_number(pack_t set) { return 63 - __builtin_clzll(set); }
    static inline int suit_number(pack_t card) { return __builtin_ctzll(card) >> 4; }
    static inline pack_t nth_card(pack_t set, uint32_t k) { return nth_bit(set, k); }
    static inline uint32_t ranks_of(pack_t set) { return ranks_in(set); }
    static inline pack_t lowest_rank(pack_t set) { return lowest_in(set); }
    static inline pack_t highest_rank(pack_t set) { return highest_in(set); }
    static inline pack_t lane_of(pack_t card) { return lane_in(card); }
    static inline pack_t of_rank(int rank) { return FIRST_RANKS << rank; }
    static inline pack_t alike(pack_t set) { return set; }
    static inline pack_t pairs(pack_t set) { return 0; }
    static inline pack_t meant(pack_t cards, pack_t among) { return cards; }
    static inline pack_t winning(pack_t card, pack_t best, int first_wins) {
        return card > best ? card : best;
    }
    static inline pack_t above(pack_t card, int first_wins) {
        return lane_in(card) & ~(card | (card - 1));
    }

    #else

    enum { TWO_PACKS = 1, PACK_BITS = 128 };
    typedef unsigned __int128 pack_t;

    static inline uint64_t first_copies(pack_t set) { return (uint64_t)set; }
    static inline uint64_t second_copies(pack_t set) { return (uint64_t)(set >> 64); }
    static inline uint64_t merged(pack_t set) { return first_copies(set) | second_copies(set); }
    static inline pack_t both_copies(uint64_t set) { return (pack_t)set << 64 | set; }
    /* Of the copies of one card the first that is in the set. */
    static inline pack_t copy_in(pack_t set, uint64_t card) {
        return first_copies(set) & card ? (pack_t)card : (pack_t)card << 64;
    }

    static inline pack_t cards_of(cardset_t set) { return (pack_t)set.w[1] << 64 | set.w[0]; }
    static inline cardset_t as_set(pack_t cards) {
        cardset_t set = {{first_copies(cards), second_copies(cards)}};
        return set;
    }
    static inline void put(cardset_t *set, pack_t cards) { *set = as_set(cards); }
    static inline void add_to(cardset_t *set, pack_t cards) { put(set, cards_of(*set) | cards); }
    static inline pack_t beyond_pack(cardset_t set) { return 0; }
    static inline pack_t card_bit(unsigned number) { return (pack_t)1 << number; }
    static inline int count(pack_t set) {
        return __builtin_popcountll(first_copies(set)) + __builtin_popcountll(second_copies(set));
    }
    static inline int lowest_number(pack_t set) {
        return first_copies(set) ? __builtin_ctzll(first_copies(set))
                                 : 64 + __builtin_ctzll(second_copies(set));
    }
    static inline int highest_number(pack_t set) {
        return second_copies(set) ? 127 - __builtin_clzll(second_copies(set))
                                  : 63 - __builtin_clzll(first_copies(set));
    }
    static inline int suit_number(pack_t card) { return __builtin_ctzll(merged(card)) >> 4; }
    static inline pack_t nth_card(pack_t set, uint32_t k) {
        uint32_t n = (uint32_t)__builtin_popcountll(first_copies(set));
        return k < n ? (pack_t)nth_bit(first_copies(set), k)
                     : (pack_t)nth_bit(second_copies(set), k - n) << 64;
    }
    static inline uint32_t ranks_of(pack_t set) { return ranks_in(merged(set)); }
    static inline pack_t lowest_rank(pack_t set) { return copy_in(set, lowest_in(merged(set))); }
    static inline pack_t highest_rank(pack_t set) { return copy_in(set, highest_in(merged(set))); }
    static inline pack_t lane_of(pack_t card) { return both_copies(lane_in(merged(card))); }
    static inline pack_t of_rank(int rank) { return both_copies(FIRST_RANKS << rank); }
    static inline pack_t alike(pack_t set) { return both_copies(merged(set)); }
    static inline pack_t pairs(pack_t set) {
        return both_copies(first_copies(set) & second_copies(set));
    }
    static inline pack_t meant(pack_t cards, pack_t among) {
        pack_t others = cards << 64 | cards >> 64;
        return cards & among || !(others & among) ? cards : others;
    }
    static inline pack_t winning(pack_t card, pack_t best, int first_wins) {
        if (card == 0) return best;
        return first_wins ? (merged(card) > merged(best) ? card : best)
                          : (merged(card) >= merged(best) ? card : best);
    }
    static inline pack_t above(pack_t card, int first_wins) {
        uint64_t one = merged(card), higher = lane_in(one) & ~(one | (one - 1));
        return both_copies(first_wins ? higher : higher | one);
    }

    #endif

    static inline pack_t lowest_bit(pack_t set) { return set & (0 - set); }
    static inline cardset_t no_card(void) {
        cardset_t set = {{~0ull, ~0ull}};
        return set;
    }
    #define LIKELY(x) __builtin_expect(!!(x), 1)
    static inline void check(int truth) { assert(truth); (void)truth; }
    """
    const bint TWO_PACKS
    const int PACK_BITS
    # Its size is the C compiler's business. Not by way of uint64_t: Cython would make Python
    # integers of 64 bits.
    ctypedef unsigned long long pack_t

    # Between the border's two words and the engine's own sets.
    pack_t cards_of(cardset_t set) noexcept nogil
    void put(cardset_t* set, pack_t cards) noexcept nogil
    void add_to(cardset_t* set, pack_t cards) noexcept nogil
    cardset_t as_set(pack_t cards) noexcept nogil
    # Not 0 if a set has cards that there cannot be in the pack.
    pack_t beyond_pack(cardset_t set) noexcept nogil
    # An answer that is no card at all: a foul.
    cardset_t no_card() noexcept nogil

    # A card by its number. For one pack a second copy is taken for the first.
    pack_t card_bit(unsigned int number) noexcept nogil
    int count(pack_t set) noexcept nogil
    int lowest_number(pack_t set) noexcept nogil
    int highest_number(pack_t set) noexcept nogil
    int suit_number(pack_t card) noexcept nogil
    pack_t lowest_bit(pack_t set) noexcept nogil
    # The k-th card in order of number, k from 0 below count(set).
    pack_t nth_card(pack_t set, unsigned int k) noexcept nogil
    # Ranks present in any suit, as a 15-bit set.
    unsigned int ranks_of(pack_t set) noexcept nogil
    # Lowest, highest card by rank; among equals the first suit, the first copy. Not for 0.
    pack_t lowest_rank(pack_t set) noexcept nogil
    pack_t highest_rank(pack_t set) noexcept nogil
    # The whole lane of a card's suit, of both copies.
    pack_t lane_of(pack_t card) noexcept nogil
    # A rank in all suits, cards that are not in the deck included.
    pack_t of_rank(int rank) noexcept nogil

    # Cards alike: every copy of the cards of a set; both copies where both are in it.
    pack_t alike(pack_t set) noexcept nogil
    pack_t pairs(pack_t set) noexcept nogil
    # A card that is named by either copy: the one among those, if there is one.
    pack_t meant(pack_t cards, pack_t among) noexcept nogil
    # Which of two cards of a suit wins: the higher, of two alike the later (`card`) or the
    # earlier. 0 does not win.
    pack_t winning(pack_t card, pack_t best, int first_wins) noexcept nogil
    # The cards that would win over a card in its suit.
    pack_t above(pack_t card, int first_wins) noexcept nogil

    void check(bint truth) noexcept nogil
    bint LIKELY(bint truth) noexcept nogil
