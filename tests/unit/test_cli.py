"""The command's manners: what it prints, where, and how it ends."""

import pytest

from pipeline.cli import app, main
from pipeline.cli.listing import first_line
from pipeline.cli.output import print_table
from pipeline.cli.sql import sql
from pipeline.schema import TABLES

SAMPLES = "tests.unit.cli_samples"


@pytest.fixture(autouse=True)
def _samples(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("fine", "wrong_file", "failed_verdict", "interrupted", "bug", "group")
    shown = {name.replace("_", "-"): f"{SAMPLES}:{name}" for name in names}
    monkeypatch.setattr(app, "COMMANDS", app.COMMANDS | shown)


def lines(text: str) -> list[str]:
    return text.splitlines()


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    alone = capsys.readouterr().out
    assert main(["--help"]) == 0
    assert capsys.readouterr().out == alone
    assert "fine " in alone
    assert "Says that all is well" in alone
    assert "Second paragraph" not in alone
    assert max(map(len, lines(alone))) <= 80


def test_a_command_gets_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fine", "--count", "2"]) == 0
    assert capsys.readouterr().out == "wellwell\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["fien"], "No such command 'fien'. Did you mean 'fine'?"),
        (["fine", "--cuont", "2"], "--cuont"),
        (["fine", "--count", "two"], "--count"),
        (["fine", "surplus"], "surplus"),
        (["--nothing"], "--nothing"),
        (["group", "outer"], "outer"),
        (["wrong-file"], "error: x.toml: seats: 99 (want 2 to 10)"),
    ],
)
def test_the_users_mistake_is_one_line_on_stderr(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert len(lines(err)) == 1
    assert err.startswith("error: ")
    assert says in err


def test_a_group_alone_shows_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["group"]) == 2
    err = capsys.readouterr().err
    assert "inner" in err
    assert "other" in err


def test_a_failed_verdict_ends_with_1() -> None:
    assert main(["failed-verdict"]) == 1


def test_ctrl_c_ends_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interrupted"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_our_own_bug_is_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError, match="ours"):
        main(["bug"])


def test_the_version_names_the_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("barbu-sim 0.")
    assert "kernel " in out
    assert len(lines(out)) == 1


def test_a_line_is_read_without_running_the_module() -> None:
    assert first_line(f"{SAMPLES}:bug") == "Has a bug"
    assert first_line(f"{SAMPLES}:group").startswith("Commands that end in every way")
    assert first_line("no_such_package.commands:x") == (
        "(module no_such_package.commands is not installed)"
    )


def test_own_commands_are_not_replaced_by_others(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name, value = "run", "elsewhere:run"

    class Further:
        name, value = "further", "elsewhere:further"

    monkeypatch.setattr(app, "entry_points", lambda group: [Entry, Further])
    assert app.commands()["run"] == app.COMMANDS["run"]
    assert app.commands()["further"] == "elsewhere:further"


def test_a_table_has_words_to_the_left_and_figures_to_the_right(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(["name", "per s", "title"], [["duck.v1", "36,651", "Duck"], ["x", "-", "A"]])
    assert lines(capsys.readouterr().out) == [
        "name      per s  title",
        "duck.v1  36,651  Duck",
        "x             -  A",
    ]


def test_the_help_of_sql_names_every_table() -> None:
    """Whoever asks it learns what a run may keep."""
    words = set((sql.__doc__ or "").replace(",", " ").replace(";", " ").split())
    assert set(TABLES) <= words
