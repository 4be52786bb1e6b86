"""``slips.v1``: another strategy that now and then does not see what it holds.

Parameters: ``of`` is who plays, ``revoke`` how often it plays another suit though it could
follow, ``misplay`` how often it shows a card of a layout that does not fit. Each is the
probability of a slip where one is possible: a revoke where players are on their honour
(``legality`` of the rules), a card that does not fit where it only costs the turn
(``unplayable = "lose_turn"``) and no card is forced. Where the rules know no slips it plays
as ``of`` does. The card is any of those that would be a slip, each as likely.

Slips come from numbers of their own: neither the cards nor what ``of`` draws changes with
them, so that a run with and without tells what they cost. This is the form for ``of`` that
are compiled; ``slips.py`` has the other.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport int32_t, uint32_t, uint64_t

from engine_ext.policy cimport (
    BARBU_POLICY_CAPSULE, cardset_t, contract_t, mulhilo, policy_t, stream_aside, stream_t, view_t,
)


cdef extern from *:
    """
    static int cards_in_word(uint64_t set) { return __builtin_popcountll(set); }
    static uint64_t lowest_of_word(uint64_t set) { return set & (0 - set); }
    """
    int cards_in_word(uint64_t cards) noexcept nogil
    uint64_t lowest_of_word(uint64_t cards) noexcept nogil


# What the wrapped policy is, and how often it slips: of 2^53 chances.
cdef struct slips_t:
    policy_t inner
    uint64_t revoke
    uint64_t misplay


cdef cardset_t kth(cardset_t cards, int k) noexcept nogil:
    """The k-th card of a set, second copies after all first ones."""
    cdef int word = 0
    cdef cardset_t card
    if k >= cards_in_word(cards.w[0]):
        k -= cards_in_word(cards.w[0])
        word = 1
    while k:
        cards.w[word] &= cards.w[word] - 1
        k -= 1
    card.w[0] = card.w[1] = 0
    card.w[word] = lowest_of_word(cards.w[word])
    return card


cdef bint slip(const stream_t* stream, cardset_t cards, uint64_t below,
               cardset_t* card) noexcept nogil:
    """Whether a slip happens, with a probability of ``below`` / 2^53; then any of ``cards``."""
    cdef int n = cards_in_word(cards.w[0]) + cards_in_word(cards.w[1])
    cdef uint64_t words[4]
    cdef uint64_t k
    if not n or not below:
        return False
    stream_aside(stream, words)
    if words[0] >> 11 >= below:
        return False
    mulhilo(words[1], <uint64_t>n, &k)
    card[0] = kth(cards, <int>k)
    return True


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef slips_t* s = <slips_t*>state
    cdef cardset_t others, card
    if view.variant.honour and view.n_trick and \
            (view.hand.w[0] & view.led.w[0] or view.hand.w[1] & view.led.w[1]):
        others.w[0] = view.hand.w[0] & ~view.led.w[0]
        others.w[1] = view.hand.w[1] & ~view.led.w[1]
        if slip(stream, others, s.revoke, &card):
            return card
    return s.inner.play(s.inner.play_state, view, stream)


cdef bint full_circle(const view_t* view) noexcept nogil:
    """Whether all who are still in have passed in a row, so that a card is forced."""
    cdef int i = view.n_moves, still_in = 0, s
    for s in range(view.variant.seats):
        still_in += view.places[s] == 0
    while i and view.moves[i - 1] >= 128:
        i -= 1
    return view.n_moves - i >= still_in


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef slips_t* s = <slips_t*>state
    cdef const contract_t* c = view.contract
    cdef cardset_t others, card
    if c.lose_turn and not (c.stall_forces and full_circle(view)):
        others.w[0] = view.hand.w[0] & ~view.legal.w[0]
        others.w[1] = view.hand.w[1] & ~view.legal.w[1]
        if slip(stream, others, s.misplay, &card):
            return card
    return s.inner.lay(s.inner.lay_state, view, stream)


cdef class Slipping:
    """Another strategy that now and then revokes, or shows a card that does not fit."""

    cdef policy_t policy
    cdef slips_t slips
    cdef readonly object capsule
    cdef readonly object of
    """Who plays; kept, as its policy is asked."""
    cdef public str full_name

    def __cinit__(self, of, double revoke, double misplay):
        cdef policy_t* inner = <policy_t*>PyCapsule_GetPointer(of.capsule, BARBU_POLICY_CAPSULE)
        self.of = of
        self.full_name = "slips.v1"
        self.slips.inner = inner[0]
        self.slips.revoke = <uint64_t>(revoke * 2.0**53)
        self.slips.misplay = <uint64_t>(misplay * 2.0**53)
        self.policy = inner[0]                 # the other questions as they are
        self.policy.play = play
        self.policy.lay = lay
        self.policy.play_state = self.policy.lay_state = &self.slips
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    @property
    def draws(self):
        """Whether it takes random numbers."""
        return True

    def __repr__(self):
        return self.full_name
