"""Where points come from: the parts in which a long run is read add up to the whole."""

from pathlib import Path

import pytest

from reports import reading_deals
from reports.reading import opened
from tests.runs import played, small


def test_parts_add_up_to_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = "barbu_52_doubling"
    there, _ = played(small((variant,), blocks=3), tmp_path / "run")
    with opened(there.folder) as run:
        at_once = reading_deals.sources(run, variant)
        assert max(one.by_deal.blocks for one in at_once) == 3
        monkeypatch.setattr(reading_deals, "AT_ONCE", 1)  # a block a part
        assert reading_deals.sources(run, variant) == at_once
