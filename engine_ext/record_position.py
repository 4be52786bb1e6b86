"""A position in names, as people say it, and the same in the engine's numbers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import add, sub
from typing import Literal

from engine_ext.batch import Rules
from engine_ext.cards import Pack, cards_in
from engine_ext.position import Setup
from engine_ext.rules.resolve import KIND_LAYOUT

Phase = Literal["choose", "double", "play"]
PHASES: tuple[Phase, ...] = ("choose", "double", "play")

Cards = tuple[str, ...]
"""Names of cards in the order of the pack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What lies on the table. Seats in playing order; tuples by seat have an entry for each."""

    phase: Phase
    """What comes next: the contract is named, the doubles are said, or cards are played."""
    deal: int | None
    """Number in its game from 1; None: a deal by itself."""
    replays: int
    """Deals of the game that were played again after a revoke, this one included."""
    tied: tuple[int, ...]
    """Of an extra deal: the seats that it can make the winner; else nobody."""
    dealer: int
    declarer: int | None
    """None where the schedule is fixed."""
    leader: int
    """Who leads the first trick, or moves first."""
    contract: str | None
    """None while the declarer has not chosen."""
    named: str | None
    """Trump suit or start rank."""
    turn: int
    """Who leads the next trick, or moves next."""
    hands: tuple[Cards, ...]
    owners: tuple[int | None, ...]
    """Who took each trick so far; None: not known, it counts for nobody."""
    taken: tuple[Cards, ...]
    """Cards taken, by seat; those that matter are enough."""
    laid: Cards
    """The cards of the layout."""
    out: tuple[int, ...]
    """Layout: seats that have finished, the first one first."""
    passes: int
    """Layout: passes in a row."""
    further: bool
    """Layout: the last card gives who is to move a further turn, which need not be a move."""
    passed: tuple[int, ...]
    """Layout: by seat: passes although it could have laid a card."""
    lifted: bool
    """It is said that cards played before have lifted the lead ban."""
    voids: tuple[tuple[str, ...], ...]
    """Suits that each seat has shown it does not hold."""
    revokes: tuple[tuple[int, tuple[str, ...]], ...]
    """Hidden from the table: who has revoked and not been found out, the first one first,
    and the suits withheld (none: a banned card was led)."""
    doubles: tuple[frozenset[int], ...]
    """By seat: whom it has doubled or redoubled."""
    duty: tuple[int, ...]
    """By seat: its doubles of this declarer in the deals before."""
    scores: tuple[int, ...]
    """Of the game before this deal, in the document's sign."""
    left: tuple[tuple[tuple[str, int], ...], ...]
    """By seat as declarer: contracts it may still choose and how often, in the file's order."""

    @property
    def duty_done(self) -> tuple[int, ...]:
        """By seat: its doubles of this declarer so far, with those that are said in this deal."""
        said = said_in_play(self.phase, self.declarer, self.doubles)
        return tuple(map(add, self.duty, said))


def said_in_play(
    phase: Phase, declarer: int | None, doubles: Sequence[Collection[int]]
) -> tuple[int, ...]:
    """Return 1 for each seat that has doubled the declarer, once play goes on from there."""
    return tuple(int(phase == "play" and declarer in seats) for seats in doubles)


def deal_number(position: Position, rules: Rules) -> int:
    """Return the deal's number in its game from 0; of a deal by itself the first that fits.

    One that fits has the seat whose turn it is and, in a fixed schedule, the contract.
    """
    numbers = rules.numbers
    if position.deal is not None:
        return position.deal - 1
    if position.tied:
        return numbers.n_deals + position.replays
    if position.declarer is not None:
        return position.declarer * numbers.dealership
    contract = numbers.contract_names.index(position.contract or "")
    return numbers.sequence.index(contract) if contract in numbers.sequence else 0


