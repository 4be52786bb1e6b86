"""A run file is read whole, or refused in one line that names file, key and value."""

import re
from pathlib import Path

import pytest

from engine_ext.errors import UserError
from pipeline.config import ConfigError, RunConfig
from pipeline.run_file import load_run, run_names

GOOD = """
title = "a run"
seed = 18446744073709551615
variants = ["barbu_king_br"]
blocks = 10
design = "gauntlet"
entrants = [{ strategy = "duck.v1" }, { strategy = "random.v1", name = "chance" }]
"""


LOW = """
class Low:
    def __repr__(self):
        return "low.v1"

    def play(self, view):
        return view.lowest()
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "run.toml"
    path.write_text(text)
    return path


def test_a_run_file_gives_rules_in_full_and_the_defaults(tmp_path: Path) -> None:
    config = load_run(write(tmp_path, GOOD))
    assert config.seed == 2**64 - 1
    assert [entrant.label for entrant in config.entrants] == ["duck.v1", "chance"]
    assert config.variants[0].rules.seats == 4
    assert (config.streams, config.foul) == ("common", "forfeit")
    assert config.record == ("games", "deals", "doubles")


def test_a_resolved_run_survives_json(tmp_path: Path) -> None:
    config = load_run(write(tmp_path, GOOD))
    assert RunConfig.model_validate_json(config.model_dump_json()) == config


def test_a_path_of_rules_counts_from_the_run_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('extends = "barbu_king_br"\ntitle = "mine"\n')
    (tmp_path / "runs").mkdir()
    text = GOOD.replace('"barbu_king_br"', '"../mine.toml"')
    config = load_run(write(tmp_path / "runs", text))
    assert config.variants[0].name == "mine"
    assert config.variants[0].rules.title == "mine"


def test_a_path_of_a_strategy_counts_from_the_run_file(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "low.py").write_text(LOW)
    config = load_run(write(tmp_path, GOOD.replace("duck.v1", "bots/low.py:Low")))
    assert config.entrants[0].strategy == f"{tmp_path / 'bots/low.py'}:Low"
    assert config.entrants[0].label == "bots/low.py:Low"


@pytest.mark.parametrize("name", run_names())
def test_every_shipped_run_can_be_read(name: str) -> None:
    assert load_run(name).title


def test_the_shipped_runs_play_what_they_promise() -> None:
    base = {"barbu_king_br", "king_ru_fixed14", "barbu_fr_reussite", "barbu_52_doubling"}
    smoke, demo = load_run("smoke"), load_run("demo")
    assert {v.name for v in smoke.variants} == {v.name for v in demo.variants} == base
    assert demo.blocks * sum(len(demo.lineups) * v.rules.seats for v in demo.variants) >= 100_000
    assert load_run("yardstick").blocks == 25_000


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("blocks = 10", "", "blocks: missing"),
        ("blocks = 10", "deels = 10", "deels: unknown key (want one of title, seed, blocks,"),
        ("blocks = 10", "blocks = 0", "blocks: input should be greater than or equal to 1, not 0"),
        ("blocks = 10", 'blocks = "ten"', "blocks: must be a whole number, not 'ten'"),
        ("blocks = 10", "blocks = true", "blocks: must be a whole number, not True"),
        ("18446744073709551615", "18446744073709551616", "seed: input should be less than"),
        ("18446744073709551615", "-1", "seed: input should be greater than or equal to 0, not -1"),
        (
            '"gauntlet"',
            '"swiss"',
            "design: input should be 'gauntlet', 'mix', 'table', 'round_robin', 'candidates', "
            "'full', 'lineups', 'value', 'seats' or 'doubling', not 'swiss'",
        ),
        ('"gauntlet"', '"lineups"', "lineups: design 'lineups' needs at least one line-up"),
        ('"gauntlet"', '"table"', "entrants: design 'table' needs as many as barbu_king_br has"),
        (', name = "chance"', ', nam = "x"', "entrants[1].nam: unknown key"),
        ('"chance"', '"duck.v1"', "entrants[1]: a second entrant is called 'duck.v1' (give it"),
        (', { strategy = "random.v1", name = "chance" }', "", "entrants: a gauntlet needs"),
        ("blocks = 10", 'blocks = 10\nlineups = [["chance"]]', "lineups: only for design"),
        (
            "blocks = 10",
            'blocks = 10\nrecord = ["games", "scores"]',
            "record: 'scores' cannot be chosen (want some of games, deals, doubles, plays)",
        ),
        ("blocks = 10", 'blocks = 10\nrecord = ["games", "games"]', "record: a table stands twice"),
        ("blocks = 10", 'blocks = 10\nclaim.equal = "1"', "claim.equal: must be a number, not '1'"),
        ("blocks = 10", "blocks = 10\nclaim.equal = true", "claim.equal: must be a number, not Tr"),
        (
            "blocks = 10",
            "blocks = 99\nstop.rule = 'width'\nstop.width = '1'",
            "stop.width: must be",
        ),
        (
            "blocks = 10",
            "blocks = 99\nstop.rule = 'decided'\nstop.alpha = 1e-17",
            "stop.alpha: input should be greater than or equal to 0.000000001, not 1e-17",
        ),
        (
            "blocks = 10",
            "blocks = 99\nstop.rule = 'sprt'\nstop.delta1 = 1e-200",
            "stop: delta1: 1e-200 is too near to delta0, 0.0 (want at least 1e-06 more)",
        ),
        (
            'design = "gauntlet"',
            'design = "candidates"\nfield = ["duck.v1"]\nclaim.against = "chance"',
            "claim.against: 'chance' is compared with itself",
        ),
        ('["barbu_king_br"]', '["barbu_king_br", "barbu_king_br"]', "variants[1]: 'barbu_king_br'"),
        ('["barbu_king_br"]', '["no/such.toml"]', "such.toml: no such file"),
        ("title = ", "title ", "not a TOML file"),
    ],
)
def test_a_mistake_is_one_line_with_file_and_key(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(ConfigError) as refused:
        load_run(path)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert said in message
    assert "\n" not in message


def test_a_line_up_must_name_entrants_and_fill_the_table(tmp_path: Path) -> None:
    for lineup, said in (
        ('["duck.v1", "chance", "chance", "nobody"]', "lineups[0]: 'nobody' is no entrant"),
        ('["duck.v1", "chance"]', "lineups[0]: 2 names, but barbu_king_br has 4 seats"),
    ):
        text = GOOD.replace('"gauntlet"', f'"lineups"\nlineups = [{lineup}]')
        with pytest.raises(ConfigError, match=re.escape(said)):
            load_run(write(tmp_path, text))


def test_an_unknown_variant_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no_such_rules"):
        load_run(write(tmp_path, GOOD.replace("barbu_king_br", "no_such_rules")))


def test_a_missing_run_file_names_the_shipped_ones(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"no such file \(shipped runs: demo, gate, league, race, slips"
    ):
        load_run(tmp_path / "none.toml")
    with pytest.raises(ConfigError, match="is a folder"):
        load_run(tmp_path)
