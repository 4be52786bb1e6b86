"""What one variant changes against another, in words that players use."""

from collections.abc import Iterator
from dataclasses import dataclass

from engine_ext.rules.show import fill, sentences
from engine_ext.rules.spec import Variant
from engine_ext.rules.totals import totals


@dataclass(frozen=True, slots=True)
class Change:
    """A part of the rules that is not the same."""

    part: str
    """``The game``, ``Doubling``, or a contract's heading."""
    here: tuple[str, ...]
    """Sentences that hold here only."""
    there: tuple[str, ...]
    """Sentences that hold there only."""


def changes(here: Variant, there: Variant) -> Iterator[Change]:
    """Yield each part that is told otherwise, with what only one of the two says."""
    new, old = _by_name(here), _by_name(there)
    for name, (head, told) in new.items():
        before = old.get(name, ("", []))[1]
        added = tuple(text for text in told if text not in before)
        gone = tuple(text for text in before if text not in told)
        if name not in old:
            yield Change(f"{head}: new", tuple(told), ())
        elif added or gone:
            yield Change(head, added, gone)
    for name, (head, told) in old.items():
        if name not in new:
            yield Change(f"{head}: taken away", (), tuple(told))


def _by_name(variant: Variant) -> dict[str, tuple[str, list[str]]]:
    """Return the parts by name; a contract's heading may change without a change of rules."""
    parts = {}
    for head, told in sentences(variant).items():
        name, colon, title = head.partition(": ")
        parts[name] = (title if colon else head, told)
    return parts


def moved(here: Variant, there: Variant) -> dict[str, tuple[int | None, int | None]]:
    """Return the totals that are not the same, here and there; None where one has it not."""
    new, old = totals(here), totals(there)
    names = [*new, *(name for name in old if name not in new)]
    pairs = {name: (new.get(name), old.get(name)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def in_words(here: Variant, there: Variant) -> str:
    """Return the changes as text of at most 80 columns, without an end of line."""
    blocks = [fill(f'"{here.title}" against "{there.title}"')]
    for change in changes(here, there):
        lines = [fill(change.part)]
        for word, told in (("here", change.here), ("there", change.there)):
            if told:
                lines.append(fill(" ".join(told), " " * 8, f"  {word:<6}"))
        blocks.append("\n".join(lines))
    if len(blocks) == 1:
        blocks.append("The rules are told in the same words.")
    return "\n\n".join(blocks)
