"""Score sheets: deals reckoned by hand, and each way in which a sheet does not add up."""

from pathlib import Path

import pytest

from engine_ext.score import Score, score_text

BARBU = "variant barbu_52_doubling\nplayers North East South West\n"
KING = "variant barbu_king_br\nplayers A B C D\n"
SPLIT = 'variant barbu_52_doubling\noption doubling.undoubled = "split"\nplayers A B C D\n'
FINE = (
    'variant barbu_52_doubling\noption doubling.duty_enforced = "penalty"\n'
    "option doubling.duty_penalty = -15\nplayers A B C D\n"
)
SEVEN = (
    "1 A tricks | 2 4 1 6",
    "2 A queens | B C C D",
    "3 A last_two | last_but_one B | last C",
    "4 A hearts | hearts 3 3 3 3 | ace B",
    "5 A king | D | B>A C>A",
    "6 A trumps S | 4 3 3 3 | B>A C>A D>A",
    "7 A domino 7 | out A B C D | D>A",
)
"""A's seven deals; each of the others doubles him twice."""


def score(text: str) -> Score:
    return score_text(text, "sheet.txt")


def right(text: str) -> Score:
    found = score(text)
    assert found.problem is None
    return found


def wrong(text: str) -> str:
    problem = score(text).problem
    assert problem is not None
    return problem.removeprefix("sheet.txt, ")


def test_doubles_are_paid_pair_by_pair() -> None:
    # East and North: twice the difference of 4; South is 2 better than North.
    found = right(BARBU + "1 North tricks | 2 4 1 6 | East>North* South>North* North>East")
    (deal,) = found.deals
    assert deal.points == (-4, -8, -2, -12)
    assert deal.side == (6, -8, 2, 0)
    assert found.scores == (2, -16, 0, -12)


@pytest.mark.parametrize(
    "said", ["2 4 1 6", "tricks 2 4 1 6", "East 4 North 2 South West 6", "P0 2 P1 4 P2 P3 6"]
)
def test_what_was_taken_can_be_written_in_many_ways(said: str) -> None:
    assert right(f"{BARBU}1. North tricks | {said}").points == (-4, -8, -2, -12)


def test_points_alone_are_enough_where_one_thing_counts() -> None:
    assert right(f"{BARBU}1 tricks | points -4 -8 -2 -12").points == (-4, -8, -2, -12)
    told = wrong(f"{BARBU}1 tricks | points -4 -8 -2 -10")
    assert told == "line 3: points: -24 in all, tricks has -26"
    odd = wrong(f"{BARBU}1 tricks | points -4 -8 -3 -11")
    assert odd == "line 3: points: tricks count -2 each, -4 -8 -3 -11 cannot be"


def test_doubles_of_the_declarer_may_be_circled() -> None:
    assert right(BARBU + "1 North king | East | (East>North) South>East").side == (20, -40, 20, 0)


def test_a_fixed_schedule_needs_no_contract() -> None:
    found = right(
        KING + "1 | 3 4 5 1\n2 hearts | 13 0 0 0\n3 | A 4\n4 | king B\ntotals 160 100 25 5"
    )
    assert [deal.contract for deal in found.deals] == ["tricks", "hearts", "queens", "king"]
    assert found.scores == (160, 100, 25, 5)


def test_a_contract_nobody_doubles_is_split() -> None:
    found = right(SPLIT + "1 A queens\n2 A tricks | 13 0 0 0 | B>A")
    assert found.deals[0].points == (0, -8, -8, -8)
    assert found.deals[1].points == (-26, 0, 0, 0)
    assert found.deals[1].side == (-26, 26, 0, 0)


def test_a_lacking_double_is_fined_after_the_last_deal_of_a_declarer() -> None:
    lines = [*SEVEN[:6], "7 A domino 7 | out A B C D"]
    found = right(FINE + "\n".join(lines))
    assert found.deals[5].side == (15, -5, -5, -5)
    assert found.deals[6].side == (0, 0, 0, -15)


