"""What the four packages offer, as text: ``python -m tests.surface`` prints it."""

import inspect
import re
from importlib import import_module

PACKAGES = ("engine_ext", "strategies", "pipeline", "reports")


def surface() -> str:
    """Names of each package's ``__all__`` with their signatures, a line each."""
    lines: list[str] = []
    for name in PACKAGES:
        package = import_module(name)
        lines.append(name)
        for public in sorted(getattr(package, "__all__", ())):
            lines.append(f"    {public}{_signature(getattr(package, public))}")
    return "\n".join(lines) + "\n"


def _signature(thing: object) -> str:
    if not callable(thing):
        return f": {type(thing).__name__}"
    try:
        return re.sub(r" at 0x[0-9a-f]+", "", str(inspect.signature(thing)))
    except ValueError:  # compiled, without a signature
        return "(...)"


if __name__ == "__main__":
    print(surface(), end="")
