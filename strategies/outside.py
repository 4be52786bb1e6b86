"""Strategies that are loaded from a file or module which their text names.

To make one is to run its code. Those of this package, and of packages that were installed with
an entry point, are had by name and are none of these.
"""

from collections.abc import Iterator
from pathlib import Path

from strategies.spec import ParameterError, Spec, parse


def is_outside(spec: str) -> bool:
    """Whether :func:`strategies.create` would import what the text names: ``module:Class`` or
    ``path/to/file.py:Class``, itself or as a part or parameter. No name has a colon."""
    return ":" in spec


def places(spec: str) -> tuple[str, ...]:
    """What it would import, in order: paths of files and names of modules; nothing of a text
    that is no strategy."""
    try:
        found = _bases(parse(spec))
        return tuple(dict.fromkeys(base.rpartition(":")[0] for base in found if ":" in base))
    except ParameterError:
        return ()


def files(spec: str) -> tuple[Path, ...]:
    """Those of them that are files."""
    return tuple(Path(place) for place in places(spec) if place.endswith(".py"))


def _bases(spec: Spec) -> Iterator[str]:
    yield spec.base
    for _, value in spec.values:
        if isinstance(value, Spec):
            yield from _bases(value)
