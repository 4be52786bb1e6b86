"""``barbu plan``: what a run file would play, what that costs, and what it can tell."""

import math
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json, note, one_line, print_json, print_table
from pipeline.cli.run import File, fouls_told
from pipeline.cli.standard import answers_kept

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from pipeline.forecast import Forecast
    from pipeline.prospects import Prospect, Wanted

LONG_S = 20.0
"""A pilot that takes longer is announced."""


def plan(
    file: File,
    difference: Annotated[
        float | None, typer.Option(help="Points a game that shall be found.")
    ] = None,
    sigma: Annotated[
        float | None,
        typer.Option(help="Standard deviation of a block's value, if known: no pilot then."),
    ] = None,
    power: Annotated[float, typer.Option(help="Probability to find the difference.")] = 0.9,
    as_json: Json = False,
) -> None:
    """Say what a run file would play, what that costs and what it can tell.

    A pilot of 64 blocks on deals that never count says how much blocks differ.

    Example: barbu plan configs/runs/smoke.toml --difference 2
    """
    from pipeline.forecast import forecast
    from pipeline.run_file import load_run
    from pipeline.studies.designs import STUDIES

    wanted = _wanted(difference, sigma, power)
    with fouls_told(), answers_kept():
        config = load_run(file)
        rows = forecast(config, sigma)
        told = [] if config.design in STUDIES else _prospects(config, rows, wanted)
    if as_json:
        each = [
            row._asdict() | {"core_hours": round(row.seconds / 3600, 4)} | more
            for row, more in zip(
                rows, [one._asdict() for one in told] or [{}] * len(rows), strict=True
            )
        ]
        print_json({"title": config.title, "variants": each})
        return
    _print_work(config, rows)
    for row, one in zip(rows, told, strict=False):
        print()
        for line in lines(config, row, one, wanted):
            print(fill(one_line(line), 80, subsequent_indent="  "))


def _wanted(difference: float | None, sigma: float | None, power: float) -> "Wanted":
    """What is asked for, if it can be."""
    from engine_ext.errors import UserError
    from pipeline.prospects import Wanted

    for name, value in (("difference", difference), ("sigma", sigma)):
        if value is not None and not 1e-6 <= value <= 1e6:
            raise UserError(f"--{name}: {value:g} (want points a game, above 0, up to 1e6)")
    if not 0.5 <= power <= 0.999:
        raise UserError(f"--power: {power:g} (want a probability, 0.5 to 0.999)")
    return Wanted(difference, power, sigma)


def _prospects(config: "RunConfig", rows: "list[Forecast]", wanted: "Wanted") -> "list[Prospect]":
    from pipeline.pilot_sigma import BLOCKS
    from pipeline.prospects import prospect

    found = []
    for row in rows:
        seconds = BLOCKS * row.seconds / row.blocks
        if wanted.sigma is None and seconds > LONG_S:
            note(f"{row.variant}: a pilot of about {seconds:,.0f} s (--sigma does without)")
        found.append(prospect(config, row.variant, row.shards, wanted))
    return found


def _print_work(config: "RunConfig", rows: "list[Forecast]") -> None:
    from pipeline.studies.designs import STUDIES

    print(config.title)
    pieces = "units" if config.design in STUDIES else "games"
    head = ("variant", "tables", "blocks", pieces, "deals", "shards", "worker seconds")
    print_table(
        head,
        [
            (
                row.variant,
                f"{len(row.tables):,}",
                f"{row.blocks:,}",
                f"{row.games:,}",
                f"{row.deals:,}",
                f"{row.shards:,}",
                f"{row.seconds:,.1f}",
            )
            for row in rows
        ],
    )


def lines(config: "RunConfig", row: "Forecast", one: "Prospect", wanted: "Wanted") -> list[str]:
    """What a variant's blocks can tell, in sentences."""
    from pipeline.ledger import in_words
    from pipeline.stopping import share

    cost = [
        f"{_size(sum(one.bytes.values()))} on disk ("
        + ", ".join(f"{table} {_size(size)}" for table, size in one.bytes.items())
        + f"), {row.seconds / 3600:.2g} core hours",
    ]
    if one.sigma is None:
        return [f"{row.variant}: nothing is claimed", *cost]
    if one.sigma == 0:
        alike = "all 64 blocks of the pilot are alike: no difference was seen, or always the same"
        return [in_words(config, row.variant), alike, *cost]
    whence = "as given" if wanted.sigma else "by a pilot of 64 blocks that do not count"
    told = [
        in_words(config, row.variant),
        f"blocks differ by {one.sigma:.3g} points a game (one standard deviation, {whence})",
    ]
    if one.half_width is not None:
        live = ""
        if one.anytime_half_width is not None:
            live = f", +-{one.anytime_half_width:.3g} whenever one looks"
        level = f"{100 * (1 - share(config)):.4g} %"
        told.append(f"{row.blocks:,} blocks give +-{one.half_width:.3g} ({level} t){live}")
    if one.fixed_blocks is not None:
        told.append(
            f"a difference of {one.difference:.3g} is found by {one.fixed_blocks:,} blocks with "
            f"probability {wanted.power:g}; who looks all the time sees it after, on average, "
            f"{one.anytime_blocks:,}"
        )
    return [*told, *_rule_lines(config, one), *cost]


def _rule_lines(config: "RunConfig", one: "Prospect") -> list[str]:
    """How long the run's rule takes."""
    stop = config.stop
    if stop is None:
        return []
    if not one.rule_blocks:
        hint = " (--difference says more)" if stop.rule == "decided" else ""
        return [f"rule {stop.rule}: at most {config.blocks:,} blocks{hint}"]
    words = {
        "delta0": f"if the difference is {stop.delta0:g}",
        "middle": "half-way",
        "delta1": f"if it is {stop.delta1}",
        "width": f"to +-{stop.width}",
        "difference": "if that is the difference",
    }
    means = ", ".join(f"{math.ceil(b):,} {words[at]}" for at, b in one.rule_blocks.items())
    return [f"rule {stop.rule}: about {means}; at most {config.blocks:,} blocks"]


def _size(size: int) -> str:
    for unit, of in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= of:
            return f"{size / of:.3g} {unit}"
    return f"{size} B"
