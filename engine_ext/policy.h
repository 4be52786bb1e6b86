/* policy.h - the one border between the engine and a compiled strategy.
 *
 * A strategy fills a policy_t and passes it in a PyCapsule named
 * BARBU_POLICY_CAPSULE. The engine asks without the GIL. Everything a seat may
 * know is in view_t; the rules are in contract_t and variant_t, as numbers.
 *
 * Points are inside points: more is better, whatever the document calls winning.
 */
#ifndef BARBU_POLICY_H
#define BARBU_POLICY_H

#include <stdint.h>

#include "stream.h"

#define BARBU_POLICY_CAPSULE "engine_ext.policy"
#define BARBU_POLICY_ABI 2u

enum {
    MAX_SEATS = 10,
    MAX_SUITS = 4,
    MAX_RANKS = 15,     /* a lane has 16 bits, the top one stays free */
    MAX_CONTRACTS = 32,
    MAX_SLOTS = 8,      /* items counted in a deal */
    MAX_DEALS = 2560,   /* of a game */
    MAX_PLAYS = 128,    /* cards of two packs */
    MAX_MOVES = 2560,   /* of a layout: 2 * seats a card at most */
    NO_SEAT = 255,
    NO_SUIT = 255,
    NO_CONTRACT = 255,
    PASS = 255          /* a move of a layout in which no card was laid */
};

/* A set of cards. Bit 16 * suit + rank of w[0]; w[1] holds second copies and is
 * 0 with one pack. A card's number is its bit (64 more for a second copy). Copies mean the
 * same to everybody: where one is legal so is the other, and either may be the answer. */
typedef struct {
    uint64_t w[2];
} cardset_t;

enum { KIND_TRICK = 0, KIND_LAYOUT = 1 };
enum { SLOT_TRICKS = 0, SLOT_CARDS = 1, SLOT_TRICK_AT = 2, SLOT_PLACE = 3, SLOT_SHOT = 4 };
enum { TRUMP_NONE = 0, TRUMP_DECLARER = 1, TRUMP_DRAWN = 2 };
enum { VOID_FREE = 0, VOID_MUST_RUFF = 1, VOID_MUST_OVERRUFF = 2, VOID_OVERRUFF_ELSE_FREE = 3 };
enum { BEAT_NONE = 0, BEAT_TRUMP_LEADS = 1, BEAT_ALL_LEADS = 2 };
enum { BAN_NOTHING_ELSE = 0, BAN_BROKEN = 1, BAN_TRICK = 2 };
enum { FORCED_VOID = 0, FORCED_VOID_OR_BEATEN = 1, FORCED_FIRST_LEGAL = 2 };
enum { COPIES_SHARED = 0, COPIES_PARALLEL = 1, COPIES_STACK = 2 };
enum { REVOKE_WORSENS = 0, REVOKE_MINUS = 1, REVOKE_SIGNED = 2 };

/* One contract: no strings, no options, only numbers. */
typedef struct {
    uint8_t id;                      /* position in the variant file */
    uint8_t kind;                    /* KIND_ */
    int8_t tone;                     /* -1 negative, 1 positive, 0 mixed */
    uint8_t n_slots;                 /* items counted, 1..MAX_SLOTS */
    uint8_t slot_kind[MAX_SLOTS];    /* SLOT_ */
    int32_t slot_points[MAX_SLOTS];  /* points for one item; 0 for SLOT_PLACE */
    cardset_t slot_cards[MAX_SLOTS]; /* SLOT_CARDS: the cards that count */
    uint64_t slot_tricks[MAX_SLOTS]; /* SLOT_TRICK_AT: bit t = trick t from 0 */
    int32_t total;                   /* points of the whole table */
    uint32_t params;                 /* bit p: trump suit or start rank p may be named;
                                        bit 0 alone where nothing is named */

    /* kind trick */
    uint8_t trump_mode;              /* TRUMP_ */
    uint8_t void_duty;               /* VOID_ */
    uint8_t beat_duty;               /* BEAT_ */
    uint8_t ban_until;               /* BAN_: what lifts the lead ban for all */
    uint8_t ban_trick;               /* BAN_TRICK: the first trick, from 0, it is lifted in */
    uint8_t forced_when;             /* FORCED_ */
    uint8_t forced_highest;          /* of several forced cards one of the highest rank */
    uint8_t plain;                   /* none of the rules from beat_duty to here but 0, and no
                                        first_lead, first_trick_ban, overruffing */
    cardset_t lead_ban;              /* led only from a hand of nothing else, or once lifted */
    cardset_t ban_broken_by;         /* BAN_BROKEN: these, played in an earlier trick, lift it */
    cardset_t forced;                /* must be played; forced_when says when */
    cardset_t first_lead;            /* led to the first trick by a leader who holds any */
    cardset_t first_trick_ban;       /* not played to the first trick while others may be */
    cardset_t end_cards;             /* the deal ends once all are taken; empty: never */
    cardset_t face_up;               /* captured cards that stay visible */
    int32_t trick_points;            /* sum over SLOT_TRICKS */
    cardset_t scoring_cards;         /* union over SLOT_CARDS */
    uint64_t scoring_tricks;         /* union over SLOT_TRICK_AT */
    uint8_t n_card_slots;            /* SLOT_CARDS slots ... */
    uint8_t card_slots[MAX_SLOTS];   /* ... by size of points, ties in file order */
    cardset_t shoot_cards;           /* who takes all of them changes the deal's points; empty:
                                        nobody can */
    int32_t shoot_taker;             /* in place of all other points: that seat's ... */
    int32_t shoot_others;            /* ... and each other seat's */

    /* kind layout */
    uint8_t may_pass;                /* a seat that can lay a card may pass */
    uint8_t stall_forces;            /* a full circle of passes forces the next card */
    uint8_t stall_freezes;           /* a full circle of passes ends the deal */
    uint8_t passes;                  /* may_pass: so many a seat in a deal; 0 no limit */
    uint8_t missing_stalls;          /* a suit without the start card stays closed */
    uint8_t copies;                  /* COPIES_: where cards alike lie */
    uint8_t replay_must;             /* the further turn may not be declined */
    uint8_t lose_turn;               /* an unplayable card costs the turn, no foul */
    uint8_t all_out;                 /* play on until the last hand is empty */
    cardset_t replay;                /* laying one gives a further turn */
    int32_t payout[MAX_SEATS];       /* points by finishing place, first out first */
} contract_t;

