"""What a variant must fulfil beyond its schema, in the order in which it can be asked.

Every problem is one line, ``key.path: what (and what would be right)``. Later checks build
on earlier ones, so each stage runs only once the one before found nothing.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from engine_ext.rules.checks_cards import deck_problems
from engine_ext.rules.checks_contracts import contract_problems
from engine_ext.rules.checks_game import schedule_problems
from engine_ext.rules.checks_papers import claim_problems, reading_problems
from engine_ext.rules.facts import contract_total, exact_terms, terms_of
from engine_ext.rules.spec import TrickContract, Variant

MAX_SLOTS = 8
"""Items that can be counted in a deal: ``MAX_SLOTS`` of ``policy.h``."""
MAX_POINTS = 100_000
"""As the schema allows for one item, before an inclusion multiplies it."""


def problems(variant: Variant) -> Iterator[str]:
    """Yield what is wrong with a variant that its schema accepts; nothing if it can be played."""
    stages = (
        deck_problems,
        contract_problems,
        _sizes,
        _whole,
        _scores,
        _totals,
        schedule_problems,
        reading_problems,
        claim_problems,
    )
    for stage in stages:
        found = list(stage(variant))
        if found:
            yield from found
            return


def _sizes(variant: Variant) -> Iterator[str]:
    """Check how many items score, by adding up: inclusions of inclusions grow fast."""

    @cache
    def size(name: str) -> int:
        contract = variant.contracts[name]
        if not isinstance(contract, TrickContract):
            return 1
        return len(contract.terms) + sum(size(part.contract) for part in contract.include)

    for name, contract in variant.contracts.items():
        if size(name) == 0:
            yield f"contracts.{name}: nothing scores (give terms or include)"
        shot = isinstance(contract, TrickContract) and contract.shooting is not None
        if size(name) + shot > MAX_SLOTS:
            with_it = ", shooting with them" if shot else ""
            yield (
                f"contracts.{name}: {size(name) + shot} items score{with_it}, "
                f"at most {MAX_SLOTS} can be counted"
            )


def _whole(variant: Variant) -> Iterator[str]:
    """Check that no inclusion leaves a part of a point."""
    for name, contract in variant.contracts.items():
        if not isinstance(contract, TrickContract):
            continue
        for i, part in enumerate(contract.include):
            for term, points in exact_terms(variant, part.contract):
                if points.denominator == 1 and (points * Fraction(part.times)).denominator != 1:
                    yield (
                        f'contracts.{name}.include[{i}].times: "{part.times}" of {points} points '
                        f"for {term.name} is not whole (want a factor that divides evenly)"
                    )


def _scores(variant: Variant) -> Iterator[str]:
    for name, contract in variant.contracts.items():
        if not isinstance(contract, TrickContract):
            continue
        terms = terms_of(variant, name)
        names = [term.name for term in terms]
        if contract.shooting:
            names.append(contract.shooting.name)
        key = f"contracts.{name}"
        for item in sorted({item for item in names if names.count(item) > 1}):
            yield f'{key}: two items are called "{item}" (give each term a name of its own)'
        for term in terms:
            if abs(term.points) > MAX_POINTS:
                yield f"{key}.include: {term.points} points for {term.name}, at most {MAX_POINTS}"


def _totals(variant: Variant) -> Iterator[str]:
    for name, contract in variant.contracts.items():
        comes_out = contract_total(variant, name)
        if contract.total is not None and contract.total != comes_out:
            yield (
                f"contracts.{name}.total: says {contract.total}, but {comes_out} comes out "
                f"(want total = {comes_out}, or other points)"
            )
