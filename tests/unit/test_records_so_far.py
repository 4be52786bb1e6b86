"""What is left to choose and how often was passed has to be true of a record's deal."""

import pytest

from engine_ext.record import RecordError, parse
from engine_ext.record_checks import hold
from engine_ext.record_game import hold_game

KING = "variant barbu_52_doubling\ndeal 3\ncontract king\n"
ALL = "tricks queens last_two hearts king trumps domino"
REUSSITE = "variant barbu_fr_reussite\ndeal 9\ncontract reussite 9\n"
TABLE = "variant barbu_3_leaver\ndeal 3\ncontract king\n"
AGAIN = """\
variant barbu_52_doubling
option legality = { then = "replay_deal" }
deal 4
replays 1
contract trumps
"""
TIED = """\
variant barbu_52_doubling
option ties = { contract = "king", eligible = "tied_only", at_most = 1 }
deal 29
tied P0 P2
contract king
"""
ROW = """\
variant barbu_king_br
contract domino 5
laid 4H 5H
turn P0
hands 6H 3H | 5C 4C | 5D 4D | 5S 6S
"""
LIMITED = 'option contracts.domino.passing = "limited"\noption contracts.domino.passes = 9\n'
NO_STALL = 'option contracts.domino.stall = "none"\noption contracts.domino.unplayable = "foul"\n'
LAID = ROW.replace("contract", LIMITED + "contract", 1)
PATIENT = ROW.replace("contract", LIMITED + NO_STALL + "contract", 1)
MUST = ROW.replace("contract", 'option contracts.domino.passing = "must_play"\ncontract', 1)

