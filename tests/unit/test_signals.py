"""Ctrl-C and SIGTERM: the first ends in order, the second at once."""

import os
import signal

import pytest

from pipeline import signals


def send() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def test_signals_in_a_moment_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `timeout` sends them, to the process and to its group."""
    ended: list[bool] = []
    monkeypatch.setattr(signals, "_end_at_once", lambda: ended.append(True))
    monkeypatch.setattr(signals, "ONCE_S", 60.0)
    with signals.interrupts():
        with pytest.raises(KeyboardInterrupt):
            send()
        send()
        assert not ended
        monkeypatch.setattr(signals, "ONCE_S", 0.0)
        with pytest.raises(KeyboardInterrupt):
            send()
        assert ended == [True]
