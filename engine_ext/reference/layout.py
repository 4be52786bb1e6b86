"""Deals of domino: cards laid in sequence, each suit outward from the start rank."""

from collections.abc import Collection, Sequence

from engine_ext.reference.asking import Asker
from engine_ext.reference.cards import Card, Pack, name_of, rank_of, suit_of
from engine_ext.reference.table import Move, Table, View
from engine_ext.rules.spec import LayoutContract, Variant


def start_ranks(rules: LayoutContract, pack: Pack) -> list[str]:
    """Return the ranks that may be named, lowest first.

    Under ``missing_start = "forbid"`` a rank must be there in every suit of the deck.
    """
    ranks = [rank for rank in pack.ranks if rules.start == "any_rank" or rank in rules.start]
    if rules.missing_start == "forbid":
        return [rank for rank in ranks if all(rank + suit in pack.cards for suit in pack.suits)]
    return ranks


def fits(
    card: Card,
    laid: Collection[Card],
    start_rank: str,
    pack: Pack,
    *,
    copies: str = "shared_run",
    closed: bool = False,
) -> bool:
    """Tell whether a card may be laid on what lies there.

    It fits if it is of the start rank, or if its neighbour in rank, same suit, is laid
    (000 A20, 003 C5). A start card that the deck does not have counts as laid, unless its
    suit stays ``closed`` (dossier 2.15).

    ``copies``, where two packs are shuffled together (dossier 2.16): next to either copy of the
    neighbour; or in a row of its own, so that more of the neighbour must lie than of the
    card itself; or only once every copy of the neighbour lies.
    """
    if rank_of(card) == start_rank:
        return True
    height = pack.height(card)
    lying = [name_of(other) for other in laid]
    for neighbour in (height - 1, height + 1):
        if 0 <= neighbour < len(pack.ranks):
            beside = pack.ranks[neighbour] + suit_of(card)
            there, whole = lying.count(beside), pack.number_of(beside)
            starts = rank_of(beside) == start_rank and not closed
            absent = pack.copies - whole if starts else 0
            if copies == "parallel_rows":
                fit = there + absent > lying.count(name_of(card))
            elif copies == "stack":
                fit = there == whole > 0 or absent == pack.copies
            else:
                fit = there > 0 or absent == pack.copies
            if fit:
                return True
    return False


def playable(
    hand: Sequence[Card],
    laid: Sequence[Card],
    start_rank: str,
    pack: Pack,
    *,
    copies: str = "shared_run",
    closed: bool = False,
) -> list[Card]:
    """Return the cards of a hand that fit."""
    return [c for c in hand if fits(c, laid, start_rank, pack, copies=copies, closed=closed)]


