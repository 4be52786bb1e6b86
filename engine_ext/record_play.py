"""A record played by the engine: its course, and whether something would be refused."""

from collections.abc import Callable, Sequence
from typing import Protocol

from engine_ext.batch import Rules, View
from engine_ext.cards import Pack, cards_in
from engine_ext.position import check
from engine_ext.record import Record
from engine_ext.record_course import Answer, Course, Enough, Probe, Prompter
from engine_ext.record_names import Names
from engine_ext.record_position import PHASES, setup_of
from engine_ext.record_steps import Script
from engine_ext.record_text import BACK, PASS
from engine_ext.rules.resolve import KIND_LAYOUT
from engine_ext.rules.spec import LayoutContract


class Side(Protocol):
    """Who plays records: the engine, or another that knows the rules by itself."""

    def course(self, record: Record) -> Course:
        """Play the script from the position; raises ``RecordError`` if it cannot be."""

    def verdict(self, record: Record, probe: Probe) -> str:
        """Try an answer: ``accepted``, ``foul``, or ``taken back``."""


def prompter_of(record: Record, script: Script, probe: Probe | None = None) -> Prompter:
    """Return who answers for a record's seats."""
    name = script.choice.option.split()[0] if script.choice else record.position.contract
    rules = None if name is None else record.variant.contracts[name]
    if not isinstance(rules, LayoutContract):
        return Prompter(script, probe=probe)
    pack = Pack(record.variant.deck)
    replay = pack.select(rules.replay.cards) if rules.replay else 0
    return Prompter(
        script,
        further={pack.name(card) for card in cards_in(replay)},
        begins=record.position.turn if record.position.further else None,
        lose_turn=rules.unplayable == "lose_turn",
        probe=probe,
    )


Watch = Callable[[str, View], None]
"""Is shown every question with its view."""


class EngineSide:
    """The compiled engine as it plays whole games."""

    def __init__(self, watch: Watch | None = None) -> None:
        self.watch = watch

    def course(self, record: Record) -> Course:
        """Play the script from the position; raises ``RecordError`` if it cannot be."""
        prompter = prompter_of(record, record.script)
        seated = _Seated(record, prompter, self.watch)
        ended = seated.play()
        moves = seated.moves_made() if ended else prompter.moves
        prompter.check_moves(moves, ended)
        if prompter.wrong:
            line, what = prompter.wrong
            raise line.wrong(what)
        return seated.course(moves, ended)

    def verdict(self, record: Record, probe: Probe) -> str:
        """Try an answer: ``accepted``, ``foul``, or ``taken back``."""
        prompter = prompter_of(record, record.script.until(probe.point), probe)
        seated = _Seated(record, prompter)
        seated.play()
        assert prompter.probed, "the question to be tried was not put"
        fouls: list[int] = seated.fouls or seated.table.outcome()["fouls"]
        if fouls[probe.seat]:
            return "foul"
        moves = prompter.moves if seated.stopped else seated.moves_made()
        made = moves[probe.point.moves : probe.point.moves + 1]
        return "taken back" if made and made[0][1].endswith(BACK) else "accepted"


