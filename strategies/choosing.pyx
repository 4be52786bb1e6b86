"""``dp.v1`` in compiled code: a contract by what it is worth and what it leaves.

Described in ``dp.py``.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

from strategies.alternatives import Alternative

from engine_ext.any_tricks cimport ask_any_card, play_any_tricks, show_any_follow
from engine_ext.cards cimport alike, card_bit, cards_of, lowest_number, pack_t, put
from engine_ext.deal cimport deal_hands, dealing_t, plan_dealing
from engine_ext.dice cimport dice_t, roll, roll_below, take_dice
from engine_ext.layout cimport (
    begin_layout, end_layout, layout_t, score_layout, show_layout, take_layout,
)
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, KIND_LAYOUT, KIND_TRICK, NO_SEAT, NO_SUIT, POLICY_DRAWS,
    POLICY_HAS_MEMORY, TRUMP_DRAWN, TRUMP_NONE, cardset_t, contract_t, policy_t, stream_t, variant_t,
    view_t,
)
from engine_ext.score_tricks cimport score_tricks
from engine_ext.table cimport table_t
from engine_ext.trick_loop cimport play_tricks_of
from engine_ext.tricks cimport (
    as_owner, begin_trick, duties_t, end_tricks, fetch_duties, last_cards, next_seat, owner_of,
    role_origin, show_follow, take_follow, take_lead, take_trick, trick_so_far, trick_t, who_is,
)
from engine_ext.worlds cimport begin_worlds, draw_world, end_worlds, plan_worlds, worlds_t


cdef enum:
    MOST_TRIED = 1024           # contracts with all that may be named in them
    BY_DP = 0                   # worth now and what is left together
    BY_SURPLUS = 1              # worth above the contract's average
    BY_VALUE = 2                # worth now
    BY_ORDER = 3                # the first that is left

RULES = {"dp": BY_DP, "surplus": BY_SURPLUS, "value": BY_VALUE, "order": BY_ORDER}

include "../engine_ext/playout.pxi"
include "worth.pxi"


# Who chooses: how, with how many worlds, and what it knows of the rules.
cdef struct chooser_t:
    playout_t playout
    worlds_t worlds
    dice_t dice
    worth_t worth
    policy_t* of                # plays the worlds out
    policy_t* wide              # who answers for two packs, where this is compiled for one
    int n_worlds
    int n_hands
    int n_tries                 # worlds for a contract and hand of the table, in each half
    int how
    bint elsewhere              # the last question was answered by `wide`
    int n_tried                 # at the last question
    int32_t tried[MOST_TRIED]
    double worth_now[MOST_TRIED]
    double worth_later[MOST_TRIED]
    double errors[MOST_TRIED]


cdef void first_view(view_t* view, const variant_t* v, const int* stop) noexcept nogil:
    """The table before the choice in the first deal, seat 0 to choose."""
    cdef int s
    memset(view, 0, sizeof(view_t))
    view.variant = v
    view.stop = stop
    view.declarer = 0 if v.has_choice else NO_SEAT
    view.dealer = v.dealer_offset
    view.leader = v.leader_offset
    view.trump = NO_SUIT
    view.led_suit = NO_SUIT
    for s in range(v.seats):
        view.n_cards[s] = v.hand_size


cdef int judge_hands(chooser_t* c, const int* stop) noexcept nogil:
    """The hands of the table, dealt from a stream that is always the same. 0, or 1 when told to
    stop."""
    cdef worth_t* w = &c.worth
    cdef const variant_t* v = &w.variant
    cdef dealing_t dealing
    cdef view_t view
    cdef stream_t stream
    cdef pack_t hands[10]
    cdef int hand, s
    plan_dealing(&dealing, &v.deck, v.seats)
    memset(&stream, 0, sizeof(stream))
    for hand in range(w.n_hands):
        first_view(&view, v, stop)
        stream.block = <uint64_t>hand
        take_dice(&c.dice, &stream)
        deal_hands(&dealing, stream.key, stream.block, 0, hands)
        for s in range(v.seats):
            if hands[s] & cards_of(v.leader_card):
                view.leader = <uint8_t>s
        put(&view.hand, hands[0])
        set_table(&c.playout, &view, c.of, &stream)
        if not plan_worlds(&c.worlds, &view) or \
                judge_hand(w, &c.playout, &c.worlds, &c.dice, c.n_tries, hand):
            return 1
    return 0


cdef bint make_table(chooser_t* c, const int* stop) noexcept nogil:
    """Judge many hands and value what is left, as far as there is room for it. False when told
    to stop."""
    cdef worth_t* w = &c.worth
    if not take_room(w, c.n_hands):
        return True
    if judge_hands(c, stop):
        return False
    average_contracts(w)
    w.averaged = True
    if w.left == NULL:
        return True
    w.counted = not value_states(w, stop)
    return w.counted


cdef bint know(chooser_t* c, const view_t* view) noexcept nogil:
    """The table is that of the variant at hand, made now if it is not; none where nobody looks
    it up. False when told to stop."""
    cdef worth_t* w = &c.worth
    if not view.variant.has_choice or c.how == BY_VALUE or c.how == BY_ORDER:
        return True
    if w.source == view.variant:
        return True
    if not w.made or memcmp(&w.variant, view.variant, sizeof(variant_t)):
        w.made = False
        memcpy(&w.variant, view.variant, sizeof(variant_t))
        if not make_table(c, <const int*>view.stop):
            return False
        w.made = True
    w.source = view.variant
    return True


cdef double leaves(const chooser_t* c, const view_t* view, int k) noexcept nogil:
    """What the contracts left after contract ``k`` add to it, as the rule of choice has it."""
    cdef const worth_t* w = &c.worth
    cdef const uint8_t* uses
    if not view.variant.has_choice or c.how == BY_VALUE or c.how == BY_ORDER:
        return 0
    uses = view.uses_left[view.declarer]       # nobody declares without choice
    if uses[k] == 0:
        return 0
    if c.how == BY_DP and w.counted and w.variant.uses[k]:
        return w.left[(w.turns - 1) * w.stride[w.variant.n_contracts] + state_of(w, uses)
                      - w.stride[k]]
    return -w.average[k] if w.averaged else 0


cdef int32_t choose_by_worth(chooser_t* c, const view_t* view, stream_t* stream) noexcept nogil:
    """Contract and what is named: worth most now and with what it leaves."""
    cdef uint32_t rest = view.choices
    cdef int32_t answer = -1
    cdef double mean = 0, error = 0, here, most = 0
    cdef dice_t dice
    cdef int k, param
    c.n_tried = 0
    if not know(c, view):
        return -1
    set_table(&c.playout, view, c.of, stream)
    take_dice(&dice, stream)
    if not plan_worlds(&c.worlds, view):       # set up by hand, as nobody can deal
        return c.of.choose(c.of.choose_state, view, stream)
    while rest:
        k = lowest_number(rest)
        rest &= rest - 1
        for param in range(32):
            if not (view.variant.contracts[k].params >> param) & 1:
                continue
            c.dice = dice                      # the same worlds for all
            if try_contract(&c.playout, &c.worlds, &c.dice, &view.variant.contracts[k],
                            param, c.n_worlds, &mean, &error):
                return -1
            here = mean + leaves(c, view, k)
            c.tried[c.n_tried] = k << 8 | param
            c.worth_now[c.n_tried] = mean
            c.worth_later[c.n_tried] = here - mean
            c.errors[c.n_tried] = error
            c.n_tried += 1
            if answer < 0 or here > most:
                most = here
                answer = k << 8 | param
        if c.how == BY_ORDER:
            return answer
    return answer


cdef int32_t choose(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef chooser_t* c = <chooser_t*>state
    c.elsewhere = c.wide != NULL and view.variant.copies == 2
    if c.elsewhere:
        return c.wide.choose(c.wide.choose_state, view, stream)
    return choose_by_worth(c, view, stream)


cdef void new_game(void* state) noexcept nogil:
    # The rules may be others, even at the same address; what is known of them stays.
    cdef chooser_t* c = <chooser_t*>state
    c.worth.source = NULL
    if c.of.flags & POLICY_HAS_MEMORY:
        c.of.new_game(c.of.game_state)
    if c.wide != NULL:
        c.wide.new_game(c.wide.game_state)


cdef class Choosing:
    """Chooses by what a contract is worth now and what it leaves."""

    cdef policy_t policy
    cdef chooser_t* chooser
    cdef readonly object capsule
    cdef readonly object of
    cdef readonly object wide
    cdef public str full_name

    def __cinit__(self, of, int worlds, int hands, int how, wide=None):
        cdef policy_t* inner = <policy_t*>PyCapsule_GetPointer(of.capsule, BARBU_POLICY_CAPSULE)
        self.of = of
        self.wide = wide
        self.full_name = "dp.v1"
        self.chooser = <chooser_t*>calloc(1, sizeof(chooser_t))
        if self.chooser == NULL:
            raise MemoryError
        begin_worlds(&self.chooser.worlds)
        self.chooser.of = inner
        self.chooser.playout.draws = getattr(of, "draws", None) is not False
        if wide is not None:
            self.chooser.wide = <policy_t*>PyCapsule_GetPointer(wide.capsule, BARBU_POLICY_CAPSULE)
        self.chooser.n_worlds = worlds
        self.chooser.n_hands = hands
        self.chooser.n_tries = 16
        self.chooser.how = how
        self.policy = inner[0]                 # the other questions as they are
        self.policy.flags |= POLICY_HAS_MEMORY
        self.policy.choose = choose
        self.policy.choose_state = self.policy.game_state = self.chooser
        self.policy.new_game = new_game
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    def __dealloc__(self):
        if self.chooser == NULL:
            return
        give_back(&self.chooser.worth)
        end_worlds(&self.chooser.worlds)
        free(self.chooser)

    def alternatives(self):
        """What it could have named at the last choice: ((contract, trump suit or start rank),
        worth with what is left in points ahead of the others' mean, standard error, worlds)."""
        cdef chooser_t* c = self.chooser
        cdef int i
        if c.elsewhere:
            return self.wide.alternatives()
        return [
            Alternative((c.tried[i] >> 8, c.tried[i] & 255), c.worth_now[i] + c.worth_later[i],
                        c.errors[i], c.n_worlds)
            for i in range(c.n_tried)
        ]

    @property
    def weighs(self):
        """The questions at which it weighs alternatives."""
        return ("choose",)

    @property
    def draws(self):
        """Whether it takes random numbers."""
        return True

    def __repr__(self):
        return self.full_name


def value_of_states(chosen, valued, uses, int seats=0):
    """What is left to choose from is worth with a made-up table, for tests: of each hand what
    its contracts are worth by one half of the worlds and by the other, of each contract its
    uses; ``seats`` that share them and choose in turn (0: one seat alone). Averages, and the
    values by what is left, as lists of its digits' order in ``worth.pxi``: the first seat to
    choose first, then the next one."""
    cdef worth_t* w = <worth_t*>calloc(1, sizeof(worth_t))
    cdef int k, i, n = len(uses), stop = 0
    if w == NULL:
        raise MemoryError
    try:
        w.variant.n_contracts = n
        w.variant.seats = max(seats, 1)
        w.variant.uses_of_table = seats > 0
        w.variant.dealership = 1
        for k in range(n):
            w.variant.uses[k] = uses[k]
        if not take_room(w, len(chosen)):
            raise MemoryError
        for i in range(w.n_hands):
            for k in range(n):
                w.half[0][i * n + k] = w.other[1][i * n + k] = chosen[i][k]
                w.half[1][i * n + k] = w.other[0][i * n + k] = valued[i][k]
        average_contracts(w)
        averages = [w.average[k] for k in range(n)]
        if w.left == NULL:
            return averages, None
        value_states(w, &stop)
        states = w.stride[n]
        return averages, [[w.left[i * states + k] for k in range(states)] for i in range(w.turns)]
    finally:
        give_back(w)
        free(w)
