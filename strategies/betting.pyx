"""``ev.v1`` in compiled code: doubles by what they are expected to pay.

Described in ``ev.py``. Before the first card the hidden hands are dealt again and again; kept are
those in which the others, asked as ``model``, would have chosen and doubled as they did; the
rest of the deal is played out in each.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
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
    BARBU_POLICY_CAPSULE, KIND_LAYOUT, NO_SEAT, NO_SEATS_ANSWER, NO_SUIT, POLICY_DRAWS,
    POLICY_HAS_MEMORY, POLICY_TWO_PACKS, TRUMP_DRAWN, TRUMP_NONE, cardset_t, contract_t, deals_to_declare, policy_t, stream_t,
    variant_t, view_t,
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
    MOST_KEPT = 256             # worlds played out for a question
    AT_LEAST = 8                # worlds, even if the model would have acted otherwise in them
    MOST_DEALS = 32             # of a declarer in the table of the duty
    MOST_DUTY = 16
    SAMPLES = 240               # doubles of which that table is made

cdef double NEVER = -1e300      # pays a double that may not be made


# Who bets: with how many worlds, and what it knows of the duty.
cdef struct better_t:
    playout_t playout
    worlds_t worlds
    dice_t dice
    view_t asked                # what the model is shown
    policy_t* of                # plays the worlds out
    policy_t* model             # how the others are thought to choose and double
    policy_t* wide              # who answers for two packs, where this is compiled for one
    int n_worlds
    int n_draws
    int n_kept
    pack_t kept[MOST_KEPT][10]
    int32_t points[MOST_KEPT][10]
    const variant_t* source     # whose duty the table is of; NULL: other rules may stand there
    variant_t variant
    bint known
    bint elsewhere              # the last question was answered by `wide`
    int n_tried                 # seats at the last question
    int tried[10]
    double gains[10]
    double errors[10]
    double duty[MOST_DEALS + 1][MOST_DUTY + 1]   # [deals left][doubles owed]: worth of what is left


cdef inline int from_declarer(const view_t* v, int seat) noexcept nogil:
    return seat - v.declarer if seat >= v.declarer else seat - v.declarer + v.variant.seats


cdef void show_model(better_t* b, const view_t* v, int seat, pack_t hand) noexcept nogil:
    """Turn what the model sees to another seat before the first card."""
    memcpy(&b.asked, v, sizeof(view_t))
    b.asked.seat = <uint8_t>seat
    b.asked.role = <uint8_t>from_declarer(v, seat)
    put(&b.asked.hand, hand)
    put(&b.asked.legal, 0)
    b.asked.may_double = b.asked.must_double = b.asked.may_redouble = 0


cdef bint would_choose(better_t* b, const view_t* v, const pack_t* hands, stream_t* stream) noexcept nogil:
    """Whether the declarer would have named this contract with that hand."""
    cdef int k, param, declarer = v.declarer, open_to_him = 0
    cdef uint32_t choices = 0
    cdef int32_t answer
    if not v.variant.has_choice or declarer == v.seat or v.extra:
        return True
    for k in range(v.variant.n_contracts):
        if v.uses_left[declarer][k] or k == v.contract.id:
            choices |= <uint32_t>1 << k
    for k in range(v.variant.n_contracts):
        if (choices >> k) & 1:
            param = 0
            while v.variant.contracts[k].params >> param:
                open_to_him += (v.variant.contracts[k].params >> param) & 1
                param += 1
                if param == 32:
                    break
    if open_to_him < 2:
        return True
    show_model(b, v, declarer, hands[declarer])
    b.asked.contract = NULL
    b.asked.choices = choices
    b.asked.uses_left[declarer][v.contract.id] += 1
    b.asked.trump = NO_SUIT
    b.asked.start_rank = 0
    put(&b.asked.trump_cards, 0)
    memset(b.asked.doubled, 0, sizeof(b.asked.doubled))
    answer = b.model.choose(b.model.choose_state, &b.asked, stream)
    param = v.start_rank if v.contract.kind == KIND_LAYOUT else v.trump if v.trump != NO_SUIT else 0
    return answer == (v.contract.id << 8 | param) or \
        (answer >> 8 == v.contract.id and v.contract.params == 1)


cdef inline bint was_forced(const view_t* v, int seat) noexcept nogil:
    """Whether the double of the declarer that a seat has made was its duty's."""
    cdef const variant_t* r = v.variant
    cdef int owed = r.duty - v.duty_done[seat] + 1
    return r.duty_forced and owed > 0 and owed >= deals_to_declare(r, v.deal, v.declarer)


