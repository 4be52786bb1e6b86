"""The setup lines of a record by keyword, with the variant they are about."""

from collections.abc import Callable
from dataclasses import dataclass

from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.record_text import Line
from engine_ext.rules.resolve import KIND_LAYOUT, ContractNumbers, VariantNumbers


@dataclass(frozen=True, slots=True)
class Given:
    """What a record says before its first step."""

    lines: dict[str, list[Line]]
    """By keyword."""
    acts: list[Line]
    """The steps and checks that follow."""
    rules: Rules
    pack: Pack
    file: str

    @property
    def numbers(self) -> VariantNumbers:
        """The variant's numbers."""
        return self.rules.numbers

    @property
    def seats(self) -> int:
        """How many play."""
        return self.rules.numbers.seats

    def line(self, word: str) -> Line | None:
        """Return the line of a keyword that comes once, None without."""
        return self.lines[word][0] if word in self.lines else None

    def of(self, name: str) -> ContractNumbers:
        """Return a contract's numbers."""
        return self.numbers.contracts[self.numbers.contract_names.index(name)]

    def is_layout(self, name: str | None) -> bool:
        """Tell whether a contract is a layout."""
        return name is not None and self.of(name).kind == KIND_LAYOUT

    def by_seat(
        self, word: str, read: Callable[[Line], tuple[str, ...]]
    ) -> tuple[tuple[str, ...], ...]:
        """Return what lines with a seat before the colon say, nothing for the other seats."""
        found: list[tuple[str, ...]] = [()] * self.seats
        for line in self.lines.get(word, []):
            seat = line.by(self.seats)
            if found[seat]:
                raise line.wrong(f"{word}: P{seat} has a line already")
            found[seat] = read(line)
        return tuple(found)

    def row(self, word: str) -> tuple[int, ...]:
        """Return a line's numbers by seat, noughts without the line."""
        line = self.line(word)
        return (0,) * self.seats if line is None else line.numbers(self.seats)
