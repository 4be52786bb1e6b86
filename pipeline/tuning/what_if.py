"""A single question answered from stored games: what if this key had that value?

The same cards fall and other points are written down, so an answer takes seconds; and it is
given only where nobody would have played another card. Who would choose another contract is held
to the one he chose, but for objectives of choices, which are solved anew.
"""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue, TypeAdapter, ValidationError

from engine_ext.errors import UserError
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import Variant
from pipeline.config import rules_hash
from pipeline.files import MANIFEST
from pipeline.store import Run
from pipeline.stores import Store
from pipeline.studies.designs import STUDIES
from pipeline.tuning.base import Base, Listen, Packs, has, measure, objectives_of
from pipeline.tuning.choices import read_choices
from pipeline.tuning.evaluating import Stored
from pipeline.tuning.exact import why_not
from pipeline.tuning.judging import contrasts, verdict
from pipeline.tuning.keeping import kept
from pipeline.tuning.measured import estimate
from pipeline.tuning.objectives import REGISTRY, Needs, Objective
from pipeline.tuning.outcome import Figure, Verdict
from pipeline.tuning.packs import How
from pipeline.tuning.points import Figures
from pipeline.tuning.results import Results
from pipeline.tuning.stored import read_played
from pipeline.tuning.tuning_file import Tuning

_JSON: TypeAdapter[JsonValue] = TypeAdapter(JsonValue)
NEEDED = {
    "games": "games of a tournament",
    "moves": 'games of a tournament that keeps moves (record "plays")',
    "choices": "a study of value (barbu study value)",
    "skill": "games with restricted players, as barbu tune plays them",
}
"""What objectives of a kind look at, for people."""


class Answer(NamedTuple):
    """What would become of an objective."""

    objective: str
    parent: Figure | None
    candidate: Figure | None
    effect: Figure | None
    """Candidate less parent on the same deals; the intervals of all hold together."""
    verdict: Verdict | None
    missing: str | None
    """What it needs that is not there; the others are None then."""


class Answers(NamedTuple):
    """All that stored games say."""

    runs: tuple[str, ...]
    refused: tuple[str, ...]
    """Why stored games cannot tell; nothing is answered then."""
    answers: tuple[Answer, ...]


def changes_of(said: Sequence[str]) -> dict[str, JsonValue]:
    """``KEY=VALUE`` of a command line, VALUE as in a TOML file."""
    found: dict[str, JsonValue] = {}
    for one in said:
        key, sign, text = one.partition("=")
        key = key.strip()
        if not sign or not key:
            raise UserError(
                f"--what-if: {one}: want KEY=VALUE, as in contracts.last.terms[0].points=-30"
            )
        if key in found:
            raise UserError(f"--what-if: {key}: stands twice")
        found[key] = _value(key, text.strip())
    return found


def _value(key: str, text: str) -> JsonValue:
    try:
        read = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError as error:
        raise UserError(
            f"--what-if: {key}: {text or 'nothing'} is no value of a TOML file (want a number, "
            f"true, false, a list, or a word in quotes that the shell leaves: '{key}=\"word\"')"
        ) from error
    if set(read) != {"value"}:
        raise UserError(f"--what-if: {key}: want one value, not {text!r}")
    try:
        return _JSON.validate_python(read["value"])
    except ValidationError as error:
        raise UserError(
            f"--what-if: {key}: {text} is a date or a time, and no rule is one"
        ) from error


def from_run(tuning: Tuning, changes: Mapping[str, JsonValue], run: str) -> Answers:
    """Answer from any stored run that has the parent's rules."""
    candidate = revised(tuning.parent, changes)
    there = Run.open(run)
    name = _variant_of(there, tuning)
    refused = why_not(tuning.parent, candidate)
    if refused:
        return Answers((run,), refused, ())
    if there.manifest.config.design in STUDIES:
        results = Results(choices=read_choices(there, name))
    else:
        results = Results(games=read_played(there, name))
    return Answers((run,), (), _answers(tuning, candidate, results))


def from_folder(
    tuning: Tuning, changes: Mapping[str, JsonValue], out: str, how: How, listen: Listen
) -> Answers:
    """Answer from the parent's games in a tuning's folder; they are played first where there
    are none yet, and serve the tuning later."""
    candidate = revised(tuning.parent, changes)
    refused = why_not(tuning.parent, candidate)
    if refused:
        return Answers((), refused, ())
    with kept(out, tuning) as store:
        packs = Packs.of(tuning, out, how)
        rounds = _whole_rounds(store, packs.needs, tuning.file.search.rounds)
        if not rounds:
            listen("base")
        results = Base(packs).upto(max(0, rounds - 1))
    return Answers(tuple(packs.runs), (), _answers(tuning, candidate, results))


def _variant_of(run: Run, tuning: Tuning) -> str:
    """What a run calls the parent's rules."""
    wanted = rules_hash(tuning.parent)
    for one in run.manifest.config.variants:
        if rules_hash(one.rules) == wanted:
            return one.name
    names = ", ".join(one.name for one in run.manifest.config.variants)
    raise UserError(f"--run: {run.where}: holds {names}, not the rules of {tuning.parent_name}")


def _whole_rounds(store: Store, needs: Collection[Needs], most: int) -> int:
    """Rounds of the parent's games that are there and complete, from the first."""
    kinds = sorted({"games" if need == "moves" else need for need in needs})
    for round in range(most):
        for kind in kinds:
            inside = store.inside(f"base-r{round}-{kind}")
            if inside.entry(MANIFEST) is None or Run.of(inside).manifest.status != "complete":
                return round
    return most


def _answers(tuning: Tuning, candidate: Variant, results: Results) -> tuple[Answer, ...]:
    objectives = objectives_of(tuning)
    missing = {one.name: _missing(one, results) for one in objectives}
    told = [one for one in objectives if missing[one.name] is None]
    before, after = _both(results, candidate, told)
    wanted = [one for one in tuning.file.objectives if missing[one.name] is None]
    found = contrasts(wanted, REGISTRY, after, before) if wanted else {}
    return tuple(
        Answer(one.name, None, None, None, None, missing[one.name])
        if one.name not in found
        else Answer(
            one.name,
            Figure.of(estimate(before[one.name])),
            Figure.of(estimate(after[one.name])),
            Figure.of(found[one.name].effect),
            verdict(found[one.name], None),
            None,
        )
        for one in objectives
    )


def _both(
    results: Results, candidate: Variant, objectives: Sequence[Objective]
) -> tuple[Figures, Figures]:
    changed = Stored.of(results).rescored(candidate)
    return measure(results, objectives), measure(changed, objectives)


def _missing(objective: Objective, results: Results) -> str | None:
    """What an objective needs that these results lack."""
    if not has(results, objective):
        return f"needs {NEEDED[objective.needs]}"
    return None if objective.why_not is None else objective.why_not(results)
