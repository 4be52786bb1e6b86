"""What a file of deals comes to: records that are played, or a score sheet that is reckoned."""

from dataclasses import dataclass
from pathlib import Path

from engine_ext.record_course import Course
from engine_ext.record_game import Played, hold_game
from engine_ext.record_text import RecordError
from engine_ext.sheet import DealScore, score_sheet
from engine_ext.sheet_text import is_sheet, read_sheet


@dataclass(frozen=True, slots=True)
class Score:
    """The deals of a file as far as they are right, and the first thing that is wrong."""

    kind: str
    """``records`` or ``sheet``."""
    variant: str | None
    """As the file names it; None where it could not be read."""
    players: tuple[str, ...]
    deals: tuple[DealScore, ...]
    problem: str | None
    """File, line and reason; None where all is right."""
    to_play: str | None = None
    """What a last deal that is not over waits for."""

    @property
    def points(self) -> tuple[int, ...]:
        """All deals of the file together, before side bets."""
        return tuple(map(sum, zip(*(deal.points for deal in self.deals), strict=True)))

    @property
    def side(self) -> tuple[int, ...]:
        """Side bets of all deals together."""
        return tuple(map(sum, zip(*(deal.side for deal in self.deals), strict=True)))

    @property
    def scores(self) -> tuple[int, ...]:
        """Of the game after the last deal."""
        return self.deals[-1].scores if self.deals else ()


def score_text(text: str, file: str = "record", folder: Path = Path()) -> Score:
    """Return what the deals of a text come to; nothing is raised for what is wrong in it."""
    return _sheet(text, file, folder) if is_sheet(text) else _records(text, file, folder)


def _sheet(text: str, file: str, folder: Path) -> Score:
    deals: list[DealScore] = []
    try:
        sheet = read_sheet(text, file, folder)
    except RecordError as error:
        return Score("sheet", None, (), (), str(error))
    problem = None
    try:
        for deal in score_sheet(sheet):
            deals.append(deal)
        if not deals:
            problem = f"{file}: no deal (a deal is a line that begins with its number)"
    except RecordError as error:
        problem = str(error)
    return Score("sheet", sheet.variant_name, sheet.players, tuple(deals), problem)


def _records(text: str, file: str, folder: Path) -> Score:
    deals: list[DealScore] = []
    variant, seats, problem, to_play = None, 0, None, None
    try:
        for played in hold_game(text, file, folder):
            variant, seats = played.record.variant_name, played.record.variant.seats
            if played.course.ended:
                deals.append(_deal(played))
            else:
                to_play = _waits(played.course)
    except RecordError as error:
        problem, to_play = str(error), None
    players = tuple(f"P{seat}" for seat in range(seats))
    return Score("records", variant, players, tuple(deals), problem, to_play)


def _deal(played: Played) -> DealScore:
    place, choice = played.record.position, played.record.script.choice
    name = choice.option.split()[0] if choice else place.contract
    assert name is not None
    course = played.course
    return DealScore(place.deal, name, place.declarer, course.points, course.side, course.scores)


def _waits(course: Course) -> str:
    asked = course.asked[-1]
    what = {"choose": "name the contract", "double": "double", "redouble": "double back"}
    return f"P{asked.seat} is to {what.get(asked.kind, asked.kind)}"
