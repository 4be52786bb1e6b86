"""Random trials - worlds, held seats, turns, contracts, bets - engine against twin.

Once by the streams: the twin deals the world anew and draws what the players draw. Once as
records: the hands and the moves alone, so that nothing but the rules can make them agree.
"""

from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules
from engine_ext.build import load
from engine_ext.record import parse
from engine_ext.record_checks import hold
from engine_ext.record_trial import record_of_trial
from engine_ext.record_write import write
from engine_ext.reference import streams
from engine_ext.reference.game import Game
from engine_ext.reference.players import RandomTwin
from engine_ext.reference.streams import run_key
from engine_ext.reference.table import Option, Table
from engine_ext.rules.load import variant_names
from engine_ext.rules.resolve import VariantNumbers
from engine_ext.rules.spec import Variant
from engine_ext.trials import ASKED, NAMED, Question, Trials, hands_of, play_trials, trials
from tests.differential.numbers import Numbers, engine_deals
from tests.golden.twin_side import TwinSide
from tests.houses import HOUSES, any_variant
from tests.samples import one_in

Random = load("strategies.random").Random
EVERY = [*variant_names(), *HOUSES]
CHOOSING = [name for name in EVERY if Rules(any_variant(name)).numbers.has_choice]
DOUBLING = [name for name in EVERY if Rules(any_variant(name)).numbers.has_doubling]
KEY = run_key(31)
N = 24
RECORDS = 8
"""Of these; each is played three times, slowly."""


# ---- trials that may happen


def random_trials(rules: Rules, n: int, seed: int, *, bets: bool) -> Trials:
    """Trials of deals of a game: what is left, owed and bet is what the rules allow there."""
    draw, numbers = np.random.default_rng([seed, n]), rules.numbers
    rows = [_trial(draw, numbers, bets=bets) for _ in range(n)]
    given = {name: np.array([row[name] for row in rows]) for name in rows[0] if name != "block"}
    block = np.array([row["block"] for row in rows], np.uint64)
    return trials(rules, n, block=block, **given)