REFUSED = [
    (
        KING + "left P0: tricks hearts king\n",
        "line 4: left: before deal 3 P0 has 5 of 7 contracts left, 4 once king is named, not 3",
    ),
    (
        KING + f"left P0: {ALL}\n",
        "4 once king is named, not 7 (left P0: names them)",
    ),
    (
        KING + "left P0: tricks queens last_two hearts trumps\n",
        "line 3: contract: P0 has no king left, of 5 before deal 3",
    ),
    (
        KING + "left P0: tricks queens last_two king\n",
        "line 4: left: once king is named P0 has it 0 x, not 1 x (or 5 contracts, from before",
    ),
    (
        REUSSITE + "left P0: tricks king reussite reussite\n",
        "line 4: left: once reussite is named P0 has it 1 x, not 2 x (or 5 contracts,",
    ),
    (
        KING + "left P1: tricks queens last_two hearts king trumps\n",
        "line 4: left: before deal 3 P1 has 7 of 7 contracts left, not 6 (left P1: names them)",
    ),
    (
        KING.replace("3", "28") + "left P0: king\n",
        "line 4: left: before deal 28 P0 has 0 of 7 contracts left, not 1",
    ),
    (
        "variant barbu_52_doubling\ndeal 3\nleft P0: tricks queens king hearts trumps\nleft P1: -\n",
        "line 4: left: before deal 3 P1 has 7 of 7 contracts left, not 0",
    ),
    (
        TABLE + "left tricks king\n",
        "line 4: left: before deal 3 the table has 5 of 7 contracts left, 4 once king is named,",
    ),
    (
        AGAIN + "left P0: tricks queens last_two trumps\n",
        "line 6: left: once trumps is named P0 has it 0 x, not 1 x (or 5 contracts, from before",
    ),
    (
        AGAIN.replace("trumps", "trumps S") + "left P0: tricks king\n",
        "line 6: left: before deal 4 P0 has 5 of 7 contracts left, 4 once trumps is named, not 2",
    ),
    (
        TIED + "left P2: king\n",
        "line 6: left: before deal 29 P2 has 0 of 7 contracts left, not 1",
    ),
    (
        "variant barbu_52_doubling\ndeclarer P1\ncontract king\nleft P0: tricks\n",
        "line 4: left: in no deal that P1 declares P0 has 1 of 7 contracts left",
    ),
    (
        "variant barbu_app\ndeclarer P0\ncontract king\nleft P0: tricks\nleft P1: -\n",
        "line 5: left: in no deal that P0 declares where the lines before hold P1 has 0 of 7",
    ),
    (MUST + "passed 0 1 0 0\n", "passed: in domino nobody may pass who can lay a card"),
    (ROW + "passed 0 -1 0 0\n", "line 6: passed: -1 by P1 (want 0 to 3: once before each card"),
    (ROW + "passed 0 0 4 0\n", "line 6: passed: 4 by P2 (want 0 to 3: once before each card"),
    (LAID + "passed 0 0 4 0\n", "line 8: passed: 4 by P2 (want 0 to 3: once before each card"),
    (
        LAID.replace("passes = 9", "passes = 2") + "passed 2 3 0 0\n",
        "line 8: passed: 3 by P1 (want 0 to 2: so often may a seat in domino)",
    ),
    (PATIENT + "passed 0 10 0 0\n", "passed: 10 by P1 (want 0 to 9: so often may a seat in"),
    (ROW + "passes 8\n", "line 6: passes: in a row, in a layout, 0 to 7"),
    (PATIENT + "passes 148\n", "line 10: passes: in a row, in a layout, 0 to 147"),
    ("variant barbu_king_br\ncontract king\npasses 1\n", "passes: in a row, in a layout"),
    ("variant barbu_king_br\ncontract king\npassed 0 0 1 0\n", "passed: only in a layout"),
]
ALLOWED = [
    KING,  # nothing is said
    KING + "left P0: tricks king last_two hearts trumps\n",
    KING + "left P0: tricks queens hearts trumps\n",
    KING + f"left P0: tricks queens hearts trumps\nleft P3: {ALL}\n",
    KING.replace("3", "28") + "left P0: -\nleft P1: -\nleft P2: -\nleft P3: king\n",
    KING.replace("3", "28") + "left P3: -\n",
    REUSSITE + "left P0: tricks king queens reussite\n",
    REUSSITE + "left P0: tricks king reussite reussite hearts\n",
    TABLE + "left tricks king trumps hearts queens\n",
    TABLE + "left tricks trumps hearts queens\n",
    AGAIN + "left P0: tricks queens last_two domino\n",
    AGAIN.replace("trumps", "trumps S") + "left P0: tricks queens last_two domino\n",
    AGAIN.replace("trumps", "trumps S") + "left P0: tricks queens trumps last_two domino\n",
    TIED + "left P0: -\nleft P2: -\n",
    "variant barbu_app\ndeclarer P1\ncontract king\nleft P1: tricks\nleft P0: hearts\n",
    MUST + "passed 0 0 0 0\n",
    ROW + "passed 3 3 3 3\n",
    LAID.replace("passes = 9", "passes = 2") + "passed 2 1 0 0\n",
    PATIENT + "passed 9 0 0 0\n",
    PATIENT + "passed 9 9 9 9\npasses 147\n",
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[m[:40] for _, m in REFUSED])
def test_what_cannot_be_true_of_the_deal_is_refused(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ALLOWED)
def test_what_can_be_true_of_the_deal_is_read(text: str) -> None:
    hold(parse(text))


DEAL = """\
contract {}
doubles -
hands KH 2C | 3H 3C | 4H 4C | 5H 5C
trick P0: 2C 3C 4C 5C
trick P3: 5H KH 3H 4H
"""
GAME = f"""\
variant barbu_52_doubling
deal 3
{DEAL.format("king")}---
deal 4
{{}}{DEAL.format("queens")}---
{DEAL.format("last_two")}"""


def left_of_p0(said: str) -> list[list[str]]:
    """Return what P0 has left in each deal of a file that begins with the third deal."""
    played = hold_game(GAME.format(said))
    return [[name for name, _ in deal.record.position.left[0]] for deal in played]


def test_a_file_that_begins_in_the_middle_of_a_game_need_not_say_what_is_left() -> None:
    assert left_of_p0("") == [ALL.split()] * 3


def test_what_one_deal_says_is_left_is_carried_on() -> None:
    assert left_of_p0("left P0: queens last_two trumps domino\n")[1:] == [
        ["queens", "last_two", "trumps", "domino"],
        ["last_two", "trumps", "domino"],
    ]


def test_what_was_played_before_is_not_left() -> None:
    with pytest.raises(RecordError, match=r"line 10: left: after the deals before it is left P0:"):
        left_of_p0("left P0: queens last_two king trumps\n")
