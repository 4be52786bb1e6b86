"""Candidates played together: runs that are read, taken up or refused, and rounds put together."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine_ext.errors import UserError
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from pipeline.progress import Silent
from pipeline.store import Run
from pipeline.tuning import packs
from pipeline.tuning.choices import read_choices
from pipeline.tuning.file import Amount, Players
from pipeline.tuning.objectives import Needs, Objective
from pipeline.tuning.outcome import Told
from pipeline.tuning.packs import How, needs_of, play_pack, seed_of, together
from pipeline.tuning.results import Results

FR, FIXED = load_variant("barbu_fr_reussite"), load_variant("king_ru_fixed14")
AMOUNT = Amount(games=20, choices=10, worlds=2)
PLAYERS = Players(full="play=duck.v1, choose=random.v1", restricted={"chance": "random.v1"})
ALL: frozenset[Needs] = frozenset(("games", "choices", "skill"))
SEEDS = Path(__file__).parents[2] / "docs" / "seeds.md"


def pack(
    folder: Path,
    candidates: dict[str, Variant],
    needs: frozenset[Needs] = ALL,
    seed: int = 1,
    **more: Any,
) -> tuple[dict[str, Results], tuple[Told, ...]]:
    said: dict[str, Any] = {"players": PLAYERS, "amount": AMOUNT, "how": How("inline")} | more
    return play_pack(
        str(folder), "a", candidates, seed=seed, needs=needs, title="Which is fairer?", **said
    )


def same(one: Results, other: Results) -> bool:
    """Whether all arrays are alike."""
    return repr_of(one) == repr_of(other)


def repr_of(results: Results) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name, part in results._asdict().items():
        if part is None:
            continue
        if name == "choices":
            inside = part.worth._asdict()
        else:
            inside = {f.name: getattr(part, f.name) for f in fields(part) if f.name != "bets"}
            inside |= part.bets._asdict()
        for key, value in inside.items():
            plain = value.tolist() if isinstance(value, np.ndarray) else value
            found.append((f"{name}.{key}", plain))
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Results]]:
    """Two candidates with the same rules, every kind of run."""
    folder = tmp_path_factory.mktemp("tuning")
    found, _ = pack(folder, {"t0000": FR, "t0001": FR})
    return folder, found


def test_candidates_are_variants_of_a_run_of_each_kind(
    whole: tuple[Path, dict[str, Results]],
) -> None:
    folder, found = whole
    kinds = ("a-choices", "a-games", "a-skill")
    assert tuple(sorted(p.name for p in folder.iterdir() if p.is_dir())) == kinds
    for results in found.values():
        games, skill, choices = results.games, results.skill, results.choices
        assert games is not None
        assert skill is not None
        assert choices is not None
        assert games.blocks == skill.blocks == len(games.block) == len(skill.block) == 20
        assert games.labels == ("full",)
        assert skill.labels == ("full", "chance")
        assert (skill.entrant.sum(axis=1) == 1).all()
        assert sorted(skill.entrant[:4].argmax(axis=1)) == [0, 1, 2, 3]
        assert choices.worth.n_blocks == 10
        assert choices.worth.worlds == 1
        assert choices.worth.uses == (1, 1, 1, 1, 1, 2)
    study = Run.open(folder / "a-choices").manifest.config
    assert [one.strategy for one in study.entrants] == ["duck.v1"]
    assert study.title == "Which is fairer?: choices"
    # Its figures are added to those of games, so its deals are others.
    seeds = {kind: Run.open(folder / f"a-{kind}").manifest.config.seed for kind in sorted(ALL)}
    assert seeds["games"] == seeds["skill"] != seeds["choices"]


def test_all_candidates_are_played_on_the_same_deals(
    whole: tuple[Path, dict[str, Results]], tmp_path: Path
) -> None:
    _, found = whole
    assert same(found["t0000"], found["t0001"])
    alone, _ = pack(tmp_path, {"x": FR})
    assert same(alone["x"], found["t0001"])
    other, _ = pack(tmp_path / "other", {"x": FR}, seed=2)
    assert not same(alone["x"], other["x"])


def test_what_is_complete_is_only_read(
    whole: tuple[Path, dict[str, Results]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, found = whole
    monkeypatch.delattr(packs, "run_or_resume")
    again, told = pack(folder, {"t0000": FR, "t0001": FR})
    assert all(same(again[name], found[name]) for name in found)
    assert [one.path for one in told] == ["a-games", "a-choices", "a-skill"]
    for one in told:
        manifest = Run.open(folder / one.path).manifest
        assert (one.digest, one.deals) == (manifest.digest, manifest.deals)
        assert one.deals > 0


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({"seed": 3}, "seed"),
        ({"amount": Amount(games=21)}, "blocks"),
        ({"players": Players(full="duck.v1")}, "entrants"),
        ({"candidates": {"t0000": FR}}, "variants"),
    ],
)
def test_a_folder_with_something_else_is_refused(
    whole: tuple[Path, dict[str, Results]], more: dict[str, Any], key: str
) -> None:
    folder, _ = whole
    said: dict[str, Any] = {"candidates": {"t0000": FR, "t0001": FR}} | more
    wanted = f"a-games: holds another run: {key} is not that of the tuning"
    with pytest.raises(UserError, match=wanted):
        pack(folder, needs=frozenset({"games"}), **said)


def test_another_version_does_not_go_on(
    whole: tuple[Path, dict[str, Results]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, _ = whole
    monkeypatch.setattr("pipeline.run.version", lambda _: "99.0")
    with pytest.raises(UserError, match=r"this is 99\.0"):
        pack(folder, {"t0000": FR, "t0001": FR})


class CutOff(Silent):
    """Interrupts when the first games have landed."""

    def advance(self, games: int) -> None:
        raise KeyboardInterrupt


def test_what_was_cut_off_is_taken_up(
    whole: tuple[Path, dict[str, Results]], tmp_path: Path
) -> None:
    folder, found = whole
    both = {"t0000": FR, "t0001": FR}
    with pytest.raises(KeyboardInterrupt):
        pack(tmp_path, both, how=How("inline", progress=CutOff()))
    assert Run.open(tmp_path / "a-games").manifest.status == "interrupted"
    again, told = pack(tmp_path, both)
    assert all(same(again[name], found[name]) for name in found)
    assert [Run.open(folder / one.path).manifest.digest for one in told] == [
        one.digest for one in told
    ]


def test_more_than_fit_into_a_run_take_several(
    whole: tuple[Path, dict[str, Results]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packs, "MOST", 2)
    three = {f"t000{i}": FR for i in range(3)}
    found, told = pack(tmp_path, three, frozenset({"games"}))
    assert [one.path for one in told] == ["a-games", "a-games-2"]
    assert list(found) == list(three)
    expected = Results(games=whole[1]["t0000"].games)
    assert all(same(one, expected) for one in found.values())


def test_where_nobody_chooses_choices_are_not_studied(tmp_path: Path) -> None:
    mixed = {"fixed": FIXED, "free": FR}
    found, told = pack(tmp_path, mixed, frozenset({"choices"}))
    assert found["fixed"] == Results()
    assert found["free"].choices is not None
    assert [one.path for one in told] == ["a-choices"]
    only, told = pack(tmp_path / "only", {"fixed": FIXED}, frozenset({"choices"}))
    assert (only, told) == ({"fixed": Results()}, ())


def test_moves_are_kept_where_they_are_asked_for(tmp_path: Path) -> None:
    found, _ = pack(tmp_path, {"x": FR}, frozenset({"moves"}))
    games = found["x"].games
    assert games is not None
    assert games.n_moves is not None
    assert len(games.n_moves) == len(games.contract)


@pytest.mark.parametrize(
    ("players", "wanted"),
    [
        (Players(full="duck.v1"), "players.restricted: skill is measured"),
        (Players(full="duck.v1", restricted={"full": "random.v1"}), "players.restricted.full"),
        (Players(full="play=duck.v1, choice=x", restricted={"a": "b"}), "players.full: unknown"),
        (Players(full="nobody.v1", restricted={"a": "random.v1"}), "nobody.v1"),
    ],
)
def test_players_who_cannot_play_are_told(tmp_path: Path, players: Players, wanted: str) -> None:
    needs: frozenset[Needs] = frozenset({"choices"} if "choice=" in players.full else {"skill"})
    with pytest.raises(UserError, match=wanted):
        pack(tmp_path, {"x": FR}, needs, players=players)
    assert list(tmp_path.iterdir()) == []


def test_what_objectives_need_is_played() -> None:
    def needing(needs: Needs) -> Objective:
        return Objective(
            "x", "X", "X.", "", "more", 1.0, needs, lambda _: pytest.fail("not measured")
        )

    assert needs_of([]) == frozenset()
    assert needs_of([needing("choices"), needing("choices")]) == {"choices"}
    assert needs_of([needing("moves"), needing("skill")]) == {"games", "moves", "skill"}


def test_seeds_are_those_of_the_document() -> None:
    told = dict(re.findall(r"^    tuning (\w+)  +(\S.*)$", SEEDS.read_text("utf-8"), re.MULTILINE))
    search, fresh = told["search"].split(), told["fresh"].split()
    assert [str(seed_of(1, "search", i)) for i in (0, 1)] == search
    assert [str(seed_of(1, "fresh", 0))] == fresh


def test_studies_are_read_from_whole_runs_of_value_alone(
    whole: tuple[Path, dict[str, Results]],
) -> None:
    folder, _ = whole
    with pytest.raises(UserError, match="want a study of value"):
        read_choices(Run.open(folder / "a-games"), "t0000")
    with pytest.raises(UserError, match="no variant 'x'"):
        read_choices(Run.open(folder / "a-choices"), "x")


def test_rounds_stand_one_behind_the_other(
    whole: tuple[Path, dict[str, Results]], tmp_path: Path
) -> None:
    first = whole[1]["t0000"]
    second = pack(tmp_path, {"x": FR}, seed=2)[0]["x"]
    assert together([first]) is first
    both = together([first, second])
    for one, a, b in zip(
        (both.games, both.skill), (first.games, first.skill), (second.games, second.skill),
        strict=True,
    ):  # fmt: skip
        assert one is not None
        assert a is not None
        assert b is not None
        assert one.blocks == 40
        assert one.block.tolist() == [*a.block, *(b.block + 20)]
        for name in ("entrant", "n_deals", "score", "points", "items", "counted", "contract"):
            parts = [getattr(part, name) for part in (a, b)]
            assert (getattr(one, name) == np.concatenate(parts)).all(), name
        assert one.first_row[20] == len(a.contract)
    assert both.choices is not None
    assert first.choices is not None
    assert second.choices is not None
    worth = both.choices.worth
    assert worth.n_blocks == 20
    n = len(first.choices.worth.blocks)
    assert (worth.points[..., :n] == first.choices.worth.points).all()
    assert (worth.points[..., n:] == second.choices.worth.points).all()
    assert worth.hands[n:] == second.choices.worth.hands
    assert together([first, second._replace(choices=None)]).choices is None


def test_bets_of_later_rounds_keep_their_deals(tmp_path: Path) -> None:
    rules = load_variant("barbu_52_doubling")
    needs: frozenset[Needs] = frozenset({"games"})
    parts = [pack(tmp_path / str(s), {"x": rules}, needs, seed=s)[0]["x"] for s in (1, 2)]
    both = together(parts).games
    assert both is not None
    assert len(both.bets.row)
    side = np.zeros_like(both.side, dtype=np.int64)
    for row, i, j, again in zip(*both.bets, strict=True):
        paid = (both.points[row, i] - both.points[row, j]) * (2 if again else 1)
        side[row, [i, j]] += [paid, -paid]
    assert (side == both.side).all()


def test_rounds_of_other_rules_are_not_put_together(
    whole: tuple[Path, dict[str, Results]], tmp_path: Path
) -> None:
    first = whole[1]["t0000"]
    other = pack(tmp_path, {"x": load_variant("barbu_fr_reussite_52")}, frozenset({"games"}))
    with pytest.raises(ValueError, match="other rules"):
        together([first, other[0]["x"]])
