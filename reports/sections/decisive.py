"""Which blocks decided it, and what happened in them?"""

from fractions import Fraction

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.figures import claimed
from pipeline.stats.estimate import Estimate
from pipeline.verdict import opponent
from reports.charts import Series, bars
from reports.deals_told import commands, finding, overview, who_made_what
from reports.frames import frame
from reports.hands import Dealt
from reports.reading import Reading
from reports.reading_blocks import Block, Decisive, Played, deals_of, decisive, parts_of_deals
from reports.reading_blocks import lacks_totals as lacks
from reports.section import Answer, Figure, Tables
from reports.studies import of
from reports.value import option_name
from reports.words import better, sign

MOST_GAMES = 12
"""Games of a block that are told: those that count most."""
EXACT = "contributions are exact sums, not estimates: what happened in these very blocks"
BLOCKS = pl.Schema(
    {
        "block": pl.Int64,
        "claim": pl.String,
        "of_blocks": pl.Int64,
        "value": pl.Float64,
        "part": pl.Float64,
        "alone": pl.Float64,
        "deal": pl.Int64,
        "deal_part": pl.Float64,
    }
)
HANDS = pl.Schema({"block": pl.Int64, "deal": pl.Int64, "seat": pl.Int64, "hand": pl.String})
REPLAY = pl.Schema({"block": pl.Int64, "command": pl.String, "game_part": pl.Float64})
MADE = pl.Schema(
    {
        "block": pl.Int64,
        "deal": pl.Int64,
        "table": pl.Int64,
        "rotation": pl.Int64,
        "contract": pl.String,
        "named": pl.String,
        "declarer": pl.Int64,
        "leader": pl.Int64,
        "game_part": pl.Float64,
        "seat": pl.Int64,
        "entrant": pl.String,
        "made": pl.Int64,
        "side_bets": pl.Int64,
    }
)


