"""A cap that is often hit changes a sequential test, so one that is too small is refused."""

from pipeline.claim import Stop
from pipeline.config import ConfigError, RunConfig
from pipeline.pilot_sigma import block_sigma
from pipeline.stats.power import CAP, cap, sprt_blocks
from pipeline.stopping import share, test_of


def check_cap(config: RunConfig, sigma: float | None = None) -> None:
    """Raise ``ConfigError`` where ``blocks`` would end the run's test too often.

    ``sigma``: how much blocks differ, if that is known.

    How long a test in points takes depends on how much blocks differ, which a pilot on deals
    that never count tells; in units of that deviation it depends on the test alone.
    """
    stop = config.stop
    if stop is None or stop.rule != "sprt":
        return
    for variant in config.variants:
        found = 1.0 if stop.unit == "sigma" else sigma or block_sigma(config, variant.name)
        if found > 0:  # else all blocks are alike, and the test ends as soon as it may
            _check(config, variant.name, stop, found)


def _check(config: RunConfig, variant: str, stop: Stop, sigma: float) -> None:
    expected = sprt_blocks(test_of(stop, share(config)), sigma, stop.look)
    if config.blocks < CAP * max(expected):
        where = f"{variant}: " if len(config.variants) > 1 else ""
        raise ConfigError(
            f"blocks: {where}{config.blocks} is less than {CAP} times the {max(expected):.0f} that "
            f"the test is expected to take (want at least {cap(expected)}; a cap that is often "
            "hit changes the test)"
        )
