"""A seat's answers do not depend on cards that nobody has shown.

A deal is played, then played again with cards exchanged that two other seats have not shown
yet: up to there the same seat must be shown the same and answer the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine_ext.batch import Rules, as_sets, deal_hands
from engine_ext.cards import cards_in
from engine_ext.position import CHOOSE, Setup
from engine_ext.record_names import Names
from strategies.checks.games import KEY, Example, rules_of
from strategies.checks.subject import BrokenPromise, NotAsked, Subject

N_DEALS = 24
"""Of each variant; fewer of a slow strategy."""
PASS = 255


@dataclass
class Careless:
    """Answers anything allowed, by the random numbers of the decision, and writes it down."""

    said: list[tuple[int, Any]] = field(default_factory=list)
    """Every answer, with the moves before it."""

    def _answer(self, view: Any, options: Sequence[Any]) -> Any:
        self.said.append((len(view.moves), options[view.random.below(len(options))]))
        return self.said[-1][1]

    def choose(self, view: Any) -> Any:
        """Return any choice."""
        return self._answer(view, view.choices)

    def double(self, view: Any) -> Any:
        """Return what must be, or everybody."""
        return self._answer(view, [view.must_double, view.may_double])

    def redouble(self, view: Any) -> Any:
        """Return nobody or everybody."""
        return self._answer(view, [0, view.may_redouble])

    def play(self, view: Any) -> Any:
        """Return any card."""
        return self._answer(view, view.cards)

    def lay(self, view: Any) -> Any:
        """Return any card, or a pass."""
        return self._answer(view, view.cards + [None] * view.may_pass)


@dataclass
class Again:
    """Answers as it did before, up to a move; then the first or lowest that there is."""

    said: Sequence[tuple[int, Any]]
    until: int
    at: int = 0

    def _answer(self, view: Any, default: Any) -> Any:
        # What others said with as many moves on the table came before that move. A question
        # that is new, or was not asked again, is no reason to go on with another's answer.
        now = len(view.moves)
        while self.at < len(self.said) and self.said[self.at][0] < now:
            self.at += 1
        if now > self.until or self.at == len(self.said) or self.said[self.at][0] > now:
            return default
        self.at += 1
        return self.said[self.at - 1][1]

    def choose(self, view: Any) -> Any:
        """Return what it chose."""
        return self._answer(view, view.choices[0])

    def double(self, view: Any) -> Any:
        """Return whom it doubled."""
        return self._answer(view, view.must_double)

    def redouble(self, view: Any) -> Any:
        """Return whom it redoubled."""
        return self._answer(view, 0)

    def play(self, view: Any) -> Any:
        """Return the card it played."""
        return self._answer(view, view.lowest())

    def lay(self, view: Any) -> Any:
        """Return what it laid; a further turn that it did not have is declined."""
        return self._answer(view, None if view.may_pass else view.lowest())


def beginning(rules: Rules, block: int, deal: int, key: tuple[int, int] = KEY) -> Setup:
    """A dealt deal before its contract is chosen."""
    hands = deal_hands(rules, key=key, blocks=np.array([block], np.uint64), deal=deal)[0]
    dealer, declarer, leader = rules.kernel.Tabletop(rules.packed).roles(deal)
    return Setup(
        hands=as_sets(hands),
        dealer=dealer,
        leader=leader,
        declarer=declarer,
        deal=deal,
        key=key,
        block=block,
    )


def played(rules: Rules, setup: Setup, players: Sequence[Any]) -> dict[str, Any]:
    """What comes of a deal from its beginning on."""
    table = rules.kernel.Tabletop(rules.packed)
    table.set_up(setup.filled(rules))
    policies = [
        p if hasattr(p, "capsule") else rules.asking.PyPolicy(p, rules.numbers) for p in players
    ]
    table.play_on([policy.capsule for policy in policies], CHOOSE)
    outcome: dict[str, Any] = table.outcome()
    return outcome


def exchanged(
    hands: Sequence[int], unseen: Sequence[int], seat: int, rng: np.random.Generator
) -> tuple[int, ...]:
    """Exchange a card or a few that two other seats have not shown yet."""
    new = list(hands)
    others = [s for s in range(len(hands)) if s != seat and unseen[s]]
    if len(others) < 2:
        return tuple(new)
    one, other = rng.choice(others, 2, replace=False)
    mine, his = list(cards_in(unseen[one])), list(cards_in(unseen[other]))
    n = int(rng.integers(1, min(len(mine), len(his), 3) + 1))
    for a, b in zip(
        rng.choice(mine, n, replace=False), rng.choice(his, n, replace=False), strict=True
    ):
        new[one] ^= 1 << int(a) | 1 << int(b)
        new[other] ^= 1 << int(a) | 1 << int(b)
    return tuple(new)


def first_difference(one: Sequence[Any], other: Sequence[Any]) -> int:
    """Where two lists first differ, or the length of the shorter."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


