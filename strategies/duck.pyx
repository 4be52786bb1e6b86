"""duck."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine_ext.cards cimport pack_t
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, cardset_t, policy_t, stream_t, view_t,
)
from strategies.duck_bets cimport chosen, doubles, redoubles
from strategies.duck_judge cimport judge_t
from strategies.duck_lanes cimport lane_t, start_t
from strategies.duck_lay cimport layout_card
from strategies.duck_play cimport is_read, line_t, read_contract, trick_card


cdef inline cardset_t held(pack_t card, const cardset_t* legal) noexcept nogil:
    """The card as the copy that is legal, the first copy if both are."""
    cdef cardset_t answer
    answer.w[0] = card & legal.w[0]
    answer.w[1] = 0 if answer.w[0] else card
    return answer


cdef int32_t choose(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return chosen(<judge_t*>state, view)


cdef uint32_t make_doubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return doubles(<judge_t*>state, view)


cdef uint32_t make_redoubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return redoubles(<judge_t*>state, view)


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef line_t* line = <line_t*>state
    if not is_read(line, view):
        read_contract(line, view.contract)
    return held(trick_card(line, view), &view.legal)


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    return held(layout_card(view), &view.legal)


cdef class Duck:
    """Ducks under, discards dear, lays what opens its own way: the yardstick."""

    cdef policy_t policy
    cdef line_t line
    cdef judge_t judge
    cdef readonly object capsule

    def __cinit__(self):
        memset(&self.line, 0, sizeof(line_t))
        memset(&self.judge, 0, sizeof(judge_t))
        # For the largest suit; pages that no variant needs stay untouched.
        self.judge.lanes = <lane_t*>calloc(1 << 15, sizeof(lane_t))
        self.judge.starts = <start_t*>calloc(1 << 15, sizeof(start_t))
        if self.judge.lanes == NULL or self.judge.starts == NULL:
            raise MemoryError
        self.policy.abi = BARBU_POLICY_ABI
        self.policy.flags = 0
        self.policy.choose = choose
        self.policy.make_doubles = make_doubles
        self.policy.make_redoubles = make_redoubles
        self.policy.play = play
        self.policy.lay = lay
        self.policy.choose_state = &self.judge
        self.policy.double_state = &self.judge
        self.policy.redouble_state = &self.judge
        self.policy.play_state = &self.line
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    def __dealloc__(self):
        free(self.judge.lanes)
        free(self.judge.starts)

    @property
    def draws(self):
        """Whether it takes random numbers: it does not."""
        return False

    def __repr__(self):
        return "duck.v1"
