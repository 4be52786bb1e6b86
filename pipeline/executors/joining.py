"""Ray, for as long as this process needs it: a cluster of its own, or one that is joined.

Ray is imported here alone, since it takes seconds and memory. Its settings must stand in the
environment before the import. Nobody else's cluster is joined unless it is named, by
``--address`` or RAY_ADDRESS; one that was joined is left, never stopped.
"""

import logging
import os
import re
import secrets
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from engine_ext.errors import UserError
from pipeline.executors.scratch import Scratch
from pipeline.executors.shipping import unpack

SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    # 3.5 kB a task would stay in the head's memory.
    "RAY_task_events_report_interval_ms": "0",
    # Ray's memory monitor would retry for ever, where the driver counts tries.
    "RAY_task_oom_retries": "0",
}
WORKER_ENV = {"POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1"}
STORE_BYTES = 100 * 2**20
"""Of the object store; a receipt is below 1 kB."""
REACHED_S = 10
"""How long an address may take to answer at all; Ray itself would try for minutes."""
ADDRESS = re.compile(r"local|auto|(ray://)?(\[[0-9a-fA-F:]+\]|[^\s:/\[\]]+):[0-9]{1,5}")
"""``local``, ``auto``, HOST:PORT or ray://HOST:PORT."""
TOKENS = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
MOST_TOLD = 300
"""Characters of what Ray says of itself."""


def checked(address: str, said_by: str) -> str:
    """An address as Ray takes it; ``said_by`` names the option or variable."""
    if not ADDRESS.fullmatch(address):
        raise UserError(
            f"{said_by}: {address!r} is no address of a Ray cluster "
            "(want local, auto, HOST:PORT or ray://HOST:PORT)"
        )
    return address


_sessions: list["Session"] = []
"""At most one: Ray allows one a process."""


def joined(address: str | None, workers: int | None, ship: Sequence[str]) -> "Session":
    """The session of this process, begun now unless it has one."""
    if not _sessions:
        _sessions.append(Session(address, workers, ship))
    return _sessions[0]


def leave() -> None:
    """Leave the cluster, and end it if it is our own; nothing where there is none."""
    if _sessions:
        _sessions.pop().end()


class Session:
    """A Ray cluster that this process uses; one at a time, as Ray has it."""

    def __init__(self, address: str | None, workers: int | None, ship: Sequence[str]) -> None:
        """``address``: None leaves it to RAY_ADDRESS, and to a cluster of its own without.

        Raises a ``UserError`` in one line where there is no cluster to be had.
        """
        said_by = "RAY_ADDRESS" if address is None else "--address"
        self.address = checked(address or os.environ.get("RAY_ADDRESS") or "local", said_by)
        self.own = self.address == "local"
        """Whether it lives as long as this session."""
        self.n_hands = 0
        """How often workers were begun in it."""
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        self._scratch: Scratch | None = None
        self._stdout = _stdout_to_stderr()
        try:
            options: dict[str, Any] = {"address": self.address}
            if self.own:
                self._scratch = Scratch()
                options |= _own(workers, self._scratch.folder)
            else:
                _reach(self.address, said_by)
            self.ray = self._begin(options, ship, said_by)
        except BaseException:
            self._restore()
            raise
        if not self.own:
            _tell_size(self.ray)

    def _begin(self, options: dict[str, Any], ship: Sequence[str], said_by: str) -> Any:
        import ray

        from pipeline.executors import remote

        before = signal.getsignal(signal.SIGTERM)
        with tempfile.TemporaryDirectory() as unpacked, _words_of_ray() as words:
            environment: dict[str, Any] = {"env_vars": WORKER_ENV}
            if ship:
                environment["py_modules"] = unpack(ship, Path(unpacked))
            try:
                ray.init(
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    runtime_env=environment,
                    **options,
                )
            except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
                raise self._refused(said_by, _why(error, words, ray)) from error
            except Exception as error:
                if type(error) is not Exception:
                    raise
                # So Ray says that a node of our own did not come up in time.
                raise self._refused(said_by, _why(error, words, ray)) from error
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)  # Ray's own handler ends the process with 1
        untyped: Any = ray
        untyped.cloudpickle.register_pickle_by_value(remote)
        return untyped

    def _refused(self, said_by: str, why: str) -> UserError:
        where = "a cluster of its own" if self.own else f"{said_by}: {self.address}"
        return UserError(f"{where}: Ray cannot begin: {why}")

    def end(self) -> None:
        """Leave the cluster, and end it if it is ours.

        What still runs is of no use then and ends with the driver's job.
        """
        try:
            self.ray.shutdown()
        finally:
            self._restore()

    def _restore(self) -> None:
        sys.stdout.flush()
        os.dup2(self._stdout, 1)
        os.close(self._stdout)
        if self._scratch is not None:
            self._scratch.remove()


def _own(workers: int | None, folder: Path) -> dict[str, Any]:
    """How a cluster of our own is begun."""
    if not set(TOKENS) & set(os.environ):
        # Else Ray writes one into the user's home and leaves it there.
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)
    return {
        "num_cpus": workers,
        "include_dashboard": False,
        "object_store_memory": STORE_BYTES,
        "_temp_dir": str(folder),
    }


def _reach(address: str, said_by: str) -> None:
    """Refuse an address where nobody listens."""
    if address == "auto":
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=REACHED_S).close()
    except (OSError, OverflowError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise UserError(f"{said_by}: {address}: nobody answers there: {why}") from error


def _why(error: Exception, words: IO[bytes], ray: Any) -> str:
    """What went wrong, in one line; a refused token shows only in what Ray writes to stderr."""
    words.seek(0)
    refused = b"Unauthenticated" in words.read()
    if refused or isinstance(error, ray.exceptions.AuthenticationError):
        return (
            f"{'the token is not the one of the cluster' if refused else 'there is no token'} "
            f"(want it in {TOKENS[0]}, in the file that {TOKENS[1]} names or in "
            "~/.ray/auth_token; RAY_AUTH_MODE=disabled for a cluster without)"
        )
    return " ".join(str(error).split())[:MOST_TOLD]


def _tell_size(ray: Any) -> None:
    """Say on stderr what was joined, so that it is never somebody else's unnoticed."""
    address = ray.get_runtime_context().gcs_address
    nodes = [node for node in ray.nodes() if node["Alive"]]
    cpus = sum(int(node["Resources"].get("CPU", 0)) for node in nodes)
    told = f"{len(nodes)} node{'s' * (len(nodes) != 1)}, {cpus} CPU{'s' * (cpus != 1)}"
    print(f"joined the Ray cluster at {address}: {told}", file=sys.stderr, flush=True)


@contextmanager
def _words_of_ray() -> Iterator[IO[bytes]]:
    """Collect what Ray's C++ writes to stderr while it begins."""
    with tempfile.TemporaryFile() as words:
        sys.stderr.flush()
        kept = os.dup(2)
        os.dup2(words.fileno(), 2)
        try:
            yield words
        finally:
            sys.stderr.flush()
            os.dup2(kept, 2)
            os.close(kept)


def _stdout_to_stderr() -> int:
    """Send file descriptor 1 to stderr, where Ray's own words belong; the old one."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    return kept
