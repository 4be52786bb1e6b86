"""Who stands where: figures of all entrants, their differences, ranks and letters.

Made once for a variant; the league, the matrix of pairs and the head of a page show it.
"""

from fractions import Fraction
from typing import NamedTuple

from pipeline import stopping
from pipeline.figures import HEADS
from pipeline.seating import changes_company
from pipeline.stats import letters, score_model
from pipeline.stats.anytime import band
from pipeline.stats.estimate import CONFIDENCE, Estimate, Sums, ratio, times
from pipeline.stats.joint import Joint
from pipeline.stats.simultaneous import covariance, differences, ranks, together
from reports.evenings import of_people
from reports.reading import Reading
from reports.words import sign

Pairs = dict[tuple[int, int], Estimate]


class Ranked(NamedTuple):
    """A league; figures in the document's sign."""

    entrants: tuple[str, ...]
    """Best first."""
    points: tuple[Estimate, ...]
    pairs: Pairs
    """Entrant i less entrant k, i < k; empty where they cannot be compared."""
    spans: tuple[tuple[int, int], ...]
    """Best and worst possible rank."""
    letters: tuple[str, ...]
    """Two share one unless they are told apart; empty without pairs."""
    measured: str
    """What points are above: ``table``, its mean; ``field``, the field on the same cards;
    ``model``, an average entrant by who sat at the tables; ``company``, the mean of the tables
    at which a person happened to sit."""


def ranked(run: Reading, variant: str) -> Ranked:
    """The league of a variant of which a whole block was played."""
    return run.once(("ranked", variant), lambda: _ranked(run, variant))


def _ranked(run: Reading, variant: str) -> Ranked:
    measured, names, points, pairs = _figures(run, variant)
    order = sorted(range(len(names)), key=lambda i: (-points[i].value, names[i]))
    place = {one: at for at, one in enumerate(order)}
    turned = {}
    for (i, k), e in pairs.items():
        a, b = place[i], place[k]
        turned[min(a, b), max(a, b)] = e if a < b else times(e, -1)
    pairs = {pair: turned[pair] for pair in sorted(turned)}
    every = range(len(order))
    spans = ranks(len(order), pairs) if pairs else [(1, len(order))] * len(order)
    shared = letters.letters(every, pairs) if pairs else [""] * len(order)
    way = sign(run.rules(variant))
    return Ranked(
        tuple(names[i] for i in order),
        tuple(times(points[i], way) if way < 0 else points[i] for i in order),
        {pair: times(e, way) if way < 0 else e for pair, e in pairs.items()},
        tuple(spans),
        tuple(shared),
        measured,
    )


def _figures(run: Reading, variant: str) -> tuple[str, list[str], list[Estimate], Pairs]:
    """What points are above, names, points and pairs, larger is better."""
    seats = run.rules(variant).seats
    there = {c.entrant: c.sums for c in run.cells(variant, "advantage") if c.table == -1}
    names = [name for name in run.ranked() if name in there]
    if changes_company(run.config) and run.blocks(variant) > 1:
        played = run.played(variant)
        fitted = score_model.fit(played)
        if fitted is not None:
            points = score_model.strengths_of_few(played, fitted)
            pairs = score_model.pairs_of_few(played, fitted)
            held = _held(run, list(pairs.values()))
            return "model", names, _held(run, points), dict(zip(pairs, held, strict=True))
    joint = run.joint(variant, names)
    measured = "field" if run.config.design == "candidates" else "table"
    if of_people(run):
        measured = "company"
    if joint is None or changes_company(run.config) or of_people(run):
        # Who met whom is not told apart from who is strong: no pair can be compared.
        alone = [ratio(there[name], Fraction(1, seats), contrast=True) for name in names]
        return measured, names, _held(run, alone), {}
    points, pairs = _measured(joint, seats, run.blocks(variant))
    pairs = _head_to_head(run, variant, names, joint, pairs)
    left = run.dropped(variant)
    for i, k in [pair for pair in pairs if any(names[one] in left for one in pair)]:
        both = min(left.get(names[one], run.blocks(variant)) for one in (i, k))
        common = run.joint(variant, [names[i], names[k]], both)
        assert common is not None
        pairs[i, k] = stopping.measured(common, seats, 1 - CONFIDENCE)
    held = _held(run, list(pairs.values()))
    return measured, names, _held(run, points), dict(zip(pairs, held, strict=True))


def _head_to_head(
    run: Reading, variant: str, names: list[str], joint: Joint, pairs: Pairs
) -> Pairs:
    """The pairs, those who share a table compared there, as a claim about them would be: an
    entrant's own mean has tables in which he met others. All of them by Bonferroni then."""
    total = run.whole(variant)
    if not pairs or total is None or not total.heads:
        return pairs
    if run.config.design == "lineups" and len(run.entrants()) > HEADS:
        return pairs
    seats, place = run.rules(variant).seats, [run.ranked().index(name) for name in names]
    own = {(i, k): total.heads.get((place[i], place[k])) or joint.only([i, k]) for i, k in pairs}
    if all(found == joint.only(list(pair)) or 0 in found.n for pair, found in own.items()):
        return pairs
    alpha = (1 - CONFIDENCE) / len(pairs)
    found = {
        pair: stopping.measured(one, seats, alpha) for pair, one in own.items() if 0 not in one.n
    }
    return {
        pair: e._replace(kind="max_t" if e.kind == "t" else e.kind) for pair, e in found.items()
    }


def _held(run: Reading, plain: list[Estimate]) -> list[Estimate]:
    """The same with intervals that hold together at every moment, where they must."""
    if not run.watched:
        return plain
    return [band(e, stopping.planned(run.config), figures=len(plain)) for e in plain]


def _measured(joint: Joint, seats: int, blocks: int) -> tuple[list[Estimate], Pairs]:
    """Points and differences of pairs, each simultaneous, from exact sums."""
    cells: list[Sums] = [joint.sums(i) for i in range(len(joint.n))]
    scale = Fraction(1, seats)
    if blocks < 2:
        return [ratio(cell, scale, contrast=True) for cell in cells], {}
    cov = covariance(cells, joint.cross(), joint.blocks)
    means = [Fraction(cell.x, cell.n) for cell in cells]
    return together(means, cov, cells, scale), differences(cells, cov, scale)
