"""What a run says of itself before it is played."""

import platform
from importlib.metadata import version

from pipeline.config import RunConfig, rules_hash
from pipeline.derived import PACKAGE, derived
from pipeline.landing import build_line
from pipeline.manifest import Manifest
from pipeline.plan import Bounds, not_played
from pipeline.schema import SCHEMA_VERSION
from pipeline.strategy_files import hashes

PACKAGES = (PACKAGE, "numpy", "polars")
"""Whose versions the manifest names: what plays, counts and writes."""


def new_manifest(
    config: RunConfig, bounds: dict[str, Bounds], strategies: dict[str, str]
) -> Manifest:
    """The manifest of a run that begins; ``strategies`` by entrant, as they call themselves."""
    dropped = not_played(config)
    return Manifest(
        schema_version=SCHEMA_VERSION,
        status="running",
        config=config,
        versions={name: version(name) for name in PACKAGES} | {"python": platform.python_version()},
        build=build_line(),
        strategies=strategies,
        strategy_files=hashes(config),
        rules_hashes={variant.name: rules_hash(variant.rules) for variant in config.variants},
        bounds=bounds,
        dropped=dropped,
        **derived(config, bounds, {}, dropped),
    )
