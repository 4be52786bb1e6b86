"""The hands of a study of ``value`` for objectives, and what they are worth at other points."""

from fractions import Fraction

import numpy as np

from engine_ext.rules.spec import Variant
from pipeline.places import files_of
from pipeline.stats.sets import Floats, Ints
from pipeline.store import Run, check_files
from pipeline.stores import StoreError
from pipeline.studies.study import read_study
from pipeline.studies.worth import own_of, worth_of
from pipeline.tuning import exact
from pipeline.tuning.results import Choices


def read_choices(run: Run, variant: str) -> Choices:
    """What a study of ``value`` found in one variant.

    :class:`StoreError` unless the run is such a study of one entrant, and complete.
    """
    config, where = run.manifest.config, run.where
    if config.design != "value" or len(config.entrants) != 1:
        raise StoreError(f"{where}: want a study of value with one entrant")
    if run.manifest.status != "complete":
        raise StoreError(f"{where}: is not complete (barbu resume {where})")
    receipts = run.whole_receipts().of_variant(variant)
    if not len(receipts):
        raise StoreError(f"{where}: holds no variant {variant!r}")
    check_files(run, receipts.values())
    units, trials = (
        [*map(run.store.source, files_of(receipts.values(), table))]
        for table in ("units", "trials")
    )
    study = read_study(config, variant, config.entrants[0].label, units, trials)
    return Choices(study.rules, worth_of(study))


def scaled(choices: Choices, candidate: Variant) -> Choices:
    """The same hands at a candidate's points, as a study of the candidate would find them.

    All but ``dealt`` of a table that shares is reckoned from whole sums of points. What the player
    himself chose (``left``, ``chosen``) stays the parent's. Raises :class:`exact.NotExact` where
    stored play does not tell.
    """
    found = exact.affine(choices.variant, candidate)
    worth = choices.worth
    by_option = [found[worth.contracts[c]] for c, _ in worth.options]
    image = _Image([a for a, _ in by_option], [b for _, b in by_option], worth.worlds)
    sums, squares = _whole(worth.roles * worth.worlds), _whole(worth.squares * worth.worlds)
    roles = image.of_sums(sums)
    shared = worth.turns > 1
    own = own_of(np.moveaxis(roles, 1, 0).astype(np.float64), shared) / worth.worlds
    return Choices(
        candidate,
        worth._replace(
            points=own,
            squares=image.of_squares(squares, sums[:, 0]) / worth.worlds,
            roles=roles / worth.worlds,
            dealt=image.of_dealt(worth.dealt, shared),
        ),
    )


class _Image:
    """Sums of so many deals' points, whole numbers, made those of a * points + b by option."""

    def __init__(self, factors: list[Fraction], added: list[Fraction], deals: int) -> None:
        self._deals = deals
        self._below = int(np.lcm.reduce([x.denominator for x in (*factors, *added)]))
        self._a = np.array([int(x * self._below) for x in factors])[:, None]
        self._b = np.array([int(x * self._below) for x in added])[:, None]

    def of_sums(self, sums: Ints) -> Ints:
        """(..., options, hands)"""
        return _divided(self._a * sums + self._b * self._deals, self._below)

    def of_squares(self, squares: Ints, sums: Ints) -> Ints:
        """(2, options, hands) of squares of the points that make ``sums``."""
        a, b = self._a, self._b
        made = a**2 * squares + 2 * a * b * sums + b**2 * self._deals
        return _divided(made, self._below**2)

    def of_dealt(self, dealt: Floats, shared: bool) -> Floats:
        """(options, hands) of single deals; what is added to all seats puts nobody ahead."""
        if shared:
            return dealt * (self._a / self._below)
        return _divided(self._a * _whole(dealt) + self._b, self._below).astype(np.float64)


def _whole(sums: Floats) -> Ints:
    """Sums of points from their means, which are within a part of 2^-50 of them."""
    return np.rint(sums).astype(np.int64)


def _divided(sums: Ints, below: int) -> Ints:
    made, left = np.divmod(sums, below)
    assert not left.any(), "points are whole numbers"
    return made
