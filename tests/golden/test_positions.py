"""Every position in ``positions/`` has the outcome it claims, by engine and twin alike.

A file is a record (docs/records.md): a rule, its source, the cards, what may be played and
what comes of it. Anyone at a card table can read and write one.
"""

from pathlib import Path

import pytest

from engine_ext.batch import Rules
from engine_ext.build import load
from engine_ext.record import Record, parse, read_record
from engine_ext.record_checks import hold
from engine_ext.record_play import EngineSide
from engine_ext.reference.schedule import roles
from tests.golden.twin_side import TwinSide

FOLDER = Path(__file__).parent / "positions"
FILES = sorted(FOLDER.glob("*.txt"))
kernel = load("engine_ext.kernel")


def records() -> list[Record]:
    return [read_record(file) for file in FILES]


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_position_has_the_outcome_it_claims(file: Path) -> None:
    record = read_record(file)
    engine = hold(record, EngineSide())
    twin = hold(record, TwinSide())
    assert engine == twin
    who_deals_declares_and_leads(record)


def who_deals_declares_and_leads(record: Record) -> None:
    """Hold the roles that the record says against the schedules of engine and twin."""
    place = record.position
    rules = Rules(record.variant)
    said: tuple[int | None, ...] = (place.dealer, place.declarer, place.leader)
    if rules.numbers.leader_card:
        said = said[:2]  # no schedule says who leads
    first = place.dealer if place.declarer is None else place.declarer
    assert roles(record.variant, first)[: len(said)] == said
    if place.deal is not None:
        number = place.deal - 1
        if place.declarer is not None:
            number -= place.replays
        assert kernel.Tabletop(rules.packed).roles(number)[: len(said)] == said


CASES = {
    *range(1, 10), *range(11, 15), *range(16, 19), 21, 22, 24, 26, 28, 29, 30, 32, 33, 34, 36, 39,
    *range(40, 43), 44, 45, 47, *range(49, 53), 54, 55, 56, *range(57, 62), 63, 64, 66, 67, 68, 70,
    72, 75, 77, 81, 82, 85, 86, 87, 89, 92, 93, 98,
}  # fmt: skip
"""Cases of the dossier's section 3 that concern the variants in their base form."""


def test_every_case_of_the_dossier_has_its_position() -> None:
    numbers = {int(f.stem[5:7]) for f in FILES if f.stem.startswith("case_")}
    assert numbers == CASES


def test_the_seven_contracts_of_a_declarer_add_up_to_nothing() -> None:
    files = FOLDER.glob("case_89?_*.txt")
    courses = [hold(read_record(file)) for file in files]
    assert len(courses) == 7
    assert sum(sum(course.points) for course in courses) == 0


def test_the_record_shown_in_the_docs_holds() -> None:
    page = (FOLDER.parents[2] / "docs" / "records.md").read_text("utf-8")
    hold(parse(page.split("```")[1]))


def test_every_position_claims_something_and_says_where_it_comes_from() -> None:
    for record in records():
        assert record.checks or record.position.deal is not None, record.file
        assert record.source, record.file