def setup_of(position: Position, rules: Rules) -> Setup:
    """Return the position in the engine's numbers."""
    numbers, pack = rules.numbers, Pack(rules.variant.deck)
    contract = param = None
    if position.contract is not None:
        contract = numbers.contract_names.index(position.contract)
        layout = numbers.contracts[contract].kind == KIND_LAYOUT
        if position.named is not None:
            param = (pack.ranks if layout else pack.suits).index(position.named)
    # Together, so that of cards alike each gets a copy of its own.
    laid, *sets = pack.sets_of([position.laid, *position.taken, *position.hands])
    taken, hands = tuple(sets[: numbers.seats]), tuple(sets[numbers.seats :])
    played = laid
    for cards in taken:
        played |= cards
    places = [0] * numbers.seats
    for place, seat in enumerate(position.out, start=1):
        places[seat] = place
    given = None
    if position.phase == "choose" and position.contract is not None:
        given = contract
    number = deal_number(position, rules)
    return Setup(
        hands=hands,
        dealer=position.dealer,
        leader=position.leader,
        declarer=position.declarer,
        deal=number,
        step=number - position.replays,
        given=given,
        tied=sum(1 << seat for seat in position.tied),
        contract=None if position.phase == "choose" else contract,
        param=None if position.phase == "choose" else param,
        to_move=position.turn,
        owners=position.owners,
        captured=taken,
        played=played,
        voids=tuple(sum(1 << pack.suits.index(s) for s in suits) for suits in position.voids),
        withheld=tuple(
            sum(1 << pack.suits.index(s) for s in dict(position.revokes).get(seat, ()))
            for seat in range(numbers.seats)
        ),
        first_revoker=position.revokes[0][0] if position.revokes else None,
        ban_lifted=position.lifted,
        places=tuple(places),
        passes=position.passes,
        further=position.further,
        passed=position.passed,
        doubled=tuple(sum(1 << seat for seat in seats) for seats in position.doubles),
        duty_done=position.duty_done,
        scores=tuple(numbers.objective * score for score in position.scores),
        uses_left=tuple(
            tuple(dict(uses).get(name, 0) for name in numbers.contract_names)
            for uses in position.left
        ),
    )


def position_from(setup: Setup, rules: Rules, phase: Phase = "play") -> Position:
    """Return a position of the engine in names; the other way round of :func:`setup_of`."""
    full = setup.filled(rules)
    step = full.deal if full.step is None else full.step
    numbers, pack = rules.numbers, Pack(rules.variant.deck)

    def names(mask: int) -> Cards:
        return tuple(pack.named(mask))

    contract = named = None
    layout = False
    if full.given is not None:
        contract = numbers.contract_names[full.given]
    if full.contract is not None:
        contract = numbers.contract_names[full.contract]
        layout = numbers.contracts[full.contract].kind == KIND_LAYOUT
        if full.param is not None:
            named = (pack.ranks if layout else pack.suits)[full.param]
    elif contract is None and not numbers.has_choice:
        contract = numbers.contract_names[numbers.sequence[step]]
    doubles = tuple(frozenset(cards_in(seats)) for seats in full.doubled)
    finished = sorted((place, seat) for seat, place in enumerate(full.places) if place)
    return Position(
        phase=phase,
        deal=full.deal + 1,
        replays=full.deal - step,
        tied=tuple(cards_in(full.tied)),
        dealer=full.dealer,
        declarer=full.declarer,
        leader=full.leader,
        contract=contract,
        named=named,
        turn=full.to_move,
        hands=tuple(map(names, full.hands)),
        owners=full.owners,
        taken=tuple(map(names, full.captured)),
        laid=names(full.played) if layout else (),
        out=tuple(seat for _, seat in finished),
        passes=full.passes,
        further=full.further,
        passed=full.passed,
        lifted=full.ban_lifted,
        voids=tuple(tuple(pack.suits[i] for i in cards_in(suits)) for suits in full.voids),
        revokes=_revokes(full, pack),
        doubles=doubles,
        duty=tuple(map(sub, full.duty_done, said_in_play(phase, full.declarer, doubles))),
        scores=tuple(numbers.objective * score for score in full.scores),
        left=tuple(
            tuple((n, k) for n, k in zip(numbers.contract_names, uses, strict=True) if k)
            for uses in full.uses_left
        ),
    )


def _revokes(setup: Setup, pack: Pack) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return who has revoked, the first one first, with the suits withheld."""
    if setup.first_revoker is None:
        return ()
    suits = {s: tuple(pack.suits[i] for i in cards_in(n)) for s, n in enumerate(setup.withheld)}
    first = setup.first_revoker
    others = [seat for seat, withheld in suits.items() if withheld and seat != first]
    return tuple((seat, suits[seat]) for seat in (first, *others))
