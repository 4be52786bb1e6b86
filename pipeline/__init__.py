"""Runs: planned, played by many workers, landed as Parquet, counted and checked."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.catalog import open_catalog
    from pipeline.config import RunConfig
    from pipeline.run import RunResult
    from pipeline.run_file import load_run
    from pipeline.store import Run

__all__ = ["Run", "RunConfig", "RunResult", "load_run", "open_catalog"]

_WHERE = {
    "Run": "pipeline.store",
    "RunConfig": "pipeline.config",
    "RunResult": "pipeline.run",
    "load_run": "pipeline.run_file",
    "open_catalog": "pipeline.catalog",
}


def __getattr__(name: str) -> object:
    # On demand: --help must not load Polars, DuckDB or Ray. (To play: pipeline.run.run.)
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)
