"""What a section rests on, and the commands that replay or extend it."""

import shlex
from typing import NamedTuple

from pipeline.studies.designs import STUDIES, n_worlds
from reports.evenings import of_people, rests_on
from reports.survey import Survey
from reports.words import counted

WIDER = 4
"""Times as many blocks halve an interval."""


class Basis(NamedTuple):
    """Of the sections about one variant of one run."""

    rests: str
    """A sentence."""
    commands: tuple[tuple[str, str], ...]
    """A command, and what it does."""


def basis(one: Survey) -> Basis:
    """What the sections of a survey rest on."""
    if one.reading.config.design in STUDIES:
        return _of_study(one)
    run = one.reading
    if of_people(run):
        shows = f'barbu sql {_run(one)} "select * from deals_long limit 20"'
        return Basis(rests_on(run, one.variant), ((shows, "shows what stands on the sheets"),))
    games, blocks = run.games(one.variant), run.blocks(one.variant)
    replay = (
        f"barbu replay {_run(one)} --variant {one.variant} --block 0 --show",
        "plays one of these games again and tells it",
    )
    given = " on given deals" if run.config.dealt is not None else ""
    return Basis(
        f"Rests on {counted(games, 'game')} in {counted(blocks, 'block')}{given}, "
        f"seed {run.config.seed}.",
        (replay, *_wider(one, blocks)),
    )


def _wider(one: Survey, blocks: int) -> tuple[tuple[str, str], ...]:
    """How to know more than ``blocks`` of a tournament tell; nothing where deals are given."""
    run = one.reading
    if not run.facts.complete:
        return ((f"barbu resume {_run(one)}", "plays what is missing, if nobody plays it now"),)
    if run.config.dealt is not None or not blocks:
        return ()
    # With its rule the same deals would stop at the same block.
    ruled = "" if run.config.stop is None else " and no [stop]"
    return (
        (
            f"barbu run FILE --out NEW, with blocks = {blocks * WIDER}{ruled} in the file",
            "the same deals and three times as many new ones: intervals half as wide, and another "
            "attempt at the question",
        ),
    )


def _of_study(one: Survey) -> Basis:
    run, config = one.reading, one.reading.config
    blocks, units = run.blocks(one.variant), run.games(one.variant)
    what = {
        "value": f"{counted(units, 'hand')} in {counted(blocks, 'dealership')} (the blocks), "
        f"each with the other hands dealt anew {n_worlds(config.worlds)} times",
        "doubling": f"{counted(units, 'deal')} in {counted(blocks, 'dealership')} (the blocks), "
        f"from each hand with the others dealt anew {n_worlds(config.worlds)} times",
        "seats": f"{counted(units, 'game')} in {counted(blocks, 'block')}: the same hands once "
        "in every seat",
    }
    players = " ".join(f"--player {shlex.quote(e.strategy)}" for e in config.entrants)
    worlds = "" if config.design == "seats" else f" --worlds {n_worlds(config.worlds)}"
    place = "--block 0" if config.design == "seats" else "--block 0 --step 0"
    return Basis(
        f"Rests on {what[config.design]}; seed {config.seed}.",
        (
            (
                f"barbu replay {_run(one)} --variant {one.variant} {place} --show",
                "plays one of these deals again and tells it",
            ),
            (
                f"barbu study {config.design} {one.variant} {players} --blocks "
                f"{config.blocks * WIDER}{worlds} --seed {config.seed} --out NEW",
                "the same deals and three times as many new ones: intervals half as wide",
            ),
        ),
    )


def _run(one: Survey) -> str:
    return "RUN" if one.runs == 1 else f"RUN-{one.run}"
