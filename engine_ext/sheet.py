"""A score sheet reckoned: points, side bets and totals of each deal, or what does not add up."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine_ext.cards import Pack
from engine_ext.record_text import Line
from engine_ext.rules.facts import contract_total
from engine_ext.rules.messages import nearest
from engine_ext.rules.resolve import KIND_LAYOUT, TRUMP, ContractNumbers, resolve
from engine_ext.sheet_bets import (
    Pairs,
    doubles_fit,
    marks_fit,
    must_double,
    read_doubles,
    settled,
    split,
)
from engine_ext.sheet_items import Row
from engine_ext.sheet_results import Fields, Results, not_played, results_of
from engine_ext.sheet_text import DealLine, Sheet, not_so, numbers_of


@dataclass(frozen=True, slots=True)
class DealScore:
    """What a deal brought, by seat, in the document's sign."""

    deal: int | None
    """Its number in the game, None for a deal by itself."""
    contract: str
    declarer: int | None
    points: Row
    side: Row
    scores: Row
    """Of the game after this deal."""


def score_sheet(sheet: Sheet) -> Iterator[DealScore]:
    """Reckon the deals of a sheet; raises ``RecordError`` for the first line that is wrong."""
    game = Reckoning(sheet)
    for line in sheet.deals:
        if isinstance(line, DealLine):
            yield game.deal(line)
        else:
            game.ending(line)


@dataclass(frozen=True, slots=True)
class Named:
    """What a deal's line begins with."""

    declarer: int | None
    contract: str
    number: int
    """Of the contract in the variant."""
    param: int | None
    """Trump suit or start rank by its place in the deck, -1 where none is named; None where the
    sheet does not tell."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """A deal in full: what it brought, and all that the sheet and the schedule tell of it."""

    score: DealScore
    named: Named
    step: int
    """Place in the schedule from 0; an extra deal's is behind it."""
    extra: bool
    """Whether it played out a tie."""
    n_left: int
    """Uses of contracts that the declarer had left; 0 where he had no choice."""
    pairs: Pairs
    results: Results
    revoked: int | None
    """Whose revoke stopped it."""


