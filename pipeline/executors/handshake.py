"""What a worker says of itself before it plays: that its results would be this run's.

Another machine may have another release, a build of other sources, other strategies under the
same names, or not see where the run lies. Every one of these would show late, as digests that do
not agree or shards that fail. The two kernels give the same results, so they are not compared.
"""

import pickle
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple, TypeAlias

import engine_ext
import pipeline
import strategies
from engine_ext.build import build_info
from engine_ext.errors import UserError
from engine_ext.rules.resolve import resolve
from pipeline.config import RunConfig
from pipeline.files import MANIFEST
from pipeline.opening import PACKAGES
from pipeline.store import Run
from pipeline.stores import StoreError, store_at
from strategies.origins import origins
from strategies.registry import create

CODE = (engine_ext, pipeline, strategies)
"""Packages that decide what comes out."""
PROBE = ".handshake-{}.tmp"
"""Written and removed again, to see whether a worker may write there; one that was left behind
is no file of the run and goes with the next driver."""

Said: TypeAlias = dict[str, str]
"""By subject, in one line. Plain, so that every version can read every other's."""

_kept: set[bytes] = set()
"""Terms that this process was held against."""


class Asked(NamedTuple):
    """What a worker must know to say what it is; plain data."""

    config: str
    """The run as JSON."""
    where: str | None
    """The run's store, if workers write into it."""
    run: str
    """The run that must be there."""


def asked_of(run: Run, config: RunConfig | None = None) -> Asked:
    """What is asked of those who play a run into its store; with a ``config`` of those who only
    play its games again: nobody is let see more than he must."""
    if config is None:
        return Asked(run.manifest.config.model_dump_json(), run.store.where, run.manifest.run)
    return Asked(config.model_dump_json(), None, run.manifest.run)


def say(asked: Asked, worker: str) -> Said:
    """What this process is; ``worker`` names it among all that are asked at the same time."""
    config = RunConfig.model_validate_json(asked.config)
    said = {name: version(name) for name in PACKAGES} | {"code": code_id()}
    for variant in config.variants:
        said[f"rules of {variant.name}"] = _short(repr(resolve(variant.rules)).encode())
    for entrant in config.entrants:
        said[f"strategy {entrant.label}"] = _signature(entrant.strategy)
    if asked.where is not None:
        said[f"run at {asked.where}"] = _seen(asked.where, worker)
    return said


def differing(here: Said, there: Said) -> list[str]:
    """What differs, a line each, the plainest cause first.

    Where the package differs nothing that follows from it is told besides.
    """
    keys = [key for key in here if there.get(key) != here[key]]
    first = [key for key in keys if key in PACKAGES] or keys
    return [f"{key}: {there.get(key, 'not told')} there, {here[key]} here" for key in first]


def broken(terms: bytes, worker: str) -> list[str]:
    """What this process has that the run was not begun with, a line each: none is good.

    ``terms``: :class:`Asked` and the driver's own answer, pickled; a process answers once.
    """
    if terms not in _kept:
        asked, here = pickle.loads(terms)
        lines = differing(here, say(asked, worker))
        if lines:
            return lines
        _kept.add(terms)
    return []


def code_id() -> str:
    """16 digits that tell the code of two installations apart: of what was compiled, whatever
    kernel, and of every Python file that decides what comes out."""
    found = sha256(build_info()["source"].encode())
    for package in CODE:
        home = Path(package.__path__[0])
        for path in sorted(home.rglob("*.py")):
            found.update(f"\0{package.__name__}/{path.relative_to(home).as_posix()}\0".encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _signature(strategy: str) -> str:
    """What a strategy calls itself here, and whose code that is."""
    try:
        return " ".join((repr(create(strategy)), *(f"({line})" for line in origins(strategy))))
    except UserError as error:
        return f"cannot be had ({error})"


def _seen(where: str, worker: str) -> str:
    """The run that is seen from here, if it may be written."""
    try:
        store = store_at(where)
        if store.entry(MANIFEST) is None:
            return "not seen"
        run = Run.of(store).manifest.run
        store.put(PROBE.format(worker), b"")
        store.remove(PROBE.format(worker))
    except StoreError as error:
        return str(error)
    return run


def _short(content: bytes) -> str:
    return sha256(content).hexdigest()[:16]
