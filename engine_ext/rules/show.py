"""A variant in plain words, for a player to hold against the document.

Points are told in the document's own sign.
"""

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from engine_ext.cards import Pack
from engine_ext.rules import words
from engine_ext.rules.checks_papers import reading_values, value_at
from engine_ext.rules.facts import n_deals
from engine_ext.rules.house import differences
from engine_ext.rules.show_contracts import contracts_in_words, player
from engine_ext.rules.show_doubling import doubling
from engine_ext.rules.show_ends import revokes, ties
from engine_ext.rules.spec import (
    Contract,
    FixedSchedule,
    TrickContract,
    Variant,
)
from engine_ext.rules.totals import Check, ClaimChecked, check

WIDTH = 80
CODES = (
    "Codes: 000 to 004 are the documents; A10, B5, C4 or D6 a rule of one and 2.17 a question "
    "that one leaves open, as numbered in the dossier from which these files were written."
)
DOCUMENT = re.compile(r"\b00\d\b")
"""A document's number: what it says is told with the codes of the dossier."""


def show(variant: Variant, ancestors: Sequence[Variant] = (), base: Variant | None = None) -> str:
    """Return the rules of a variant as text of at most 80 columns, without an end of line.

    ``ancestors`` are the variants that it extends in turn, as ``load_lineage`` gives them.
    ``base`` is the shipped one that a house's own file changes, as ``load_base`` gives it;
    what is not as there is marked as a house rule.
    """
    blocks = [variant.title, "=" * len(variant.title), f"From {variant.source}."]
    blocks = ["\n".join(blocks[:2]), fill(blocks[2])]
    for head, paragraphs in (
        ("House rules", list(_house(variant, base)) if base else []),
        ("The game", [" ".join(part) for part in (_table(variant), _order(variant))]),
        (
            "The contracts",
            [
                f"{fill(head)}\n{fill(body, '  ')}"
                for head, body in contracts_in_words(variant, base)
            ],
        ),
        ("Doubling", list(filter(None, [" ".join(doubling(variant))]))),
        ("Revokes", list(filter(None, [" ".join(revokes(variant))]))),
        ("Readings, where the document is not clear", list(_readings(variant))),
        ("Rules of the document that are left out", list(map(_point, variant.not_covered))),
        ("Totals", list(_totals(variant, check(variant, ancestors)))),
    ):
        if paragraphs:
            blocks.append(f"{head}\n{'-' * len(head)}")
            blocks += [text.rstrip("\n") if "\n" in text else fill(text) for text in paragraphs]
    text = "\n\n".join(blocks)
    return f"{text}\n\n{fill(CODES)}" if DOCUMENT.search(text) else text


def sentences(variant: Variant) -> dict[str, list[str]]:
    """Return the rules by part, sentence by sentence: the game, each contract, the side bets."""
    parts = {"The game": _apart(" ".join([*_table(variant), *_order(variant)]))}
    bodies = contracts_in_words(variant, None)
    for (head, body), name in zip(bodies, variant.contracts, strict=True):
        # A source is no rule.
        parts[f"{name}: {head}"] = _apart(body.partition(f" [{name}: ")[0])
    if variant.doubling:
        texts = [text for text in doubling(variant) if not text.startswith("[")]
        parts["Doubling"] = _apart(" ".join(texts))
    return parts


def _apart(text: str) -> list[str]:
    return re.findall(r"\S.*?(?:\.(?= |$)|$)", text)


def _house(variant: Variant, base: Variant) -> Iterator[str]:
    lines = differences(variant, base)
    yield f'This file follows "{base.title}" and changes {"these keys:" if lines else "no rule."}'
    if lines:
        yield "\n".join(fill(line, "    ", "- ") for line in lines) + "\n"


def _point(text: str) -> str:
    return fill(text, "  ", "- ") + "\n"


