"""What end-to-end tests share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.cli import main


@pytest.fixture
def barbu(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Runs the command in this process: exit code, stdout, stderr."""

    def call(*words: str | Path) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        return code, *capfd.readouterr()

    return call
