"""A tuning file is read whole, or refused in one line that names file, key and value."""

import re
import tomllib
from pathlib import Path

import pytest

from engine_ext.rules.house import differences
from engine_ext.rules.load import load_variant
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Frozen
from engine_ext.rules.toml_file import as_toml
from pipeline.cli import main
from pipeline.tuning.emit import variant_file
from pipeline.tuning.file import (
    Amount,
    Fresh,
    Hold,
    Knob,
    Players,
    Search,
    Sensitivity,
    Tuning,
    TuningError,
    TuningFile,
    Wanted,
)
from pipeline.tuning.space import Space
from pipeline.tuning.tuning_file import load_tuning, tuning_names

GOOD = """
title = "Queens feel cheap"
base = "barbu_52_doubling"
name = "club"
seed = 1
knobs = [
    { key = "contracts.queens.terms[0].points", low = -12, high = -4 },
    { key = "contracts.trumps.terms[0].points", low = 4, high = 8 },
]
objectives = [{ name = "tie_rate" }]
"""
LOW = """
class Low:
    def __repr__(self):
        return "low.v1"

    def play(self, view):
        return view.lowest()
"""
TRUMPS = '{ key = "contracts.trumps.terms[0].points", low = 4, high = 8 },'
QUEENS = '{ key = "contracts.queens.terms[0].points", low = -12, high = -4 },'


def tuned(folder: Path, text: str) -> Tuning:
    path = folder / "club.toml"
    path.write_text(text, "utf-8")
    return load_tuning(path)


