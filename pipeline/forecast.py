"""What a run would play, and about how long that takes."""

from typing import NamedTuple

from pipeline.cap import check_cap
from pipeline.config import RunConfig
from pipeline.pilot import pilot
from pipeline.plan import Plan, cut, deals_of_unit, units_of_block
from pipeline.seating import tables


class Forecast(NamedTuple):
    """A variant's share of a run."""

    variant: str
    tables: list[list[str]]
    """Line-ups in playing order, by table."""
    blocks: int
    games: int
    deals: int
    shards: int
    seconds: float
    """Work of all workers together, without writing."""


def forecast(config: RunConfig, sigma: float | None = None) -> list[Forecast]:
    """By variant; a pilot plays a moment of each.

    Raises ``ConfigError`` for what ``barbu run`` would refuse.
    """
    check_cap(config, sigma)
    labels = [entrant.label for entrant in config.entrants]
    block_s = pilot(config)
    plan = Plan(config, cut(config, block_s))
    rows = []
    for variant in config.variants:
        seats = variant.rules.seats
        games = config.blocks * units_of_block(config, variant.rules)
        rows.append(
            Forecast(
                variant=variant.name,
                tables=[[labels[i] for i in order] for order in tables(config, seats)],
                blocks=config.blocks,
                games=games,
                deals=games * deals_of_unit(config, variant.rules),
                shards=plan.lanes[variant.name].until(config.blocks)[0],
                seconds=round(config.blocks * block_s[variant.name], 3),
            )
        )
    return rows
