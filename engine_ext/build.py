"""Which compiled kernel runs, and how it was built.

Every compiled module exists twice, ``NAME`` for any x86-64 and ``NAME_v3`` for
x86-64-v3 (BMI2, LZCNT, POPCNT). Both give the same results; the faster one that
the processor can run is taken. ``BARBU_KERNEL=baseline`` or ``v3`` overrides.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from engine_ext.errors import UserError


def _choose() -> str:
    wanted = os.environ.get("BARBU_KERNEL", "")
    if wanted not in ("", "baseline", "v3"):
        raise UserError(f"BARBU_KERNEL: {wanted!r} is no kernel (want baseline or v3)")
    if wanted == "baseline":
        return "baseline"
    runs_v3 = import_module("engine_ext.machine").runs_v3()
    there = find_spec("engine_ext.machine_v3") is not None
    if wanted == "v3" and not (runs_v3 and there):
        raise UserError("BARBU_KERNEL: v3 does not run on this processor (want baseline)")
    return "v3" if runs_v3 and there else "baseline"


KERNEL = _choose()
"""``baseline`` or ``v3``."""


def load(module: str) -> ModuleType:
    """Import the chosen build of a compiled module, ``strategies.duck`` say."""
    return import_module(module + ("_v3" if KERNEL == "v3" else ""))


def build_info() -> dict[str, str]:
    """Kernel, compiler, flags' outcome and checks of the running build."""
    info: dict[str, str] = load("engine_ext.machine").build_info()
    return info
