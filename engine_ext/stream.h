/* stream.h - counter-based random numbers, keyed by position, never by history.
 *
 * Philox4x64-10 (Salmon et al. 2011). docs/seeds.md defines the packing of the
 * counter, the slices a decision reads and the shuffle, with worked vectors.
 */
#ifndef BARBU_STREAM_H
#define BARBU_STREAM_H

#include <stdint.h>
#include <string.h>

enum { /* counter word c3 */
    DOMAIN_DEAL = 0,
    DOMAIN_STRATEGY = 1,
    DOMAIN_SCHEDULE = 2,
    DOMAIN_TIE_BREAK = 3,
    DOMAIN_BOOTSTRAP = 4,
    DOMAIN_PILOT = 5
};

#define REPLICATE_OVERFLOW (1u << 23) /* top bit of the 24-bit replicate field */

/* c2 = deal (16 bits) | seat (8) | decision (16) | replicate (24), low to high. */
static inline uint64_t stream_c2(uint32_t deal, uint32_t seat, uint32_t decision,
                                 uint32_t replicate) {
    return (uint64_t)(deal & 0xffffu) | (uint64_t)(seat & 0xffu) << 16 |
           (uint64_t)(decision & 0xffffu) << 24 |
           (uint64_t)(replicate & 0xffffffu) << 40;
}

static inline uint64_t mulhilo(uint64_t a, uint64_t b, uint64_t *hi) {
#if defined(__x86_64__) && defined(__BMI2__)
    /* Compilers keep a 128-bit product in a pair of registers and spend as many moves on
     * the pairs of a Philox block as on its arithmetic. */
    uint64_t low, high;
    __asm__("mulx %3, %0, %1" : "=r"(low), "=r"(high) : "d"(a), "r"(b));
    *hi = high;
    return low;
#else
    unsigned __int128 product = (unsigned __int128)a * b;
    *hi = (uint64_t)(product >> 64);
    return (uint64_t)product;
#endif
}

/* One 256-bit block: out[0..3] for the counter (c0, c1, c2, c3). */
static inline void philox(const uint64_t key[2], uint64_t c0, uint64_t c1,
                          uint64_t c2, uint64_t c3, uint64_t out[4]) {
    uint64_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t hi0, hi1;
        uint64_t lo0 = mulhilo(c0, 0xD2E7470EE14C6C93ull, &hi0);
        uint64_t lo1 = mulhilo(c2, 0xCA5A826395121157ull, &hi1);
        c0 = hi1 ^ c1 ^ k0;
        c2 = hi0 ^ c3 ^ k1;
        c1 = lo1;
        c3 = lo0;
        k0 += 0x9E3779B97F4A7C15ull;
        k1 += 0xBB67AE8584CAA73Bull;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* The random numbers of one seat in one deal. The engine sets `decision` before
 * each question; a strategy only draws. */
typedef struct {
    uint64_t words[4];   /* the block that holds decisions 16 * group .. + 15 */
    uint64_t extra[4];   /* further words of the current decision */
    uint64_t key[2];     /* run key */
    uint64_t block;      /* block index, counter word c1 */
    uint32_t deal;       /* number of the deal in its game */
    uint32_t seat;       /* 0..n-1 */
    uint32_t replicate;  /* 0 under common streams, else the arrangement; < 2^23 */
    uint32_t decision;   /* decisions of this seat in this deal, from 0 */
    int32_t group;       /* decision / 16 that `words` belongs to, -1 none yet */
    uint32_t sliced;     /* decision + 1 whose 16-bit slice is used up, 0 none */
    uint32_t extra_for;  /* decision + 1 that `extra` belongs to, 0 none */
    uint32_t extra_used; /* words of `extra` drawn for it */
    uint64_t unused;     /* 128 bytes: a seat's stream is found by a shift */
} stream_t;

/* Out of line, so that the common draw stays short. */
#define RARELY static __attribute__((noinline, unused))

RARELY void stream_load(stream_t *s, int32_t group) {
    philox(s->key, 1, s->block,
           stream_c2(s->deal, s->seat, (uint32_t)group, s->replicate),
           DOMAIN_STRATEGY, s->words);
    s->group = group;
}

/* The next further 64-bit word of this decision. */
RARELY uint64_t stream_u64(stream_t *s) {
    if (s->extra_for != s->decision + 1) {
        s->extra_for = s->decision + 1;
        s->extra_used = 0;
    }
    if (!(s->extra_used & 3u))
        philox(s->key, 1 + s->extra_used / 4, s->block,
               stream_c2(s->deal, s->seat, s->decision,
                         s->replicate | REPLICATE_OVERFLOW),
               DOMAIN_STRATEGY, s->extra);
    return s->extra[s->extra_used++ & 3u];
}

/* Uniform in 0..n-1 from further words; n >= 1. Lemire 2019, exact. */
RARELY uint64_t stream_below_u64(stream_t *s, uint64_t n) {
    uint64_t hi, lo = mulhilo(stream_u64(s), n, &hi);
    if (lo < n)
        for (uint64_t least = (0 - n) % n; lo < least;)
            lo = mulhilo(stream_u64(s), n, &hi);
    return hi;
}

/* The decision's own 16 bits. */
static inline uint32_t stream_slice(stream_t *s) {
    int32_t group = (int32_t)(s->decision >> 4);
    if (s->group != group) stream_load(s, group);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint16_t slice; /* slice d of the block is its d-th 16-bit word */
    memcpy(&slice, (const char *)s->words + 2 * (s->decision & 15u), 2);
    return slice;
#else
    return (uint32_t)(s->words[(s->decision >> 2) & 3u] >> (16 * (s->decision & 3u))) &
           0xffffu;
#endif
}

/* Uniform in 0..n-1, 1 <= n <= 65536, for a strategy that draws once a decision: its
 * 16 bits, and further words when they are refused. */
static inline uint32_t stream_below_once(stream_t *s, uint32_t n) {
    uint32_t product = stream_slice(s) * n, low = product & 0xffffu;
    if (low >= n || low >= (65536u - n) % n) return product >> 16;
    return (uint32_t)stream_below_u64(s, n);
}

/* 1 and the number in *out if the decision's 16 bits are at hand and serve, which is
 * nearly always; else 0, and stream_below_once gives it. For short paths. */
static inline int stream_at_once(const stream_t *s, uint32_t n, uint32_t *out) {
    uint16_t slice;
    memcpy(&slice, (const char *)s->words + 2 * (s->decision & 15u), 2);
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    return 0;
#endif
    uint32_t product = slice * n;
    *out = product >> 16;
    return (product & 0xffffu) >= n && s->group == (int32_t)(s->decision >> 4);
}

/* The same for any number of draws: the first of a decision takes its 16 bits, every
 * later one further words. */
static inline uint32_t stream_below(stream_t *s, uint32_t n) {
    if (s->sliced == s->decision + 1) return (uint32_t)stream_below_u64(s, n);
    s->sliced = s->decision + 1;
    return stream_below_once(s, n);
}

/* Four words beside those of this decision, for who plays in another's place: the other
 * one's draws stay what they are. */
static inline void stream_aside(const stream_t *s, uint64_t out[4]) {
    philox(s->key, 1ull << 33, s->block,
           stream_c2(s->deal, s->seat, s->decision, s->replicate), DOMAIN_STRATEGY, out);
}

#endif
