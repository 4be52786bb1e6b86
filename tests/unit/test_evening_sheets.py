"""What is wrong in a club's sheet is told with its place, in one line, and nothing is written."""

from pathlib import Path

import pytest

from engine_ext.errors import UserError
from engine_ext.rules.load import load_variant
from pipeline.config import NamedVariant
from pipeline.evenings.importing import import_sheets

HEAD = "game;deal;contract;counts;North;East;South;West;declarer;doubles\n"
TRICKS = "1;1;tricks;took;3;2;2;6;;\n"
FIXED = "king_ru_fixed14"


def refused(tmp_path: Path, text: str | bytes, name: str = FIXED, kind: str = "csv") -> str:
    """The only line that is said of a sheet."""
    path = tmp_path / f"s.{kind}"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UserError) as error:
        import_sheets([path], NamedVariant(name=name, rules=load_variant(name)), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    said = str(error.value)
    assert said.isprintable(), said
    assert len(said) < 400
    return said.replace(str(path), "s")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "s: empty (barbu import --template csv"),
        (b"\xff\xfeg\0a\0", "s: byte 0: not UTF-8 text (save the table as CSV UTF-8)"),
        (b"a\0b", "s: not UTF-8 text"),
        ("North;East\n1;2\n", "s, line 1: no column contract"),
        ("contract;North;North\n", "s, line 1: column North stands twice"),
        ("contract;;North\n", "s, line 1: column 2 has no name"),
        ("\r\n\ncontract,,North\n", "s, line 3: column 2 has no name"),
        ("contract;" + ";".join(f"n{i}" for i in range(5000)), "s, line 1: 5001 columns (want 256"),
        (HEAD + '"1', "s, line 2: no row of a table: unexpected end of data"),
        (HEAD + "1;1;tricks;took;3;2;2;6;;;;x\n", "s, line 2: 12 cells, the head has 10 columns"),
        (HEAD + "1;1;tricks;took;3,5;2;2;6;;\n", 's, line 2: column North: "3,5" is no whole number'),
        (HEAD + "1;1;tricks;took;NaN;2;2;6;;\n", 's, line 2: column North: "NaN" is no whole number'),
        (HEAD + "1;1;tricks;took;=1+1;2;2;6;;\n", 's, line 2: column North: "=1+1" is no whole'),
        (HEAD + "1;1;tricks;took;99999999999;2;2;6;;\n", "s, line 2: column North: "),
        (HEAD + "1;x;tricks;took;3;2;2;6;;\n", 's, line 2: column deal: "x" is no number of a deal'),
        (HEAD + "1;2;tricks;took;3;2;2;6;;\n", "s, line 2: deal 2: want deal 1 here"),
        (HEAD + "1;1;tricks;took;3;2;2;5;;\n", "s, line 2: tricks: 12 were taken, there are 8"),
        (HEAD + "1;1;kings;took;1;1;1;1;;\n", "s, line 2: kings: this deal is tricks by the schedule"),
        (HEAD + "1;1;trix;took;3;2;2;1;;\n", 's, line 2: "trix" is no contract'),
        (HEAD + "1;1;tricks;hats;3;2;2;1;;\n", 's, line 2: "hats" does not count in tricks'),
        (HEAD + "1;1;tricks;points;-6;-4;-4;-3;;\n", "s, line 2: points: -17 in all, tricks has -16"),
        (HEAD + "1;1;tricks;took;3;2;2;1;Nord;\n", 's, line 2: column declarer: nobody is called "Nord"'),
        (HEAD + "1;1;tricks;took;3;2;2;1;North;\n", "s, line 2: North: nobody declares here"),
        (HEAD + "1;1;tricks;took;3;2;2;1;;East>North\n", "s, line 2: doubles: there are none"),
        (HEAD + "1;1;tricks;took;3;2;2;1;;\n", "s, line 2: the game ends here after 1 deals and is"),
        (HEAD + "1;;totals;;1;2;3;4;;\n", "s, line 2: totals: 1 2 3 4 make 10, a game has 0"),
        (HEAD + "1;;totals;;1;2;-3;;;\n2;;totals;;0;0;0;0;;\n1;;totals;;0;0;0;0;;\n", "s, line 2: "),
        (HEAD + "1;;totals;;0;0;0;0;;\n2;;totals;;0;0;0;0;;\n1;;totals;;0;0;0;0;;\n", "s, line 4: column game: 1 has rows further up"),
        (HEAD + "1;1;tricks;took;3;2;3;;;\n", "s, line 2: players: 3 names, this variant has 4 seats"),
        (HEAD.replace("North", "No rth") + TRICKS, "s, line 2: "),
        (HEAD.replace("North", "=cmd()") + TRICKS, 's, line 2: players: "=cmd()" means something else'),
        (HEAD.replace("North", "@cmd") + TRICKS, 's, line 2: "@cmd" cannot be a name'),
        (HEAD.replace("North", "No\x07rth") + TRICKS, 's, line 2: "No rth" cannot be a name'),
        (HEAD.replace("North", "N" * 300) + TRICKS, "cannot be a name (want at most 40 letters"),
        ("evening;" + HEAD + "a;1;;totals;;0;0;0;0;;\n", None),
    ],
)  # fmt: skip
def test_a_table_is_refused_with_its_place(
    text: str | bytes, says: str | None, tmp_path: Path
) -> None:
    if says is None:  # a good one, so that the others fail for what they say
        path = tmp_path / "s.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        rules = NamedVariant(name=FIXED, rules=load_variant(FIXED))
        assert import_sheets([path], rules, tmp_path / "run").games == 1
    else:
        assert says in refused(tmp_path, text)


