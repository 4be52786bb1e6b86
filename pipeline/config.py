"""What a run file may say: everything that decides the numbers, nothing else.

How many workers play and where the results lie is not in it. A file is read
once, at the edge, into a frozen :class:`RunConfig` that holds the rules in full,
so that workers, resumed runs and reports never open ``configs/`` again.
"""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field, StringConstraints, ValidationError, model_validator

from engine_ext.errors import RuleError, UserError
from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Frozen, Name, Variant
from pipeline.mistakes import first_mistake
from pipeline.studies import designs
from strategies.registry import StrategyError, create
from strategies.spec import ParameterError, parse, rebased

Design = Literal["gauntlet", "table", "lineups", "value", "seats", "doubling"]
Streams = Literal["common", "independent"]
Foul = Literal["forfeit", "stop"]
Recorded = Literal["games", "deals", "doubles"]
RECORDED: tuple[Recorded, ...] = ("games", "deals", "doubles")
"""Tables that a tournament keeps unless it says which."""


def _on_one_line(text: str) -> str:
    """The text, if it can stand in tables, messages and terminals without harm."""
    if not text.isprintable() or text != text.strip():
        raise ValueError("must be printable and on one line, without blanks at its ends")
    return text


Text = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Line = Annotated[Text, AfterValidator(_on_one_line)]


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


