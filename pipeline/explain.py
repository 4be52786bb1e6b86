"""What strategies thought when they answered, in words for people."""

import textwrap
from collections.abc import Iterator, Sequence

from engine_ext.batch import Rules
from engine_ext.record_names import NO_CARD, Names
from engine_ext.rules.spec import Variant
from strategies.alternatives import Alternative
from strategies.explained import Thought

WIDTH = 80
VERBS = {
    "choose": "names",
    "double": "doubles",
    "redouble": "redoubles",
    "play": "plays",
    "lay": "lays",
}
BETS = ("double", "redouble")


class Teller:
    """Tells thoughts of one variant, points in the document's sign."""

    def __init__(self, variant: Variant, names: Sequence[str]) -> None:
        """``names`` of those who sit there, by seat."""
        self._words = Names(variant, Rules(variant))
        self._names = names

    def tell(self, thoughts: Sequence[Thought]) -> Iterator[str]:
        """Yield who explains himself, then the answers at which something was weighed, the best
        first."""
        told = [thought for thought in thoughts if thought.alternatives]
        for seat in sorted({thought.seat for thought in told}):
            yield from _fill(f"P{seat} is {self._names[seat]}")
        for thought in told:
            ranked = sorted(thought.alternatives, key=lambda one: -one.value)
            weighed = "; ".join(self._weighed(thought.question, one) for one in ranked)
            answer = self.answer(thought.question, thought.answer)
            verb = "" if answer == "pass" else f"{VERBS[thought.question]} "
            yield from _fill(f"P{thought.seat} {verb}{answer}: {weighed}")

    def answer(self, question: str, answer: object) -> str:
        """Return an answer as records have it."""
        if question == "choose":
            return self._words.option(*answer) if isinstance(answer, tuple) else "nothing"
        if question in BETS:
            return " ".join(self._words.seats(answer if isinstance(answer, int) else 0)) or "nobody"
        return self._words.move(answer if isinstance(answer, int) else NO_CARD)

    def _weighed(self, question: str, one: Alternative) -> str:
        what = f"P{one.answer}" if question in BETS else self.answer(question, one.answer)
        value = self._words.rules.numbers.objective * one.value
        error = f" ±{one.error:.2f}" if one.error else ""
        return f"{what} {value:+.2f}{error}"


def _fill(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", break_on_hyphens=False)
