"""Folders for Ray's sessions, which Ray itself never removes."""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

SCRATCH, PREFIX = Path("/tmp"), "barbu-ray-"
"""Where they lie."""


class Scratch:
    """A folder for Ray's session, which Ray itself never removes.

    It is locked as long as this process lives; one whose lock is free was left behind
    by a driver that was killed, and goes with the next that comes.
    """

    def __init__(self) -> None:
        for left in SCRATCH.glob(f"{PREFIX}*"):
            lock = _lock(left)
            if lock is not None:
                shutil.rmtree(left, ignore_errors=True)
                os.close(lock)
        # Locked before it has a name by which others would find and remove it.
        made = Path(tempfile.mkdtemp(prefix="barbu-new-", dir=SCRATCH))
        self._held = _lock(made)
        # Short, since the paths of sockets must be.
        self.folder = made.rename(SCRATCH / made.name.replace("barbu-new-", PREFIX))

    def remove(self) -> None:
        """Remove it."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._held is not None:
            os.close(self._held)


def _lock(folder: Path) -> int | None:
    """Lock a folder of our own; None if another holds it, or it is not ours."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        if os.fstat(held).st_uid == os.getuid():
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return held
    except BlockingIOError:
        pass
    os.close(held)
    return None
