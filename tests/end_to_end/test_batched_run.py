"""A run does not show whether its strategies were asked in batches."""

from pathlib import Path

from pipeline.config import Entrant
from tests.runs import played, small


def test_a_batched_strategy_plays_a_run_as_its_one_call_twin(tmp_path: Path) -> None:
    digests: list[str] = []
    for name, executor in (
        ("lowest.v1", "inline"),
        ("lowest_batch.v1", "inline"),
        ("lowest_batch.v1", "local"),
    ):
        config = small(
            entrants=(Entrant(strategy=name, name="low"), Entrant(strategy="random.v1")),
            lineups=(("low", "random.v1", "random.v1", "random.v1"), ("low",) * 4),
        )
        _, result = played(config, tmp_path / str(len(digests)), executor=executor)
        digests.append(result.digest)
    assert len(set(digests)) == 1
