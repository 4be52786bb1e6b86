"""What a tournament is to decide, and when it may stop: said before anything is played.

Differences are points a game in the entrant's favour: larger is better for him, whatever
the document calls winning.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from engine_ext.rules.spec import Frozen

Rule = Literal["sprt", "width", "decided", "race"]
Unit = Literal["points", "sigma"]

LOOK = 64
"""Blocks between two decisions, unless the run file says."""
ALPHA = 0.05
"""How often a verdict may be wrong, unless the run file says."""
LEAST_ERROR = 1e-9
"""What may be asked of ``alpha`` and ``beta``: shared by all pairs of a race it is still far above
what is lost where 1 - alpha is rounded."""
LEAST_APART = 1e-6
"""How near ``delta0`` and ``delta1`` may be: nearer ones no run is long enough to tell apart."""


def on_one_line(text: str) -> str:
    """The text, if it can stand in tables, messages and terminals without harm."""
    if not text.isprintable() or text != text.strip():
        raise ValueError("must be printable and on one line, without blanks at its ends")
    return text


Text = Annotated[str, StringConstraints(min_length=1, max_length=4000)]
Line = Annotated[Text, AfterValidator(on_one_line)]


class Claim(Frozen):
    """What the verdict is about; everything else that a report shows is exploration."""

    entrant: Line | None = None
    """Name of the entrant; the first one unless given (design ``candidates``: the first that is
    not in the field)."""
    against: Line | None = None
    """Name of the entrant he is compared with, on the same blocks; unless given he is compared
    with the mean of his tables (design ``candidates``: with the field on the same cards)."""
    equal: float | None = Field(None, gt=0, le=1e6, strict=True)
    """Points a game: a difference below this is of no account. The verdict ``equal`` is given
    where the whole interval lies within it."""


class Stop(Frozen):
    """When to stop before all blocks are played; ``blocks`` of the run is the cap."""

    rule: Rule
    """``sprt``: a sequential test of ``delta0`` against ``delta1``; ``width``: once the interval
    of the claim is no wider than ``width`` to either side; ``decided``: once it excludes 0, or
    lies within ``claim.equal``; ``race``: design ``candidates``, drop who is surely not the best
    until one is left."""
    look: int = Field(LOOK, ge=16, le=2**20, strict=True)
    """Blocks between two decisions: a decision sees whole looks from block 0 on, nothing else."""
    alpha: float = Field(ALPHA, ge=LEAST_ERROR, lt=0.5, strict=True)
    """How often a wrong decision may come: a difference claimed where there is none."""
    beta: float = Field(0.05, ge=LEAST_ERROR, lt=0.5, strict=True)
    """Rule ``sprt``: how often a difference of ``delta1`` may be missed."""
    delta0: float = Field(0.0, ge=-1e6, le=1e6, strict=True)
    """Rule ``sprt``: the difference that is not enough, points a game."""
    delta1: float | None = Field(None, ge=-1e6, le=1e6, strict=True)
    """Rule ``sprt``: the difference that must be found, points a game, above ``delta0``."""
    unit: Unit = "points"
    """Rule ``sprt``: of ``delta0`` and ``delta1``: ``points`` a game, or ``sigma``, the standard
    deviation of a block's mean, so that the length depends on them alone."""
    width: float | None = Field(None, gt=0, le=1e6, strict=True)
    """Rule ``width``: points a game to either side."""

    @model_validator(mode="after")
    def _keys_fit(self) -> "Stop":
        if (self.rule == "sprt") != (self.delta1 is not None):
            raise ValueError(
                "delta1: rule 'sprt' needs it"
                if self.rule == "sprt"
                else f"delta1: only for rule 'sprt', not {self.rule!r}"
            )
        if self.delta1 is not None and self.delta1 <= self.delta0:
            raise ValueError(f"delta1: {self.delta1} (want more than delta0, {self.delta0})")
        if self.delta1 is not None and self.delta1 - self.delta0 < LEAST_APART:
            raise ValueError(
                f"delta1: {self.delta1} is too near to delta0, {self.delta0} "
                f"(want at least {LEAST_APART:g} more)"
            )
        if (self.rule == "width") != (self.width is not None):
            raise ValueError(
                "width: rule 'width' needs it"
                if self.rule == "width"
                else f"width: only for rule 'width', not {self.rule!r}"
            )
        if self.rule != "sprt":
            for key in ("delta0", "beta", "unit"):
                if getattr(self, key) != type(self).model_fields[key].default:
                    raise ValueError(f"{key}: only for rule 'sprt', not {self.rule!r}")
        return self