cdef bint would_double(better_t* b, const view_t* v, const pack_t* hands, stream_t* stream) noexcept nogil:
    """Whether those who have doubled would have with these hands. Doubles that answer
    doubles are not asked about."""
    cdef uint32_t bits, answer
    cdef int s, other
    for s in range(v.variant.seats):
        if s == v.seat or s == v.declarer:
            continue
        bits = v.doubled[s]
        for other in range(v.variant.seats):
            if (v.doubled[other] >> s) & 1 and from_declarer(v, other) and \
                    from_declarer(v, other) < from_declarer(v, s):
                bits &= ~(<uint32_t>1 << other)          # an answer
        if bits & (<uint32_t>1 << v.declarer) and was_forced(v, s):
            bits &= ~(<uint32_t>1 << v.declarer)
        if not bits:
            continue
        show_model(b, v, s, hands[s])
        for other in range(v.variant.seats):   # who spoke later had said nothing
            if not from_declarer(v, other) or from_declarer(v, other) >= from_declarer(v, s):
                b.asked.doubled[other] = 0
        b.asked.may_double = <uint16_t>bits
        if b.asked.duty_done[s] and bits & (<uint32_t>1 << v.declarer):
            b.asked.duty_done[s] -= 1
        answer = b.model.make_doubles(b.model.double_state, &b.asked, stream)
        if answer == NO_SEATS_ANSWER or (answer & bits) != bits:
            return False
    return True


cdef bint would_redouble(better_t* b, const view_t* v, int seat, pack_t hand, stream_t* stream) noexcept nogil:
    """Whether a seat doubled by ``v.seat`` would double back."""
    cdef uint32_t answer, own = <uint32_t>1 << v.seat
    if not v.variant.redoubles:
        return False
    if seat == v.declarer:
        if not v.variant.declarer_redoubles:
            return False
    elif v.variant.rounds == 1 and from_declarer(v, seat) < from_declarer(v, v.seat):
        return False                           # it has spoken
    show_model(b, v, seat, hand)
    b.asked.doubled[v.seat] |= <uint16_t>(<uint32_t>1 << seat)
    b.asked.may_redouble = <uint16_t>own
    answer = b.model.make_redoubles(b.model.redouble_state, &b.asked, stream)
    return answer != NO_SEATS_ANSWER and (answer & own) != 0


cdef int keep_worlds(better_t* b, const view_t* v, stream_t* stream) noexcept nogil:
    """Worlds in which the others would have acted as they did, played out: how many. -1 when
    told to stop."""
    cdef pack_t spare[AT_LEAST][10]
    cdef pack_t hands[10]
    cdef int i, n_spare = 0
    b.n_kept = 0
    for i in range(b.n_draws):
        if v.stop[0]:
            return -1
        draw_world(&b.worlds, &b.dice, hands)
        if would_choose(b, v, hands, stream) and would_double(b, v, hands, stream):
            memcpy(b.kept[b.n_kept], hands, sizeof(hands))
            b.n_kept += 1
            if b.n_kept == b.n_worlds:
                break
        elif n_spare < AT_LEAST:
            memcpy(spare[n_spare], hands, sizeof(hands))
            n_spare += 1
    while b.n_kept < AT_LEAST and n_spare and b.n_kept < b.n_worlds:
        n_spare -= 1
        memcpy(b.kept[b.n_kept], spare[n_spare], sizeof(hands))
        b.n_kept += 1
    for i in range(b.n_kept):
        if b.playout.draws:
            b.playout.lot = roll(&b.dice)
        if play_deal_out(&b.playout, b.kept[i]):
            return -1
        memcpy(b.points[i], b.playout.table.points, sizeof(b.points[i]))
    return b.n_kept


cdef void take_seat(better_t* b, const view_t* v, stream_t* stream) noexcept nogil:
    """The table before the first card, as ``v`` shows it."""
    cdef int param = v.start_rank if v.contract.kind == KIND_LAYOUT else v.trump
    set_table(&b.playout, v, b.of, stream)
    b.playout.bets = False
    take_up(&b.playout, v.contract, param)


