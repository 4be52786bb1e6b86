"""What the README tells works as it stands there."""

import re
from pathlib import Path

import numpy as np
import pytest

from engine_ext.batch import Rules, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.cli import app
from pipeline.config import load_run
from strategies import create

README = (Path(__file__).parents[2] / "README.md").read_text()


def block(language: str, having: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (text,) = [text for text in found if having in text]
    return str(text)


@pytest.fixture(scope="module")
def shy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The strategy in a file: one for all tests, since a name is registered once."""
    path = tmp_path_factory.mktemp("readme") / "shy.py"
    path.write_text(block("python", "class Shy"))
    return path


def test_the_strategy_is_fifteen_lines_and_plays_without_a_foul(shy: Path) -> None:
    assert len(shy.read_text().splitlines()) <= 15
    records = play_games(
        Rules(load_variant("barbu_52_doubling")),
        [create(f"{shy}:Shy"), create("random.v1")],
        key=run_key(7),
        blocks=np.arange(20, dtype=np.uint64),
        seating=np.tile(np.array([0, 1, 1, 1], np.uint8), (20, 1)),
    )
    assert not records.fouls.any()
    assert records.score[:, 0].mean() > records.score[:, 1:].mean()


def test_the_run_file_can_be_played(shy: Path) -> None:
    path = shy.with_name("shy.toml")
    path.write_text(block("toml", "gauntlet"))
    assert load_run(path).blocks == 200


def test_the_house_rule_loads(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(block("toml", "Thursdays"))
    king = load_variant(path).contracts["king"]
    assert king.total == -30


def test_the_table_of_commands_is_complete() -> None:
    told = set(re.findall(r"^\| `barbu (\w+)", README, re.MULTILINE))
    assert told == set(app.commands())


def test_every_file_it_points_to_exists() -> None:
    root = Path(__file__).parents[2]
    named = re.findall(r"`((?:configs|docs|pipeline|engine_ext)/[\w./]+)`", README)
    missing = [name for name in named if "NAME" not in name and not (root / name).exists()]
    assert missing == []
