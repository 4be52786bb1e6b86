"""A run of the game for six with two packs, from the file to its tables and its report."""

from pathlib import Path

from pipeline.cli import main
from pipeline.config import Entrant
from pipeline.verify import verify
from tests.runs import played, rows, small


def test_two_packs_are_played_alike_by_every_executor(tmp_path: Path) -> None:
    digests: list[str] = []
    for executor, low in (
        ("inline", "lowest.v1"),
        ("local", "lowest.v1"),
        ("local", "lowest_batch.v1"),
    ):
        config = small(
            ("barbu_king_br_6",),
            blocks=4,
            entrants=(Entrant(strategy="duck.v1"), Entrant(strategy="random.v1"),
                      Entrant(strategy=low, name="low")),
            lineups=(("duck.v1", "random.v1", "low") * 2, ("duck.v1",) + ("random.v1",) * 5),
        )  # fmt: skip
        there, result = played(config, tmp_path / str(len(digests)), executor=executor)
        digests.append(result.digest)
        assert verify(there).ok
    assert len(set(digests)) == 1
    for game in rows(there, "games"):
        scores = [game[f"score_{seat}"] for seat in range(6)]
        assert sum(scores) == -1065  # inside points; 1065 in the document's sign
    page = tmp_path / "page.html"
    assert main(["report", str(tmp_path / "0"), "--out", str(page)]) == 0
    assert "barbu_king_br_6" in page.read_text("utf-8")