cdef double pays(better_t* b, const view_t* v, int target, int first, int step, bint back,
                 double* error, stream_t* stream) noexcept nogil:
    """What doubling ``target`` pays on average over every ``step``-th world kept from the
    ``first`` on; with ``back`` those count twice in which the target would double back."""
    cdef int i = first, n = 0
    cdef int64_t sum = 0, squares = 0, gain
    while i < b.n_kept:
        gain = b.points[i][v.seat] - b.points[i][target]
        if back and would_redouble(b, v, target, b.kept[i][target], stream):
            gain *= 2
        sum += gain
        squares += gain * gain
        n += 1
        i += step
    error[0] = sqrt((squares - <double>sum * sum / n) / (n - 1) / n) if n > 1 else 0.0
    return <double>sum / n if n else 0.0


cdef double price(const better_t* b, const view_t* v) noexcept nogil:
    """What it is worth to owe one double of the declarer less after this deal."""
    cdef int owed = v.variant.duty - v.duty_done[v.seat]
    cdef int later = deals_to_declare(v.variant, v.deal, v.declarer) - 1
    if owed <= 0 or later < 0 or later > MOST_DEALS or owed > MOST_DUTY:
        return 0
    return b.duty[later][owed - 1] - b.duty[later][owed]


cdef int32_t chosen_by_model(better_t* b, const view_t* view, stream_t* stream) noexcept nogil:
    """What the model chooses; the first that may be named in place of a foul."""
    cdef int32_t answer = b.model.choose(b.model.choose_state, view, stream)
    cdef int k = answer >> 8, param = answer & 255
    if answer >= 0 and k < view.variant.n_contracts and (view.choices >> k) & 1 and param < 32 \
            and (view.variant.contracts[k].params >> param) & 1:
        return answer
    k = lowest_number(view.choices)
    return k << 8 | lowest_number(view.variant.contracts[k].params)


cdef void take_model_choice(better_t* b, view_t* view, stream_t* stream) noexcept nogil:
    """The contract that the model chooses is played."""
    cdef const variant_t* r = view.variant
    cdef int32_t code = chosen_by_model(b, view, stream)
    cdef int param = code & 255
    view.contract = &r.contracts[code >> 8]
    view.uses_left[0][code >> 8] -= 1
    view.choices = 0
    if view.contract.kind == KIND_LAYOUT:
        view.start_rank = <uint8_t>param
    elif view.contract.trump_mode != TRUMP_NONE:
        if view.contract.trump_mode == TRUMP_DRAWN:
            param = <int>roll_below(&b.dice, r.n_suits)
        view.trump = <uint8_t>param
        put(&view.trump_cards, cards_of(r.suit[param]))


cdef int try_double(better_t* b, const variant_t* r, const dealing_t* dealing, int sample, const int* stop,
                    double* half) noexcept nogil:
    """What a double of the declarer pays in a deal of a game, by each half of the worlds;
    ``NEVER`` where he may not be doubled. 0, or 1 when told to stop."""
    cdef pack_t hands[10]
    cdef view_t view
    cdef stream_t stream
    cdef int k, side
    cdef double error
    memset(&view, 0, sizeof(view))
    memset(&stream, 0, sizeof(stream))
    stream.block = <uint64_t>sample
    take_dice(&b.dice, &stream)
    deal_hands(dealing, stream.key, stream.block, 0, hands)
    view.variant = r
    view.stop = stop
    view.dealer = r.dealer_offset
    view.leader = r.leader_offset
    view.trump = view.led_suit = NO_SUIT
    for k in range(r.seats):
        view.n_cards[k] = r.hand_size
        if hands[k] & cards_of(r.leader_card):
            view.leader = <uint8_t>k
    # Any set of contracts may be left to him, each as likely.
    while not view.choices:
        for k in range(r.n_contracts):
            view.choices |= <uint32_t>(r.uses[k] and roll(&b.dice) & 1) << k
    for k in range(r.n_contracts):
        view.uses_left[0][k] = (view.choices >> k) & 1
    put(&view.hand, hands[0])
    take_model_choice(b, &view, &stream)
    half[0] = half[1] = NEVER
    if r.targets[view.contract.tone + 1] == 0:
        return 0
    view.seat = view.role = <uint8_t>(1 + sample % (r.seats - 1))
    put(&view.hand, hands[view.seat])
    take_seat(b, &view, &stream)
    if not plan_worlds(&b.worlds, &b.playout.seen) or keep_worlds(b, &view, &stream) < 0:
        return 1
    for side in range(2):
        half[side] = pays(b, &view, 0, side, 2, True, &error, &stream)
    return 0


