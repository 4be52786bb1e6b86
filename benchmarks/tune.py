"""What the search saves: all candidates of a small box are played once, then searches by each
method look among them, beside drawing blindly.

    python benchmarks/tune.py [GAMES [SEEDS]]

The box is that of the shipped ``reussite_zero_sum`` with larger steps and without two of its
knobs: some hundred points add up to nothing. Everybody looks at the same figures, of one round,
so the best there is is known. Printed is by how many steps the best looked at falls short of it.
"""

import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import accumulate
from math import comb

from pipeline.tuning.file import Amount, Players, Search, Tuning, Wanted
from pipeline.tuning.losses import Aims
from pipeline.tuning.measured import Measured
from pipeline.tuning.objectives import OBJECTIVES, REGISTRY
from pipeline.tuning.packs import How, play_pack
from pipeline.tuning.points import Figures, Point, every_point
from pipeline.tuning.search import search
from pipeline.tuning.space import Space
from pipeline.tuning.tuning_file import load_tuning

STEP = 20
KNOBS = (0, 1, 2, 3, 5, 7)
"""The four payouts, hearts, the king."""
WANTED = (Wanted(name="scale_balance"), Wanted(name="seat_points"))
LOOKS = (10, 20, 40, 80)


def box() -> Space:
    """The shipped file's, with fewer points."""
    shipped = load_tuning("reussite_zero_sum")
    knobs = tuple(shipped.file.knobs[k] for k in KNOBS)
    coarse = tuple(knob.model_copy(update={"step": STEP}) for knob in knobs)
    hold = shipped.file.hold.model_copy(update={"multiple_of": None})
    file = shipped.file.model_copy(update={"knobs": coarse, "hold": hold})
    return Space(Tuning(file, shipped.parent_name, shipped.parent, shipped.where))


def played(space: Space, points: Sequence[Point], games: int) -> dict[Point, Figures]:
    """Figures of every point, played by ducks on the same deals."""
    names = {f"t{i:04d}": point for i, point in enumerate(points)}
    with tempfile.TemporaryDirectory() as folder:
        found, _ = play_pack(
            folder, "all", {name: space.rules(point) for name, point in names.items()},
            Players(full="duck.v1"), Amount(games=games), 1, {"games"}, How(workers=2), "all",
        )  # fmt: skip
    return {
        point: {one.name: REGISTRY[one.name].measure(found[name]) for one in WANTED}
        for name, point in names.items()
    }


def blindly(losses: Sequence[float], n: int) -> float:
    """Expected least of ``n`` losses drawn without putting back, exactly."""
    total = comb(len(losses), n)
    # The k-th least is the least of those drawn where the others are all larger.
    return sum(
        loss * comb(len(losses) - k - 1, n - 1) / total for k, loss in enumerate(sorted(losses))
    )


def main(games: int, seeds: int) -> None:
    """Play all, then search among them."""
    space, aims = box(), Aims(WANTED, OBJECTIVES)
    feasible = [point for point in every_point(space, frozenset()) if space.fulfils(point)]
    points = list(dict.fromkeys((space.parent, *feasible)))
    started = time.monotonic()
    figures = played(space, points, games)
    print(
        f"{len(feasible)} of {space.n_points:,} points played: {time.monotonic() - started:.0f} s"
    )
    parent = figures[space.parent]
    losses = {point: aims.loss(figures[point], parent).value for point in feasible}
    least = min(losses.values())
    looks = [n for n in LOOKS if n <= len(feasible)]

    def evaluate(asked: Sequence[Point], _: int) -> list[dict[str, Measured]]:
        return [dict(figures[point]) for point in asked]

    print("steps short of the best after", *(f"{n:5}" for n in looks), "candidates")
    short = (blindly(list(losses.values()), n) - least for n in looks)
    print(f"{'blindly, expected':29}", *(f"{steps:5.2f}" for steps in short))
    for method in ("tpe", "nsga2"):
        settings = Search(method=method, candidates=looks[-1], rounds=1)
        ways = []
        started = time.monotonic()
        for seed in range(seeds):
            found = search(space, aims, evaluate, settings, seed)
            looked = [losses[one.point] for one in found.looked if one.point in losses]
            ways.append(list(accumulate(looked, min)))
        means = (sum(way[min(n, len(way)) - 1] for way in ways) / seeds - least for n in looks)
        took = (time.monotonic() - started) / seeds
        said = f"{method}, mean of seeds 0..{seeds - 1}"
        print(f"{said:29}", *(f"{steps:5.2f}" for steps in means), f"  {took:.1f} s a search")


if __name__ == "__main__":
    main(*(int(word) for word in (*sys.argv[1:3], *("200", "10")[len(sys.argv[1:3]) :])))
