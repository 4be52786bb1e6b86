"""What a figure of speed was measured on, and how to stay on one core of it."""

import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

Machine = dict[str, str | float | None]


def describe() -> Machine:
    """Processor, cores, what else runs on them, Python and gcc; None where there is none."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "gcc": _gcc(),
    }


def _cpu() -> str:
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _gcc() -> str | None:
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    shown = subprocess.run([gcc, "--version"], capture_output=True, text=True, check=True)
    return shown.stdout.partition("\n")[0]


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and programs it starts, on one core (where the system can)."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)
