"""What came of a tuning, on a terminal of 80 columns."""

import json
import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from engine_ext.rules.totals import totals
from pipeline.cli.output import one_line, print_lines, print_table
from pipeline.tuning.objectives import OBJECTIVES
from pipeline.tuning.outcome import Effect, Figure, Outcome

if TYPE_CHECKING:
    from pipeline.tuning.what_if import Answer, Answers

WIDTH = 79
MOST_DECIMALS = 4
LEAST = 12
"""Characters that a column of words keeps, however wide the others are."""


def tell(outcome: Outcome, files: Sequence[tuple[str, str]], digest: str) -> None:
    """What to change, what it brings, and where it lies; ``files``: what and where."""
    say(outcome.file.title)
    _tell_change(outcome)
    if outcome.effects:
        print()
        _tell_effects(outcome)
    print()
    say(_course(outcome))
    deals = sum(run.deals for run in outcome.runs)
    rows = [*files, ("runs", f"{len(outcome.runs)}, {deals:,} deals"), ("digest", digest)]
    width = max(len(what) for what, _ in rows)
    print()
    for what, where in rows:
        print(f"{what:<{width}}  {where}")


def say(text: str) -> None:
    """A sentence or more, as wide as a terminal."""
    print(textwrap.fill(one_line(text), WIDTH))


def must_hold(outcome: Outcome) -> list[str]:
    """What the file demands of points, with what they add up to under the winner's rules."""
    before, after = totals(outcome.parent), totals(outcome.winner)
    hold = outcome.file.hold
    names = (["game"] if hold.zero_sum else []) + [n for n in hold.totals if n != "game"]
    return [
        f"{_whose(name)} add up to {after[name]}"
        + (f" (before: {before[name]})" if before[name] != after[name] else "")
        for name in names
    ]


def _whose(total: str) -> str:
    if total == "game":
        return "the points of a game"
    if total == "declarer":
        return "the points of one declarer's contracts"
    return f"the points of {total.removeprefix('contracts.')}"


def _tell_change(outcome: Outcome) -> None:
    if not outcome.winner_number:
        print()
        best = outcome.judged_number
        say(
            f"Nothing was found that is surely better than {outcome.parent_name}: no variant file."
            + (f" What follows is the best that was tried, candidate {best}." if best else "")
        )
    settings = _judged_settings(outcome)
    rows = [
        (title, word(before), word(after)) for title, before, after in settings if before != after
    ]
    if rows:
        print()
        head = ("change", "from", "to")
        narrow = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        print_wrapped(head, rows, WIDTH - sum(narrow[1:]) - 4)
    for line in must_hold(outcome):
        say(f"{line[0].upper()}{line[1:]}.")


def _judged_settings(outcome: Outcome) -> list[tuple[str, JsonValue, JsonValue]]:
    """By knob its title, the parent's value and that of the candidate that was judged."""
    judged = next(c for c in outcome.candidates if c.number == outcome.judged_number)
    return [
        (one_line(setting.title), setting.parent, judged.values[setting.knob])
        for setting in outcome.settings
    ]


