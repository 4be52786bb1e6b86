"""Begins a run, or takes one up again that was cut off, by Ctrl-C, kill or power."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from pipeline import executors, ledger, store
from pipeline.cap import check_cap
from pipeline.config import BY_PEOPLE, EVENINGS, RunConfig
from pipeline.executors import Begin
from pipeline.executors.handshake import asked_of
from pipeline.opening import new_manifest
from pipeline.pilot import pilot
from pipeline.plan import cut
from pipeline.playing import RunResult, play_missing
from pipeline.progress import Progress, Silent
from pipeline.signals import interrupts
from pipeline.stores import StoreError, store_at
from pipeline.strategy_files import check_unchanged
from strategies.decisions import Strategy
from strategies.registry import create

__all__ = ["RunResult", "resume", "run"]


def run(
    config: RunConfig,
    out: str | Path,
    *,
    executor: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    ship: Sequence[str] = (),
    progress: Progress | None = None,
) -> RunResult:
    """Play a run into a new folder.

    Parameters
    ----------
    config : RunConfig
        From :func:`pipeline.config.load_run`.
    out : path
        A folder that is not there yet, or empty.
    executor : str, optional
        ``local`` (the default unless RAY_ADDRESS is set), ``processes`` (as ``local``, but never
        threads), ``inline`` or ``ray``.
    workers : int, optional
        As many as there are processors unless given.
    address : str, optional
        Of a Ray cluster: ``local`` (one of its own, the default unless RAY_ADDRESS is set),
        ``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``.
    ship : sequence of paths
        Wheels that the nodes of the Ray cluster get.
    progress : Progress, optional
        Is told what lands.

    Raises
    ------
    UserError
        A mistake of the user's; nothing is written then.
    FoulPlay
        Where the run stops at fouls.
    KeyboardInterrupt
        After everything finished so far was kept.
    """
    place = store_at(out)  # before a strategy changes the directory
    place.check_new()
    kind = executors.choose(executor, workers, address, ship)
    strategies = _strategies(config)
    names = {label: repr(strategy) for label, strategy in strategies.items()}
    check_cap(config)
    manifest = new_manifest(config, cut(config, pilot(config)), names)
    gil = _release_gil(strategies)
    with interrupts(), Begin(kind, workers, gil, address=address, ship=tuple(ship)) as hands:
        hands.join()  # if it fails nothing is written
        place.begin()
        with place.held():
            place.check_new()
            attempts = ledger.begin(place.beside(), manifest)  # if it fails nothing is played
            there = store.Run.new(place, manifest)
            asked = replace(hands, asked=asked_of(there))
            return play_missing(there, attempts, asked, progress or Silent())


def resume(
    out: str | Path,
    *,
    executor: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    ship: Sequence[str] = (),
    progress: Progress | None = None,
) -> RunResult:
    """Play what is missing or damaged of a run; arguments and errors as :func:`run`."""
    there = store.Run.open(out)
    if there.manifest.config.design == EVENINGS:
        raise StoreError(f"{there.where}: {BY_PEOPLE} (barbu import writes such a run at once)")
    kind = executors.choose(executor, workers, address, ship)
    check_version(there)
    check_unchanged(there)
    strategies = _strategies(there.manifest.config)
    gil, asked = _release_gil(strategies), asked_of(there)
    begin = Begin(kind, workers, gil, address=address, ship=tuple(ship), asked=asked)
    with there.store.held(), interrupts(), begin as hands:
        attempts = ledger.begin(there.store.beside(), there.manifest)
        return play_missing(there, attempts, hands, progress or Silent())


def check_version(there: store.Run) -> None:
    """Refuse to go on with what another version began."""
    played, here = there.manifest.versions["barbu-sim"], version("barbu-sim")
    if played != here:
        raise StoreError(
            f"{there.where}: played with barbu-sim {played}, this is {here}: a run is resumed "
            "with the version that began it"
        )


def _strategies(config: RunConfig) -> dict[str, Strategy]:
    """Create each entrant's once, so that a mistake shows before anything is written."""
    return {entrant.label: create(entrant.strategy) for entrant in config.entrants}


def _release_gil(strategies: dict[str, Strategy]) -> bool:
    return all(hasattr(strategy, "capsule") for strategy in strategies.values())