cdef void value_deals_left(better_t* b, const double* half, int samples) noexcept nogil:
    """What the deals left of a declarer are worth, by how many doubles are owed: in each the
    better of doubling and leaving it, judged by one half of the worlds, valued by the other."""
    cdef const variant_t* r = &b.variant
    cdef double sum, doubled, left
    cdef int deals, owed, i, side
    for owed in range(MOST_DUTY + 1):
        b.duty[0][owed] = r.duty_penalty * owed
    for deals in range(1, MOST_DEALS + 1):
        for owed in range(MOST_DUTY + 1):
            sum = 0
            doubled = b.duty[deals - 1][owed - 1 if owed else 0]
            left = b.duty[deals - 1][owed]
            for i in range(samples):
                for side in range(2):
                    if half[2 * i + side] != NEVER and (
                            (r.duty_forced and owed and owed >= deals)
                            or half[2 * i + side] + doubled > left):
                        sum += half[2 * i + 1 - side] + doubled
                    else:
                        sum += left
            b.duty[deals][owed] = sum / (2 * samples)


cdef bint value_duty(better_t* b, const int* stop) noexcept nogil:
    """The table of the duty, from deals that are always the same. False when told to stop."""
    cdef dealing_t dealing
    cdef double half[2 * SAMPLES]
    cdef int i
    plan_dealing(&dealing, &b.variant.deck, b.variant.seats)
    for i in range(SAMPLES):
        if try_double(b, &b.variant, &dealing, i, stop, half + 2 * i):
            return False
    value_deals_left(b, half, SAMPLES)
    return True


cdef bint know(better_t* b, const view_t* view) noexcept nogil:
    """Whether the table of the duty is that of the variant at hand, made now if it is not."""
    if not view.variant.duty:
        return True
    if b.source == view.variant:
        return b.known
    if not b.known or memcmp(&b.variant, view.variant, sizeof(variant_t)):
        memcpy(&b.variant, view.variant, sizeof(variant_t))
        b.known = value_duty(b, <const int*>view.stop)
    b.source = view.variant if b.known else NULL
    return b.known


cdef bint look_round(better_t* b, const view_t* view, stream_t* stream) noexcept nogil:
    """Worlds for the question at hand. False when told to stop."""
    take_seat(b, view, stream)
    take_dice(&b.dice, stream)
    return plan_worlds(&b.worlds, &b.playout.seen) and keep_worlds(b, view, stream) > 0


cdef void note_gain(better_t* b, int seat, double gain, double error) noexcept nogil:
    b.tried[b.n_tried] = seat
    b.gains[b.n_tried] = gain
    b.errors[b.n_tried] = error
    b.n_tried += 1


cdef uint32_t doubles_that_pay(better_t* b, const view_t* view, stream_t* stream) noexcept nogil:
    cdef uint32_t seats = view.must_double, may = view.may_double & ~view.must_double
    cdef double gain, error
    cdef int s
    b.n_tried = 0
    if not may:
        return seats
    if not know(b, view) or not look_round(b, view, stream):
        return NO_SEATS_ANSWER
    for s in range(view.variant.seats):
        if (may >> s) & 1:
            gain = pays(b, view, s, 0, 1, True, &error, stream)
            if s == view.declarer:
                gain += price(b, view)
            note_gain(b, s, gain, error)
            if gain > 0:
                seats |= <uint32_t>1 << s
    return seats


cdef uint32_t make_doubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef better_t* b = <better_t*>state
    b.elsewhere = b.wide != NULL and view.variant.copies == 2
    if b.elsewhere:
        return b.wide.make_doubles(b.wide.double_state, view, stream)
    return doubles_that_pay(b, view, stream)


cdef uint32_t redoubles_that_pay(better_t* b, const view_t* view, stream_t* stream) noexcept nogil:
    cdef uint32_t seats = 0
    cdef double gain, error
    cdef int s
    b.n_tried = 0
    if not look_round(b, view, stream):
        return NO_SEATS_ANSWER
    for s in range(view.variant.seats):
        if (view.may_redouble >> s) & 1:
            gain = pays(b, view, s, 0, 1, False, &error, stream)
            note_gain(b, s, gain, error)
            if gain > 0:
                seats |= <uint32_t>1 << s
    return seats


