"""A tuning under way: what every stage of it needs."""

from dataclasses import dataclass

from pipeline.tuning.base import Base, Listen, Packs, objectives_of
from pipeline.tuning.losses import Aims
from pipeline.tuning.objectives import OBJECTIVES, Objective
from pipeline.tuning.space import Space
from pipeline.tuning.tuning_file import Tuning


@dataclass(frozen=True)
class Work:
    """One tuning."""

    tuning: Tuning
    packs: Packs
    listen: Listen
    """Told which stage begins."""
    space: Space
    objectives: tuple[Objective, ...]
    """In the order of the file."""
    aims: Aims
    base: Base

    @classmethod
    def of(cls, tuning: Tuning, packs: Packs, listen: Listen) -> "Work":
        """Of a tuning and what plays for it."""
        return cls(
            tuning=tuning,
            packs=packs,
            listen=listen,
            space=Space(tuning),
            objectives=objectives_of(tuning),
            aims=Aims(tuning.file.objectives, OBJECTIVES),
            base=Base(packs),
        )
