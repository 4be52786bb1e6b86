"""Standard input, output and error as commands may rely on them."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


def open_all() -> None:
    """Put ``/dev/null`` where the shell closed one of the three.

    Otherwise the next file that is opened, a table of the run perhaps, would get the
    number 1 or 2, and whatever somebody prints there would land in it.
    """
    spare = os.open(os.devnull, os.O_RDWR)
    while spare <= 2:
        spare = os.dup(spare)
    os.close(spare)
    # Python has no object for a stream that was closed when it began.
    if sys.stdin is None:
        sys.stdin = os.fdopen(0)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w")
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w")


@contextmanager
def answers_kept() -> Iterator[None]:
    """Send what is printed meanwhile to stderr: stdout is for the command's answer.

    The file descriptors are turned as well, since a strategy's worker processes and Ray
    inherit those.
    """
    sys.stdout.flush()
    kept, python = os.dup(1), sys.stdout
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stdout = python
        os.dup2(kept, 1)
        os.close(kept)
