"""What a run file may say: everything that decides the numbers, nothing else.

How many workers play and where the results lie is not in it. A file is read
once, at the edge, into a frozen :class:`RunConfig` that holds the rules in full,
so that workers, resumed runs and reports never open ``configs/`` again.
"""

from hashlib import sha256
from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator, model_validator

from engine_ext.errors import UserError
from engine_ext.fixed import hands_of_text
from engine_ext.rules.resolve import resolve
from engine_ext.rules.spec import Frozen, Name, Variant
from pipeline import allowed
from pipeline.claim import Claim, Line, Stop
from pipeline.studies import designs

Asked = Literal[
    "gauntlet",
    "mix",
    "table",
    "round_robin",
    "candidates",
    "full",
    "lineups",
    "value",
    "seats",
    "doubling",
]
"""Designs of a run file."""
Design = Literal[Asked, "evenings"]
"""Those of a run; which games people played is in no run file."""
Streams = Literal["common", "independent"]
Foul = Literal["forfeit", "stop"]
Recorded = Literal["games", "deals", "doubles", "plays"]
RECORDED: tuple[Recorded, ...] = ("games", "deals", "doubles")
"""Tables that a tournament keeps unless it says which; ``plays`` is kept where it is named."""
ALL, SUMMARY = "all", "summary"
"""Words of ``record``: every table; sums over blocks alone."""


EVENINGS = "evenings"
"""The design of games that people played."""
PERSON = "person"
"""Strategy of an entrant of such a run: he is never asked."""
BY_PEOPLE = "people played its games, so nothing can be played (again)"
"""Why a run of evenings is not resumed, replayed or audited."""
FORMULA = "=+-@"
"""What a cell of a spreadsheet begins with that is carried out."""


class ConfigError(UserError):
    """A run file that cannot be played."""


class Entrant(Frozen):
    """A strategy as it stands in results."""

    strategy: Line
    """``duck.v1``, ``module:Class`` or ``path/file.py:Class``; a path counts from the
    run file."""
    name: Line | None = None
    """What tables call it; the strategy itself where nothing is said."""

    @property
    def label(self) -> str:
        """The name in tables and line-ups."""
        return self.strategy if self.name is None else self.name


class Sample(Frozen):
    """Blocks whose rows are kept where those of all blocks would be too many."""

    share: float = Field(gt=0, le=1, strict=True)
    """Part of the blocks, 0.01 for one in a hundred, above 0 and up to 1; each is drawn by the
    run key alone, so it is about that part, and with a larger share the same and more."""
    tables: tuple[Recorded, ...] = Field(("games", "deals", "doubles", "plays"), min_length=1)
    """Tables that hold the rows of these blocks and of no others."""


