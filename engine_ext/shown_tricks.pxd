"""What cards played to tricks show of the hands they came from.

The rules are those of tricks.pxd and any_tricks.pxd, read backwards: each narrows what may be
played to certain cards if the hand has any of them, so a card outside them shows that it had
none, and what is left of it has none either.
"""

from libc.stdint cimport uint8_t

from engine_ext.cards cimport (
    above, card_bit, cards_of, lowest_number, of_rank, pack_t, suit_number, winning,
)
from engine_ext.policy cimport (
    BAN_BROKEN, BAN_TRICK, BEAT_ALL_LEADS, BEAT_TRUMP_LEADS, FORCED_VOID, FORCED_VOID_OR_BEATEN,
    VOID_FREE, VOID_MUST_OVERRUFF, VOID_MUST_RUFF, contract_t, view_t,
)
from engine_ext.shown_facts cimport narrow, shown_t


cdef enum:
    UNSAID = 128                # moves from here on are no cards: a position was set up later


# The trick that is gone through.
cdef struct retold_t:
    pack_t led                  # the whole suit led
    pack_t best                 # the card that wins so far
    pack_t gone                 # played in tricks before
    int number
    bint lifted                 # the lead ban holds for nobody any more


cdef inline pack_t higher_ranks(pack_t card) noexcept nogil:
    """All cards of a higher rank than this one's, of any suit."""
    return of_rank(15) - of_rank((lowest_number(card) & 15) + 1)


cdef inline bint could_revoke(const view_t* v, bint lifted, pack_t card) noexcept nogil:
    """Whether a card led may have been banned and led all the same: on honour, where that
    comes out at the end of the deal only."""
    return v.variant.honour and v.variant.ban_as_revoke and v.variant.revoke_at_end and \
        not lifted and (card & cards_of(v.contract.lead_ban)) != 0


cdef inline void shown_by_lead(shown_t* s, const view_t* v, const retold_t* at, int seat,
                               pack_t card) noexcept nogil:
    """As leads() of any_tricks.pxd."""
    cdef const contract_t* c = v.contract
    cdef pack_t among = ~<pack_t>0
    if could_revoke(v, at.lifted, card):
        return
    if at.number == 0:
        if card & cards_of(c.first_lead):
            return
        s.lacks[seat] |= cards_of(c.first_lead)
    if not at.lifted:
        among = narrow(s, seat, among, card, ~cards_of(c.lead_ban))
    if at.number == 0:
        narrow(s, seat, among, card, ~cards_of(c.first_trick_ban))


cdef inline pack_t forced_now(const view_t* v, const retold_t* at, bint following) noexcept nogil:
    """The cards one of which had to go, as forced_out() of any_tricks.pxd."""
    cdef const contract_t* c = v.contract
    if following and c.forced_when == FORCED_VOID:
        return 0
    if following and c.forced_when == FORCED_VOID_OR_BEATEN:
        return cards_of(c.forced) & ~above(at.best, v.variant.first_wins) if at.best & at.led \
            else 0
    return cards_of(c.forced)


cdef inline void shown_by_follow(shown_t* s, const view_t* v, const retold_t* at, int seat,
                                 pack_t card) noexcept nogil:
    """As follows() of any_tricks.pxd."""
    cdef const contract_t* c = v.contract
    cdef pack_t trump = cards_of(v.trump_cards), best = at.best, among, out
    cdef bint following = (card & at.led) != 0
    # On honour a seat that does not follow may have revoked, and broken any duty by it; that it
    # has none of the suit is what view.voids says.
    if not following and v.variant.honour:
        return
    among = narrow(s, seat, ~<pack_t>0, card, at.led)
    if at.number == 0:
        among = narrow(s, seat, among, card, ~cards_of(c.first_trick_ban))
    out = forced_now(v, at, following)
    if card & out:
        if c.forced_highest:
            s.lacks[seat] |= among & out & higher_ranks(card)
        return
    among = narrow(s, seat, among, card, out)
    if following:
        if best & at.led and (c.beat_duty == BEAT_ALL_LEADS or (
                c.beat_duty == BEAT_TRUMP_LEADS and at.led & trump)):
            narrow(s, seat, among, card, above(best, v.variant.first_wins))
        return
    if c.void_duty == VOID_FREE:
        return
    if c.void_duty != VOID_MUST_RUFF:
        out = above(best, v.variant.first_wins) if best & trump else trump
        if card & out:
            return
        among = narrow(s, seat, among, card, out)
        if c.void_duty != VOID_MUST_OVERRUFF:
            return
    narrow(s, seat, among, card, trump)