cdef uint32_t make_redoubles(void* state, const view_t* view, stream_t* stream) noexcept nogil:
    cdef better_t* b = <better_t*>state
    b.elsewhere = b.wide != NULL and view.variant.copies == 2
    if b.elsewhere:
        return b.wide.make_redoubles(b.wide.redouble_state, view, stream)
    return redoubles_that_pay(b, view, stream)


cdef void new_game(void* state) noexcept nogil:
    # The rules may be others, even at the same address; what is known of them stays.
    cdef better_t* b = <better_t*>state
    b.source = NULL
    if b.of.flags & POLICY_HAS_MEMORY:
        b.of.new_game(b.of.game_state)
    if b.model.flags & POLICY_HAS_MEMORY:
        b.model.new_game(b.model.game_state)
    if b.wide != NULL:
        b.wide.new_game(b.wide.game_state)


cdef class Betting:
    """Doubles by what a double is expected to pay."""

    cdef policy_t policy
    cdef better_t* better
    cdef readonly object capsule
    cdef readonly object of
    cdef readonly object model
    cdef readonly object wide
    cdef public str full_name

    def __cinit__(self, of, model, int worlds, int draws, wide=None):
        self.of = of
        self.model = model
        self.wide = wide
        self.full_name = "ev.v1"
        self.better = <better_t*>calloc(1, sizeof(better_t))
        if self.better == NULL:
            raise MemoryError
        begin_worlds(&self.better.worlds)
        self.better.of = <policy_t*>PyCapsule_GetPointer(of.capsule, BARBU_POLICY_CAPSULE)
        self.better.model = <policy_t*>PyCapsule_GetPointer(model.capsule, BARBU_POLICY_CAPSULE)
        self.better.playout.draws = getattr(of, "draws", None) is not False
        if wide is not None:
            self.better.wide = <policy_t*>PyCapsule_GetPointer(wide.capsule, BARBU_POLICY_CAPSULE)
        self.better.n_worlds = worlds
        self.better.n_draws = draws
        self.policy = self.better.of[0]        # the other questions as they are
        if not self.better.model.flags & POLICY_TWO_PACKS:
            self.policy.flags &= ~<uint32_t>POLICY_TWO_PACKS
        self.policy.flags |= POLICY_HAS_MEMORY
        self.policy.make_doubles = make_doubles
        self.policy.make_redoubles = make_redoubles
        self.policy.double_state = self.policy.redouble_state = self.better
        self.policy.new_game = new_game
        self.policy.game_state = self.better
        self.capsule = PyCapsule_New(&self.policy, BARBU_POLICY_CAPSULE, NULL)

    def __dealloc__(self):
        if self.better != NULL:
            end_worlds(&self.better.worlds)
        free(self.better)

    def alternatives(self):
        """Whom it could have doubled at the last question: (seat, points that it is expected to
        pay with what duty makes of it, standard error, worlds)."""
        cdef better_t* b = self.better
        cdef int i
        if b.elsewhere:
            return self.wide.alternatives()
        return [Alternative(b.tried[i], b.gains[i], b.errors[i], b.n_kept)
                for i in range(b.n_tried)]

    @property
    def weighs(self):
        """The questions at which it weighs alternatives."""
        return ("double", "redouble")

    @property
    def draws(self):
        """Whether it takes random numbers."""
        return True

    def __repr__(self):
        return self.full_name


def value_of_duty(gains, bint forced, int penalty=0):
    """The table of the duty with made-up gains, for tests: of each sample what a double pays by
    one half of the worlds and by the other, None where there can be none. By deals left, then
    by doubles owed."""
    cdef better_t* b = <better_t*>calloc(1, sizeof(better_t))
    cdef double* half = <double*>calloc(2 * len(gains), sizeof(double))
    cdef int i, j
    if b == NULL or half == NULL:
        free(b)
        free(half)
        raise MemoryError
    try:
        b.variant.duty_forced = forced
        b.variant.duty_penalty = penalty
        for i in range(len(gains)):
            half[2 * i], half[2 * i + 1] = (NEVER, NEVER) if gains[i] is None else gains[i]
        value_deals_left(b, half, len(gains))
        return [[b.duty[i][j] for j in range(MOST_DUTY + 1)] for i in range(MOST_DEALS + 1)]
    finally:
        free(half)
        free(b)
