"""Every score sheet in ``sheets/`` adds up, or is refused for the reason that it says itself.

A line ``# refused: REASON`` tells that a sheet is wrong, and where. Sheets hold the dossier's
cases about whole games; their arithmetic was done by hand.
"""

from pathlib import Path

import pytest

from engine_ext.score import score_text

FILES = sorted((Path(__file__).parent / "sheets").glob("*.txt"))
REFUSED = "# refused: "


@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_a_sheet_adds_up_or_is_refused_for_its_reason(file: Path) -> None:
    text = file.read_text("utf-8")
    wanted = [line.removeprefix(REFUSED) for line in text.splitlines() if line.startswith(REFUSED)]
    problem = score_text(text, "sheet", file.parent).problem
    assert problem == (f"sheet, {wanted[0]}" if wanted else None)


def test_the_sheets_of_whole_games_come_to_the_totals_of_their_cases() -> None:
    """Case 55: nothing over all; case 67: -480, though the document says 0."""
    whole = {
        file.stem[:7]: score_text(file.read_text("utf-8"))
        for file in FILES
        if "refused" not in file.stem
    }
    assert {case: sum(score.scores) for case, score in whole.items()} == {
        "case_55": 0,
        "case_67": -480,
    }
    assert {case: len(score.deals) for case, score in whole.items()} == {
        "case_55": 14,
        "case_67": 28,
    }
