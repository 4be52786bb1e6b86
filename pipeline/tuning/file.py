"""What a tuning file may say: the parent, the knobs, what must hold, and what is wanted."""

from typing import Annotated, Literal, NamedTuple, Self

from pydantic import Field, JsonValue, field_validator, model_validator

from engine_ext.errors import UserError
from engine_ext.rules.checks import MAX_POINTS
from engine_ext.rules.messages import shown
from engine_ext.rules.spec import Frozen, Name, Variant
from pipeline.claim import Line, on_one_line

Count = Annotated[int, Field(ge=1, strict=True)]
Bound = Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS, strict=True)]


class TuningError(UserError):
    """A tuning file that cannot be used."""


class Knob(Frozen):
    """A key of the rules, or several that move together, and what they may be."""

    key: Line | tuple[Line, ...]
    """Where it stands in the variant: ``contracts.tricks.terms[0].points``,
    ``contracts.reussite.payout[2]``, ``schedule.uses.domino``, ``doubling.duty``. A list of keys
    gets the same value, or with ``values`` a list each."""
    title: Line | None = None
    """For people; made from the key unless given."""
    low: Bound | None = None
    """Least number, with ``high`` the most, in the document's sign; in place of ``values``."""
    high: Bound | None = None
    step: Count = 1
    """Between numbers, counted from ``low``; where ``hold.multiple_of`` is said, that is used."""
    values: tuple[JsonValue, ...] | None = None
    """What it may be, one by one: words, numbers, lists, tables, ``"none"``. The parent's value is
    always among what it may be."""

    @field_validator("key", mode="before")
    @classmethod
    def _one_or_some(cls, said: object) -> object:
        keys: list[object] = list(said) if isinstance(said, list | tuple) else [said]
        texts = [key for key in keys if isinstance(key, str) and key]
        if not keys or len(texts) < len(keys):
            raise ValueError(f"must be a key or a list of keys, not {shown(said)}")
        for text in texts:
            on_one_line(text)
        return said

    @model_validator(mode="after")
    def _range_or_values(self) -> Self:
        if self.values is not None:
            if not self.values:
                raise ValueError("values: must have at least one entry")
            for name in ("low", "high"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name}: stands beside values (want one or the other)")
        elif self.low is None or self.high is None:
            missing = "low" if self.low is None else "high"
            raise ValueError(f"{missing}: missing (want low and high, or values)")
        elif self.low > self.high:
            raise ValueError(f"high: {self.high} is below low, {self.low}")
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that it sets."""
        return (self.key,) if isinstance(self.key, str) else self.key


class Hold(Frozen):
    """What every candidate must fulfil."""

    zero_sum: Annotated[bool, Field(strict=True)] = False
    """All points of a game add up to nothing, whoever takes what; fines aside."""
    totals: dict[Line, Annotated[int, Field(strict=True)]] = Field(default_factory=dict)
    """By name of a total (``declarer``, ``game``, ``contracts.NAME``): what it must be."""
    multiple_of: int | None = Field(None, ge=1, le=100_000, strict=True)
    """Every number of points that is changed is a multiple of it."""
    most_changes: Count | None = None
    """Knobs that differ from the parent at most."""
    payouts_fall: Annotated[bool, Field(strict=True)] = True
    """A later place of a layout that knobs touch is never worth more than an earlier one (for
    the player)."""


class Wanted(Frozen):
    """An objective of the registry and what is wanted of it."""

    name: Name
    """As ``barbu tune --objectives`` lists them."""
    aim: Literal["less", "more"] | float | None = None
    """Better when less, more, or nearer to a number; the registry's unless given."""
    weight: float = Field(1.0, ge=1e-6, le=1e6, strict=True)
    """How much a step of it counts beside one of the others."""
    step: float | None = Field(None, ge=1e-6, le=1e9, strict=True)
    """What difference one would care about, in its unit; the registry's unless given."""

    @field_validator("aim", mode="before")
    @classmethod
    def _a_way_or_a_number(cls, said: object) -> object:
        number = (
            isinstance(said, int | float) and not isinstance(said, bool) and -1e9 <= said <= 1e9
        )
        if said not in ("less", "more", None) and not number:
            raise ValueError(f'must be "less", "more" or a number up to 1e9, not {shown(said)}')
        return said


