"""Totals of blocks, and the figures that claims and leagues are made of, against slow sums."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from pipeline.config import ConfigError, RunConfig
from pipeline.figures import claimed, difference, ranked
from pipeline.files import Place
from pipeline.plan import Plan
from pipeline.seating import tables
from pipeline.stats import joint
from pipeline.stats.estimate import of_blocks
from pipeline.store import Run
from pipeline.stores import StoreError
from pipeline.totals import whole_blocks
from pipeline.watermark import joint_of_claim, joint_of_entrants
from tests.runs import entrants, paths, played, rows, small

SEATS = 4
VARIANT = "barbu_king_br"
MANY = ("duck.v1", "random.v1", "count.v1", "lowest.v1", "cautious.v1")

DESIGNS: dict[str, dict[str, Any]] = {
    "gauntlet": {"design": "gauntlet", "invasions": "both"},
    "mix": {"design": "mix"},
    "table": {"design": "table", "entrants": entrants(*MANY[:4])},
    "full": {"design": "full", "entrants": entrants(*MANY[:4])},
    "round_robin": {"design": "round_robin", "entrants": entrants(*MANY)},
    "candidates": {"design": "candidates", "field": ("random.v1",)},
    "one": {
        "design": "candidates",
        "field": ("random.v1", "duck.v1", "lowest.v1"),
        "rotations": "one",
    },
    "lineups": {
        "design": "lineups",
        "lineups": (("duck.v1", "random.v1", "lowest.v1", "duck.v1"), ("count.v1",) * 4),
        "rotations": "one",
    },
}


def config_of(name: str, **changes: Any) -> RunConfig:
    said = {"entrants": entrants(*MANY), "lineups": ()} | DESIGNS[name]
    return small((VARIANT,), **said | changes)


def by_hand(there: Run) -> dict[tuple[int, int, int], list[int]]:
    """Block, table, member: n, x, xx, win, place from the rows of games."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for row in rows(there, "games"):
        scores = [row[f"score_{s}"] for s in range(SEATS)]
        places = [row[f"place_{s}"] for s in range(SEATS)]
        for s in range(SEATS):
            member = (s - row["rotation"]) % SEATS
            x = SEATS * scores[s] - sum(scores)
            win = 2520 // row["n_first"] if places[s] == 1 else 0
            tied = places.count(places[s])
            sums = found.setdefault((row["block"], row["table"], member), [0] * 5)
            for i, value in enumerate((1, x, x * x, win, 2 * places[s] + tied - 1)):
                sums[i] += value
    return found


@pytest.mark.parametrize("name", DESIGNS)
def test_totals_are_the_sums_of_their_games(name: str, tmp_path: Path) -> None:
    there, _ = played(config_of(name), tmp_path / "run")
    stored = {
        (r["block"], r["table"], r["member"]): [r[c] for c in ("n", "x", "xx", "win", "place")]
        for r in rows(there, "totals")
    }
    assert stored == by_hand(there)
    for row in rows(there, "games"):
        for s in range(SEATS):
            at = (row["block"], row["table"], (s - row["rotation"]) % SEATS)
            assert row[f"entrant_{s}"] == next(
                r["entrant"]
                for r in rows(there, "totals")
                if (r["block"], r["table"], r["member"]) == at
            )


@pytest.mark.parametrize("name", DESIGNS)
def test_an_entrants_figure_counts_what_he_made(name: str, tmp_path: Path) -> None:
    """By block from the rows of games; a candidate's less the datum's at the same seats."""
    config = config_of(name)
    there, _ = played(config, tmp_path / "run")
    planned = Plan(config, there.manifest.bounds)
    found = joint_of_entrants(there, planned, VARIANT, 0, config.blocks)
    labels = [entrant.label for entrant in config.entrants]
    games = rows(there, "games")
    made: dict[tuple[int, int], list[int]] = {
        key: [0, 0] for key in product(ranked(config), range(config.blocks))
    }
    for row in games:
        scores = [row[f"score_{s}"] for s in range(SEATS)]
        for s in range(SEATS):
            who = labels.index(row[f"entrant_{s}"])
            if who not in ranked(config):
                continue
            x = SEATS * scores[s] - sum(scores)
            if config.design == "candidates":
                datum = next(
                    g
                    for g in games
                    if (g["block"], g["table"], g["rotation"]) == (row["block"], 0, row["rotation"])
                )
                x -= SEATS * datum[f"score_{s}"] - sum(datum[f"score_{t}"] for t in range(SEATS))
            made[who, row["block"]][0] += 1
            made[who, row["block"]][1] += x
    for i, who in enumerate(ranked(config)):
        pairs = [(made[who, b][0], made[who, b][1]) for b in range(config.blocks)]
        assert found.sums(i) == of_blocks(pairs)
        for k, other in enumerate(ranked(config)):
            theirs = [made[other, b] for b in range(config.blocks)]
            assert found.xx[i][k] == sum(p[1] * q[1] for p, q in zip(pairs, theirs, strict=True))
            assert found.nx[i][k] == sum(p[0] * q[1] for p, q in zip(pairs, theirs, strict=True))