def test_a_tuning_has_its_parent_and_paths_count_from_it(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text('extends = "barbu_52_doubling"\ntitle = "Ours"\n', "utf-8")
    (tmp_path / "low.py").write_text(LOW)
    text = GOOD.replace('"barbu_52_doubling"', '"ours.toml"')
    tuning = tuned(tmp_path, text + 'players = { full = "low.py:Low" }\n')
    assert (tuning.parent_name, tuning.parent.title) == ("ours", "Ours")
    assert tuning.file.players.full == f"{tmp_path / 'low.py'}:Low"
    assert tuning.where == str(tmp_path / "club.toml")


@pytest.mark.parametrize("name", tuning_names())
def test_every_shipped_tuning_can_be_read_and_moves_something(name: str) -> None:
    space = Space(load_tuning(name))
    for knob in range(space.n_knobs):
        assert space.sizes[knob] > 1
        assert space.title(knob)
    far = space.nearest(tuple(size - 1 for size in space.sizes))
    assert far is not None
    assert far != space.parent


def test_reussite_is_made_to_add_up_to_nothing_in_fives() -> None:
    space = Space(load_tuning("reussite_zero_sum"))
    assert space.why_not(space.parent) == "game: -480 comes out, and must be 0"
    nearest = space.nearest(space.parent)
    assert nearest is not None
    assert space.why_not(nearest) is None
    assert all(isinstance(value, int) and value % 5 == 0 for value in space.values(nearest))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed = 1", "sed = 1", "sed: unknown key (want one of title, base"),
        ("seed = 1", "seed = -1", "seed: input should be greater than or equal to 0, not -1"),
        ('"barbu_52_doubling"', '"barbu_52"', 'base: barbu_52: no variant of this name (did you'),
        ('"barbu_52_doubling"', '"../no.toml"', "no.toml: no such file or directory"),
        ('name = "club"', 'name = "Our Club"', "name: string should match pattern"),
        ('name = "club"', 'name = "hearts"', "name: hearts is a variant already"),
        ('"tie_rate"', '"tie_rat"', 'objectives[0].name: no objective is called "tie_rat" (did you'),
        ('{ name = "tie_rate" }', '{ name = "tie_rate" }, { name = "tie_rate" }',
         "objectives[1].name: tie_rate stands twice"),
        ('{ name = "tie_rate" }', '{ name = "tie_rate", aim = "most" }',
         'objectives[0].aim: must be "less", "more" or a number up to 1e9, not "most"'),
        ('"tie_rate"', '"tie_rate", aim = nan', "or a number up to 1e9, not NaN"),
        ('"tie_rate"', '"tie_rate", weight = 1e308', "weight: input should be less than or equal to"),
        ('"tie_rate"', '"tie_rate", step = 1e-308', "step: input should be greater than or equal"),
        ('"tie_rate"', '"tie_rate", step = "1"', "step: must be a number, not '1'"),
        ("low = -12", "low = 12", "knobs[0]: high: -4 is below low, 12"),
        (", high = -4", "", "knobs[0]: high: missing (want low and high, or values)"),
        ("low = -12", "values = [1], low = -12", "knobs[0]: low: stands beside values"),
        ("low = -12", "low = -12.5", "knobs[0].low: must be a whole number, not -12.5"),
        ("low = -12", "low = -200_000", "low: input should be greater than or equal to -100000"),
        ("high = -4", f"high = {10**30}", "high: input should be less than or equal to 100000"),
        ("low = -12", "low = -20_000", "step: 19997 numbers from -20000 to -4 by 1 (want 1000 at"),
        (QUEENS, '{ key = "contracts.queens.term", values = [1] },',
         'knobs[0].key: contracts.queens.term: contracts.queens has no key "term" (did you mean'),
        ("contracts.queens.terms[0].points", "contracts.queens.price",
         'knobs[0].key: contracts.queens.price: contracts.queens has no key "price" (there are'),
        (QUEENS, '{ key = 3, values = [1] },', "knobs[0].key: must be a key or a list of keys"),
        (QUEENS, '{ key = ["a b\\n"], values = [1] },', "knobs[0].key: must be printable and on one"),
        (QUEENS, '{ key = "contracts.queens", low = 1, high = 2 },', '"tone"..., no number (want values'),
        (QUEENS, '{ key = ["contracts.king", "contracts.king.face_up"], values = [1] },',
         "knobs[0].values[0]: contracts.king.face_up: lies in contracts.king, which is set too"),
        (QUEENS, '{ key = "contracts.queens.tone", low = 1, high = 2 },',
         'low: contracts.queens.tone is "negative", no number (want values'),
        (QUEENS, '{ key = "contracts.trumps.void_duty", values = ["must"] },',
         'knobs[0].values[0]: contracts.trumps.void_duty: must be "free", "must_ruff"'),
        (QUEENS, '{ key = "contracts.trumps.void_duty", values = ["free", "free"] },',
         'knobs[0].values[1]: "free" stands twice'),
        (QUEENS, '{ key = "schedule.uses.domino", low = 1, high = 2 },',
         "knobs[0].low to high: with 2: schedule.dealership: 7 deals in a row do not divide"),
        (QUEENS, '{ key = ["schedule.uses.domino", "schedule.dealership"], values = [[2]] },',
         "knobs[0].values[0]: 1 entries for 2 keys"),
        (QUEENS, f'{QUEENS} {QUEENS}', "knobs[1].key: contracts.queens.terms[0].points is set by"),
        (QUEENS, f'{QUEENS} {{ key = "contracts.queens", values = ["none"] }},',
         "knobs[1].values[0]: schedule.uses.queens: no contract is called"),
        (QUEENS, f'{QUEENS} {{ key = "contracts.queens.terms", values = [[]] }},',
         "knobs[1].values[0]: contracts.queens: nothing scores"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_in_one_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(TuningError) as caught:
        tuned(tmp_path, GOOD.replace(old, new))
    line = str(caught.value)
    assert line.startswith(f"{tmp_path}/club.toml: ")
    assert said in line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("hold.totals.declarers = 0", 'hold.totals: no total is called "declarers" (did you mean'),
        ("hold.totals.declarer = 1.5", "hold.totals.declarer: must be a whole number, not 1.5"),
        ("hold = { zero_sum = true, totals = { game = 4 } }", "hold.totals.game: 4, but hold.zero_sum"),
        ("hold = { zero_sum = 1 }", "hold.zero_sum: must be true or false, not 1"),
        ("hold = { multiple_of = 100 }", "knobs[0].high: no multiple of 100 lies from -12 to -4"),
        ("hold = { totals = { declarer = 1000 }, most_changes = 2 }",
         "hold: totals.declarer = 1000 cannot be had within the bounds of the knobs"),
        ('hold = { totals = { declarer = 1, "contracts.queens" = -44 }, multiple_of = 1 }',
         "hold: totals.declarer = 1 and totals.contracts.queens = -44 cannot be had together"),
        ("hold = { totals = { declarer = 9, game = 36 }, most_changes = 1 }",
         "hold: totals.declarer = 9 and most_changes = 1 cannot be had together"),
        ('players = { full = "duk.v1" }', "players.full: unknown strategy 'duk.v1'"),
        ('players.restricted = { blind = "x" }', "players.restricted.blind: unknown strategy 'x'"),
        ("sensitivity = { sobol = 12 }", "sensitivity.sobol: 12 is no power of two (want 16)"),
    ],
)  # fmt: skip
def test_what_cannot_be_held_or_played_is_told(more: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TuningError) as caught:
        tuned(tmp_path, f"{GOOD}{more}\n")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(TuningError, match=r"no such file \(shipped tunings: cheap_queens, "):
        load_tuning(tmp_path / "none.toml")
    with pytest.raises(TuningError, match=r"is a folder \(want a tuning file\)"):
        load_tuning(tmp_path)
    with pytest.raises(TuningError, match="not a TOML file"):
        tuned(tmp_path, "knobs = [")


def test_points_go_by_the_multiple_wanted_and_keep_what_the_parent_has(tmp_path: Path) -> None:
    text = GOOD.replace(QUEENS, f'{QUEENS} {{ key = "doubling.duty", low = 0, high = 3 }},')
    space = Space(tuned(tmp_path, f"{text}hold.multiple_of = 4\n"))
    assert space.settings(0) == (-12, -8, -6, -4)
    assert space.settings(1) == (0, 1, 2, 3)
    assert space.settings(2) == (4, 5, 8)
    assert space.values(space.parent) == (-6, 2, 5)
    assert space.n_points == 4 * 4 * 3
    assert space.rules(space.parent) is space.tuning.parent
    assert space.changes((0, 1, 1)) == 2


def test_a_shot_adds_up_to_nothing_as_well(tmp_path: Path) -> None:
    queen, taker = (
        f'{{ key = "contracts.hearts.{key}", low = -80, high = 80 }},'
        for key in ("terms[1].points", "shooting.taker")
    )
    text = GOOD.replace("barbu_52_doubling", "hearts_moon").replace(QUEENS, queen)
    text = text.replace(TRUMPS, taker)
    space = Space(tuned(tmp_path, f"{text}hold.zero_sum = true\n"))
    # Thirteen hearts of a point each, and 26 for three seats where somebody shoots.
    here = space.settings(0).index(-13), space.parent[1]
    assert space.why_not(here) == "what shooting changes in hearts: 78 comes out, and must be 0"
    nearest = space.nearest(here)
    assert nearest is not None
    assert space.values(nearest) == (-13, -78)


def test_knobs_are_called_as_at_the_table(tmp_path: Path) -> None:
    more = (
        '{ key = "schedule.uses.tricks", values = [1] },'
        '{ key = ["contracts.domino.payout[0]", "contracts.domino.payout[1]"], values = [[50, 15]] },'
        '{ key = "contracts.hearts.lead_ban", values = ["none"], title = "Hearts led" },'
    )
    space = Space(tuned(tmp_path, GOOD.replace(QUEENS, QUEENS + more)))
    assert [space.title(k) for k in range(space.n_knobs)] == [
        "No queens: each queen",
        "No tricks: times for each declarer",
        "Domino: first place and Domino: second place",
        "Hearts led",
        "Trumps: each trick",
    ]
    assert space.keys(2) == ("contracts.domino.payout[0]", "contracts.domino.payout[1]")


def test_an_option_stays_where_points_can_mend_it(tmp_path: Path) -> None:
    option = '{ key = "contracts.hearts.lead_ban", values = ["none"] },'
    payout = '{ key = "contracts.domino.payout", values = [[50, 15, 5, -5], [60, 20, 5, -5]] },'
    text = GOOD.replace(QUEENS, QUEENS + option + payout)
    space = Space(tuned(tmp_path, f"{text}hold.totals.declarer = 15\n"))
    # Dearer trumps or cheaper queens would do; so would a payout, which is an option.
    start = (6, 1, 1, 1)
    found = space.nearest(start)
    assert found is not None
    assert found[1:3] == start[1:3]
    assert space.nearest(start, frozenset({0, 3})) == (6, 1, 2, 1)


def test_the_file_of_the_winner_is_a_house_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own").mkdir()
    ours = tmp_path / "ours.toml"
    ours.write_text('extends = "barbu_52_doubling"\ntitle = "Ours"\n', "utf-8")
    option = '{ key = "doubling", values = ["none"] },'
    text = GOOD.replace('"barbu_52_doubling"', '"ours.toml"').replace(QUEENS, QUEENS + option)
    tuning = tuned(tmp_path, text)
    space = Space(tuning)
    point = (2, 1, 1)
    written = tmp_path / "own" / "club.toml"
    written.write_text(
        variant_file(tuning, space.rules(point), folder=written.parent, notes=["0.1 ± 0.02"]),
        "utf-8",
    )
    assert written.read_text("utf-8").splitlines() == [
        "# Ours, tuned: made by the tuning club.toml.",
        "# 0.1 ± 0.02",
        'extends = "../ours.toml"',
        'title = "Ours, tuned"',
        'doubling = "none"',
        "",
        "[contracts.queens]",
        "total = -40",
        'terms = [{ per = "card", of = { ranks = ["Q"] }, points = -10, name = "queens" }]',
    ]
    assert load_variant(written) == space.rules(point)
    assert main(["rules", "check", str(written), "--json"]) == 0
    assert '"ok": true' in capsys.readouterr().out
    assert [line.partition(":")[0].partition(" = ")[0] for line in differences(
        load_variant(written), tuning.parent)] == [
        "contracts.queens.total", "contracts.queens.terms[0].points", "doubling",
    ]  # fmt: skip
    (tmp_path / "own" / "far.toml").write_text(variant_file(tuning, space.rules(point)), "utf-8")
    assert load_variant(tmp_path / "own" / "far.toml") == space.rules(point)


def test_a_list_too_long_for_a_line_stands_entry_by_entry() -> None:
    terms = [
        {"per": "trick_at", "tricks": [-i], "points": -10, "name": f"last_{i}"} for i in (1, 2)
    ]
    table = {"terms": terms, "payout": [1, 2]}
    text = as_toml(table, 100)
    assert max(map(len, text.splitlines())) <= 100
    assert tomllib.loads(text) == table
    assert text.endswith("]\npayout = [1, 2]\n")


PAGE = (Path(__file__).parents[2] / "docs" / "tuning_files.md").read_text("utf-8")


def test_the_page_tells_every_key_and_its_file_can_be_used(tmp_path: Path) -> None:
    whole, knob, little = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    space = Space(tuned(tmp_path, whole))
    assert space.n_knobs == 3
    uses = tuned(tmp_path, f"{whole}\n{knob}")
    assert Space(uses).title(3) == "Domino once or twice"
    assert tuned(tmp_path, f"{little}\n{whole}").file.amount.games == 50
    said = set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)?)`", PAGE))
    tables: dict[str, type[Frozen]] = {
        "knobs": Knob,
        "hold": Hold,
        "objectives": Wanted,
        "players": Players,
    }
    for table in tables.values():
        assert set(table.model_fields) <= said
    dotted: dict[str, type[Frozen]] = {
        "amount": Amount,
        "sensitivity": Sensitivity,
        "search": Search,
        "fresh": Fresh,
    }
    for name, model in dotted.items():
        assert {f"{name}.{key}" for key in model.model_fields} <= said
    assert set(TuningFile.model_fields) - set(tables) - set(dotted) <= said


def test_a_contract_that_nobody_may_choose_is_taken_away_in_the_file(tmp_path: Path) -> None:
    tuning = tuned(tmp_path, GOOD)
    rules = revised(tuning.parent, {"schedule.uses.domino": 0, "schedule.dealership": 6})
    written = tmp_path / "six.toml"
    written.write_text(variant_file(tuning, rules), "utf-8")
    assert load_variant(written).schedule == rules.schedule
