"""How many ways a deal can be played: engine, slow twin and a table say the same.

``perft.txt`` has a few deals of tiny packs under every kind of rule. The engine goes
through all lines of legal play by its own loop, the twin by recursion over its own rules.
Where rules changed on purpose: ``UPDATE_GOLDEN=1 pytest tests/exact/test_perft.py`` writes
the twin's numbers.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.position import lines_of
from engine_ext.rules.checks import problems
from engine_ext.rules.spec import Variant
from tests.exact.tiny import HEARTS, Contract, every_deal, layout, setup, tricks, variant_of
from tests.exact.twin_lines import Counts, Lines

FILE = Path(__file__).parent / "perft.txt"
TOP = {"cards": ("5H",)}
THREE_AND_FIVE = {"ranks": ("3", "5")}
TRICK_RULES: dict[str, Contract] = {
    "tricks": tricks({"per": "trick"}),
    "first and last trick": tricks({"per": "trick_at", "tricks": (1, -1)}),
    "last two tricks": tricks(
        {"per": "trick_at", "tricks": (-2,)}, {"per": "trick_at", "tricks": (-1,), "points": 2}
    ),
    "hearts": tricks({"per": "card", "of": HEARTS}),
    "hearts, not to be led": tricks({"per": "card", "of": HEARTS}, lead_ban={"cards": HEARTS}),
    "hearts, not to be led, ends when all are taken": tricks(
        {"per": "card", "of": HEARTS}, lead_ban={"cards": HEARTS}, early_end="when_decided"
    ),
    "5H, not to be led": tricks({"per": "card", "of": TOP}, lead_ban={"cards": TOP}),
    "5H, hearts not to be led, forced out, ends when taken": tricks(
        {"per": "card", "of": TOP, "points": -3},
        lead_ban={"cards": HEARTS},
        forced_play={"cards": TOP},
        early_end="when_decided",
    ),
    "threes and fives, ends when all are taken": tricks(
        {"per": "card", "of": THREE_AND_FIVE}, early_end="when_decided"
    ),
    "everything together, 5H forced out, hearts not to be led": tricks(
        {"per": "trick"},
        {"per": "card", "of": HEARTS, "points": 2},
        {"per": "card", "of": TOP, "points": 5},
        {"per": "trick_at", "tricks": (-1,), "points": 7},
        lead_ban={"cards": HEARTS},
        forced_play={"cards": TOP},
    ),
    "trumps": tricks({"per": "trick"}, trump="drawn"),
    "trumps, must be played when void": tricks(
        {"per": "trick"}, trump="drawn", void_duty="must_ruff"
    ),
    "trumps, must be played when void, 5H forced out, hearts not to be led": tricks(
        {"per": "trick"},
        {"per": "card", "of": TOP, "points": 5},
        trump="drawn",
        void_duty="must_ruff",
        lead_ban={"cards": HEARTS},
        forced_play={"cards": TOP},
    ),
}
FREE = {"passing": "may_pass", "stall": "force_after_full_circle"}
LAYOUT_RULES: dict[str, Contract] = {
    "layout": {},
    "layout, until all are out": {"end": "all_out"},
    "layout, another turn after the highest card": {},
    "layout, another turn after any card": {"replay": {"cards": {"suits": ("H", "S")}}},
    "layout, a card that does not fit costs the turn": {
        "unplayable": "lose_turn", "stall": "force_after_full_circle",
    },
    "layout, passing free": FREE,
    "layout, passing free, another turn after the highest card, until all are out": {
        **FREE, "end": "all_out",
    },
}  # fmt: skip
FREE_SIZES = ["2 HS 234", "3 HS 234"]
"""Where passing is free a seat's card can come in any turn: larger packs have too many lines."""
SIZES = [
    *FREE_SIZES,
    "2 HS 2345",
    "3 DHS 234",
    "3 DHS 2345",
    "4 HS 2345",
    "4 DHS 2345",
    "4 CDHS 234",
]
"""Seats, suits and ranks of the packs."""
HOLED = "2 HS 2345 without 3H 2S"
"""A pack that lacks a start card."""


def fits_pack(rule: str, size: str) -> bool:
    """Whether a rule is counted with a pack."""
    names_a_five = "5H" in rule or "fives" in rule
    if "free" in rule:
        return size in FREE_SIZES
    return not (names_a_five and "5" not in size) and not (rule in TRICK_RULES and size == HOLED)


def variant(size: str, rule: str) -> Variant:
    """Return the rules of a case."""
    assert fits_pack(rule, size)
    pack, _, gone = size.partition(" without ")
    n, suits, ranks = pack.split()
    seats = int(n)
    if rule in TRICK_RULES:
        rules = TRICK_RULES[rule]
    else:
        rules = layout(tuple(range(seats, 0, -1)), **LAYOUT_RULES[rule])
        if size == HOLED:
            rules["start"] = ("3",)
        if "highest" in rule:
            rules["replay"] = {"cards": {"ranks": (ranks[-1],)}}
    deck = {"suits": tuple(suits), "ranks": tuple(ranks), "remove": tuple(gone.split())}
    found = variant_of(seats, suits, ranks, {"counted": rules}, deck=deck)
    assert not list(problems(found))
    return found


