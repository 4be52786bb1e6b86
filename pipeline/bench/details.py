"""The figures behind the four ratios: by contract, variant and stage, endings, peers."""

from collections.abc import Iterator, Mapping
from statistics import median
from typing import NamedTuple

from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import resolve
from pipeline.bench.endings import REFERENCE, SIZES
from pipeline.bench.measure import Figures
from pipeline.bench.stages import STAGES
from pipeline.bench.work import VARIANT


class Section(NamedTuple):
    """A table of the answer for people."""

    head: list[str]
    rows: list[list[str]]


Number = dict[str, float | None]


class Cost(NamedTuple):
    """What some stages together may cost."""

    title: str
    stages: tuple[str, ...]
    most: float
    """Their time for a deal, in times of the bare loop's for one, at most."""


COSTS = {
    "landing": Cost("landing: hash, tables, receipt", ("land_digest", "land_parquet"), 2.0),
    "summary": Cost("summary: sums over blocks", ("land_summary",), 0.5),
}
"""What landing is held to."""


def numbers(figures: Figures, missing: Mapping[str, str] | None) -> dict[str, object]:
    """All of them for programs; ``missing`` says how to install peers, None if none were asked."""
    return {
        "contracts": by_contract(figures),
        "variants": by_variant(figures),
        "stages": by_stage(figures),
        "costs": by_cost(figures),
        "endings": {str(size): by_ending(figures, size) for size in SIZES},
        "peers": None if missing is None else by_peer(figures, missing),
    }


def by_contract(figures: Figures) -> dict[str, Number]:
    """Random deals of each contract."""
    return {
        name: {"deals_per_s": rounded(figures.rate(full)), "ratio": rounded(figures.ratio(full))}
        for name, full in figures.group("contracts").items()
    }


def by_variant(figures: Figures) -> dict[str, Number]:
    """Random whole games; the ratio is of games to bare deals, as of the duck's."""
    return {
        name: {
            "games_per_s": rounded(figures.rate(full)),
            "deals_per_s": rounded(figures.rate(full) * _deals_of(name)),
            "ratio": rounded(figures.ratio(full)),
        }
        for name, full in figures.group("variants").items()
    }


def by_stage(figures: Figures) -> dict[str, Number]:
    """Time of each stage, for a game and for one of its deals."""
    there, n_deals = figures.group("stages"), _deals_of(VARIANT)
    return {
        stage: {
            "us_a_game": rounded(1e6 / figures.rate(there[stage])),
            "ns_a_deal": rounded(1e9 / figures.rate(there[stage]) / n_deals),
        }
        for stage in STAGES
        if stage in there
    }


def by_cost(figures: Figures) -> dict[str, Number]:
    """Time of a deal in some stages together, and how many bare deals it is."""
    there, n_deals = figures.group("stages"), _deals_of(VARIANT)
    found: dict[str, Number] = {}
    for name, cost in COSTS.items():
        if not set(cost.stages) <= set(there):
            continue
        rounds = zip(*(figures.works[there[stage]] for stage in cost.stages), strict=True)
        seconds = [sum(1 / rate for rate in rates) / n_deals for rates in rounds]
        ratio = None
        if figures.bare is not None:
            ratio = median(s * bare for s, bare in zip(seconds, figures.bare, strict=True))
        found[name] = {
            "ns_a_deal": rounded(1e9 * median(seconds)),
            "ratio": rounded(ratio),
            "most": cost.most,
        }
    return found


def by_ending(figures: Figures, size: int) -> dict[str, Number]:
    """Microseconds an ending by contract, and where the bare loop makes 3.4 million deals/s."""
    there = figures.group(f"endings/{size}")
    names = dict.fromkeys(name.partition("/")[0] for name in there)
    return {
        name: {
            key: rounded(value)
            for figure in ("mean", "median")
            for key, value in (
                (f"{figure}_us", 1e6 / figures.rate(there[f"{name}/{figure}"])),
                (f"{figure}_us_at_reference", _converted(figures, there[f"{name}/{figure}"])),
            )
        }
        for name in names
    }


def by_peer(figures: Figures, missing: Mapping[str, str]) -> dict[str, dict[str, object]]:
    """Rates of those that are there, how to install the others."""
    found: dict[str, dict[str, object]] = {
        name: {"per_s": rounded(figures.rate(full)), "ratio": rounded(figures.ratio(full))}
        for name, full in figures.group("peers").items()
    }
    return found | {name: {"not_installed": how} for name, how in missing.items()}


def sections(figures: Figures, missing: Mapping[str, str] | None) -> Iterator[Section]:
    """Tables of at most 80 columns; of a group that was not measured none."""
    if figures.group("contracts"):
        rows = [
            [name, _shown(n["deals_per_s"]), _shown(n["ratio"], 4)]
            for name, n in by_contract(figures).items()
        ]
        yield Section(["random deals by contract", "per s", "ratio"], rows)
    if figures.group("variants"):
        rows = [
            [name, _shown(n["games_per_s"]), _shown(n["ratio"], 4)]
            for name, n in by_variant(figures).items()
        ]
        yield Section(["random whole games", "per s", "ratio"], rows)
    if figures.group("stages"):
        rows = [
            [STAGES[name], _shown(n["us_a_game"], 2), _shown(n["ns_a_deal"])]
            for name, n in by_stage(figures).items()
        ]
        yield Section([f"stage, {VARIANT}", "us a game", "ns a deal"], rows)
    if by_cost(figures):
        rows = [
            [COSTS[name].title, _shown(n["ns_a_deal"]), _shown(n["ratio"], 3), f"{n['most']:g}"]
            for name, n in by_cost(figures).items()
        ]
        yield Section(["costs, in times of a bare deal", "ns a deal", "ratio", "at most"], rows)
    if figures.group("endings"):
        rows = [
            [f"{size} cards, {name}", *(_shown(n[key], 2) for key in _ENDING)]
            for size in SIZES
            for name, n in by_ending(figures, size).items()
        ]
        yield Section(["exact endings, us", "mean", "median", "mean *", "median *"], rows)
    if missing is not None:
        rows = [_peer_row(figures, name, missing) for name in by_peer(figures, missing)]
        yield Section(["others' programs", "per s", "ratio"], rows)


_ENDING = ("mean_us", "median_us", "mean_us_at_reference", "median_us_at_reference")


def _peer_row(figures: Figures, name: str, missing: Mapping[str, str]) -> list[str]:
    if name in missing:
        return [f"{name}: not installed ({missing[name]})", "-", "-"]
    full = f"peers/{name}"
    return [name, _shown(figures.rate(full), 1), _shown(figures.ratio(full), 7)]


def _converted(figures: Figures, full: str) -> float | None:
    """Microseconds on the machine of the reference, taken within each round."""
    if figures.bare is None:
        return None
    pairs = zip(figures.works[full], figures.bare, strict=True)
    return median(1e6 / rate * bare / REFERENCE for rate, bare in pairs)


def _deals_of(variant: str) -> int:
    return resolve(load_variant(variant)).n_deals


def _shown(value: float | None, digits: int = 0) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def rounded(value: float | None) -> float | None:
    """Five figures: more are noise."""
    return None if value is None else float(f"{value:.5g}")
