"""The entrants of a run, made, and watched while they play."""

from collections.abc import Callable

from engine_ext.batch import Rules
from pipeline.config import RunConfig
from strategies.decisions import Strategy
from strategies.registry import create
from strategies.watch import Watch

Heard = Callable[[Strategy], Strategy]
"""What a strategy is exchanged for: somebody who listens to it, say."""


def watched(config: RunConfig, rules: Rules, heard: Heard | None = None) -> Watch:
    """All entrants in the order of the run file, for one thread."""
    made = [create(entrant.strategy) for entrant in config.entrants]
    return Watch(
        rules,
        [heard(one) if heard else one for one in made],
        tuple(entrant.label for entrant in config.entrants),
        budget_ms=config.budget_ms,
        aloud=config.foul == "stop",
    )
