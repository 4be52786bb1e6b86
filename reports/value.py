"""What the sections of a ``value`` study share: its analysis, made once, and words."""

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from engine_ext.cards import Pack
from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.studies.analysis import Analysis, analysed
from pipeline.studies.features import SYMBOLS, rank_word
from pipeline.studies.ways import (
    CHART,
    ENTRANT,
    FLATTERED,
    ORDER,
    PROGRAM,
    PROPHET,
    SURPLUS,
    VALUE,
)
from reports.reading import Reading
from reports.words import number

WAY_NAMES = {
    PROPHET: "a prophet who knows all hands to come",
    FLATTERED: "dynamic program, choosing and valuing by the same deals",
    PROGRAM: "dynamic program",
    SURPLUS: "most above the contract's average",
    CHART: "the chart to learn by heart",
    ENTRANT: "the entrant's own choices",
    VALUE: "most points now",
    ORDER: "any fixed order",
}
"""Ways of choosing, best first as a rule, in words."""
ONE = " (1 or 0)"
"""Ends the name of a count that is one at most."""

_kept: WeakKeyDictionary[Reading, dict[tuple[str, str], Analysis]] = WeakKeyDictionary()


def analysis(run: Reading, variant: str, entrant: str) -> Analysis:
    """The analysis of one entrant's study; sections of a page share it."""
    mine = _kept.setdefault(run, {})
    if (variant, entrant) not in mine:
        mine[variant, entrant] = analysed(run.study(variant, entrant))
    return mine[variant, entrant]


def analyses(run: Reading, variant: str) -> list[Analysis]:
    """That of each entrant, as the run file lists them."""
    return [analysis(run, variant, entrant) for entrant in run.entrants()]


def option_name(rules: Variant, layout: bool, param: int) -> str:
    """A trump suit or a start rank for people."""
    pack = Pack(rules.deck)
    if layout and 0 <= param < len(pack.ranks):
        return rank_word(pack.ranks[param])
    if not layout and 0 <= param < len(pack.suits):
        return SYMBOLS.get(pack.suits[param], pack.suits[param])
    return "no trump" if not layout else str(param)


def plain(value: float, signed: bool = False) -> str:
    """A round figure without needless digits."""
    text = f"{value:+g}" if signed else f"{value:g}"
    return number(value, len(text.partition(".")[2]), signed)


def formula(base: float, weights: Sequence[tuple[str, float]]) -> str:
    """What a chart's line says: a base, and so much for each thing counted."""
    parts = [plain(base)]
    for name, weight in weights:
        said = f"{plain(abs(weight))} × {name}" if abs(weight) != 1 else name
        if name.endswith(ONE):
            said = f"{plain(abs(weight))} for {name.removesuffix(ONE)}"
        parts.append(f"{'+' if weight > 0 else '−'} {said}")
    return " ".join(parts)


def shared(rules: Variant) -> str:
    """What points are, where that is not the declarer's own."""
    schedule = rules.schedule
    if isinstance(schedule, ChoiceSchedule) and schedule.uses_of == "table":
        return (
            "\nThe table shares its contracts, so worth is points ahead of the table's mean, and "
            "what is left is worth something to the seats that choose next as well."
        )
    return ""
