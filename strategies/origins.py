"""Where the code of a strategy comes from that this package does not bring.

What a strategy calls itself says which version its author means. On another machine the same
name may stand over other code, so this says which file, or whose package, it is.
"""

import sys
from hashlib import sha256
from importlib.metadata import packages_distributions, version
from pathlib import Path

from strategies.registry import StrategyError, found_by
from strategies.spec import Spec, parse, rebased

HOME = Path(__file__).resolve().parent


def origins(spec: str) -> tuple[str, ...]:
    """A line for each file or package behind a strategy, those inside it too; sorted.

    ``spec`` can be created (:func:`strategies.registry.create`). A class of a ``.py`` file is
    told by the file's SHA-256, a compiled one by its package's version.
    """
    bases: set[str] = set()

    def seen(base: str) -> str:
        bases.add(base)
        return base

    rebased(parse(spec), seen)
    return tuple(sorted({line for base in bases if (line := _origin(base)) is not None}))


def _origin(base: str) -> str | None:
    """None for what this package brings, and for words that name no strategy."""
    try:
        maker, _ = found_by(str(Spec(base)))
    except StrategyError:
        return None
    module = maker.__module__
    file = Path(getattr(sys.modules[module], "__file__", None) or module)
    if HOME in file.resolve().parents:
        return None
    if file.suffix == ".py":
        return f"{file.name}: sha256 {sha256(file.read_bytes()).hexdigest()[:16]}"
    packages = packages_distributions().get(module.partition(".")[0], [])
    whose = ", ".join(f"{name} {version(name)}" for name in sorted(set(packages)))
    return f"{file.name.partition('.')[0]}: {whose or 'of no package'}"
