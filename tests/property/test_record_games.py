"""A whole game written into one file is read as the same deals, and what it says must follow."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.batch import Rules, play_games
from engine_ext.record import RecordError
from engine_ext.record_deal import records_of_game
from engine_ext.record_game import hold_game, write_game
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import Variant
from engine_ext.rules.toml_file import as_toml
from engine_ext.score import score_text
from engine_ext.seeds import run_key
from tests.property.generators import variants
from tests.property.test_records import Wild, game_of_rules

BASE = [name for name in variant_names() if name != "yardstick"]
HOUSE = {
    "barbu_52_doubling": """
[doubling]
undoubled = "split"
rounds = 2
duty_enforced = "penalty"
duty_penalty = -15
[contracts.domino]
passing = "limited"
passes = 2
stall = "freeze"
""",
    "king_ru_choice": '[schedule]\nuses_of = "table"\ndealership = 1\n',
    "barbu_king_br": '[contracts.domino]\nreplay = { cards = { ranks = ["A"] } }\n',
    "barbu_fr_reussite": '[contracts.queens]\nlead_ban = { cards = { ranks = ["Q"] } }\n',
}


def comes_back(rules: Rules, seed: int, name: str, folder: Path = Path()) -> None:
    records = list(game_of_rules(rules, seed, name))
    text = write_game(records)
    played = list(hold_game(text, folder=folder))
    assert [deal.record for deal in played] == records
    score = score_text(text, folder=folder)
    assert (score.problem, len(score.deals)) == (None, len(records))
    assert score.scores == tuple(a + b for a, b in zip(score.points, score.side, strict=True))


@settings(max_examples=8)
@given(st.sampled_from(BASE), st.integers(0, 2**64 - 1))
def test_a_whole_game_in_a_file_comes_back(name: str, seed: int) -> None:
    comes_back(Rules(load_variant(name)), seed, name)


@pytest.mark.parametrize("parent", sorted(HOUSE))
def test_a_game_by_house_rules_comes_back(parent: str, tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(f'extends = "{parent}"\n{HOUSE[parent]}', "utf-8")
    rules = Rules(load_variant(tmp_path / "house.toml"))
    comes_back(rules, 7, "house.toml", tmp_path)


def test_a_revoke_in_the_last_deal_comes_back(tmp_path: Path) -> None:
    """The last deal of the schedule is played again, which is no extra deal."""
    (tmp_path / "again.toml").write_text(
        'extends = "barbu_king_br_honour"\nlegality = { then = "replay_deal" }\n'
        '[schedule]\nsequence = ["tricks", "take_tricks"]\n',
        "utf-8",
    )
    rules = Rules(load_variant(tmp_path / "again.toml"))
    last = 0
    for seed in range(12):
        comes_back(rules, seed, "again.toml", tmp_path)
        places = [record.position for record in game_of_rules(rules, seed, "again.toml")]
        last += any(
            one.deal is not None and one.deal - one.replays == 2 and two.replays > one.replays
            for one, two in pairwise(places)
        )
    assert last > 0, "nobody revoked in the last deal"


@pytest.mark.slow
@settings(max_examples=200, derandomize=False)
@given(variants(), st.integers(0, 2**64 - 1))
def test_a_game_by_any_rules_comes_back(
    tmp_path_factory: pytest.TempPathFactory, variant: Variant, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("any")
    table = variant.model_dump(mode="json", exclude_none=True)
    (folder / "any.toml").write_text(as_toml(table), "utf-8")
    assert load_variant(folder / "any.toml") == variant
    comes_back(Rules(variant), seed, "any.toml", folder)


def test_the_file_has_the_engines_scores() -> None:
    rules = Rules(load_variant("barbu_52_doubling"))
    game = play_games(
        rules,
        [Wild() for _ in range(4)],
        key=run_key(3),
        blocks=np.array([5], np.uint64),
        seating=np.arange(4, dtype=np.uint8)[None, :],
        log=True,
    )
    records = records_of_game(
        rules, game, 0, key=run_key(3), block=5, variant_name="barbu_52_doubling"
    )
    assert score_text(write_game(list(records))).scores == tuple(map(int, game.score[0]))


@settings(max_examples=25)
@given(st.data())
def test_a_deal_that_contradicts_those_before_it_is_refused(data: st.DataObject) -> None:
    lines = GAME.splitlines()
    starts = [i for i, line in enumerate(lines) if line == "---"]
    start = data.draw(st.sampled_from(starts))
    said = data.draw(
        st.sampled_from(
            ["scores 1 2 3 4", "duty 0 9 0 9", "left P0: tricks", "deal 27", "variant barbu_king_br",
             'option contracts.trumps.void_duty = "free"']
        )
    )  # fmt: skip
    if said.startswith("deal"):
        del lines[start + 1]
    lines.insert(start + 1, said)
    with pytest.raises(RecordError, match=rf"line {start + 2}: {said.split()[0]}"):
        list(hold_game("\n".join(lines)))


def test_a_variant_that_no_file_can_be_called_is_refused() -> None:
    assert score_text("variant rules/a\0b.toml\n").problem == (
        "record, line 1: variant: a name must be printable"
    )


GAME = write_game(
    list(game_of_rules(Rules(load_variant("barbu_52_doubling")), 5, "barbu_52_doubling"))[:5]
)
