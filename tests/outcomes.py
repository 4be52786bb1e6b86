"""A tuning's outcome as one comes about, made up: for pages that tell of it.

Objectives are smooth functions of the settings with noise that the search takes for gain, so
that figures hang together: a front, a course that improves, a winner whose fresh figures are worse
than the search believed.
"""

from itertools import product
from typing import Any

import numpy as np
from pydantic import JsonValue

from engine_ext.rules.load import load_variant
from engine_ext.rules.spec import Variant
from pipeline.tuning.file import Hold, Knob, Search, Sensitivity, TuningFile, Wanted
from pipeline.tuning.outcome import Candidate, Effect, Figure, Outcome, Sensed, Setting, Told

PARENT = "barbu_fr_reussite"
KNOBS: dict[str, tuple[str, tuple[JsonValue, ...]]] = {
    "contracts.reussite.payout[2]": (
        "R\N{LATIN SMALL LETTER E WITH ACUTE}ussite, third place",
        (0, 20, 40),
    ),
    "contracts.queens.terms[0].points": ("Each queen", (-15, -20, -25)),
    "contracts.tricks.terms[0].points": ("Each trick", (-5, -10)),
    "contracts.reussite.replay.duty": ("Playing again after an ace", ("optional", "must")),
    "contracts.hearts.early_end": ("When a deal of hearts ends", ("when_decided", "never")),
}
OBJECTIVES = {"seat_fairness": 1.0, "scale_balance": 0.05, "choice_entropy": 0.02}
AIMS = {"seat_fairness": "less", "scale_balance": "less", "choice_entropy": "more"}
FROZEN = 4
WEIGHTS = np.array(
    [[-0.9, -0.7, 0.5, 0.1, 0], [-0.02, -0.05, 0.03, 0, 0], [0.01, -0.012, 0.014, 0, 0]]
)
"""What a notch of each knob does to each objective."""
START = np.array([4.2, 0.41, 0.71])
NOISE = np.array([0.35, 0.02, 0.01])


def outcome(*, better: bool = True, **changes: Any) -> Outcome:
    """A whole one: with a winner, or one in which nothing was surely better."""
    points = list(product(*(range(len(values)) for _, values in KNOBS.values())))
    points = [point for point in points if not point[FROZEN]]
    rng = np.random.default_rng(9)
    order = [0, *(1 + rng.permutation(len(points) - 1))]
    seen = [_candidate(number, points[at], rng) for number, at in enumerate(order)]
    seen = [one.model_copy(update={"front": _on_front(one, seen)}) for one in seen]
    best = sorted(seen[1:], key=lambda one: one.loss)[:3]
    seen = [_fresh(one, rng) if one in best or not one.number else one for one in seen]
    judged = best[0].number
    winner = seen[judged if better else 0]
    parent = load_variant(PARENT)
    told: dict[str, Any] = {
        "versions": {"barbu-sim": "0.1.0", "optuna": "5.0.0", "SALib": "1.6.0"},
        "file": _file(),
        "parent_name": PARENT,
        "parent": parent,
        "winner": _tuned(parent, winner.values) if better else parent,
        "settings": _settings(winner.values),
        "sensed": _sensed(),
        "candidates": tuple(seen),
        "by": "playing",
        "why_played": "contracts.reussite: the points of its places do not stand in one line",
        "stopped": "spent",
        "winner_number": winner.number,
        "judged_number": judged,
        "judged_loss": _figure((seen[judged].fresh_loss or 0.0) if better else -0.1, 0.4, "t"),
        "effects": _effects(seen[judged], seen[0], better),
        "shares": _shares(),
        "runs": tuple(
            Told(path=f"{stem}-{kind}", digest=f"{k:02x}" * 32, deals=28_000 * (k + 1))
            for k, (stem, kind) in enumerate(
                product(("base", "search-0", "fresh"), ("games", "choices"))
            )
        ),
    }
    return Outcome(**(told | changes))


def _file() -> TuningFile:
    return TuningFile(
        title="Make Barbu with r\N{LATIN SMALL LETTER E WITH ACUTE}ussite worth playing from every seat",
        base=PARENT,
        name="barbu_fr_reussite_even",
        seed=1,
        knobs=tuple(
            Knob(key=key, title=title, values=values) for key, (title, values) in KNOBS.items()
        ),
        hold=Hold(multiple_of=5, most_changes=3),
        objectives=tuple(
            Wanted.model_validate({"name": name, "aim": AIMS[name], "step": step})
            for name, step in OBJECTIVES.items()
        ),
        sensitivity=Sensitivity(morris=10, sobol=64),
        search=Search(candidates=35),
    )


def _settings(winner: tuple[JsonValue, ...]) -> tuple[Setting, ...]:
    return tuple(
        Setting(
            knob=k, title=title, keys=(key,), parent=values[0], winner=winner[k], frozen=k == FROZEN
        )
        for k, (key, (title, values)) in enumerate(KNOBS.items())
    )


