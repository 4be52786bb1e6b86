"""The integer program of a tuning against all settings that there are."""

import random
from fractions import Fraction
from itertools import product

from pipeline.tuning.nearest import Program, Row


def made_up(seed: int) -> tuple[list[int], list[Row], list[list[float]]]:
    draw = random.Random(seed)
    sizes = [draw.randint(1, 5) for _ in range(draw.randint(1, 5))]
    taken = [draw.randrange(size) for size in sizes]
    rows = []
    for _ in range(draw.randint(1, 3)):
        unit, parts = draw.choice([1, 4, 13, 50]), draw.choice([1, 1, 2])
        weights = tuple(
            tuple(Fraction(unit * draw.randint(-6, 12), parts) for _ in range(size))
            for size in sizes
        )
        low = reached(weights, taken) + draw.choice([0, 0, 0, 1, 2])
        rows.append(Row(weights, low, draw.choice([low, None])))
    costs = [[draw.randint(0, 10**7) + draw.random() for _ in range(size)] for size in sizes]
    return sizes, rows, costs


def reached(weights: tuple[tuple[Fraction, ...], ...], taken: list[int]) -> Fraction:
    return sum((of[i] for of, i in zip(weights, taken, strict=True)), Fraction(0))


def holds(row: Row, taken: list[int]) -> bool:
    value = reached(row.weights, taken)
    return (row.low is None or value >= row.low) and (row.high is None or value <= row.high)


def test_nothing_costs_less() -> None:
    impossible = 0
    for seed in range(150):
        sizes, rows, costs = made_up(seed)
        every = [list(taken) for taken in product(*map(range, sizes))]
        within = [taken for taken in every if all(holds(row, taken) for row in rows)]
        best = Program(sizes, rows).best(costs)
        if not within:
            assert best is None
            impossible += 1
            continue
        assert best == min(within, key=lambda t: sum(c[i] for c, i in zip(costs, t, strict=True)))
    assert 20 < impossible < 100


def test_what_is_forbidden_is_not_taken_again() -> None:
    program = Program([2, 2], [])
    costs = [[0.0, 1.0], [0.0, 3.0]]
    assert program.best(costs) == [0, 0]
    program.forbid({0: 0})
    assert program.best(costs) == [1, 0]
    program.forbid({0: 1, 1: 0})
    assert program.best(costs) == [1, 1]
    assert program.best([[0.0, float("inf")], [0.0, 0.0]]) is None
