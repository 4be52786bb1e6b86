"""What a report says of games that people played, and what it does not."""

from pipeline.config import EVENINGS
from reports.reading import Reading
from reports.words import counted

NO_CLAIM = "Nobody said before the games what they were to decide."
NO_PAIRS = (
    "People do not play the same cards in every seat, and not all in the same company, so what "
    "one has above another is not told apart from where and with whom he sat."
)
NO_DUPLICATES = (
    "The cards were dealt once and are not known, so nothing is compared on the same deals."
)
NO_REPLAY = (
    "What people played cannot be played again; every sheet was held against the rules when it was "
    "imported, and barbu verify checks the files."
)
LEFT_OUT = {
    "verdict": NO_CLAIM,
    "trajectory": NO_CLAIM,
    "decisive": NO_CLAIM,
    "pairs": NO_PAIRS,
    "neighbours": NO_PAIRS,
    "design": NO_DUPLICATES,
    "luck": NO_DUPLICATES,
    "integrity": NO_REPLAY,
}
"""By name the sections that people's games cannot answer, and why."""


def of_people(run: Reading) -> bool:
    """Whether people played the games."""
    return run.config.design == EVENINGS


def left_out(run: Reading, section: str) -> str | None:
    """Why a section says nothing of people's games; None where it does, or strategies played."""
    return LEFT_OUT.get(section) if of_people(run) else None


def counts(run: Reading) -> str:
    """What every interval counts, a sentence."""
    if run.config.evenings[0].name is None:
        return (
            "Every interval counts games, as if no game told of another: sheets that name their "
            "evenings are counted by these."
        )
    return (
        "Every interval counts evenings, since the same people at the same table make its games "
        "alike."
    )


def rests_on(run: Reading, variant: str) -> str:
    """What the figures of people's games rest on, and how far they can be trusted."""
    games, blocks = run.games(variant), run.blocks(variant)
    what = f"{counted(games, 'game')} that people played"
    if run.config.evenings[0].name is not None:
        what += f" in {counted(blocks, 'evening')}, each counted as one (a block)"
    else:
        what += ", each counted by itself (a block)"
    return (
        f"Rests on {what}. Nobody turned the seats and nobody played the same cards twice: who "
        "sat where, and with whom, is in every figure."
    )
