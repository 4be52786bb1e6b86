"""Reads a run file once, at the edge, into a frozen ``RunConfig``."""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from engine_ext.errors import RuleError
from engine_ext.rules.load import load_variant
from pipeline.config import ConfigError, Entrant, NamedVariant, RunConfig, RunFile
from pipeline.fixed_deals import dealt, with_blocks
from pipeline.mistakes import first_mistake
from strategies.registry import StrategyError, create
from strategies.spec import ParameterError, parse, rebased

MOST_BYTES = 2**22
"""Of a run file; ten thousand line-ups take a fifth of it."""

DEEPEST = 100
"""Dots of a key; run files have one or two."""


def run_names() -> list[str]:
    """Names of the run files that are shipped."""
    folder = resources.files("configs.runs")
    return sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml"))


def load_run(name_or_path: str | Path) -> RunConfig:
    """Read a run file, given by path or by the name of a shipped one.

    Raises :class:`ConfigError`, or ``RuleError`` for a rule file it names.
    """
    path = _find(name_or_path)
    said = read_table(path, "run file")
    return run_of(said, str(path), path.parent)


def read_table(path: Path, what: str) -> dict[str, Any]:
    """The keys of a ``what``, as tall and deep as such a file may be.

    Raises :class:`ConfigError` where it cannot be read.
    """
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise ConfigError(f"{path}: {size} bytes (want a {what} of {MOST_BYTES} at most)")
        text = path.read_text(encoding="utf-8-sig")
        if any(line.partition("=")[0].count(".") > DEEPEST for line in text.splitlines()):
            raise RecursionError  # such keys take the parser minutes
        return tomllib.loads(text)
    except RecursionError as error:
        raise ConfigError(f"{path}: not a TOML file: nested too deeply") from error
    except ValueError as error:  # bad syntax, bad UTF-8, a number of thousands of digits
        raise ConfigError(f"{path}: not a TOML file: {error}") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from error


def run_of(said: dict[str, Any], where: str, folder: Path) -> RunConfig:
    """What a run file says, resolved; ``where`` heads every message, paths count from
    ``folder``. Errors as :func:`load_run`."""
    try:
        file = RunFile.model_validate(with_blocks(said))
    except ValidationError as error:
        raise ConfigError(f"{where}: {first_mistake(error, RunFile)}") from error

    variants = tuple(_variant(where, folder, i, text) for i, text in enumerate(file.variants))
    resolved = file.model_dump(exclude={"deals"}) | {
        "entrants": tuple(_absolute(folder, entrant) for entrant in file.entrants),
        "variants": variants,
    }
    if file.deals is not None:
        resolved |= dealt(file, variants, where, folder, said.get("blocks"))
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
    strategy = with_places(folder, entrant.strategy)
    if strategy == entrant.strategy:
        return entrant
    return Entrant(strategy=strategy, name=entrant.label)


def with_places(folder: Path, strategy: str) -> str:
    """A strategy's text with the paths of files in it, counted from ``folder``, made absolute."""

    def place(base: str) -> str:
        file, colon, attribute = base.rpartition(":")
        if not colon or not file.endswith(".py"):
            return base
        return f"{(folder / file).resolve()}:{attribute}"

    try:
        return str(rebased(parse(strategy), place))
    except ParameterError:
        return strategy  # told when it is made
