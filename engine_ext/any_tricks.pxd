"""Trick contracts with further rules about what may be led and followed: all of them here.

The short loop of trick_loop.pxd knows the common rules (``plain``) and pays for no other. What
this loop does differently is only which cards it shows as legal; it plays plain contracts
as well, card for card alike. Rules narrow the choice one after the other, and one that would
leave nothing is passed over (docs/records.md has the order).
"""

from libc.stdint cimport uint32_t

from engine_ext.cards cimport above, cards_of, highest_rank, lowest_number, of_rank, pack_t, put
from engine_ext.policy cimport (
    BAN_BROKEN, BAN_TRICK, BEAT_ALL_LEADS, BEAT_TRUMP_LEADS, FORCED_VOID, FORCED_VOID_OR_BEATEN,
    VOID_FREE, VOID_MUST_OVERRUFF, VOID_MUST_RUFF, contract_t, policy_t, view_t,
)
from engine_ext.table cimport table_t
from engine_ext.tricks cimport (
    accept_card, as_owner, begin_trick, duties_t, end_tricks, fetch_duties, last_cards, next_seat,
    owner_of, role_origin, show_follow, show_lead, take_follow, take_lead, take_trick, trick_t,
    who_is,
)

cdef inline pack_t only(pack_t cards, pack_t wanted) noexcept nogil:
    """Those of ``cards`` that are wanted; all of them if none is."""
    cdef pack_t some = cards & wanted
    return some if some else cards


cdef inline pack_t stronger(const view_t* v) noexcept nogil:
    """The cards that beat the best card of the trick in its suit."""
    return above(cards_of(v.best), v.variant.first_wins)


cdef inline pack_t highest_of(pack_t cards) noexcept nogil:
    """All of the highest rank among ``cards``, which are some."""
    return cards & of_rank(lowest_number(highest_rank(cards)) & 15)


cdef inline void lift_ban(view_t* v, const contract_t* c) noexcept nogil:
    """At the start of a trick: whether the lead ban holds for nobody any more."""
    if c.ban_until == BAN_BROKEN and cards_of(v.played) & cards_of(c.ban_broken_by):
        v.ban_lifted = 1
    elif c.ban_until == BAN_TRICK and v.n_tricks >= c.ban_trick:
        v.ban_lifted = 1


cdef inline pack_t leads(const view_t* v, const contract_t* c, pack_t hand) noexcept nogil:
    """What may be led from a hand."""
    cdef pack_t legal = hand
    if v.n_tricks == 0 and hand & cards_of(c.first_lead):
        return hand & cards_of(c.first_lead)
    if not v.ban_lifted:
        legal = only(legal, ~cards_of(c.lead_ban))
    if v.n_tricks == 0:
        legal = only(legal, ~cards_of(c.first_trick_ban))
    return legal


cdef inline pack_t forced_out(const view_t* v, const contract_t* c, pack_t cards,
                              bint following) noexcept nogil:
    """The cards one of which must go now, or none."""
    cdef pack_t out = cards & cards_of(c.forced)
    if following and c.forced_when == FORCED_VOID:
        return 0
    if following and c.forced_when == FORCED_VOID_OR_BEATEN:
        # In a trick that is ruffed no card lies under a higher one of its own suit.
        out = out & ~stronger(v) if cards_of(v.best) & cards_of(v.led) else 0
    return highest_of(out) if out and c.forced_highest else out


cdef inline pack_t follows(const view_t* v, const contract_t* c, pack_t hand) noexcept nogil:
    """What a further seat may play to the trick in progress."""
    cdef pack_t trump = cards_of(v.trump_cards), best = cards_of(v.best)
    cdef pack_t suited = hand & cards_of(v.led), over
    cdef pack_t legal = suited if suited else hand
    cdef pack_t forced
    if v.n_tricks == 0:
        legal = only(legal, ~cards_of(c.first_trick_ban))
    forced = forced_out(v, c, legal, suited != 0)
    if forced:
        return forced
    if suited:
        # A trick that is ruffed is not won by following.
        if best & cards_of(v.led) and (c.beat_duty == BEAT_ALL_LEADS or (
                c.beat_duty == BEAT_TRUMP_LEADS and cards_of(v.led) & trump)):
            return only(legal, stronger(v))
        return legal
    if c.void_duty == VOID_FREE:
        return legal
    if c.void_duty == VOID_MUST_RUFF:
        return only(legal, trump)
    over = legal & (stronger(v) if best & trump else trump)
    if over:
        return over
    return only(legal, trump) if c.void_duty == VOID_MUST_OVERRUFF else legal


cdef inline pack_t show_any_lead(table_t* t, const duties_t* d, uint32_t who,
                                 int seat) noexcept nogil:
    """As :func:`show_lead`, by all rules."""
    cdef pack_t legal
    lift_ban(&t.view, t.view.contract)
    legal = leads(&t.view, t.view.contract, t.hand[seat])
    show_lead(&t.view, d, who, t.hand[seat])
    put(&t.view.legal, legal)
    return legal


cdef inline pack_t show_any_follow(table_t* t, const duties_t* d, uint32_t who, int seat, int k,
                                   pack_t led) noexcept nogil:
    """As :func:`show_follow`, by all rules."""
    cdef pack_t legal = follows(&t.view, t.view.contract, t.hand[seat])
    show_follow(&t.view, d, who, k, t.hand[seat], led, False)
    put(&t.view.legal, legal)
    return legal


cdef inline pack_t ask_any_card(table_t* t, int seat, pack_t legal) noexcept nogil:
    """The card that ``seat`` plays, asked at once."""
    cdef policy_t* policy = t.policies[seat]
    return accept_card(t, seat, policy.play(policy.play_state, &t.view, &t.streams[seat]), legal)


cdef inline int play_any_trick(table_t* t, const duties_t* d, int leader) noexcept nogil:
    """One trick; the seat that takes it."""
    cdef view_t* v = &t.view
    cdef trick_t trick
    cdef pack_t card, legal
    cdef int seat = leader, k, origin = role_origin(v)
    legal = show_any_lead(t, d, who_is(seat, origin, t.seats), seat)
    card = ask_any_card(t, seat, legal)
    take_lead(v, &trick, &t.hand[seat], as_owner(seat), card)
    for k in range(1, t.seats):
        seat = next_seat(seat, t.seats)
        legal = show_any_follow(t, d, who_is(seat, origin, t.seats), seat, k, trick.led)
        card = ask_any_card(t, seat, legal)
        take_follow(v, d, &trick, seat, &t.hand[seat], as_owner(seat), card, card, False)
    return owner_of(&trick)


cdef inline int play_any_tricks(table_t* t) noexcept nogil:
    """As the loop of trick_loop.pxd, by all rules. 0, or 1 when told to stop."""
    cdef view_t* v = &t.view
    cdef pack_t end = last_cards(v.contract)
    cdef duties_t d
    cdef int leader = v.trick_leader, turn
    fetch_duties(t, v.contract, &d)
    for turn in range(v.n_tricks, t.variant.hand_size):
        if v.stop[0]:
            return 1
        begin_trick(v, turn, leader)
        leader = play_any_trick(t, &d, leader)
        if take_trick(t, v.contract, end, turn, leader):
            break
    end_tricks(v, leader)
    return 0
