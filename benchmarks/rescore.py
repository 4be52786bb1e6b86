"""Times re-scoring: a run of a million deals is read, then scored by a thousand candidates.

    python benchmarks/rescore.py [candidates] [games] [threads]

The games are of barbu_52_doubling with duck.v1 in every seat, 28 deals each. A candidate
stretches every contract by a factor of its own; of each the wins and points by seat and the spread
of every contract are reckoned. How long the games took to be played is told, but not counted;
then the time of a processor that each objective that needs games alone takes of one candidate.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from pydantic import JsonValue

from engine_ext.rules.load import load_variant
from engine_ext.rules.revise import revised
from engine_ext.rules.spec import LayoutContract, Variant
from pipeline.bench.machine import describe
from pipeline.config import Entrant, NamedVariant, RunConfig
from pipeline.run import run
from pipeline.store import Run
from pipeline.tuning.objectives import OBJECTIVES, Objective
from pipeline.tuning.rescoring import Rescorer, Room, measure_all
from pipeline.tuning.results import Results
from pipeline.tuning.stored import read_played

NAME = "barbu_52_doubling"
WANTED = ("seat_fairness", "seat_points", "scale_balance")


def candidates(parent: Variant, n: int) -> list[Variant]:
    """So many variants, every contract of each stretched by a factor of its own."""
    draw, found = Random(9), []
    for _ in range(n):
        changes: dict[str, JsonValue] = {}
        for name, contract in parent.contracts.items():
            factor = draw.randint(1, 40)
            if isinstance(contract, LayoutContract):
                changes[f"contracts.{name}.payout"] = [factor * p for p in contract.payout]
                continue
            for i, term in enumerate(contract.terms):
                changes[f"contracts.{name}.terms[{i}].points"] = factor * term.points
        found.append(revised(parent, changes))
    return found


def timed(objectives: Sequence[Objective], results: Results) -> None:
    """Print what each objective takes of one candidate."""
    for one in objectives:
        begun = time.process_time()
        one.measure(results)
        print(f"{1e3 * (time.process_time() - begun):>9.1f} ms of a processor: {one.name}")


def main(n: int, games: int, threads: int) -> None:
    """Play, read, re-score; print seconds."""
    parent = load_variant(NAME)
    config = RunConfig(
        title="re-scored",
        seed=1,
        variants=(NamedVariant(name=NAME, rules=parent),),
        blocks=games,
        design="lineups",
        rotations="one",
        entrants=(Entrant(strategy="duck.v1"),),
        lineups=(("duck.v1",) * parent.seats,),
    )
    wanted = [one for one in OBJECTIVES if one.name in WANTED]
    with TemporaryDirectory() as folder:
        begun = time.perf_counter()
        run(config, Path(folder) / "run", workers=threads)
        print(f"{time.perf_counter() - begun:>9.2f} s to play {games:,} games")
        many = candidates(parent, n)
        begun = time.perf_counter()
        played = read_played(Run.open(Path(folder) / "run"), NAME)
        read = time.perf_counter()
        print(f"{read - begun:>9.2f} s to read {len(played.points):,} deals")
        rescorer = Rescorer(played)
        packed = time.perf_counter()
        print(f"{packed - read:>9.2f} s to pack and check them")
        work = time.process_time()
        measure_all(rescorer, None, many, wanted, threads)
        done, work = time.perf_counter(), time.process_time() - work
    print(f"{done - packed:>9.2f} s for {n:,} candidates: {', '.join(WANTED)}")
    print(f"{work:>9.2f} s of the processors for these")
    print(f"{done - begun:>9.2f} s in all with reading, {threads} threads")
    room = Room.of(played)
    begun = time.process_time()
    results = Results(games=rescorer.rescored(many[0], into=room))
    print(f"{1e3 * (time.process_time() - begun):>9.1f} ms of a processor: re-scored alone")
    timed([one for one in OBJECTIVES if one.needs == "games"], results)
    print(f"machine: {describe()}")


if __name__ == "__main__":
    said = [int(text) for text in sys.argv[1:]]
    main(*said, *(1_000, 36_000, 2)[len(said) :])
