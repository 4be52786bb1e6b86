"""Objectives, knobs and their settings as a club says them."""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pydantic import JsonValue

from engine_ext.errors import UserError
from engine_ext.rules import words
from engine_ext.rules.spec_cards import Selector
from pipeline.tuning import objectives
from pipeline.tuning.file import Wanted
from pipeline.tuning.objectives import Objective
from pipeline.tuning.outcome import Candidate, Outcome
from reports.words import number

NOTHING = "as it is"
"""What the parent changes."""


class Aimed(NamedTuple):
    """An objective of the tuning, with what was wanted of it."""

    name: str
    title: str
    unit: str
    meaning: str
    aim: Literal["less", "more"] | float
    step: float
    weight: float

    @property
    def wanted(self) -> str:
        """For tables: ``less``, ``more``, ``near 2.5``."""
        return self.aim if isinstance(self.aim, str) else f"near {self.aim:g}"

    @property
    def scale(self) -> str:
        """For axes: title, unit and which way is better."""
        unit = f", {self.unit}" if self.unit else ""
        if isinstance(self.aim, float):
            return f"{self.title}{unit} (wanted: {self.aim:g})"
        return f"{self.title}{unit} ({self.aim} is better)"

    def steps(self, effect: float, parent: float) -> float:
        """An effect on what was ``parent``, in steps: above 0 it goes where it is wanted."""
        more = self.aim == "more" or (isinstance(self.aim, float) and parent < self.aim)
        return (effect if more else -effect) / self.step

    def lacks(self, value: float) -> float:
        """How far a figure is from what is wanted; less is better, in steps."""
        if isinstance(self.aim, float):
            return abs(value - self.aim) / self.step
        return (value if self.aim == "less" else -value) / self.step


def aims(outcome: Outcome) -> dict[str, Aimed]:
    """The objectives by name, in the file's order.

    One that the registry no longer has is called by its name; ``UserError`` where nothing says
    which way of it was wanted.
    """
    known = {one.name: one for one in objectives.OBJECTIVES}
    return {one.name: _aimed(one, known.get(one.name)) for one in outcome.file.objectives}


def _aimed(wanted: Wanted, entry: Objective | None) -> Aimed:
    name, aim, step = wanted.name, wanted.aim, wanted.step
    if entry is not None:
        aim = entry.better if aim is None else aim
        step = entry.step if step is None else step
        title, unit, meaning = entry.title, entry.unit, entry.meaning
    else:
        title, unit, meaning = name.replace("_", " ").capitalize(), "", ""
    if aim is None or step is None:
        raise UserError(
            f"objectives: {name}: this version has no such objective, and the tuning file does "
            "not say its aim and step (want the version that tuned)"
        )
    return Aimed(name, title, unit, meaning, aim, step, wanted.weight)


def said(value: JsonValue) -> str:
    """A setting in words: ``40``, ``must play``, ``100, 50, 0, 0``, ``ace 1, king 2``; hearts."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number(value, 0) if value == int(value) else number(value, 2)
    if isinstance(value, str):
        return value.replace("_", " ")
    if isinstance(value, Mapping):
        if _are_cards(value):
            return words.cards(Selector.model_validate(value), each=False)
        return ", ".join(
            said(one)
            if isinstance(one, Mapping) and _are_cards(one)
            else f"{said(key)} {said(one)}"
            for key, one in value.items()
        )
    if isinstance(value, list | tuple):
        return ", ".join(map(said, value))
    return "none"


def _are_cards(table: Mapping[str, JsonValue]) -> bool:
    """Whether a table names cards, and is no table of numbers by rank."""
    return bool(table) and all(
        key in Selector.model_fields and isinstance(one, list) for key, one in table.items()
    )


def changed(outcome: Outcome, candidate: Candidate) -> dict[str, JsonValue]:
    """By its keys, the knobs that a candidate sets otherwise than the parent, and to what."""
    return {
        ", ".join(setting.keys): value
        for setting, value in zip(outcome.settings, candidate.values, strict=True)
        if value != setting.parent
    }


def player(named: str) -> str:
    """A player's name in which a file stands without its folder, which is one machine's."""
    return re.sub(r"[^\s,()=]*/", "", named)


def told(outcome: Outcome, settings: Mapping[str, JsonValue]) -> str:
    """What :func:`changed` found, in a cell: ``Queens: -10; third place: 40``."""
    titles = {", ".join(one.keys): one.title for one in outcome.settings}
    return (
        "; ".join(f"{titles[keys]}: {said(value)}" for keys, value in settings.items()) or NOTHING
    )
