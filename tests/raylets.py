"""A Ray cluster of several nodes on this machine, whose processes can be killed one by one."""

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

RAY = Path(sys.executable).with_name("ray")
WAIT_S = 150.0
"""For anything that must come; a busy machine is slow."""


def until(there: Callable[[], bool], what: str) -> None:
    """Wait until something is so, within bounds."""
    end = time.monotonic() + WAIT_S
    while not there():
        assert time.monotonic() < end, f"waited {WAIT_S:.0f} s for {what}"
        time.sleep(0.05)


class Raylets:
    """A head and other nodes, one processor each, in a folder of their own.

    Everything is ended by its process number: ``ray stop`` would end others' clusters too.
    """

    def __init__(self, nodes: int, **environment: str) -> None:
        """``environment`` is that of every node's workers."""
        # Short, since the paths of sockets must be.
        self.folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))
        self.env = {
            **os.environ,
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "HOME": str(self.folder),
            "PYTHONPATH": str(Path.cwd()),
            **environment,
        }
        self.env.pop("RAY_ADDRESS", None)
        port = _free_port()
        self.address = f"127.0.0.1:{port}"
        self.nodes: list[subprocess.Popen[bytes]] = []
        try:
            self._start("--head", f"--port={port}", "--include-dashboard=false")
            until(lambda: _listens(port), "the head of the cluster")
            for _ in range(nodes - 1):
                self.add()
        except BaseException:
            self.end()
            raise

    def add(self, **environment: str) -> subprocess.Popen[bytes]:
        """Begin another node; it joins when it is ready."""
        return self._start(f"--address={self.address}", **environment)

    def _start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"node-{len(self.nodes)}.log").open("wb")
        common = ("--block", "--num-cpus=1", "--disable-usage-stats")
        small = ("--object-store-memory=80000000",)
        place = (f"--temp-dir={self.folder}",) if "--head" in words else ()
        with log:
            node = subprocess.Popen(
                [RAY, "start", *words, *common, *small, *place],
                env=self.env | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.nodes.append(node)
        return node

    def workers(self) -> list[int]:
        """Processes that are at a piece now."""
        found = (pid for node in self.nodes for pid in below(node.pid))
        return [pid for pid in found if _title(pid).startswith("ray::carry_out")]

    def kill(self, node: subprocess.Popen[bytes]) -> None:
        """End a node as a power cut does: all of its processes, at once."""
        for pid in (*below(node.pid), node.pid):
            _kill(pid)
        node.wait()
        self.nodes.remove(node)

    def end(self) -> None:
        """End everything, and remove the folder."""
        for node in list(self.nodes):
            self.kill(node)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()


def below(pid: int) -> list[int]:
    """Processes that a process began, and those that they began."""
    found: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid:
            child = int(path.parent.name)
            found += [child, *below(child)]
    return found


def _title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().strip("\0 ")
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _free_port() -> int:
    """Below those that Ray gives its workers (10002 to 19999)."""
    for port in range(6400 + os.getpid() % 1000, 10_000):
        if not _listens(port):
            return port
    raise AssertionError("no free port")


def _listens(port: int) -> bool:
    with socket.socket() as tried:
        tried.settimeout(1)
        return tried.connect_ex(("127.0.0.1", port)) == 0
