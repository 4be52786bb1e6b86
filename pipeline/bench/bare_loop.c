/* bare_loop.c - the yardstick: how many deals a core plays with nothing around them.
 *
 * One trick contract written straight down: every trick -2, every heart -2, no
 * heart led while anything else is held. Four seats play random legal cards; no
 * rules are looked up, nobody is called, nothing is recorded. What the engine
 * adds to this is the price of being general, so its speed is given as a share
 * of this one, measured in the same minute on the same core.
 *
 * Plain on purpose, and kept as it is: dealing from a constant pack and a winner
 * found without the suit's mask on the way make it 1.4 times as fast, and every
 * ratio ever printed would mean something else.
 *
 *   bare_loop MODE DEALS FIRST     MODE is deal or play
 *
 * prints {"deals": n, "seconds": s, "points": p, "seen": "x"}; seconds are
 * processor time, points the sum over all seats (-52 a deal in mode play, else 0).
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 4, RANKS = 13, CARDS = 52, HEARTS = 2 };

/* Card: bit 16 * suit + rank. */
static inline uint64_t lane(int suit) { return 0x1fffull << (16 * suit); }

/* A counter through a 64 x 64 multiplication folded to 64 bits, as wyrand does. */
static inline uint64_t draw(uint64_t *counter) {
    uint64_t c = *counter += 0x9e3779b97f4a7c15ull;
    __uint128_t product = (__uint128_t)c * (c ^ 0xd1b54a32d192ed03ull);
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* 0..n-1 from 32 random bits; the bias of n / 2^32 is of no matter here. */
static inline uint32_t below(uint32_t bits, uint32_t n) {
    return (uint32_t)(((uint64_t)bits * n) >> 32);
}

static inline uint64_t any_of(uint64_t cards, uint32_t bits) {
    uint32_t nth = below(bits, (uint32_t)_mm_popcnt_u64(cards));
    return _pdep_u64(1ull << nth, cards);
}

/* Fisher-Yates from the top, two swaps a draw. */
static inline void deal(uint64_t *counter, uint64_t hands[SEATS]) {
    uint8_t card[CARDS];
    for (int i = 0; i < CARDS; i++) card[i] = (uint8_t)(16 * (i / RANKS) + i % RANKS);
    for (int top = CARDS - 1; top > 0; top -= 2) {
        uint64_t bits = draw(counter);
        uint32_t j = below((uint32_t)bits, top + 1);
        uint8_t kept = card[top];
        card[top] = card[j];
        card[j] = kept;
        if (top > 1) {
            j = below((uint32_t)(bits >> 32), top);
            kept = card[top - 1];
            card[top - 1] = card[j];
            card[j] = kept;
        }
    }
    memset(hands, 0, SEATS * sizeof *hands);
    for (int i = 0; i < CARDS; i++) hands[i / RANKS] |= 1ull << card[i];
}

/* Points of the table, which is their sum over the seats. */
static inline int play(uint64_t *counter, uint64_t hands[SEATS], int leader) {
    uint64_t captured[SEATS] = {0};
    int n_tricks[SEATS] = {0};
    for (int t = 0; t < RANKS; t++) {
        uint64_t bits = draw(counter);
        uint64_t free_to_lead = hands[leader] & ~lane(HEARTS);
        uint64_t best = any_of(free_to_lead ? free_to_lead : hands[leader], (uint32_t)bits);
        uint64_t led = lane(__builtin_ctzll(best) >> 4), trick = best;
        int winner = leader;
        hands[leader] ^= best;
        for (int k = 1; k < SEATS; k++) {
            int seat = (leader + k) & 3;
            uint64_t follows = hands[seat] & led;
            bits = ((bits << 23) | (bits >> 41)) * 0xd1342543de82ef95ull;
            uint64_t card = any_of(follows ? follows : hands[seat], (uint32_t)(bits >> 32));
            hands[seat] ^= card;
            trick |= card;
            uint64_t of_suit = card & led;
            if (of_suit > best) {
                best = of_suit;
                winner = seat;
            }
        }
        captured[winner] |= trick;
        n_tricks[winner]++;
        leader = winner;
    }
    int points = 0;
    for (int seat = 0; seat < SEATS; seat++)
        points -= 2 * n_tricks[seat] + 2 * (int)_mm_popcnt_u64(captured[seat] & lane(HEARTS));
    return points;
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 4 || (strcmp(argv[1], "deal") && strcmp(argv[1], "play"))) {
        fprintf(stderr, "usage: bare_loop deal|play DEALS FIRST\n");
        return 2;
    }
    int plays = argv[1][0] == 'p';
    long n = atol(argv[2]), first = atol(argv[3]), points = 0;
    uint64_t seen = 0; /* keeps the compiler from leaving the dealing out */
    double start = processor_seconds();
    for (long d = first; d < first + n; d++) {
        uint64_t counter = (uint64_t)d * 0xa0761d6478bd642full, hands[SEATS];
        deal(&counter, hands);
        if (plays) points += play(&counter, hands, (int)(d & 3));
        seen ^= hands[0] ^ hands[1];
    }
    double seconds = processor_seconds() - start;
    printf("{\"deals\": %ld, \"seconds\": %.9f, \"points\": %ld, \"seen\": \"%llx\"}\n",
           n, seconds, points, (unsigned long long)seen);
    return 0;
}
