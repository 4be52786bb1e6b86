"""``barbu replay`` of a study: a unit, and one of its deals as a record."""

from typing import TYPE_CHECKING

import typer

from pipeline.cli.output import note, print_json
from pipeline.cli.run import fouls_told
from pipeline.cli.standard import answers_kept

if TYPE_CHECKING:
    from pipeline.store import Run
    from pipeline.studies.replay import Asked, Replayed


def replay_unit(
    run: "Run",
    variant: str | None,
    place: tuple[int, int, int],
    asked: "Asked",
    deal: int | None,
    show: bool,
    as_json: bool,
    load_strategies: bool,
) -> None:
    """Play unit (block, table, step) again and print the deal that was asked for."""
    from pipeline.replay import ReplayError, is_shipped, which_variant
    from pipeline.studies.replay import UnitReplayer

    name = which_variant(run, variant)
    shipped = is_shipped(name, run)
    with fouls_told(), answers_kept():
        called = name if shipped else f"{name}.toml"
        replayer = UnitReplayer(run, name, called, load_strategies=load_strategies)
        found = replayer.play(*place, asked)
    records = found.records
    if deal is not None:
        if deal >= len(records):
            raise ReplayError(
                f"{run.where}: --deal: {deal} (this unit has 0 to {len(records) - 1})"
            )
        records = records[deal : deal + 1]
    found = found._replace(records=records)
    if as_json:
        print_json(_plain(found))
    else:
        _print(found, show)
    if found.kept is None:
        note("the run kept no row of this unit to hold it against")
    elif not found.same:
        note(f"digest {found.digest} is not that of the run's row, {found.kept}")
        raise typer.Exit(1)


def _print(found: "Replayed", show: bool) -> None:
    from engine_ext.record_checks import hold
    from engine_ext.record_game import write_game
    from engine_ext.record_tell import tell
    from engine_ext.record_write import write

    unit = found.units.units.row(0, named=True)
    if show:
        seats = sum(name.startswith("points_") for name in found.units.trials.columns)
        entrants = (str(unit["entrant"]),) * seats
        for record in found.records:
            for line in tell(record, hold(record), entrants):
                print(line)
        return
    for name in ("entrant", "hand", "left"):
        if unit[name]:
            print(f"# {name}: {unit[name]}")
    records = found.records
    print(write_game(records) if len(records) > 1 else write(records[0]), end="")


def _plain(found: "Replayed") -> dict[str, object]:
    """The answer as data; inside points by role, as the table has them."""
    from engine_ext.record_write import write

    return {
        "ok": found.same,
        "unit": {
            name: value
            for name, value in found.units.units.row(0, named=True).items()
            if not isinstance(value, bytes)
        },
        "digest": found.digest,
        "kept": found.kept,
        "trials": found.units.trials.to_dicts(),
        "records": [write(record) for record in found.records],
    }