class Reckoning:
    """A game that is reckoned deal by deal."""

    def __init__(self, sheet: Sheet, points_alone: bool = False) -> None:
        """``points_alone``: points will do where several things count."""
        self.points_alone = points_alone
        self.sheet, self.variant = sheet, sheet.variant
        self.n = resolve(sheet.variant)
        seats = self.n.seats
        self.n_played = 0
        self.again = 0
        """Deals that were played again after a revoke."""
        self.given: str | None = None
        """Contract that is played again now."""
        self.tied = frozenset(range(seats))
        """Who can still win."""
        self.scores = [0] * seats
        self.left = [self._uses() for _ in range(seats)]
        self.duty = [[0] * seats for _ in range(seats)]
        self.marks = any(
            "*" in word or "(" in word
            for deal in sheet.deals
            if isinstance(deal, DealLine)
            for field in deal.fields
            for word in (field.word, *field.rest)
            if ">" in word
        )

    def _uses(self) -> Counter[str]:
        return Counter(dict(zip(self.n.contract_names, self.n.uses, strict=True)))

    @property
    def step(self) -> int:
        """Deals of the schedule before this one."""
        return self.n_played - self.again

    @property
    def extra(self) -> bool:
        """Whether the schedule is over: a deal plays out a tie."""
        return self.step >= self.n.n_deals

    @property
    def is_over(self) -> bool:
        """Whether no deal follows: the schedule is over and no tie is to be played out."""
        if not self.extra:
            return False
        played = self.step - self.n.n_deals
        return self.n.extra_contract < 0 or played >= self.n.max_extra or len(self.first()) == 1

    @property
    def n_due(self) -> str:
        """How many deals the game has, in words."""
        more = " and one that plays out the tie" if self.extra else ""
        return f"{max(self.n_played, self.n.n_deals + self.again)}{more}"

    def deal(self, line: DealLine) -> DealScore:
        """Reckon one deal and add it to the scores."""
        return self.reckon(line).score

    def reckon(self, line: DealLine) -> Reckoned:
        """The same with all that is known of the deal."""
        self.comes_next(line)
        step, extra = self.step, self.extra
        named = self.named(line.head)
        n_left = self.n_left(named.declarer)
        contract = self.n.contracts[named.number]
        fields = Fields(self.sheet, self.n, contract, line)
        pairs = self.doubles(line, fields, named.declarer, contract)
        total = contract_total(self.variant, named.contract)
        undoubled = self.n.undoubled_split and contract.tone < 0 and not pairs and not extra
        if undoubled and named.declarer is not None:
            fields.nothing_taken()
            results = not_played(fields, split(total, self.n.seats, named.declarer))
        else:
            results = results_of(fields, total, self.points_alone)
        points = results.points
        side = settled(points, pairs)
        self.book(named, fields.revoked is not None, pairs, side)
        self.scores = [sum(row) for row in zip(self.scores, points, side, strict=True)]
        found = {"points": points, "side": tuple(side), "scores": tuple(self.scores)}
        for word, right in found.items():
            fields.says(word, right)
        score = DealScore(line.number, named.contract, named.declarer, *found.values())
        return Reckoned(score, named, step, extra, n_left, pairs, results, fields.revoked)

    def n_left(self, declarer: int | None) -> int:
        """Return how many uses of contracts a declarer can choose from."""
        if declarer is None or self.given is not None:
            return 0
        return sum(self.left[declarer].values())

    def comes_next(self, line: DealLine) -> None:
        """See that the deal follows the one before and the game is not over."""
        want = self.n_played + 1
        if line.number != want:
            raise line.head.wrong(f"deal {line.number}: want deal {want} here")
        if self.is_over:
            n_deals = self.n.n_deals + self.again
            raise line.head.wrong(f"deal {line.number}: the game is over after {n_deals} deals")
        if self.extra:
            self.tied = self.first()

    def first(self) -> frozenset[int]:
        """Return who is first by the scores, of those who can still win."""
        among = range(self.n.seats) if self.n.extra_for_all else self.tied
        best = max(self.n.objective * self.scores[seat] for seat in among)
        return frozenset(s for s in among if self.n.objective * self.scores[s] == best)

    def named(self, head: Line) -> Named:
        """Return who declares what, by the line and by the schedule."""
        words = list(head.rest)
        declarer = None
        if self.n.has_choice and not self.extra:
            declarer = self.step // self.n.dealership % self.n.seats
        said = self.sheet.seat_of(words[0]) if words else None
        if said is not None:
            if declarer is None:
                raise head.wrong(f"{words[0]}: nobody declares here (leave the name out)")
            if said != declarer:
                right = self.sheet.players[declarer]
                raise head.wrong(f"{words[0]}: by the schedule {right} declares")
            del words[0]
        name = self.contract(head, words[:1], declarer)
        number = self.n.contract_names.index(name)
        param = self.thing(head, name, self.n.contracts[number], words[1:])
        return Named(declarer, name, number, param)

    def contract(self, head: Line, words: list[str], declarer: int | None) -> str:
        """Return the contract; a fixed one may be left out."""
        n = self.n
        fixed = self.given
        if self.extra:
            fixed = n.contract_names[n.extra_contract]
        elif fixed is None and not n.has_choice:
            fixed = n.contract_names[n.sequence[self.step]]
        if not words:
            if fixed is None:
                raise head.wrong("say the contract (e.g. 1 North tricks | 3 4 2 4)")
            return fixed
        (name,) = words
        if name not in n.contract_names:
            players = ", ".join(self.sheet.players)
            hint = nearest(name, n.contract_names) or f"known: {', '.join(n.contract_names)}"
            raise head.wrong(f'"{name}" is no contract ({hint}) and no player ({players})')
        if fixed not in (None, name):
            raise head.wrong(f"{name}: this deal is {fixed} by the schedule")
        if fixed is None and declarer is not None and not self.left[declarer][name]:
            uses = n.uses[n.contract_names.index(name)]
            if not uses:
                raise head.wrong(f"{name}: nobody may choose it")
            who = "the table" if n.uses_of_table else self.sheet.players[declarer]
            often = "already" if uses == 1 else f"{uses} times already"
            raise head.wrong(f"{name}: {who} has played it {often}")
        return name

    def thing(
        self, head: Line, name: str, contract: ContractNumbers, words: list[str]
    ) -> int | None:
        """Return which trump suit or start rank is named, as :class:`Named` has it."""
        layout = contract.kind == KIND_LAYOUT
        names = layout or contract.trump_mode != TRUMP["none"]
        if not words:
            may = contract.params if names else 0
            only = may.bit_length() - 1  # -1 where nothing is named
            return only if may & (may - 1) == 0 or not names else None
        pack = Pack(self.variant.deck)
        if len(words) > 1 or not names:
            raise head.wrong(f"{' '.join(words)}: nothing stands behind {name} (a | comes next)")
        things = pack.ranks if layout else pack.suits
        drawn = contract.trump_mode == TRUMP["drawn"]
        known = [t for i, t in enumerate(things) if drawn or contract.params >> i & 1]
        if words[0] not in known:
            raise head.wrong(f"{words[0]} may not be named with {name} (want {' '.join(known)})")
        return things.index(words[0])

    def doubles(
        self, line: DealLine, fields: Fields, declarer: int | None, contract: ContractNumbers
    ) -> Pairs:
        """Return the doubles of the deal, as the rules allow and demand them."""
        n, sheet = self.n, self.sheet
        pairs = {} if fields.doubles is None else read_doubles(sheet, *fields.doubles)
        where = line.head if fields.doubles is None else fields.doubles[0]
        if declarer is None or not n.has_doubling:
            if pairs:
                raise where.wrong("doubles: there are none in this deal")
            return pairs
        doubles_fit(sheet, where, pairs, declarer, contract.tone, n)
        marks_fit(sheet, where, pairs, declarer, self.marks)
        may = n.targets[contract.tone + 1] > 0
        left = self.left_to_declare(declarer)
        done = self.duty[declarer]
        for seat in must_double(n, done, declarer, left) if may else ():
            if (seat, declarer) not in pairs:
                raise where.wrong(
                    f"doubles: {sheet.players[seat]} has to double {sheet.players[declarer]} here: "
                    f"{done[seat]} of {n.duty} doubles so far, {left} "
                    f"deal{'s' if left > 1 else ''} left"
                )
        return pairs

    def left_to_declare(self, declarer: int) -> int:
        """Return how many deals a seat declares from this one on."""
        steps = range(self.step, self.n.n_deals)
        return sum(step // self.n.dealership % self.n.seats == declarer for step in steps)

    def book(self, named: Named, revoked: bool, pairs: Pairs, side: list[int]) -> None:
        """Count the deal: uses, duties and their fines, and what comes next."""
        n, declarer = self.n, named.declarer
        again = bool(revoked and n.revoke_replays and not self.extra and self.again < n.n_deals)
        if declarer is not None:
            for seat in range(n.seats):
                self.duty[declarer][seat] += (seat, declarer) in pairs
                if self.given is None and (seat == declarer or n.uses_of_table):
                    self.left[seat][named.contract] -= 1
            if n.duty_penalty and self.left_to_declare(declarer) == 1 and not again:
                for seat in set(range(n.seats)) - {declarer}:
                    lacking = max(0, n.duty - self.duty[declarer][seat])
                    side[seat] += n.objective * n.duty_penalty * lacking
        self.n_played += 1
        self.again += again
        self.given = named.contract if again else None

    def ending(self, line: Line) -> None:
        """Hold a line of totals, or of who is first, against the scores."""
        if line.word == "totals":
            row = numbers_of(line, line.rest, self.sheet.players)
            if row != tuple(self.scores):
                raise not_so(line, row, tuple(self.scores))
            return
        said = {self.sheet.seat(line, text) for text in line.rest}
        right = self.first()
        if said != right:
            raise line.wrong(f"first: by the totals {self.sheet.names(right)}")
