"""Pick and judge: finalists on deals that the search has not seen, one of them on others still.

A search believes its best too well, since it took the luckiest of many. So those it holds for
best play anew beside the parent, and one is picked by what they come to there; and since the
luckiest of a few is picked once more, it is judged on further deals that had no part in it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine_ext.rules.spec import Variant
from pipeline.tuning.adaptation import held_effects
from pipeline.tuning.base import PARENT, measure, named
from pipeline.tuning.file import Amount
from pipeline.tuning.finding import Seen
from pipeline.tuning.judging import effects
from pipeline.tuning.measured import contrast, side
from pipeline.tuning.objectives import REGISTRY
from pipeline.tuning.outcome import Effect, Figure
from pipeline.tuning.points import Figures
from pipeline.tuning.results import Results
from pipeline.tuning.work import Work


class Proof(NamedTuple):
    """What fresh deals say."""

    best: Seen | None
    """Who was picked and judged; None where there was nothing but the parent."""
    better: bool
    """Whether it is the winner: surely better than the parent in the weighed sum, or the parent
    does not fulfil what must hold."""
    loss: Figure | None
    """Its weighed steps lost against the parent, on the deals that judge."""
    picked: dict[int, Figures]
    """By number what finalists and parent came to where one was picked."""
    results: dict[str, Results]
    """By name of parent and best, on the deals that judge."""
    effects: tuple[Effect, ...]


def proved(work: Work, seen: Sequence[Seen]) -> Proof:
    """Pick the best finalist on fresh deals, then judge it on others."""
    finalists = _finalists(seen, work.tuning.file.fresh.finalists)
    if not finalists:
        return Proof(None, False, None, {}, {}, ())
    amount = _amount(work)
    best, picked = _pick(work, finalists, amount)
    work.listen("judge")
    rules = _rules(work, [best])
    judging = work.tuning.file.players.judging
    results = work.packs.play("fresh-judge", rules, amount, "judge", players=judging)
    parent, candidate = (measure(results[name], work.objectives) for name in rules)
    found = contrast(work.aims.loss(candidate, parent))
    held = held_effects(
        work.packs,
        work.objectives,
        rules[named(best.number)],
        results[PARENT],
        parent,
        amount,
        "judge",
    )
    searched = {name: one.value - best.parent[name].value for name, one in best.figures.items()}
    wanted = work.tuning.file.objectives
    return Proof(
        best=best,
        better=side(found) < 0 or not seen[0].fulfils,
        loss=Figure.of(found),
        picked=picked or {0: parent, best.number: candidate},
        results=results,
        effects=effects(wanted, REGISTRY, candidate, parent, held, searched),
    )


def _finalists(seen: Sequence[Seen], most: int) -> list[Seen]:
    """The best of the front by loss, and behind them the best of those that were not surely
    behind: noise put them there, perhaps."""
    last = max(one.rounds for one in seen)
    able = (one for one in seen if one.number and one.fulfils and (one.front or one.rounds == last))
    return sorted(able, key=lambda one: (not one.front, one.loss, one.number))[:most]


def _pick(work: Work, finalists: Sequence[Seen], amount: Amount) -> tuple[Seen, dict[int, Figures]]:
    """The finalist that loses least on fresh deals, and what all came to there.

    One alone needs no picking: nothing is played then.
    """
    if len(finalists) == 1:
        return finalists[0], {}
    work.listen("pick")
    results = work.packs.play("fresh-pick", _rules(work, finalists), amount, "pick")
    figures = {
        number: measure(results[named(number)], work.objectives)
        for number in (0, *(one.number for one in finalists))
    }

    def lost(one: Seen) -> tuple[float, int]:
        return work.aims.loss(figures[one.number], figures[0]).value, one.number

    return min(finalists, key=lost), figures


def _rules(work: Work, candidates: Sequence[Seen]) -> dict[str, Variant]:
    """Parent and candidates by the names that runs call them."""
    own = {named(one.number): work.space.rules(one.point) for one in candidates}
    return {PARENT: work.tuning.parent} | own


def _amount(work: Work) -> Amount:
    fresh = work.tuning.file.fresh
    return Amount(games=fresh.games, choices=fresh.choices, worlds=fresh.worlds)