def test_a_claim_against_another_counts_their_common_tables(tmp_path: Path) -> None:
    config = config_of("gauntlet", claim={"entrant": "duck.v1", "against": "random.v1"})
    there, _ = played(config, tmp_path / "run")
    planned = Plan(config, there.manifest.bounds)
    found = joint_of_claim(there, planned, VARIANT, 0, config.blocks)
    labels = [entrant.label for entrant in config.entrants]
    assert claimed(config) == (0, 1)
    head_to_head = {t for t, order in enumerate(tables(config, SEATS)) if set(order) == {0, 1}}
    mine = theirs = Fraction(0)
    n = [0, 0]
    for row in rows(there, "games"):
        if row["table"] not in head_to_head:
            continue
        mean = Fraction(sum(row[f"score_{s}"] for s in range(SEATS)), SEATS)
        for s in range(SEATS):
            who = labels.index(row[f"entrant_{s}"])
            n[who] += 1
            if who == 0:
                mine += row[f"score_{s}"] - mean
            else:
                theirs += row[f"score_{s}"] - mean
    value, square = difference(found, SEATS)
    assert value == mine / n[0] - theirs / n[1]
    assert square is not None
    assert square > 0


def test_sums_of_any_pieces_add_up_to_those_of_the_whole() -> None:
    rng = np.random.default_rng(3)
    n = rng.integers(0, 5, (40, 3))
    x = np.where(n > 0, rng.integers(-900, 900, (40, 3)), 0)
    whole = joint.of_blocks(n, x)
    parts = joint.nothing(3)
    for cut in np.split(np.arange(40), [1, 7, 8, 30]):
        parts = joint.add(parts, joint.of_blocks(n[cut], x[cut]))
    assert parts == whole
    assert whole.blocks == 40
    for i in range(3):
        pairs = [(int(a), int(b)) for a, b in zip(n[:, i], x[:, i], strict=True)]
        assert whole.sums(i) == of_blocks(pairs)
    assert whole.only([2, 0]).nx[0][1] == sum(
        int(a) * int(b) for a, b in zip(n[:, 2], x[:, 0], strict=True)
    )


def test_sums_beyond_64_bits_stay_exact() -> None:
    n, x = np.ones((3, 1), np.int64), np.full((3, 1), 3 * 10**9, np.int64)
    assert joint.of_blocks(n, x).xx == ((27 * 10**18,),)


def test_a_total_without_a_count_is_refused() -> None:
    with pytest.raises(ValueError, match="not counted"):
        joint.of_blocks(np.zeros((1, 1), np.int64), np.ones((1, 1), np.int64))


def test_a_game_that_is_lost_from_a_block_is_noticed(tmp_path: Path) -> None:
    config = config_of("mix")
    there, _ = played(config, tmp_path / "run")
    path = paths(there, "totals")[0]
    frame = pl.read_parquet(path)
    frame.with_columns(
        n=pl.when(pl.arange(pl.len()) == 3).then(pl.lit(3)).otherwise(pl.col("n")).cast(pl.UInt16)
    ).write_parquet(path)
    with pytest.raises(StoreError, match="games are lost or stand twice"):
        whole_blocks(
            there.store, config, VARIANT, map(Place, there.files("totals")), 0, config.blocks
        )


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"design": "mix", "heads": (4,)}, "heads"),
        ({"design": "mix", "heads": (1, 1)}, "heads: a number stands twice"),
        ({"design": "table", "heads": (1,)}, "heads: only for design 'mix', not 'table'"),
        ({"design": "candidates"}, "field: design 'candidates' needs at least one name"),
        ({"design": "candidates", "field": ("nobody",)}, "field\\[0\\]: 'nobody' is no entrant"),
        ({"design": "candidates", "field": ("random.v1",) * 2}, "field: 2 names \\(want 1, or 3"),
        ({"design": "candidates", "field": MANY}, "all are in the field"),
        ({"design": "round_robin", "entrants": entrants(*MANY[:4])}, "needs more than"),
        (
            {"design": "mix", "rotations": "one"},
            "rotations: only for design 'candidates' or 'lineups', not 'mix'",
        ),
        ({"design": "mix", "claim": {"entrant": "nobody"}}, "claim.entrant: 'nobody' is no"),
        ({"design": "mix", "claim": {"against": "duck.v1"}}, "compared with itself"),
        ({"design": "seats", "claim": {}}, "claim: a study decides nothing"),
        ({"design": "mix", "stop": {"rule": "race"}}, "'race' is for design 'candidates'"),
        ({"design": "round_robin", "stop": {"rule": "decided"}}, "is judged once, after the"),
        ({"design": "mix", "stop": {"rule": "sprt"}}, "delta1: rule 'sprt' needs it"),
        ({"design": "mix", "stop": {"rule": "width"}}, "width: rule 'width' needs it"),
        ({"design": "mix", "stop": {"rule": "decided", "beta": 0.1}}, "beta: only for rule 'sprt'"),
        ({"design": "mix", "stop": {"rule": "sprt", "delta1": -1.0}}, "want more than delta0"),
        ({"design": "mix", "stop": {"rule": "decided", "look": 16}}, "16 is more than all 3"),
    ],
)
def test_keys_that_do_not_go_together_are_refused(changes: dict[str, Any], said: str) -> None:
    base: dict[str, Any] = {"entrants": entrants(*MANY), "lineups": ()}
    with pytest.raises((ValueError, ConfigError), match=said):
        small((VARIANT,), **base | changes)