cdef inline void lie_down(const view_t* v, retold_t* at, int k, pack_t card) noexcept nogil:
    """Card ``k`` of the trick: who wins it, as take_follow() of tricks.pxd."""
    cdef pack_t power
    if k == 0:
        at.led = cards_of(v.variant.suit[suit_number(card)])
        at.best = card
        return
    power = cards_of(v.trump_cards)
    if not (at.best | card) & power:
        power = at.led
    at.best = winning(card & power, at.best & power, v.variant.first_wins)


cdef inline void begin_retold(const view_t* v, retold_t* at) noexcept nogil:
    """The first trick whose cards are known: the first one, unless the position was set up."""
    cdef int i
    at.number = 0
    at.lifted = False
    at.gone = 0
    while at.number * v.variant.seats < v.n_moves and \
            v.moves[at.number * v.variant.seats] >= UNSAID:
        at.number += 1
    if at.number:
        # When a ban was lifted is not known; that it is may say too little, never too much.
        at.lifted = v.ban_lifted
        at.gone = cards_of(v.played)
        for i in range(at.number * v.variant.seats, v.n_moves):
            at.gone ^= card_bit(v.moves[i])


cdef inline void lift(const view_t* v, retold_t* at) noexcept nogil:
    """As lift_ban() of any_tricks.pxd."""
    cdef const contract_t* c = v.contract
    if c.ban_until == BAN_BROKEN and at.gone & cards_of(c.ban_broken_by):
        at.lifted = True
    elif c.ban_until == BAN_TRICK and at.number >= c.ban_trick:
        at.lifted = True


cdef inline void retell_tricks(shown_t* s, const view_t* v) noexcept nogil:
    """All that every card showed."""
    cdef retold_t at
    cdef pack_t card
    cdef int n = v.variant.seats, i, k, seat
    begin_retold(v, &at)
    i = at.number * n
    while i < v.n_moves:
        lift(v, &at)
        seat = v.leaders[at.number]
        for k in range(n):
            if i == v.n_moves:
                return
            card = card_bit(v.moves[i])
            if seat != s.viewer:
                if k == 0:
                    shown_by_lead(s, v, &at, seat, card)
                else:
                    shown_by_follow(s, v, &at, seat, card)
            lie_down(v, &at, k, card)
            at.gone |= card
            seat = seat + 1 if seat + 1 < n else 0
            i += 1
        at.number += 1


cdef inline void retell_leads(shown_t* s, const view_t* v) noexcept nogil:
    """What leads showed, where cards that follow show voids alone: the common contracts."""
    cdef pack_t ban = cards_of(v.contract.lead_ban)
    cdef int n = v.variant.seats, t
    cdef uint8_t move
    for t in range((v.n_moves + n - 1) // n):
        move = v.moves[t * n]
        if move < UNSAID and card_bit(move) & ban and v.leaders[t] != s.viewer:
            s.lacks[v.leaders[t]] |= ~ban


cdef inline void read_tricks(shown_t* s, const view_t* v, bint voids) noexcept nogil:
    """What the tricks so far show; ``voids``: those of the view are believed."""
    cdef const contract_t* c = v.contract
    cdef int seat, suit
    if voids:
        for seat in range(s.seats):
            for suit in range(v.variant.n_suits):
                if (v.voids[seat] >> suit) & 1:
                    s.lacks[seat] |= cards_of(v.variant.suit[suit])
    if not c.plain or v.variant.honour or cards_of(c.forced) or (
            c.void_duty != VOID_FREE and cards_of(v.trump_cards)):
        retell_tricks(s, v)
    elif cards_of(c.lead_ban):
        retell_leads(s, v)
