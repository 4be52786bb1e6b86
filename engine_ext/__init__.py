"""The rules as data and the compiled engine that plays them."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_ext.batch import (
        GameRecords,
        Rules,
        StopFlag,
        View,
        Views,
        deal_hands,
        play_games,
    )
    from engine_ext.rules.load import load_variant, variant_names
    from engine_ext.seeds import run_key

__all__ = [
    "GameRecords",
    "Rules",
    "StopFlag",
    "View",
    "Views",
    "deal_hands",
    "include_dir",
    "load_variant",
    "play_games",
    "run_key",
    "variant_names",
]

_WHERE = {
    "load_variant": "engine_ext.rules.load",
    "run_key": "engine_ext.seeds",
    "variant_names": "engine_ext.rules.load",
}


def include_dir() -> str:
    """Return the folder of ``policy.h`` and ``stream.h``, for those who compile a strategy
    elsewhere (``examples/outside_strategy``). The ``.pxd`` files lie there too."""
    return str(Path(__file__).parent)


def __getattr__(name: str) -> object:
    # On demand: a command that only prints its help must not load the engine.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE.get(name, "engine_ext.batch")), name)