class _Common(Frozen):
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
    ``table``: all entrants at one table, every circular order in turn;
    ``lineups``: the tables that are listed. The studies, in which each entrant fills a table of
    its own: ``value``, ``seats`` and ``doubling`` (docs/studies.md)."""
    entrants: tuple[Entrant, ...] = Field(min_length=1, max_length=200)
    """Who plays."""
    lineups: tuple[tuple[str, ...], ...] = Field((), max_length=10_000)
    """Design ``lineups``: names of entrants around each table, in playing order."""
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
    record: tuple[Recorded, ...] = RECORDED
    """Tables to keep beside the summary. The digest does not depend on it."""

    @model_validator(mode="after")
    def _names_fit(self) -> "_Common":
        labels = [entrant.label for entrant in self.entrants]
        for i, label in enumerate(labels):
            if label in labels[:i]:
                raise ValueError(
                    f"entrants[{i}]: a second entrant is called {label!r} (give it another name)"
                )
        if len(set(self.record)) < len(self.record):
            raise ValueError("record: a table stands twice")
        if (self.design == "lineups") != bool(self.lineups):
            raise ValueError(
                "lineups: design 'lineups' needs at least one line-up"
                if self.design == "lineups"
                else f"lineups: only for design 'lineups', not {self.design!r}"
            )
        for i, lineup in enumerate(self.lineups):
            for label in lineup:
                if label not in labels:
                    raise ValueError(
                        f"lineups[{i}]: {label!r} is no entrant (want one of {', '.join(labels)})"
                    )
        if self.design == "gauntlet" and len(self.entrants) < 2:
            raise ValueError("entrants: a gauntlet needs at least 2")
        _check_study(self)
        return self


def _check_study(said: _Common) -> None:
    """What only studies may say, and what they may not."""
    if said.worlds is not None and said.design not in designs.WITH_WORLDS:
        raise ValueError(
            f"worlds: only for the designs {' and '.join(designs.WITH_WORLDS)}, not {said.design!r}"
        )
    if said.design in designs.STUDIES:
        if said.streams != "common":
            raise ValueError(f"streams: a study compares on common streams, not {said.streams!r}")
        if said.record != RECORDED:
            raise ValueError("record: a study keeps its units and trials, nothing else")


class RunFile(_Common):
    """A run file as it stands, variants by name."""

    variants: tuple[Line, ...] = Field(min_length=1)
    """Names of shipped variants, or paths of rule files counted from the run file."""


class NamedVariant(Frozen):
    """Rules and what tables call them."""

    name: Name
    """Name of the rule file without its ending."""
    rules: Variant
    """The rules in full."""


class RunConfig(_Common):
    """A run with everything it needs: rules in full, paths absolute."""

    variants: tuple[NamedVariant, ...] = Field(min_length=1)
    """The rules played, in the order of the file."""

    @model_validator(mode="after")
    def _tables_fit(self) -> "RunConfig":
        names = [variant.name for variant in self.variants]
        for i, name in enumerate(names):
            if name in names[:i]:
                raise ValueError(f"variants[{i}]: {name!r} stands twice")
        for variant in self.variants:
            seats = variant.rules.seats
            if self.design == "table" and len(self.entrants) != seats:
                raise ValueError(
                    f"entrants: design 'table' needs as many as {variant.name} has seats, "
                    f"{seats}, not {len(self.entrants)}"
                )
            why_not = designs.why_not(self.design, variant.rules)
            if why_not is not None:
                raise ValueError(f"design: {variant.name}: {why_not}")
            for i, lineup in enumerate(self.lineups):
                if len(lineup) != seats:
                    raise ValueError(
                        f"lineups[{i}]: {len(lineup)} names, but {variant.name} has {seats} seats"
                    )
        return self

    def variant(self, name: str) -> Variant:
        """The rules called ``name``."""
        return next(variant.rules for variant in self.variants if variant.name == name)


def run_names() -> list[str]:
    """Names of the run files that are shipped."""
    folder = resources.files("configs.runs")
    return sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml"))


def load_run(name_or_path: str | Path) -> RunConfig:
    """Read a run file, given by path or by the name of a shipped one.

    Raises :class:`ConfigError`, or ``RuleError`` for a rule file it names.
    """
    path = _find(name_or_path)
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except RecursionError as error:
        raise ConfigError(f"{path}: not a TOML file: nested too deeply") from error
    except ValueError as error:  # bad syntax, bad UTF-8, a number of thousands of digits
        raise ConfigError(f"{path}: not a TOML file: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error
    return run_of(said, str(path), path.parent)


def run_of(said: dict[str, Any], where: str, folder: Path) -> RunConfig:
    """What a run file says, resolved; ``where`` heads every message, paths count from
    ``folder``. Errors as :func:`load_run`."""
    try:
        file = RunFile.model_validate(said)
    except ValidationError as error:
        raise ConfigError(f"{where}: {first_mistake(error, RunFile)}") from error

    variants = tuple(_variant(where, folder, i, text) for i, text in enumerate(file.variants))
    resolved = file.model_dump() | {
        "entrants": tuple(_absolute(folder, entrant) for entrant in file.entrants),
        "variants": variants,
    }
    try:
        config = RunConfig.model_validate(resolved)
    except ValidationError as error:
        raise ConfigError(f"{where}: {first_mistake(error, RunConfig)}") from error
    for i, entrant in enumerate(config.entrants):
        try:
            create(entrant.strategy)
        except StrategyError as error:
            raise ConfigError(f"{where}: entrants[{i}].strategy: {error}") from error
    return config


def _find(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if path.is_file():
        return path
    if path.is_dir():
        raise ConfigError(f"{path}: is a folder (want a run file)")
    if str(name_or_path) in run_names():
        return cast(Path, resources.files("configs.runs") / f"{name_or_path}.toml")
    raise ConfigError(f"{path}: no such file (shipped runs: {', '.join(run_names())})")


def _variant(where: str, folder: Path, i: int, text: str) -> NamedVariant:
    """Rules by name, or by path from the run file's folder."""
    path = folder / text if text.endswith(".toml") or "/" in text else None
    try:
        rules = load_variant(path or text)
    except RuleError as error:
        raise ConfigError(f"{where}: variants[{i}]: {error}") from error
    try:
        return NamedVariant(name=path.stem if path else text, rules=rules)
    except ValidationError as error:
        raise ConfigError(
            f"{where}: variants[{i}]: {text} is no name for tables "
            "(want lower case letters, digits and _)"
        ) from error


def _absolute(folder: Path, entrant: Entrant) -> Entrant:
    """The entrant with the paths of the files that it names made absolute."""

    def place(base: str) -> str:
        file, colon, attribute = base.rpartition(":")
        if not colon or not file.endswith(".py"):
            return base
        return f"{(folder / file).resolve()}:{attribute}"

    try:
        asked = parse(entrant.strategy)
    except ParameterError:
        return entrant  # told when it is made
    strategy = str(rebased(asked, place))
    if strategy == entrant.strategy:
        return entrant
    return Entrant(strategy=strategy, name=str(asked) if entrant.name is None else entrant.name)
