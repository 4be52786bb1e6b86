"""docs/house_rules.md: every recipe on it can be copied and played."""

import re
from pathlib import Path

import pytest

from engine_ext.rules.keys import in_words, parts
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import LayoutContract, TrickContract
from pipeline.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "house_rules.md").read_text("utf-8")
FILES = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
RECIPES = re.findall(r"^\| [^|]+ \| `(.+)` \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("text", FILES)
def test_every_file_can_be_played_whole(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "house.toml"
    path.write_text(text, "utf-8")
    assert main(["rules", "check", str(path)]) == 0
    assert "no deal of the game" not in capsys.readouterr().out


@pytest.mark.parametrize("line", RECIPES)
def test_every_recipe_changes_something(line: str, tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(f'extends = "barbu_52_doubling"\ntitle = "Ours"\n{line}\n', "utf-8")
    parent = load_variant("barbu_52_doubling")
    ours = load_variant(path).model_copy(
        update={"title": parent.title, "source": parent.source, "readings": parent.readings}
    )
    assert ours != parent


def test_there_are_recipes() -> None:
    assert len(FILES) == 4
    assert len(RECIPES) >= 10


def test_keys_tells_every_key_of_both_kinds_of_contract() -> None:
    told = {(part.places, part.tag): {key.name for key in part.keys} for part in parts()}
    for tag, model in (("trick", TrickContract), ("layout", LayoutContract)):
        fields = set(model.model_fields) - {"kind"}
        assert told[("contracts.NAME",), f'kind = "{tag}"'] == fields
    assert told[("contracts.NAME.lead_ban",), ""] == {"cards", "until", "broken_by", "trick"}


def test_keys_fit_eighty_columns_and_say_values_and_what_holds_else() -> None:
    text = in_words()
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    assert 'passing = "must_play" or "may_pass" or "limited". Whether' in flat
    assert 'until = "nothing_else" or "broken" or "trick" (left out: "nothing_else"). What' in flat
    assert "contracts = a table of NAME = a table. " in flat
    assert "payout = a list of numbers. " in flat


def test_keys_with_a_word_tells_only_those(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "keys", "until"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("contracts.NAME.lead_ban\n")
    assert "broken_by = " not in said
    assert main(["rules", "keys", "untl"]) == 2
    assert capsys.readouterr().err == (
        "error: untl: no key has this in its name (barbu rules keys tells all)\n"
    )