def fill(text: str, indent: str = "", first: str | None = None) -> str:
    """Return a text broken into lines of at most 80 columns; ``first`` begins the first one."""
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
    end = " ".join(ties(variant))
    if end.startswith("Equal"):
        yield f"The {best} total wins, so {bad} points are bad; {end[0].lower()}{end[1:]}"
    else:
        yield f"The {best} total wins, so {bad} points are bad. {end}"
    ranks = " ".join("10" if r == "T" else r for r in reversed(pack.ranks))
    suits = words.listed([f"{words.suit(letter)}s" for letter in pack.suits])
    removed = words.listed(_removed(variant))
    without = f", without {removed}" if removed else ""
    packs = "Two packs are shuffled together:" if pack.copies == 2 else "The pack has"
    yield f"{packs} {pack.size} cards, {ranks} (high to low) in {suits}{without};"
    yield f"each player is dealt {pack.size // variant.seats}. Everything goes {turn}."
    if any(isinstance(contract, TrickContract) for contract in _played(variant)):
        yield (
            "In tricks, follow the suit led if you can, otherwise play any card; the highest "
            "card of the suit led takes the trick and its player leads the next. Other rules "
            "of a contract stand with it."
        )
        if pack.copies == 2:
            which = "later" if variant.deck.identical == "last_wins" else "earlier"
            yield f"Of two cards alike in a trick the one played {which} ranks higher."


def _removed(variant: Variant) -> list[str]:
    """Return the cards taken out in words; with two packs, how many of each."""
    names = variant.deck.remove
    if variant.deck.copies == 1:
        return [f"the {words.card(name)}" for name in names]
    return [
        f"{'both cards' if names.count(name) == 2 else 'one card'} of the name {words.card(name)}"
        for name in dict.fromkeys(names)
    ]


def _order(variant: Variant) -> Iterator[str]:
    schedule = variant.schedule
    titles = {name: contract.title for name, contract in variant.contracts.items()}
    if isinstance(schedule, FixedSchedule):
        yield "The contracts are played in this order:"
        runs = [(titles[name], len(list(same))) for name, same in groupby(schedule.sequence)]
        yield "; ".join(title + _more(n) for title, n in runs) + "."
        yield f"Seat 0 deals first; the deal passes on {_onward(variant)} after each deal."
        leader = player(schedule.leader)
        if schedule.holds is not None:
            leader = f"whoever was dealt the {words.card(schedule.holds)}"
        yield f"{leader.capitalize()} {_begins(variant)}."
        return
    counts = [titles[name] + _more(n) for name, n in schedule.uses.items()]
    if schedule.uses_of == "declarer":
        yield (
            "Each player is declarer for every contract in the order of his choice: "
            f"{'; '.join(counts)}. He names it with the cards of the deal in hand."
        )
    else:
        yield (
            "The declarer chooses among the contracts that the table has not played yet: "
            f"{'; '.join(counts)}. He names one with the cards of the deal in hand."
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


def _readings(variant: Variant) -> Iterator[str]:
    for reading in variant.readings:
        keys = [f"{key} = {_value(value_at(variant, key))}" for key, _ in reading_values(reading)]
        lines = [fill(f"{reading.why} [{reading.issue}; {reading.source}]", "  ", "- ")]
        lines += [fill(key, "      ", "    ") for key in keys]
        yield "\n".join(lines)


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _totals(variant: Variant, held: Check) -> Iterator[str]:
    """Yield what the points add up to, and then each printed total that does not come out."""
    sums, told = held.totals, []
    if "declarer" in sums:
        told.append(f"All contracts of one declarer add up to {words.signed(sums['declarer'])}.")
    game, plus, minus = (
        words.signed(sums[key]) for key in ("game", "gross_positive", "gross_negative")
    )
    shot = any(getattr(contract, "shooting", None) for contract in _played(variant))
    unless = ", unless one player takes all as told in a deal" if shot else ""
    told.append(f"The game adds up to {game}: {plus} and {minus}{unless}.")
    if held.claims:
        right = sum(claim.ok for claim in held.claims)
        moved = sum(claim.changed and not claim.ok for claim in held.claims)
        house = f", {moved} {'is' if moved == 1 else 'are'} changed by this file" if moved else ""
        told.append(f"Of {len(held.claims)} printed totals {right} come out{house}.")
    yield " ".join(told)
    yield from (_point(_claim(claim)) for claim in held.claims if not claim.ok)


def _claim(claim: ClaimChecked) -> str:
    if claim.changed:
        text = f"changed by this file, there {claim.stated}, here {claim.comes_out}."
    else:
        text = f"printed {claim.stated}, but {claim.comes_out} comes out."
        text += f" {claim.note}" if claim.note else ""
    return f"{claim.what}: {text} [{claim.source}]"
