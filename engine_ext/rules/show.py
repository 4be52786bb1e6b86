"""A variant in plain words, for a player to hold against the document.

Points are told in the document's own sign.
"""

import textwrap
from collections.abc import Iterator

from engine_ext.cards import Pack
from engine_ext.rules import words
from engine_ext.rules.checks_game import reading_values, value_at
from engine_ext.rules.facts import n_deals
from engine_ext.rules.show_contracts import contracts_in_words, player
from engine_ext.rules.spec import (
    ChoiceSchedule,
    FixedSchedule,
    TrickContract,
    Variant,
)
from engine_ext.rules.totals import check

WIDTH = 80


def show(variant: Variant) -> str:
    """Return the rules of a variant as text of at most 80 columns, without an end of line."""
    blocks = [variant.title, "=" * len(variant.title), f"From {variant.source}."]
    blocks = ["\n".join(blocks[:2]), _fill(blocks[2])]
    for head, paragraphs in (
        ("The game", [" ".join(part) for part in (_table(variant), _order(variant))]),
        (
            "The contracts",
            [f"{_fill(head)}\n{_fill(body, '  ')}" for head, body in contracts_in_words(variant)],
        ),
        ("Doubling", [" ".join(_doubling(variant))] if variant.doubling else []),
        ("Readings, where the document is not clear", list(_readings(variant))),
        ("Totals", [" ".join(_totals(variant)), *_claims(variant)]),
    ):
        if paragraphs:
            blocks.append(f"{head}\n{'-' * len(head)}")
            blocks += [text if "\n" in text else _fill(text) for text in paragraphs]
    return "\n\n".join(blocks)


def _fill(text: str, indent: str = "", first: str | None = None) -> str:
    start = indent if first is None else first
    return textwrap.fill(
        text, WIDTH, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False
    )


def _table(variant: Variant) -> Iterator[str]:
    pack = Pack(variant.deck)
    deals = n_deals(variant)
    turn = "clockwise" if variant.direction == "clockwise" else "counter-clockwise"
    best, bad = ("lowest", "plus") if variant.objective == "lowest" else ("highest", "minus")
    yield f"{words.number(variant.seats).capitalize()} players, each alone, play {deals} deals."
    yield f"The {best} total wins, so {bad} points are bad; equal totals share the win."
    ranks = " ".join("10" if r == "T" else r for r in reversed(pack.ranks))
    suits = words.listed([f"{words.suit(letter)}s" for letter in pack.suits])
    removed = words.listed([f"the {words.card(name)}" for name in variant.deck.remove])
    without = f", without {removed}" if removed else ""
    yield f"The pack has {pack.size} cards, {ranks} (high to low) in {suits}{without};"
    yield f"each player is dealt {pack.size // variant.seats}. Everything goes {turn}."
    if any(isinstance(contract, TrickContract) for contract in variant.contracts.values()):
        yield (
            "In tricks, follow the suit led if you can, otherwise play any card; the highest "
            "card of the suit led takes the trick and its player leads the next. Other rules "
            "of a contract stand with it."
        )


def _order(variant: Variant) -> Iterator[str]:
    schedule = variant.schedule
    titles = {name: contract.title for name, contract in variant.contracts.items()}
    if isinstance(schedule, FixedSchedule):
        yield "The contracts are played in this order:"
        yield "; ".join(titles[name] for name in schedule.sequence) + "."
        yield f"The deal passes on {_onward(variant)} after each deal."
        yield f"{player(schedule.leader).capitalize()} leads to the first trick."
        return
    counts = [titles[name] + _more(n) for name, n in schedule.uses.items()]
    yield (
        "Each player is declarer for every contract in the order of his choice: "
        f"{'; '.join(counts)}. He names it with the cards of the deal in hand."
    )
    row = schedule.dealership
    yield (
        f"The next player {_onward(variant)} is declarer after "
        f"{'each deal' if row == 1 else f'{words.number(row)} deals in a row'}."
    )
    dealer, leader = player(schedule.dealer), player(schedule.leader)
    yield f"{dealer.capitalize()} deals; {leader} leads to the first trick."


def _more(n: int) -> str:
    return "" if n == 1 else f" ({words.times(n)})"


def _onward(variant: Variant) -> str:
    return "to the left" if variant.direction == "clockwise" else "to the right"


def _doubling(variant: Variant) -> Iterator[str]:
    doubling = variant.doubling
    assert doubling is not None
    yield (
        "Once the contract is named, each player in turn, the declarer last, may double others: "
        "a bet on who of the two does better in this deal."
    )
    whom = {"anyone": "anyone", "declarer": "the declarer only", "nobody": "nobody"}
    yield f"In negative and mixed contracts the others may double {whom[doubling.in_negative]},"
    yield f"in positive ones {whom[doubling.in_positive]}."
    if doubling.declarer == "doublers":
        yield "The declarer may double only those who doubled him."
    else:
        yield "The declarer may not double."
    yield (
        "If one of two doubled the other, the better takes the difference of their points of "
        "the deal from the worse; if both did, twice the difference."
    )
    if doubling.duty:
        schedule = variant.schedule
        assert isinstance(schedule, ChoiceSchedule)
        forced = ", and must as soon as the deals left would not suffice"
        yield (
            f"In the {words.number(schedule.dealership)} deals of a declarer each other player "
            f"has to double him at least {words.times(doubling.duty)}"
            f"{forced if doubling.duty_enforced == 'force' else ''}."
        )
    yield f"[{doubling.source}]"


def _readings(variant: Variant) -> Iterator[str]:
    for reading in variant.readings:
        keys = [f"{key} = {_value(value_at(variant, key))}" for key, _ in reading_values(reading)]
        lines = [_fill(f"{reading.why} [{reading.issue}; {reading.source}]", "  ", "- ")]
        lines += [_fill(key, "      ", "    ") for key in keys]
        yield "\n".join(lines)


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _totals(variant: Variant) -> Iterator[str]:
    sums = check(variant).totals
    if "declarer" in sums:
        yield f"All contracts of one declarer add up to {words.signed(sums['declarer'])}."
    game, plus, minus = (
        words.signed(sums[key]) for key in ("game", "gross_positive", "gross_negative")
    )
    yield f"The game adds up to {game}: {plus} and {minus}."
    claims = check(variant).claims
    if claims:
        right = sum(claim.ok for claim in claims)
        yield f"Of {len(claims)} printed totals {right} come out."


def _claims(variant: Variant) -> Iterator[str]:
    for claim in check(variant).claims:
        if not claim.ok:
            note = f" {claim.note}" if claim.note else ""
            text = f"{claim.what}: printed {claim.stated}, but {claim.comes_out} comes out."
            yield _fill(f"{text}{note} [{claim.source}]", "  ", "- ") + "\n"