class DecisiveBlocks:
    """Which blocks, and which of their deals, moved the claim most?"""

    name = "decisive"
    title = "The blocks that count most"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Single blocks stand in the totals alone."""
        return lacks(run, variant)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``blocks`` (the ten that add most to the claim's figure, either way: ``part``,
        all blocks' parts together are the figure; ``alone``, the figure if all were like it; the
        ``deal`` that adds most of the same sign, and its part), ``hands`` (the cards of these
        deals), ``made`` (what everybody made of them, in the games that count most) and
        ``replay`` (the commands that show them). In the document's sign; exact, no estimates.

        The latter three need the recorded games and deals.
        """
        rules = run.rules(variant)
        found, cards = decisive(run, variant), Dealt(run.config, rules)
        rows: list[dict[str, object]] = []
        hands: list[dict[str, object]] = []
        made: list[dict[str, object]] = []
        if found is None:
            return _framed(rows, hands, made, [])
        files = run.catalog.contents.files
        recorded = bool(files.get("games") and files.get("deals"))
        numbers = [block.number for block in found.most]
        every = deals_of(run, variant, numbers) if recorded else []
        for block in found.most:
            mine = [one for one in every if one.block == block.number]
            row = _block(run, found, block, rules)
            if mine:
                parts = parts_of_deals(run, found, block, mine)
                # The first of those that add most to what the block adds.
                way = 1 if block.part >= 0 else -1
                deal = max(range(len(parts)), key=lambda d: (way * parts[d], -d))
                row |= {"deal": deal, "deal_part": float(sign(rules) * parts[deal])}
                own = [one for one in mine if one.deal == deal]
                made += _made(run, found, block, own, rules)
                hands += [
                    {"block": block.number, "deal": deal, "seat": seat, "hand": _hand(held)}
                    for seat, held in enumerate(cards.by_suit(block.number, deal))
                ]
            rows.append(row)
        return _framed(rows, hands, made, _replay(made, variant))

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Bars of the ten parts, and for each block the deal that counts most."""
        blocks, hands, made = tables["blocks"], tables["hands"], tables["made"]
        lines = [f"block {number}" for number in blocks["block"]]
        # Exact, so without interval.
        parts = [
            Estimate(part, None, None, None, 1, 1, 0.0, "none") for part in blocks["part"].to_list()
        ]
        drawing = bars(lines, [Series("adds", parts)], f"points a game ({better(rules)})")
        caption = (
            "What each of these blocks adds to the claim's figure, points a game: all blocks "
            f"together are the figure; {better(rules)}."
        )
        lists = [overview(blocks)]
        there = [row["block"] for row in blocks.iter_rows(named=True) if row["deal"] is not None]
        for block in there:
            own = (of(hands, block=block), of(made, block=block))
            lists.append(who_made_what(*own, rules, shown=block == there[0]))
        if not made.is_empty():
            lists.append(commands(tables["replay"]))
        return Answer(
            finding(blocks, rules), (Figure(self.name, drawing, caption),), tuple(lists), (EXACT,)
        )


def _framed(*rows: list[dict[str, object]]) -> Tables:
    columns = {"blocks": BLOCKS, "hands": HANDS, "made": MADE, "replay": REPLAY}
    return {name: frame(some, columns[name]) for name, some in zip(columns, rows, strict=True)}


def _block(run: Reading, found: Decisive, block: Block, rules: Variant) -> dict[str, object]:
    return {
        "block": block.number,
        "claim": _claim(run),
        "of_blocks": found.blocks,
        "value": float(sign(rules) * found.value),
        "part": float(sign(rules) * block.part),
        "alone": float(sign(rules) * block.part * found.blocks),
        "deal": None,
        "deal_part": None,
    }


def _claim(run: Reading) -> str:
    """What the figure is, in words."""
    entrant, against = claimed(run.config)
    names = run.entrants()
    other = opponent(run.config, None if against is None else names[against])
    return f"{names[entrant]} less {other}"


def _hand(cards: dict[str, str]) -> str:
    return "  ".join(f"{suit} {ranks}" for suit, ranks in cards.items())


def _made(
    run: Reading, found: Decisive, block: Block, own: list[Played], rules: Variant
) -> list[dict[str, object]]:
    """What everybody made of a deal, seat by seat, in the games that count most."""
    parts = [parts_of_deals(run, found, block, [one])[one.deal] for one in own]
    moved = {one.table for one, part in zip(own, parts, strict=True) if part}
    there = [i for i, one in enumerate(own) if one.table in moved or not moved]
    most = sorted(there, key=lambda i: (-abs(parts[i]), i))[:MOST_GAMES]
    return [row for i in sorted(most) for row in _seats(own[i], sign(rules) * parts[i], rules)]


def _seats(one: Played, part: Fraction, rules: Variant) -> list[dict[str, object]]:
    layout = rules.contracts[one.contract].kind == "layout"
    named = option_name(rules, layout, one.param) if one.param >= 0 else ""
    return [
        {"block": one.block, "deal": one.deal, "table": one.table, "rotation": one.rotation}
        | {"contract": one.contract, "named": named, "declarer": one.declarer}
        | {"leader": one.leader, "game_part": float(part), "seat": seat}
        | {"entrant": one.entrants[seat], "made": sign(rules) * one.points[seat]}
        | {"side_bets": sign(rules) * one.side[seat]}
        for seat in range(rules.seats)
    ]


def _replay(made: list[dict[str, object]], variant: str) -> list[dict[str, object]]:
    """For each block the commands that show the games that count most, either way."""
    found = []
    games = {
        (row["block"], row["deal"], row["table"], row["rotation"]): Fraction(str(row["game_part"]))
        for row in made
    }
    for block in dict.fromkeys(key[0] for key in games):
        mine = sorted((key for key in games if key[0] == block), key=lambda key: games[key])
        for _, deal, table, rotation in dict.fromkeys((mine[-1], mine[0])):
            command = (
                f"barbu replay RUN --variant {variant} --block {block} --table {table} "
                f"--rotation {rotation} --deal {deal} --show"
            )
            part = float(games[block, deal, table, rotation])
            found.append({"block": block, "command": command, "game_part": part})
    return found
