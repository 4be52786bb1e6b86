"""Counts to double by: found where they decide, never where nothing pays, tried on other deals."""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest

from engine_ext.batch import Rules, as_sets, deal_hands
from engine_ext.cards import Pack
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.stats.sets import Ints
from pipeline.studies.bet_chart import COUNTS, WORLDS, judged, ways_to_double
from pipeline.studies.bet_counts import Counts, Learner, learner
from pipeline.studies.dealt import held_at
from pipeline.studies.features import holdings
from pipeline.studies.study import Study, read_study
from reports.bet_counts import line, total
from reports.section import Answer
from reports.sections.betting_chart import BettingChart
from tests.betting_model import Model, rows
from tests.runs import entrants, paths, played, small
from tests.samples import one_in
from tests.study_frames import study, trial
from tests.unit.test_report_studies import reading

STEPS = 7
SEED = 5


class Truth(NamedTuple):
    """What a double pays: nothing but hearts tell it, a price for the first choice, luck."""

    hearts: int = 4
    base: int = -14
    first: int = 4
    clubs: int = 0
    """What an odd number of clubs brings and an even one costs: no count tells it."""
    luck: int = 2


@cache
def dealt(blocks: int) -> tuple[tuple[tuple[int, int, int], ...], Ints]:
    """Blocks, steps and roles, and the hands there."""
    places = [(b, s, w) for b in range(blocks) for s in range(STEPS) for w in (1, 2, 3)]
    bare = study([trial("chosen", 0, 0, [0] * 4, "hearts")], seed=SEED)
    frame = pl.DataFrame(places, schema=["block", "step", "who"], orient="row")
    return tuple(places), held_at(bare, frame)


@cache
def world(truth: Truth, blocks: int = 60) -> Study:
    """A study of two contracts; a double of Domino costs whatever one holds."""
    rng = np.random.default_rng(1)
    out: list[dict[str, Any]] = []

    def lucky(many: int, pays: int) -> int:
        return many * pays + int(rng.integers(-truth.luck, truth.luck + 1))

    places, hands = dealt(blocks)
    for (b, s, who), (clubs, _, hearts, _) in zip(places, hands.sum(axis=2).tolist(), strict=True):
        pays = truth.hearts * hearts + truth.base + truth.clubs * (1 if clubs % 2 else -1)
        contract, mean = ("domino", -5) if (b + s) % 4 == 0 else ("hearts", pays)
        if contract == "hearts" and s == 0:
            mean -= truth.first
        if who == 1:
            out.append(trial("chosen", b, s, [0] * 4, contract, n_left=STEPS - s))
            chosen = out[-1]
        chosen[f"points_{who}"] = mean
        for half in (0, 1):
            for kind, name, per in (
                ("hand", "hearts", pays),
                ("hand", "domino", -5),
                ("picked", contract, mean),
            ):
                points = [0] * 4
                points[who] = lucky(4, per)
                where = {"who": who, "half": half, "n": 4}
                out.append(trial(kind, b, s, points, name, **where, n_left=STEPS - s))
    return study(out, seed=SEED)


def learnt(of: Study) -> Learner:
    found = learner(of)
    assert found is not None
    return found


def rule(rules: list[Counts], contract: str) -> Counts:
    (one,) = [r for r in rules if r.contract == contract]
    return one


def test_the_one_count_that_decides_is_found_with_its_price() -> None:
    found = rule(learnt(world(Truth())).rules(), "hearts")
    assert found.weights == (("hearts", 1),)
    # 4 hearts - 14 > 0 from four hearts on, less 4 at the first choice from five.
    assert found.least == {"first": 5, "middle": 4, "late": 4}


def test_what_costs_with_every_hand_is_never_doubled() -> None:
    here = learnt(world(Truth()))
    found = rule(here.rules(), "domino")
    assert found.weights == ()
    assert set(found.least.values()) == {None}
    domino = np.array(here.found.contract) == "domino"
    assert not here.proof().doubled[domino].any()


def test_what_pays_with_every_hand_is_always_doubled() -> None:
    found = learnt(world(Truth(base=30)))
    hearts = rule(found.rules(), "hearts")
    lowest = found.lowest(hearts)
    assert all(n is not None and n <= lowest for n in hearts.least.values())
    of_hearts = np.array(found.found.contract) == "hearts"
    assert found.proof().doubled[of_hearts].all()


