"""Perfect information from Python: one question, many endings. What is asked is checked
in :mod:`engine_ext.endings`.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine_ext.cards cimport lowest_bit, lowest_number, pack_t, put
from engine_ext.policy cimport contract_t
from engine_ext.solve cimport begin, lie, lying_t, next_of, solver_t, value_after, value_of
from engine_ext.solve_memory cimport known_t
from engine_ext.solve_question cimport ask
from engine_ext.tricks cimport may_follow, may_lead


cdef void read_contract(contract_t* c, n) except *:
    """What a question needs of one ContractNumbers."""
    cdef int k
    memset(c, 0, sizeof(contract_t))
    c.n_slots = n.n_slots
    for k in range(n.n_slots):
        c.slot_kind[k] = n.slot_kind[k]
        c.slot_points[k] = n.slot_points[k]
        put(&c.slot_cards[k], n.slot_cards[k])
        c.slot_tricks[k] = n.slot_tricks[k]
    c.void_duty = n.void_duty
    put(&c.lead_ban, n.lead_ban)
    put(&c.forced, n.forced)


cdef pack_t may_play(const solver_t* s, int seat, const lying_t* lying) noexcept nogil:
    if lying.n:
        return may_follow(s.hand[seat], lying.led, s.q.forced, s.q.ruff)
    return may_lead(s.hand[seat], s.q.ban)


cdef class Solver:
    """One question and what is known of its endings; used by one thread at a time."""

    cdef solver_t s
    cdef int sign
    cdef bint busy

    def __cinit__(self, rules, int contract, pack_t trump, uint32_t counted, uint32_t wanting,
                  int sign, int table_bits):
        cdef contract_t c
        memset(&self.s, 0, sizeof(solver_t))
        self.s.memory.mask = (<uint64_t>1 << table_bits) - 1
        self.s.memory.entries = <known_t*>calloc(self.s.memory.mask + 1, sizeof(known_t))
        if self.s.memory.entries == NULL:
            raise MemoryError
        read_contract(&c, rules.contracts[contract])
        ask(&self.s.q, &c, rules.seats, rules.hand_size, rules.deck, trump, counted, wanting,
            sign)
        self.sign = sign
        begin(&self.s)

    def __dealloc__(self):
        free(self.s.memory.entries)

    @property
    def n_nodes(self):
        """Positions looked at so far."""
        return self.s.n_nodes

    cdef int enter(self) except -1:
        if self.busy:
            raise RuntimeError("a solver belongs to one thread at a time")
        self.busy = True
        return 0

    cdef int put_down(self, tuple hands, int leader, tuple trick, lying_t* lying) except -1:
        """Set an ending up; the seat to play."""
        cdef int seat = leader
        memset(lying, 0, sizeof(lying_t))
        for i in range(self.s.q.seats):
            self.s.hand[i] = hands[i]
            lying.left |= self.s.hand[i]
        for number in trick:
            lying.left |= <pack_t>1 << <int>number
        for number in trick:
            lie(&self.s, lying, seat, <pack_t>1 << <int>number)
            seat = next_of(&self.s.q, seat)
        return seat

    def values(self, const uint64_t[:, ::1] hands, const uint8_t[::1] leaders, int32_t[::1] out):
        """Fill ``out`` (N,) for endings at the start of a trick: hands (N, S), leaders (N,)."""
        cdef Py_ssize_t i
        cdef int seat
        cdef lying_t nothing
        memset(&nothing, 0, sizeof(lying_t))
        self.enter()
        with nogil:
            for i in range(hands.shape[0]):
                nothing.left = 0
                for seat in range(self.s.q.seats):
                    self.s.hand[seat] = hands[i, seat]
                    nothing.left |= hands[i, seat]
                out[i] = self.sign * value_of(&self.s, leaders[i], &nothing)
        self.busy = False

    def value(self, tuple hands, int leader, tuple trick):
        """The value of one ending, cards of a trick lying on the table or none."""
        cdef lying_t lying
        cdef int seat
        cdef int32_t value
        self.enter()
        try:
            seat = self.put_down(hands, leader, trick, &lying)
            with nogil:
                value = value_of(&self.s, seat, &lying)
        finally:
            self.busy = False
        return self.sign * value

    def by_card(self, tuple hands, int leader, tuple trick):
        """{card number: value when it is played} for each legal card of the seat to play."""
        cdef lying_t lying
        cdef int seat
        cdef pack_t legal, card
        cdef int32_t value
        found = {}
        self.enter()
        try:
            seat = self.put_down(hands, leader, trick, &lying)
            legal = may_play(&self.s, seat, &lying)
            while legal:
                card = lowest_bit(legal)
                legal ^= card
                with nogil:
                    value = value_after(&self.s, seat, card, &lying)
                found[lowest_number(card)] = self.sign * value
        finally:
            self.busy = False
        return found