@dataclass(frozen=True)
class Case:
    """A row of the table."""

    size: str
    rule: str
    named: str | None
    """Trump suit or start rank."""
    hands: tuple[tuple[str, ...], ...]

    def engine(self) -> Counts:
        rules = Rules(variant(self.size, self.rule))
        deck = rules.variant.deck
        pack = Pack(deck)
        param = None
        if self.named is not None:
            param = (*deck.suits, *deck.ranks).index(self.named)
            param -= len(deck.suits) * (self.named in deck.ranks)
        held = tuple(pack.set_of(" ".join(hand)) for hand in self.hands)
        return lines_of(rules, setup(rules, "counted", held, param))

    def twin(self) -> Counts:
        hands = [list(hand) for hand in self.hands]
        return Lines(variant(self.size, self.rule), "counted", hands, self.named).count()

    def row(self, counts: Counts) -> str:
        held = " | ".join(" ".join(hand) for hand in self.hands)
        lines = sum(row[0] for row in counts.values())
        points = [sum(row[1 + seat] for row in counts.values()) for seat in range(len(self.hands))]
        return f"    {held}   lines {lines}   points {' '.join(map(str, points))}"

    def title(self) -> str:
        named = "" if self.named is None else f", {self.named} named"
        return f"{self.size}: {self.rule}{named}"


ROW = re.compile(r"    ([^ ].*?)   lines (\d+)   points (.*)")
TITLE = re.compile(r"(\d \w+ \w+(?: without [\w ]+)?): (.*?)(?:, (\w) named)?")


def table() -> Iterator[tuple[Case, str]]:
    """Yield the cases of the file, each with its row."""
    size, rule, named = "", "", None
    for line in FILE.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if title := TITLE.fullmatch(line):
            size, rule, named = title.groups()
            continue
        row = ROW.fullmatch(line)
        assert row, line
        hands = tuple(tuple(hand.split()) for hand in row[1].split(" | "))
        yield Case(size, rule, named, hands), line


CASES = list(table())


@pytest.mark.parametrize("rule", [*TRICK_RULES, *LAYOUT_RULES])
def test_engine_and_twin_find_the_lines_of_the_table(rule: str) -> None:
    found = [(case, row) for case, row in CASES if case.rule == rule]
    assert len(found) >= 6, "every rule is counted on several packs"
    rows = {}
    for case, row in found:
        twin = case.twin()
        rows[row] = case.row(twin)
        if not os.environ.get("UPDATE_GOLDEN"):
            assert case.row(twin) == row, case.title()
        assert case.engine() == twin, case.title()
        assert sum(Fraction(n, product) for product, (n, *_) in twin.items()) == 1
    if os.environ.get("UPDATE_GOLDEN"):
        text = FILE.read_text("utf-8")
        for old, new in rows.items():
            text = text.replace(old, new)
        FILE.write_text(text, "utf-8")


def test_the_table_has_every_rule_on_every_pack_that_it_fits() -> None:
    there = {(case.rule, case.size) for case, _ in CASES}
    for rule in [*TRICK_RULES, *LAYOUT_RULES]:
        for size in [*SIZES, HOLED]:
            assert ((rule, size) in there) == fits_pack(rule, size), (rule, size)


def test_with_a_suit_each_the_lines_are_those_counted_by_hand() -> None:
    one_suit_each = ("2C 3C 4C", "2D 3D 4D", "2H 3H 4H", "2S 3S 4S")
    hands = tuple(tuple(hand.split()) for hand in one_suit_each)
    # Each leads or discards as he likes, 3! orders of each hand; the leader takes all.
    tricks_ = Case("4 CDHS 234", "tricks", None, hands).engine()
    assert tricks_ == {6**4: [6**4, 3 * 6**4, 0, 0, 0]}
    # All lay their 3, then each the 2 or the 4; the last card of the fourth is not laid.
    middle = Case("4 CDHS 234", "layout", "3", hands).engine()
    assert middle == {2**4: [2**4, 4 * 2**4, 3 * 2**4, 2 * 2**4, 2**4]}
    low = Case("4 CDHS 234", "layout", "2", hands).engine()
    assert low == {1: [1, 4, 3, 2, 1]}


EVERY_DEAL = ["2 HS 234", "2 HS 2345", "3 HS 234", "4 HS 2345"]
RULES_OF = [
    (rule, size)
    for rule in [*TRICK_RULES, *LAYOUT_RULES]
    for size in EVERY_DEAL
    if fits_pack(rule, size)
]


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "size"), RULES_OF)
def test_engine_and_twin_agree_on_every_line_of_every_deal(rule: str, size: str) -> None:
    n, suits, ranks = size.split()
    rules = variant(size, rule)
    pack = Pack(rules.deck)
    named = ranks[1] if "layout" in rule else "S" if "trumps" in rule else None
    for masks in every_deal(int(n), suits, ranks):
        hands = tuple(
            tuple(pack.name(card) for card in range(64) if mask >> card & 1) for mask in masks
        )
        case = Case(size, rule, named, hands)
        assert case.engine() == case.twin(), case
