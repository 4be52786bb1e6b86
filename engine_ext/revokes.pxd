"""Players on their honour: what counts as a revoke, when it is proved, what it costs.

Only variants with ``honour`` come here. What the hands hide stays beside the view: to the
table a revoke looks like a void until it is proved.
"""

from libc.stdint cimport int32_t, uint8_t

from engine_ext.cards cimport cards_of, pack_t, suit_number
from engine_ext.policy cimport REVOKE_MINUS, REVOKE_WORSENS, variant_t, view_t
from engine_ext.table cimport table_t


cdef inline void begin_honour(table_t* t) noexcept nogil:
    """Nobody has revoked in this deal."""
    cdef int s
    t.first_revoker = -1
    for s in range(t.seats):
        t.withheld[s] = 0


cdef inline bint breaks_ban(const table_t* t, pack_t hand, pack_t card) noexcept nogil:
    """Whether a card that may not be led is a revoke (dossier 2.8)."""
    cdef pack_t ban = cards_of(t.view.contract.lead_ban)
    return t.variant.ban_as_revoke and not t.view.ban_lifted and \
        (card & ban) != 0 and (hand & ~ban) != 0


cdef inline bint is_revoke(table_t* t, int seat, pack_t card) noexcept nogil:
    """Whether a card beyond the legal ones is one that nobody at the table can object to (000
    A26); it is noted then. Who cannot follow and breaks another duty is put right."""
    cdef const view_t* v = &t.view
    cdef pack_t hand = t.hand[seat]
    if card & hand == 0 or card & (card - 1):
        return False
    if v.n_trick == 0:
        if not breaks_ban(t, hand, card):
            return False
        if not t.variant.revoke_at_end:
            t.revoked = seat                   # the hand is looked at
    else:
        if hand & cards_of(v.led) == 0 or card & cards_of(v.led):
            return False
        t.withheld[seat] |= <uint8_t>(1 << v.led_suit)
    if t.first_revoker < 0:
        t.first_revoker = seat
    return True


cdef inline bint comes_out(table_t* t, int seat, pack_t card) noexcept nogil:
    """Whether the card just played proves a revoke, so that the deal stops here (000 A27)."""
    cdef int suit = suit_number(card)
    # Whoever plays a suit has it, whatever he did not follow before.
    t.view.voids[seat] &= <uint8_t>~(1 << suit)
    if (t.withheld[seat] >> suit) & 1 and not t.variant.revoke_at_end:
        t.revoked = seat
    return t.revoked >= 0


cdef inline bint is_played_again(const table_t* t) noexcept nogil:
    """Once a deal is over: whether its contract is played again. Not in an extra deal, and no
    more often in a game than it has deals."""
    return t.revoked >= 0 and t.variant.revoke_replays and not t.view.extra and \
        t.again < t.variant.n_deals


cdef inline int32_t price_of(const variant_t* r, int32_t total) noexcept nogil:
    """What a revoke brings its player in a contract whose whole table gets ``total``; inside
    points (000 A28, dossier 2.4)."""
    cdef int32_t size = total if total >= 0 else -total
    if r.revoke_sign == REVOKE_WORSENS:
        return -size
    if r.revoke_sign == REVOKE_MINUS:
        return -r.objective * size
    return total


cdef inline void charge_revoke(table_t* t) noexcept nogil:
    """The deal is over and counted: settle the revoke that came out first, if one did."""
    cdef int s
    if t.variant.revoke_at_end:
        t.revoked = t.first_revoker
    if t.revoked < 0:
        return
    if not t.variant.revoke_keeps:
        for s in range(t.seats):
            t.points[s] = 0
            t.items[s] = 0
    t.points[t.revoked] += price_of(t.variant, t.view.contract.total)