@dataclass
class Twist:
    """A deal played twice: at move ``at`` of ``seat`` unseen cards of others had changed places."""

    seat: int
    at: int
    setup: Setup
    before: dict[str, Any]
    after: dict[str, Any]


def twisted(
    rules: Rules, strategies: Sequence[Any], setup: Setup, rng: np.random.Generator
) -> Twist | None:
    """Play a deal with the first strategy among careless ones, then with the second and
    others' unseen cards exchanged, the others answering as before.

    None where nothing could be exchanged, or where somebody could not do as before.
    """
    n = rules.numbers.seats
    seat = int(rng.integers(n))
    careless: list[Any] = [Careless() for _ in range(n)]
    before = played(rules, setup, [*careless[:seat], strategies[0], *careless[seat + 1 :]])
    own = [i for i, mover in enumerate(before["movers"]) if mover == seat]
    if not own:
        return None
    at = int(rng.choice(own))
    gone = [0] * n
    for i in range(at):
        if before["moves"][i] < 128:
            gone[before["movers"][i]] |= 1 << before["moves"][i]
    unseen = [hand & ~cards for hand, cards in zip(setup.hands, gone, strict=True)]
    hands = exchanged(setup.hands, unseen, seat, rng)
    if hands == setup.hands:
        return None
    again: list[Any] = [Again(one.said, at) for one in careless]
    players = [*again[:seat], strategies[1], *again[seat + 1 :]]
    after = played(rules, replace(setup, hands=hands), players)
    differs = first_difference(before["moves"], after["moves"])
    movers = [one["movers"][differs : differs + 1] for one in (before, after)]
    if differs <= at and movers != [[seat], [seat]]:
        return None  # another seat could not do as it did
    return Twist(seat, at, setup, before, after)


def wrong_in(rules: Rules, twist: Twist) -> tuple[str, str] | None:
    """Question and what, where the seat answered otherwise; None where it did not."""
    before, after, names = twist.before, twist.after, Names(rules.variant, rules)
    chosen = [(one["contract"], one["param"]) for one in (before, after)]
    if chosen[0] != chosen[1]:
        options = [names.option(contract, param or 0) for contract, param in chosen]
        return "choose", f"{options[0]}, but {options[1]} with unseen cards exchanged"
    doubled = [one["doubled"][twist.seat] for one in (before, after)]
    if doubled[0] != doubled[1]:
        return "double", "doubled others with unseen cards exchanged"
    differs = first_difference(before["moves"], after["moves"])
    if differs <= twist.at:
        moves = [
            names.move(one["moves"][differs]) if differs < len(one["moves"]) else "nothing"
            for one in (before, after)
        ]
        layout = rules.numbers.contracts[before["contract"]].kind
        what = f"{moves[0]}, but {moves[1]} with unseen cards exchanged"
        return "lay" if layout else "play", what
    return None


def twists(variant: str, make: Any, deals: range, seed: int = 7) -> Iterator[Twist]:
    """Twist deals of a variant; ``make`` makes the strategy, twice for each."""
    rules, rng = rules_of(variant), np.random.default_rng(seed)
    for block in deals:
        setup = beginning(rules, block, block % rules.numbers.n_deals)
        twist = twisted(rules, [make(), make()], setup, rng)
        if twist is not None:
            yield twist


def sees_no_hidden_cards(subject: Subject) -> str:
    """Cards that nobody has shown change no answer."""
    if subject.info.batched:
        raise NotAsked("it is batched; a deal that is set up is asked table by table")
    n = 0
    for variant in subject.variants:
        rules = rules_of(variant)
        if rules.numbers.copies == 2 or rules.numbers.honour:
            continue  # which copy it was, or who did not follow, is told otherwise there
        n_deals = max(4, N_DEALS * len(subject.games(variant)) // 6)
        for twist in twists(variant, subject.fresh, range(n_deals)):
            n += 1
            wrong = wrong_in(rules, twist)
            if wrong is not None:
                setup = twist.setup
                raise BrokenPromise(
                    Example(wrong[1], variant, setup.block, setup.deal, twist.seat, wrong[0])
                )
    if not n:
        raise NotAsked("these variants have two packs or play on honour")
    return f"{n} deals with cards exchanged"
