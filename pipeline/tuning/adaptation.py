"""The same change with play held still, beside which an effect shows what adapting does.

Where points alone change, the parent's stored games are re-scored: the same cards fall, and
other points are written down. Where play itself is changed stored games tell nothing, so players
who do not go by the points play under both rules.
"""

from collections.abc import Sequence

from engine_ext.rules.spec import Variant
from pipeline.tuning.base import Packs, has, measure
from pipeline.tuning.evaluating import Stored
from pipeline.tuning.exact import NotExact
from pipeline.tuning.file import Amount
from pipeline.tuning.judging import Held
from pipeline.tuning.measured import less
from pipeline.tuning.objectives import Objective
from pipeline.tuning.points import Figures
from pipeline.tuning.results import Results


def held_effects(
    packs: Packs,
    objectives: Sequence[Objective],
    candidate: Variant,
    parent: Results,
    measured: Figures,
    amount: Amount,
    stage: str,
) -> dict[str, Held]:
    """Effects with play held still, by objective; those that cannot be held are left out.

    ``parent`` and ``measured``: the parent's results and figures on the deals of ``stage``.
    """
    still = _rescored(parent, candidate)
    found = {
        one.name: Held(less(one.measure(still), measured[one.name]), "rescored")
        for one in objectives
        if still is not None and has(still, one)
    }
    # Who lacks something is told from those who do not by how they play: nothing of it is left
    # at a table of players who do not go by the points.
    left = [one for one in objectives if one.name not in found and one.needs != "skill"]
    return found | (_unadapted(packs, left, candidate, amount, stage) if left else {})


def _rescored(parent: Results, candidate: Variant) -> Results | None:
    """The parent's games under the candidate's points; None where play itself is changed."""
    try:
        return Stored.of(parent).rescored(candidate, exact=False)
    except NotExact:
        return None


def _unadapted(
    packs: Packs, objectives: Sequence[Objective], candidate: Variant, amount: Amount, stage: str
) -> dict[str, Held]:
    """Effects among players whose play does not go by the points."""
    tuning = packs.tuning
    players = tuning.file.players.model_copy(
        update={"full": tuning.file.players.unadapted, "restricted": {}}
    )
    rules = {"parent": tuning.parent, "candidate": candidate}
    needs = frozenset(one.needs for one in objectives)
    found = packs.play(
        f"fresh-{stage}-unadapted", rules, amount, stage, players=players, needs=needs
    )
    before, after = (measure(found[name], objectives) for name in rules)
    return {name: Held(less(after[name], before[name]), "unadapted") for name in before}