def word(value: JsonValue) -> str:
    """A value of a key, as it stands in a rule file but for the quotes of words."""
    return one_line(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def print_wrapped(head: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> None:
    """A table whose first column takes several lines where it is wider than ``width``."""
    lines: list[Sequence[str]] = [head]
    for first, *rest in rows:
        pieces = textwrap.wrap(first, max(LEAST, width)) or [""]
        lines.append((pieces[0], *rest))
        lines += [(piece, *("" for _ in rest)) for piece in pieces[1:]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    figures = [False, *(True for _ in head[1:])]
    print_lines(lines, widths, figures)


def _tell_effects(outcome: Outcome) -> None:
    """Parent and winner by objective, with what may be said."""
    rows = [_effect(one) for one in outcome.effects]
    after = "winner" if outcome.winner_number else "best"
    print_table(("objective", "parent", after, "effect", "gap", "verdict"), rows)
    print("(effects on fresh deals; their 95 % intervals hold together)")
    for one in outcome.effects:
        if one.verdict == "within gap":
            say(f"{one.objective}: {_within(one)}")


def _effect(one: Effect) -> tuple[str, ...]:
    places = decimals(one.effect)
    return (
        one.objective,
        number(one.parent.value, places),
        number(one.winner.value, places),
        interval(one.effect, places),
        "" if one.gap is None else number(one.gap.value, places, signed=True),
        one.verdict,
    )


def _within(effect: Effect) -> str:
    assert effect.held is not None, "without it there is no gap"
    held = number(effect.held.value, decimals(effect.effect), signed=True)
    return (
        f"with play held still the effect is {held}; what players change when they adapt is as "
        "large as the effect, so this is no conclusion."
    )


def _course(outcome: Outcome) -> str:
    n, file = len(outcome.candidates) - 1, outcome.file
    how = (
        "reckoned from the parent's stored games"
        if outcome.by == "rescoring"
        else f"each played ({outcome.why_played})"
    )
    frozen = sum(setting.frozen for setting in outcome.settings)
    kept = (
        f" {frozen} of {len(outcome.settings)} knobs move nothing and were left." if frozen else ""
    )
    loss = outcome.judged_loss
    judged = ""
    if loss is not None:
        lost = interval(loss, decimals(loss))
        judged = f" Weighed steps lost against the parent (below 0 is better): {lost}."
    return f"{n} candidates by {file.search.method}, {how}.{kept}{judged}"


def decimals(difference: Figure) -> int:
    """Digits behind the point with which a difference is told: two of half its interval."""
    if difference.low is None or difference.high is None:
        return 3
    half = (difference.high - difference.low) / 2
    return 1 if half <= 0 else min(MOST_DECIMALS, max(0, 1 - math.floor(math.log10(half))))


def number(value: float, places: int, *, signed: bool = False) -> str:
    """A figure; nothing is never -0."""
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    return text if text.strip("+-0.") else f"{0:.{places}f}"


def interval(figure: Figure, places: int) -> str:
    """A difference with its interval: ``-0.12 [-0.20, -0.04]``."""
    value = number(figure.value, places, signed=True)
    if figure.kind == "identical":
        return f"{value} exactly"
    if figure.low is None or figure.high is None:
        return f"{value} [no interval]"
    low, high = (number(x, places, signed=True) for x in (figure.low, figure.high))
    return f"{value} [{low}, {high}]"


def tell_answers(answers: "Answers") -> None:
    """What would become of each objective, and what some of them lack."""
    rows = [row for row in map(_answer, answers.answers) if row is not None]
    if rows:
        print_table(("objective", "parent", "then", "effect", "verdict"), rows)
        say(
            "(95 % intervals that hold together; the same cards fall and the same contracts and "
            "doubles are said, with other points. How players adapt is not in it.)"
        )
    for one in answers.answers:
        if one.missing is not None:
            say(f"{one.objective}: not told: {one.missing}")
    print(f"from    {answers.runs[0]}" if answers.runs else "")
    for run in answers.runs[1:]:
        print(f"        {run}")


def _answer(one: "Answer") -> tuple[str, ...] | None:
    if one.parent is None or one.candidate is None or one.effect is None:
        return None
    places = decimals(one.effect)
    before, after = (number(figure.value, places) for figure in (one.parent, one.candidate))
    return one.objective, before, after, interval(one.effect, places), str(one.verdict)


def tell_objectives() -> None:
    """The registry as a table."""
    head = ("name", "unit", "better")
    rows = [(one.name, one.unit or "none", one.better) for one in OBJECTIVES]
    print_table(head, rows)
    for one in OBJECTIVES:
        print()
        print(textwrap.fill(f"{one.name}: {one.meaning}", WIDTH, subsequent_indent="  "))