def _tuned(parent: Variant, values: tuple[JsonValue, ...]) -> Variant:
    """The parent's rules with these settings, its totals reckoned anew."""
    rules = parent.model_dump(mode="json")
    rules["title"] = "Barbu with r\N{LATIN SMALL LETTER E WITH ACUTE}ussite, tuned"
    contracts = rules["contracts"]
    third, queen, trick, duty, end = values
    contracts["reussite"]["payout"][2] = third
    contracts["queens"]["terms"][0]["points"] = queen
    contracts["tricks"]["terms"][0]["points"] = trick
    contracts["reussite"]["replay"]["duty"] = duty
    contracts["hearts"]["early_end"] = end
    for contract in contracts.values():
        contract["total"] = None
    return Variant.model_validate(rules)


def _figure(value: float, half: float, kind: str) -> Figure:
    return Figure.model_validate(
        {
            "value": value, "se": half / 2, "low": value - half, "high": value + half,
            "blocks": 1000, "df": 99.0, "kind": kind,
        }
    )  # fmt: skip


def _true(point: tuple[int, ...]) -> Any:
    at = np.array(point, float)
    return START + WEIGHTS @ at + np.array([0.2, 0.008, -0.002]) * at.sum() ** 2 / 2


def _candidate(number: int, point: tuple[int, ...], rng: np.random.Generator) -> Candidate:
    noise = rng.normal(0, NOISE) if number else np.zeros(3)
    found = dict(zip(OBJECTIVES, _true(point) + noise, strict=True))
    start = dict(zip(OBJECTIVES, START, strict=True))
    loss = sum(_lost(name, found[name] - start[name]) for name in OBJECTIVES)
    return Candidate(
        number=number,
        values=tuple(values[i] for i, (_, values) in zip(point, KNOBS.values(), strict=True)),
        changes=sum(map(bool, point)),
        fulfils=True,
        figures={
            name: _figure(value, 2 * half, "t")
            for (name, value), half in zip(found.items(), NOISE, strict=True)
        },
        loss=loss,
        rounds=int(loss < -1) + int(loss < -2),
        front=False,
    )


def _lost(name: str, effect: float) -> float:
    return (effect if AIMS[name] == "less" else -effect) / OBJECTIVES[name]


def _on_front(one: Candidate, seen: list[Candidate]) -> bool:
    mine = [_lost(name, one.figures[name].value) for name in OBJECTIVES]
    others = ([_lost(name, each.figures[name].value) for name in OBJECTIVES] for each in seen)
    return not any(
        other != mine and all(a <= b for a, b in zip(other, mine, strict=True)) for other in others
    )


def _fresh(one: Candidate, rng: np.random.Generator) -> Candidate:
    worse = 0.0 if one.number == 0 else 0.6
    fresh = {
        name: _figure(
            one.figures[name].value + (0.2 if AIMS[name] == "less" else -0.2) * worse * step,
            step / 4,
            "t",
        )
        for name, step in OBJECTIVES.items()
    }
    return one.model_copy(update={"fresh": fresh, "fresh_loss": one.loss + worse})


def _effects(one: Candidate, parent: Candidate, better: bool) -> tuple[Effect, ...]:
    assert one.fresh is not None
    assert parent.fresh is not None
    verdicts = ("better", "within gap", "open") if better else ("open", "within gap", "alike")
    found = []
    for (name, step), verdict in zip(OBJECTIVES.items(), verdicts, strict=True):
        effect = one.fresh[name].value - parent.fresh[name].value
        alike = verdict == "alike"
        half = 1.2 * abs(effect) if verdict == "open" else 0.3 * abs(effect)
        kind = "identical" if alike else "max_t"
        gap = -1.4 * effect if verdict == "within gap" else 0.2 * effect
        found.append(
            Effect.model_validate(
                {
                    "objective": name,
                    "parent": parent.fresh[name],
                    "winner": parent.fresh[name] if alike else one.fresh[name],
                    "effect": _figure(0 if alike else effect, 0 if alike else half, kind),
                    "held": None if verdict == "open" else _figure(effect - gap, step / 3, "t"),
                    "held_by": "none" if verdict == "open" else "rescored",
                    "gap": None if verdict == "open" else _figure(gap, step / 2, "t"),
                    "searched": one.figures[name].value - parent.figures[name].value,
                    "verdict": verdict,
                }
            )
        )
    return tuple(found)


def _sensed() -> tuple[Sensed, ...]:
    return tuple(
        Sensed(
            knob=k,
            objective=name,
            mu_star=abs(WEIGHTS[row, k]) * 2,
            mu_star_conf=abs(WEIGHTS[row, k]) / 2,
            sigma=abs(WEIGHTS[row, k]) / 3,
            first=None if k == FROZEN else 0.15 * (k + 1) / (row + 1),
            first_conf=None if k == FROZEN else 0.05,
            total=None if k == FROZEN else 0.2 * (k + 1) / (row + 1),
            total_conf=None if k == FROZEN else 0.06,
        )
        for k in range(len(KNOBS))
        for row, name in enumerate(OBJECTIVES)
    )


def _shares() -> dict[str, dict[str, float]]:
    parent = {
        "tricks": 0.12,
        "hearts": 0.15,
        "queens": 0.35,
        "king": 0.18,
        "generale": 0.0,
        "reussite": 0.2,
    }
    winner = {
        "tricks": 0.17,
        "hearts": 0.19,
        "queens": 0.2,
        "king": 0.15,
        "generale": 0.04,
        "reussite": 0.25,
    }
    return {"parent": parent, "winner": winner}
