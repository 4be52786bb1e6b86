"""A sample of blocks keeps their rows and what was played in them: the same blocks however a run
is cut, and nothing else about the run changes."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from engine_ext.record_write import write
from engine_ext.seeds import run_key
from pipeline.config import ConfigError
from pipeline.manifest import Landed
from pipeline.mistakes import first_mistake
from pipeline.plan import cut
from pipeline.replay import Replayer, ReplayError
from pipeline.sampled import drawn, drawn_of
from pipeline.store import Run
from pipeline.verify import verify
from tests.end_to_end.test_verify import rewrite
from tests.runs import cut_into, paths, played, small

KEY = run_key(7)
VARIANTS = ("barbu_52_doubling", "barbu_fr_reussite", "barbu_king_br_honour")
TABLES: tuple[Landed, ...] = ("games", "deals", "doubles", "plays")
BLOCKS, SHARE = 7, 0.4
Change = Callable[[pl.DataFrame], pl.DataFrame]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Run]:
    """The same games, every row kept, and those of a sample in shards of three blocks."""
    folder = tmp_path_factory.mktemp("sampled")
    everything, _ = played(small(VARIANTS, blocks=BLOCKS, record=TABLES), folder / "all")
    config = small(VARIANTS, blocks=BLOCKS, record="summary", sample={"share": SHARE})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.run.cut", lambda config, pace: cut_into(config, 3))
        sampled, _ = played(config, folder / "some")
    return everything, sampled


def table(run: Run, name: str) -> pl.DataFrame:
    return pl.concat(pl.read_parquet(path) for path in paths(run, name))


@given(st.integers(0, 10**6), st.integers(1, 50), st.floats(0.001, 1))
def test_a_block_is_drawn_alone_as_the_page_on_seeds_says(first: int, n: int, share: float) -> None:
    found = drawn(KEY, share, first, n).tolist()
    for i, block in enumerate(range(first, first + n)):
        counter = np.array([block // 4, 0, 0, 6], np.uint64)
        words = np.random.Philox(key=np.array(KEY, np.uint64), counter=counter).random_raw(4)
        assert found[i] == (int(words[block % 4]) < share * 2**64)


def test_a_share_is_about_that_part_and_a_larger_one_holds_it() -> None:
    some, more = (drawn(KEY, share, 0, 100_000) for share in (0.01, 0.02))
    # 1000 expected, standard deviation 31.5.
    assert 870 < some.sum() < 1130
    assert not (some & ~more).any()
    assert drawn(KEY, 1.0, 0, 1000).all()


def test_rows_are_those_of_the_drawn_blocks_and_the_digest_is_the_same(
    runs: tuple[Run, Run],
) -> None:
    everything, sampled = runs
    assert sampled.manifest.digest == everything.manifest.digest
    blocks = np.flatnonzero(drawn_of(sampled.manifest.config, 0, BLOCKS)).tolist()
    assert 0 < len(blocks) < BLOCKS
    for name in TABLES:
        expected = table(everything, name).filter(pl.col("block").is_in(blocks))
        assert table(sampled, name).equals(expected)
    assert verify(sampled).ok
    assert verify(everything).ok


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_record_is_written_without_playing_again(variant: str, runs: tuple[Run, Run]) -> None:
    _, run = runs
    block = int(np.flatnonzero(drawn_of(run.manifest.config, 0, BLOCKS))[0])
    played = Replayer(run, variant).play(block, 1, 2)
    read = Replayer(run, variant, kept=True).read(block, 1, 2)
    assert [*map(write, read.records)] == [*map(write, played.records)]
    assert read.entrants == played.entrants
    assert read.kept == played.digest
    assert (read.games.records.score == played.games.records.score).all()


def test_a_block_outside_the_sample_has_no_plays(runs: tuple[Run, Run]) -> None:
    _, run = runs
    block = int(np.flatnonzero(~drawn_of(run.manifest.config, 0, BLOCKS))[0])
    with pytest.raises(ReplayError, match="keeps no plays of it"):
        Replayer(run, VARIANTS[0], kept=True).read(block, 0, 0)
    assert Replayer(run, VARIANTS[0]).play(block, 0, 0).kept is None


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("games", lambda f: f.with_columns(score_0=pl.col("score_0") + 1), "from their digest"),
        ("games", lambda f: f[:-1], "games are lost or stand twice"),
        ("plays", lambda f: f.with_columns(points_0=pl.col("points_0") + 1), "tell of other deals"),
    ],
)
def test_verify_finds_what_is_wrong_in_a_sample(
    name: Landed, change: Change, said: str, runs: tuple[Run, Run]
) -> None:
    _, run = runs
    shard = next(n for n, receipt in run.landed().items() if name in receipt.files)
    frame = run.read(name, shard)
    rewrite(run.folder, name, shard, change(frame))
    try:
        assert said in verify(Run.open(run.folder)).problems[0]
    finally:
        rewrite(run.folder, name, shard, frame)


def test_a_card_that_was_not_played_is_noticed(runs: tuple[Run, Run]) -> None:
    everything, _ = runs
    frame = everything.read("plays", 0)
    moves = frame["moves"].to_list()
    moves[0] = moves[0][1:2] + moves[0][:1] + moves[0][2:]
    rewrite(everything.folder, "plays", 0, frame.with_columns(moves=pl.Series(moves)))
    place = (frame[name][0] for name in ("block", "table", "rotation"))
    try:
        with pytest.raises(ReplayError, match=r"plays: .* does not hold"):
            Replayer(Run.open(everything.folder), VARIANTS[0], kept=True).read(*place)
    finally:
        rewrite(everything.folder, "plays", 0, frame)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sample": {"share": 0.0}}, "sample.share: "),
        ({"sample": {"share": 1.5}}, "sample.share: "),
        ({"sample": {"share": 0.001}}, "0.001 of 3 blocks is less than one (want at least 0.333)"),
        (
            {"sample": {"share": 0.5, "tables": ("plays", "plays")}},
            "sample.tables: 'plays' stands twice",
        ),
        ({"sample": {"share": 0.5, "tables": ("moves",)}}, "sample.tables[0]: "),
        ({"sample": {"share": 0.5}, "record": ("games",)}, "'games' is kept of all blocks"),
    ],
)
def test_a_sample_that_makes_no_sense_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as refused:
        small(**({"record": "summary"} | changes))
    assert said in first_mistake(refused.value, type(small()))


def test_moves_of_all_games_are_kept_of_small_runs_only() -> None:
    config = small(VARIANTS[:1], record=("plays",), blocks=12_500)
    assert cut(config, {VARIANTS[0]: 1.0})
    longer = config.model_copy(update={"blocks": 12_501})
    with pytest.raises(ConfigError, match="'plays' of 100008 games"):
        cut(longer, {VARIANTS[0]: 1.0})


def test_shards_of_a_sample_hold_no_more_rows_than_others() -> None:
    config = small(VARIANTS[:1], record="summary", sample={"share": 0.01}, blocks=10**9)
    bounds = cut(config, {VARIANTS[0]: 1e-9})[VARIANTS[0]]
    # 8 games of 28 deals a block, and 500,000 rows of deals are the most.
    assert bounds.blocks == 500_000 * 100 // (8 * 28)
