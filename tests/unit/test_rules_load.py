"""Variant files: how they are found, read and extended, and what is said of a bad one."""

from pathlib import Path

import pytest

from engine_ext.errors import RuleError
from engine_ext.rules.facts import n_deals
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.spec import FixedSchedule, LayoutContract, TrickContract
from tests.unit.rule_files import TINY, changed, extended, tiny, write

BASES = ["barbu_52_doubling", "barbu_fr_reussite", "barbu_king_br", "king_ru_fixed14"]


def said(path: Path | str) -> str:
    """Return the one line that refuses a file, without the file's name in front."""
    with pytest.raises(RuleError) as refused:
        load_variant(path)
    line = str(refused.value)
    assert "\n" not in line
    assert line.startswith(f"{path}: ")
    return line.removeprefix(f"{path}: ")


def test_the_four_documents_and_the_yardstick_are_shipped() -> None:
    assert set(BASES) | {"yardstick"} <= set(variant_names())


def test_an_unknown_name_is_answered_with_where_the_known_ones_stand() -> None:
    assert said("whist") == (
        f"no variant of this name (barbu rules list shows all {len(variant_names())}; "
        "or give the path of a file)"
    )


def test_a_misspelt_name_is_answered_with_the_nearest() -> None:
    assert said("barbu_king_bt") == 'no variant of this name (did you mean "barbu_king_br"?)'


def test_a_file_is_read_by_its_path_as_path_or_text(tmp_path: Path) -> None:
    path = write(tmp_path, TINY)
    assert load_variant(path) == load_variant(str(path))
    assert load_variant(path).title == "Tiny"


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    assert said(tmp_path / "none.toml") == "no such file or directory"
    assert said(tmp_path) == "is a directory"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("title = \n", "line 1, column 9: invalid value"),
        (
            'title = "a"\ntitle = "b"\n',
            "line 2, column 12: this key has a value already, further up",
        ),
        (
            "[deck]\n[schedule]\n[deck]",
            "line 3, column 6: the table [deck] has keys already, further",
        ),
        ("a = { b = 1 }\na.c = 2", "end of document: a has its value already, in braces or"),
        ("[deck", "end of document: expected ']' at the end of a table declaration"),
        (f"seats = {'9' * 5000}", "a number of thousands of digits is no value"),
        (f"seats = {'[' * 2000}", "nested too deeply"),
        (f"seats = {'{b = ' * 300}1{'}' * 300}", "nested too deeply"),
    ],
)
def test_a_slip_of_toml_is_told_with_its_line(tmp_path: Path, text: str, line: str) -> None:
    assert said(write(tmp_path, text)).startswith(line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "objective = highest",
            'line 1, column 13: invalid value (strings need quotes: "highest")',
        ),
        ("ranks = [7, T]", 'line 1, column 13: invalid value (strings need quotes: "T")'),
        ('ranks = ["A", 2C]', 'line 1, column 16: unclosed array (strings need quotes: "2C")'),
        ('a = 1\r\nb = { c = "x", d = 2C }', "line 2, column 21: unclosed inline table (strings "),
        ("x = 2C", "line 1, column 6: expected newline or end of document after a statement (str"),
        ("x = True", "line 1, column 5: invalid value (write true in small letters)"),
        (
            "x = “yes”",
            "line 1, column 5: invalid value (strings need plain quotes: \"...\" or '...')",
        ),
    ],
)
def test_a_word_without_quotes_is_answered_with_quotes(
    tmp_path: Path, text: str, line: str
) -> None:
    assert said(write(tmp_path, text)).startswith(line)


@pytest.mark.parametrize(
    "text",
    ["x = ", 'x = "a" b', "x = [7 8]", "x y = 1", "[deck\nx = 1", "x = 7,8", "x = -", "x = '"],
)
def test_another_slip_is_not_blamed_on_quotes(tmp_path: Path, text: str) -> None:
    assert "quotes" not in said(write(tmp_path, text))


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes("title = 'Réussite'".encode("latin-1"))
    assert said(path) == "byte 10: not UTF-8 text"


def test_a_mark_that_an_editor_puts_first_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "marked.toml"
    path.write_text('\ufeffextends = "barbu_52_doubling"\n', "utf-8")
    assert load_variant(path) == load_variant("barbu_52_doubling")


def test_what_a_table_lacks_is_told_in_one_line(tmp_path: Path) -> None:
    assert said(write(tmp_path, "")) == (
        "title: missing; so are language, source, seats, direction, objective, deck, contracts, "
        "schedule"
    )


