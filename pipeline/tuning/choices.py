"""The hands of a study of ``value`` for objectives, and what they are worth at other points."""

from pipeline.places import files_of
from pipeline.store import Run, check_files
from pipeline.stores import StoreError
from pipeline.studies.study import read_study
from pipeline.studies.worth import worth_of
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
