"""A whole tuning: from the parent's games to a verdict on fresh deals.

1. *base*: the parent is played. Where no candidate's play can differ from the parent's, all
   others are reckoned from these games; else each is played.
2. *sensitivity*: knobs that move no objective keep the parent's setting.
3. *search*: candidates are proposed and measured.
4. *pick*: the best of the front and the parent meet deals that the search has not seen, and the
   best of them there is the one. To be picked as the best of many makes a figure too good.
5. *judge*: that one and the parent meet further deals. What is said of it is said from these
   alone, which had no part in picking it.

Every stage is runs in the tuning's folder, and every step is decided by the file alone.
"""

from pathlib import Path
from typing import Literal

from engine_ext.rules.spec import Variant
from pipeline.stores import is_uri
from pipeline.tuning.base import PARENT, Listen, Packs, named
from pipeline.tuning.emit import variant_file
from pipeline.tuning.finding import Seen, found_candidates
from pipeline.tuning.keeping import kept, versions
from pipeline.tuning.measured import estimate
from pipeline.tuning.objectives.choosing import first_choices
from pipeline.tuning.outcome import (
    Candidate,
    Figure,
    Outcome,
    Setting,
    read_outcome,
    write_outcome,
)
from pipeline.tuning.packs import How
from pipeline.tuning.points import Point
from pipeline.tuning.proving import Proof, proved
from pipeline.tuning.tuning_file import Tuning
from pipeline.tuning.work import Work

Side = Literal["parent", "winner"]


def silent(_: str) -> None:
    """Hear nothing."""


def tune(tuning: Tuning, out: str, how: How, listen: Listen = silent) -> Outcome:
    """Carry a tuning out, or go on with it, in a folder or bucket of its own.

    Parameters
    ----------
    tuning : Tuning
        From :func:`pipeline.tuning.tuning_file.load_tuning`.
    out : str
        A folder that is not there yet or empty, or the one of the same tuning.
    how : How
        Who plays; nothing of it shows in what comes out.
    listen : callable, optional
        Told which stage begins, in a few words.

    Returns
    -------
    Outcome
        Kept as ``tuning.json``; beside it stands ``NAME.toml`` where the winner is not the parent.

    Raises
    ------
    UserError
        A mistake of the user's; nothing is lost or overwritten then.
    KeyboardInterrupt
        After everything finished so far was kept.
    """
    with kept(out, tuning) as store:
        there = read_outcome(store)
        found = there or _tuned(Work.of(tuning, Packs.of(tuning, out, how), listen))
        # Written first, and again where somebody took it away; as he left it else.
        path = f"{tuning.file.name}.toml"
        if found.winner_number and (there is None or store.entry(path) is None):
            folder = None if is_uri(out) else Path(out)
            rules = variant_file(tuning, found.winner, folder=folder, notes=_notes(found))
            store.put(path, rules.encode())
        if there is None:
            write_outcome(store, found)
        return found


def _notes(found: Outcome) -> list[str]:
    """What the winner brings, for the head of its file."""
    return [
        f"{one.objective}: {one.parent.value:.4g} before, {one.winner.value:.4g} now "
        f"({one.verdict})"
        for one in found.effects
    ]


def _tuned(work: Work) -> Outcome:
    """All stages, one after the other."""
    found = found_candidates(work)
    proof = proved(work, found.seen)
    winner = proof.best if proof.best is not None and proof.better else found.seen[0]
    settings = _settings(work, winner.point, found.frozen)
    return Outcome(
        versions=versions(),
        file=work.tuning.file,
        parent_name=work.tuning.parent_name,
        parent=work.tuning.parent,
        winner=_rules(work, winner),
        settings=settings,
        sensed=found.sensed,
        candidates=tuple(_candidate(work, one, proof) for one in found.seen),
        by=found.by,
        why_played=found.why_played,
        stopped=found.stopped,
        winner_number=winner.number,
        judged_number=0 if proof.best is None else proof.best.number,
        judged_loss=proof.loss,
        effects=proof.effects,
        shares=_shares(proof),
        runs=tuple(work.packs.runs.values()),
    )


def _rules(work: Work, winner: Seen) -> Variant:
    return work.space.rules(winner.point) if winner.number else work.tuning.parent


def _settings(work: Work, winner: Point, frozen: frozenset[int]) -> tuple[Setting, ...]:
    space = work.space
    before, after = space.values(space.parent), space.values(winner)
    return tuple(
        Setting(
            knob=knob,
            title=space.title(knob),
            keys=space.keys(knob),
            parent=before[knob],
            winner=after[knob],
            frozen=knob in frozen,
        )
        for knob in range(space.n_knobs)
    )


def _candidate(work: Work, seen: Seen, proof: Proof) -> Candidate:
    space, fresh = work.space, proof.picked.get(seen.number)
    return Candidate(
        number=seen.number,
        values=space.values(seen.point),
        changes=space.changes(seen.point),
        fulfils=seen.fulfils,
        figures={name: Figure.of(estimate(one)) for name, one in seen.figures.items()},
        loss=seen.loss,
        rounds=seen.rounds,
        front=seen.front,
        fresh=None if fresh is None else {n: Figure.of(estimate(m)) for n, m in fresh.items()},
        fresh_loss=None if fresh is None else work.aims.loss(fresh, proof.picked[0]).value,
    )


def _shares(proof: Proof) -> dict[Side, dict[str, float]]:
    """How often each contract is chosen first, under both rules, where that was studied."""
    if proof.best is None:
        return {}
    names: dict[Side, str] = {"parent": PARENT, "winner": named(proof.best.number)}
    chosen = {side: proof.results[name].choices for side, name in names.items()}
    return {side: first_choices(one) for side, one in chosen.items() if one is not None}