GAME = '[[games]]\nplayers = ["North", "East", "South", "West"]\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "s: no game"),
        ("x = 1", "s: 'x': unknown key (want [[games]])"),
        ("games = 3", "s: games: want tables, [[games]]"),
        ("[[games]", "s: no TOML file: "),
        ("a" + ".a" * 5000 + " = 1", "s: no TOML file: nested too deeply"),
        (GAME + "total = [1]", "s: games[0]: 'total': unknown key"),
        (GAME + "totals = [0, 0, 0]", "s: games[0]: totals: 3 numbers, want one for each of 4"),
        (GAME + "totals = [0, 0, 0.5, -0.5]", "s: games[0]: totals: '0.5' is no whole number"),
        (GAME + "totals = [0, 0, true, 0]", "s: games[0]: totals: 'True' is no whole number"),
        (GAME + "totals = { North = 1, Nord = -1 }", "s: games[0]: totals: nobody is called 'Nord'"),
        (GAME + "deals = 7", "s: games[0]: deals: want tables"),
        (GAME + "[[games.deals]]\ncontract = 7.5\n", "s: games[0].deals[0]: contract: want text"),
        (GAME + '[[games.deals]]\ncontract = "tricks"\ntricks = [9, 0, 0, 0]\n',
         "s: games[0].deals[0]: tricks: 9 were taken, there are 8"),
        (GAME + '[[games.deals]]\ncontract = "tricks"\ntricks = nan\n', "s: games[0].deals[0]: tricks: want names"),
        ('[[games]]\nplayers = ["North", "East", "South"]\n', "s: games[0]: players: 3 names"),
        ('[[games]]\nplayers = ["N", "N", "S", "W"]\n', "s: games[0]: players: N stands there twice"),
    ],
)  # fmt: skip
def test_games_in_toml_are_refused_with_their_place(text: str, says: str, tmp_path: Path) -> None:
    assert says in refused(tmp_path, text, kind="toml")


def test_points_alone_must_be_possible(tmp_path: Path) -> None:
    name = "barbu_52_doubling"
    head = "contract;declarer;North;East;South;West;doubles\n"
    # Twelve hearts at 2 and the ace at 6: 30 in all, and no odd number.
    said = refused(tmp_path, head + "hearts;North;-15;-5;-4;-6;East>North\n", name)
    assert "points: -15 of North cannot be (what counts: hearts (12), ace (1))" in said
    said = refused(tmp_path, head + "hearts;North;-14;-6;-4;-4;East>North\n", name)
    assert "points: -28 in all, hearts has -30" in said


def test_a_sheet_of_other_rules_is_refused(tmp_path: Path) -> None:
    text = "variant barbu_king_br\nplayers North East South West\n1 tricks | 13 0 0 0\n"
    assert "is a sheet of barbu_king_br" in refused(tmp_path, text, kind="txt")
    assert "no score sheet" in refused(tmp_path, "variant barbu_king_br\n", kind="txt")
    assert "no kind of sheet" in refused(tmp_path, text, kind="xls")


def test_a_file_of_megabytes_is_not_read(tmp_path: Path) -> None:
    assert "too long" in refused(tmp_path, b"a;b\n" * 2_000_000)


def test_evenings_are_told_everywhere_or_nowhere(tmp_path: Path) -> None:
    text = "evening;game;contract;North;East;South;West\n;1;totals;0;0;0;0\nJune;2;totals;0;0;0;0\n"
    assert "column evening: empty" in refused(tmp_path, text)
