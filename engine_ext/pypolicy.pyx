"""Lets the engine call a strategy written in Python: one object a question.

The strategy sees a :class:`View`; what it must not know is not behind it.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from engine_ext.cards cimport (
    PACK_BITS, as_set, card_bit, cards_of, count, highest_rank, lowest_bit, lowest_number,
    lowest_rank, no_card, pack_t,
)
from engine_ext.dice cimport dice_t, take_dice
from engine_ext.handing cimport HAND_PLAY, hand_over
from engine_ext.policy cimport (
    BARBU_POLICY_ABI, BARBU_POLICY_CAPSULE, NO_SEAT, NO_SEATS_ANSWER, NO_SUIT, POLICY_DRAWS,
    POLICY_HAS_MEMORY, POLICY_TWO_PACKS, KIND_LAYOUT, KIND_TRICK, cardset_t, policy_t,
    stream_aside, stream_below, stream_below_u64, stream_t, stream_u64, view_t,
)
from engine_ext.shown cimport may_hold, read_shown
from engine_ext.shown_facts cimport shown_t
from engine_ext.worlds cimport (
    begin_worlds, draw_world, end_worlds, n_worlds, plan_worlds, worlds_t,
)

QUESTIONS = ("choose", "double", "redouble", "play", "lay")
MAX_ERRORS = 5


cdef class Draws:
    """The random numbers of one decision: a function of seed, block, deal, seat and
    decision, whatever was drawn elsewhere."""

    cdef stream_t* stream

    cdef stream_t* look(self) except NULL:
        if self.stream == NULL:
            raise RuntimeError("a view's random numbers are for the question it was shown with")
        return self.stream

    def u64(self):
        """A 64-bit integer."""
        return stream_u64(self.look())

    def below(self, n):
        """An integer uniform in 0..n-1, 1 <= n < 2^64."""
        if not 1 <= n < 1 << 64:
            raise ValueError(f"below({n}): n must be in 1..2^64-1")
        if n <= 65536:
            return stream_below(self.look(), n)
        return stream_below_u64(self.look(), n)

    def random(self):
        """A float uniform in [0, 1) with 53 bits."""
        return (stream_u64(self.look()) >> 11) * (1.0 / (1 << 53))

    def aside(self):
        """Four 64-bit words beside those of the decision, the same whenever they are asked
        for: who wraps another strategy draws them, and the other's draws stay what they are
        (docs/seeds.md)."""
        cdef uint64_t words[4]
        stream_aside(self.look(), words)
        return words[0], words[1], words[2], words[3]

    def generator(self):
        """A numpy Generator for this decision, the same whenever it is asked for; its
        stream is that of the decision from block number 2^32 on (docs/seeds.md)."""
        import numpy as np

        cdef stream_t* s = self.look()
        c2 = s.deal | s.seat << 16 | <uint64_t>s.decision << 24 \
            | <uint64_t>(s.replicate | 1 << 23) << 40
        return np.random.Generator(np.random.Philox(
            key=[s.key[0], s.key[1]], counter=[1 << 32, s.block, c2, 1]))


cdef class View:
    """What one seat may know when it is asked. Valid during the question only.

    Card sets are integers: bit 16 * suit + rank, suits and ranks by their place in the
    pack, second copies 64 bits up. Seats count in playing order. Points are inside points: more is better.
    """

    cdef const view_t* view
    cdef readonly object rules
    """The variant as numbers (``VariantNumbers``)."""
    cdef Draws draws
    cdef worlds_t* plan           # made when worlds are first asked for

    def __cinit__(self, rules):
        self.rules = rules
        self.draws = Draws()

    def __dealloc__(self):
        if self.plan != NULL:
            end_worlds(self.plan)
            free(self.plan)

    cdef const view_t* look(self) except NULL:
        if self.view == NULL:
            raise RuntimeError("a view is only valid during the question it was shown with")
        return self.view

    @property
    def random(self):
        """This decision's random numbers."""
        self.look()
        return self.draws

    @property
    def contract(self):
        """The contract being played (``ContractNumbers``); None while it is chosen."""
        cdef const view_t* v = self.look()
        return None if v.contract == NULL else self.rules.contracts[v.contract.id]

    @property
    def hand(self):
        """Own cards."""
        return cards_of(self.look().hand)

    @property
    def legal(self):
        """Cards that may be played now (0 in questions that are not about a card)."""
        return cards_of(self.look().legal)

    @property
    def best(self):
        """The card that wins the trick so far; 0 on lead."""
        return cards_of(self.look().best)

    @property
    def led(self):
        """The whole suit that was led; 0 on lead."""
        return cards_of(self.look().led)

    @property
    def trick(self):
        """Cards of the trick in progress."""
        return cards_of(self.look().trick)

    @property
    def played(self):
        """Every card played or laid in this deal."""
        return cards_of(self.look().played)

    def lowest(self):
        """Number of the legal card lowest in rank; among equals the first suit."""
        return lowest_number(lowest_rank(cards_of(self.look().legal)))

    def highest(self):
        """Number of the legal card highest in rank; among equals the first suit."""
        return lowest_number(highest_rank(cards_of(self.look().legal)))

    @property
    def cards(self):
        """Numbers of the legal cards, in order of number."""
        cdef pack_t legal = cards_of(self.look().legal)
        found = []
        while legal:
            found.append(lowest_number(legal))
            legal &= legal - 1
        return found

    @property
    def seat(self):
        """Own seat."""
        return self.look().seat

    @property
    def role(self):
        """Seat counted from the declarer, or from the first leader where there is none."""
        return self.look().role

    @property
    def n_trick(self):
        """Cards in the trick so far; 0 is on lead."""
        return self.look().n_trick

    @property
    def may_pass(self):
        """Layout: whether None is allowed as an answer."""
        return self.look().may_pass != 0

    @property
    def choices(self):
        """What may be named: (contract number, trump suit or start rank) pairs."""
        cdef const view_t* v = self.look()
        cdef int c, p
        found = []
        for c in range(v.variant.n_contracts):
            if (v.choices >> c) & 1:
                for p in range(32):
                    if (v.variant.contracts[c].params >> p) & 1:
                        found.append((c, p))
        return found

    @property
    def may_double(self):
        """Set of seats that may be doubled."""
        return self.look().may_double

    @property
    def must_double(self):
        """Those of them that the duty says must be."""
        return self.look().must_double

    @property
    def may_redouble(self):
        """Set of seats that may be redoubled."""
        return self.look().may_redouble

    @property
    def deal(self):
        """Number of the deal in its game, from 0."""
        return self.look().deal

    @property
    def tied(self):
        """In a deal that plays out a tie: the set of seats that it can make the winner."""
        return self.look().tied

    @property
    def dealer(self):
        """Who dealt."""
        return self.look().dealer

    @property
    def declarer(self):
        """Who chooses the contract; None where the schedule is fixed."""
        cdef int seat = self.look().declarer
        return None if seat == NO_SEAT else seat

    @property
    def leader(self):
        """Who leads the first trick or moves first."""
        return self.look().leader

    @property
    def trump(self):
        """Trump suit by its place in the pack, or None."""
        cdef int suit = self.look().trump
        return None if suit == NO_SUIT else suit

    @property
    def start_rank(self):
        """Start rank of a layout by its place in the pack, else None."""
        cdef const view_t* v = self.look()
        layout = v.contract != NULL and v.contract.kind == KIND_LAYOUT
        return v.start_rank if layout else None

    @property
    def n_tricks(self):
        """Tricks completed."""
        return self.look().n_tricks

    @property
    def trick_leader(self):
        """Who led the trick in progress."""
        return self.look().trick_leader

    @property
    def moves(self):
        """(seat, move) in order: a card's number; in a layout also 255 for a pass and the
        number + 128 of a card that was taken back."""
        cdef const view_t* v = self.look()
        cdef int i, n = v.variant.seats
        if v.contract != NULL and v.contract.kind == KIND_LAYOUT:
            return [(v.movers[i], v.moves[i]) for i in range(v.n_moves)]
        return [((v.leaders[i // n] + i % n) % n, v.moves[i]) for i in range(v.n_moves)]

    @property
    def voids(self):
        """By seat: set of suits it has shown not to hold."""
        cdef const view_t* v = self.look()
        return [v.voids[s] for s in range(v.variant.seats)]

    @property
    def ban_lifted(self):
        """Tricks: whether the lead ban holds for nobody any more."""
        return self.look().ban_lifted != 0

    @property
    def n_cards(self):
        """Layout: cards left in each hand."""
        cdef const view_t* v = self.look()
        return [v.n_cards[s] for s in range(v.variant.seats)]

    @property
    def places(self):
        """Layout: finishing place by seat from 1, 0 while still in."""
        cdef const view_t* v = self.look()
        return [v.places[s] for s in range(v.variant.seats)]

    @property
    def passed(self):
        """Layout: by seat: the own passes although a card fitted; 0 for the others."""
        cdef const view_t* v = self.look()
        return [v.passed[s] for s in range(v.variant.seats)]

    @property
    def face_up(self):
        """By seat: captured cards that the rules leave visible."""
        cdef const view_t* v = self.look()
        return [cards_of(v.face_up[s]) for s in range(v.variant.seats)]

    @property
    def doubled(self):
        """By seat: set of seats it has doubled or redoubled."""
        cdef const view_t* v = self.look()
        return [v.doubled[s] for s in range(v.variant.seats)]

    @property
    def duty_done(self):
        """By seat: its doubles of this declarer so far."""
        cdef const view_t* v = self.look()
        return [v.duty_done[s] for s in range(v.variant.seats)]

    @property
    def scores(self):
        """By seat: total of the game so far, side bets included."""
        cdef const view_t* v = self.look()
        return [v.scores[s] for s in range(v.variant.seats)]

    @property
    def uses_left(self):
        """By declarer: how often each contract may still be chosen."""
        cdef const view_t* v = self.look()
        return [[v.uses_left[s][c] for c in range(v.variant.n_contracts)]
                for s in range(v.variant.seats)]

    cdef bint find_worlds(self) except -1:
        """Plan worlds of this view; False if no deal agrees with it."""
        if self.plan == NULL:
            self.plan = <worlds_t*>malloc(sizeof(worlds_t))
            if self.plan == NULL:
                raise MemoryError
            begin_worlds(self.plan)
        return plan_worlds(self.plan, self.look())

    @property
    def may_hold(self):
        """By seat: cards that it may hold by all that was shown; the own hand for the own
        seat."""
        cdef const view_t* v = self.look()
        cdef shown_t shown
        read_shown(&shown, v)
        return [may_hold(&shown, s) for s in range(v.variant.seats)]

    def n_worlds(self):
        """How many deals agree with all that was shown: hands of the others for which every
        card, pass and turn so far was as the rules have it."""
        return n_worlds(self.plan) if self.find_worlds() else 0.0

    def worlds(self, n):
        """``n`` such deals, every one as likely: an array of the hands, a row for each deal, by
        seat, the own hand too; uint64, two words a hand with two packs. From this question's
        random numbers, whatever else is drawn."""
        import numpy as np

        cdef dice_t dice
        cdef pack_t hands[10]
        cdef uint64_t[:, :, ::1] rows
        cdef cardset_t hand
        cdef int i, seat, word
        cdef int copies = self.look().variant.copies
        cdef int seats = self.look().variant.seats
        if not self.find_worlds():
            raise ValueError("no deal agrees with what was shown")
        found = np.empty((n, seats, copies), np.uint64)
        rows = found
        take_dice(&dice, self.draws.look())
        for i in range(n):
            draw_world(self.plan, &dice, hands)
            for seat in range(seats):
                hand = as_set(hands[seat])
                for word in range(copies):
                    rows[i, seat, word] = hand.w[word]
        return found if copies == 2 else found[:, :, 0]


cdef class PyPolicy:
    """A strategy in Python as the engine's policy. One thread owns it."""

    cdef policy_t policy
    cdef readonly object capsule
    cdef readonly object strategy
    cdef readonly list errors
    """The first few exceptions, as text."""
    cdef readonly object interrupt
    """A KeyboardInterrupt to raise again once the engine returns."""
    cdef View view
    cdef policy_t* remembering[5]
    cdef int n_remembering
    cdef object ask_choose, ask_double, ask_redouble, ask_play, ask_lay, ask_new_game

    def __cinit__(self, strategy, rules):
        cdef policy_t* p = &self.policy
        self.strategy = strategy
        self.view = View(rules)
        self.errors = []
        self.ask_choose = getattr(strategy, "choose", None)
        self.ask_double = getattr(strategy, "double", None)
        self.ask_redouble = getattr(strategy, "redouble", None)
        self.ask_play = getattr(strategy, "play", None)
        self.ask_lay = getattr(strategy, "lay", None)
        self.ask_new_game = getattr(strategy, "new_game", None)
        p.abi = BARBU_POLICY_ABI
        p.flags = POLICY_TWO_PACKS
        if self.ask_new_game is not None:
            p.flags |= POLICY_HAS_MEMORY
        # Borrowed: the capsule's policy lives as long as this object.
        p.choose_state = p.double_state = p.redouble_state = <void*>self
        p.play_state = p.lay_state = p.game_state = <void*>self
        p.choose = first_choice if self.ask_choose is None else py_choose
        p.make_doubles = duty_only if self.ask_double is None else py_double
        p.make_redoubles = nobody if self.ask_redouble is None else py_redouble
        p.play = lowest_legal if self.ask_play is None else py_play
        p.lay = lowest_legal if self.ask_lay is None else py_lay
        p.new_game = py_new_game
        # Some questions may be a compiled strategy's, which the asked one holds on to.
        for question, inner in getattr(strategy, "capsule_by_question", {}).items():
            self.take_in(QUESTIONS.index(question),
                         <policy_t*>PyCapsule_GetPointer(inner, BARBU_POLICY_CAPSULE))
        self.capsule = PyCapsule_New(p, BARBU_POLICY_CAPSULE, NULL)

    cdef take_in(self, int question, policy_t* inner):
        """Let a compiled strategy answer a question, and hear of new games if it wants to."""
        cdef policy_t* p = &self.policy
        cdef int i
        hand_over(p, question, inner)
        p.flags &= inner.flags | ~<uint32_t>POLICY_TWO_PACKS
        if question == HAND_PLAY:
            p.flags |= inner.flags & POLICY_DRAWS
        for i in range(self.n_remembering):
            if self.remembering[i] == inner:
                return
        if inner.flags & POLICY_HAS_MEMORY:
            p.flags |= POLICY_HAS_MEMORY
            self.remembering[self.n_remembering] = inner
            self.n_remembering += 1

    cdef void show(self, const view_t* view, stream_t* stream):
        self.view.view = view
        self.view.draws.stream = stream

    cdef void hide(self):
        self.view.view = NULL
        self.view.draws.stream = NULL

    cdef void failed(self, question, error, const view_t* view):
        if isinstance(error, KeyboardInterrupt):
            self.interrupt = error
            if view != NULL:
                # The user waits: no strategy is asked any more.
                (<int*>view.stop)[0] = 1
        elif len(self.errors) < MAX_ERRORS:
            where = "" if view == NULL else f" in deal {view.deal}, seat {view.seat}"
            self.errors.append(f"{question}{where}: {told(error)}")


cdef told(error):
    """An exception in words; its own ``__str__`` may fail as well."""
    name = type(error).__name__
    try:
        return f"{name}: {error}"
    except Exception:
        return name


# What a strategy without the method does: the engine's own stand-ins for a foul.

cdef int32_t first_choice(void* state, const view_t* v, stream_t* stream) noexcept nogil:
    cdef int contract = lowest_number(v.choices)
    return contract << 8 | lowest_number(v.variant.contracts[contract].params)


cdef uint32_t duty_only(void* state, const view_t* v, stream_t* stream) noexcept nogil:
    return v.must_double


cdef uint32_t nobody(void* state, const view_t* v, stream_t* stream) noexcept nogil:
    return 0


cdef cardset_t lowest_legal(void* state, const view_t* v, stream_t* stream) noexcept nogil:
    return as_set(lowest_rank(cards_of(v.legal)))


# The calls into Python. A failure is answered by something illegal, so that the engine
# counts the foul and plays the stand-in.

cdef int32_t py_choose(void* state, const view_t* v, stream_t* stream) noexcept with gil:
    cdef PyPolicy self = <PyPolicy>state
    if v.stop[0]:
        return -1
    self.show(v, stream)
    try:
        contract, param = self.ask_choose(self.view)
        if not (0 <= contract < 32 and 0 <= param < 32):
            return -1
        return contract << 8 | param
    except BaseException as error:
        self.failed("choose", error, v)
        return -1
    finally:
        self.hide()


cdef uint32_t py_set(PyPolicy self, question, ask, const view_t* v, stream_t* stream) noexcept:
    if v.stop[0]:
        return NO_SEATS_ANSWER
    self.show(v, stream)
    try:
        seats = ask(self.view)
        return seats if 0 <= seats < 1024 else NO_SEATS_ANSWER
    except BaseException as error:
        self.failed(question, error, v)
        return NO_SEATS_ANSWER
    finally:
        self.hide()


cdef uint32_t py_double(void* state, const view_t* v, stream_t* stream) noexcept with gil:
    cdef PyPolicy self = <PyPolicy>state
    return py_set(self, "double", self.ask_double, v, stream)


cdef uint32_t py_redouble(void* state, const view_t* v, stream_t* stream) noexcept with gil:
    cdef PyPolicy self = <PyPolicy>state
    return py_set(self, "redouble", self.ask_redouble, v, stream)


cdef cardset_t py_card(PyPolicy self, question, ask, const view_t* v, stream_t* stream) noexcept:
    cdef cardset_t card = as_set(0)
    cdef int number
    if v.stop[0]:
        return card
    self.view.view = v
    self.view.draws.stream = stream
    try:
        answer = ask(self.view)
        if answer is None:
            return card                        # a pass; a foul where it is not allowed
        number = answer
        card = as_set(card_bit(number)) if 0 <= number < PACK_BITS else no_card()
    except BaseException as error:
        self.failed(question, error, v)
        card = no_card()
    finally:
        self.view.view = NULL
        self.view.draws.stream = NULL
    return card


cdef cardset_t py_play(void* state, const view_t* v, stream_t* stream) noexcept with gil:
    cdef PyPolicy self = <PyPolicy>state
    return py_card(self, "play", self.ask_play, v, stream)


cdef cardset_t py_lay(void* state, const view_t* v, stream_t* stream) noexcept with gil:
    cdef PyPolicy self = <PyPolicy>state
    return py_card(self, "lay", self.ask_lay, v, stream)


cdef void py_new_game(void* state) noexcept with gil:
    cdef PyPolicy self = <PyPolicy>state
    cdef int i
    for i in range(self.n_remembering):
        self.remembering[i].new_game(self.remembering[i].game_state)
    if self.ask_new_game is None:
        return
    try:
        self.ask_new_game()
    except BaseException as error:
        self.failed("new_game", error, NULL)
