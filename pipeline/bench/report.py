"""The figures of ``barbu bench``, for programs and for people."""

from collections.abc import Mapping
from statistics import median

from pipeline.bench.details import numbers, rounded
from pipeline.bench.measure import Figures

BARS = {
    "trick_deals_random": 0.30,
    "games_greedy": 0.005,
    "python_deals": 0.01,
    "batched_deals": 0.10,
    "playouts": 0.29,
}
"""Least ratio to the bare loop's deals that the engine is held to."""
TITLES = {
    "trick_deals_random": "random trick deals",
    "games_greedy": "duck.v1 games",
    "python_deals": "Python strategy, deals",
    "batched_deals": "batched, deals",
    "playouts": "playouts from trick 5",
}


def as_json(
    figures: Figures,
    build: Mapping[str, str],
    machine: Mapping[str, str | float | None],
    missing: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """Rates, ratios and what they were measured on; null for what is not there.

    ``missing`` says how peers are installed that are not; None if none were asked for.
    """
    main = [name for name in BARS if name in figures.works]
    return {
        "bare_loop_deals_per_s": _median(figures.bare),
        "bare_loop_dealing_only_per_s": _median(figures.bare_deal_only),
        **{f"{name}_per_s": rounded(figures.rate(name)) for name in main},
        "ratios": {name: rounded(figures.ratio(name)) for name in main},
        "bars": dict(BARS),
        **numbers(figures, missing),
        "build": dict(build),
        "machine": dict(machine),
        "rounds": {
            "bare_loop_deals": _all_rounded(figures.bare),
            **{name: _all_rounded(rates) for name, rates in figures.works.items()},
        },
        "no_bare_loop": figures.no_bare,
    }


def as_table(figures: Figures) -> tuple[list[str], list[list[str]]]:
    """Head and rows of at most 80 columns: rate, spread of the rounds, ratio, bar."""
    rows = []
    if figures.bare is not None:
        rows.append(["bare C loop, deals", *_spread(figures.bare), "1", ""])
    for name, title in TITLES.items():
        if name in figures.works:
            ratio = figures.ratio(name)
            shown = "-" if ratio is None else f"{ratio:.4f}"
            rows.append([title, *_spread(figures.works[name]), shown, f"{BARS[name]:g}"])
    return ["work, one core", "per s", "lowest", "highest", "ratio", "bar"], rows


def _spread(rates: list[float]) -> list[str]:
    return [f"{rate:,.0f}" for rate in (median(rates), min(rates), max(rates))]


def _median(rates: list[float] | None) -> float | None:
    return None if rates is None else rounded(median(rates))


def _all_rounded(rates: list[float] | None) -> list[float | None] | None:
    return None if rates is None else [rounded(rate) for rate in rates]
