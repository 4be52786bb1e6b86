"""A seat knows what it was shown and no more.

A deal is played, then played again with cards exchanged that nobody has seen yet: up to
there the same seat must be shown the same and answer the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from engine_ext.batch import Rules, View
from engine_ext.build import load
from engine_ext.position import CHOOSE, Setup
from engine_ext.rules.load import load_variant
from engine_ext.seeds import run_key
from strategies.checks.hidden import beginning, exchanged, first_difference
from strategies.registry import create
from strategies.testing import BASE_VARIANTS

kernel, pypolicy = load("engine_ext.kernel"), load("engine_ext.pypolicy")
KEY = run_key(4711)
PASS = 255
SHOWN = [
    name for name in dir(View) if not name.startswith("_") and not callable(getattr(View, name))
]
OF_RULES = ("rules", "contract", "random")


def shown(view: Any) -> dict[str, Any]:
    """Everything that a view says, the random numbers of the decision with it."""
    said = {name: getattr(view, name) for name in SHOWN if name not in OF_RULES}
    said["contract"] = None if view.contract is None else view.contract.id
    said["lowest"], said["highest"] = (
        (view.lowest(), view.highest()) if view.legal else (None, None)
    )
    said["random"] = [view.random.u64() for _ in range(2)]
    return said


class Watcher:
    """Writes down all that it is shown; answers by the random numbers of the decision."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []
        self.answers: list[Any] = []

    def answer(self, view: Any, options: Sequence[Any]) -> Any:
        self.seen.append(shown(view))
        self.answers.append(options[view.random.below(len(options))])
        return self.answers[-1]

    def choose(self, view: Any) -> Any:
        return self.answer(view, view.choices)

    def double(self, view: Any) -> Any:
        return self.answer(view, [view.must_double, view.may_double])

    def redouble(self, view: Any) -> Any:
        return self.answer(view, [0, view.may_redouble])

    def play(self, view: Any) -> Any:
        return self.answer(view, view.cards)

    def lay(self, view: Any) -> Any:
        return self.answer(view, view.cards + [None] * view.may_pass)


@dataclass
class Actor:
    """Plays a recorded deal again up to a move, then the lowest card."""

    outcome: dict[str, Any]
    until: int

    def choose(self, view: Any) -> Any:
        return self.outcome["contract"], self.outcome["param"] or 0

    def double(self, view: Any) -> Any:
        return self.outcome["doubled"][view.seat] & view.may_double

    def redouble(self, view: Any) -> Any:
        return self.outcome["doubled"][view.seat] & view.may_redouble

    def play(self, view: Any) -> Any:
        at = len(view.moves)
        return self.outcome["moves"][at] if at < self.until else view.lowest()

    def lay(self, view: Any) -> Any:
        at = len(view.moves)
        if at > self.until:
            return view.lowest()
        # A further turn that was turned down is no move: the next one is another seat's.
        declined = self.outcome["movers"][at] != view.seat
        move = self.outcome["moves"][at]
        return None if declined or move == PASS else move


def played(rules: Rules, setup: Setup, players: Sequence[Any]) -> dict[str, Any]:
    """What comes of a deal from its beginning on."""
    table = kernel.Tabletop(rules.packed)
    table.set_up(setup.filled(rules))
    policies = [
        p if hasattr(p, "capsule") else pypolicy.PyPolicy(p, rules.numbers) for p in players
    ]
    assert table.play_on([policy.capsule for policy in policies], CHOOSE)
    assert not any(policy.errors for policy in policies if hasattr(policy, "errors"))
    outcome: dict[str, Any] = table.outcome()
    return outcome


@dataclass
class Twist:
    """A deal played twice: at move ``at`` of ``seat`` unseen cards of others had changed places."""

    seat: int
    at: int
    before: dict[str, Any]
    after: dict[str, Any]
    seen: tuple[list[dict[str, Any]], list[dict[str, Any]]]


