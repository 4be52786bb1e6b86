"""``barbu bench``: how fast the engine is here, as a share of a bare C loop."""

from typing import Annotated

import typer

from pipeline.cli.output import Json, note, print_json, print_table


def bench(
    seconds: Annotated[
        float, typer.Option(min=0.01, help="About how long each measurement of a round lasts.")
    ] = 1.0,
    peers: Annotated[
        bool, typer.Option("--peers", help="Time other people's programs as well.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Measure speed against a bare C loop on the same core.

    Five rounds on one core, about a minute and a half; the ratios are what compares
    between machines. The bare loop is compiled with gcc; without gcc there are no ratios.

    With --json: trick_deals_random_per_s, games_greedy_per_s, python_deals_per_s,
    batched_deals_per_s, playouts_per_s (from the fifth trick on, each in a world of its own)
    and their ratios; contracts and variants (random play: rate and ratio); stages (deal,
    play, record, land: us_a_game, ns_a_deal); costs (landing and summary: ns_a_deal, ratio to a
    bare deal, most it may be); endings (exact, by cards in a hand and
    contract: mean_us, median_us, and at_reference where the bare loop makes 3.4 million
    deals a second); peers (null without --peers); rounds.

    Example: barbu bench --json
    """
    from engine_ext.build import build_info
    from pipeline import bench as speed
    from pipeline.bench import endings, stages, work
    from pipeline.bench import peers as others
    from pipeline.bench.machine import describe

    note("Five rounds on one core; other work on this machine disturbs them.")
    timed = (*work.works(), *work.kinds(), *stages.stages(), *endings.endings())
    missing = others.missing() if peers else None
    build, machine = build_info(), describe()  # the load is that of others
    figures = speed.measure((*timed, *(others.installed() if peers else ())), seconds)
    if figures.no_bare is not None:
        note(f"no bare loop, so no ratios: {figures.no_bare}")
    if as_json:
        print_json(speed.as_json(figures, build, machine, missing))
        return
    print_table(*speed.as_table(figures))
    for section in speed.sections(figures, missing):
        print()
        print_table(*section)
    print("\n* where the bare loop makes 3.4 million deals a second")
    print("engine   " + ", ".join(f"{key} {value}" for key, value in build.items()))
    print(f"machine  {machine['cpu']}, {machine['cores']} cores, Python {machine['python']}")
    print(f"load     {machine['load']} when it began: below 0.5 is quiet")
    print(f"yardstick compiled with {machine['gcc'] or 'nothing: no gcc'}")
