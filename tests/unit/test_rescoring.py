"""Stored games scored by other points, held against a slow count and against playing anew."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.rules.load import load_variant
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Variant
from pipeline.config import NamedVariant
from pipeline.store import Run
from pipeline.tuning.exact import NotExact, affine
from pipeline.tuning.held import play_held
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import OBJECTIVES
from pipeline.tuning.packed import packed
from pipeline.tuning.rescoring import Rescorer, Room, measure_all
from pipeline.tuning.results import Choices, Played, Results
from pipeline.tuning.stored import read_played
from tests.runs import played, small
from tests.scaled import scaled

BOOK = load_variant("barbu_52_doubling")
SALAD = load_variant("barbu_king_br")

UNSEEN: Any = "what nobody looks at"


def stored(rules: Variant, out: Path) -> Run:
    return played(small((NamedVariant(name="rules", rules=rules),), blocks=1), out)[0]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return read_played(stored(BOOK, tmp_path_factory.mktemp("book") / "run"), "rules")


@pytest.fixture(scope="module")
def salad(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return read_played(stored(SALAD, tmp_path_factory.mktemp("salad") / "run"), "rules")


def worth(contract: Any, items: int) -> int:
    """What a seat's items are worth, one after the other."""
    count = [items >> (8 * k) & 255 for k in range(8)]
    if contract.slot_names == ("place",):
        return int(contract.payout[count[0] - 1])
    return sum(c * p for c, p in zip(count, contract.slot_points, strict=False))


def test_any_points_count_what_was_taken(salad: Played) -> None:
    changes: Mapping[str, Any] = {
        "contracts.tricks.terms[0].points": -3,
        "contracts.queens.terms[0].points": 0,
        "contracts.salad.include[2].times": "3/4",
        "contracts.domino.payout": [7, -1, 5, 0],
    }
    found = Rescorer(salad).rescored(revised(SALAD, changes), exact=False)
    contracts = found.rules.contracts
    for row, number in enumerate(salad.contract.tolist()):
        expected = [worth(contracts[number], items) for items in salad.items[row].tolist()]
        assert found.points[row].tolist() == expected
    totals = np.add.reduceat(found.points, salad.first_row, axis=0)
    assert np.array_equal(found.score, totals)
    assert not found.side.any()
    assert (found.points != salad.points).any()


def test_pairs_are_settled_on_the_new_points(book: Played) -> None:
    found = Rescorer(book).rescored(scaled(BOOK, {"king": 3, "trumps": 2}, {"domino": 11}))
    side = np.zeros_like(found.side)
    for row, by, to, back in zip(*book.bets, strict=True):
        paid = (found.points[row, by] - found.points[row, to]) * (2 if back else 1)
        side[row, by] += paid
        side[row, to] -= paid
    assert np.array_equal(found.side, side)
    whole = np.add.reduceat(found.points + side, book.first_row, axis=0)
    assert np.array_equal(found.score, whole)


@pytest.mark.parametrize("name", ["points", "side", "score"])
def test_what_does_not_add_up_is_no_play_of_these_rules(book: Played, name: str) -> None:
    other = getattr(book, name).copy()
    other[-1, 2] += 1
    what = "totals" if name == "score" else rf"its deal 27 .*: {name}"
    with pytest.raises(AssertionError, match=rf"block 0, game {len(book.score) - 1}.*{what}"):
        Rescorer(replace(book, **{name: other}))


def test_room_is_written_over_and_never_the_stored_games(book: Played) -> None:
    rescorer, room = Rescorer(book), Room.of(book)
    before = book.points.copy()
    one = rescorer.rescored(scaled(BOOK, {"king": 3}, {}), into=room)
    kept = one.points.copy()
    fresh = rescorer.rescored(scaled(BOOK, {"king": 3}, {}))
    two = rescorer.rescored(scaled(BOOK, {"king": 5}, {}), into=room)
    assert one.points is two.points is room.points
    assert np.array_equal(fresh.points, kept)
    assert not np.array_equal(two.points, kept)
    assert np.array_equal(book.points, before)


