"""Deals of a tournament read from a file of records: the cards alone, whatever was played.

Key ``deals`` of a run file. As many consecutive deals as the schedule has are the cards of one
block; see docs/records.md, "A tournament on given deals".
"""

from pathlib import Path
from typing import Any

from engine_ext.batch import Rules
from engine_ext.cards import Pack
from engine_ext.fixed import Hands, hands_of_sets, text_of_hands
from engine_ext.record import apart, text_of, variant_of
from engine_ext.record_cards import hands_of, once_each
from engine_ext.record_given import Given
from engine_ext.record_pieces import Piece, pieces
from engine_ext.record_text import Line, RecordError
from engine_ext.rules.facts import n_deals
from engine_ext.rules.spec import Variant
from engine_ext.sheet_text import is_sheet
from pipeline.config import ConfigError, NamedVariant, RunFile
from pipeline.studies.designs import STUDIES

MOST_DEALS = 20_000
"""In a file. They travel with the run's config to every worker."""


def dealt(
    file: RunFile, variants: tuple[NamedVariant, ...], where: str, folder: Path, blocks: int | None
) -> dict[str, Any]:
    """What the key ``deals`` of a run file says: ``dealt`` and ``blocks`` of the resolved run.

    ``blocks``: those that are asked for, None for all that the file has. Raises ``ConfigError``.
    """
    assert file.deals is not None
    if file.design in STUDIES:
        raise ConfigError(f"{where}: deals: only for tournaments, not design {file.design!r}")
    if len(variants) != 1:
        raise ConfigError(f"{where}: deals: only for one variant, not {len(variants)}")
    try:
        hands = read_deals(folder / file.deals, variants[0])
    except RecordError as error:
        raise ConfigError(f"{where}: deals: {error}") from error
    if blocks is not None and blocks > len(hands):
        raise ConfigError(
            f"{where}: blocks: {blocks}, but {file.deals} has deals for {len(hands)} "
            "(without the key all are played)"
        )
    numbers = Rules(variants[0].rules).numbers
    return {"dealt": text_of_hands(numbers, hands[:blocks]), "blocks": blocks or len(hands)}


def read_deals(path: Path, variant: NamedVariant) -> Hands:
    """Return the hands of a file of records, by block, deal and seat as in
    :func:`engine_ext.batch.play_games`; raises ``RecordError``.

    Deals behind the schedule of their own game are left out: extra ones, which play out a tie,
    and as many as were played again after a revoke.
    """
    text, file = text_of(path), str(path)
    if is_sheet(text):
        raise RecordError(f"{file}: a score sheet does not say who held which cards (want records)")
    parts = pieces(text)
    if len(parts) > MOST_DEALS:
        raise RecordError(f"{file}: {len(parts):,} deals (at most {MOST_DEALS:,})")
    reading = _Reading(variant, file, path.parent)
    found = [hands for part in parts if (hands := reading.add(part)) is not None]
    numbers = reading.rules.numbers
    if not found or len(found) % numbers.n_deals:
        raise RecordError(
            f"{file}: {len(found):,} deal{'s' * (len(found) != 1)}, a game of {variant.name} has "
            f"{numbers.n_deals} (want a multiple of it)"
        )
    return hands_of_sets(numbers, found)


class _Reading:
    """The deals so far."""

    def __init__(self, variant: NamedVariant, file: str, folder: Path) -> None:
        self.variant, self.file, self.folder = variant, file, folder
        self.rules, self.pack = Rules(variant.rules), Pack(variant.rules.deck)
        self.schedule: int | None = None
        """Deals of the schedule of the game that they come from; None until it is said."""
        self.number = 0
        """Of the last deal in its game, from 1."""
        self._known: dict[tuple[str, ...], Variant] = {}

    def add(self, part: Piece) -> list[int] | None:
        """Return the hands of one deal as card sets by seat; None behind the schedule."""
        setup, _ = apart(part.lines(self.file))
        if "variant" in setup:
            self.schedule = self._schedule(setup["variant"][0], setup.get("option", []))
        if self.schedule is None:
            raise RecordError(
                f"{self.file}, line {part.first}: the first deal does not say its variant "
                f"(e.g. variant {self.variant.name})"
            )
        self._count(setup.get("deal", []), self.schedule, extra="tied" in setup)
        if self.number > self.schedule:
            return None
        if "hands" not in setup:
            raise RecordError(
                f"{self.file}, line {part.first}: this deal has no hands line (want the cards of "
                "every seat as dealt)"
            )
        return self._hands(setup)

    def _schedule(self, line: Line, options: list[Line]) -> int:
        """Deals of a game of the variant that a line names; it must have the run's pack."""
        said = (line.text, *(option.text for option in options))
        if said not in self._known:
            self._known[said] = variant_of(line, options, self.folder)
        theirs, ours = self._known[said], self.variant
        pack = Pack(theirs.deck)
        if sorted(pack.named(pack.deck)) != sorted(self.pack.named(self.pack.deck)):
            raise line.wrong(
                f"variant: {line.text} has another pack than {ours.name}, {pack.size} cards "
                f"(want the same {self.pack.size})"
            )
        if theirs.seats != ours.rules.seats:
            raise line.wrong(
                f"variant: {line.text} is for {theirs.seats} seats, {ours.name} for "
                f"{ours.rules.seats}"
            )
        return n_deals(theirs)

    def _count(self, lines: list[Line], schedule: int, *, extra: bool) -> None:
        """Number the deal in its game; a missing one is noticed where they have numbers."""
        begins = self.number == 0 or self.number >= schedule
        if not lines:
            self.number = 1 if begins and not extra else self.number + 1
            return
        number = lines[0].integer(lines[0].one("1"))
        if number != self.number + 1 and not (number == 1 and begins):
            want = f"deal {self.number + 1}" + " or deal 1" * (begins and self.number > 0)
            behind = f"behind deal {self.number} of {schedule}" if self.number else "first"
            raise lines[0].wrong(f"deal: {number} {behind} (want {want})")
        self.number = number

    def _hands(self, setup: dict[str, list[Line]]) -> list[int]:
        """The hands of a setup, whole as they were dealt."""
        line, size = setup["hands"][0], self.rules.numbers.hand_size
        given = Given(setup, [], self.rules, self.pack, self.file)
        hands = hands_of(given)
        for seat, hand in enumerate(hands):
            if len(hand) != size:
                raise line.wrong(
                    f"hands: P{seat} holds {len(hand)} cards (want all {size}, as dealt)"
                )
        once_each(given, hands, ((),) * given.seats, ())
        return self.pack.sets_of(hands)


def with_blocks(said: dict[str, Any]) -> dict[str, Any]:
    """A run file's words where ``blocks`` may be left out: any number, until the file of deals
    is read and says how many."""
    return {"blocks": 2**40} | said if "deals" in said else said