@pytest.mark.parametrize("key", one_in(3, [1, 2, 3]))
def test_where_all_is_luck_no_rule_is_sure(key: int) -> None:
    here = learnt(study(rows(Model(hand=0, luck=20, role=(0, 0, 0, 0)), 40, key=key)))
    assert here.doubled(here.bare()).sum() > 100
    assert {n for one in here.rules() for n in one.least.values()} == {None}
    assert not here.proof().doubled.any()


def test_a_rule_knows_nothing_of_the_blocks_that_it_is_tried_on() -> None:
    """In a fifth of the blocks every double costs more than it would have brought."""
    here = world(Truth())
    ours = pl.col("block") % 5 == 0
    worse = [
        pl.when(ours).then(-pl.col(f"points_{k}") - 40 * pl.col("n")).otherwise(f"points_{k}")
        for k in (1, 2, 3)
    ]
    names = [f"points_{k}" for k in (1, 2, 3)]
    worse = [one.alias(name) for one, name in zip(worse, names, strict=True)]
    there = here._replace(trials=here.trials.with_columns(worse))
    before, after = learnt(here), learnt(there)
    assert before.rules({0}) == after.rules({0})
    assert before.rules() != after.rules()
    at = before.fold == 0
    doubled = after.proof().doubled[at]
    assert doubled.any()
    assert (after.held_out()[at] == before.held_out()[at]).all()
    assert not after.held_out({0})[at].any()
    assert (doubled == before.proof().doubled[at]).all()
    # So in these blocks the rules of the others cost what they should have brought.
    assert after.pays[at][doubled].sum() < 0 < before.pays[at][doubled].sum()


def test_counts_are_no_better_than_worlds_without_luck() -> None:
    """Where half of the worlds tell exactly what a double pays, no rule gains more."""
    here = learnt(world(Truth(clubs=3, luck=0)))
    proof, found = here.proof(), here.found
    best = judged(found, [found.believed[h] > 0 for h in (0, 1)])[0]
    mine = judged(found, (proof.doubled, proof.doubled))[0]
    assert (mine <= best).all()
    assert proof.of_worlds is not None
    assert proof.of_worlds.high is not None
    assert 0.7 < proof.of_worlds.value < proof.of_worlds.high < 1
    gain = {p.name: p.gain.value for p in ways_to_double(found, proof.doubled)}
    assert proof.of_worlds.value == pytest.approx(gain[COUNTS] / gain[WORLDS])


def test_nothing_is_kept_of_what_is_not_sure_to_bring_anything() -> None:
    proof = learnt(study(rows(Model(hand=0, luck=20, role=(0, 0, 0, 0)), 40))).proof()
    assert proof.of_chart is None
    assert proof.of_worlds is None


def test_what_doubles_pay_is_told_for_all_cells_together() -> None:
    here = learnt(world(Truth()))
    pays = here.tried()
    assert {e.kind for e in pays.values()} == {"max_t"}
    e = pays["hearts", "middle"]
    assert e.low is not None
    assert e.se is not None
    assert e.value - e.low > 2.2 * e.se  # Student's t alone: 2.0


def test_few_blocks_teach_nothing() -> None:
    assert learner(world(Truth(), 19)) is None
    assert learner(world(Truth(), 20)) is not None


def test_the_order_of_rows_is_nothing() -> None:
    here = world(Truth(clubs=3), 25)
    one, other = learnt(here), learnt(here._replace(trials=here.trials[::-1]))
    assert one.rules() == other.rules()
    assert one.proof()[1:] == other.proof()[1:]
    assert one.tried() == other.tried()


@pytest.mark.parametrize(
    ("variant", "design"),
    [("barbu_52_doubling", "doubling"), ("barbu_app", "doubling"), ("barbu_3_leaver", "value")],
)
def test_hands_are_those_that_the_run_was_dealt(variant: str, design: str, tmp_path: Path) -> None:
    """Of one declarer or of all in turn."""
    config = small(
        (variant,), design=design, blocks=2, worlds=2, entrants=entrants("duck.v1"), lineups=()
    )
    there, _ = played(config, tmp_path / "run")
    one = read_study(config, variant, "duck.v1", paths(there, "units"), paths(there, "trials"))
    pack, places = Pack(load_variant(variant).deck), one.units.select("block", "step")
    roles = [held_at(one, places.with_columns(who=pl.lit(k))) for k in range(one.rules.seats)]
    assert (roles[0] == holdings(one.units["hand"].to_list(), pack)).all()
    together = np.sum(roles, axis=0)
    assert (together == together[0]).all()
    assert together[0].sum() == pack.size


