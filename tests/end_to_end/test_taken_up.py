"""``barbu run --resume``: begins a run, goes on with it, or tells it again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.store import Run

Barbu = Callable[..., tuple[int, str, str]]
RUN = """
title = "again"
seed = {seed}
variants = ["king_ru_fixed14"]
blocks = 3
design = "gauntlet"
entrants = [{{ strategy = "duck.v1" }}, {{ strategy = "random.v1" }}]
"""


def test_a_job_that_is_started_again_goes_on(
    tmp_path: Path, barbu: Barbu, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "run.toml", tmp_path / "run"
    file.write_text(RUN.format(seed=3))
    words = ("run", file, "--out", out, "--resume", "--executor", "inline", "--json")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pipeline.playing.audit", killed)
        assert barbu(*words)[0] == 130
    assert Run.open(out).manifest.status == "interrupted"
    code, told, _ = barbu(*words)
    assert (code, json.loads(told)["played"]) == (0, 0)
    code, again, _ = barbu(*words)
    assert (code, json.loads(again)["digest"]) == (0, json.loads(told)["digest"])
    file.write_text(RUN.format(seed=4))
    code, _, err = barbu(*words)
    assert code == 2
    assert err.startswith(f"error: {out}: holds another run: seed is not that of the run file")
