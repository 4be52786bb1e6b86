"""``duck.v1``: ducks under, discards what is dear, lays what opens its own way.

The yardstick: simple, quick, and the same for ever. It draws nothing and counts no
cards, so with this page and a hand every answer can be foretold. It knows no contract
by name, only what scores and with which sign.

Ranks are compared across suits; of equal ranks the first suit in the pack's order is
taken. *Under* means below the card that is winning the trick, in its suit; a card that
is not under goes *over*. In a contract in which anything costs points, cards that cost
points are *penalty cards*.

**Tricks, where nothing costs points** (take tricks, trumps). On lead the highest card.
Otherwise, if some legal card beats the trick so far: the lowest such card when last to
play, else the highest such card. If none does: the lowest legal card.

**Tricks, where something costs points.** A contract is *of late tricks* if only certain
tricks cost points, and *of cards* if only cards do.

- On lead the lowest card; but in a contract of late tricks the highest, unless this trick
  or one of the next two costs points.
- Following, in a contract of late tricks and a trick that costs nothing: the highest.
- Following, in a contract of cards: last to play to a trick without a penalty card, the
  highest card that is not a penalty card, if there is one; otherwise the highest penalty
  card that is under, if there is one.
- Following otherwise: the highest card under. If all are over: last to play the highest,
  before that the lowest, keeping back penalty cards if they are of several suits.
- Void: of the penalty cards, those of the dearest kind first (ties in the order of the
  file), the highest; where there is a single penalty card in the contract, then the
  highest card above it in its suit; else the highest card of all. Trumps are thrown
  last; with nothing but trumps it plays as if it followed suit (all of them are over,
  unless a trump is winning).

**Layout.** For each playable card: twice the distance to the own card furthest beyond it
in the direction it opens (the start card opens both; the longer distance counts), less
the number of cards beyond it that others hold. It lays the card where this is most, the
first of equals in the order of the pack; never passes, and never declines a further turn.

**Judging a hand.** Points expected in a contract are estimated by suit from tables (in
``duck_lanes.pxd`` and ``duck_judge.pxd``): how many tricks the low end of a suit must
take, what its top takes late, as a plain suit or as trumps, how well single penalty
cards are guarded; for a start rank, how far out the cards lie. The averages of the same
estimates, and their deviation, are those of 1,024 hands drawn once from a stream that
is always the same.

**Contract.** The one whose estimate, with the best trump suit or start rank, is most
above the average of the same for that contract: never the most points, always the best
hand for its kind. Ties go to the first.

**Doubles.** *Strength* is the estimate less its average, in deviations.

- The declarer, if the strength is at least 0 where the declarer had no choice, and from
  0.22 to 0.57 where two to eight contracts were left to him; 1.2 less times (doubles
  still owed / deals left of the declarer); 1 more in a positive contract.
- Anyone else who may be doubled, if it is at least 0.
- Redoubles, all or none: the declarer from a strength of 0.4, the others from 0.8.
- What duty demands in any case.

On 52 cards in the eight trick contracts of the yardstick variant it does better than
the mean of three ``random.v1``, on the same deals, by 2.01 tricks, 1.55 hearts, 0.80
queens, 0.187 kings of hearts, 0.80 units of last two, 0.52 of first and last, 41.5
points of salad and 1.53 trump tricks a deal.

It is weak in contracts in which some items cost and others pay, and in layouts that pay later
places more than earlier ones.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from engine_ext.cards cimport pack_t
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, NO_SEATS_ANSWER, POLICY_HAS_MEMORY, POLICY_TWO_PACKS,
    cardset_t, policy_t, stream_t, view_t,
)
from strategies.duck_bets cimport chosen, doubles, redoubles
from strategies.duck_judge cimport judge_t
from strategies.duck_lay cimport layout_card
from strategies.duck_learn cimport know
from strategies.duck_play cimport line_t, read_contract, trick_card


# What it has worked out of the rules; nothing of any deal.
cdef struct known_t:
    line_t line
    judge_t judge


cdef inline cardset_t held(pack_t card, const cardset_t* legal) noexcept nogil:
    """The card as the copy that is legal, the first copy if both are."""
    cdef cardset_t answer
    answer.w[0] = card & legal.w[0]
    answer.w[1] = 0 if answer.w[0] else card
    return answer


# Without memory for its tables it has no answer: the next three then give a foul.

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
    cdef line_t* line = <line_t*>state
    if line.contract != view.contract:
        read_contract(line, view.contract)
    return held(trick_card(line, view), &view.legal)


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return held(layout_card(view), &view.legal)


cdef void new_game(void* state) noexcept nogil:
    # The rules may be others, even at the same address; nothing else is forgotten.
    cdef known_t* known = <known_t*>state
    known.line.contract = NULL
    known.judge.source = NULL


cdef class Duck:
    """Ducks under, discards dear, lays what opens its own way: the yardstick."""

    cdef policy_t policy
    cdef known_t known
    cdef readonly object capsule

    def __cinit__(self):
        memset(&self.known, 0, sizeof(known_t))
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
        self.policy.play_state = &self.known.line
        self.policy.new_game = new_game
        self.policy.game_state = &self.known
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    @property
    def draws(self):
        """Whether it takes random numbers: it does not."""
        return False

    def __repr__(self):
        return "duck.v1"
