"""The blocks that count most in words: their parts, who held what, and what each made of it."""

import polars as pl

from engine_ext.rules.spec import Variant
from reports.grids import NOBREAK
from reports.section import Listing
from reports.words import better, counted, number, title


def _digits(table: pl.DataFrame, part: str = "part") -> int:
    """Decimals that show two digits of the smallest part."""
    least = min((abs(value) for value in table[part] if value), default=1.0)
    decimals = 1
    while least * 10**decimals < 10 and decimals < 6:
        decimals += 1
    return decimals


def finding(blocks: pl.DataFrame, rules: Variant) -> str:
    """What the claim is, what these blocks add to it, and what the first of them is about."""
    if blocks.is_empty():
        return "The claim's entrants did not both play, so no block decides anything."
    first = blocks.row(0, named=True)
    p = _digits(blocks)
    if not any(blocks["part"]):
        return f"Every block gave exactly nothing: {first['claim']} is 0 in each of them."
    many, every = blocks.height, first["of_blocks"]
    text = (
        f"The claim is {first['claim']}: {number(first['value'], p, signed=True)} points a game "
        f"({better(rules)}). Of {counted(every, 'block')} the {many} that count most add "
        f"{number(sum(blocks['part']), p, signed=True)}; most block {first['block']}, "
        f"{number(first['part'], p, signed=True)}"
    )
    if first["deal"] is None:
        return f"{text}. The run did not record its deals, so what happened there is not told."
    return (
        f"{text}, of which deal {first['deal']} (the first is 0) alone "
        f"{number(first['deal_part'], p, signed=True)}. What was played there stands below, and "
        "every game of it can be played again."
    )


def overview(blocks: pl.DataFrame) -> Listing:
    """The ten blocks, and of each the deal that adds most."""
    p = _digits(blocks)
    rows = tuple(
        (
            str(row["block"]),
            number(row["part"], p, signed=True),
            number(row["alone"], 1, signed=True),
            "not recorded" if row["deal"] is None else str(row["deal"]),
            "" if row["deal"] is None else number(row["deal_part"], p, signed=True),
        )
        for row in blocks.iter_rows(named=True)
    )
    columns = ("block", "adds", "its own figure", "deal that adds most", "adds")
    return Listing("Blocks that add most to the claim", columns, rows, shown=True)


def who_made_what(
    hands: pl.DataFrame, made: pl.DataFrame, rules: Variant, *, shown: bool
) -> Listing:
    """Who held what, and what each made of it in every game."""
    rows = [("cards", *map(_unbroken, hands["hand"]))]
    games = [game for _, game in made.group_by("table", "rotation", maintain_order=True)]
    played = [_played(game.row(0, named=True), rules) for game in games]
    same = len(set(played)) == 1
    for game, contract in zip(games, played, strict=True):
        head = f"table {game['table'][0]}, rotation {game['rotation'][0]}"
        cells = [_cell(row, rules) for row in game.iter_rows(named=True)]
        rows.append((head if same else f"{head}: {contract}", *cells))
    what = f"Block {hands['block'][0]}, deal {hands['deal'][0]}" + f", {played[0]}" * same
    caption = f"{what}: who held what, and what each made of it"
    columns = ("game", *(f"seat {seat}" for seat in range(rules.seats)))
    return Listing(caption, columns, tuple(rows), shown)


def _played(row: dict[str, object], rules: Variant) -> str:
    """The contract, and who chose it."""
    named = f" {row['named']}" if row["named"] else ""
    declarer = int(str(row["declarer"]))
    who = f"seat {declarer} declares" if declarer >= 0 else f"seat {row['leader']} leads"
    return f"{title(rules, str(row['contract']))}{named}, {who}"


def _unbroken(hand: str) -> str:
    """A hand that a narrow column breaks between suits only."""
    return "  ".join(suit.replace(" ", NOBREAK) for suit in hand.split("  "))


def _cell(row: dict[str, object], rules: Variant) -> str:
    """Who sat there and what he made, side bets apart."""
    made, side = int(str(row["made"])), int(str(row["side_bets"]))
    bets = f", bets {number(side, 0, signed=True)}" if rules.doubling and side else ""
    return f"{row['entrant']} {number(made, 0, signed=True)}{bets}"


def commands(replay: pl.DataFrame) -> Listing:
    """The commands that play their deals again."""
    p = _digits(replay, "game_part")
    rows = tuple(
        (str(block), number(part, p, signed=True), command)
        for block, command, part in replay.iter_rows()
    )
    caption = "Play these deals again: of each block the games that add most either way"
    return Listing(caption, ("block", "game adds", "command"), rows)
