"""Trick contracts of players on their honour: all rules, and a stop at a proved revoke."""

from engine_ext.any_tricks cimport show_any_follow, show_any_lead
from engine_ext.cards cimport beyond_pack, cards_of, meant, pack_t
from engine_ext.policy cimport cardset_t, policy_t, view_t
from engine_ext.revokes cimport charge_revoke, comes_out, is_revoke
from engine_ext.score_tricks cimport score_tricks
from engine_ext.table cimport table_t
from engine_ext.tricks cimport (
    accept_card, as_owner, begin_trick, duties_t, end_tricks, fetch_duties, last_cards, next_seat,
    owner_of, role_origin, take_follow, take_lead, take_trick, trick_t, who_is,
)


cdef inline pack_t accept_on_honour(table_t* t, int seat, cardset_t answer,
                                    pack_t legal) noexcept nogil:
    """As :func:`accept_card` of tricks.pxd, but a revoke is no foul."""
    cdef pack_t card = meant(cards_of(answer), t.hand[seat])
    if card & legal == 0 and not beyond_pack(answer) and is_revoke(t, seat, card):
        t.streams[seat].decision += 1
        return card
    return accept_card(t, seat, answer, legal)


cdef inline pack_t ask_on_honour(table_t* t, int seat, pack_t legal) noexcept nogil:
    """The card that ``seat`` plays, asked at once."""
    cdef policy_t* policy = t.policies[seat]
    return accept_on_honour(
        t, seat, policy.play(policy.play_state, &t.view, &t.streams[seat]), legal)


cdef inline int play_honour_trick(table_t* t, const duties_t* d, int leader) noexcept nogil:
    """One trick; the seat that takes it, or -1 if a revoke came out."""
    cdef view_t* v = &t.view
    cdef trick_t trick
    cdef pack_t card, legal
    cdef int seat = leader, k, origin = role_origin(v)
    legal = show_any_lead(t, d, who_is(seat, origin, t.seats), seat)
    card = ask_on_honour(t, seat, legal)
    take_lead(v, &trick, &t.hand[seat], as_owner(seat), card)
    if comes_out(t, seat, card):
        return -1
    for k in range(1, t.seats):
        seat = next_seat(seat, t.seats)
        legal = show_any_follow(t, d, who_is(seat, origin, t.seats), seat, k, trick.led)
        card = ask_on_honour(t, seat, legal)
        take_follow(v, d, &trick, seat, &t.hand[seat], as_owner(seat), card, card, False)
        if comes_out(t, seat, card):
            return -1
    return owner_of(&trick)


cdef inline int play_on_honour(table_t* t) noexcept nogil:
    """As the loop of trick_loop.pxd. 0, or 1 when told to stop."""
    cdef view_t* v = &t.view
    cdef pack_t end = last_cards(v.contract)
    cdef duties_t d
    cdef int leader = v.trick_leader, winner, turn
    fetch_duties(t, v.contract, &d)
    for turn in range(v.n_tricks, t.variant.hand_size):
        if v.stop[0]:
            return 1
        begin_trick(v, turn, leader)
        winner = play_honour_trick(t, &d, leader)
        if winner < 0:
            break
        leader = winner
        if take_trick(t, v.contract, end, turn, leader):
            break
    end_tricks(v, leader)
    return 0


cdef inline void finish_tricks(table_t* t) noexcept nogil:
    """The deal of tricks is over: count it, and settle a revoke."""
    score_tricks(t)
    if t.variant.honour:
        charge_revoke(t)
