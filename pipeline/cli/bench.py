"""``barbu bench``: how fast the engine is here, as a share of a bare C loop."""

from typing import Annotated

import typer

from pipeline.cli.output import Json, note, print_json, print_table


def bench(
    seconds: Annotated[
        float, typer.Option(min=0.01, help="About how long each measurement of a round lasts.")
    ] = 1.0,
    as_json: Json = False,
) -> None:
    """Measure speed against a bare C loop on the same core.

    Five rounds on one core; the ratios are what compares between machines.
    The bare loop is compiled with gcc; without gcc there are no ratios.

    Example: barbu bench --json
    """
    from engine_ext.build import build_info
    from pipeline import bench as speed
    from pipeline.bench.machine import describe
    from pipeline.bench.work import works

    note("Five rounds on one core; other work on this machine disturbs them.")
    figures = speed.measure(works(), seconds)
    build, machine = build_info(), describe()
    if figures.no_bare is not None:
        note(f"no bare loop, so no ratios: {figures.no_bare}")
    if as_json:
        print_json(speed.as_json(figures, build, machine))
        return
    print_table(*speed.as_table(figures))
    print("engine   " + ", ".join(f"{key} {value}" for key, value in build.items()))
    print(f"machine  {machine['cpu']}, {machine['cores']} cores, Python {machine['python']}")
    print(f"yardstick compiled with {machine['gcc'] or 'nothing: no gcc'}")
