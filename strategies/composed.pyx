"""Compiled strategies put together: each question is asked of one of them, without the GIL."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New

from engine_ext.handing cimport HAND_CHOOSE, HAND_DOUBLE, HAND_REDOUBLE, hand_over
from engine_ext.policy cimport (
    BARBU_POLICY_CAPSULE, POLICY_DRAWS, POLICY_HAS_MEMORY, POLICY_TWO_PACKS, policy_t,
)

cdef enum:
    MAX_PARTS = 3


# Those of the parts that must hear of a new game.
cdef struct members_t:
    int n
    policy_t* policies[MAX_PARTS]


cdef void new_game(void* state) noexcept nogil:
    cdef members_t* members = <members_t*>state
    cdef int i
    for i in range(members.n):
        members.policies[i].new_game(members.policies[i].game_state)


cdef class Composed:
    """Compiled strategies that answer some questions each."""

    cdef policy_t policy
    cdef members_t members
    cdef readonly object capsule
    cdef readonly dict parts
    """By part (``play``, ``choose``, ``double``) the strategy that answers; kept, as their
    policies are asked."""
    cdef readonly object draws
    """Whether any takes random numbers; None where one does not say."""
    cdef readonly str full_name

    def __cinit__(self, dict parts, str full_name, draws):
        cdef policy_t* play = policy_of(parts["play"])
        cdef policy_t* choose = policy_of(parts["choose"])
        cdef policy_t* double = policy_of(parts["double"])
        self.parts, self.full_name, self.draws = parts, full_name, draws
        self.policy = play[0]
        hand_over(&self.policy, HAND_CHOOSE, choose)
        hand_over(&self.policy, HAND_DOUBLE, double)
        hand_over(&self.policy, HAND_REDOUBLE, double)
        self.policy.flags = play.flags & POLICY_DRAWS
        self.policy.flags |= play.flags & choose.flags & double.flags & POLICY_TWO_PACKS
        for part in {id(part): part for part in parts.values()}.values():
            self.remember(policy_of(part))
        self.policy.new_game = new_game
        self.policy.game_state = &self.members
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    cdef remember(self, policy_t* part):
        """Tell the part of new games, if it asks for that."""
        if part.flags & POLICY_HAS_MEMORY:
            self.policy.flags |= POLICY_HAS_MEMORY
            self.members.policies[self.members.n] = part
            self.members.n += 1

    def __repr__(self):
        return self.full_name


cdef policy_t* policy_of(strategy) except NULL:
    return <policy_t*>PyCapsule_GetPointer(strategy.capsule, BARBU_POLICY_CAPSULE)