def test_a_child_takes_over_what_it_does_not_say(tmp_path: Path) -> None:
    child = load_variant(
        extended(tmp_path, 'title = "Child"\n[contracts.domino]\npayout=[5,4,3,2]')
    )
    parent = tiny(tmp_path)
    assert (child.title, child.source) == ("Child", f"{parent.source}, with house rules")
    domino = child.contracts["domino"]
    assert isinstance(domino, LayoutContract)
    assert (domino.payout, domino.passing) == ((5, 4, 3, 2), "must_play")
    assert child.contracts["hearts"] == parent.contracts["hearts"]


def test_a_child_may_extend_a_shipped_variant_by_name(tmp_path: Path) -> None:
    short = load_variant(
        write(
            tmp_path,
            'extends = "barbu_king_br"\ntitle = "Short"\nclaims = []\n[schedule]\n'
            'sequence = ["tricks", "hearts", "queens", "king", "salad"]',
        )
    )
    assert isinstance(short.schedule, FixedSchedule)
    assert short.schedule.sequence == ("tricks", "hearts", "queens", "king", "salad")
    assert short.schedule.leader == "left_of_dealer"


def test_a_child_of_a_child_inherits_from_both(tmp_path: Path) -> None:
    extended(tmp_path, 'title = "Child"')
    grandchild = write(
        tmp_path, 'extends = "./child.toml"\nseats = 2\ncontracts.domino.payout=[1,0]', "g.toml"
    )
    assert (load_variant(grandchild).title, load_variant(grandchild).seats) == ("Child", 2)


def test_none_in_place_of_a_table_takes_it_away(tmp_path: Path) -> None:
    keep = write(
        tmp_path,
        'extends = "king_ru_fixed14"\nreadings = []\ncontracts.king.forced_play = "none"\n',
    )
    king = load_variant(keep).contracts["king"]
    assert isinstance(king, TrickContract)
    assert king.forced_play is None
    assert king.lead_ban is not None


def test_none_takes_a_contract_out_of_those_to_choose_from(tmp_path: Path) -> None:
    text = (
        'extends = "barbu_52_doubling"\ntitle = "No domino"\nschedule.dealership = 6\n'
        'schedule.uses.domino = "none"\ncontracts.domino = "none"\n'
    )
    variant = load_variant(write(tmp_path, text))
    assert list(variant.contracts) == [
        *("tricks", "queens", "last_two", "hearts", "king", "trumps")
    ]
    assert n_deals(variant) == 24
    # A number that has to be there is missed.
    assert said(extended(tmp_path, 'seats = "none"')) == "seats: missing"
    # Of one that the parent does not have nothing can be taken away.
    path = extended(tmp_path, 'schedule.uses.queens = "none"')
    assert said(path) == 'schedule.uses.queens: must be a whole number, not "none"'


def test_none_where_the_parent_has_no_table_is_a_mistake(tmp_path: Path) -> None:
    path = extended(tmp_path, 'doubling = "none"')
    assert said(path) == 'doubling: must be a table, not "none"'


def test_a_table_of_another_kind_replaces_the_parents_whole(tmp_path: Path) -> None:
    path = extended(
        tmp_path,
        'contracts.trumps.trump = "drawn"\n[schedule]\nkind = "fixed"\n'
        'sequence = ["tricks", "domino"]\nleader = "dealer"',
    )
    assert load_variant(path).schedule == FixedSchedule(
        kind="fixed", sequence=("tricks", "domino"), leader="dealer"
    )


def test_a_mistake_in_the_parent_names_the_parent(tmp_path: Path) -> None:
    child = extended(tmp_path, "")
    parent = changed(tmp_path, "seats = 4", "seats = 1")
    with pytest.raises(RuleError) as refused:
        load_variant(child)
    assert str(refused.value) == f"{parent}: seats: must be at least 2, not 1"


def test_a_circle_of_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "beside").mkdir()
    a = write(tmp_path, 'extends = "beside/../b.toml"', "a.toml")
    b = write(tmp_path, 'extends = "a.toml"', "b.toml")
    assert said(b) == f"extends: {b} -> {a} -> {tmp_path}/beside/../b.toml is a circle"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("extends = 4", "extends: must be the name or file of a variant"),
        ('extends = "yardstik"', 'extends: yardstik: no variant of this name (did you mean "yard'),
    ],
)
def test_a_parent_that_cannot_be_is_told(tmp_path: Path, text: str, line: str) -> None:
    assert said(write(tmp_path, text)).startswith(line)
