"""A claim and its verdict in words: what is compared, what came out, how it was to end."""

from typing import Any

from engine_ext.rules.spec import Variant
from pipeline.config import RunConfig
from pipeline.stats.estimate import Estimate
from pipeline.verdict import said_of
from reports.words import MINUS, counted, digits, figure, listed, percent, whole

Row = dict[str, Any]
"""The row of table ``verdict/verdict`` by column."""

MOST_NAMES = 6
"""Names in a list; of more only how many there are."""

EXPLORED = (
    "Only this was said before anything was played; the rest of the page is exploration, and "
    "what stands out there is a question for another run."
)


def field(config: RunConfig) -> str:
    """Whom an entrant meets at its tables."""
    names = [one.label for one in config.entrants]
    others = names[1:]
    if config.design == "candidates":
        field = listed(config.field)
        return f"{field} in all other seats" if len(config.field) == 1 else f"{field}, a seat each"
    if config.design == "gauntlet":
        many = f"{names[0]} in one seat, in all others {_some(others, 'or')}"
        if config.invasions == "both":
            many += "; and each of these in one seat, the others at the table "
            many += f"{names[0]}"
        return many
    if config.design == "mix":
        heads = [str(h) for h in config.heads] or ["1 to all but one"]
        return f"{names[0]} in {listed(heads, 'or')} of the seats, in the others {_some(others)}"
    if config.design == "round_robin":
        return f"{counted(len(names), 'entrant')} at tables of ever new company"
    if config.design == "lineups":
        return f"the {counted(len(config.lineups), 'line-up')} of the run file"
    order = "all in each block" if config.design == "full" else "in turn"
    return f"{_some(names)} at one table, neighbour-balanced circular orders {order}"


def _some(names: list[str], joint: str = "and") -> str:
    if len(names) > MOST_NAMES:
        return f"one of {counted(len(names), 'entrant')}"
    return listed(names, joint)


def ending(config: RunConfig, variants: int) -> str:
    """How the run was to end, as it was declared."""
    stop = config.stop
    if stop is None:
        return f"after {counted(config.blocks, 'block')}, fixed beforehand"
    looked = f"looked at every {whole(stop.look)} blocks, at most {whole(config.blocks)}"
    if variants > 1:
        looked += f"; the {variants} variants share the error probability {percent(stop.alpha, 0)}"
    if stop.rule == "sprt":
        unit = "points a game" if stop.unit == "points" else "standard deviations of a block"
        return (
            f"by a sequential test of {_plain(stop.delta0)} against {_plain(stop.delta1 or 0.0)} "
            f"{unit} in its favour, {looked}"
        )
    if stop.rule == "width":
        return f"once the interval is {_plain(stop.width or 0.0)} to either side, {looked}"
    if stop.rule == "race":
        return f"by a race: who is surely not the best is dropped, {looked}"
    return f"once the interval tells, {looked}"


def _plain(value: float) -> str:
    return f"{value:g}".replace("-", MINUS)


def finding(row: Row, e: Estimate, rules: Variant) -> str:
    """The verdict in sentences, with what it does not promise."""
    p = digits([e])
    value = f"{figure(e, p)} points a game on {counted(e.blocks, 'block')}"
    lower = ", lower is better" if rules.objective == "lowest" else ""
    lines = []
    said = said_of(row["decision"], row["entrant"], row["compared"], row["race"])
    if row["final"]:
        against = f"; against {row['compared']}" if row["race"] else ""
        lines.append(f"{said}{against}: {value}{lower}.")
    else:
        so_far = "" if row["decision"] == "open" else f", and {said} whatever is still to come"
        lines.append(f"No verdict yet: the run is not finished. So far {value}{lower}{so_far}.")
    if row["decision"] == "open":
        lines.append(_open(row))
    if row["attempt"] > 1:
        lines.append(_attempts(row))
    if not row["declared"]:
        lines.append(
            f"No claim was declared, so this is {row['entrant']}, the first that may be asked "
            f"about, against {row['compared']}."
        )
    lines.append(EXPLORED)
    return "\n".join(lines)


def _open(row: Row) -> str:
    """What it would take."""
    halve, settle = row["halve"], row["settle"]
    if halve is None:
        return "Its blocks tell of no error."
    told = f"{whole(halve)} blocks in all would make the interval half as wide"
    if settle is not None:
        told = (
            f"If the difference is what it seems, about {whole(settle)} blocks in all would "
            f"decide it; {told}"
        )
    return f"{told}."


def _attempts(row: Row) -> str:
    attempt, alpha = row["attempt"], row["alpha"]
    spent = f"{min(1.0, attempt * alpha):.2g}"
    return (
        f"This is attempt {attempt} at this question. Each may go wrong by chance with "
        f"probability {alpha:.2g}, one of all {attempt} with up to {spent}: who tries until "
        "something comes out finds something."
    )
