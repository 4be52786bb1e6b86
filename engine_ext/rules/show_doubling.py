"""Side bets in plain words."""

from collections.abc import Iterator

from engine_ext.rules import words
from engine_ext.rules.facts import fewest_declared
from engine_ext.rules.spec import Doubling, Variant

AFTER = {
    "force": ", and must as soon as the deals left would not suffice",
    "penalty": ", or gets {points} for each double that lacks after the declarer's last deal",
    "none": "",
}
"""What follows where the declarer was not doubled as often as he has to be."""


def doubling(variant: Variant) -> Iterator[str]:
    """Yield the rules of the side bets, then their source in brackets; nothing without them."""
    rules = variant.doubling
    if rules is None:
        return
    yield (
        "Once the contract is named, each player in turn, the declarer last, may double others: "
        "a bet on who of the two does better in this deal."
    )
    if rules.rounds == 2:
        yield "In a second round who was doubled after he had spoken may double back."
    yield from _targets(rules)
    single = (
        "If one of two doubled the other, the better takes the difference of their points of "
        "the deal from the worse"
    )
    yield f"{single}; if both did, twice the difference." if rules.redoubles else f"{single}."
    if rules.duty:
        yield _duty(variant, rules)
    if rules.undoubled == "split":
        yield (
            "A negative contract that nobody doubles is not played: each of the others gets an "
            "equal part of its points, raised to the next whole number in size, and the declarer "
            "what makes the total right."
        )
    yield f"[{rules.source}]"


def _targets(rules: Doubling) -> Iterator[str]:
    whom = {"anyone": "anyone", "declarer": "the declarer only", "nobody": "nobody"}
    negative, positive = whom[rules.in_negative], whom[rules.in_positive]
    if negative == positive:
        yield f"The others may double {negative}."
    else:
        yield f"In negative and mixed contracts the others may double {negative},"
        yield f"in positive ones {positive}."
    if rules.declarer == "doublers":
        yield "The declarer may double only those who doubled him."
    else:
        yield "The declarer may not double."
    if not rules.redoubles:
        yield "Nobody doubles back."


def _duty(variant: Variant, rules: Doubling) -> str:
    """Return how often the declarer has to be doubled, and what if he is not."""
    own = fewest_declared(variant)
    after = AFTER[rules.duty_enforced].format(points=words.signed(rules.duty_penalty))
    if own == rules.duty and rules.duty_enforced != "penalty":
        return "In each deal each other player has to double the declarer."
    return (
        f"In the {words.number(own)} deals of a declarer each other player has to double him at "
        f"least {words.times(rules.duty)}{after}."
    )
