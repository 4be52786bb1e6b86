"""Doubles, redoubles, the duty to double, and their settlement (document 004 D12-D18)."""

from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t

from engine_ext.policy cimport policy_t, stream_t, variant_t, view_t
from engine_ext.revokes cimport is_played_again
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


cdef inline bint show_doubles(table_t* t, int seat, uint32_t may, int left) noexcept nogil:
    """Show ``seat`` whom it may and must double; False if there is nobody. ``left`` deals of
    this declarer are left with this one."""
    cdef view_t* v = &t.view
    cdef uint32_t must = 0
    if not may:
        return False
    # D15 forced (dossier 2.40): as soon as the deals left would not suffice.
    if t.variant.duty_forced and t.variant.duty > v.duty_done[seat] and \
            t.variant.duty - v.duty_done[seat] >= left:
        must = may & (<uint32_t>1 << v.declarer)
    show_hand(t, seat)
    v.may_double = <uint16_t>may
    v.must_double = <uint16_t>must
    v.may_redouble = 0
    return True


cdef inline void take_doubles(table_t* t, int seat, uint32_t answer) noexcept nogil:
    """The seat's doubles; only the duty's in place of a foul."""
    cdef view_t* v = &t.view
    t.streams[seat].decision += 1
    if answer & ~<uint32_t>v.may_double or v.must_double & ~answer:
        note_foul(t, seat)
        answer = v.must_double
    v.doubled[seat] |= <uint16_t>answer
    if (answer >> v.declarer) & 1:
        v.duty_done[seat] += 1
        t.duty[v.declarer][seat] = v.duty_done[seat]
    v.may_double = v.must_double = 0


cdef inline bint show_redoubles(table_t* t, int seat, uint32_t may) noexcept nogil:
    """Show ``seat`` whom of those that doubled it it may redouble; False if nobody."""
    if not may or not t.variant.redoubles:
        return False
    show_hand(t, seat)
    t.view.may_redouble = <uint16_t>may
    return True


cdef inline void take_redoubles(table_t* t, int seat, uint32_t answer) noexcept nogil:
    """The seat's redoubles; none in place of a foul."""
    cdef view_t* v = &t.view
    t.streams[seat].decision += 1
    if answer & ~<uint32_t>v.may_redouble:
        note_foul(t, seat)
        answer = 0
    v.doubled[seat] |= <uint16_t>answer
    v.may_redouble = 0


cdef inline void speak(table_t* t, int seat, int left) noexcept nogil:
    """One seat's turn: doubles first, then answers to doubles of it."""
    cdef policy_t* policy = t.policies[seat]
    cdef stream_t* stream = &t.streams[seat]
    cdef uint32_t targets = allowed_targets(t, seat)
    cdef uint32_t against = doubled_by(&t.view, seat, t.seats)
    if show_doubles(t, seat, targets & ~against, left):
        take_doubles(t, seat, policy.make_doubles(policy.double_state, &t.view, stream))
    if show_redoubles(t, seat, targets & against):
        take_redoubles(t, seat, policy.make_redoubles(policy.redouble_state, &t.view, stream))


cdef inline int kth_speaker(const table_t* t, int k) noexcept nogil:
    """Who speaks k-th, k from 1: first the declarer's neighbour, last the declarer."""
    cdef int seat = t.view.declarer + k
    return seat if seat < t.seats else seat - t.seats


cdef inline uint32_t doubled_since(table_t* t, int seat) noexcept nogil:
    """Second round: the seats that doubled ``seat`` after it had spoken in the first, and did
    not double it back."""
    cdef uint32_t later = 0
    cdef int other = seat
    while other != t.view.declarer:
        other = other + 1 if other + 1 < t.seats else 0
        later |= <uint32_t>1 << other
    return later & doubled_by(&t.view, seat, t.seats) & ~<uint32_t>t.view.doubled[seat]


cdef inline void speak_again(table_t* t, int seat) noexcept nogil:
    """A seat's turn in the second round: it may only double back."""
    cdef policy_t* policy = t.policies[seat]
    if show_redoubles(t, seat, allowed_targets(t, seat) & doubled_since(t, seat)):
        take_redoubles(t, seat, policy.make_redoubles(policy.redouble_state, &t.view,
                                                      &t.streams[seat]))


cdef inline void ask_doubles(table_t* t) noexcept nogil:
    """All rounds of speaking."""
    cdef int k, left = t.to_declare[t.view.declarer]
    for k in range(1, t.seats + 1):
        speak(t, kth_speaker(t, k), left)
    if t.variant.rounds == 2:
        for k in range(1, t.seats + 1):
            speak_again(t, kth_speaker(t, k))


cdef inline bint is_split(const table_t* t) noexcept nogil:
    """Whether the contract is not played since nobody has doubled (dossier 2.42)."""
    cdef int s
    if not t.variant.undoubled_split or t.view.contract.tone >= 0:
        return False
    for s in range(t.seats):
        if t.view.doubled[s]:
            return False
    return True


cdef inline void split_points(table_t* t) noexcept nogil:
    """Points of a contract that is not played: equal parts for all but the declarer, rounded
    away from nothing; he gets what makes the total right."""
    cdef int32_t total = t.view.contract.total
    cdef int n = t.seats - 1, s
    cdef int32_t size = total if total > 0 else -total
    cdef int32_t part = (size + n - 1) // n
    if total < 0:
        part = -part
    for s in range(t.seats):
        t.points[s] = total - n * part if s == t.view.declarer else part


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
    if t.variant.duty_penalty and t.to_declare[v.declarer] == 1 and not is_played_again(t):
        for i in range(t.seats):
            if i != v.declarer and v.duty_done[i] < t.variant.duty:
                t.side[i] += t.variant.duty_penalty * (t.variant.duty - v.duty_done[i])
