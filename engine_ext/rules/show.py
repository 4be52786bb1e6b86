"""A variant in plain words, for a player to hold against the document.

Points are told in the document's own sign.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence

from engine_ext.cards import Pack
from engine_ext.rules import words
from engine_ext.rules.checks_game import reading_values, value_at
from engine_ext.rules.facts import n_deals
from engine_ext.rules.house import differences
from engine_ext.rules.show_contracts import contracts_in_words, player
from engine_ext.rules.spec import (
    ChoiceSchedule,
    Contract,
    FixedSchedule,
    TrickContract,
    Variant,
)
from engine_ext.rules.totals import Check, check

WIDTH = 80
CODES = (
    "Codes: 000 to 004 are the documents; A10, B5, C4 or D6 a rule of one and 2.17 a question "
    "that one leaves open, as numbered in the dossier from which these files were written."
)
DOCUMENT = re.compile(r"\b00\d\b")
"""A document's number: what it says is told with the codes of the dossier."""


def show(variant: Variant, ancestors: Sequence[Variant] = ()) -> str:
    """Return the rules of a variant as text of at most 80 columns, without an end of line.

    ``ancestors`` are the variants that it extends in turn, as ``load_lineage`` gives them;
    what is not as in the last of them is marked.
    """
    base = ancestors[-1] if ancestors else None
    blocks = [variant.title, "=" * len(variant.title), f"From {variant.source}."]
    blocks = ["\n".join(blocks[:2]), _fill(blocks[2])]
    for head, paragraphs in (
        ("House rules", list(_house(variant, base)) if base else []),
        ("The game", [" ".join(part) for part in (_table(variant), _order(variant))]),
        (
            "The contracts",
            [
                f"{_fill(head)}\n{_fill(body, '  ')}"
                for head, body in contracts_in_words(variant, base)
            ],
        ),
        ("Doubling", [" ".join(_doubling(variant))] if variant.doubling else []),
        ("Readings, where the document is not clear", list(_readings(variant))),
        ("Rules of the document that are left out", list(map(_point, variant.not_covered))),
        ("Totals", [" ".join(_totals(check(variant, ancestors))), *_claims(variant, ancestors)]),
    ):
        if paragraphs:
            blocks.append(f"{head}\n{'-' * len(head)}")
            blocks += [text.rstrip("\n") if "\n" in text else _fill(text) for text in paragraphs]
    text = "\n\n".join(blocks)
    return f"{text}\n\n{_fill(CODES)}" if DOCUMENT.search(text) else text


def _house(variant: Variant, base: Variant) -> Iterator[str]:
    lines = differences(variant, base)
    yield f'This file follows "{base.title}" and changes {"these keys:" if lines else "no rule."}'
    if lines:
        yield "\n".join(_fill(line, "    ", "- ") for line in lines) + "\n"


def _point(text: str) -> str:
    return _fill(text, "  ", "- ") + "\n"


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
    if any(isinstance(contract, TrickContract) for contract in _played(variant)):
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
        yield f"Seat 0 deals first; the deal passes on {_onward(variant)} after each deal."
        yield f"{player(schedule.leader).capitalize()} {_begins(variant)}."
        return
    counts = [titles[name] + _more(n) for name, n in schedule.uses.items()]
    yield (
        "Each player is declarer for every contract in the order of his choice: "
        f"{'; '.join(counts)}. He names it with the cards of the deal in hand."
    )
    row = schedule.dealership
    yield (
        f"Seat 0 is declarer first. The next player {_onward(variant)} is declarer after "
        f"{'each deal' if row == 1 else f'{words.number(row)} deals in a row'}."
    )
    dealer, leader = player(schedule.dealer), player(schedule.leader)
    both = " and" if dealer == leader else f"; {leader}"
    yield f"{dealer.capitalize()} deals{both} {_begins(variant)}."


def _begins(variant: Variant) -> str:
    tricks = any(isinstance(contract, TrickContract) for contract in _played(variant))
    return "leads to the first trick" if tricks else "moves first"


def _played(variant: Variant) -> list[Contract]:
    """Return the contracts of the schedule; others only serve to be included."""
    schedule = variant.schedule
    names = schedule.sequence if isinstance(schedule, FixedSchedule) else schedule.uses
    return [variant.contracts[name] for name in names]


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
        if schedule.dealership == 1:
            yield "In each deal each other player has to double the declarer."
        else:
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


def _totals(held: Check) -> Iterator[str]:
    sums = held.totals
    if "declarer" in sums:
        yield f"All contracts of one declarer add up to {words.signed(sums['declarer'])}."
    game, plus, minus = (
        words.signed(sums[key]) for key in ("game", "gross_positive", "gross_negative")
    )
    yield f"The game adds up to {game}: {plus} and {minus}."
    if held.claims:
        right = sum(claim.ok for claim in held.claims)
        moved = sum(claim.changed and not claim.ok for claim in held.claims)
        house = f", {moved} {'is' if moved == 1 else 'are'} changed by this file" if moved else ""
        yield f"Of {len(held.claims)} printed totals {right} come out{house}."


def _claims(variant: Variant, ancestors: Sequence[Variant]) -> Iterator[str]:
    for claim in check(variant, ancestors).claims:
        if claim.changed and not claim.ok:
            text = f"{claim.what}: changed by this file, there {claim.stated}, here"
            yield _point(f"{text} {claim.comes_out}. [{claim.source}]")
        elif not claim.ok:
            note = f" {claim.note}" if claim.note else ""
            text = f"{claim.what}: printed {claim.stated}, but {claim.comes_out} comes out."
            yield _point(f"{text}{note} [{claim.source}]")
