"""A deal told for people: which deal of its game it is."""

import pytest

from engine_ext.record import parse
from engine_ext.record_checks import hold
from engine_ext.record_tell import tell

LAST_TRICK = f"owners {'- ' * 11}P3\nhands AS | 3S | 4S | 5S\ntrick P3: 5S AS 3S 4S\n"


@pytest.mark.parametrize(
    ("variant", "setup", "head"),
    [
        ("barbu_king_br", "deal 6\n", "Deal 6 of 8: Take tricks."),
        ("barbu_king_br", "contract queens\n", "A deal: Avoid queens."),
        ("barbu_king_br_tiebreak", "deal 9\ntied P0 P1\n", "Extra deal 1: Take tricks."),
        ("barbu_king_br_tiebreak", "deal 13\ntied P0 P1\n", "Extra deal 5: Take tricks."),
        ("barbu_king_br_tiebreak", "tied P0 P1\n", "Extra deal: Take tricks."),
        (
            'barbu_king_br_honour\noption legality.then = "replay_deal"',
            "deal 7\nreplays 1\n",
            "Deal 7 of 9: Take tricks.",
        ),
    ],
)
def test_the_head_says_which_deal_of_its_game_it_is(variant: str, setup: str, head: str) -> None:
    record = parse(f"variant {variant}\n{setup}{LAST_TRICK}")
    assert next(iter(tell(record, hold(record)))).startswith(head)
