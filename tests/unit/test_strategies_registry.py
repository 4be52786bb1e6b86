"""Strategies are found by name, by module or in a file, and mistakes are told in a line."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import strategies
from engine_ext.errors import UserError
from strategies import registry
from strategies.about import info
from strategies.registry import StrategyError, create, names, register


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Registrations of a test end with it."""
    names()
    monkeypatch.setattr(registry, "_MAKERS", dict(registry._MAKERS))
    monkeypatch.setattr(registry, "_FILES", {})


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(text, "utf-8")
    return path


SHORT = """
from strategies import register

@register("short.v1")
class Short:
    \"\"\"Plays its highest card.\"\"\"

    def play(self, view):
        return view.highest()
"""


def refused(spec: str) -> str:
    with pytest.raises(StrategyError) as caught:
        create(spec)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_shipped_strategies_are_known_by_name() -> None:
    assert {"random.v1", "duck.v1", "lowest.v1", "cautious.v1"} <= set(names())
    assert names() == sorted(names())
    assert repr(strategies.create("duck.v1")) == "duck.v1"


def test_every_call_makes_a_new_strategy() -> None:
    assert create("lowest.v1") is not create("lowest.v1")


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    message = refused("ducks.v1")
    assert "'ducks.v1'" in message
    assert "duck.v1" in message
    assert "random.v1" in message
    assert issubclass(StrategyError, UserError)


@pytest.mark.parametrize("name", ["mine", "mine.v0", "Mine.v1", "mine.v1.2", "1st.v1", "a b.v1"])
def test_a_name_without_a_version_is_refused(name: str) -> None:
    with pytest.raises(StrategyError, match=r"want e\.g\. 'duck\.v1'"):
        register(name)


def test_a_name_is_given_once() -> None:
    class Other:
        def play(self, view: object) -> int:
            return 0

    with pytest.raises(StrategyError, match=r"duck\.v1: registered twice"):
        register("duck.v1")(Other)


def test_registering_gives_a_class_its_name() -> None:
    @register("shown.v3")
    class Shown:
        """Shows itself."""

        def play(self, view: object) -> int:
            return 0

    assert repr(create("shown.v3")) == "shown.v3"
    assert info("shown.v3").answers == ("play",)
    assert "shown.v3" in names()


def test_a_class_that_calls_itself_otherwise_is_refused() -> None:
    @register("honest.v1")
    class Liar:
        def play(self, view: object) -> int:
            return 0

        def __repr__(self) -> str:
            return "duck.v1"

    assert "its repr is 'duck.v1', want 'honest.v1'" in refused("honest.v1")


def test_a_class_is_found_in_a_module() -> None:
    assert repr(create("strategies.lowest:Lowest")) == "lowest.v1"
    assert repr(create("strategies.duck:Duck")) == "duck.v1"


def test_a_class_is_found_in_a_file_however_often(tmp_path: Path) -> None:
    path = write(tmp_path, SHORT)
    assert repr(create(f"{path}:Short")) == "short.v1"
    assert repr(create(f"{path}:Short")) == "short.v1"
    assert info(f"{path}:Short").about == "Plays its highest card."
    assert repr(create("short.v1")) == "short.v1"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("nowhere.at_all:Duck", "No module named 'nowhere'"),
        ("strategies.lowest:Highest", "strategies.lowest has no 'Highest'"),
        ("strategies.lowest:register", "register is no class"),
        ("pathlib:Path", "answers no question"),
        ("no/such/file.py:Mine", "there is no file no/such/file.py"),
        ("strategies.lowest:", "unknown strategy"),
        (":Lowest", "unknown strategy"),
        ("", "unknown strategy"),
    ],
)
def test_what_cannot_be_had_is_told_in_a_line(spec: str, why: str) -> None:
    assert why in refused(spec)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("class Mine(:\n", "SyntaxError"),
        ("import nowhere_at_all\n", "No module named 'nowhere_at_all'"),
        ("class Mine:\n    wants = missing\n", "name 'missing' is not defined"),
        ("class Other:\n    pass\n", "has no 'Mine'"),
        ("class Mine:\n    pass\n", "Mine answers no question"),
        ("class Mine:\n    play = 5\n", "Mine answers no question"),
        ("class Mine:\n    def play(self, view): return 0\n", "want a name like 'mine.v1'"),
        (
            "class Mine:\n    def __init__(self, x): pass\n    def play(self, view): return 0\n",
            "not made without arguments",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told_in_a_line(tmp_path: Path, text: str, why: str) -> None:
    path = write(tmp_path, text)
    message = refused(f"{path}:Mine")
    assert why in message
    assert str(path) in message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\nclass Mine(:\n", "line 2: SyntaxError: invalid syntax"),
        ("x = {}\ny = x['there']\n", "line 2: KeyError: 'there'"),
        ("import json\n\njson.loads('{')\n", "line 3: JSONDecodeError: Expecting property name"),
        ("def f(n): return f(n)\nf(1)\n", "line 1: RecursionError: maximum recursion depth"),
        ("class Odd(Exception):\n    def __str__(self): return 1 / 0\nraise Odd\n", "line 3: Odd"),
        ("raise SystemExit(3)\n", "line 1: SystemExit: 3"),
        ("raise ValueError('one\\ntwo')\n", "line 1: ValueError: one"),
        (
            "class Mine:\n    def __init__(self):\n        self.x = 1 / 0\n"
            "    def play(self, view): return 0\n",
            "line 3: ZeroDivisionError: division by zero",
        ),
    ],
)
def test_a_mistake_is_told_with_file_and_line(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path, text)
    assert f"{path}, {told}" in refused(f"{path}:Mine")


