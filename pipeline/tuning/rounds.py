"""Rounds of a candidate put together: each was played on further deals of the same rules."""

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.studies.worth import Worth
from pipeline.tuning.results import Bets, Choices, Played, Results


def together(rounds: Sequence[Results]) -> Results:
    """All rounds of one candidate as one: blocks of later rounds come behind those of earlier.

    What one of them lacks, the whole lacks. ``ValueError`` where rules or players differ.
    """
    if len(rounds) == 1:
        return rounds[0]
    games = [one.games for one in rounds if one.games is not None]
    choices = [one.choices for one in rounds if one.choices is not None]
    skill = [one.skill for one in rounds if one.skill is not None]
    n = len(rounds)
    return Results(
        _played(games) if len(games) == n else None,
        _choices(choices) if len(choices) == n else None,
        _played(skill) if len(skill) == n else None,
    )


def _played(parts: Sequence[Played]) -> Played:
    first = parts[0]
    if any((p.variant, p.labels) != (first.variant, first.labels) for p in parts):
        raise ValueError("rounds of other rules or players are not put together")
    many = [len(p.contract) for p in parts]
    changes: dict[str, Any] = {}
    for name in (field.name for field in fields(Played)):
        values = [getattr(p, name) for p in parts]
        if any(value is None for value in values):
            changes[name] = None
        elif isinstance(values[0], np.ndarray):
            changes[name] = np.concatenate(values)
    changes |= {
        "blocks": sum(p.blocks for p in parts),
        "block": _shifted([p.block for p in parts], [p.blocks for p in parts]),
        "bets": Bets(
            _shifted([p.bets.row for p in parts], many),
            np.concatenate([p.bets.doubler for p in parts]),
            np.concatenate([p.bets.doubled for p in parts]),
            np.concatenate([p.bets.redoubled for p in parts]),
        ),
    }
    return replace(first, **changes)


def _choices(parts: Sequence[Choices]) -> Choices:
    first = parts[0]
    worths = [part.worth for part in parts]
    if any(_study(part) != _study(first) for part in parts):
        raise ValueError("rounds of other rules or worlds are not put together")
    return Choices(
        first.variant,
        first.worth._replace(
            blocks=_shifted([w.blocks for w in worths], [w.n_blocks for w in worths]),
            points=np.concatenate([w.points for w in worths], axis=-1),
            squares=np.concatenate([w.squares for w in worths], axis=-1),
            roles=np.concatenate([w.roles for w in worths], axis=-1),
            hands=tuple(hand for w in worths for hand in w.hands),
            left=np.concatenate([w.left for w in worths], axis=-1),
            chosen=np.concatenate([w.chosen for w in worths]),
            dealt=np.concatenate([w.dealt for w in worths], axis=-1),
        ),
    )


def _study(part: Choices) -> tuple[object, ...]:
    """What must be alike."""
    worth: Worth = part.worth
    return part.variant, worth.contracts, worth.uses, worth.turns, worth.options, worth.worlds


def _shifted(parts: Sequence[npt.NDArray[np.int64]], many: Sequence[int]) -> npt.NDArray[np.int64]:
    """Numbers of each part, behind those of the parts before."""
    before = accumulate(many[:-1], initial=0)
    return np.concatenate([part + shift for part, shift in zip(parts, before, strict=True)])