class Players(Frozen):
    """Who plays."""

    full: Line = "play=duck.v1, choose=dp.v1(worlds=16, hands=200)"
    """In every seat; plans under the candidate's rules."""
    proof: Line | None = None
    """In every seat where the one that was picked is judged beside the parent: players too slow for
    a search, who plan every card by the points. ``full`` unless given."""
    unadapted: Line = "duck.v1"
    """Whose play does not go by the points: the yardstick of the adaptation gap where play itself
    is changed, so that stored games tell nothing."""
    restricted: dict[Name, Line] = Field(default_factory=dict, max_length=8)
    """By name, players who lack something; each sits at a table of full ones."""

    @property
    def judging(self) -> "Players":
        """Those who play where the winner is judged."""
        return self if self.proof is None else self.model_copy(update={"full": self.proof})


class Amount(Frozen):
    """How much is played of each candidate."""

    games: int = Field(1000, ge=20, le=10_000_000, strict=True)
    """Games, each on deals of its own, the same for every candidate."""
    choices: int = Field(60, ge=10, le=100_000, strict=True)
    """Dealerships of the ``value`` study, where an objective needs it."""
    worlds: int = Field(16, ge=2, le=10_000, multiple_of=2, strict=True)
    """For each hand of these."""


class Sensitivity(Frozen):
    """Which knobs matter at all, before the search."""

    morris: int = Field(0, ge=0, le=1000, strict=True)
    """Trajectories of Morris' screening; 0: none. Costs ``morris * (knobs + 1)`` candidates."""
    sobol: int = Field(0, ge=0, le=2**14, strict=True)
    """Base samples of Sobol indices over what is left, a power of two; 0: none. Costs
    ``sobol * (knobs + 2)`` candidates."""
    freeze: Annotated[bool, Field(strict=True)] = True
    """Knobs that move no objective keep the parent's value in the search."""

    @field_validator("sobol")
    @classmethod
    def _power_of_two(cls, said: int) -> int:
        if said & (said - 1):
            raise ValueError(f"{said} is no power of two (want {1 << said.bit_length()})")
        return said


class Search(Frozen):
    """How candidates are looked for."""

    method: Literal["tpe", "nsga2", "every"] = "tpe"
    """``tpe``: by the weighed sum of objectives; ``nsga2``: fronts of many candidates; ``every``:
    all there are."""
    candidates: int = Field(100, ge=1, le=100_000, strict=True)
    """At most."""
    at_once: int = Field(10, ge=1, le=100, strict=True)
    """Candidates that are proposed together and played in one run."""
    patience: Count | None = None
    """Stop when so many in a row brought nothing that is surely better; never unless given."""
    rounds: int = Field(3, ge=1, le=8, strict=True)
    """A candidate that is not surely worse than the best gets further deals, as many again each
    time, up to so many times ``amount``."""
    by: Literal["auto", "rescoring", "playing"] = "auto"
    """``auto``: stored games where every candidate's points can be reckoned from them exactly."""


class Fresh(Frozen):
    """The end: measured anew on deals that the search has not seen."""

    finalists: int = Field(5, ge=1, le=50, strict=True)
    """Best candidates of the front that are measured anew beside the parent."""
    games: int = Field(5000, ge=20, le=100_000_000, strict=True)
    choices: int = Field(300, ge=10, le=1_000_000, strict=True)
    worlds: int = Field(32, ge=2, le=10_000, multiple_of=2, strict=True)


class TuningFile(Frozen):
    """A tuning file as it stands."""

    title: Line
    """What the club asks, for pages."""
    base: Line
    """The parent: name of a shipped variant, or path of a rule file counted from this file."""
    name: Name
    """What the tuned variant is called, and its file."""
    variant_title: Line | None = None
    """Its title; the parent's with ", tuned" unless given."""
    seed: int = Field(ge=0, lt=2**64, strict=True)
    """Decides every deal and every proposal."""
    knobs: tuple[Knob, ...] = Field(min_length=1, max_length=60)
    hold: Hold = Hold()
    objectives: tuple[Wanted, ...] = Field(min_length=1, max_length=12)
    players: Players = Players()
    amount: Amount = Amount()
    sensitivity: Sensitivity = Sensitivity()
    search: Search = Search()
    fresh: Fresh = Fresh()


class Tuning(NamedTuple):
    """A tuning file with the rules that it starts from."""

    file: TuningFile
    """As it stands, but paths of players are absolute."""
    parent_name: str
    parent: Variant
    where: str
    """The file itself, for messages."""
