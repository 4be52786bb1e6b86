"""Joint sums of shards tell all that blocks do, to the last bit; and what keeps no blocks."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline import joints
from pipeline.config import Entrant, RunConfig
from pipeline.figures import of_claim, of_entrants
from pipeline.manifest import Manifest
from pipeline.standings import standings
from pipeline.stats import company, wild
from pipeline.stats.joint import of_blocks
from pipeline.stats.lineups import Played, changing
from pipeline.stats.score_model import FEW, claim, fit, pairs_of_few, strengths_of_few
from pipeline.status import Watcher
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.verify import verify
from pipeline.watermark import block_tables, joint_of_shards, sums_between
from reports.reading import Reading, opened
from reports.sections import SECTIONS
from tests.round_robins import drawn_lineups, games_of
from tests.round_robins import played as played_games
from tests.runs import cut_into, entrants, paths, played, small
from tests.samples import slowly

VARIANT = "barbu_king_br"
MANY = ("duck.v1", "random.v1", "count.v1", "lowest.v1", "cautious.v1")
AGAINST = {"entrant": "count.v1", "against": "duck.v1"}
LINEUPS = (
    ("duck.v1", "count.v1", "random.v1", "duck.v1"),
    ("count.v1", "random.v1", "count.v1", "duck.v1"),
    ("random.v1", "random.v1", "random.v1", "lowest.v1"),
)
SPRT = {"rule": "sprt", "delta1": 30.0, "look": 16}
DESIGNS: dict[str, dict[str, Any]] = {
    "gauntlet": {"design": "gauntlet", "invasions": "both", "claim": AGAINST},
    "mix": {"design": "mix", "claim": {"entrant": "duck.v1", "against": "random.v1"}},
    "table": {"design": "table", "entrants": entrants(*MANY[:4]), "stop": SPRT, "blocks": 200},
    "full": {"design": "full", "entrants": entrants(*MANY[:4]), "blocks": 2},
    "lineups": {"design": "lineups", "lineups": LINEUPS, "claim": AGAINST, "blocks": 8},
    "race": {
        "design": "candidates",
        "field": ("random.v1",),
        "stop": {"rule": "race", "look": 16},
        "blocks": 48,
    },
    "one": {"design": "candidates", "field": ("random.v1",), "rotations": "one"},
    "round_robin": {"design": "round_robin", "blocks": 30},
}
FROM_SUMS = ("verdict", "league", "pairs")
"""Sections that rest on joint sums; others need the summary alone, or single games and blocks."""


def config_of(name: str, **changes: Any) -> RunConfig:
    said = {"entrants": entrants(*MANY), "lineups": (), "blocks": 12} | DESIGNS[name]
    return small((VARIANT,), **said | changes)


EVERY_DAY = ("gauntlet", "table", "race", "round_robin")


@pytest.fixture(
    scope="module", params=[name if name in EVERY_DAY else slowly(name) for name in DESIGNS]
)
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Run, Run]:
    """The same tournament with its blocks kept, and without; four blocks a shard."""
    folder = tmp_path_factory.mktemp("joints")
    config = config_of(request.param)
    (folder / "kept").mkdir()
    (folder / "bare").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.run.cut", lambda asked, _: cut_into(asked, 4))
        kept, _ = played(config.model_copy(update={"record": ()}), folder / "kept" / "run")
        bare, _ = played(config.model_copy(update={"record": "summary"}), folder / "bare" / "run")
    return kept, bare


def judged(manifest: Manifest) -> dict[str, Any]:
    """What came out, but for what names the run."""
    return {key: getattr(manifest, key) for key in ("digest", "decided", "stopped", "dropped")}


def test_a_run_without_blocks_comes_to_the_same(both: tuple[Run, Run]) -> None:
    kept, bare = both
    assert judged(kept.manifest) == judged(bare.manifest)
    assert bare.manifest.decided
    assert {(one.by, one.differing) for one in bare.manifest.audited} == {("shards", ())}
    assert standings(kept) == standings(bare)
    assert Watcher(kept.folder).status().standings == Watcher(bare.folder).status().standings
    assert {path.name for path in bare.folder.iterdir() if path.is_dir()} <= {
        *("summary", "joint", "company")
    }


def test_sections_that_need_no_blocks_say_the_same(both: tuple[Run, Run]) -> None:
    kept, bare = both
    with opened(kept.folder) as full, opened(bare.folder) as sums:
        for section in SECTIONS:
            if section.name in FROM_SUMS and section.missing(full, VARIANT) is None:
                assert section.missing(sums, VARIANT) is None
                mine, theirs = section.compute(full, VARIANT), section.compute(sums, VARIANT)
                assert mine.keys() == theirs.keys()
                assert all(mine[name].equals(theirs[name]) for name in mine), section.name
        _check_trajectory(full, sums)


def _check_trajectory(full: Reading, sums: Reading) -> None:
    """Where both have a point it is the same; without blocks only ends of shards have one."""
    trajectory = next(section for section in SECTIONS if section.name == "trajectory")
    mine, theirs = (
        {row["blocks"]: row for row in trajectory.compute(one, VARIANT)["trajectory"].to_dicts()}
        for one in (full, sums)
    )
    assert all(at % 4 == 0 or at == full.prefix(VARIANT) for at in theirs)
    assert theirs == {at: mine[at] for at in theirs}


def test_sums_of_shards_are_those_of_their_blocks(both: tuple[Run, Run]) -> None:
    kept, bare = both
    config, planned = kept.manifest.config, kept.planned()
    last = kept.manifest.counted(VARIANT)
    counted = [shard for shard in planned if shard.first_block < last]
    for there in both:
        found = joint_of_shards(there, counted)
        tables = list(block_tables(kept, planned, VARIANT, 0, last))
        n, x = (
            np.concatenate(part)
            for part in zip(*(of_entrants(config, t) for t in tables), strict=True)
        )
        assert found.entrants == of_blocks(n, x)
        n, x = (
            np.concatenate(part)
            for part in zip(*(of_claim(config, t) for t in tables), strict=True)
        )
        assert found.claim(config) == of_blocks(n, x)
    assert verify(bare).problems == []


def test_a_block_cut_into_parts_is_known_by_its_totals(tmp_path: Path) -> None:
    config = config_of("lineups", blocks=2)
    found = []
    for parts, record in ((1, ()), (5, "summary")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pipeline.run.cut", lambda asked, _, n=parts: cut_into(asked, 1, n))
            out = tmp_path / str(parts) / "run"
            out.parent.mkdir()
            there, _ = played(config.model_copy(update={"record": record}), out)
        found.append((judged(there.manifest), standings(there), summed(there)))
        assert verify(there).problems == []
    assert found[0] == found[1]
    assert found[0][0]["decided"]
    # What is made of the parts at the end is what a shard of whole blocks would have.
    cut = joints.Collected(config, 4)
    for name in there.files("joint"):
        cut.add([pl.read_parquet(there.folder / name)], 1)
    assert cut.sums() == found[0][2]


def summed(there: Run) -> joints.JointSums:
    return sums_between(there, there.planned(), VARIANT, 0, there.manifest.config.blocks)


def test_rows_that_are_lost_are_noticed(tmp_path: Path) -> None:
    there, _ = played(config_of("gauntlet", record="summary", blocks=2), tmp_path / "run")
    path = paths(there, "joint")[0]
    frame = pl.read_parquet(path)
    frame.filter(pl.col("entrant") != "duck.v1").write_parquet(path)
    with pytest.raises(StoreError, match="blocks 0 to 1: games are lost or stand twice"):
        summed(there)


def test_sums_beyond_64_bits_add_up_and_are_refused_in_a_shard() -> None:
    config = config_of("table", blocks=30_000)
    seats = np.arange(4)
    n, x = np.full((2, 4), 2**30), np.full((2, 4), 2**30) * (1 - 2 * (seats % 2))
    sums = joints.JointSums(of_blocks(n, x), {})
    found = joints.Collected(config, 4)
    frames = [joints.frame(config, VARIANT, shard, sums) for shard in range(5)]
    found.add(frames, 10)  # sums of squares are 5 * 2^61
    assert found.sums().entrants.xx[0][1] == -5 * 2**61
    assert found.sums().entrants == of_blocks(np.tile(n, (5, 1)), np.tile(x, (5, 1)))
    large = joints.JointSums(found.sums().entrants, {})
    with pytest.raises(OverflowError, match="do not fit into 64 bits"):
        joints.frame(config, VARIANT, 0, large)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"blocks": 29}, 'round robin of 29 blocks, .* \\(want 30 blocks, or record = "all"\\)'),
        ({"blocks": 30, "entrants": 25}, "round robin of 25 entrants, .* at most 24 entrants"),
        ({"record": "totals"}, "record: want 'all', 'summary' or a list of tables, not 'totals'"),
        ({"record": 3}, "record: want 'all', 'summary' or a list of tables, not 3"),
        ({"design": "value"}, "a study keeps its units and trials"),
    ],
)
def test_what_cannot_be_told_from_sums_is_refused(changes: dict[str, Any], said: str) -> None:
    if isinstance(changes.get("entrants"), int):
        many = [Entrant(strategy="duck.v1", name=f"d{i}") for i in range(changes["entrants"])]
        changes = changes | {"entrants": many}
    with pytest.raises(ValueError, match=said.removeprefix("record: ")):
        config_of("round_robin", **{"record": "summary"} | changes)


def test_all_is_every_table() -> None:
    assert config_of("mix", record="all") == config_of("mix")


@settings(max_examples=25, deadline=None)
@given(st.integers(5, 9), st.integers(3, 4), st.integers(2, 40), st.integers(0, 2**32))
def test_strengths_from_sums_are_those_from_blocks(
    k: int, seats: int, blocks: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    lineups = drawn_lineups(rng, k, seats, blocks)
    if seed % 3 == 0:
        lineups[:] = lineups[0]  # some are never linked, or company does not change
    what = played_games(games_of(rng, np.linspace(6, -6, k), seats, blocks, lineups))
    cut = int(rng.integers(1, blocks))
    parts = [Played(*(array[some] for array in what)) for some in (slice(cut), slice(cut, None))]
    met = company.add(*map(company.of_blocks, parts))
    assert met == company.of_blocks(what)
    fitted = fit(what)
    assert fit(met) == fitted
    if fitted is None:
        return
    assert met.changing == changing(what)
    if blocks >= FEW or not changing(what):
        assert strengths_of_few(met, fitted) == strengths_of_few(what, fitted)
        assert pairs_of_few(met, fitted) == pairs_of_few(what, fitted)
    else:
        alone = claim(met, fitted, 0, 1)
        assert alone[:2] == claim(what, fitted, 0, 1)[:2]
        assert alone.kind == ("t" if alone.df + 1 < wild.FEWEST else "none")
