"""A Chromium of this machine, led by its DevTools protocol over a pair of pipes.

No library and no port: the browser reads commands on descriptor 3 and answers on 4, JSON
objects that end with a zero byte. It gets a profile folder of its own, which goes with it, and
has no network: every name is unknown to it. It is ended with all its children, whatever happens.
"""

import fcntl
import json
import os
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from engine_ext.errors import UserError
from pipeline.signals import sigterm_interrupts

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHOSEN = "BARBU_CHROMIUM"
"""Environment variable with the browser to take."""
FLAGS = (
    "--headless",
    "--no-sandbox",  # the page is ours, and in a container there is no other way
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-breakpad",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
)
PATIENCE = 120.0
"""Seconds for one page from start to end."""


class BrowserError(UserError):
    """There is no browser, or it does not do its work."""


def chromium() -> str | None:
    """The browser of this machine: the one that BARBU_CHROMIUM names, or the first found."""
    chosen = os.environ.get(CHOSEN)
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise BrowserError(f"{CHOSEN}: {chosen}: no such program")
        return found
    return next(filter(None, map(shutil.which, NAMES)), None)


class Tab:
    """One page in the browser: commands out, answers and events in."""

    def __init__(self, out: int, back: int, deadline: float) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []
        """All that the page told meanwhile, by name: requests, complaints, ..."""
        self._out, self._back, self._deadline = out, back, deadline
        self._left = b""
        self._number = 0
        self._session: str | None = None

    def attach(self) -> None:
        """Open an empty page and speak with it from now on."""
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        found = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = found["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        self._number += 1
        said: dict[str, object] = {"id": self._number, "method": method, "params": params}
        if self._session:
            said["sessionId"] = self._session
        self._write(json.dumps(said).encode() + b"\0")
        while True:
            told = self._hear()
            if told.get("id") == self._number:
                if "error" in told:
                    raise BrowserError(f"Chromium: {method}: {told['error'].get('message')}")
                return dict(told["result"])

    def value(self, script: str) -> Any:
        """What an expression of JavaScript is in the page; promises are waited for."""
        told = self.ask(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in told:
            raise BrowserError(f"Chromium: {told['exceptionDetails'].get('text')}: {script[:60]}")
        return told["result"].get("value")

    def show(self, page: Path) -> None:
        """Open a report and wait until all its drawings are drawn."""
        self.events.clear()
        self.ask("Page.navigate", url=page.resolve().as_uri())
        while "Page.loadEventFired" not in (name for name, _ in self.events):
            self._hear()
        # The page's script draws everything and then says so, before the load ends.
        if self.value("document.documentElement.dataset.ready") != "1":
            raise BrowserError(f"{page}: the page's script did not come to its end")
        self.settle()

    def size(self, width: int, height: int, media: Mapping[str, str] | None = None) -> None:
        """Give the page a window of this size; ``media`` as ``prefers-color-scheme: dark``."""
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        features = [{"name": name, "value": value} for name, value in (media or {}).items()]
        self.ask("Emulation.setEmulatedMedia", features=features)
        self.settle()

    def settle(self) -> None:
        """Wait until what changed is drawn."""
        self.value(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => "
            "setTimeout(() => done(1), 0))))"
        )

    def _write(self, message: bytes) -> None:
        try:
            while message:
                message = message[os.write(self._out, message) :]
        except OSError as error:
            raise BrowserError("Chromium ended too early") from error

    def _hear(self) -> dict[str, Any]:
        """The next message; an event is kept."""
        told = self._read()
        if "method" in told:
            self.events.append((told["method"], told.get("params", {})))
        return told

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._left:
            wait = self._deadline - time.monotonic()
            if wait <= 0 or not select.select([self._back], [], [], wait)[0]:
                raise BrowserError(f"Chromium: no answer within {PATIENCE:.0f} seconds")
            more = os.read(self._back, 1 << 20)
            if not more:
                raise BrowserError("Chromium ended too early")
            self._left += more
        told, _, self._left = self._left.partition(b"\0")
        return dict(json.loads(told))


@contextmanager
def opened(patience: float = PATIENCE) -> Iterator[Tab]:
    """An empty page in a browser that ends with the block."""
    browser = chromium()
    if browser is None:
        raise BrowserError(
            f"no Chromium found (looked for {', '.join(NAMES)}; {CHOSEN} may name another)"
        )
    with (
        sigterm_interrupts(),  # a browser that hangs would outlive us
        tempfile.TemporaryDirectory(prefix="barbu-", ignore_cleanup_errors=True) as profile,
    ):
        pid, out, back = _start(browser, profile)
        try:
            tab = Tab(out, back, time.monotonic() + patience)
            tab.attach()
            yield tab
        finally:
            os.close(out)
            os.close(back)
            _end(pid)


def _start(browser: str, profile: str) -> tuple[int, int, int]:
    """Its process, which leads a group of its own, and where to write and read."""
    theirs_in, out = os.pipe()
    back, theirs_out = os.pipe()
    # Out of the way of 3 and 4, which they become.
    high = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64) for fd in (theirs_in, theirs_out)]
    null = os.open(os.devnull, os.O_RDWR)
    wiring = [(os.POSIX_SPAWN_DUP2, null, fd) for fd in (0, 1, 2)]
    wiring += [(os.POSIX_SPAWN_DUP2, fd, to) for fd, to in zip(high, (3, 4), strict=True)]
    words = [browser, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    try:
        pid = os.posix_spawn(browser, words, os.environ, file_actions=wiring, setpgroup=0)
    except OSError as error:
        os.close(out)
        os.close(back)
        raise BrowserError(f"{browser}: cannot be started: {error.strerror}") from error
    finally:
        for fd in (theirs_in, theirs_out, null, *high):
            os.close(fd)
    return pid, out, back


def _end(pid: int) -> None:
    """End the browser and its children, and wait for it: nothing is left behind."""
    until = time.monotonic() + 3  # with its pipe closed it goes by itself
    gone = 0
    while not gone and time.monotonic() < until:
        gone = os.waitpid(pid, os.WNOHANG)[0]
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    if not gone:
        os.waitpid(pid, 0)