def test_the_duty_to_double_is_kept() -> None:
    assert right(SPLIT.replace("split", "play") + "\n".join(SEVEN)).scores
    late = [*SEVEN[:5], SEVEN[5].replace(" D>A", "")]
    assert wrong(SPLIT.replace("split", "play") + "\n".join(late)) == (
        "line 9: doubles: D has to double A here: 0 of 2 doubles so far, 2 deals left"
    )


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("1 North tricks | 2 4 1 5", "line 3: tricks: 12 were taken, there are 13"),
        ("1 North tricks | 2 4 7", "line 3: tricks: 3 numbers, want one for each of 4"),
        ("1 North tricks | 13", "line 3: tricks: 1 number, want one for each of 4"),
        ("1 North tricks | 2 4 -1 8", "line 3: tricks: nobody takes -1"),
        ("1 North hearts | hearts 3 3 3 3", "line 3: say who took what: hearts (12), ace (1)"),
        ("1 North hearts | 3 3 3 3", "line 3: say of what: hearts, ace"),
        ("1 North king | East South", "line 3: king: 2 were taken, there is 1"),
        ("1 North king | ace East", 'line 3: "ace" does not count in king'),
        ("1 East king | East", "line 3: East: by the schedule North declares"),
        ("1 North kings | East", 'line 3: "kings" is no contract (did you mean "king"?)'),
        ("2 North king | East", "line 3: deal 2: want deal 1 here"),
        ("1 king | East\n2 king | East", "line 4: king: North has played it already"),
        ("1 king S | East", "line 3: S: nothing stands behind king"),
        ("1 trumps X | 13 0 0 0", "line 3: X may not be named with trumps (want C D H S)"),
        ("1 king | East | East>South*", "line 3: doubles: East>South* is marked, North declares"),
        ("1 king | East | East>North South>North*", "line 3: doubles: East>North is a double of the"),
        ("1 king | East | North>East", "line 3: doubles: North>East: the declarer doubles only who"),
        ("1 trumps | 4 3 3 3 | East>South", "line 3: doubles: East>South: here one may double only"),
        ("1 king | East | East>East", "line 3: doubles: East cannot double himself"),
        ("1 king | East | East>North East>North", "line 3: doubles: East>North stands there twice"),
        ("1 king | East | (East>North", 'line 3: doubles: "(East>North" is no double'),
        ("1 king | Esat", 'line 3: "Esat" does not count in king'),
        ("1 king | king Esat", 'line 3: king: nobody is called "Esat" (did you mean "East"?)'),
        ("1 king | East | points 0 -20 0 1", "line 3: points: the sheet says 0 -20 0 1, by the"),
        ("1 king | East | East>North | side 1 -1 0 0", "line 3: side: the sheet says 1 -1 0 0, by"),
        ("1 king | East | scores 0 -21 0 0", "line 3: scores: the sheet says 0 -21 0 0, by the"),
        ("1 king | East\ntotals 0 -2 0 0", "line 4: totals: the sheet says 0 -2 0 0, by the"),
        ("1 king | East\nfirst North", "line 4: first: by the totals North South West"),
        ("1 domino | out East North", "line 3: place: 2 players, say the order of 3 or all"),
        ("1 domino | out East North East", "line 3: place: East goes out twice"),
        ("1 domino | place 1 2 2 4", "line 3: place: 1 2 2 4 are not the places 1 to 4"),
        ("1 domino | points 45 20 5 5", "line 3: points: 45 20 5 5 are not those of the places"),
        ("1 king | East\nplayers A B C D", "line 4: players belongs before the first deal"),
        ("toals 1 2 3 4", 'line 3: "toals" is no keyword (did you mean "totals"?'),
        ("1 king | East | revoke North", "line 3: revoke: in this deal nobody can"),
        ("1 king | | East", "line 3: an empty field between strokes"),
        ("1 last_two | last East | last_but_one East | last East", "line 3: last: there is a field"),
    ],
)  # fmt: skip
def test_a_sheet_that_does_not_add_up_is_refused(lines: str, says: str) -> None:
    assert wrong(BARBU + lines).startswith(says)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        # B took no trick, so no heart either.
        ("tricks 13 0 0 0 | hearts 12 1 0 0 | queens A 4 | king A", "hearts 12 1 0 0 cannot be with"),
        # The king of hearts is a heart.
        ("tricks 7 6 0 0 | hearts 13 0 0 0 | queens A 4 | king B", "hearts 13 0 0 0 and king 0 1 0 0 do"),
        # All tricks, but not all queens.
        ("tricks 13 0 0 0 | hearts 13 0 0 0 | queens A 3 B | king A", "queens 3 1 0 0 cannot be with"),
    ],
)  # fmt: skip
def test_what_cannot_have_been_taken_together_is_refused(lines: str, says: str) -> None:
    before = "1 | 13 0 0 0\n2 | 13 0 0 0\n3 | A 4\n4 | A\n"
    assert wrong(f"{KING}{before}5 | {lines}").startswith(f"line 7: {says}")


