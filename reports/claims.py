"""What a run is to decide, and what has come out: the verdict, for its section and the head.

Figures are points a game in the favour of the claim's entrant, whatever the document calls
winning. What is to be said of them is that of the run itself (``pipeline/stopping.py``).
"""

from fractions import Fraction
from typing import NamedTuple

from pipeline import stopping
from pipeline.course import has_claim
from pipeline.figures import claimed, ranked, unit
from pipeline.manifest import Decided
from pipeline.seating import changes_company
from pipeline.stats import equivalence, sequential
from pipeline.stats.estimate import Estimate, ratio
from pipeline.stats.joint import Joint
from pipeline.stats.prefix import ALIKE, Decision
from reports.prefixes import Piece
from reports.reading import Reading


class Subject(NamedTuple):
    """What the claim of a variant is about."""

    entrant: int
    against: int | None
    """None: the mean of his tables, in ``candidates`` the field on the same cards."""
    figures: int
    """How many claims are watched together: in a race whoever leads was one of all."""

    def joint(self, run: Reading, piece: Piece) -> Joint:
        """The sums of its one or two figures over some blocks."""
        if self.figures == 1:
            return piece.claim
        return piece.entrants.only([ranked(run.config).index(self.entrant)])


class Verdict(NamedTuple):
    """The claim of a run in one variant."""

    subject: Subject
    estimate: Estimate
    decision: Decision
    """Of a run that is not finished what holds so far, whatever is still to come."""
    race: bool
    """A race came to it: it is about all candidates, though the estimate is of one alone."""
    alpha: float
    """How often it may be wrong, and the interval miss."""
    llr: float | None
    """Rule ``sprt``: its log likelihood ratio."""
    attempt: int


def is_seated(run: Reading, variant: str) -> bool:
    """Whether those whom the claim is about sit anywhere: line-ups may leave them out."""
    return has_claim(run.config, run.rules(variant).seats)


def subject(run: Reading, variant: str) -> Subject:
    """The claim as it was declared; of a race the one who leads."""
    config, names = run.config, run.entrants()
    if config.stop is None or config.stop.rule != "race":
        return Subject(*claimed(config), 1)
    decided, k = _decided(run, variant), len(ranked(config))
    if decided is not None:
        return Subject(names.index(decided.entrant), None, k)
    joint, gone = run.joint(variant, run.ranked()), run.dropped(variant)
    assert joint is not None, "a race keeps its totals"
    mean = {
        name: Fraction(x, n)
        for name, x, n in zip(run.ranked(), joint.x, joint.n, strict=True)
        if name not in gone
    }
    return Subject(names.index(max(mean, key=lambda name: mean[name])), None, k)


def estimate_of(
    run: Reading, one: Subject, joint: Joint, point: Fraction, always: bool
) -> Estimate:
    """The claim over some blocks; ``always``: with an interval that holds at every moment."""
    plain = stopping.measured(joint, point, stopping.share(run.config))
    return stopping.watched(run.config, plain, one.figures) if always else plain


def test_of(run: Reading) -> sequential.Sprt | None:
    """The declared test of a run that stops by one."""
    stop = run.config.stop
    if stop is None or stop.rule != "sprt":
        return None
    return stopping.test_of(stop, stopping.share(run.config))


def verdict(run: Reading, variant: str) -> Verdict | None:
    """The verdict of a variant; None where no whole block was played, or those whom it is about
    sit at no table."""
    return run.once(("verdict", variant), lambda: _verdict(run, variant))


def _verdict(run: Reading, variant: str) -> Verdict | None:
    if not run.blocks(variant) or not is_seated(run, variant):
        return None
    alpha = stopping.share(run.config)
    point = unit(run.config, run.rules(variant).seats)
    decided, total, one = _decided(run, variant), run.whole(variant), subject(run, variant)
    llr = None
    if total is None:
        estimate = _of_summary(run, variant, one)
    else:
        joint, test = one.joint(run, total), test_of(run)
        estimate = estimate_of(run, one, joint, point, always=False)
        modelled = (
            stopping.by_strength(run.config, run.played(variant))
            if changes_company(run.config)
            else None
        )
        estimate = estimate if modelled is None else modelled
        if test is not None:
            llr = sequential.llr(stopping.seen(joint, point), test)
    if run.watched:
        estimate = stopping.watched(run.config, estimate, one.figures)
    equal = None if run.config.claim is None else run.config.claim.equal
    if decided is not None:
        value, low, high, kind = decided.value, decided.low, decided.high, decided.kind
        estimate = estimate._replace(value=value, low=low, high=high, kind=kind)
        decision, attempt = decided.decision, decided.attempt
    else:
        least = ALIKE if run.watched else 2
        decision, attempt = equivalence.decide(estimate, equal, least), 1
    race = decided is not None and decided.rule == "race"
    return Verdict(one, estimate, decision, race, alpha, llr, attempt)


def _of_summary(run: Reading, variant: str, one: Subject) -> Estimate:
    """The claim of an older run, which keeps no totals and claims what its summary has."""
    assert one.against is None, "who is compared with another needs totals"
    name, scale = run.entrants()[one.entrant], Fraction(1, run.rules(variant).seats)
    cells = run.cells(variant, "advantage")
    mine = next(c.sums for c in cells if (c.table, c.entrant) == (-1, name))
    return ratio(mine, scale, confidence=1 - stopping.share(run.config), contrast=True)


def _decided(run: Reading, variant: str) -> Decided | None:
    return next((one for one in run.facts.decided if one.variant == variant), None)