class _Seated:
    """A table of the engine on which one prompter answers for all seats."""

    def __init__(self, record: Record, prompter: Prompter, watch: Watch | None = None) -> None:
        self.record, self.prompter, self.watch = record, prompter, watch
        self.rules = Rules(record.variant)
        self.names = Names(record.variant, self.rules)
        self.setup = setup_of(record.position, self.rules)
        check(self.rules, self.setup)
        self.table = self.rules.kernel.Tabletop(self.rules.packed)
        self.table.set_up(self.setup.filled(self.rules))
        self.stopped = False
        self.n_tricks = 0
        """Completed when play stopped."""
        self.fouls: list[int] = []
        """As they were when play stopped."""

    def play(self) -> bool:
        """Play; False if the script ran out before the deal was over."""
        policy = self.rules.asking.PyPolicy(_Player(self), self.rules.numbers)
        seats = [policy.capsule] * self.rules.numbers.seats
        ended: bool = self.table.play_on(seats, PHASES.index(self.record.position.phase))
        if policy.interrupt is not None:
            raise policy.interrupt
        assert not policy.errors, policy.errors
        return ended and not self.stopped

    def stop(self, n_tricks: int) -> None:
        """Play no further than this question."""
        self.stopped = True
        self.n_tricks = n_tricks
        self.fouls = self.table.outcome()["fouls"]
        self.table.say_stop()

    def moves_made(self) -> tuple[tuple[int, str], ...]:
        """Return all moves from the position on, after the end."""
        out = self.table.outcome()
        return self.moves(list(zip(out["movers"], out["moves"], strict=True)))

    def moves(self, all_moves: Sequence[tuple[int, int]]) -> tuple[tuple[int, str], ...]:
        """Return moves from the position on in names."""
        contract = self.table.outcome()["contract"]
        if contract is None:
            return ()
        layout = self.rules.numbers.contracts[contract].kind == KIND_LAYOUT
        gone = 0 if layout else len(self.setup.owners) * self.rules.numbers.seats
        return tuple((seat, self.names.move(move)) for seat, move in all_moves[gone:])

    def course(self, moves: tuple[tuple[int, str], ...], ended: bool) -> Course:
        """Return what was played."""
        out = self.table.outcome()
        sign = self.rules.numbers.objective
        owners = out["owners"] if ended else out["owners"][: self.n_tricks]
        asked = tuple(self.prompter.asked)
        winners = tuple(owners[len(self.setup.owners) :])
        if not ended:
            return Course(asked, moves, winners, ended)
        contract = self.rules.numbers.contracts[out["contract"]]
        return Course(
            asked,
            moves,
            winners,
            ended,
            points=tuple(sign * points for points in out["points"]),
            side=tuple(sign * points for points in out["side"]),
            scores=tuple(sign * points for points in out["scores"]),
            items=tuple(
                (name, tuple(items >> 8 * slot & 255 for items in out["items"]))
                for slot, name in enumerate(contract.slot_names)
            ),
            ranks=tuple(out["ranks"]),
        )


def slips(view: View) -> int:
    """Return the cards that may not be played to a trick, and would be a revoke."""
    rules, contract = view.rules, view.contract
    if not rules.honour or contract is None:
        return 0
    if view.n_trick:
        return view.hand & ~view.led if view.hand & view.led else 0
    banned = contract.lead_ban if rules.ban_as_revoke and not view.ban_lifted else 0
    # Who holds nothing but banned cards may lead one; what else keeps it back is no revoke.
    return view.hand & banned & ~view.legal if view.hand & ~banned else 0


class _Player:
    """A strategy for every seat: what the prompter says, in numbers."""

    def __init__(self, seated: _Seated) -> None:
        self.seated = seated
        self.names = seated.names
        self.ask = seated.prompter.ask

    def answer(
        self, view: View, kind: str, options: list[str], must: int = 0, slips: int = 0
    ) -> Answer:
        if self.seated.watch is not None:
            self.seated.watch(kind, view)
        return self.ask(
            kind,
            view.seat,
            options,
            must=self.names.seats(must),
            hand=self.names.cards(view.hand),
            slips=self.names.cards(slips),
            moves=self.seated.moves(view.moves),
        )

    def choose(self, view: View) -> tuple[int, int]:
        options = {self.names.option(*pair): pair for pair in view.choices}
        try:
            said = self.answer(view, "choose", list(options))
        except Enough:
            self.seated.stop(view.n_tricks)
            return view.choices[0]
        if self.seated.prompter.probed:
            # The answer is judged already; what it leads to need not be playable.
            self.seated.table.say_stop()
        assert isinstance(said, str)
        return self.names.pair(said)

    def double(self, view: View) -> int:
        try:
            said = self.answer(view, "double", self.names.seats(view.may_double), view.must_double)
        except Enough:
            self.seated.stop(view.n_tricks)
            return view.must_double
        assert isinstance(said, frozenset)
        return sum(1 << seat for seat in said)

    def redouble(self, view: View) -> int:
        try:
            said = self.answer(view, "redouble", self.names.seats(view.may_redouble))
        except Enough:
            self.seated.stop(view.n_tricks)
            return 0
        assert isinstance(said, frozenset)
        return sum(1 << seat for seat in said)

    def play(self, view: View) -> int | None:
        try:
            said = self.answer(view, "play", self.names.cards(view.legal), slips=slips(view))
        except Enough:
            self.seated.stop(view.n_tricks)
            return view.lowest()
        assert isinstance(said, str)
        return self.names.pack.number(said)

    def lay(self, view: View) -> int | None:
        options = self.names.cards(view.legal) + [PASS] * view.may_pass
        try:
            said = self.answer(view, "lay", options)
        except Enough:
            self.seated.stop(view.n_tricks)
            return view.lowest()
        assert said is None or isinstance(said, str)
        return None if said is None else self.names.pack.number(said)