def test_ctrl_c_while_a_file_is_imported_stays_the_users(tmp_path: Path) -> None:
    path = write(tmp_path, "raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        create(f"{path}:Mine")


@pytest.mark.parametrize("tail", ["", ":"])
def test_a_file_without_a_class_is_answered_with_its_classes(tmp_path: Path, tail: str) -> None:
    path = write(tmp_path, SHORT + "class Other: pass\n")
    spec = f"{path}{tail}"
    hint = 'add ":ClassName" (classes found in the file: Short, Other)'
    assert refused(spec) == f"strategy {spec!r}: {hint}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n", 'add ":ClassName" (classes found in the file: none)'),
        ("x =\n", "mine.py, line 1: SyntaxError: invalid syntax"),
    ],
)
def test_a_file_without_any_class_is_told_too(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(str(write(tmp_path, text)))
    assert "there is no file" in refused(str(tmp_path / "gone.py"))


def test_a_class_that_a_file_lacks_is_answered_with_those_it_has(tmp_path: Path) -> None:
    path = write(tmp_path, SHORT)
    assert refused(f"{path}:Shot").endswith("has no 'Shot' (classes found in the file: Short)")


def test_a_file_imported_as_a_module_too_is_no_second_registration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, SHORT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    assert repr(create(f"{path}:Short")) == "short.v1"
    assert repr(create("mine:Short")) == "short.v1"
    monkeypatch.delitem(sys.modules, "mine")


def test_a_copy_of_a_file_is_told_with_both_files(tmp_path: Path) -> None:
    path, copy = write(tmp_path, SHORT), tmp_path / "copy.py"
    copy.write_text(SHORT, "utf-8")
    create(f"{path}:Short")
    message = refused(f"{copy}:Short")
    assert f"short.v1: registered twice, by Short of {path} and Short of {copy}" in message
    assert "StrategyError" not in message


def test_two_classes_of_a_file_do_not_share_a_name(tmp_path: Path) -> None:
    path = write(tmp_path, SHORT + SHORT.replace("class Short", "class Long"))
    message = refused(f"{path}:Short")
    assert f"registered twice, by Short of {path} and Long of {path}" in message


def test_a_file_that_failed_can_be_mended_and_tried_again(tmp_path: Path) -> None:
    path = write(tmp_path, SHORT + "1 / 0\n")
    path = path.rename(tmp_path / "unfinished.py")
    assert "ZeroDivisionError" in refused(f"{path}:Short")
    assert "ZeroDivisionError" in refused(f"{path}:Short")
    assert not [name for name in sys.modules if name.endswith("_unfinished")]
    path.write_text(SHORT + "# mended, and of another length\n", "utf-8")
    assert repr(create(f"{path}:Short")) == "short.v1"


def test_a_file_may_have_dataclasses(tmp_path: Path) -> None:
    head = "from __future__ import annotations\nfrom dataclasses import dataclass\n"
    record = "@dataclass\nclass Note:\n    card: int = 0\n"
    path = write(tmp_path, head + SHORT + record)
    assert repr(create(f"{path}:Short")) == "short.v1"


def test_a_class_that_does_not_say_whether_it_draws_may(tmp_path: Path) -> None:
    assert info(f"{write(tmp_path, SHORT)}:Short").draws is None
    assert info("lowest.v1").draws is False


def test_another_package_offers_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {
        "lowest.v1": EntryPoint("lowest.v1", "nowhere:Nothing", registry.GROUP),
        "theirs.v2": EntryPoint("theirs.v2", "tests.unit.duck_model:DuckModel", registry.GROUP),
        "gone.v1": EntryPoint("gone.v1", "nowhere:Nothing", registry.GROUP),
        "unversioned": EntryPoint("unversioned", "tests.unit.duck_model:DuckModel", registry.GROUP),
    }
    monkeypatch.setattr(registry, "_offered", lambda: offered)
    assert "theirs.v2" in names()
    assert repr(create("lowest.v1")) == "lowest.v1"
    assert "want 'theirs.v2'" in refused("theirs.v2")  # found, but shown as duck_model.v1
    assert "No module named 'nowhere'" in refused("gone.v1")
    assert "no version" in refused("unversioned")


def test_what_is_known_before_it_plays() -> None:
    duck, lowest, random = info("duck.v1"), info("lowest.v1"), info("random.v1")
    assert duck.compiled
    assert duck.releases_gil
    assert not duck.draws
    assert len(duck.answers) == 5
    assert "Doubles" in duck.text
    assert random.draws
    assert not lowest.compiled
    assert not lowest.releases_gil
    assert lowest.answers == ("play", "lay")
