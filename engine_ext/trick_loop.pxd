"""The loop over tricks where every seat answers at once. The rules are those of tricks.pxd.

What a turn needs of its seat stands side by side, and what decides the trick stays in
registers: the time of a trick is that of its cards waiting for each other, so nothing on
that way goes through memory but the view.
"""

from libc.stdint cimport uint32_t

from engine_ext.cards cimport pack_t
from engine_ext.policy cimport cardset_t, policy_t, stream_t, view_t
from engine_ext.table cimport table_t
from engine_ext.tricks cimport (
    begin_trick, duties_t, end_tricks, judge_card, last_cards, next_seat, role_origin,
    show_follow, show_lead, take_follow, take_lead, take_trick, trick_t, who_is,
)


# A seat while tricks are played: all that a turn of it needs, side by side.
cdef struct chair_t:
    pack_t hand                 # until the chairs are left; then back to the table
    policy_t* policy
    stream_t* stream
    chair_t* next               # who plays after it
    uint32_t who                # seat and role, as the view stores them
    int seat


cdef inline pack_t ask_card(table_t* t, chair_t* chair, pack_t legal) noexcept nogil:
    """The card that a seat plays, asked at once."""
    cdef policy_t* policy = chair.policy
    cdef cardset_t answer = policy.play(policy.play_state, &t.view, chair.stream)
    chair.stream.decision += 1
    return judge_card(t, chair.seat, answer, legal)


cdef inline void lead(table_t* t, const duties_t* d, trick_t* trick, chair_t* chair) noexcept nogil:
    """The seat on lead plays."""
    cdef pack_t legal = show_lead(&t.view, d, chair.who, chair.hand)
    take_lead(&t.view, trick, &chair.hand, chair, ask_card(t, chair, legal))


cdef inline chair_t* follow(table_t* t, const duties_t* d, trick_t* trick, chair_t* last, int k,
                            const bint bare) noexcept nogil:
    """The seat after ``last`` plays card ``k`` of the trick; its chair."""
    cdef chair_t* chair = last.next
    cdef pack_t legal = show_follow(&t.view, d, chair.who, k, chair.hand, trick.led, bare)
    cdef pack_t card = ask_card(t, chair, legal)
    take_follow(&t.view, d, trick, chair.seat, &chair.hand, chair, legal, card, bare)
    return chair


cdef inline chair_t* play_trick(table_t* t, const duties_t* d, chair_t* leader, const int n,
                                const bint bare) noexcept nogil:
    """One trick with ``n`` seats; the seat that takes it."""
    cdef trick_t trick
    cdef chair_t* chair = leader
    cdef int k
    lead(t, d, &trick, leader)
    if n == 4:                                 # the common table, written out
        chair = follow(t, d, &trick, chair, 1, bare)
        chair = follow(t, d, &trick, chair, 2, bare)
        chair = follow(t, d, &trick, chair, 3, bare)
    else:
        for k in range(1, n):
            chair = follow(t, d, &trick, chair, k, bare)
    return <chair_t*>trick.winner


cdef inline void take_chairs(table_t* t, chair_t* chairs, int n) noexcept nogil:
    """Seat the players for a deal's tricks."""
    cdef int seat, origin = role_origin(&t.view)
    for seat in range(n):
        chairs[seat].hand = t.hand[seat]
        chairs[seat].policy = t.policies[seat]
        chairs[seat].stream = &t.streams[seat]
        chairs[seat].next = &chairs[next_seat(seat, n)]
        chairs[seat].who = who_is(seat, origin, n)
        chairs[seat].seat = seat


cdef inline void leave_chairs(table_t* t, const chair_t* chairs, int n) noexcept nogil:
    cdef int seat
    for seat in range(n):
        t.hand[seat] = chairs[seat].hand


cdef inline int play_tricks_of(table_t* t, const duties_t* d, const int n,
                               const bint bare) noexcept nogil:
    """Play the deal from trick ``v.n_tricks`` on, led by ``v.trick_leader``, to its end with
    ``n`` seats. 0, or 1 when told to stop."""
    cdef view_t* v = &t.view
    cdef pack_t end = last_cards(v.contract)
    cdef chair_t chairs[10]
    cdef chair_t* leader = &chairs[v.trick_leader]
    cdef int turn, stopped = 0
    take_chairs(t, chairs, n)
    for turn in range(v.n_tricks, t.variant.hand_size):
        if v.stop[0]:
            stopped = 1
            break
        begin_trick(v, turn, leader.seat)
        leader = play_trick(t, d, leader, n, bare)
        if take_trick(t, v.contract, end, turn, leader.seat):
            break
    leave_chairs(t, chairs, n)
    if not stopped:
        end_tricks(v, leader.seat)
    return stopped
