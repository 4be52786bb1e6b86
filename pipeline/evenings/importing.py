"""Sheets into a run: read, reckoned, put in place; the first slip stops it and nothing is
written."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import ValidationError

from engine_ext.record_text import UnreadableError
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from engine_ext.sheet_text import DealLine, is_sheet, read_sheet
from pipeline.config import FORMULA, NamedVariant
from pipeline.evenings.csv_sheet import games_of_csv
from pipeline.evenings.landing import Imported, blocks_of, config_of, land_games
from pipeline.evenings.reckoned import Game, check_variant, game_of
from pipeline.evenings.told import MOST_BYTES, MOST_GAMES, SheetError, Told, text_of
from pipeline.evenings.toml_sheet import games_of_toml

LONGEST_NAME = 40
"""Letters of a player's name."""
MOST_PLAYERS = 200


def import_sheets(
    sheets: Sequence[Path], variant: NamedVariant, out: str | Path, title: str | None = None
) -> Imported:
    """Read the games of ``sheets`` and write them as a run.

    Raises ``SheetError`` or ``RecordError`` for the first thing that is wrong in a sheet, and
    ``StoreError`` where ``out`` is taken; nothing is written then.
    """
    check_variant(variant.name, variant.rules)
    games: list[Game] = []
    told_first: Told | None = None
    for path in sheets:
        before = len(games)
        for told in told_in(path, variant):
            told_first = told_first or told
            _check_told(told, told_first)
            games.append(game_of(told, variant.name, variant.rules))
            if len(games) > MOST_GAMES:
                raise SheetError(f"{path}: more than {MOST_GAMES} games (import them as two runs)")
        if len(games) == before:
            raise SheetError(f"{path}: no game")
    players = {player for game in games for player in game.players}
    if len(players) > MOST_PLAYERS:
        raise SheetError(f"{len(players)} players (want {MOST_PLAYERS} at most in a run)")
    blocks = blocks_of(games)
    names = ", ".join(path.name for path in sheets[:3]) + (", ..." if len(sheets) > 3 else "")
    return land_games(config_of(variant, blocks, title or f"Games of people: {names}"), blocks, out)


def told_in(path: Path, variant: NamedVariant) -> Iterator[Told]:
    """The games of one sheet, by what kind of file it is."""
    file = str(path)
    try:
        with path.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnreadableError(f"{file}: {(error.strerror or str(error)).lower()}") from error
    if len(content) > MOST_BYTES:
        raise SheetError(f"{file}: too long (want a sheet of {MOST_BYTES} bytes at most)")
    text = text_of(content, file)
    kind = path.suffix.lower()
    if kind == ".toml":
        return games_of_toml(text, file, variant.rules)
    if kind in (".txt", ".sheet"):
        return iter([_written(text, path, variant.rules)])
    if kind in (".csv", ".tsv"):
        return games_of_csv(text, file, variant.rules)
    raise SheetError(f"{file}: no kind of sheet (want .csv, .toml, or .txt as docs/records.md)")


def _written(text: str, path: Path, variant: Variant) -> Told:
    """A score sheet in words, one game."""
    if not is_sheet(text):
        raise SheetError(f"{path}: no score sheet, no line names the players")
    sheet = read_sheet(text, str(path), path.parent)
    if sheet.variant != variant:
        raise SheetError(
            f"{path}: is a sheet of {sheet.variant_name}, whose rules are not those of --variant"
        )
    first = sheet.deals[0] if sheet.deals else None
    if first is None:
        raise SheetError(f"{path}: no deal (a deal is a line that begins with its number)")
    head = first.head if isinstance(first, DealLine) else first
    return Told(head, None, sheet.players, sheet.deals)


def _check_told(told: Told, first: Told) -> None:
    """Names that can stand in tables, and evenings everywhere or nowhere."""
    for name in (*told.players, *([told.evening] if told.evening else [])):
        if not name.isprintable() or len(name) > LONGEST_NAME or name[0] in FORMULA:
            raise told.head.wrong(
                f'"{name[:LONGEST_NAME]}" cannot be a name (want at most {LONGEST_NAME} letters, '
                f"none of them a control code, and no {' '.join(FORMULA)} in front)"
            )
    if (told.evening is None) != (first.evening is None):
        lacks = told if told.evening is None else first
        raise lacks.head.wrong("column evening: empty, and other games tell theirs (want all)")


def variant_named(text: str) -> NamedVariant:
    """Rules by name, or by the path of a file; ``RuleError`` or ``SheetError``."""
    path = Path(text) if text.endswith(".toml") or "/" in text else None
    rules = load_variant(path or text)
    try:
        return NamedVariant(name=path.stem if path else text, rules=rules)
    except ValidationError as error:
        raise SheetError(
            f"--variant: {text} is no name for tables (want lower case letters, digits and _)"
        ) from error
