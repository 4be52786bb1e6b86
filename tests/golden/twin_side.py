"""Records played by the slow twin, so that they can be held against the engine's course."""

from collections.abc import Collection, Sequence

from engine_ext.batch import Rules
from engine_ext.record import Record
from engine_ext.record_course import Answer, Course, Enough, Probe, Prompter
from engine_ext.record_play import prompter_of
from engine_ext.record_position import deal_number
from engine_ext.record_text import BACK, PASS
from engine_ext.reference.cards import Card, Pack, name_of
from engine_ext.reference.game import DealRecord
from engine_ext.reference.position import Position, Resumed
from engine_ext.reference.revokes import Honour
from engine_ext.reference.schedule import final_places
from engine_ext.reference.streams import Dice
from engine_ext.reference.table import Option, Table, View
from engine_ext.reference.tricks import scoring_terms
from engine_ext.rules.spec import TrickContract, Variant

Moves = Sequence[tuple[int, str]]


class TwinSide:
    """The rules in plain Python, card by card."""

    def course(self, record: Record) -> Course:
        prompter = prompter_of(record, record.script)
        deal, ended = _play(record, prompter)
        moves = moves_of(deal.table) if ended else list(prompter.moves)
        prompter.check_moves(moves, ended is not None)
        if prompter.wrong:
            line, what = prompter.wrong
            raise line.wrong(what)
        return course_of(record, prompter, deal, moves, ended)

    def verdict(self, record: Record, probe: Probe) -> str:
        prompter = prompter_of(record, record.script.until(probe.point), probe)
        deal, _ = _play(record, prompter)
        assert prompter.probed
        if deal.game.ask.fouls[probe.seat]:
            return "foul"
        made = moves_of(deal.table)[probe.point.moves : probe.point.moves + 1]
        return "taken back" if made and made[0][1].endswith(BACK) else "accepted"


def _play(record: Record, prompter: Prompter) -> tuple[Resumed, DealRecord | None]:
    deal = Resumed(
        record.variant,
        twin_position(record),
        [Reader(prompter, record.variant)] * record.variant.seats,
    )
    try:
        return deal, deal.play()
    except Enough:
        return deal, None


def twin_position(record: Record) -> Position:
    """Return a record's position for the twin; more is better there."""
    place = record.position
    better = -1 if record.variant.objective == "lowest" else 1
    return Position(
        phase=place.phase,
        number=deal_number(place, Rules(record.variant)),
        step=deal_number(place, Rules(record.variant)) - place.replays,
        tied=frozenset(place.tied),
        first=place.dealer if place.declarer is None else place.declarer,
        contract=place.contract,
        named=place.named,
        turn=place.turn,
        hands=place.hands,
        owners=place.owners,
        taken=place.taken,
        laid=place.laid,
        out=place.out,
        passes=place.passes,
        further=place.further,
        passed=place.passed,
        voids=place.voids,
        revokes=place.revokes,
        doubled=place.doubles,
        duty_done=place.duty_done,
        leader=place.leader,
        ban_lifted=place.lifted,
        scores=[better * score for score in place.scores],
        uses_left=[dict(uses) for uses in place.left],
    )


def moves_of(table: Table) -> list[tuple[int, str]]:
    """Return the moves made since the position."""
    played = [(seat, name_of(card)) for trick in table.tricks for seat, card in trick.cards]
    turns = [
        (m.seat, PASS if m.card is None else name_of(m.card) + BACK * m.taken_back)
        for m in table.moves
    ]
    return played + turns


def course_of(
    record: Record, prompter: Prompter, deal: Resumed, moves: Moves, ended: DealRecord | None
) -> Course:
    table, variant = deal.table, record.variant
    gone = len(record.position.owners)
    played = [trick for trick in table.tricks[gone:] if trick.owner is not None]
    winners = tuple(trick.owner for trick in played if trick.owner is not None)
    asked, made = tuple(prompter.asked), tuple(moves)
    if ended is None:
        return Course(asked, made, winners, False)
    better = -1 if variant.objective == "lowest" else 1
    assert table.contract is not None
    rules = variant.contracts[table.contract]
    if isinstance(rules, TrickContract):
        names = [term.name for term, _ in scoring_terms(variant, table.contract)]
        names += [rules.shooting.name] if rules.shooting else []
    else:
        names = ["place"]
    return Course(
        asked,
        made,
        winners,
        True,
        points=tuple(better * points for points in ended.points),
        side=tuple(better * points for points in ended.side),
        scores=tuple(better * score for score in deal.game.scores),
        items=tuple((n, tuple(counted)) for n, counted in zip(names, ended.items, strict=True)),
        ranks=tuple(final_places(deal.game.turn, deal.game.scores)),
    )


class Reader:
    """A player of the twin who reads the script."""

    def __init__(self, prompter: Prompter, variant: Variant) -> None:
        self.prompter = prompter
        self.variant = variant

    def slips(self, view: View) -> list[Card]:
        rules = self.variant.contracts[view.table.contract or ""]
        assert isinstance(rules, TrickContract)
        honour = Honour(self.variant, rules, Pack(self.variant.deck))
        return honour.accepts(view.hand, view.legal, view.table.tricks[-1].led_suit)

    def ask(
        self,
        view: View,
        kind: str,
        options: Collection[str],
        must: Collection[str] = (),
        slips: Collection[str] = (),
    ) -> Answer:
        return self.prompter.ask(
            kind,
            view.seat,
            options,
            must=must,
            hand=list(map(name_of, view.hand)),
            slips=slips,
            moves=moves_of(view.table),
        )

    def choose(self, view: View, dice: Dice) -> Option:
        options = {
            name if what is None else f"{name} {what}": (name, what) for name, what in view.options
        }
        said = self.ask(view, "choose", options)
        assert isinstance(said, str)
        name, _, named = said.partition(" ")
        return options.get(said, (name, named or None))

    def double(self, view: View, dice: Dice) -> Collection[int]:
        said = self.ask(view, "double", seats(view.may_double), seats(view.must_double))
        assert isinstance(said, frozenset)
        return said

    def redouble(self, view: View, dice: Dice) -> Collection[int]:
        said = self.ask(view, "redouble", seats(view.may_redouble))
        assert isinstance(said, frozenset)
        return said

    def play(self, view: View, dice: Dice) -> Card:
        names = list(map(name_of, view.legal))
        said = self.ask(view, "play", names, slips=list(map(name_of, self.slips(view))))
        assert isinstance(said, str)
        return said

    def lay(self, view: View, dice: Dice) -> Card | None:
        said = self.ask(view, "lay", [*map(name_of, view.legal), *[PASS] * view.may_pass])
        assert said is None or isinstance(said, str)
        return said


def seats(numbers: Collection[int]) -> list[str]:
    return [f"P{seat}" for seat in numbers]
