"""``barbu verify``: whether a run is whole, and whether its games can be had again."""

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.loading import LoadStrategies, note_loaded
from pipeline.cli.output import Json, note, one_line, print_json
from pipeline.cli.run import Address, Folder, Ship, Who, Workers
from pipeline.cli.standard import answers_kept

if TYPE_CHECKING:
    from pipeline.executors import Begin
    from pipeline.manifest import Audited
    from pipeline.store import Run


def verify(
    folder: Folder,
    share: Annotated[
        float | None,
        typer.Option(
            "--replay", metavar="SHARE", help="Play so much of its blocks again, 0.05 say; 1: all."
        ),
    ] = None,
    executor: Who = None,
    workers: Workers = None,
    address: Address = None,
    ship: Ship = None,
    load_strategies: LoadStrategies = False,
    as_json: Json = False,
) -> None:
    """Check every file of a run against its receipt and the plan; recompute digest and verdicts.

    Prints everything that is wrong, with what to do about it. With --replay some blocks, drawn
    by the run's key, are also played again by other workers; what the run's own audit played is
    among them. Exit code 1 if anything is wrong.

    Example: barbu verify runs/smoke --replay 0.05
    """
    from engine_ext.errors import UserError
    from pipeline.cli.audited import audit_line, note_audit
    from pipeline.config import BY_PEOPLE, EVENINGS
    from pipeline.executors import Begin, choose, cpus
    from pipeline.progress import Bar
    from pipeline.store import Run
    from pipeline.studies.designs import STUDIES
    from pipeline.verify import verify as check

    part = None if share is None else _share(share)
    kind = choose(executor, workers, address, ship or ())
    run = Run.open(folder)
    if part is not None and run.manifest.config.design == EVENINGS:
        raise UserError(f"{folder}: --replay: {BY_PEOPLE}")
    chosen = workers or cpus()
    with Bar() as bar:
        verdict = check(run, workers=chosen, progress=bar)
    audited: tuple[Audited, ...] = ()
    if part is not None and verdict.ok:
        if load_strategies:
            note_loaded(run.manifest)
        with answers_kept():
            hands = Begin(kind, workers, False, address=address, ship=tuple(ship or ()))
            audited = _replayed(run, part, hands, load_strategies)
        note_audit(audited)
    elif part is not None:
        note("not played again, since it is not whole")
    differing = [line for one in audited for line in one.differing]
    ok = verdict.ok and not differing
    if as_json:
        replayed = sum(one.games for one in audited)
        again = {"ok": ok, "replayed": replayed, "differing": differing}
        print_json(verdict._asdict() | again)
    else:
        for problem in verdict.problems:
            print(one_line(problem))
        for remark in verdict.remarks:
            note(one_line(remark))
        if verdict.surplus:
            print(f"{verdict.surplus:,} games are surplus, beyond where the run stopped")
        print(f"{'whole' if verdict.ok else 'NOT whole'}, digest {verdict.digest}")
        pieces = "units" if run.manifest.config.design in STUDIES else "games"
        line = audit_line(audited, pieces)
        if part is not None and verdict.ok:
            print(line or "nothing could be played again")
    if not ok:
        raise typer.Exit(1)


def _share(share: float) -> Fraction:
    """The share as it was written."""
    from engine_ext.errors import UserError

    if not 0 < share <= 1:
        raise UserError(f"--replay: {share:g} (want a share of the blocks, above 0 and up to 1)")
    return Fraction(str(share))


def _replayed(
    run: "Run", share: Fraction, hands: "Begin", load_strategies: bool
) -> "tuple[Audited, ...]":
    """Play again by such hands, once it is known who plays."""
    from pipeline.audit import replay_share
    from pipeline.executors.handshake import asked_of
    from pipeline.replayable import all_compiled, not_replayable
    from pipeline.signals import sigterm_interrupts
    from pipeline.strategy_files import without

    away, _ = not_replayable(run, load_strategies=load_strategies)
    asked = asked_of(run, without(run.manifest.config, away))
    threads = all_compiled(run.manifest, load_strategies=load_strategies)
    with sigterm_interrupts(), replace(hands, release_gil=threads, asked=asked) as few:
        return replay_share(run, share, few, load_strategies=load_strategies)
