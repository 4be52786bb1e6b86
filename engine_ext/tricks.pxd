"""Trick contracts: who may play what and who wins.

Written for the branch predictor: what cannot be foreseen (who holds the suit, who
wins) is computed on masks, not decided by jumps.

Every turn is two halves, what the seat is shown and what its card does, so that the loop
of trick_loop.pxd and the batches of lockstep.pxi, which ask in between, share the rules.
``bare`` is a constant: where it holds, what the deal has no use for is not compiled in. Rules
beyond these are those of any_tricks.pxd.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy

from engine_ext.cards cimport (
    LIKELY, add_to, beyond_pack, cards_of, lane_of, lowest_number, lowest_rank, meant, pack_t, put,
    suit_number, winning,
)
from engine_ext.policy cimport (
    NO_SEAT, NO_SUIT, VOID_MUST_RUFF, cardset_t, contract_t, view_t,
)
from engine_ext.table cimport note_foul, table_t

cdef extern from *:
    """
    /* yes if test is not 0, else no. Never a jump: it would be mispredicted, and
     * compilers make one where they are free to. */
    static inline pack_t PICK(pack_t test, pack_t yes, pack_t no) {
    #if defined(BARBU_WIDE)
        return test ? yes : no;
    #elif defined(__x86_64__)
        __asm__("test %1, %1; cmovne %2, %0" : "+r"(no) : "r"(test), "r"(yes) : "cc");
        return no;
    #else
        return no ^ ((no ^ yes) & (0 - (uint64_t)(test != 0)));
    #endif
    }

    /* PICK(set & of, set & of, set): the cards of a set that are of another, if there are
     * any, else the set. */
    static inline pack_t ANY_OF(pack_t set, pack_t of) {
    #if !defined(BARBU_WIDE) && defined(__x86_64__)
        uint64_t some = set;
        __asm__("and %2, %0; cmove %1, %0" : "+&r"(some) : "r"(set), "rm"(of) : "cc");
        return some;
    #else
        return PICK(set & of, set & of, set);
    #endif
    }

    /* The higher of best and card; the winner becomes `who` if that is card. With one pack no
     * two are alike, so first_wins decides nothing. */
    static inline pack_t HIGHER(pack_t best, pack_t card, int first_wins, const void *who,
                                const void **winner) {
    #if defined(BARBU_WIDE)
        pack_t higher = winning(card, best, first_wins);
        if (higher != best) *winner = who;
        return higher;
    #elif defined(__x86_64__)
        (void)first_wins;
        __asm__("cmp %2, %0; cmovb %2, %0; cmovb %3, %1"
                : "+&r"(best), "+&r"(*winner) : "r"(card), "rm"(who) : "cc");
        return best;
    #else
        uint64_t beaten = best < card;
        (void)first_wins;
        *winner = (const void *)PICK(beaten, (uint64_t)who, (uint64_t)*winner);
        return PICK(beaten, card, best);
    #endif
    }
    """
    pack_t PICK(pack_t test, pack_t yes, pack_t no) noexcept nogil
    pack_t ANY_OF(pack_t set, pack_t of) noexcept nogil
    pack_t HIGHER(pack_t best, pack_t card, bint first_wins, const void* who,
                  const void** winner) noexcept nogil


cdef inline pack_t may_lead(pack_t hand, pack_t ban) noexcept nogil:
    """What may be led from a hand: a banned card only where nothing else is held."""
    return ANY_OF(hand, ~ban)


cdef inline pack_t may_follow(pack_t hand, pack_t led, pack_t forced, pack_t ruff) noexcept nogil:
    """What a further seat may play: of the suit led, else a card that is forced out, else a
    trump where it must ruff, else anything."""
    cdef pack_t suited = hand & led
    cdef pack_t out = hand & forced
    return PICK(suited, suited, PICK(out, out, ANY_OF(hand, ruff)))


cdef inline pack_t judge_card(table_t* t, int seat, cardset_t answer, pack_t legal) noexcept nogil:
    """The card of an answer; in place of a foul the lowest legal one."""
    cdef pack_t card = meant(cards_of(answer), legal)
    if LIKELY((card & legal) != 0 and ((card & (card - 1)) | beyond_pack(answer)) == 0):
        return card
    note_foul(t, seat)
    return lowest_rank(legal)


cdef inline pack_t accept_card(table_t* t, int seat, cardset_t answer, pack_t legal) noexcept nogil:
    """The card that ``seat`` plays: its answer, or its lowest legal one in place of a foul."""
    t.streams[seat].decision += 1
    return judge_card(t, seat, answer, legal)


# What the rules of the deal say about playing, fetched once.
cdef struct duties_t:
    bint bare                   # no trumps, nothing forced: following suit is all
    pack_t trump
    pack_t ban                  # not led from a hand that holds anything else
    pack_t forced               # must go when void of the suit led
    pack_t ruff                 # trumps that must be played when void, or nothing


cdef inline uint32_t who_is(int seat, int origin, int n) noexcept nogil:
    """Seat and role as the view stores them, role counted from ``origin``."""
    return <uint32_t>seat | <uint32_t>(seat - origin if seat >= origin else seat - origin + n) << 8


cdef inline void show_turn(view_t* v, uint32_t who, int k, pack_t hand,
                           pack_t legal) noexcept nogil:
    """Turn the view to the seat that plays card ``k`` of the trick."""
    # seat, role, position and may_pass are neighbours: one store instead of four.
    cdef uint32_t turn = who | <uint32_t>k << 16
    memcpy(&v.seat, &turn, 4)
    put(&v.hand, hand)
    put(&v.legal, legal)


# What lies of the trick in progress, kept beside the view: fetched back from there after
# every card it would make each wait for the one before.
cdef struct trick_t:
    pack_t led                  # whole suit led
    pack_t best                 # card that wins at the moment
    const void* winner          # and whose it is


cdef inline void trick_so_far(const view_t* v, trick_t* trick) noexcept nogil:
    """The same read off the view, all but the winner, for those who did not keep it."""
    trick.led = cards_of(v.led)
    trick.best = cards_of(v.best)
    trick.winner = NULL


cdef inline void lay_down(view_t* v, pack_t* hand, pack_t card) noexcept nogil:
    """The card leaves the hand and lies on the table for all to see."""
    hand[0] ^= card
    add_to(&v.trick, card)
    add_to(&v.played, card)
    v.moves[v.n_moves] = <uint8_t>lowest_number(card)
    v.n_moves += 1


cdef inline pack_t show_lead(view_t* v, const duties_t* d, uint32_t who,
                             pack_t hand) noexcept nogil:
    """A new trick: show the seat on lead what it may play; that set."""
    cdef pack_t legal = may_lead(hand, d.ban)
    put(&v.best, 0)
    put(&v.trick, 0)
    put(&v.led, 0)
    v.led_suit = NO_SUIT
    show_turn(v, who, 0, hand, legal)
    return legal


cdef inline void take_lead(view_t* v, trick_t* trick, pack_t* hand, const void* who,
                           pack_t card) noexcept nogil:
    """What was led must be followed."""
    cdef int suit = suit_number(card)
    trick.led = lane_of(card)
    trick.best = card
    trick.winner = who
    put(&v.best, card)
    put(&v.led, cards_of(v.variant.suit[suit]))
    v.led_suit = <uint8_t>suit
    lay_down(v, hand, card)


cdef inline pack_t show_follow(view_t* v, const duties_t* d, uint32_t who, int k, pack_t hand,
                               pack_t led, const bint bare) noexcept nogil:
    """Show a further seat what it may play; that set."""
    cdef pack_t legal
    if bare:
        legal = ANY_OF(hand, led)
    else:
        legal = may_follow(hand, led, d.forced, d.ruff)
    show_turn(v, who, k, hand, legal)
    return legal


cdef inline void take_follow(view_t* v, const duties_t* d, trick_t* trick, int seat, pack_t* hand,
                             const void* who, pack_t legal, pack_t card,
                             const bint bare) noexcept nogil:
    """A further card: a void may show, the winner may change."""
    cdef pack_t power = trick.led
    v.voids[seat] |= <uint8_t>((legal & trick.led) == 0) << v.led_suit
    if not bare:                              # a first trump beats what lay there
        power = PICK((trick.best | card) & d.trump, d.trump, power)
        trick.best &= power
    trick.best = HIGHER(trick.best, card & power, v.variant.first_wins, who, &trick.winner)
    put(&v.best, trick.best)
    lay_down(v, hand, card)


cdef inline const void* as_owner(int seat) noexcept nogil:
    """A seat as ``trick.winner`` where there are no chairs to point at."""
    return <const void*><size_t>seat


cdef inline int owner_of(const trick_t* trick) noexcept nogil:
    """The seat that :func:`as_owner` made of it."""
    return <int><size_t>trick.winner


cdef inline int next_seat(int seat, int n) noexcept nogil:
    return seat + 1 if seat + 1 < n else 0


cdef inline int role_origin(const view_t* v) noexcept nogil:
    """The seat that roles are counted from."""
    return v.leader if v.declarer == NO_SEAT else v.declarer


cdef inline void fetch_duties(const table_t* t, const contract_t* contract,
                              duties_t* d) noexcept nogil:
    d.trump = cards_of(t.view.trump_cards)
    d.ban = cards_of(contract.lead_ban)
    d.forced = cards_of(contract.forced)
    d.ruff = d.trump if contract.void_duty == VOID_MUST_RUFF else 0
    d.bare = (d.trump | d.forced) == 0


cdef inline pack_t last_cards(const contract_t* contract) noexcept nogil:
    """The cards with which the deal ends; bit 15, no card, where it has no early end."""
    return cards_of(contract.end_cards) if cards_of(contract.end_cards) else <pack_t>1 << 15


cdef inline void begin_trick(view_t* v, int turn, int leader) noexcept nogil:
    v.trick_leader = <uint8_t>leader
    v.leaders[turn] = <uint8_t>leader


cdef inline bint take_trick(table_t* t, const contract_t* contract, pack_t end, int turn,
                            int winner) noexcept nogil:
    """Trick number ``turn`` goes to ``winner``; whether that ended the deal early."""
    cdef view_t* v = &t.view
    t.captured[winner] |= cards_of(v.trick)
    add_to(&t.face_up[winner], cards_of(v.trick) & cards_of(contract.face_up))
    t.tricks_won[winner] += 1
    v.n_tricks = <uint8_t>(turn + 1)
    return (end & ~cards_of(v.played)) == 0


cdef inline void end_tricks(view_t* v, int leader) noexcept nogil:
    """The last trick lies with its owner, who would lead now."""
    v.leaders[v.n_tricks] = <uint8_t>leader
    v.n_trick = 0
    put(&v.trick, 0)
    put(&v.led, 0)
