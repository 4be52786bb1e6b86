"""What the README tells works as it stands there."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from engine_ext.batch import Rules, View, play_games
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from pipeline.cli import app
from pipeline.figures import claimed
from pipeline.run_file import load_run
from pipeline.tuning.space import Space
from pipeline.tuning.tuning_file import load_tuning
from reports.sections import DESIGNS, SECTIONS, SECTIONS_OF
from strategies import create, registry

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def block(language: str, having: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    (text,) = [text for text in found if having in text]
    return str(text)


@pytest.fixture(scope="module")
def shy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The strategy in a file: one for all tests, since a name is registered once.

    A reader may have made it a strategy of this house: its name is free here, and
    theirs again afterwards.
    """
    path = tmp_path_factory.mktemp("readme") / "shy.py"
    path.write_text(block("python", "class Shy"))
    registry.names()
    with pytest.MonkeyPatch.context() as patch:
        others = {name: maker for name, maker in registry._MAKERS.items() if name != "shy.v1"}
        patch.setattr(registry, "_MAKERS", others)
        yield path


def test_the_strategy_is_twenty_lines_and_plays_without_a_foul(shy: Path) -> None:
    assert len(shy.read_text().splitlines()) <= 20
    records = play_games(
        Rules(load_variant("barbu_52_doubling")),
        [create(f"{shy}:Shy"), create("random.v1")],
        key=run_key(7),
        blocks=np.arange(20, dtype=np.uint64),
        seating=np.tile(np.array([0, 1, 1, 1], np.uint8), (20, 1)),
    )
    assert not records.fouls.any()
    assert records.score[:, 0].mean() > records.score[:, 1:].mean()


def test_the_strategy_passes_the_lint_and_types_of_this_house(tmp_path: Path) -> None:
    path = tmp_path / "shy.py"
    path.write_text(block("python", "class Shy"))
    checked = [sys.executable, "-m", "ruff", "check", "--no-cache", "--config"]
    lint = [*checked, str(ROOT / "pyproject.toml"), str(path)]
    types = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(path)]
    for command in (lint, types):
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_tuning_file_can_be_used(tmp_path: Path) -> None:
    path = tmp_path / "queens.toml"
    path.write_text(block("toml", "Queens feel cheap"))
    space = Space(load_tuning(str(path)))
    dear = space.nearest((0, *space.parent[1:]))
    assert dear is not None
    assert dear[0] < space.parent[0], "dearer queens are paid for by the others"


def test_sections_have_the_names_of_the_page() -> None:
    told = re.findall(r"^- \*\*(.+?)\*\*:", README, re.MULTILINE)
    assert told == [section.title for section in SECTIONS]
    page = (ROOT / "docs/reports.md").read_text()
    rows = re.findall(r"^\| ([A-Z][^|]+) \| [^|]+ \| `sections/", page, re.MULTILINE)
    studies = [section.title for design in DESIGNS for section in SECTIONS_OF[design]]
    assert rows == [*told, *studies]


def test_the_page_on_strategies_names_everything_a_view_offers() -> None:
    page = (ROOT / "docs/strategies.md").read_text()
    offered = {name for name in dir(View) if not name.startswith("_")}
    missing = {name for name in offered if not re.search(rf"`{name}(\(\))?`", page)}
    assert offered
    assert missing == set()


def test_the_run_file_can_be_played(shy: Path) -> None:
    path = shy.with_name("shy.toml")
    text = block("toml", "better than chance")
    path.write_text(text)
    assert load_run(path).blocks == 200
    # "With these lines in place of ...", says the section on tournaments.
    kept = [line for line in text.splitlines() if line.split()[0] in ("title", "seed", "variants")]
    path.write_text("\n".join(kept) + "\n" + block("toml", "claim"))
    config = load_run(path)
    assert config.stop is not None
    assert claimed(config) == (0, 1)


def test_the_tournament_of_the_page_on_tournaments_is_not_refused(tmp_path: Path) -> None:
    page = (ROOT / "docs/tournaments.md").read_text()
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    path = tmp_path / "run.toml"
    path.write_text(text)
    assert app.main(["plan", str(path)]) == 0


def test_the_house_rule_loads(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(block("toml", "Thursdays"))
    king = load_variant(path).contracts["king"]
    assert king.total == -30


def test_the_table_of_commands_is_complete() -> None:
    told = set(re.findall(r"^\| `barbu (\w+)", README, re.MULTILINE))
    assert told == set(app.commands())


def test_every_file_it_points_to_exists() -> None:
    named = re.findall(r"[`(]((?:configs|docs|pipeline|engine_ext)/[\w./]+)[`)]", README)
    missing = [name for name in named if "NAME" not in name and not (ROOT / name).exists()]
    assert missing == []