def test_fines_for_doubles_that_lack_follow_their_price(tmp_path: Path) -> None:
    duty: dict[str, Any] = {"doubling.duty_enforced": "penalty", "doubling.duty": 5}
    rules = revised(BOOK, duty | {"doubling.duty_penalty": -10})
    run = stored(rules, tmp_path / "run")
    games = read_played(run, "rules")
    assert (games.side.sum(axis=1) < 0).any()
    candidate = revised(scaled(rules, {"tricks": 3}, {}), {"doubling.duty_penalty": -25})
    found, held = Rescorer(games).rescored(candidate), play_held(run, "rules", candidate)
    assert np.array_equal(found.side, held.side)
    assert np.array_equal(found.score, held.score)


def test_points_told_without_items_follow_as_far_as_they_can(book: Played) -> None:
    told = replace(book, items=np.zeros_like(book.items), counted=np.zeros_like(book.counted))
    rescorer, whole = Rescorer(told), Rescorer(book)
    candidate = scaled(BOOK, {"queens": 2, "hearts": 3}, {"domino": -7})
    for name in ("points", "side", "score"):
        here, there = (getattr(one.rescored(candidate), name) for one in (rescorer, whole))
        assert np.array_equal(here, there)
    dearer = revised(BOOK, {"contracts.hearts.terms[1].points": -8})
    whole.rescored(dearer, exact=False)
    with pytest.raises(NotExact, match=r"contracts\.hearts: some deals tell points alone"):
        rescorer.rescored(dearer, exact=False)


def test_points_told_must_stay_whole(book: Played) -> None:
    halved = revised(BOOK, {"contracts.king.terms[0].points": -10})
    king = list(BOOK.contracts).index("king")
    row = int(np.flatnonzero(book.contract == king)[0])
    points = book.points.copy()
    points[row] = (1, -1, 0, 0)
    counted = book.counted.copy()
    counted[row] = False
    ready = packed(replace(book, points=points, counted=counted))
    with pytest.raises(NotExact, match="come to no whole number of points"):
        ready.had.worth(book.rules, affine(BOOK, halved))


def test_on_their_honour_it_has_to_be_known_who_revoked(tmp_path: Path) -> None:
    rules = load_variant("barbu_king_br_honour")
    games = read_played(stored(rules, tmp_path / "run"), "rules")
    assert games.revoked is not None
    with pytest.raises(ValueError, match="do not say who revoked"):
        Rescorer(replace(games, revoked=None))


def test_other_rules_of_play_are_refused_either_way(salad: Played) -> None:
    candidate = revised(SALAD, {"contracts.hearts.lead_ban": "none"})
    for exact in (True, False):
        with pytest.raises(NotExact, match=r"contracts\.hearts\.lead_ban: taken away"):
            Rescorer(salad).rescored(candidate, exact=exact)


def test_candidates_are_measured_in_order_by_any_number_of_threads(book: Played) -> None:
    rescorer, wanted = Rescorer(book), [one for one in OBJECTIVES if one.name == "scale_balance"]
    many = [scaled(BOOK, {"king": 1 + i, "tricks": 9 - i}, {}) for i in range(8)]
    alone = [wanted[0].measure(Results(rescorer.rescored(one))).value for one in many]
    assert len(set(alone)) == 8
    for workers in (1, 3):
        found = measure_all(rescorer, None, many, wanted, workers)
        assert [one["scale_balance"].value for one in found] == alone


def test_objectives_see_choices_and_restricted_players_at_the_candidates_points(
    book: Played,
) -> None:
    rescorer, seen = Rescorer(book), []

    def look(results: Results) -> Measured:
        seen.append(results)
        return Measured(np.zeros(1), 1)

    def choices(candidate: Variant) -> Choices:
        return Choices(candidate, UNSEEN)

    one = OBJECTIVES[0]._replace(name="look", measure=look)
    candidate = scaled(BOOK, {"king": 3}, {})
    measure_all(rescorer, choices, [candidate], [one], 1, skill=rescorer)
    (results,) = seen
    assert results.games is not None
    assert results.skill is not None
    assert results.choices == Choices(candidate, UNSEEN)
    assert results.games.variant == results.skill.variant == candidate
    assert results.games.points is not results.skill.points
    salad = revised(BOOK, {"contracts.hearts.terms[1].points": -8})
    with pytest.raises(NotExact, match=r"contracts\.hearts"):
        measure_all(rescorer, None, [candidate, salad], [one], 2)