def test_role_k_is_the_kth_seat_after_the_declarer() -> None:
    """Seat 0 declares every fourth deal here; where the table shares, all in turn."""
    for variant, deal, declarer in (("barbu_app", 8, 0), ("barbu_3_leaver", 2, 2)):
        rules = load_variant(variant)
        bare = study([trial("chosen", 0, 0, [0] * rules.seats, "any")], rules, seed=SEED)
        roles = list(range(rules.seats))
        every = pl.DataFrame({"block": [3] * len(roles), "step": [2] * len(roles), "who": roles})
        seats = as_sets(
            deal_hands(Rules(rules), key=run_key(SEED), blocks=np.array([3], np.uint64), deal=deal)[
                0
            ]
        )
        pack = Pack(rules.deck)
        texts = [pack.names(seats[(declarer + k) % rules.seats]) for k in roles]
        assert (held_at(bare, every) == holdings(texts, pack)).all()


def test_of_two_packs_both_copies_are_counted() -> None:
    rules = load_variant("barbu_king_br_6")
    bare = study([trial("forced", 0, 0, [0] * 6, "tricks")], rules)
    every = pl.DataFrame({"block": [3] * 6, "step": [1] * 6, "who": list(range(6))})
    held, pack = held_at(bare, every).sum(axis=0), Pack(rules.deck)
    lacks = {(name[1], name[0]) for name in rules.deck.remove}
    for i, suit in enumerate(pack.suits):
        for j, rank in enumerate(pack.ranks):
            assert held[i, j] == 2 - ((suit, rank) in lacks)


def frames(weights: dict[str, int], least: dict[str, int | None], lowest: int) -> Any:
    counts = pl.DataFrame(
        list(weights.items()), schema={"counted": pl.String, "times": pl.Int64}, orient="row"
    )
    of = [(stage, n, lowest) for stage, n in least.items()]
    names = {"stage": pl.String, "least": pl.Int64, "lowest": pl.Int64}
    return counts, pl.DataFrame(of, schema=names, orient="row")


def test_a_sum_that_is_mostly_taken_off_is_turned_for_people() -> None:
    one = line(*frames({"kings": -3, "hearts": 2}, {"first": None, "late": -8}, -12))
    assert total(one.weights) == "3 × kings \N{MINUS SIGN} 2 × hearts"
    assert [one.when(s) for s in ("first", "middle", "late")] == ["never", "", "at most 8"]


def test_a_rule_says_from_how_many_on() -> None:
    one = line(*frames({"K♥ in hand (1 or 0)": -16, "hearts": 1}, {"first": 5, "late": -16}, -16))
    assert total(one.weights) == "hearts \N{MINUS SIGN} 16 for K♥ in hand"
    assert [one.when(s) for s in ("first", "late")] == ["at least 5", "always"]


def answer(*studies: Study) -> Answer:
    section, run = BettingChart(), reading("doubling", *studies)
    return section.render(section.compute(run, "any"), studies[0].rules)


def test_the_rules_stand_first_and_are_told_in_short() -> None:
    said = answer(world(Truth()))
    (first,) = [one for one in said.listings if one.first]
    assert first.shown
    assert first.columns == (
        "contract",
        "double if",
        "his first choice",
        "in between",
        "of his last 2",
    )
    assert first.rows == (
        ("No hearts", "hearts", "at least 5", "at least 4", "at least 4"),
        ("Domino", "", "never", "never", "never"),
    )
    assert said.short == (
        "Never double the declarer in Domino. Double him in No hearts with many hearts. By the "
        "table: add up your own hand, and double if the sum is as it says for the moment at "
        "which he chose."
    )
    assert "the counts of the first table keep" in said.finding


def test_of_several_it_is_told_whose_it_is() -> None:
    said = answer(world(Truth(base=30)), world(Truth())._replace(entrant="bert"))
    assert said.short.startswith("Where everybody plays as anna: Never double")
    assert [one.caption.split(":")[0] for one in said.listings if one.first] == ["anna", "bert"]
    assert said.listings[0].rows[0][2:] == ("always",) * 3


def test_where_nothing_surely_pays_it_is_told_not_to_double() -> None:
    luck = study(rows(Model(hand=0, luck=20, role=(0, 0, 0, 0)), 40))
    assert answer(luck).short.startswith("Do not double the declarer")


def test_of_few_blocks_there_is_no_table_to_learn() -> None:
    said = answer(world(Truth(), 10))
    assert not said.short
    assert not [one for one in said.listings if one.first]
    assert all(one.rows for one in said.listings)
