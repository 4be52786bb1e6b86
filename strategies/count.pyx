"""``count.v1``: counts the cards that are out and weighs each of its own by them.

Every card that may be played gets a score, a sum of features times weights; the highest is
played, of equals the first in the order of the pack. It draws nothing, keeps nothing of a
deal, and knows no contract by name, only what scores and with which sign: points of all
signs are features of one sum. Two copies of a card are one card to it; of two equal ones
the later wins unless the rules say otherwise. Contracts and doubles it leaves to the
judgement of ``duck.v1``.

**Counting.** *Out* are the cards that are neither played nor its own. Each card out is with
each other player as likely as with any other who has not shown a void in its suit.

**What a trick costs later.** What is left to be taken, by the number of tricks left. For
a card of its own, beside this, a share of the points out in its suit below it (which it may
catch) and of its own points.

**Chances.** How likely a card takes a trick before the deal is over stands in tables: by
the number of cards of its suit out below it and above it, own cards below it, and how many
tricks are left (beside a trump suit: how many trumps are out). There is one for each kind
of contract that is shunned, one for late tricks, and three for tricks that are wanted
(without trumps, beside trumps, trumps). So a *boss card*, above which nothing is out, counts
as such whatever its rank.

**The score of a card** (``count_play.pxd``), with the names that ``count_rules.pxd`` gives to
the weights:

- What the hand is relieved of if the card is gone: chances times costs of the hand with it
  less those without it (BASE, BELOW, OWN). This makes it throw what is dear, bare a
  suit, keep low cards for late tricks and high ones where tricks are wanted.
- The chance that it wins this trick, from who is still to play, who may be void, and whether
  these stay under if they can (OPEN), times what the trick then brings: its cards, and those
  that are expected from who cannot follow (DUMP) or goes under or must follow with a card
  that counts (UNDER). Weights differ on lead and later (NOW_LEAD, NOW).
- The same chance times what it means to lead next (TURN_LEAD, TURN).
- Shape: the last card of a suit (EMPTY), each card of it that stays (LONG), the rank (HIGH),
  on lead and otherwise; a card that guards an own one that costs (GUARD); a lead below one that
  others hold (FORCE); a lead of trumps (DRAW); a safe exit, below which nothing is left (EXIT).

**Weights** are one set for each kind of item: tricks, whole suits, cards of several suits, a single
card, late tricks, all that is wanted (without trumps, with trumps); another set where several kinds
cost. A contract that costs and pays has them mixed by their share of the points.

**Layout** (``count_lay.pxd``). In each direction that a card opens: steps to the own card
furthest beyond, own cards beyond and in an unbroken row, others' cards beyond, before the
first own one and behind the last, and where none is its own (there the more, the fewer cards
somebody has left); whose the next card is; whether nothing is opened at all, a suit
begun, a further turn won. It passes of its own will if no card is worth a pass. Where later
places pay more, all is turned round and it passes when it may.

Weights and tables stand in ``count_weights.h``, written by ``benchmarks/tune_count.py``: tables are
counted in 8,000 deals of ``duck.v1`` a contract; signs and sizes of the weights were thought out,
then tuned by an evolution strategy on deals against ``duck.v1`` and against itself.

On 52 cards in the trick contracts of the yardstick variant it does better than the mean of
three ``duck.v1``, on the same deals, by 0.60 tricks, 1.78 hearts, 0.42 queens, 0.114 kings of
hearts, 0.22 units of last two, 0.04 of first and last, 26.0 points of salad and 0.49 trump
tricks a deal; in layouts in which all must lay a card if they can by little, where they may
pass by much, since it keeps others waiting and ``duck.v1`` never does.

It is weak where a single card is wanted, and in contracts of single cards with two packs.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from engine_ext.cards cimport pack_t
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, NO_SEATS_ANSWER, POLICY_HAS_MEMORY, POLICY_TWO_PACKS,
    cardset_t, policy_t, stream_t, view_t,
)
from strategies.count_play cimport best_card
from strategies.count_rules cimport (
    COUNT_CHANCES, COUNT_WEIGHTS, FOURTH_STEPS, HIGHER_STEPS, LOWER_STEPS, N_GROUPS, N_TABLES, N_WEIGHTS,
    THIRD_STEPS, read_rules, rules_t, weights_t,
)
from strategies.duck_bets cimport chosen, doubles, redoubles
from strategies.duck_judge cimport judge_t
from strategies.count_lay cimport lay_card
from strategies.duck_learn cimport know


# What it has worked out of the rules; nothing of any deal.
cdef struct known_t:
    weights_t weights
    rules_t rules
    judge_t judge


cdef inline cardset_t held(pack_t card, const cardset_t* legal) noexcept nogil:
    """The card as the copy that is legal, the first copy if both are."""
    cdef cardset_t answer
    answer.w[0] = card & legal.w[0]
    answer.w[1] = card & legal.w[1] if not answer.w[0] else 0
    return answer


cdef int32_t choose(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef judge_t* judge = <judge_t*>state
    return chosen(judge, view) if know(judge, view.variant) else -1


cdef uint32_t make_doubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef judge_t* judge = <judge_t*>state
    return doubles(judge, view) if know(judge, view.variant) else NO_SEATS_ANSWER


cdef uint32_t make_redoubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef judge_t* judge = <judge_t*>state
    return redoubles(judge, view) if know(judge, view.variant) else NO_SEATS_ANSWER


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef known_t* known = <known_t*>state
    if known.rules.contract != view.contract:
        read_rules(&known.rules, &known.weights, view)
    return held(best_card(&known.rules, &known.weights, view), &view.legal)


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef known_t* known = <known_t*>state
    return held(lay_card(&known.weights, view), &view.legal)


cdef void new_game(void* state) noexcept nogil:
    # The rules may be others, even at the same address; nothing else is forgotten.
    cdef known_t* known = <known_t*>state
    known.rules.contract = NULL
    known.judge.source = NULL


cdef class Count:
    """Counts what is outstanding and weighs every card by it."""

    cdef policy_t policy
    cdef known_t known
    cdef readonly object capsule

    def __cinit__(self, weights=None, chances=None):
        cdef int k
        memset(&self.known, 0, sizeof(known_t))
        if weights is None:
            weights = [COUNT_WEIGHTS[k] for k in range((N_GROUPS + 1) * N_WEIGHTS)]
        if chances is None:
            chances = [COUNT_CHANCES[k]
                       for k in range(N_TABLES * LOWER_STEPS * HIGHER_STEPS * THIRD_STEPS * FOURTH_STEPS)]
        for k in range((N_GROUPS + 1) * N_WEIGHTS):
            self.known.weights.w[k] = weights[k]
        for k in range(N_TABLES * LOWER_STEPS * HIGHER_STEPS * THIRD_STEPS * FOURTH_STEPS):
            self.known.weights.chance[k] = chances[k]
        self.policy.abi = BARBU_POLICY_ABI
        # Memory of the rules: told of a new game.
        self.policy.flags = POLICY_HAS_MEMORY | POLICY_TWO_PACKS
        self.policy.choose = choose
        self.policy.make_doubles = make_doubles
        self.policy.make_redoubles = make_redoubles
        self.policy.play = play
        self.policy.lay = lay
        self.policy.choose_state = &self.known.judge
        self.policy.double_state = &self.known.judge
        self.policy.redouble_state = &self.known.judge
        self.policy.play_state = &self.known
        self.policy.lay_state = &self.known
        self.policy.new_game = new_game
        self.policy.game_state = &self.known
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    @property
    def draws(self):
        """Whether it takes random numbers: it does not."""
        return False

    def __repr__(self):
        return "count.v1"
