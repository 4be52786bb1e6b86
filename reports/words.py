"""Figures and findings in words: signs, digits, roles, lists."""

import math
from collections.abc import Iterable, Sequence

from engine_ext.rules.spec import ChoiceSchedule, Variant
from pipeline.stats.estimate import KINDS, Estimate

MINUS = "\N{MINUS SIGN}"
MARKED = "* differs from nothing: Benjamini-Hochberg, 5 % of the marks expected false"
"""What a star behind a figure of a table says."""
ORDINALS = ("declarer", "1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")


def digits(estimates: Iterable[Estimate], most: int = 3) -> int:
    """Decimals for a column: two digits of its typical half width."""
    halves = sorted(
        (e.high - e.low) / 2 for e in estimates if e.low is not None and e.high is not None
    )
    halves = [half for half in halves if half > 0]
    if not halves:
        return 1
    return min(most, max(0, 1 - math.floor(math.log10(halves[len(halves) // 2]))))


def number(value: float, decimals: int, signed: bool = False) -> str:
    """A figure with a true minus sign; nothing is never -0."""
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    if not text.strip("+-0."):
        return f"{0:.{decimals}f}"
    return text.replace("-", MINUS)


def percent(value: float, decimals: int = 0) -> str:
    """A share of 1 in per cent."""
    return f"{number(100 * value, decimals)} %"


def whole(value: int) -> str:
    """A count with spaces between thousands, which no language misreads."""
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def interval(e: Estimate, decimals: int, signed: bool = False, scale: float = 1) -> str:
    """The interval alone: ``1.2 to 3.4``; a dash where there is none."""
    if e.low is None or e.high is None:
        return "no interval"
    low, high = (number(scale * x, decimals, signed) for x in (e.low, e.high))
    return f"{low} to {high}"


def figure(e: Estimate, decimals: int, signed: bool = True) -> str:
    """A figure with its interval in brackets, for sentences."""
    return f"{number(e.value, decimals, signed)} ({interval(e, decimals, signed)})"


def share(e: Estimate) -> str:
    """A share with its interval, both in per cent."""
    if e.low is None or e.high is None:
        return f"{percent(e.value)} (no interval)"
    p = digits([e._replace(low=100 * e.low, high=100 * e.high)], most=1)
    return f"{percent(e.value, p)} ({interval(e, p, scale=100)} %)"


def listed(words: Sequence[str], joint: str = "and") -> str:
    """``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"


def counted(n: int, one: str, many: str | None = None) -> str:
    """``1 game``, ``2 games``."""
    return f"{whole(n)} {one if n == 1 else many or one + 's'}"


def uses_note(rules: Variant) -> str:
    """Why there are more choices than contracts, where some may be chosen again."""
    assert isinstance(rules.schedule, ChoiceSchedule)
    uses = rules.schedule.uses
    again = [
        f"{title(rules, contract)} may be chosen {'twice' if n == 2 else f'{n} times'}"
        for contract, n in uses.items()
        if n > 1
    ]
    if not again:
        return ""
    return (
        f" {listed(again)}, so a declarer has {counted(sum(uses.values()), 'choice')} "
        f"among {counted(len(uses), 'contract')}."
    )


def kinds(estimates: Iterable[Estimate]) -> tuple[str, ...]:
    """What the intervals of these are, each kind once, in a fixed order."""
    seen = {e.kind for e in estimates}
    return tuple(text for kind, text in KINDS.items() if kind in seen)


def first_role(rules: Variant) -> str:
    """Who has role 0: the declarer, or the first leader where nobody declares."""
    return "declarer" if isinstance(rules.schedule, ChoiceSchedule) else "leader"


def role_name(rules: Variant, role: int) -> str:
    """A role in playing order after role 0: ``declarer``, ``2nd after``."""
    return first_role(rules) if role == 0 else f"{ORDINALS[role]} after"


def role_words(rules: Variant, role: int) -> str:
    """A role inside a sentence: ``declarer``, ``2nd after the declarer``."""
    first = first_role(rules)
    return first if role == 0 else f"{ORDINALS[role]} after the {first}"


def empty_note(texts: Sequence[Sequence[str]], why: str) -> str:
    """Why cells of a map are empty, if some are."""
    return "" if all(all(row) for row in texts) else f" A cell is empty where {why}."


def better(rules: Variant) -> str:
    """Which way is better, in the document's sign."""
    return "lower is better" if rules.objective == "lowest" else "higher is better"


def sign(rules: Variant) -> int:
    """Factor from stored points, where more is better, to the document's sign."""
    return -1 if rules.objective == "lowest" else 1


def title(rules: Variant, contract: str) -> str:
    """A contract's name for people."""
    return rules.contracts[contract].title
