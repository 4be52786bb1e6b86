"""A compiled strategy that is listened to: after every answer somebody is told of it."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport int32_t, uint32_t

from engine_ext.cards cimport cards_of, lowest_number, pack_t
from engine_ext.policy cimport (
    BARBU_POLICY_CAPSULE, NO_SEATS_ANSWER, cardset_t, policy_t, stream_t, view_t,
)


cdef class Explaining:
    """Answers as ``of`` does and tells ``listener(question, view's deal, seat, answer)``.

    Answers are told as a strategy in Python gives them; what is no answer as None. Cards of
    second packs are told as first ones."""

    cdef policy_t policy
    cdef policy_t* inner
    cdef readonly object capsule
    cdef readonly object of
    cdef object listener

    def __cinit__(self, of, listener):
        self.of = of
        self.listener = listener
        self.inner = <policy_t*>PyCapsule_GetPointer(of.capsule, BARBU_POLICY_CAPSULE)
        self.policy = self.inner[0]            # new games are told to the one inside
        self.policy.choose = choose
        self.policy.make_doubles = make_doubles
        self.policy.make_redoubles = make_redoubles
        self.policy.play = play
        self.policy.lay = lay
        self.policy.choose_state = self.policy.double_state = <void*>self
        self.policy.redouble_state = self.policy.play_state = <void*>self
        self.policy.lay_state = <void*>self
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    cdef void tell(self, question, const view_t* view, answer):
        self.listener(question, view.deal, view.seat, answer)

    def __repr__(self):
        return repr(self.of)


cdef card_of(cardset_t answer):
    cdef pack_t first = answer.w[0] | answer.w[1]
    return lowest_number(first) if first else None


cdef int32_t choose(void* state, const view_t* view, stream_t* stream) noexcept with gil:
    cdef Explaining self = <Explaining>state
    cdef int32_t answer
    with nogil:
        answer = self.inner.choose(self.inner.choose_state, view, stream)
    self.tell("choose", view, (answer >> 8, answer & 255) if answer >= 0 else None)
    return answer


cdef uint32_t make_doubles(void* state, const view_t* view, stream_t* stream) noexcept with gil:
    cdef Explaining self = <Explaining>state
    cdef uint32_t answer
    with nogil:
        answer = self.inner.make_doubles(self.inner.double_state, view, stream)
    self.tell("double", view, None if answer == NO_SEATS_ANSWER else answer)
    return answer


cdef uint32_t make_redoubles(void* state, const view_t* view, stream_t* stream) noexcept with gil:
    cdef Explaining self = <Explaining>state
    cdef uint32_t answer
    with nogil:
        answer = self.inner.make_redoubles(self.inner.redouble_state, view, stream)
    self.tell("redouble", view, None if answer == NO_SEATS_ANSWER else answer)
    return answer


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept with gil:
    cdef Explaining self = <Explaining>state
    cdef cardset_t answer
    with nogil:
        answer = self.inner.play(self.inner.play_state, view, stream)
    self.tell("play", view, card_of(answer))
    return answer


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept with gil:
    cdef Explaining self = <Explaining>state
    cdef cardset_t answer
    with nogil:
        answer = self.inner.lay(self.inner.lay_state, view, stream)
    self.tell("lay", view, card_of(answer))
    return answer
