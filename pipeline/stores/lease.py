"""What keeps other drivers away from a bucket: a small file that its holder changes all the time.

No clock is compared with another's. Who finds it watches by his own clock: if it changes, somebody
is at work; if it stays as it is for :data:`LEASE_S`, its holder is gone, and he takes it over. The
holder for his part never writes on one that he did not change lately.
"""

import json
import logging
import os
import secrets
import socket
import threading
import time
from contextlib import suppress

from pipeline.stores import Changed, Store, StoreError, Tag

LEASE = ".lease"
LEASE_S = 30.0
"""How long one stays unchanged whose holder is gone."""
RENEW_S = 5.0
"""How often the holder changes it."""

log = logging.getLogger(__name__)


class Lease:
    """Held by this process, from :func:`take` to :meth:`end`."""

    def __init__(self, store: Store, tag: Tag, since: float) -> None:
        """``since``: no later than it was changed."""
        self._store = store
        self._tag = tag
        self._since = since
        self._lost = False
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="barbu-lease", daemon=True)
        self._thread.start()

    def check(self) -> None:
        """Before the driver writes: :class:`Changed` if another holds it by now."""
        with self._lock:
            if self._lost or _now() - self._since > LEASE_S / 2:
                self._renew()

    def end(self) -> None:
        """Let go of it; one that may be another's by now, or whose store is silent, runs out."""
        self._over.set()
        self._thread.join(RENEW_S)
        if self._lost or _now() - self._since > LEASE_S / 2:
            return
        try:
            self._store.remove(LEASE)
        except StoreError as error:
            log.info("%s", error)

    def _keep(self) -> None:
        while not self._over.wait(RENEW_S):
            try:
                with self._lock:
                    self._renew()
            except Changed:
                return  # the next that is written says so
            except StoreError as error:
                log.info("%s", error)  # there is time until somebody else may take it

    def _renew(self) -> None:
        begun = _now()
        try:
            if not self._lost:
                self._tag = self._store.swap(LEASE, _said(), self._tag)
        except Changed:
            self._lost = True
        if self._lost:
            raise Changed(f"{self._store.path()}: another process has taken this run over")
        self._since = begun


def take(store: Store) -> Lease:
    """Take the lease of a store; :class:`StoreError` if somebody else holds it.

    That takes :data:`LEASE_S` where somebody did who is gone.
    """
    there = store.tagged(LEASE)
    if there is not None:
        there = _watch(store, there[1])
    begun = _now()
    try:
        tag = store.swap(LEASE, _said(), None if there is None else there[1])
    except Changed:
        raise _held(store) from None
    return Lease(store, _prove(store, tag), begun)


def _prove(store: Store, old: Tag) -> Tag:
    """Change the lease once more, and see that who saw it before, or never, cannot.

    Some servers that speak like S3 take no notice of conditions: there every driver would win.
    """
    tag = store.swap(LEASE, _said(), old)
    for seen, condition in ((None, "If-None-Match"), (old, "If-Match")):
        with suppress(Changed):
            store.swap(LEASE, _said(), seen)
            raise StoreError(
                f"{store.path()}: its server takes no notice of {condition}, so two drivers could "
                "write one run (want a store with conditional puts)"
            )
    return tag


def _watch(store: Store, seen: Tag) -> tuple[bytes, Tag] | None:
    """Wait whether a lease is renewed; what is there of it when its time is over."""
    begun = _now()
    log.warning("%s: waiting %.0f s to see whether who wrote it is gone", store.path(), LEASE_S)
    while True:
        left = begun + LEASE_S - _now()
        time.sleep(max(0.0, min(left, RENEW_S)))
        there = store.tagged(LEASE)
        if there is None:
            return None
        if there[1] != seen:
            raise _held(store)
        if left <= 0:
            return there


def _held(store: Store) -> StoreError:
    return StoreError(f"{store.path()}: another process is writing this run")


def _said() -> bytes:
    """Who holds it, for people; never the same twice."""
    who = {"host": socket.gethostname(), "process": os.getpid(), "nonce": secrets.token_hex(16)}
    return json.dumps(who).encode()


def _now() -> float:
    """Seconds that go on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
