"""A club's games as TOML: ``[[games]]`` with their ``[[games.deals]]``.

The same words as in a table (docs/evenings.md); they become the lines of a score sheet.
"""

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from engine_ext.record_text import Line
from engine_ext.rules.spec import Variant
from engine_ext.sheet_text import DealLine, players_of
from pipeline.evenings.told import SheetError, Told

OF_GAME = ("evening", "players", "deals", "totals", "first")
HEAD = ("deal", "declarer", "contract", "trump", "start")
"""Keys of a deal that say who declares what; the others are what came of it."""
Table = Mapping[str, Any]


def games_of_toml(text: str, file: str, variant: Variant) -> Iterator[Told]:
    """Yield the games; ``SheetError`` or ``RecordError`` for the first slip."""
    said = _parsed(text, file)
    unknown = sorted(set(said) - {"games"})
    if unknown:
        raise SheetError(f"{file}: {unknown[0]!r}: unknown key (want [[games]])")
    games = said.get("games", [])
    if not isinstance(games, list) or not all(isinstance(game, dict) for game in games):
        raise SheetError(f"{file}: games: want tables, [[games]]")
    for i, game in enumerate(games):
        yield _game(game, f"{file}: games[{i}]", variant)


def _parsed(text: str, file: str) -> Table:
    try:
        if any(line.count(".") + line.count("[") > 1000 for line in text.splitlines()):
            raise RecursionError  # such keys take the parser minutes
        return tomllib.loads(text)
    except RecursionError as error:
        raise SheetError(f"{file}: no TOML file: nested too deeply") from error
    except ValueError as error:
        raise SheetError(f"{file}: no TOML file: {error}") from error


def _game(game: Table, where: str, variant: Variant) -> Told:
    head = Line(where, 0, "game", None, ())
    for key in game:
        if key not in OF_GAME:
            raise head.wrong(f"{key!r}: unknown key (want some of {', '.join(OF_GAME)})")
    names = _words(head, "players", game.get("players"))
    players = players_of(Line(where, 0, "players", None, names), variant)
    evening = game.get("evening")
    lines: list[DealLine | Line] = []
    deals = game.get("deals", [])
    if not isinstance(deals, list) or not all(isinstance(deal, dict) for deal in deals):
        raise head.wrong("deals: want tables, [[games.deals]]")
    for i, deal in enumerate(deals):
        lines.append(_deal(deal, f"{where}.deals[{i}]", i + 1, players))
    if "totals" in game:
        numbers = _row(Line(where, 0, "totals", None, ()), "totals", game["totals"], players)
        lines.append(Line(where, 0, "totals", None, numbers))
    if "first" in game:
        lines.append(Line(where, 0, "first", None, _words(head, "first", game["first"])))
    return Told(head, None if evening is None else str(evening), players, tuple(lines))


def _deal(deal: Table, where: str, number: int, players: tuple[str, ...]) -> DealLine:
    at = Line(where, 0, "deal", None, ())
    for key in HEAD:
        if key in deal and not isinstance(deal[key], str | int):
            raise at.wrong(f"{key}: want text in quotes, not {str(deal[key])[:40]!r}")
    said = deal.get("deal", number)
    if not isinstance(said, int):
        raise at.wrong(f"deal: {said!r} (want its number, {number})")
    declarer = deal.get("declarer")
    if declarer is not None and declarer not in players:
        raise at.wrong(f'declarer: nobody is called "{declarer}" (want {", ".join(players)})')
    if "trump" in deal and "start" in deal:
        raise at.wrong("trump and start: only one of them in a deal")
    rest = tuple(str(deal[key]) for key in HEAD[1:] if key in deal)
    fields = tuple(
        _field(where, key, value, players) for key, value in deal.items() if key not in HEAD
    )
    return DealLine(Line(where, 0, "deal", None, rest), said, fields)


def _field(where: str, key: str, value: object, players: tuple[str, ...]) -> Line:
    """One of the things that came of a deal: a number of each player, or names."""
    at = Line(where, 0, key, None, ())
    numbers = isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and not isinstance(value[0], str)
    )
    rest = _row(at, key, value, players) if numbers else _words(at, key, value)
    if key == "took":
        key, rest = (rest[0], rest[1:]) if rest else ("-", ())
    return Line(where, 0, key, None, rest)


def _row(at: Line, key: str, value: object, players: tuple[str, ...]) -> tuple[str, ...]:
    """Whole numbers, in the order of the players or by their names; who is left out has 0."""
    if isinstance(value, dict):
        strange = [str(name) for name in value if name not in players]
        if strange:
            raise at.wrong(
                f"{key}: nobody is called {strange[0][:40]!r} (want {', '.join(players)})"
            )
        value = [value.get(name, 0) for name in players]
    if not isinstance(value, list):
        raise at.wrong(f"{key}: want a whole number of each player, not {str(value)[:40]!r}")
    for number in value:
        if not isinstance(number, int) or isinstance(number, bool):
            raise at.wrong(f"{key}: {str(number)[:40]!r} is no whole number")
    return tuple(map(str, value))


def _words(at: Line, key: str, value: object) -> tuple[str, ...]:
    """Names or doubles, in a list or with blanks between."""
    if isinstance(value, str):
        return tuple(value.replace(",", " ").split())
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        return tuple(value)
    raise at.wrong(f"{key}: want names, not {str(value)[:40]!r}")
