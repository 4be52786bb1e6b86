"""What went wrong in somebody's strategy, in one line with file and line number."""

import ast
import os
import sysconfig
import traceback
from pathlib import Path

from engine_ext.errors import UserError

BROKEN = (Exception, SystemExit)
"""What somebody's unfinished code raises when it is imported or made: anything.

Caught at these two places only: there it is the author's mistake, to be told in a line.
Ctrl-C stays the user's.
"""

_LIBRARIES = tuple(
    f"{sysconfig.get_path(name)}{os.sep}" for name in ("stdlib", "platstdlib", "purelib")
)


def told(error: BaseException, ours: str) -> str:
    """Return ``FILE, line N: KIND: message`` on one line.

    The line is the last one of the author's own, before any library's; ``ours`` is the file
    that asked, which is no part of it. Without such a line only kind and message are told.
    """
    kind = type(error).__name__
    if isinstance(error, SyntaxError) and error.lineno and Path(str(error.filename)).is_file():
        return f"{error.filename}, line {error.lineno}: {kind}: {error.msg}"
    try:
        message = str(error) if isinstance(error, UserError) else f"{kind}: {error}"
    except Exception:
        # Its own __str__ is the author's code as well, and may fail like the rest.
        message = kind
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != ours and not frame.filename.startswith("<")
    ]
    own = [frame for frame in frames if not frame.filename.startswith(_LIBRARIES)] or frames
    place = f"{own[-1].filename}, line {own[-1].lineno}: " if own else ""
    return f"{place}{message}".partition("\n")[0]


def classes_in(path: Path) -> str:
    """Return which classes a file has, in words; nothing of it is run.

    Raises ``SyntaxError`` for a file that is no Python, ``OSError`` for one that cannot be read.
    """
    tree = ast.parse(path.read_bytes(), str(path))
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return f"classes found in the file: {', '.join(names) or 'none'}"
