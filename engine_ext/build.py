"""Which compiled kernel runs, and how it was built.

Every compiled module exists twice, ``NAME`` for any x86-64 and ``NAME_v3`` for
x86-64-v3 (BMI2, LZCNT, POPCNT). Both give the same results; the faster one that
the processor can run is taken. ``BARBU_KERNEL=baseline`` or ``v3`` overrides.

Modules that hold sets of cards are compiled once more, ``NAME_wide``, for variants with
two packs. ``BARBU_KERNEL=wide`` plays everything with these: slower, for tests.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from engine_ext.errors import UserError


def _choose() -> str:
    wanted = os.environ.get("BARBU_KERNEL", "")
    if wanted not in ("", "baseline", "v3", "wide"):
        raise UserError(f"BARBU_KERNEL: {wanted!r} is no kernel (want baseline or v3)")
    if wanted in ("baseline", "wide"):
        return wanted
    runs_v3 = import_module("engine_ext.machine").runs_v3()
    there = find_spec("engine_ext.machine_v3") is not None
    if wanted == "v3" and not (runs_v3 and there):
        raise UserError("BARBU_KERNEL: v3 does not run on this processor (want baseline)")
    return "v3" if runs_v3 and there else "baseline"


KERNEL = _choose()
"""``baseline`` or ``v3``; ``wide`` on request only."""
WIDE = ("engine_ext.kernel", "engine_ext.pypolicy")
"""Modules that are there for two packs as well: strategies see both words of a set."""


def load(module: str, copies: int = 1) -> ModuleType:
    """Import the chosen build of a compiled module, ``strategies.duck`` say; ``copies`` is
    how many packs the variant is played with."""
    if module in WIDE and (copies == 2 or KERNEL == "wide"):
        return import_module(f"{module}_wide")
    return import_module(module + ("_v3" if KERNEL == "v3" else ""))


def build_info() -> dict[str, str]:
    """Kernel, compiler, flags' outcome and checks of the running build."""
    info: dict[str, str] = load("engine_ext.machine").build_info()
    return info | {"kernel": KERNEL}
