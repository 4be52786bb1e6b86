"""Doubles, redoubles and their settlement (document 004 D12-D18)."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from engine_ext.policy cimport policy_t, stream_t, variant_t, view_t
from engine_ext.table cimport note_foul, show_hand, table_t


cdef inline uint32_t doubled_by(view_t* v, int seat, int seats) noexcept nogil:
    """The set of seats that have doubled ``seat``."""
    cdef uint32_t who = 0
    cdef int s
    for s in range(seats):
        who |= <uint32_t>((v.doubled[s] >> seat) & 1) << s
    return who


cdef inline uint32_t allowed_targets(table_t* t, int seat) noexcept nogil:
    """Whom ``seat`` may double or redouble in this contract (D13, D14)."""
    cdef view_t* v = &t.view
    cdef const variant_t* r = t.variant
    cdef int whom
    if seat == v.declarer:
        return doubled_by(v, seat, t.seats) if r.declarer_redoubles else 0
    whom = r.targets[v.contract.tone + 1]
    if whom == 0:
        return 0
    if whom == 1:
        return <uint32_t>1 << v.declarer
    return ((<uint32_t>1 << t.seats) - 1) & ~(<uint32_t>1 << seat)


cdef inline void speak(table_t* t, int seat, int deals_left) noexcept nogil:
    """One seat's turn: doubles first, then answers to doubles of it."""
    cdef view_t* v = &t.view
    cdef policy_t* policy = t.policies[seat]
    cdef stream_t* stream = &t.streams[seat]
    cdef uint32_t targets = allowed_targets(t, seat)
    cdef uint32_t against = doubled_by(v, seat, t.seats)
    cdef uint32_t may = targets & ~against
    cdef uint32_t must = 0, answer
    if not targets:
        return
    show_hand(t, seat)
    if may:
        # D15 forced (dossier 2.40): as soon as the deals left would not suffice.
        if t.variant.duty > v.duty_done[seat] and \
                t.variant.duty - v.duty_done[seat] >= deals_left:
            must = may & (<uint32_t>1 << v.declarer)
        v.may_double = <uint16_t>may
        v.must_double = <uint16_t>must
        v.may_redouble = 0
        answer = policy.make_doubles(policy.double_state, v, stream)
        stream.decision += 1
        if answer & ~may or must & ~answer:
            note_foul(t, seat)
            answer = must
        v.doubled[seat] |= <uint16_t>answer
        if (answer >> v.declarer) & 1:
            v.duty_done[seat] += 1
    may = targets & against
    if may:
        v.may_double = 0
        v.must_double = 0
        v.may_redouble = <uint16_t>may
        answer = policy.make_redoubles(policy.redouble_state, v, stream)
        stream.decision += 1
        if answer & ~may:
            note_foul(t, seat)
            answer = 0
        v.doubled[seat] |= <uint16_t>answer
    v.may_double = v.must_double = v.may_redouble = 0


cdef inline void ask_doubles(table_t* t, int deals_left) noexcept nogil:
    """One round: from the declarer's neighbour to the declarer, who speaks last."""
    cdef int k, seat
    for k in range(1, t.seats + 1):
        seat = t.view.declarer + k
        speak(t, seat if seat < t.seats else seat - t.seats, deals_left)


cdef inline void settle(table_t* t) noexcept nogil:
    """Pair by pair, all on the points of the contract (D18, dossier 2.41)."""
    cdef view_t* v = &t.view
    cdef int i, j, bets
    cdef int32_t payment
    for i in range(t.seats):
        for j in range(i):
            bets = ((v.doubled[i] >> j) & 1) + ((v.doubled[j] >> i) & 1)
            payment = bets * (t.points[i] - t.points[j])
            t.side[i] += payment
            t.side[j] -= payment
