"""How a game ends and what a revoke costs, in plain words."""

from collections.abc import Iterator

from engine_ext.rules import words
from engine_ext.rules.spec import ChoiceSchedule, ExtraDeals, Revokes, Variant


def ties(variant: Variant) -> Iterator[str]:
    """Yield what happens when several are first together, as sentences."""
    rules = variant.ties
    if not isinstance(rules, ExtraDeals):
        yield "Equal totals share the win."
        return
    title = variant.contracts[rules.contract].title
    most = "at most once" if rules.at_most == 1 else f"at most {words.times(rules.at_most)}"
    yield (
        f'If several are first together in the end, an extra deal of "{title}" is played, deal '
        f"and lead passing on as before, and another as long as they are tied, {most}."
    )
    if variant.doubling:
        yield "Nobody doubles in it."
    if rules.eligible == "all":
        yield "It counts for all alike: whoever has the best total then is first."
    else:
        yield (
            "All play, but only those who were first together can win: of them the best total "
            "is first, and all others come behind by their totals."
        )
    yield "Who is still tied after that shares the win."


def revokes(variant: Variant) -> Iterator[str]:
    """Yield what a card costs that does not follow suit, as sentences; nothing without honour."""
    rules = variant.legality
    if not isinstance(rules, Revokes):
        return
    yield (
        "In tricks players follow suit on their honour: who plays another suit though he could "
        "follow has revoked, whether he meant to or not."
    )
    if rules.proof == "end_of_deal":
        yield "A revoke is proved after the last trick, when all is shown; of several the first."
    else:
        yield (
            "A revoke is proved when the same player later plays a card of the suit that he "
            "withheld; the deal stops at that card, and the trick counts for nobody."
        )
    yield f"{_price(variant, rules)} {_rest(rules)}"
    yield _next(variant, rules)
    if any(getattr(contract, "lead_ban", None) for contract in variant.contracts.values()):
        if rules.lead_ban_breach == "rejected":
            yield "A banned card that is led is no revoke; it is not accepted."
        else:
            when = "when all is shown" if rules.proof == "end_of_deal" else "at once"
            yield f"Leading a banned card with another in hand is a revoke too, proved {when}."
    yield "A card that breaks another duty is not accepted, and a layout knows no revokes."


def _price(variant: Variant, rules: Revokes) -> str:
    whole = "what the whole table gets in the contract"
    if rules.sign == "worsens":
        sign = "plus" if variant.objective == "lowest" else "minus"
        return f"It costs its player {whole}, always against him: {sign} points."
    if rules.sign == "literal_minus":
        return f"Its player has {whole} taken off his total, whatever its sign."
    return f"Its player gets {whole}, with its own sign."


def _rest(rules: Revokes) -> str:
    if rules.other_scores == "void":
        return "Nothing else of the deal counts for anybody."
    return "What has been taken so far counts as well."


def _next(variant: Variant, rules: Revokes) -> str:
    if rules.then == "next_deal":
        return "Then the next deal begins; the contract is not played again."
    if isinstance(variant.schedule, ChoiceSchedule):
        how = "by the same declarer with new cards"
    else:
        how = "in the next deal, with the next dealer and leader"
    return f"Then the contract is played again {how}, up to as often as a game has deals."
