"""A process of its own that does not outlive the test, whatever becomes of it."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def started(words: Sequence[object], **how: Any) -> Iterator[subprocess.Popen[Any]]:
    """Begin a process; on the way out it is killed if it is still there, since to leave a
    ``Popen`` is to wait for it."""
    with subprocess.Popen(list(map(str, words)), **how) as process:
        try:
            yield process
        finally:
            process.kill()