def twists(rules: Rules, strategy: str, deals: range, rng: np.random.Generator) -> Iterator[Twist]:
    """Play deals with a seat's strategy among random ones, and again with others' unseen
    cards exchanged, the others' moves kept as they were."""
    n, n_deals = rules.numbers.seats, rules.numbers.n_deals
    for block in deals:
        setup = beginning(rules, block, block % n_deals, KEY)
        seat = int(rng.integers(n))
        players: list[Any] = [create("random.v1") for _ in range(n)]
        watcher = Watcher()
        players[seat] = watcher if strategy == "watcher" else create(strategy)
        before = played(rules, setup, players)
        own = [i for i, mover in enumerate(before["movers"]) if mover == seat]
        at = int(rng.choice(own))
        shown_cards = [0] * n
        for i in range(at):
            if before["moves"][i] < 64:
                shown_cards[before["movers"][i]] |= 1 << before["moves"][i]
        unseen = [hand & ~gone for hand, gone in zip(setup.hands, shown_cards, strict=True)]
        hands = exchanged(setup.hands, unseen, seat, rng)
        again = Watcher()
        actors: list[Any] = [Actor(before, at) for _ in range(n)]
        actors[seat] = again if strategy == "watcher" else create(strategy)
        after = played(rules, replace(setup, hands=hands), actors)
        differs = first_difference(before["moves"], after["moves"])
        if differs < at and before["movers"][differs] != seat:
            continue  # an actor could not play, or could not pass, as it had: this would show
        if hands != setup.hands:
            yield Twist(seat, at, before, after, (watcher.seen, again.seen))


def unchanged(twist: Twist) -> None:
    """Hold the moves, bets and choices up to the seat's move, and all that it was shown."""
    before, after, upto = twist.before, twist.after, twist.at + 1
    assert after["moves"][:upto] == before["moves"][:upto]
    assert after["movers"][:upto] == before["movers"][:upto]
    for what in ("contract", "param", "doubled"):
        assert after[what] == before[what]
    first, second = twist.seen
    told = [view for view in first if len(view["moves"]) <= twist.at]
    assert second[: len(told)] == told


@pytest.mark.parametrize("strategy", ["watcher", "random.v1", "duck.v1", "cautious.v1"])
@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_cards_nobody_has_shown_change_neither_view_nor_answer(name: str, strategy: str) -> None:
    rules = Rules(load_variant(name))
    rng = np.random.default_rng(7)
    found = list(twists(rules, strategy, range(160), rng))
    assert len(found) > 40, "most exchanges must be possible"
    for twist in found:
        unchanged(twist)
    kinds = {rules.numbers.contracts[twist.before["contract"]].kind for twist in found}
    assert kinds == {contract.kind for contract in rules.numbers.contracts}


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["watcher", "random.v1", "duck.v1", "cautious.v1"])
@pytest.mark.parametrize("name", BASE_VARIANTS)
def test_cards_nobody_has_shown_change_nothing_in_many_deals(name: str, strategy: str) -> None:
    rules = Rules(load_variant(name))
    for twist in twists(rules, strategy, range(160, 3_000), np.random.default_rng(8)):
        unchanged(twist)


class Peeker(Watcher):
    """Answers by a card it cannot see; the test above must find it out."""

    hands: tuple[int, ...] = ()

    def answer(self, view: Any, options: Sequence[Any]) -> Any:
        super().answer(view, options)
        return options[hash(self.hands) % len(options)]


def test_whoever_saw_the_unseen_cards_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules(load_variant("king_ru_fixed14"))
    original = played

    def told(rules: Rules, setup: Setup, players: Sequence[Any]) -> dict[str, Any]:
        Peeker.hands = setup.hands
        return original(rules, setup, players)

    monkeypatch.setitem(globals(), "played", told)
    monkeypatch.setitem(globals(), "Watcher", Peeker)

    def hold() -> None:
        for twist in twists(rules, "watcher", range(60), np.random.default_rng(7)):
            unchanged(twist)

    with pytest.raises(AssertionError):
        hold()
