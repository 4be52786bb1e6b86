"""``mc.v1`` in compiled code: every card it may play, in the same worlds, to the end.

Described in ``mc.py``. A seat that may play only one card plays it. Otherwise each of its cards
is tried in the same worlds, each played to its end by the playout policy in every seat;
what counts is how far the seat comes out ahead of the others' mean, side bets included.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from strategies.alternatives import Alternative

from engine_ext.any_tricks cimport ask_any_card, play_any_tricks, show_any_follow
from engine_ext.cards cimport (
    above, alike, as_set, card_bit, cards_of, count, lane_of, lowest_bit, lowest_number, lowest_rank,
    meant, pack_t, put,
)
from engine_ext.dice cimport dice_t, roll, take_dice
from engine_ext.layout cimport (
    begin_layout, end_layout, layout_t, score_layout, show_layout, take_layout,
)
from engine_ext.policy cimport (
    BARBU_POLICY_CAPSULE, KIND_LAYOUT, NO_SUIT, POLICY_DRAWS, POLICY_HAS_MEMORY,
    POLICY_TWO_PACKS, TRUMP_NONE, cardset_t, contract_t,
    policy_t, stream_t, view_t,
)
from engine_ext.score_tricks cimport score_tricks
from engine_ext.table cimport table_t
from engine_ext.trick_loop cimport play_tricks_of
from engine_ext.tricks cimport (
    as_owner, begin_trick, duties_t, end_tricks, fetch_duties, last_cards, next_seat, owner_of,
    role_origin, show_follow, take_follow, take_lead, take_trick, trick_so_far, trick_t, who_is,
)
from engine_ext.worlds cimport begin_worlds, draw_world, end_worlds, plan_worlds, worlds_t

include "../engine_ext/playout.pxi"


cdef enum:
    MAX_TRIED = 65              # every card of a hand, and a pass
    FIRST_LOOK = 16             # worlds before cards are given up for the first time

cdef double HOPELESS = 3.0      # standard errors behind the best: given up


# One search: what is tried, and how each did in each world.
cdef struct search_t:
    playout_t playout
    worlds_t worlds
    dice_t dice
    policy_t* of                # who plays the worlds out
    policy_t* base              # whose answer is given unless another is better
    policy_t* wide              # who answers for two packs, where this is compiled for one
    int most_worlds
    double gate
    int seats
    int n_tried
    int n_worlds                # drawn so far
    int own                     # which of the tried is the base's answer
    bint elsewhere              # the last question was answered by `wide`
    int chosen
    cardset_t tried[MAX_TRIED]
    pack_t stands_for[MAX_TRIED]   # the cards alike of which it is one
    uint8_t given_up[MAX_TRIED]
    int64_t sum[MAX_TRIED]      # of `worth` over the worlds drawn until it was given up
    int worlds_of[MAX_TRIED]    # how many those were
    int32_t* worth              # [tried][world]


cdef bint same_kind(const contract_t* c, pack_t one, pack_t other) noexcept nogil:
    """Whether no rule of the contract tells two cards of a suit apart."""
    cdef int slot
    cdef pack_t both = one | other, set
    cdef cardset_t sets[8]
    for slot in range(c.n_slots):
        set = both & cards_of(c.slot_cards[slot])
        if set != 0 and set != both:
            return False
    sets[0] = c.lead_ban
    sets[1] = c.ban_broken_by
    sets[2] = c.forced
    sets[3] = c.first_lead
    sets[4] = c.first_trick_ban
    sets[5] = c.end_cards
    sets[6] = c.shoot_cards
    sets[7] = c.face_up
    if c.forced_highest and both & cards_of(c.forced):
        return False                           # which of several suits must go is a rank's say
    for slot in range(8):
        set = both & cards_of(sets[slot])
        if set != 0 and set != both:
            return False
    return True


cdef bint apart(const view_t* v, pack_t low, pack_t high, pack_t gone) noexcept nogil:
    """Whether cards that others may hold rank with two own ones of a suit or between them."""
    cdef pack_t upto = (alike(low) | above(low, 1)) & ~above(high, 1)
    return (upto & cards_of(v.variant.deck) & ~gone) != 0


cdef void list_answers(search_t* s, const view_t* v) noexcept nogil:
    """What may be answered. Of two copies one is tried, and of cards of a trick that only cards
    played or own ones part, of the same kind: the highest of them."""
    cdef pack_t rest = cards_of(v.legal), suit = 0, card, before = 0
    cdef pack_t gone = (cards_of(v.played) & ~cards_of(v.trick)) | cards_of(v.hand)
    cdef bint layout = v.contract.kind == KIND_LAYOUT, same
    s.n_tried = 0
    while rest:
        if not rest & suit:
            suit = lane_of(lowest_bit(rest))
            before = 0
        card = lowest_rank(rest & suit)
        rest ^= card
        same = before != 0 and (alike(before) == alike(card) or (
            not layout and not apart(v, before, card, gone)
            and same_kind(v.contract, before, card)))
        if not same:
            s.stands_for[s.n_tried] = 0
            s.n_tried += 1
        if not same or alike(before) != alike(card):
            s.tried[s.n_tried - 1] = as_set(card)
        s.stands_for[s.n_tried - 1] |= card
        before = card
    if layout and v.may_pass:
        s.tried[s.n_tried] = as_set(0)
        s.stands_for[s.n_tried] = 0
        s.n_tried += 1


cdef void find_own(search_t* s, const view_t* v, stream_t* stream) noexcept nogil:
    """What the base answers; of cards alike it is the one that is tried."""
    cdef cardset_t said
    cdef pack_t answer
    cdef int i
    if v.contract.kind == KIND_LAYOUT:
        said = s.base.lay(s.base.lay_state, v, stream)
    else:
        said = s.base.play(s.base.play_state, v, stream)
    answer = meant(cards_of(said), cards_of(v.legal))
    s.own = 0
    for i in range(s.n_tried):
        if (answer & s.stands_for[i]) != 0 or (answer | cards_of(s.tried[i])) == 0:
            s.own = i
            if answer and v.contract.kind != KIND_LAYOUT:
                s.tried[i] = as_set(answer)
            return


cdef inline double paired(const search_t* s, int one, int other, double* error) noexcept nogil:
    """Mean by which one answer did better than another in the same worlds, and its standard
    error."""
    cdef const int32_t* a = s.worth + <size_t>one * s.most_worlds
    cdef const int32_t* b = s.worth + <size_t>other * s.most_worlds
    cdef int64_t sum = 0, squares = 0, difference
    cdef int i, n = s.n_worlds
    cdef double mean
    for i in range(n):
        difference = a[i] - b[i]
        sum += difference
        squares += difference * difference
    mean = <double>sum / n
    error[0] = sqrt(((<double>squares - mean * sum) / (n - 1)) / n) if n > 1 else 0.0
    return mean


cdef int best_so_far(const search_t* s) noexcept nogil:
    cdef int i, best = -1
    for i in range(s.n_tried):
        if not s.given_up[i] and (best < 0 or s.sum[i] > s.sum[best]):
            best = i
    return best


cdef int give_up(search_t* s) noexcept nogil:
    """Give up what is hopelessly behind; how many are left. The base's answer stays until
    another one may be taken for it."""
    cdef int i, left = 0, best = best_so_far(s)
    cdef double error, behind, hopeless
    for i in range(s.n_tried):
        if s.given_up[i]:
            continue
        behind = paired(s, best, i, &error)
        hopeless = s.gate if i == s.own and s.gate > HOPELESS else HOPELESS
        if i != best and behind > hopeless * error:
            s.given_up[i] = 1
            s.worlds_of[i] = s.n_worlds
        else:
            left += 1
    return left


cdef int try_in_worlds(search_t* s) noexcept nogil:
    """The race. 0, or 1 when told to stop."""
    cdef pack_t hands[10]
    cdef int i, next_look = FIRST_LOOK
    while s.n_worlds < s.most_worlds:
        if s.n_worlds == next_look:
            if give_up(s) == 1:
                return 0
            next_look *= 2
        draw_world(&s.worlds, &s.dice, hands)
        if s.playout.draws:
            s.playout.lot = roll(&s.dice)
        for i in range(s.n_tried):
            if s.given_up[i]:
                continue
            if play_world(&s.playout, hands, s.tried[i],
                          s.worth + <size_t>i * s.most_worlds + s.n_worlds):
                return 1
            s.sum[i] += s.worth[<size_t>i * s.most_worlds + s.n_worlds]
        s.n_worlds += 1
    return 0


cdef cardset_t search(search_t* s, const view_t* v, stream_t* stream) noexcept nogil:
    """The answer: the best of those tried, but the base's unless another one did better by more
    than ``gate`` standard errors."""
    cdef double error, better
    cdef int i
    s.seats = v.variant.seats
    list_answers(s, v)
    s.chosen = s.own = 0
    s.n_worlds = 0
    memset(s.worlds_of, 0, sizeof(s.worlds_of))
    memset(s.given_up, 0, sizeof(s.given_up))
    memset(s.sum, 0, sizeof(s.sum))
    if s.n_tried == 1 and count(s.stands_for[0]) <= 1:
        return s.tried[0]
    find_own(s, v, stream)
    if s.n_tried == 1:
        return s.tried[0]
    take_dice(&s.dice, stream)
    if not plan_worlds(&s.worlds, v):
        return s.tried[s.own]
    set_up(&s.playout, v, s.of, stream)
    if try_in_worlds(s):
        s.n_worlds = 0
        return s.tried[s.own]                  # told to stop: the game is dropped
    for i in range(s.n_tried):
        if not s.given_up[i]:
            s.worlds_of[i] = s.n_worlds
    s.chosen = best_so_far(s)
    if s.chosen != s.own and not s.given_up[s.own]:
        better = paired(s, s.chosen, s.own, &error)
        if better <= s.gate * error:
            s.chosen = s.own
    return s.tried[s.chosen]


cdef cardset_t play(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef search_t* s = <search_t*>state
    s.elsewhere = s.wide != NULL and view.variant.copies == 2
    if s.elsewhere:
        return s.wide.play(s.wide.play_state, view, stream)
    return search(s, view, stream)


cdef cardset_t lay(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef search_t* s = <search_t*>state
    s.elsewhere = s.wide != NULL and view.variant.copies == 2
    if s.elsewhere:
        return s.wide.lay(s.wide.lay_state, view, stream)
    return search(s, view, stream)


cdef void new_game(void* state) noexcept nogil:
    cdef search_t* s = <search_t*>state
    if s.of.flags & POLICY_HAS_MEMORY:
        s.of.new_game(s.of.game_state)
    if s.base != s.of and s.base.flags & POLICY_HAS_MEMORY:
        s.base.new_game(s.base.game_state)


cdef class Searching:
    """Tries its answers in worlds that agree with what it sees."""

    cdef policy_t policy
    cdef search_t* search
    cdef readonly object capsule
    cdef readonly object of
    """Who plays the worlds out."""
    cdef readonly object base
    """Whose answer is given unless another is better; answers all other questions."""
    cdef readonly object wide
    cdef public str full_name

    def __cinit__(self, of, base, int worlds, double gate, wide=None):
        self.of = of
        self.base = base
        self.wide = wide
        self.full_name = "mc.v1"
        self.search = <search_t*>calloc(1, sizeof(search_t))
        if self.search == NULL:
            raise MemoryError
        self.search.worth = <int32_t*>calloc(MAX_TRIED * <size_t>worlds, sizeof(int32_t))
        if self.search.worth == NULL:
            raise MemoryError
        begin_worlds(&self.search.worlds)
        self.search.of = <policy_t*>PyCapsule_GetPointer(of.capsule, BARBU_POLICY_CAPSULE)
        self.search.base = <policy_t*>PyCapsule_GetPointer(base.capsule, BARBU_POLICY_CAPSULE)
        self.search.playout.draws = getattr(of, "draws", None) is not False
        if wide is not None:
            self.search.wide = <policy_t*>PyCapsule_GetPointer(wide.capsule, BARBU_POLICY_CAPSULE)
        self.search.most_worlds = worlds
        self.search.gate = gate
        self.policy = self.search.base[0]      # the other questions as they are
        self.policy.flags &= ~<uint32_t>POLICY_DRAWS
        self.policy.flags |= POLICY_HAS_MEMORY
        self.policy.flags &= self.search.of.flags | ~<uint32_t>POLICY_TWO_PACKS
        self.policy.play = play
        self.policy.lay = lay
        self.policy.play_state = self.policy.lay_state = self.policy.game_state = self.search
        self.policy.new_game = new_game
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    def __dealloc__(self):
        if self.search != NULL:
            end_worlds(&self.search.worlds)
            free(self.search.worth)
            free(self.search)

    def alternatives(self):
        """What it could have answered to the last question of card or layout move, in the order
        tried: (number of the card or None to pass, mean points ahead of the others' mean,
        standard error of the difference to the answer taken, worlds). Nothing where there was
        one answer. Cards that are alike are told once."""
        cdef search_t* s = self.search
        cdef int i, n
        cdef double error
        if s.elsewhere:
            return self.wide.alternatives()
        found = []
        if s.n_worlds == 0:
            return found
        n = s.n_worlds
        for i in range(s.n_tried):
            s.n_worlds = min(s.worlds_of[i], s.worlds_of[s.chosen])
            paired(s, i, s.chosen, &error)
            found.append(Alternative(
                lowest_number(cards_of(s.tried[i])) if cards_of(s.tried[i]) else None,
                <double>s.sum[i] / s.worlds_of[i] / (s.seats - 1), error / (s.seats - 1),
                s.worlds_of[i]))
        s.n_worlds = n
        return found

    @property
    def weighs(self):
        """The questions at which it weighs alternatives."""
        return ("play", "lay")

    @property
    def draws(self):
        """Whether it takes random numbers."""
        return True

    def __repr__(self):
        return self.full_name


# Playouts for the sake of playing them: what `barbu bench` times.
cdef struct probe_t:
    playout_t playout
    worlds_t worlds
    dice_t dice
    policy_t* of
    int trick                   # whose leader is asked, from 0
    int n_worlds
    int64_t played


cdef cardset_t probe(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef probe_t* p = <probe_t*>state
    cdef cardset_t card = p.of.play(p.of.play_state, view, stream)
    cdef pack_t hands[10]
    cdef int32_t worth
    cdef int i
    if view.n_tricks != p.trick or view.n_trick or not plan_worlds(&p.worlds, view):
        return card
    take_dice(&p.dice, stream)
    set_up(&p.playout, view, p.of, stream)
    for i in range(p.n_worlds):
        draw_world(&p.worlds, &p.dice, hands)
        if play_world(&p.playout, hands, card, &worth):
            break
        p.played += 1
    return card


cdef class Prober:
    """Answers as ``of`` does; the leader of a trick first plays so many worlds out."""

    cdef policy_t policy
    cdef probe_t* probe
    cdef readonly object capsule
    cdef readonly object of

    def __cinit__(self, of, int trick, int worlds):
        self.of = of
        self.probe = <probe_t*>calloc(1, sizeof(probe_t))
        if self.probe == NULL:
            raise MemoryError
        begin_worlds(&self.probe.worlds)
        self.probe.of = <policy_t*>PyCapsule_GetPointer(of.capsule, BARBU_POLICY_CAPSULE)
        self.probe.playout.draws = getattr(of, "draws", None) is not False
        self.probe.trick = trick
        self.probe.n_worlds = worlds
        self.policy = self.probe.of[0]
        self.policy.play = probe
        self.policy.play_state = self.probe
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    def __dealloc__(self):
        if self.probe != NULL:
            end_worlds(&self.probe.worlds)
            free(self.probe)

    @property
    def played(self):
        """How many worlds were played out so far."""
        return self.probe.played

    def __repr__(self):
        return repr(self.of)