/* One variant. Seats count in playing order, so every relation is an offset. */
typedef struct {
    uint8_t seats;                   /* 2..MAX_SEATS */
    uint8_t hand_size;               /* cards dealt to each */
    uint8_t n_suits;
    uint8_t n_ranks;
    cardset_t deck;                  /* every card of the pack */
    cardset_t suit[MAX_SUITS];       /* every rank of a suit, removed cards included */
    uint8_t n_contracts;
    contract_t contracts[MAX_CONTRACTS];

    uint16_t n_deals;                /* of a game */
    uint8_t has_choice;              /* a declarer chooses among what is left */
    uint8_t uses[MAX_CONTRACTS];     /* of each contract for each declarer */
    uint16_t dealership;             /* deals in a row; base(d) = d / dealership mod seats */
    uint8_t dealer_offset;           /* dealer = base + this */
    uint8_t leader_offset;           /* first leader = base + this */
    uint8_t sequence[MAX_DEALS];     /* without choice: contract of each deal */
    int8_t objective;                /* 1, or -1 where the document's lowest wins */

    uint8_t has_doubling;
    uint8_t targets[3];              /* by tone + 1: 0 nobody, 1 declarer, 2 anyone */
    uint8_t declarer_redoubles;      /* the declarer may double those who doubled him */
    uint8_t duty;                    /* doubles of each declarer in all his deals; 0 none */

    uint8_t copies;                  /* packs shuffled together, 1 or 2 */
    uint8_t first_wins;              /* of two cards alike the earlier ranks higher */
    cardset_t leader_card;           /* its holder leads; empty: leader_offset says who */
    uint8_t uses_of_table;           /* uses_left is one stock for all declarers */
    uint8_t extra_contract;          /* of deals that play out a tie; NO_CONTRACT: shared */
    uint8_t max_extra;               /* such deals in a game */
    uint8_t extra_for_all;           /* the best total wins, not only of the tied */
    uint8_t honour;                  /* cards that do not follow suit are accepted ... */
    uint8_t revoke_at_end;           /* ... and proved when the deal is over, not before */
    uint8_t revoke_sign;             /* REVOKE_ */
    uint8_t revoke_keeps;            /* the deal's other points stand */
    uint8_t revoke_replays;          /* the contract is played again */
    uint8_t ban_as_revoke;           /* leading a banned card is a revoke, not a foul */
    uint8_t redoubles;               /* 0: nobody doubles back */
    uint8_t rounds;                  /* of speaking, 1 or 2 */
    uint8_t duty_forced;             /* compulsory once the deals left would not suffice */
    int32_t duty_penalty;            /* points for each double that lacks in the end */
    uint8_t undoubled_split;         /* a negative contract nobody doubles is not played */
} variant_t;