def _trial(draw: np.random.Generator, numbers: VariantNumbers, *, bets: bool) -> dict[str, Any]:
    seats, deal = numbers.seats, int(draw.integers(numbers.n_deals))
    base = deal // numbers.dealership % seats
    row: dict[str, Any] = {
        "block": int(draw.integers(2**64, dtype=np.uint64)),
        "deal": deal,
        "world": int(draw.choice([0, 1, 2, 2**23 - 1])),
        "held": int(draw.integers(seats)),
        "turn": int(draw.integers(seats)),
        "base": base,
    }
    if not numbers.has_choice:
        return row | {"code": int(draw.choice(numbers.sequence)) << 8 | NAMED}
    uses = numbers.uses[: numbers.n_contracts]
    pool = draw.permutation(np.repeat(np.arange(len(uses)), uses))
    declared = [d // numbers.dealership % seats for d in range(deal)].count(base)
    gone = deal if numbers.uses_of_table else declared
    left = np.bincount(pool[gone:], minlength=len(uses))
    contract = int(draw.choice(np.flatnonzero(left)))
    row |= {"left": left, "code": contract << 8 | NAMED}
    if numbers.has_doubling:
        duty = draw.integers(0, declared, seats, endpoint=True)
        duty[base] = 0
        row |= {"duty": duty, "doubled": np.zeros(seats, int)}
        if bets:
            row["doubled"] = random_bets(draw, numbers, contract, base)
        elif draw.random() < 0.4:
            row["code"] = ASKED
    return row


def random_bets(
    draw: np.random.Generator, numbers: VariantNumbers, contract: int, declarer: int
) -> list[int]:
    """Whom each seat doubles or doubles back, in the order of speaking."""
    seats, doubled = numbers.seats, [0] * numbers.seats
    whom = numbers.targets[numbers.contracts[contract].tone + 1]
    for k in range(1, seats + 1):
        seat = (declarer + k) % seats
        for other in range(seats):
            back = doubled[other] >> seat & 1
            if seat == declarer:
                may = back and numbers.declarer_redoubles and numbers.redoubles
            else:
                may = other != seat and (whom == 2 or (whom == 1 and other == declarer))
                may = may and (numbers.redoubles or not back)
            if may and draw.random() < 0.5:
                doubled[seat] |= 1 << other
    return doubled


# ---- by the streams


class Carried(Game):
    """One trial as the twin carries it out."""

    def __init__(self, variant: Variant, one: dict[str, Any], *, speak: bool) -> None:
        self.one = one
        self.whole = variant
        if not speak:  # the bets are given
            variant = variant.model_copy(update={"doubling": None})
        super().__init__(
            variant,
            [RandomTwin()] * variant.seats,
            key=KEY,
            block=one["block"],
            replicate=one["world"],
            deals=self.anew,
        )
        self.names = list(variant.contracts)
        table = getattr(variant.schedule, "uses_of", "") == "table"
        if "left" in one:
            for seat, stock in enumerate(self.uses_left):
                if seat == one["base"] or table:
                    stock.update(zip(self.names, one["left"], strict=True))
        self.duty_done[one["base"]] = list(one["duty"])

    def anew(self, number: int) -> list[list[str]]:
        place = self.key, self.block, number
        dealt = streams.deal(*place, self.pack.cards, self.variant.seats)
        hands = streams.turned(dealt, self.one["turn"])
        return streams.redeal(*place, self.pack.cards, hands, self.one["held"], self.one["world"])

    def contract(self, table: Table, hands: list[list[str]]) -> Option:
        if self.one["code"] == ASKED:
            return super().contract(table, hands)
        seat = table.leader if table.declarer is None else table.declarer
        return self.imposed(table, seat, hands, self.names[self.one["code"] >> 8])

    def drawn_trump(self, table: Table) -> str | None:
        for seat, whom in enumerate(self.one["doubled"]):
            table.doubled[seat] = {other for other in range(table.seats) if whom >> other & 1}
        rules = self.variant.contracts[table.contract or ""]
        if rules.kind == "trick" and rules.trump == "drawn":
            place = self.key, self.block, table.deal, self.pack.suits
            return streams.drawn_trump(*place, world=self.one["world"])
        return None


def single(asked: Trials, row: int) -> dict[str, Any]:
    return {name: array[row].tolist() for name, array in asked.arrays().items()}


@pytest.mark.parametrize("name", one_in(2, EVERY))
def test_random_trials_are_played_alike(name: str) -> None:
    variant = any_variant(name)
    rules, numbers = Rules(variant), Numbers(variant)
    asked = random_trials(rules, N, 1, bets=True)
    found = play_trials(rules, [Random() for _ in range(variant.seats)], asked, key=KEY, log=True)
    there = min(3, rules.numbers.n_contracts)
    assert len({int(contract) for contract in found.deals.contract}) >= there
    for row, engine in enumerate(engine_deals(found.deals, 0, N)):
        one = single(asked, row)
        if "left" not in one or not rules.numbers.has_choice:
            one.pop("left", None)
        game = Carried(variant, one, speak=False)
        slow = numbers.deal(game.play_deal(one["deal"], first=one["base"]))
        if rules.numbers.duty_penalty:  # the twin was not told that there are fines
            engine["side"] = slow["side"]
        if not rules.numbers.has_choice:
            slow["n_left"] = 0
        assert engine == slow, f"trial {row}"
        assert found.fouls[row].tolist() == game.ask.fouls


@pytest.mark.parametrize("name", one_in(2, DOUBLING))
def test_random_doubles_are_made_alike(name: str) -> None:
    variant = any_variant(name)
    rules, numbers = Rules(variant), Numbers(variant)
    asked = random_trials(rules, N, 2, bets=False)
    seats = [Random() for _ in range(variant.seats)]
    found = play_trials(rules, seats, asked, key=KEY, question=Question.BET)
    assert found.deals.doubled.any()
    for row in range(N):
        one = single(asked, row)
        deal = Carried(variant, one, speak=True).play_deal(one["deal"], first=one["base"])
        contract, named = numbers.contracts.index(deal.contract), deal.named
        drawn = variant.contracts[deal.contract].kind == "trick" and named is not None
        param = numbers.named(deal.contract, named) if drawn or named else None
        assert found.code[row] == contract << 8 | (param or 0)
        assert found.deals.doubled[row].tolist() == [numbers.seats(who) for who in deal.doubled]


# ---- as records


@pytest.mark.parametrize("name", one_in(3, CHOOSING))
def test_the_twin_plays_the_record_of_a_trial_to_the_same_points(name: str) -> None:
    variant = any_variant(name)
    rules = Rules(variant)
    asked = random_trials(rules, RECORDS, 3, bets=True)
    found = play_trials(rules, [Random() for _ in range(variant.seats)], asked, key=KEY, log=True)
    sign = rules.numbers.objective
    dealt = hands_of(rules, asked, key=KEY)
    for row in range(RECORDS):
        record = record_of_trial(
            rules, found, asked, row, dealt[row], variant_name=name, source="a trial"
        )
        points, side = ((sign * a[row]).tolist() for a in (found.deals.points, found.deals.side))
        for who in (None, TwinSide()):
            course = hold(record, who)
            assert list(course.points) == points
            assert list(course.side) == side
        if name not in HOUSES:
            back = parse(write(record))
            assert back == record


@pytest.mark.parametrize("name", one_in(3, CHOOSING))
def test_the_record_of_a_contract_imposed_with_all_left_is_a_deal_by_itself(name: str) -> None:
    """Whoever declares, and whatever number his cards have."""
    variant = any_variant(name)
    rules, seats = Rules(variant), variant.seats
    n = 2 * seats
    each = np.arange(n)
    contracts = np.flatnonzero(rules.numbers.uses)
    asked = trials(
        rules,
        n,
        block=each,
        deal=each % rules.numbers.n_deals,
        base=each % seats,
        world=each,
        held=(each + 1) % seats,
        code=contracts[each % len(contracts)] << 8 | NAMED,
    )
    found = play_trials(rules, [Random() for _ in range(seats)], asked, key=KEY, log=True)
    dealt = hands_of(rules, asked, key=KEY)
    for row in range(n):
        record = record_of_trial(rules, found, asked, row, dealt[row], variant_name=name)
        for who in (None, TwinSide()):
            assert (
                list(hold(record, who).points)
                == (rules.numbers.objective * found.deals.points[row]).tolist()
            )
        if name not in HOUSES:
            assert parse(write(record)) == record
