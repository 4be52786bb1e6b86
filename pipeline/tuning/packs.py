"""Plays many candidates at once: each is a variant of one ordinary run, all on the same deals.

A candidate needs up to three runs, which lie side by side in the tuning's folder: ``games`` of
players who plan under its rules, ``choices`` (a study of ``value``) and ``skill`` (restricted
players at tables of full ones). A run that is complete is only read, one that was cut off is
taken up where it stands.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from pydantic import ValidationError

from engine_ext.rules.spec import Variant
from pipeline.config import RECORDED, ConfigError, Entrant, NamedVariant, RunConfig
from pipeline.files import MANIFEST
from pipeline.mistakes import first_mistake
from pipeline.progress import Progress
from pipeline.run import check_version
from pipeline.store import Run
from pipeline.stores import StoreError, store_at
from pipeline.strategy_files import check_unchanged
from pipeline.studies import designs
from pipeline.taking_up import check_same, run_or_resume
from pipeline.tuning.choices import read_choices
from pipeline.tuning.file import Amount, Players
from pipeline.tuning.objectives import Needs, Objective
from pipeline.tuning.outcome import Told
from pipeline.tuning.results import FULL, Results
from pipeline.tuning.rounds import together
from pipeline.tuning.stored import read_played
from strategies.spec import PARTS, ParameterError, parse

__all__ = ["How", "needs_of", "play_pack", "seed_of", "together"]

MOST = 100
"""Candidates of one run; more are played by several."""


class How(NamedTuple):
    """Who plays, and who is told; decides no number. As for :func:`pipeline.run.run`."""

    executor: str | None = None
    workers: int | None = None
    address: str | None = None
    ship: Sequence[str] = ()
    progress: Progress | None = None


def needs_of(objectives: Iterable[Objective]) -> frozenset[Needs]:
    """What has to be played for these; moves come with games."""
    asked = {objective.needs for objective in objectives}
    return frozenset(asked | {"games"} if "moves" in asked else asked)


def seed_of(seed: int, stage: str, round: int) -> int:
    """The seed of the runs of a stage's round, from the tuning's seed (docs/seeds.md)."""
    text = f"barbu-tuning-v1 {stage} {round} {seed}"
    return int.from_bytes(sha256(text.encode("ascii")).digest()[:8], "little")


def _own(kind: str, seed: int) -> int:
    """The seed of a kind of runs. A study deals on its own: its figures are added to those of
    games group by group, which are other blocks, so that the two have to be independent."""
    return seed_of(seed, kind, 0) if kind == "choices" else seed


def play_pack(
    folder: str,
    stem: str,
    candidates: Mapping[str, Variant],
    players: Players,
    amount: Amount,
    seed: int,
    needs: Iterable[Needs],
    how: How,
    title: str,
) -> tuple[dict[str, Results], tuple[Told, ...]]:
    """Play candidates, or read what was played of them.

    Parameters
    ----------
    folder : str
        The tuning's, or a bucket's URI: the runs are ``FOLDER/STEM-games``, ``-choices`` and
        ``-skill``, of more than :data:`MOST` candidates ``-games-2`` and so on too.
    candidates : mapping
        Rules by the name that the runs have for them.
    players, amount
        Who plays, and how much of each candidate.
    seed : int
        Of the runs: the same deals for every candidate, of ``games`` and ``skill`` together.
    needs : iterable
        What is to be played, see :func:`needs_of`.
    title : str
        What the runs are for.

    Returns
    -------
    tuple
        What was found by candidate, in their order, and the runs. ``choices`` is None where a
        candidate's contracts come in a fixed order.

    Raises
    ------
    UserError
        Players that cannot play so, a folder that holds other runs or cannot be written,
        shards that could not be played.
    FoulPlay
        A player fouled: what he shows tells nothing of the rules.
    """
    found = {name: Results() for name in candidates}
    told: list[Told] = []
    for kind, keys in _KINDS.items():
        if not set(keys) & set(needs):
            continue
        config = _config_of(kind, players, amount, set(needs)) | {"seed": _own(kind, seed)}
        asked = [name for name in candidates if _can(kind, candidates[name])]
        for number, first in enumerate(range(0, len(asked), MOST), start=1):
            names = asked[first : first + MOST]
            path = f"{stem}-{kind}" if number == 1 else f"{stem}-{kind}-{number}"
            run = _played(folder, path, _run_of(config, candidates, names, f"{title}: {kind}"), how)
            told.append(_told(run, path))
            for name in names:
                found[name] = _with(found[name], kind, run, name)
    return found, tuple(told)


_KINDS: dict[str, tuple[Needs, ...]] = {
    "games": ("games", "moves"),
    "choices": ("choices",),
    "skill": ("skill",),
}
"""Runs, which are also fields of ``Results``, and for which needs they are played."""


def _with(results: Results, kind: str, run: Run, name: str) -> Results:
    """The results with what a run found of the candidate."""
    if kind == "choices":
        return results._replace(choices=read_choices(run, name))
    played = read_played(run, name)
    return results._replace(games=played) if kind == "games" else results._replace(skill=played)


def _can(kind: str, rules: Variant) -> bool:
    return kind != "choices" or designs.why_not("value", rules) is None


def _config_of(kind: str, players: Players, amount: Amount, needs: set[Needs]) -> dict[str, Any]:
    """What a run of a kind says beside rules, seed and title; seats are filled in later."""
    if kind == "choices":
        study = Entrant(strategy=_play_part(players.full), name=FULL)
        return {
            "design": "value",
            "blocks": amount.choices,
            "worlds": amount.worlds,
            "entrants": (study,),
        }
    said = {"design": "lineups", "rotations": "one", "blocks": amount.games, "foul": "stop"}
    full = Entrant(strategy=players.full, name=FULL)
    if kind == "games":
        record = (*RECORDED, "plays") if "moves" in needs else RECORDED
        return said | {"entrants": (full,), "record": record}
    if not players.restricted:
        raise ConfigError("players.restricted: skill is measured by players who lack something")
    if FULL in players.restricted:
        raise ConfigError(f"players.restricted.{FULL}: that is whom they play against")
    lacking = (Entrant(strategy=s, name=name) for name, s in players.restricted.items())
    return said | {"entrants": (full, *lacking)}


def _play_part(strategy: str) -> str:
    """The part of a player that plays cards, as it is written."""
    try:
        spec = parse(strategy)
    except ParameterError as error:
        raise ConfigError(f"players.full: {error}") from error
    parts = {} if spec.base else dict(spec.values)
    return str(parts.get(PARTS[0], spec))


def _run_of(
    said: Mapping[str, Any], candidates: Mapping[str, Variant], names: Sequence[str], title: str
) -> RunConfig:
    """The run of some candidates."""
    variants = tuple(NamedVariant(name=name, rules=candidates[name]) for name in names)
    more: dict[str, Any] = {"title": title, "variants": variants}
    if said["design"] == "lineups":
        others = (FULL,) * (variants[0].rules.seats - 1)
        first = [entrant.label for entrant in said["entrants"]]
        more["lineups"] = tuple((one, *others) for one in (first[1:] or first))
    try:
        return RunConfig.model_validate({**said, **more})
    except ValidationError as error:
        raise ConfigError(f"{title}: {first_mistake(error, RunConfig)}") from error


def _played(folder: str, path: str, config: RunConfig, how: How) -> Run:
    """The whole run, played as far as it was not."""
    store = store_at(folder).inside(path)
    if store.entry(MANIFEST) is not None:
        there = Run.of(store)
        check_same(there, config, "the tuning")
        check_version(there)
        check_unchanged(there)
        if there.manifest.status == "complete":
            return there
    result = run_or_resume(config, store.where, **how._asdict())
    if result.status != "complete":
        raise StoreError(
            f"{result.run}: {len(result.set_aside)} shards could not be played: "
            f"{result.set_aside[0]} (the others are there; the same command tries them again)"
        )
    return Run.of(store)


def _told(run: Run, path: str) -> Told:
    digest = run.manifest.digest
    assert digest is not None, "it is complete"
    return Told(path=path, digest=digest, deals=run.manifest.deals)