class Common(Frozen):
    """What a run file and a resolved run say in the same words."""

    title: Line
    """What the run asks, for reports."""
    seed: int = Field(ge=0, lt=2**64, strict=True)
    """Decides every card and every draw; the same seed deals the same cards to
    any rules and line-ups."""
    blocks: int = Field(ge=1, le=2**40, strict=True)
    """Blocks of each variant. A block is the same deals played at every table in
    every seat rotation: the unit of counting."""
    design: Design
    """``gauntlet``: the first entrant against a table full of each other one;
    ``mix``: the first and each other one share tables, in every head count of ``heads``;
    ``table``: all entrants at one table, the circular orders in turn;
    ``round_robin``: more entrants than seats, all of them at tables of ever new company;
    ``candidates``: each entrant in turn in the same place of one ``field``, and the field alone;
    ``full``: all entrants at one table, in each block every circular order of a set in which
    each sits next to each other equally often: 2, 6, 4 or 10 orders for 3 to 6 seats;
    ``lineups``: the tables that are listed. The studies, in which each entrant fills a table of
    its own: ``value``, ``seats`` and ``doubling`` (docs/studies.md). ``evenings``, which no run
    file can ask for: games that people played, imported (docs/evenings.md)."""
    entrants: tuple[Entrant, ...] = Field(min_length=1, max_length=200)
    """Who plays."""
    lineups: tuple[tuple[str, ...], ...] = Field((), max_length=10_000)
    """Design ``lineups``: names of entrants around each table, in playing order."""
    invasions: Literal["one", "both"] = "one"
    """Design ``gauntlet``: ``both`` plays each other one against a table full of the first too."""
    heads: tuple[Annotated[int, Field(strict=True)], ...] = Field((), max_length=9)
    """Design ``mix``: in how many seats the first entrant sits, a table each; every number from
    1 to one less than the seats unless given."""
    field: tuple[str, ...] = Field((), max_length=9)
    """Design ``candidates``: the entrant in all other seats, or one for each of them in playing
    order."""
    rotations: Literal["all", "one"] = "all"
    """Designs ``candidates`` and ``lineups``: ``one`` plays each line-up once in a block, its seats
    drawn, where games are slow or many blocks are wanted; all other designs play every rotation."""
    claim: Claim | None = None
    """What the verdict is about; the first entrant against the mean of his tables unless given."""
    stop: Stop | None = None
    """When to stop before all ``blocks`` are played; never unless given."""
    worlds: int | None = Field(None, ge=2, le=100_000, multiple_of=2, strict=True)
    """Designs ``value`` and ``doubling``: how often the hidden hands are dealt anew for each hand
    that is looked at, an even number; 32 unless given."""
    streams: Streams = "common"
    """``common``: a seat draws the same random numbers in all games of a block,
    which makes comparisons sharper; ``independent``: its own in each."""
    foul: Foul = "forfeit"
    """After an illegal or failed answer: play on with the default answer and count
    it, or stop the run."""
    budget_ms: float | None = Field(None, gt=0, le=3_600_000, strict=True)
    """Longest that a strategy in Python may think about one answer; a later one is a foul.
    Whether there are any depends on the machine, and with them the digest; without the key
    nobody looks at the clock. Work is better measured in what a strategy does."""
    record: tuple[Recorded, ...] | Literal["summary"] = RECORDED
    """Tables of single games to keep beside totals of blocks and sums over them: ``"all"``, or a
    list of some; ``"summary"``: sums over blocks alone, for runs of any length. The digest does
    not depend on it."""
    sample: Sample | None = None
    """Tables of single games to keep of some blocks besides; none unless given. The digest does
    not depend on it either."""

    @field_validator("record", mode="before")
    @classmethod
    def _record_in_full(cls, said: object) -> object:
        """What it says as it is kept; a mistake in one sentence, not one for each kind."""
        if isinstance(said, str):
            if said not in (ALL, SUMMARY):
                raise ValueError(f"want {ALL!r}, {SUMMARY!r} or a list of tables, not {said!r}")
            return RECORDED if said == ALL else said
        if not isinstance(said, list | tuple):
            raise ValueError(f"want {ALL!r}, {SUMMARY!r} or a list of tables, not {said!r}")
        for table in said:
            if table not in get_args(Recorded):
                known = ", ".join(get_args(Recorded))
                raise ValueError(f"{table!r} cannot be chosen (want some of {known})")
        return said

    @model_validator(mode="after")
    def _names_fit(self) -> "Common":
        labels = [entrant.label for entrant in self.entrants]
        for i, label in enumerate(labels):
            if label[0] in FORMULA:
                raise ValueError(
                    f"entrants[{i}]: {label!r} may not begin with {label[0]} (a spreadsheet that "
                    "opens a table would take it for a formula; give it another name)"
                )
            if label in labels[:i]:
                raise ValueError(
                    f"entrants[{i}]: a second entrant is called {label!r} (give it another name)"
                )
        if len(set(self.recorded)) < len(self.recorded):
            raise ValueError("record: a table stands twice")
        allowed.check_design(self, labels)
        allowed.check_claim(self, labels)
        allowed.check_record(self, len(labels))
        allowed.check_sample(self)
        _check_study(self)
        return self

    @property
    def recorded(self) -> tuple[Recorded, ...]:
        """Tables of single games that are kept."""
        return () if isinstance(self.record, str) else self.record

    @property
    def sampled(self) -> tuple[Recorded, ...]:
        """Tables that hold sampled blocks alone."""
        return () if self.sample is None else self.sample.tables

    @property
    def logs_moves(self) -> bool:
        """Whether what is played is kept move by move."""
        return "plays" in (*self.recorded, *self.sampled)

    @property
    def keeps_totals(self) -> bool:
        """Whether single blocks can be told apart afterwards."""
        return not isinstance(self.record, str)


