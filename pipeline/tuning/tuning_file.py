"""Reads a tuning file once, at the edge, with the rules that it starts from."""

from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from engine_ext.errors import RuleError
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.messages import nearest
from engine_ext.rules.spec import Name, Variant
from pipeline.config import ConfigError
from pipeline.mistakes import first_mistake
from pipeline.run_file import read_table, with_places
from pipeline.tuning.file import Hold, Players, Tuning, TuningError, TuningFile
from pipeline.tuning.hold import check_hold
from pipeline.tuning.objectives import REGISTRY
from pipeline.tuning.space import Space
from strategies.registry import StrategyError, create

__all__ = ["Tuning", "TuningError", "load_tuning", "tuning_names"]

NAME: TypeAdapter[str] = TypeAdapter(Name)


def tuning_names() -> list[str]:
    """Names of the tuning files that are shipped."""
    folder = resources.files("configs") / "tuning"
    return sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml"))


def load_tuning(name_or_path: str | Path) -> Tuning:
    """Read and check a tuning file, given by path or by the name of a shipped one.

    Raises :class:`TuningError`: one line that names file, key, value and what would be right.
    """
    path = _find(name_or_path)
    try:
        said = read_table(path, "tuning file")
    except ConfigError as error:
        raise TuningError(str(error)) from error
    return tuning_of(said, str(path), path.parent)


def tuning_of(said: dict[str, Any], where: str, folder: Path) -> Tuning:
    """What a tuning file says, checked; ``where`` heads every message, paths count from
    ``folder``. Errors as :func:`load_tuning`."""
    try:
        file = TuningFile.model_validate(said)
    except ValidationError as error:
        raise TuningError(f"{where}: {first_mistake(error, TuningFile)}") from error
    name, parent = _base(file, where, folder)
    if file.name in (name, *variant_names()):
        raise TuningError(f"{where}: name: {file.name} is a variant already (want a new name)")
    players = _players(file, where, folder)
    tuning = Tuning(file.model_copy(update={"players": players}), name, parent, where)
    _check_objectives(file, where)
    try:
        check_hold(file.hold, parent)
    except TuningError as error:
        raise TuningError(f"{where}: {error}") from error
    space = Space(tuning)
    if space.nearest(space.parent) is None:
        raise TuningError(f"{where}: {_impossible(tuning)}")
    return tuning


def base_path(tuning: Tuning) -> Path | None:
    """Where the parent's file lies, or None for a shipped variant by name."""
    base = tuning.file.base
    return Path(tuning.where).parent / base if _is_path(base) else None


def _is_path(base: str) -> bool:
    return base.endswith(".toml") or "/" in base


def _find(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if path.is_file():
        return path
    if path.is_dir():
        raise TuningError(f"{path}: is a folder (want a tuning file)")
    if str(name_or_path) in tuning_names():
        return cast(Path, resources.files("configs") / "tuning" / f"{name_or_path}.toml")
    raise TuningError(f"{path}: no such file (shipped tunings: {', '.join(tuning_names())})")


def _base(file: TuningFile, where: str, folder: Path) -> tuple[str, Variant]:
    """Name and rules of the parent."""
    path = folder / file.base if _is_path(file.base) else None
    try:
        rules = load_variant(path or file.base)
    except RuleError as error:
        raise TuningError(f"{where}: base: {error}") from error
    name = path.stem if path else file.base
    try:
        return NAME.validate_python(name), rules
    except ValidationError as error:
        raise TuningError(
            f"{where}: base: {name} is no name for tables (want lower case letters, digits and _)"
        ) from error


def _players(file: TuningFile, where: str, folder: Path) -> Players:
    """The players with absolute paths, each made once to see that it can be."""
    players = file.players
    single = {"full": players.full, "unadapted": players.unadapted}
    single |= {} if players.proof is None else {"proof": players.proof}
    restricted = {f"restricted.{name}": text for name, text in players.restricted.items()}
    placed = {}
    for key, text in (single | restricted).items():
        placed[key] = with_places(folder, text)
        try:
            create(placed[key])
        except StrategyError as error:
            raise TuningError(f"{where}: players.{key}: {error}") from error
    return Players(
        full=placed["full"],
        proof=placed.get("proof"),
        unadapted=placed["unadapted"],
        restricted={name: placed[f"restricted.{name}"] for name in players.restricted},
    )


def _check_objectives(file: TuningFile, where: str) -> None:
    seen = set()
    for i, wanted in enumerate(file.objectives):
        key = f"{where}: objectives[{i}].name"
        if wanted.name in seen:
            raise TuningError(f"{key}: {wanted.name} stands twice")
        seen.add(wanted.name)
        if wanted.name not in REGISTRY:
            hint = nearest(wanted.name, REGISTRY) or f"known: {', '.join(REGISTRY)}"
            raise TuningError(f'{key}: no objective is called "{wanted.name}" ({hint})')
        if REGISTRY[wanted.name].needs == "skill" and not file.players.restricted:
            raise TuningError(
                f"{key}: {wanted.name} compares with restricted players, and there are none "
                "(want some in players.restricted)"
            )


def _impossible(tuning: Tuning) -> str:
    """Which of the things that must hold cannot, as few of them as cannot together."""
    parts = _parts(tuning.file.hold)
    for n in range(1, len(parts)):
        for some in combinations(parts, n):
            hold = Hold(payouts_fall=False).model_copy(update=_together(parts, some))
            space = Space(tuning._replace(file=tuning.file.model_copy(update={"hold": hold})))
            if space.nearest(space.parent) is None:
                return _cannot(some)
    return _cannot(tuple(parts))


def _cannot(some: tuple[str, ...]) -> str:
    what = " and ".join(some)
    together = " together" if len(some) > 1 else ""
    return f"hold: {what} cannot be had{together} within the bounds of the knobs (want wider ones)"


def _parts(hold: Hold) -> dict[str, dict[str, Any]]:
    """What is to be held, one by one, as a file would say it."""
    parts: dict[str, dict[str, Any]] = {}
    if hold.zero_sum:
        parts["zero_sum"] = {"zero_sum": True}
    for name, total in hold.totals.items():
        parts[f"totals.{name} = {total}"] = {"totals": {name: total}}
    if hold.multiple_of is not None:
        parts[f"multiple_of = {hold.multiple_of}"] = {"multiple_of": hold.multiple_of}
    if hold.most_changes is not None:
        parts[f"most_changes = {hold.most_changes}"] = {"most_changes": hold.most_changes}
    if hold.payouts_fall:
        parts["payouts_fall"] = {"payouts_fall": True}
    return parts


def _together(parts: dict[str, dict[str, Any]], some: tuple[str, ...]) -> dict[str, Any]:
    update: dict[str, Any] = {}
    for name in some:
        for key, value in parts[name].items():
            update[key] = update.get(key, {}) | value if key == "totals" else value
    return update