/* What one seat may know when it is asked, and nothing else. */
typedef struct {
    const variant_t *variant;
    const contract_t *contract;      /* NULL while the contract is being chosen */

    /* this question */
    cardset_t hand;                  /* own cards */
    cardset_t legal;                 /* cards that may be played; never empty when asked */
    cardset_t best;                  /* the card winning the trick so far; empty on lead */
    uint8_t seat;
    uint8_t role;                    /* seat - declarer (or first leader) mod seats */
    uint8_t n_trick;                 /* cards in the trick so far, 0 = on lead */
    uint8_t may_pass;                /* layout: an empty answer is allowed */
    uint32_t choices;                /* choose: bit c = contract c may be chosen */
    uint16_t may_double;             /* double: seats that may be doubled */
    uint16_t must_double;            /* double: seats that duty says must be */
    uint16_t may_redouble;           /* redouble: seats that may be redoubled */

    /* the deal so far, public */
    uint16_t deal;                   /* number in the game, from 0 */
    uint8_t dealer;
    uint8_t declarer;                /* NO_SEAT where the schedule is fixed */
    uint8_t leader;                  /* who leads the first trick or moves first */
    uint8_t trump;                   /* suit, or NO_SUIT */
    uint8_t start_rank;              /* of a layout */
    uint8_t n_tricks;                /* completed */
    uint8_t trick_leader;            /* of the trick in progress */
    uint8_t led_suit;                /* of the trick in progress, NO_SUIT on lead */
    cardset_t led;                   /* every rank of led_suit, empty on lead */
    cardset_t trump_cards;           /* every rank of trump, empty without */
    cardset_t trick;                 /* cards of the trick in progress */
    cardset_t played;                /* every card played or laid in this deal */
    uint16_t n_moves;
    uint8_t moves[MAX_MOVES];        /* card numbers in order; layout: PASS, or the card
                                        taken back (its first copy) + 128; a further turn
                                        (replay) that is declined is no move */
    uint8_t leaders[MAX_PLAYS];      /* tricks: who led trick t; move i is by
                                        leaders[i / seats] + i % seats mod seats */
    uint8_t movers[MAX_MOVES];       /* layout: who made move i */
    uint8_t voids[MAX_SEATS];        /* bit s: the seat has shown it holds no suit s */
    uint8_t n_cards[MAX_SEATS];      /* layout: cards left in each hand */
    uint8_t places[MAX_SEATS];       /* layout: finishing place from 1, 0 still in */
    uint8_t passed[MAX_SEATS];       /* layout: the own passes although a card fitted; 0 for
                                        the others, whose passes all look alike */
    uint8_t ban_lifted;              /* tricks: the lead ban holds for nobody any more */
    uint8_t extra;                   /* the deal plays out a tie */
    uint16_t tied;                   /* seats that an extra deal can make the winner */
    const cardset_t *face_up;        /* by seat: captured cards that stay visible */

    /* side bets so far */
    uint16_t doubled[MAX_SEATS];     /* by seat: the seats it doubled or redoubled */
    uint8_t duty_done[MAX_SEATS];    /* by seat: its doubles of this declarer so far */

    /* the game so far */
    int32_t scores[MAX_SEATS];       /* with side bets */
    uint8_t uses_left[MAX_SEATS][MAX_CONTRACTS]; /* by declarer and contract */

    const volatile int *stop;        /* set: answer anything, the game is dropped */
} view_t;

/* Flags of a policy. */
enum {
    POLICY_DRAWS = 1,       /* play() draws from its stream: blocks are made in bulk */
    POLICY_HAS_MEMORY = 2,  /* new_game must be called */
    POLICY_TWO_PACKS = 4    /* it looks at second copies too; others are not asked to play
                               a variant that has some */
};

/* The five questions. Each has its own state, so that parts of different
 * strategies can be put together. A state belongs to one thread at a time. */
typedef struct {
    uint32_t abi;                    /* BARBU_POLICY_ABI the strategy was built with */
    uint32_t flags;                  /* POLICY_ */
    void *choose_state, *double_state, *redouble_state, *play_state, *lay_state;
    void *game_state;

    /* contract * 256 + trump suit or start rank (0 where nothing is named), one of
     * view->choices with a parameter of its contract; negative is a foul. */
    int32_t (*choose)(void *state, const view_t *view, stream_t *stream);
    /* Set of seats to double: within may_double, with all of must_double. */
    uint32_t (*make_doubles)(void *state, const view_t *view, stream_t *stream);
    /* Set of seats to redouble, within may_redouble. */
    uint32_t (*make_redoubles)(void *state, const view_t *view, stream_t *stream);
    /* One card of view->legal. */
    cardset_t (*play)(void *state, const view_t *view, stream_t *stream);
    /* One card of view->legal, or the empty set to pass where may_pass. */
    cardset_t (*lay)(void *state, const view_t *view, stream_t *stream);
    /* A new game begins; called only with POLICY_HAS_MEMORY. */
    void (*new_game)(void *state);
} policy_t;

/* How many of the first ``deals`` deals of a game ``seat`` declares, where there is choice. */
static inline int declared_before(const variant_t *v, int deals, int seat) {
    int row = v->dealership * v->seats;
    int rest = deals % row - seat * v->dealership;
    rest = rest < 0 ? 0 : rest > v->dealership ? v->dealership : rest;
    return deals / row * v->dealership + rest;
}

/* Deals that the declarer of deal number ``deal`` declares, from that one on; too few after
 * deals that were played again, which the schedule does not count. */
static inline int deals_to_declare(const variant_t *v, int deal, int declarer) {
    return declared_before(v, v->n_deals, declarer) - declared_before(v, deal, declarer);
}

#define NO_SEATS_ANSWER 0xffffffffu  /* foul answer to the double questions */

#endif
