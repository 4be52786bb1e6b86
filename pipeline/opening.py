"""What a run says of itself before it is played."""

import platform
from hashlib import sha256
from importlib.metadata import version

from engine_ext.rules.resolve import resolve
from engine_ext.seeds import run_key
from pipeline.config import RunConfig
from pipeline.manifest import LineUps, Manifest, Slots
from pipeline.plan import Bounds, games_of_block, shards, tables
from pipeline.play import build_line
from pipeline.schema import SCHEMA_VERSION

PACKAGES = ("barbu-sim", "numpy", "polars")
"""Whose versions the manifest names: what plays, counts and writes."""


def run_id(config: RunConfig) -> str:
    """Short hash of what decides the numbers of a run."""
    said = f"{SCHEMA_VERSION} {version('barbu-sim')} {config.model_dump_json()}"
    return sha256(said.encode()).hexdigest()[:16]


def new_manifest(
    config: RunConfig, bounds: dict[str, Bounds], strategies: dict[str, str]
) -> Manifest:
    """The manifest of a run that begins; ``strategies`` by entrant, as they call themselves."""
    labels = [entrant.label for entrant in config.entrants]
    line_ups, slots, games = [], [], 0
    for variant in config.variants:
        orders = tables(config, variant.rules.seats)
        listed = tuple(tuple(labels[i] for i in order) for order in orders)
        line_ups.append(LineUps(variant=variant.name, tables=listed))
        numbers = resolve(variant.rules)
        for name, contract in zip(numbers.contract_names, numbers.contracts, strict=True):
            slots.append(Slots(variant=variant.name, contract=name, slots=contract.slot_names))
        games += config.blocks * games_of_block(config, variant.rules.seats)
    return Manifest(
        schema_version=SCHEMA_VERSION,
        run=run_id(config),
        status="running",
        config=config,
        seats=max(variant.rules.seats for variant in config.variants),
        run_key=run_key(config.seed),
        versions={name: version(name) for name in PACKAGES} | {"python": platform.python_version()},
        build=build_line(),
        strategies=strategies,
        line_ups=tuple(line_ups),
        slots=tuple(slots),
        bounds=bounds,
        shards=len(shards(config, bounds)),
        games=games,
    )
