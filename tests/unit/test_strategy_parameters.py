"""A strategy's parameters stand in its name; what cannot be is told in a line."""

import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.run_file import load_run
from strategies import registry
from strategies.about import info
from strategies.registry import StrategyError, create, names, register
from strategies.spec import Nested, ParameterError, Spec, parse, spelled


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A strategy with a parameter of every kind, for the length of a test."""
    names()
    monkeypatch.setattr(registry, "_MAKERS", dict(registry._MAKERS))
    monkeypatch.setattr(registry, "_PARAMETERS", dict(registry._PARAMETERS))

    @register("kinds.v1", worlds=80, share=0.5, brave=False, rule="first", of=Nested("lowest.v1"))
    class Kinds:
        """Has a parameter of every kind."""

        def __init__(self, **given: Any) -> None:
            self.given = given

        def play(self, view: object) -> int:
            return 0


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("kinds.v1", "kinds.v1"),
        ("kinds.v1()", "kinds.v1"),
        ("kinds.v1(worlds=80, share=0.50)", "kinds.v1"),
        ("kinds.v1( share = 1 ,worlds=3)", "kinds.v1(worlds=3, share=1)"),
        ("kinds.v1(brave=true, rule=last)", "kinds.v1(brave=true, rule=last)"),
        ("kinds.v1(of=kinds.v1(worlds=1))", "kinds.v1(of=kinds.v1(worlds=1))"),
        ("kinds.v1(of=strategies.duck:Duck)", "kinds.v1(of=duck.v1)"),
        ("kinds.v1(share=1e-3)", "kinds.v1(share=0.001)"),
        ("slips.v1(revoke=0.5)", "slips.v1(revoke=0.5)"),
        ("slips.v1(of=lowest.v1, misplay=0)", "slips.v1(of=lowest.v1, misplay=0)"),
    ],
)
def test_one_strategy_has_one_name_however_it_is_asked_for(text: str, name: str) -> None:
    assert repr(create(text)) == name
    assert repr(create(name)) == name
    assert info(text).name == name


def test_a_class_is_given_its_parameters_as_they_are() -> None:
    made: Any = create("kinds.v1(worlds=3, share=1, of=duck.v1)")
    of = made.given.pop("of")
    assert made.given == {"worlds": 3, "share": 1.0, "brave": False, "rule": "first"}
    assert isinstance(made.given["share"], float)
    assert repr(of) == "duck.v1"


def test_the_parameters_are_shown_as_they_are_set() -> None:
    assert info("kinds.v1(worlds=3)").parameters == (
        "worlds=3", "share=0.5", "brave=false", "rule=first", "of=lowest.v1",
    )  # fmt: skip
    assert info("duck.v1").parameters == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("kinds.v1(words=3)", "unknown parameter 'words' (has: worlds, share, brave, rule, of)"),
        ("duck.v1(worlds=3)", "unknown parameter 'worlds' (duck.v1 takes none)"),
        ("kinds.v1(worlds=0.5)", "worlds: 0.5, want a whole number, e.g. 80"),
        ("kinds.v1(worlds=true)", "worlds: true, want a whole number"),
        ("kinds.v1(share=duck.v1)", "share: duck.v1, want a number, e.g. 0.5"),
        ("kinds.v1(brave=1)", "brave: 1, want true or false, e.g. false"),
        ("kinds.v1(rule=2)", "rule: 2, want a word, e.g. first"),
        ("kinds.v1(of=3)", "of: 3, want a strategy (lowest.v1)"),
        ("kinds.v1(of=ducks.v1)", "unknown strategy 'ducks.v1'"),
        ("kinds.v1(of=duck.v1(x=1))", "unknown parameter 'x' (duck.v1 takes none)"),
        ("kinds.v1(worlds=1, worlds=2)", "worlds is given twice"),
        ("kinds.v1(worlds)", "want NAME(key=value, ...), at ')'"),
        ("kinds.v1(worlds=)", "want NAME(key=value, ...), at ')'"),
        ("kinds.v1(worlds=1,)", "want NAME(key=value, ...), at ')'"),
        ("kinds.v1(worlds=1 share=2)", "at 'share=2)'"),
        ("kinds.v1(worlds=1))", "at ')'"),
        ("nobody.v1(worlds=1)", "unknown strategy 'nobody.v1'"),
        ("slips.v1(revoke=1.5)", "revoke: 1.5, want a probability from 0 to 1"),
        ("slips.v1(misplay=-0.1)", "misplay: -0.1, want a probability from 0 to 1"),
        ("slips.v1(of=lowest_batch.v1)", "of: lowest_batch.v1 is batched"),
        ("slips.v1(of=slips.v1)", "of: slips.v1 slips already"),
        ("slips.v1(revoke=" + "9" * 5000 + ")", "want a number"),
        ("a.v1(b=" * 20 + "1" + ")" * 20, "more than 8 strategies inside one another"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(text: str, why: str) -> None:
    with pytest.raises(StrategyError) as caught:
        create(text)
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


words = st.from_regex(r"[a-z][a-z0-9_.:/-]{0,8}", fullmatch=True).filter(
    lambda word: word not in ("true", "false")
)
specs = st.recursive(
    st.builds(Spec, words),
    lambda inner: st.builds(
        Spec,
        words,
        st.dictionaries(
            words,
            inner | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(-1e9, 1e9),
            min_size=1,
            max_size=3,
        ).map(lambda values: tuple(values.items())),
    ),
    max_leaves=6,
)


@given(specs)
def test_what_is_spelled_is_read_as_it_was(spec: Spec) -> None:
    again = parse(str(spec))
    assert str(again) == str(spec)
    assert again == spec


@given(st.text("ab1.=(), -", max_size=30))
def test_any_text_is_read_or_refused_in_a_line(text: str) -> None:
    with contextlib.suppress(ParameterError):
        spec = parse(text + ")")
        assert not spec.values or parse(str(spec)) == spec


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (-0.0, "-0"), (True, "true"), (7, "7")])
def test_a_value_is_spelled_shortly(value: object, text: str) -> None:
    assert spelled(value) == text


def test_a_run_file_may_give_parameters_and_files_inside_them(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from strategies import register\n\n"
        '@register("inside.v1")\nclass Mine:\n    """Plays low cards."""\n\n'
        "    def play(self, view):\n        return view.lowest()\n",
        "utf-8",
    )
    file = tmp_path / "run.toml"
    file.write_text(
        'title = "x"\nvariants = ["barbu_king_br_honour"]\nseed = 1\nblocks = 1\ndesign = "lineups"\n'
        'lineups = [["duck.v1", "duck.v1", "duck.v1", "duck.v1"]]\n'
        '[[entrants]]\nstrategy = "slips.v1(of=mine.py:Mine,revoke=0.5)"\n'
        '[[entrants]]\nstrategy = "duck.v1"\n',
        "utf-8",
    )
    config = load_run(file)
    slips = config.entrants[0]
    assert slips.strategy == f"slips.v1(of={(tmp_path / 'mine.py').resolve()}:Mine, revoke=0.5)"
    assert slips.label == "slips.v1(of=mine.py:Mine,revoke=0.5)"  # as the file says it
    assert repr(create(slips.strategy)) == "slips.v1(of=inside.v1, revoke=0.5)"


def test_the_class_shown_in_the_docs_can_be_had() -> None:
    page = (Path(__file__).parents[2] / "docs" / "strategies.md").read_text("utf-8")
    code = page.split("## Parameters")[1].split("```python")[1].split("```")[0]
    exec(compile(code, "docs/strategies.md", "exec"), {"__name__": "shown"})
    assert repr(create("bold.v1(share=0.5)")) == "bold.v1(share=0.5)"
    with pytest.raises(StrategyError, match=r"share: 2\.0, want 0 to 1"):
        create("bold.v1(share=2)")
