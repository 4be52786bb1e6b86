"""Played games written out as a club would have kept them, at several levels of detail."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import polars as pl

from engine_ext.cards import Pack
from engine_ext.rules.resolve import (
    KIND_LAYOUT,
    SLOT_CARDS,
    SLOT_SHOT,
    TRUMP,
    ContractNumbers,
    VariantNumbers,
    resolve,
)
from engine_ext.rules.spec import Variant
from engine_ext.sheet_items import items_of
from tests.runs import by_game

PLAYERS = ("North", "East", "South", "West", "Nord", "Sud")
Row = dict[str, Any]


class Written(NamedTuple):
    """A deal as it is written down: who declares what, and rows of numbers by word."""

    number: int
    declarer: str
    contract: str
    thing: str
    """Trump suit or start rank."""
    rows: dict[str, list[int]]
    doubles: list[str]
    revoke: str


def written(variant: Variant, deals: list[Row], doubles: list[Row], level: str) -> list[Written]:
    """A game's deals; ``level`` is ``items`` or ``points``."""
    n = resolve(variant)
    found = []
    for row in deals:
        bets = [bet for bet in doubles if bet["deal"] == row["deal"]]
        found.append(_deal(variant, n, row, bets, level))
    return found


def _deal(variant: Variant, n: VariantNumbers, row: Row, bets: list[Row], level: str) -> Written:
    contract = n.contracts[n.contract_names.index(row["contract"])]
    pairs = [(bet["doubler"], bet["doubled"]) for bet in bets]
    pairs += [(bet["doubled"], bet["doubler"]) for bet in bets if bet["redoubled"]]
    extra = row["extra"]
    split = n.undoubled_split and contract.tone < 0 and not pairs and not extra
    revoker = row["revoked"]
    rows: dict[str, list[int]] = {}
    if level == "points":
        rows["points"] = [n.objective * row[f"points_{s}"] for s in range(n.seats)]
    elif not split and (revoker < 0 or n.revoke_keeps):
        rows |= counted(n, contract, row)
    pack = Pack(variant.deck)
    named = contract.kind == KIND_LAYOUT or contract.trump_mode != TRUMP["none"]
    things = pack.ranks if contract.kind == KIND_LAYOUT else pack.suits
    return Written(
        row["deal"] + 1,
        PLAYERS[row["declarer"]] if row["declarer"] >= 0 and not extra else "",
        row["contract"],
        things[row["param"]] if named else "",
        rows,
        [f"{PLAYERS[one]}>{PLAYERS[other]}" for one, other in pairs],
        "" if revoker < 0 else PLAYERS[revoker],
    )


def counted(n: VariantNumbers, contract: ContractNumbers, row: Row) -> dict[str, list[int]]:
    """What each took, by the name of the item."""
    if contract.kind == KIND_LAYOUT:
        return {"place": [row[f"finish_{s}"] for s in range(n.seats)]}
    took = [
        [row[f"items_{s}"] >> 8 * slot & 255 for s in range(n.seats)]
        for slot in range(contract.n_slots)
    ]
    rows = {}
    for item in items_of(contract, n):
        for slot, kind in enumerate(contract.slot_kind):
            cards = kind == SLOT_CARDS
            things = contract.slot_cards[slot] if cards else contract.slot_tricks[slot]
            if kind != SLOT_SHOT and (cards, things) == (item.cards, item.things):
                rows[item.name] = took[slot]
    if contract.shoot_cards:
        rows[contract.slot_names[-1]] = took[-1]
    return rows


def games_of(there: Any, variant: Variant, level: str) -> Iterator[tuple[list[Written], list[int]]]:
    """Every game of a run as it is written, with its totals."""
    n = resolve(variant)
    for game, deals, doubles in by_game(there):
        totals = [n.objective * game[f"score_{s}"] for s in range(n.seats)]
        yield written(variant, deals, doubles, level), totals


def as_csv(games: list[tuple[list[Written], list[int]]], delimiter: str = ";") -> str:
    seats = len(games[0][1])
    head = ["game", "deal", "declarer", "contract", "start", "trump", *PLAYERS[:seats]]
    out = io.StringIO()
    table = csv.writer(out, delimiter=delimiter)
    table.writerow([*head, "counts", "doubles", "revoke"])
    for number, (deals, totals) in enumerate(games, start=1):
        for deal in deals:
            thing = ["", deal.thing] if deal.thing in "CDHS" else [deal.thing, ""]
            own = [number, deal.number, deal.declarer, deal.contract, *thing]
            behind = [" ".join(deal.doubles), deal.revoke]
            rows: list[tuple[str, Sequence[object]]] = [*deal.rows.items()]
            rows = rows or [("", [""] * seats)]
            for i, (word, numbers) in enumerate(rows):
                table.writerow([*own, *numbers, word, *(behind if not i else ["", ""])])
        table.writerow([number, "", "", "totals", "", "", *totals, "", "", ""])
    return out.getvalue()


def as_toml(games: list[tuple[list[Written], list[int]]]) -> str:
    lines = []
    for deals, totals in games:
        names = list(PLAYERS[: len(totals)])
        lines += ["[[games]]", f"players = {names}", f"totals = {totals}"]
        for deal in deals:
            lines += ["[[games.deals]]", f'contract = "{deal.contract}"']
            lines += [f'declarer = "{deal.declarer}"'] if deal.declarer else []
            key = "trump" if deal.thing in "CDHS" else "start"
            lines += [f'{key} = "{deal.thing}"'] if deal.thing else []
            lines += [f"{word} = {numbers}" for word, numbers in deal.rows.items()]
            lines += [f"doubles = {deal.doubles}"] if deal.doubles else []
            lines += [f'revoke = "{deal.revoke}"'] if deal.revoke else []
    return "\n".join(lines) + "\n"


def as_text(name: str, game: tuple[list[Written], list[int]]) -> str:
    deals, totals = game
    lines = [f"variant {name}", f"players {' '.join(PLAYERS[: len(totals)])}"]
    for deal in deals:
        words = [str(deal.number), deal.declarer, deal.contract, deal.thing]
        fields = [" ".join(word for word in words if word)]
        fields += [f"{word} {' '.join(map(str, row))}" for word, row in deal.rows.items()]
        fields += [" ".join(deal.doubles)] if deal.doubles else []
        fields += [f"revoke {deal.revoke}"] if deal.revoke else []
        lines.append(" | ".join(fields))
    return "\n".join([*lines, "totals " + " ".join(map(str, totals))]) + "\n"


def same_rows(one: list[Row], other: list[Row], but: Callable[[str], bool]) -> None:
    """Two tables are the same, but for some columns."""
    frames = [pl.DataFrame(rows, infer_schema_length=None) for rows in (one, other)]
    kept = [frame.select(c for c in frame.columns if not but(c)) for frame in frames]
    assert kept[0].columns == kept[1].columns
    assert len(kept[0]) == len(kept[1])
    for column in kept[0].columns:
        assert kept[0][column].to_list() == kept[1][column].to_list(), column
