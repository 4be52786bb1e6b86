"""The engine's numbers in the words of records, for one variant."""

from engine_ext.batch import Rules
from engine_ext.cards import Pack, cards_in
from engine_ext.record_steps import what_is_named
from engine_ext.record_text import BACK, PASS
from engine_ext.rules.resolve import KIND_LAYOUT, TRUMP
from engine_ext.rules.spec import Variant

TAKEN_BACK, NO_CARD = 128, 255


class Names:
    """The engine's numbers in words, for one variant."""

    def __init__(self, variant: Variant, rules: Rules) -> None:
        self.rules, self.pack = rules, Pack(variant.deck)

    def cards(self, mask: int) -> list[str]:
        """Return the cards of a set."""
        return self.pack.named(mask)

    def seats(self, mask: int) -> list[str]:
        """Return the seats of a set."""
        return [f"P{seat}" for seat in cards_in(mask)]

    def move(self, move: int) -> str:
        """Return a move: a card, ``pass``, or a card taken back."""
        if move == NO_CARD:
            return PASS
        name = self.pack.name(move % TAKEN_BACK)
        return name + BACK if move >= TAKEN_BACK else name

    def option(self, contract: int, param: int) -> str:
        """Return a contract with what is named with it."""
        name = self.rules.numbers.contract_names[contract]
        numbers = self.rules.numbers.contracts[contract]
        if numbers.kind != KIND_LAYOUT and numbers.trump_mode != TRUMP["declarer"]:
            return name
        return f"{name} {what_is_named(name, self.rules, self.pack)[1][param]}"

    def pair(self, option: str) -> tuple[int, int]:
        """Return the numbers of an option."""
        name, _, named = option.partition(" ")
        things = what_is_named(name, self.rules, self.pack)[1]
        return (
            self.rules.numbers.contract_names.index(name),
            things.index(named) if named else 0,
        )