def test_the_whole_salad_is_fine() -> None:
    before = "1 | 13 0 0 0\n2 | 13 0 0 0\n3 | A 4\n4 | A\n"
    salad = "tricks 13 0 0 0 | hearts 13 0 0 0 | queens A 4 | king A"
    assert right(f"{KING}{before}5 | {salad}").deals[-1].points == (290, 0, 0, 0)


def test_the_moon_is_seen_in_what_was_taken() -> None:
    hearts = "variant hearts_moon\nplayers A B C D\n"
    assert right(hearts + "1 | hearts B 13 | queen B").points == (26, 0, 26, 26)
    assert right(hearts + "1 | hearts B 12 A | queen B").points == (1, 25, 0, 0)
    told = wrong(hearts + "1 | hearts B 12 A | queen B | moon B")
    assert told == "line 3: moon: by what was taken it is nobody"


def test_a_moon_shot_before_a_revoke_counts_where_what_was_taken_counts() -> None:
    honour = 'variant hearts_moon\noption legality = { other_scores = "%s" }\nplayers A B C D\n'
    deal = "1 | hearts B 13 | queen B | revoke D"
    # 26 for all but B, and D pays the 26 of the whole table besides.
    assert right(honour % "keep_so_far" + deal).points == (26, 0, 26, 52)
    assert right(honour % "void" + "1 | revoke D").points == (0, 0, 0, 26)
    told = wrong(honour % "void" + "1 | moon B | revoke D")
    assert told == "line 4: moon: the revoke stopped the deal, nothing else counts"


def test_a_game_that_is_over_has_no_further_deal() -> None:
    salad = "5 | tricks 13 0 0 0 | hearts 13 0 0 0 | queens A 4 | king A\n"
    ending = "6 | 13 0 0 0\n7 | A 2\n8 domino 7 | out A B C"
    eight = f"1 | 13 0 0 0\n2 | 13 0 0 0\n3 | A 4\n4 | A\n{salad}{ending}"
    assert right(KING + eight).scores == (545, -20, 20, 40)
    assert wrong(f"{KING}{eight}\n9 | A") == "line 11: deal 9: the game is over after 8 deals"


@pytest.mark.parametrize(
    ("head", "says"),
    [
        ("players A B C D", "sheet.txt: no line says the variant"),
        ("variant barbu_king_br\nplayers A B C", "line 2: players: 3 names, this variant has 4"),
        ("variant barbu_king_br\nplayers A B C A", "line 2: players: A stands there twice"),
        ("variant barbu_king_br\nplayers A B C tricks", 'line 2: players: "tricks" means something'),
        ("variant barbu_king_br\nplayers A B C P1", 'line 2: players: "P1" means something else'),
        ("variant barbu_kingbr\nplayers A B C D", "line 1: variant: barbu_kingbr: no variant of"),
        ("variant barbu_king_br\nplayers A B C D", "sheet.txt: no deal"),
    ],
)  # fmt: skip
def test_a_wrong_heading_is_refused(head: str, says: str) -> None:
    assert wrong(f"{head}\n").startswith(says)


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/records.md"])
def test_what_the_pages_show_adds_up(page: str) -> None:
    texts = (ROOT / page).read_text("utf-8").split("```")[1::2]
    shown = [text for text in texts if text.startswith("\n") and "\nvariant " in text]
    assert shown
    for text in shown:
        assert right(text).deals


def test_the_sheet_that_fuzzing_begins_with_is_good() -> None:
    text = (ROOT / "tests" / "fuzz" / "thursday.sheet").read_text("utf-8")
    assert len(right(BARBU + text).deals) == 4
