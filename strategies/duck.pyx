"""duck."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from engine_ext.cards cimport pack_t, lowest_number, lowest_bit
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, cardset_t, policy_t, stream_t, view_t,
)
from strategies.duck_lay cimport layout_card
from strategies.duck_play cimport both, is_read, line_t, read_contract, trick_card


cdef inline cardset_t held(pack_t card, const cardset_t* legal) noexcept nogil:
    """The card as the copy that is legal, the first copy if both are."""
    cdef cardset_t answer
    answer.w[0] = card & legal.w[0]
    answer.w[1] = 0 if answer.w[0] else card
    return answer


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef line_t* line = <line_t*>state
    if not is_read(line, view):
        read_contract(line, view.contract)
    return held(trick_card(line, view), &view.legal)


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return held(layout_card(view), &view.legal)


cdef int32_t choose(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef int c = lowest_number(view.choices)
    return c<<8 | lowest_number(view.variant.contracts[c].params)


cdef uint32_t make_doubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return view.must_double


cdef uint32_t make_redoubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return 0


cdef class Duck:
    """Ducks under, discards dear, lays what opens its own way; the yardstick."""

    cdef policy_t policy
    cdef line_t line
    cdef readonly object capsule

    def __cinit__(self):
        memset(&self.line, 0, sizeof(line_t))
        self.policy.abi = BARBU_POLICY_ABI
        self.policy.flags = 0
        self.policy.choose = choose
        self.policy.make_doubles = make_doubles
        self.policy.make_redoubles = make_redoubles
        self.policy.play = play
        self.policy.lay = lay
        self.policy.play_state = &self.line
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    @property
    def draws(self):
        """Whether it takes random numbers: it does not."""
        return False

    def __repr__(self):
        return "duck.v1"
