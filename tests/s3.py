"""An S3 server on this machine that may fail on purpose: every request comes over a connection."""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Literal, NamedTuple

import pytest
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import WSGIRequestHandler, make_server

from pipeline.stores import client, clouds

BUCKET = "barbu-test"
SECRET = "hunter2/hunter2/hunter2"
"""The key that requests are signed with: must be in no file and no line."""
Fault = Literal["503", "500", "403", "slow", "cut", "drop", "lost"]
"""An answer of that status; one that comes late; one that breaks off in the middle; none at all,
before and after what was asked is done."""
SLOW_S = 0.6

Environ = dict[str, Any]
App = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class Asked(NamedTuple):
    """A request."""

    method: str
    key: str
    query: str


class Server:
    """Moto's S3, and what goes wrong with it."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.slow_s = SLOW_S
        self._busy = 0
        self._change = threading.Condition()
        self.fault: Callable[[Asked], Fault | None] = lambda _: None
        self._app: App = DomainDispatcherApplication(create_backend_app)
        logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
        self._server = make_server("127.0.0.1", 0, self._answer, True, request_handler=_Quiet)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def end(self) -> None:
        self._server.shutdown()
        self._thread.join()

    def empty(self) -> None:
        """A new bucket without anything, and nothing that goes wrong, or comes late."""
        self.fault = lambda _: None
        self.slow_s = SLOW_S
        with self._change:
            self._change.wait_for(lambda: not self._busy, timeout=10)
        s3_backends["123456789012"]["aws"].reset()
        s3_backends["123456789012"]["aws"].create_bucket(BUCKET, "us-east-1")
        self.asked.clear()

    def contents(self) -> dict[str, bytes]:
        """Every file of the bucket."""
        keys = s3_backends["123456789012"]["aws"].buckets[BUCKET].keys
        return {name: keys[name].value for name in keys}

    def replace(self, key: str, whole: bytes) -> None:
        """Put other bytes behind the program's back."""
        s3_backends["123456789012"]["aws"].put_object(BUCKET, key, whole)

    def _answer(self, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        with self._change:
            self._busy += 1
        try:
            return self._done(environ, start)
        finally:
            with self._change:
                self._busy -= 1
                self._change.notify_all()

    def _done(self, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        asked = Asked(
            environ["REQUEST_METHOD"],
            environ["PATH_INFO"].removeprefix(f"/{BUCKET}").lstrip("/"),
            environ["QUERY_STRING"],
        )
        self.asked.append(asked)
        fault = self.fault(asked)
        if fault is None:
            return self._app(environ, start)
        if fault == "slow":
            time.sleep(self.slow_s)
            return self._app(environ, start)
        if fault in ("503", "500", "403"):
            code = {"503": "SlowDown", "500": "InternalError", "403": "InvalidAccessKeyId"}[fault]
            start(f"{fault} No", [("Content-Type", "application/xml")])
            return [f"<Error><Code>{code}</Code><Key>{SECRET}</Key></Error>".encode()]
        if fault == "cut":
            return _first_half(self._app(environ, start))
        if fault == "lost":
            list(self._app(environ, lambda *_: None))
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        return []


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *_: Any) -> None:
        pass


def _first_half(answer: Iterable[bytes]) -> Iterator[bytes]:
    whole = b"".join(answer)
    yield whole[: len(whole) // 2]
    raise ConnectionError


@contextmanager
def environment(
    server: Server, more: Mapping[str, str] | None = None, patience_s: float = 30
) -> Iterator[pytest.MonkeyPatch]:
    """What the program finds of the server, whose silence it bears for so long; whatever else
    there is of clouds is not seen."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("AWS_", "GOOGLE_", "AZURE_")):
                patch.delenv(name)
        said = {
            "AWS_ENDPOINT_URL": server.url,
            "AWS_ALLOW_HTTP": "true",
            "AWS_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "AKIATESTTESTTESTTEST",
            "AWS_SECRET_ACCESS_KEY": SECRET,
        }
        for name, value in (said | dict(more or {})).items():
            patch.setenv(name, value)
        patch.setitem(clouds.CLIENT, "read_timeout", timedelta(seconds=patience_s))
        # What failed is tried again sooner than over a network.
        patch.setattr(client, "PAUSE_S", 0.005)
        backoff = clouds.RETRY["backoff"]
        patch.setitem(backoff, "init_backoff", timedelta(milliseconds=5))
        patch.setitem(backoff, "max_backoff", timedelta(milliseconds=50))
        clouds._opened.cache_clear()
        yield patch
    clouds._opened.cache_clear()
