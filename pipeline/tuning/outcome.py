"""What came of a tuning, as it is kept beside its runs (``tuning.json``) and read by pages."""

from typing import Literal

from pydantic import Field, JsonValue, ValidationError

from engine_ext.rules.spec import Frozen, Name, Variant
from pipeline.mistakes import first_mistake
from pipeline.stats.estimate import Estimate, Kind
from pipeline.stores import Store, StoreError
from pipeline.tuning.file import TuningFile

OUTCOME = "tuning.json"
"""Name of the file."""

Verdict = Literal["better", "worse", "alike", "open", "within gap"]
"""``alike``: exactly the same in every block; ``open``: the interval holds nothing; ``within
gap``: the effect is smaller than what it moves when players adapt, so it is no conclusion."""
HeldBy = Literal["rescored", "unadapted", "none"]


class Figure(Frozen):
    """An estimate as it is kept."""

    value: float
    se: float | None
    low: float | None
    high: float | None
    blocks: int
    df: float
    kind: Kind

    @classmethod
    def of(cls, found: Estimate) -> "Figure":
        """From an estimate."""
        return cls(
            value=found.value, se=found.se, low=found.low, high=found.high,
            blocks=found.blocks, df=found.df, kind=found.kind,
        )  # fmt: skip


class Setting(Frozen):
    """A knob of the tuning with what parent and winner have there."""

    knob: int
    """Its place in the file."""
    title: str
    keys: tuple[str, ...]
    parent: JsonValue
    winner: JsonValue
    frozen: bool
    """Whether sensitivity took it out of the search."""


class Candidate(Frozen):
    """Rules that were looked at."""

    number: int
    """In order of proposal; 0 is the parent."""
    values: tuple[JsonValue, ...]
    """By knob."""
    changes: int
    """Knobs that differ from the parent."""
    fulfils: bool
    """Whether it fulfils all that must hold (the parent may not)."""
    figures: dict[Name, Figure]
    """By objective, as the search saw them."""
    loss: float
    """Weighed sum of steps that the objectives lack; less is better. The parent's is 0."""
    rounds: int
    """How often it got further deals."""
    front: bool
    """No other is better in one objective and no worse in the others."""
    fresh: dict[Name, Figure] | None = None
    """The same on deals that the search has not seen; of finalists and the parent."""
    fresh_loss: float | None = None


class Effect(Frozen):
    """What the winner's rules do to an objective, on deals that the search has not seen."""

    objective: Name
    parent: Figure
    winner: Figure
    effect: Figure
    """Winner less parent on the same deals, players planning under each one's rules; intervals
    of all objectives hold together."""
    held: Figure | None
    """The same with play held still: stored games re-scored, or players who do not go by points."""
    held_by: HeldBy
    gap: Figure | None
    """``effect`` less ``held``: what adapting players change."""
    searched: float
    """The effect as the search believed it: better than the truth, since the best was picked."""
    verdict: Verdict


class Sensed(Frozen):
    """How much a knob moves an objective."""

    knob: int
    objective: Name
    mu_star: float | None = None
    """Morris: mean size of an elementary effect over the knob's whole range, in the unit."""
    mu_star_conf: float | None = None
    sigma: float | None = None
    first: float | None = None
    """Sobol: share of the variance by the knob alone."""
    first_conf: float | None = None
    total: float | None = None
    """Sobol: share with all that it does together with others."""
    total_conf: float | None = None


class Told(Frozen):
    """A run that the tuning played."""

    path: str
    """Inside the tuning's folder."""
    digest: str
    deals: int


class Outcome(Frozen):
    """A whole tuning."""

    schema_version: int = 1
    versions: dict[str, str]
    """Of this package and of what searches."""
    file: TuningFile
    parent_name: Name
    parent: Variant
    winner: Variant
    """The parent itself where nothing better was found."""
    settings: tuple[Setting, ...]
    sensed: tuple[Sensed, ...]
    candidates: tuple[Candidate, ...]
    by: Literal["rescoring", "playing"]
    why_played: str | None
    """Why stored games could not tell, where they could not."""
    stopped: Literal["spent", "patience", "every"]
    winner_number: int
    judged_number: int = 0
    """The candidate that the effects are of: the winner, or the best of the others where it was
    not surely better than the parent; 0 where there was none."""
    judged_loss: Figure | None = None
    """Its weighed sum of steps lost against the parent on the deals that judge; below 0: better."""
    effects: tuple[Effect, ...]
    shares: dict[Literal["parent", "winner"], dict[Name, float]] = Field(default_factory=dict)
    """How often each contract is chosen first by the best chooser, where that was studied."""
    runs: tuple[Told, ...]


def write_outcome(store: Store, outcome: Outcome) -> None:
    """Put it in place whole; the same outcome gives the same bytes."""
    store.put(OUTCOME, (outcome.model_dump_json(indent=1) + "\n").encode())


def read_outcome(store: Store) -> Outcome | None:
    """What came of the tuning that lies there; None where none is finished.

    :class:`StoreError` says what is wrong with the file.
    """
    found = store.tagged(OUTCOME)
    if found is None:
        return None
    try:
        return Outcome.model_validate_json(found[0])
    except ValidationError as error:
        raise StoreError(
            f"{store.path(OUTCOME)}: damaged: {first_mistake(error, Outcome)} "
            "(without it barbu tune makes it anew from the runs)"
        ) from error
