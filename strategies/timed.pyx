"""A compiled strategy whose decisions are timed, each by itself."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport int32_t, int64_t, uint32_t

from engine_ext.policy cimport BARBU_POLICY_CAPSULE, cardset_t, policy_t, stream_t, view_t


cdef extern from *:
    """
    #include <time.h>
    static int64_t now_ns(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    }
    """
    int64_t now_ns() noexcept nogil


cdef struct timed_t:
    policy_t inner
    int64_t n, total, longest
    int deal, seat, question


cdef void note(timed_t* t, const view_t* view, int question, int64_t began) noexcept nogil:
    cdef int64_t took = now_ns() - began
    t.n += 1
    t.total += took
    if took > t.longest:
        t.longest, t.deal, t.seat, t.question = took, view.deal, view.seat, question


cdef int32_t choose(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef timed_t* t = <timed_t*>state
    cdef int64_t began = now_ns()
    cdef int32_t answer = t.inner.choose(t.inner.choose_state, view, stream)
    note(t, view, 0, began)
    return answer


cdef uint32_t make_doubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef timed_t* t = <timed_t*>state
    cdef int64_t began = now_ns()
    cdef uint32_t answer = t.inner.make_doubles(t.inner.double_state, view, stream)
    note(t, view, 1, began)
    return answer


cdef uint32_t make_redoubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef timed_t* t = <timed_t*>state
    cdef int64_t began = now_ns()
    cdef uint32_t answer = t.inner.make_redoubles(t.inner.redouble_state, view, stream)
    note(t, view, 2, began)
    return answer


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef timed_t* t = <timed_t*>state
    cdef int64_t began = now_ns()
    cdef cardset_t answer = t.inner.play(t.inner.play_state, view, stream)
    note(t, view, 3, began)
    return answer


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef timed_t* t = <timed_t*>state
    cdef int64_t began = now_ns()
    cdef cardset_t answer = t.inner.lay(t.inner.lay_state, view, stream)
    note(t, view, 4, began)
    return answer


cdef class Timed:
    """A compiled strategy whose decisions are timed."""

    cdef policy_t policy
    cdef timed_t timed
    cdef readonly object capsule
    cdef readonly object of
    """Who answers; kept, as its policy is asked."""

    def __cinit__(self, of):
        cdef policy_t* inner = <policy_t*>PyCapsule_GetPointer(of.capsule, BARBU_POLICY_CAPSULE)
        self.of = of
        self.timed.inner = inner[0]
        self.policy = inner[0]                 # flags and memory as they are
        self.policy.choose = choose
        self.policy.make_doubles = make_doubles
        self.policy.make_redoubles = make_redoubles
        self.policy.play = play
        self.policy.lay = lay
        self.policy.choose_state = self.policy.double_state = &self.timed
        self.policy.redouble_state = &self.timed
        self.policy.play_state = self.policy.lay_state = &self.timed
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    @property
    def n(self):
        """Decisions."""
        return self.timed.n

    @property
    def total(self):
        """Seconds of them all."""
        return self.timed.total * 1e-9

    @property
    def longest(self):
        """Seconds of the longest."""
        return self.timed.longest * 1e-9

    @property
    def place(self):
        """Deal, seat and question (its place in ``QUESTIONS``) of the longest."""
        return self.timed.deal, self.timed.seat, self.timed.question

    def __repr__(self):
        return repr(self.of)