class Layout:
    """One deal of domino on a table, turn by turn."""

    def __init__(
        self, variant: Variant, table: Table, hands: list[list[Card]], pack: Pack, ask: Asker
    ) -> None:
        assert table.contract is not None
        assert table.named is not None
        rules = variant.contracts[table.contract]
        assert isinstance(rules, LayoutContract)
        self.rules = rules
        self.start_rank = table.named
        self.table = table
        self.hands = hands
        self.pack = pack
        self.ask = ask
        self.passes = 0
        """Passes in a row since a card was last laid: said, unasked, or turns lost."""

    def play(self, turn: int | None = None, *, further: bool = False) -> None:
        """Go round until the deal is over; seats that are out are skipped.

        ``turn`` moves next; without it the leader. ``further``: by a card that gives a turn.
        """
        seat = self.table.leader if turn is None else turn
        if further:
            self.further_turns(seat)
            seat = self.table.after(seat)
        while not self.is_over():
            if self.hands[seat]:
                if self.rules.stall == "freeze" and self.full_circle():
                    self.freeze(seat)
                    return
                self.turn(seat)
            seat = self.table.after(seat)

    def still_in(self) -> list[int]:
        """Return the seats that hold cards."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    def full_circle(self) -> bool:
        """Tell whether as many passes in a row were heard as seats are still in."""
        return self.passes >= len(self.still_in())

    def freeze(self, turn: int) -> None:
        """End the deal where it stands: fewest cards first, then who would move first.

        Source: dossier 2.14; the seat at ``turn`` would be the next.
        """

        def rank(seat: int) -> tuple[int, int]:
            return len(self.hands[seat]), (seat - turn) % self.table.seats

        for seat in sorted(self.still_in(), key=rank):
            self.table.places[seat] = max(self.table.places) + 1

    def is_over(self) -> bool:
        """Tell whether the deal is over; under ``one_left`` the last seat gets its place."""
        left = self.still_in()
        if self.rules.end == "one_left" and len(left) == 1:
            self.table.places[left[0]] = self.table.seats
            return True
        return not left

    def turn(self, seat: int) -> None:
        """Let one seat move.

        A seat without a card that fits passes without being asked (000 A21). After as many
        passes in a row as seats are still in, a card is forced where the rules say so
        (dossier 2.14).
        """
        legal = self.fitting(seat)
        if not legal:
            self.passed(Move(seat, None))
            return
        forced = self.full_circle() and self.rules.stall == "force_after_full_circle"
        may_pass = self.may_leave(seat) and not forced
        card = self.asked(seat, legal, may_pass, forced)
        if card is None:
            self.table.passed[seat] += 1
            self.passed(Move(seat, None))
        elif card not in legal:
            self.passed(Move(seat, card, taken_back=True))
        else:
            self.lay(seat, card)
            if self.gives_turn(card):
                self.further_turns(seat)

    def may_leave(self, seat: int) -> bool:
        """Tell whether a seat that can lay a card may pass (dossier 2.13)."""
        if self.rules.passing == "limited":
            assert self.rules.passes is not None
            return self.table.passed[seat] < self.rules.passes
        return self.rules.passing == "may_pass"

    def gives_turn(self, card: Card) -> bool:
        """Tell whether a card that is laid gives a further turn."""
        return self.rules.replay is not None and card in self.pack.pick(self.rules.replay.cards)

    def further_turns(self, seat: int) -> None:
        """Offer a further move, and one more after each card that gives one.

        Source: 003 C8, dossier 2.24. Not after the last card; it may be declined even where
        passing is forbidden, unless it is mandatory. Declining is no pass: nothing is said,
        the turn is just over.
        """
        assert self.rules.replay is not None
        declinable = self.rules.replay.duty == "optional"
        while legal := self.fitting(seat):
            answer = self.asked(seat, legal, may_pass=declinable, forced=False)
            if answer is None:
                return
            if answer not in legal:
                self.passed(Move(seat, answer, taken_back=True))
                return
            self.lay(seat, answer)
            if not self.gives_turn(answer):
                return

    def fitting(self, seat: int) -> list[Card]:
        """Return the cards of a seat that fit now."""
        return playable(
            self.hands[seat],
            self.table.laid,
            self.start_rank,
            self.pack,
            copies=self.rules.copies,
            closed=self.rules.missing_start == "stall",
        )

    def asked(self, seat: int, legal: list[Card], may_pass: bool, forced: bool) -> Card | None:
        """Ask a seat for its move; a card that does not fit comes back only where it costs
        the turn (000 A23) and no card is forced."""
        hand = tuple(self.hands[seat])
        view = View(self.table, seat, hand, legal=tuple(legal), may_pass=may_pass)
        return self.ask.move(view, self.rules.unplayable == "lose_turn" and not forced)

    def passed(self, move: Move) -> None:
        """Write down a turn in which no card was laid."""
        self.table.moves.append(move)
        self.passes += 1
        if self.passes > len(self.still_in()) and self.rules.stall != "freeze":
            assert any(map(self.fitting, self.still_in())), "nobody can ever lay a card again"

    def lay(self, seat: int, card: Card) -> None:
        """Lay a card; a seat that lays its last one is out and takes the next place."""
        self.hands[seat].remove(card)
        self.table.cards_left[seat] -= 1
        self.table.laid.append(card)
        self.table.moves.append(Move(seat, card))
        self.passes = 0
        if not self.hands[seat]:
            self.table.places[seat] = max(self.table.places) + 1


def play_layout(
    variant: Variant, table: Table, hands: list[list[Card]], pack: Pack, ask: Asker
) -> None:
    """Play a deal of domino on the table until it is over.

    ``hands`` by seat, each in the order of the pack; cards laid are taken out of them.
    """
    Layout(variant, table, hands, pack, ask).play()