def _check_study(said: Common) -> None:
    """What only studies may say, and what they may not."""
    if said.worlds is not None and said.design not in designs.WITH_WORLDS:
        raise ValueError(
            f"worlds: only for the designs {' and '.join(designs.WITH_WORLDS)}, not {said.design!r}"
        )
    if said.design in designs.STUDIES:
        if said.streams != "common":
            raise ValueError(f"streams: a study compares on common streams, not {said.streams!r}")
        for key, differs in (("record", said.record != RECORDED), ("sample", said.sample)):
            if differs:
                raise ValueError(f"{key}: a study keeps its units and trials, nothing else")


class Evening(Frozen):
    """The games of people that count as one: those of an evening, or a single game."""

    name: Line | None = None
    """As the sheets call it, a date say; None where they tell none and the game stands alone."""
    games: tuple[tuple[Line, ...], ...] = Field(min_length=1, max_length=1000)
    """Who sat there in each of its games, in playing order; who deals first stands first."""


class RunFile(Common):
    """A run file as it stands, variants by name."""

    design: Asked
    """As of any run, but for ``evenings``: ``barbu import`` makes such a run."""
    variants: tuple[Line, ...] = Field(min_length=1, max_length=100)
    """Names of shipped variants, or paths of rule files counted from the run file."""
    deals: Line | None = None
    """A file of records, its path counted from the run file: their cards are dealt, in place of
    the seed's (docs/records.md). ``blocks`` may then be left out."""


def rules_hash(rules: Variant) -> str:
    """SHA-256 of what a variant's rules say; a key that came later and is not used is not in it."""
    return sha256(rules.model_dump_json(exclude_defaults=True).encode()).hexdigest()


class NamedVariant(Frozen):
    """Rules and what tables call them."""

    name: Name
    """Name of the rule file without its ending."""
    rules: Variant
    """The rules in full."""


class RunConfig(Common):
    """A run with everything it needs: rules in full, paths absolute."""

    variants: tuple[NamedVariant, ...] = Field(min_length=1)
    """The rules played, in the order of the file."""
    dealt: str | None = None
    """The hands of all deals, where they are given; as :mod:`engine_ext.fixed` writes them."""
    evenings: tuple[Evening, ...] = Field((), max_length=10_000)
    """Design ``evenings``: what each block is, those with the most games first."""

    @model_validator(mode="after")
    def _tables_fit(self) -> "RunConfig":
        names = [variant.name for variant in self.variants]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ValueError(f"variants[{i}]: {name!r} stands twice")
        for variant in self.variants:
            allowed.check_seats(self, variant.name, variant.rules.seats)
            why_not = designs.why_not(self.design, variant.rules)
            if why_not is not None:
                raise ValueError(f"design: {variant.name}: {why_not}")
        _check_dealt(self)
        allowed.check_evenings(self)
        return self

    def variant(self, name: str) -> Variant:
        """The rules called ``name``."""
        return next(variant.rules for variant in self.variants if variant.name == name)


def _check_dealt(run: RunConfig) -> None:
    """Given hands are whole deals, as many as the blocks need."""
    if run.dealt is None:
        return
    if run.design in designs.STUDIES or len(run.variants) != 1:
        raise ValueError("dealt: only for tournaments of one variant")
    try:
        hands = hands_of_text(resolve(run.variants[0].rules), run.dealt)
    except ValueError as error:
        raise ValueError(f"dealt: {error}") from error
    if len(hands) != run.blocks:
        raise ValueError(f"dealt: hands of {len(hands)} blocks, want {run.blocks}")
