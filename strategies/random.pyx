"""``random.v1``: any legal answer, each as likely; the zero of every scale.

- Contract: uniform over the flat list of options, contracts in their order, each with
  every trump suit or start rank it may name, in ascending order.
- Doubles: what duty says, and each other seat that may be doubled, in ascending order,
  with probability 1/4; redoubles: each seat with probability 1/2.
- Cards: uniform over the legal ones in order of card number; drawn even where there is
  only one, so that nothing has to be decided. A layout card likewise; it never passes.

The slow twin draws the same numbers in the same order.
"""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint32_t

from engine_ext.cards cimport LIKELY, as_set, beyond_pack, cards_of, count, nth_card, pack_t
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, POLICY_DRAWS, POLICY_TWO_PACKS, cardset_t, policy_t, stream_at_once,
    stream_below, stream_t, variant_t, view_t,
)


cdef extern from *:
    """
    /* The k-th legal card, second copies after all first ones: any pack, any slice. In C,
     * since it must stay out of line for play() to be short. */
    static __attribute__((noinline)) cardset_t any_card(const view_t *view, stream_t *stream) {
        uint64_t first = view->legal.w[0], second = view->legal.w[1];
        uint32_t n = (uint32_t)count(first), m = (uint32_t)count(second);
        uint32_t k = stream_below_once(stream, n + m);
        cardset_t card = {{0, 0}};
        if (k < n)
            card.w[0] = nth_card(first, k);
        else
            card.w[1] = nth_card(second, k - n);
        return card;
    }
    """
    cardset_t any_card(const view_t* view, stream_t* stream) noexcept nogil


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    # One pack and a slice that serves: nearly always. Short, so that nothing is saved.
    cdef pack_t legal = cards_of(view.legal)
    cdef uint32_t k
    if LIKELY(not beyond_pack(view.legal) and stream_at_once(stream, <uint32_t>count(legal), &k)):
        return as_set(nth_card(legal, k))
    return any_card(view, stream)


cdef int32_t choose(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef const variant_t* rules = view.variant
    cdef uint32_t n = 0, k, here
    cdef int contract
    for contract in range(rules.n_contracts):
        if (view.choices >> contract) & 1:
            n += <uint32_t>count(rules.contracts[contract].params)
    k = stream_below(stream, n)
    for contract in range(rules.n_contracts):
        if (view.choices >> contract) & 1:
            here = <uint32_t>count(rules.contracts[contract].params)
            if k < here:
                return contract << 8 | count(nth_card(rules.contracts[contract].params, k) - 1)
            k -= here
    return -1                                   # no choices: the engine never asks


cdef uint32_t make_doubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef uint32_t seats = view.must_double, free = view.may_double & ~view.must_double
    cdef int seat
    for seat in range(view.variant.seats):
        if (free >> seat) & 1 and stream_below(stream, 4) == 0:
            seats |= <uint32_t>1 << seat
    return seats


cdef uint32_t make_redoubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef uint32_t seats = 0
    cdef int seat
    for seat in range(view.variant.seats):
        if (view.may_redouble >> seat) & 1 and stream_below(stream, 2) == 0:
            seats |= <uint32_t>1 << seat
    return seats


cdef class Random:
    """Any legal answer, each as likely; one double in four."""

    cdef policy_t policy
    cdef readonly object capsule

    def __cinit__(self):
        self.policy.abi = BARBU_POLICY_ABI
        self.policy.flags = POLICY_DRAWS | POLICY_TWO_PACKS
        self.policy.choose = choose
        self.policy.make_doubles = make_doubles
        self.policy.make_redoubles = make_redoubles
        self.policy.play = play
        self.policy.lay = play
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    @property
    def draws(self):
        """Whether it takes random numbers."""
        return bool(self.policy.flags & POLICY_DRAWS)

    def __repr__(self):
        return "random.v1"
