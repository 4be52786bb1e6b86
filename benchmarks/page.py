"""Writes the measured tables of docs/performance.md anew, from what `barbu bench` said.

    barbu bench --peers --json > bench.json
    BARBU_KERNEL=baseline barbu bench --json > baseline.json
    python benchmarks/page.py bench.json [baseline.json]

What stands between the page's two marks is replaced, the rest is left as it is.
"""

import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.bench.report import TITLES
from pipeline.bench.stages import STAGES

PAGE = Path("docs/performance.md")
BEGIN, END = "<!-- measured: benchmarks/page.py -->", "<!-- end of measured -->"


def main(bench: Path, baseline: Path | None) -> None:
    """Put the tables of one run, or of one with each kernel, into the page."""
    v3 = json.loads(bench.read_text())
    runs = [v3] if baseline is None else [v3, json.loads(baseline.read_text())]
    day = datetime.fromtimestamp(bench.stat().st_mtime, UTC).date().isoformat()
    text = "\n".join([BEGIN, *_tables(runs, day), END])
    between = re.compile(re.escape(BEGIN) + ".*" + re.escape(END), re.DOTALL)
    page = PAGE.read_text()
    if not between.search(page):
        raise SystemExit(f"{PAGE}: the marks {BEGIN} and {END} are missing")
    PAGE.write_text(between.sub(lambda _: text, page))


def _tables(runs: list[dict[str, Any]], day: str) -> Iterator[str]:
    v3 = runs[0]
    machine, build = v3["machine"], v3["build"]
    yield f"{day}, {machine['cores']} cores of {machine['cpu']}, {machine['gcc']},"
    yield f"Python {machine['python']}; engine compiled with {build['compiler']}."
    loads = " and ".join(f"{run['machine']['load']}" for run in runs)
    yield f"Load when it began: {loads} (below 0.5 is quiet)."
    kernels = " | ".join(f"kernel {run['build']['kernel']} | ratio" for run in runs)
    yield from _table(f"figure, per s | {kernels}", _main(runs))
    yield from _table(
        "random.v1 in every seat | per s | ratio",
        [
            *(
                f"deals of {name} | {n['deals_per_s']:,.0f} | {_shown(n['ratio'])}"
                for name, n in v3["contracts"].items()
            ),
            *(
                f"games of {name} | {n['games_per_s']:,.0f} | {_shown(n['ratio'])}"
                for name, n in v3["variants"].items()
            ),
        ],
    )
    yield from _table(
        "stage of a 28-deal game | us a game | ns a deal",
        [
            f"{STAGES[name]} | {n['us_a_game']:,.2f} | {n['ns_a_deal']:,.0f}"
            for name, n in v3["stages"].items()
        ],
    )
    yield from _table(
        "cost of a deal | ns | ratio | at most",
        [
            f"`{name}` | {n['ns_a_deal']:,.0f} | {_shown(n['ratio'])} | {n['most']:g}"
            for name, n in v3["costs"].items()
        ],
    )
    keys = ("mean_us", "median_us", "mean_us_at_reference", "median_us_at_reference")
    yield from _table(
        "us an ending | mean | median | mean at 3.4 M | median at 3.4 M",
        [
            f"{size} cards, {name} | " + " | ".join(f"{n[key]:.2f}" for key in keys)
            for size, by_contract in v3["endings"].items()
            for name, n in by_contract.items()
        ],
    )
    yield from _table("peer | per s | ratio | random trick deals of ours", _peers(v3))


def _main(runs: list[dict[str, Any]]) -> Iterator[str]:
    bare = (f"{run['bare_loop_deals_per_s']:,.0f} | 1" for run in runs)
    yield "bare loop, deals | " + " | ".join(bare)
    for name in TITLES:
        cells = (f"{run[f'{name}_per_s']:,.0f} | {_shown(run['ratios'][name])}" for run in runs)
        yield f"`{name}` | " + " | ".join(cells)


def _peers(v3: dict[str, Any]) -> Iterator[str]:
    for name, n in (v3["peers"] or {}).items():
        if "not_installed" in n:
            yield f"{name} | not installed: `{n['not_installed']}` | |"
        else:
            times = v3["trick_deals_random_per_s"] / n["per_s"]
            yield f"{name} | {n['per_s']:,.1f} | {n['ratio']:.2g} | {times:,.0f} times as many"


def _shown(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.3g}"


def _table(head: str, rows: Iterator[str] | list[str]) -> Iterator[str]:
    yield ""
    yield f"| {head} |"
    yield "|---" * (head.count("|") + 1) + "|"
    yield from (f"| {row} |" for row in rows)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
