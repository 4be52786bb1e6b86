"""A record that cannot be is refused in one line: where, what, and what would be right."""

from pathlib import Path

import pytest

from engine_ext.record import RecordError, parse, read_record
from engine_ext.record_checks import hold

TRICKS = """\
variant barbu_king_br
contract hearts
leader P0
hands AC 2H | 3C 5H | 4C 6H | 7D 8D
"""
DOMINO = """\
variant barbu_fr_reussite
contract reussite 9
leader P0
hands 9S 8S | TS 9H | 8H 9C | 9D
"""
ACES = """\
variant barbu_fr_reussite
contract reussite K
turn P0
hands QH JH | KS | KC | KD
"""
BETS = "variant barbu_52_doubling\ncontract queens\ndeclarer P0\n"
FIRST = TRICKS + "trick P0: AC 3C 4C 8D\n"

READING = [
    (BETS + "duty 0 -1 0 0\n", "line 4: duty: -1 doubles of P0 by P1 (want 0 to 7)"),
    (BETS + "duty 0 300 0 0\n", "line 4: duty: 300 doubles of P0 by P1 (want 0 to 7)"),
    (BETS + "duty 1 0 0 0\n", "line 4: duty: 1 doubles of P0 by P0 (nobody doubles himself)"),
    (BETS + "deal 3\nduty 0 3 0 0\n", "line 5: duty: 3 doubles of P0 by P1 (want 0 to 2)"),
    (TRICKS + "duty 0 0 0 0\n", "line 5: duty: this variant has no doubles"),
    (BETS + "scores 3000000000 0 0 0\n", "scores: a number of 10 signs (at most 2147483647)"),
    (BETS + "scores 14041 0 0 0\n", "no score can come further than 14040 in this variant"),
    (BETS + "deal 1\nscores 5 0 0 -5\n", "line 5: scores: before deal 1 nobody has any"),
    ("hello P0\n", 'line 1: "hello" is no keyword'),
    ("tricks P0: AC\n", 'line 1: "tricks" is no keyword (did you mean "trick"?)'),
    ("contract hearts\n", "record: no line says the variant (e.g. variant barbu_52_doubling; "),
    ("variant barbu\n", "line 1: variant: barbu: no variant of this name"),
    ("variant barbu_king_br\ndeal 3\ncontract hearts\n", "deal 3 is queens by the schedule"),
    ("variant barbu_king_br\ndeal 9\n", "line 2: deal: 9, the game has deals 1 to 8"),
    ("variant barbu_king_br\ndeal one\n", 'line 2: deal: "one" is no whole number'),
    (
        "variant barbu_king_br\ndeal 2\ndealer P0\n",
        "line 3: dealer: with deal 2 it is P1 by the schedule",
    ),
    (
        "variant barbu_king_br\ncontract tricks\ndealer P0\nleader P0\n",
        "line 4: leader: with dealer P0 it is P1 by the schedule",
    ),
    (
        "variant barbu_king_br\ncontract tricks\ndeclarer P0\n",
        "line 3: declarer: the schedule is fixed, nobody declares",
    ),
    ("variant barbu_king_br\nleader P0\n", "say which contract is played"),
    (TRICKS.replace("hearts", "heart"), '"heart" is no contract of this variant (did you mean'),
    (TRICKS.replace("hearts", "hearts S"), "line 2: contract: nothing is named with hearts"),
    (BETS.replace("queens", "trumps"), "contract: with trumps goes a trump suit (C D H S)"),
    (TRICKS + "contract hearts\n", "line 5: contract stands in line 2 already"),
    (FIRST + "leader P0\n", "line 6: leader belongs before line 5 (trick)"),
    (TRICKS.replace("AC 2H", "AC AC"), "line 4: hands: AC stands twice in P0's hand"),
    (TRICKS.replace("AC 2H", "AC 3C"), "hands: 3C stands in P0's hand and in P1's hand"),
    (TRICKS.replace("AC 2H", "AC 1H"), '"1H" is no card of this pack'),
    (TRICKS.replace("AC 2H", "AC"), "line 4: hands: 1, 2, 2, 2 cards; between tricks of hearts"),
    (TRICKS.replace("| 7D 8D", ""), "line 4: hands: 3 hands, want 4"),
    (TRICKS.replace("7D 8D", ""), "line 4: hands: nothing for P3 (- is an empty hand)"),
    (TRICKS + "taken P0: AC\n", "line 5: taken: AC stands in P0's hand and in what P0 has taken"),
    (
        TRICKS + "owners P0\n",
        "line 5: owners: 1 said, but 11 tricks are gone (hands of 2, 13 were dealt)",
    ),
    (
        TRICKS + f"owners {'P1 ' * 11}\ntaken P0: KH\n",
        "line 6: taken: too much for P0 (cards 1; tricks 0, and 0 whose taker is not known)",
    ),
    (TRICKS + f"owners {'P1 ' * 11}\nturn P0\n", "line 6: turn: P1 took the last trick"),
    (TRICKS + "voids P1: H\n", "line 5: voids: P1 holds 5H"),
    (TRICKS + "laid 5H\n", "line 5: laid: only a layout has cards laid"),
    (TRICKS + "doubles P1>P0\n", "line 5: doubles: this variant has none"),
    (BETS.replace("queens", "trumps"), "e.g. contract trumps S; without this line it is still to"),
    (TRICKS + "scores 1 2 3\n", "line 5: scores: 3 numbers, want one for each of P0 to P3"),
    (TRICKS + "taken KH\n", "line 5: taken: say whose (e.g. taken P0: ...)"),
    (TRICKS + "taken P4: KH\n", 'line 5: taken: "P4" is no seat (P0 to P3)'),
    (
        BETS + "taken P1: QC QD QH QS\nhands AC | 2C | 3C | 4C\n",
        "line 4: taken: all cards that score are taken, so the deal is over",
    ),
    (BETS + "doubles P0>P1\n", "line 4: doubles: P0 may not double P1 in queens"),
    (
        BETS.replace("queens", "domino 7") + "doubles P1>P2\nout P0 P1 P2 P3\n",
        "line 4: doubles: P1 may not double P2 in domino",
    ),
    (
        BETS + "left P0: tricks tricks\n",
        "line 4: left: tricks stands here 2 x, a declarer has it 1 x",
    ),
    (
        "variant barbu_52_doubling\ndeal 2\n",
        "line 2: left: before deal 2 P0 has 6 of 7 contracts left, not 7",
    ),
    (
        BETS + "left P0: tricks\nleft P1: tricks\nleft P0: hearts\n",
        "line 6: left: P0 has a line already",
    ),
    (
        "variant barbu_3_leaver\ndeal 2\nleft P1: tricks\n",
        "line 3: left: the contracts are the table's, nobody has his own (want left NAME ...)",
    ),
    (
        "variant barbu_3_leaver\ndeal 2\nleft tricks\nleft queens\n",
        "line 4: left: the table has a line already",
    ),
    (
        "variant barbu_3_leaver\ndeal 3\nleft tricks queens last_three hearts king trumps\n",
        "line 3: left: before deal 3 the table has 5 of 7 contracts left, not 6 (left names them)",
    ),
    (
        "variant barbu_3_leaver\nleft tricks tricks\n",
        "tricks stands here 2 x, the table has it 1 x",
    ),
    (ACES + "laid KH\nfurther\n", "line 6: further: the card laid last gives a further turn (one"),
    (ACES + "laid KH AH\nfurther AH\n", "line 6: further: nothing stands behind it"),
    (ACES + "laid KH AH\nfurther\npasses 1\n", "line 7: passes: none since the card that gives"),
    (TRICKS + "further\n", "line 5: further: the card laid last gives a further turn (no card"),
    ("variant barbu_52_doubling\nvoids P0: H\n", "line 2: voids: no contract is named yet"),
    (DOMINO + "laid 7D\n", "line 5: laid: 7D cannot lie there, the start is 9"),
    (
        DOMINO.replace("8S", "7S"),
        "line 4: hands: 7S can never be laid; the cards between them and the start are neither",
    ),
    (
        DOMINO.replace("9S 8S | TS 9H | 8H 9C", "- | - | 9C 8C"),
        "say who finished first (out Pn Pn)",
    ),
    (DOMINO + "out P1\n", "line 5: out: the empty hands are those of -"),
    (DOMINO + "owners P1\n", "line 5: owners: a layout has no tricks"),
    (DOMINO + "trick P0: 9S\n", "line 5: trick: reussite is played with lay lines"),
    (TRICKS + "lay P0: AC\n", "line 5: lay: hearts is played with trick lines"),
    (TRICKS + "then P0: AC\n", "line 5: then: no trick is begun (begin it with trick)"),
    (
        TRICKS + "trick P0: AC\ntrick P1: 3C\n",
        "line 6: trick: the one before is not full (go on with then)",
    ),
    (TRICKS + "trick P0: AC 3C 4C 8D 2H\n", "line 5: trick: 5 cards, want 1 to 4"),
    (TRICKS + "double P1: P0\n", "line 5: double: this variant has no doubles"),
    (BETS + "choose P0: tricks\n", "line 4: choose: the contract is named already"),
    (BETS + "double P1:\n", "line 4: double: say whom"),
    (
        'variant barbu_52_doubling\noption contracts.trumps.void_duty = "fre"\n',
        "line 2: option: contracts.trumps.void_duty",
    ),
]
PLAYING = [
    (TRICKS + "trick P0: 2H\n", "line 5: trick: P0 may not play 2H (allowed: AC)"),
    (TRICKS + "trick P1: 3C\n", "line 5: trick: it is P0's turn, not P1's"),
    (TRICKS + "trick P0: 3C\n", "line 5: trick: P0, whose turn it is, does not hold 3C"),
    (FIRST + "trick P0: 2H 5H 6H 7D\ntrick P0: AC\n", "trick: the deal is over before AC"),
    (FIRST + "legal P0: AC\n", "line 6: legal: P0 does not hold AC"),
    (FIRST + "legal P1: 5H\n", "line 6: legal: it is P0's turn, not P1's"),
    (TRICKS + "legal P0: AC 2H\n", "line 5: legal: by the rules P0 may: AC"),
    (TRICKS + "refused P0: AC\n", "line 5: refused: by the rules P0 may: AC"),
    (TRICKS + "refused P0: 3C\n", "line 5: refused: P0 does not hold 3C"),
    (FIRST + "refused P0: 2H\n", "line 6: refused: by the rules P0 may: 2H"),
    (FIRST + "winner P1\n", "line 6: winner: P0 takes the trick"),
    (TRICKS + "trick P0: AC\nwinner P0\n", "line 6: winner: stands behind a whole trick"),
    (FIRST + "next P1\n", "line 6: next: it is P0's turn"),
    (FIRST + "over\n", "line 6: over: the deal is not over; it is P0's turn"),
    (FIRST + "points 0 0 0 0\n", "line 6: points: the deal is not over; it is P0's turn"),
    (FIRST + "trick P0: 2H 5H 6H 7D\npoints 0 0 0 0\n", "points: by the rules 0 0 15 0"),
    (FIRST + "trick P0: 2H 5H 6H 7D\nnext P0\n", "line 7: next: the deal is over here"),
    (FIRST + "trick P0: 2H 5H 6H 7D\nitems kings 0 0 0 0\n", "what is counted here: hearts"),
    (FIRST + "trick P0: 2H 5H 6H 7D\nfirst P2\n", "line 7: first: by the scores P0 P1 P3"),
    (FIRST + "trick P0: 2H 5H 6H 7D\ntotal 5\n", "line 7: total: by the rules 15"),
    (DOMINO + "lay P0: pass\n", "line 5: lay: P0 may not pass (allowed: 9S)"),
    (DOMINO + "lay P0: 8S!\n", "8S!: here a card that does not fit is no move"),
    (DOMINO + "lay P0: 9S TS 8H\n", "line 5: lay: P2 may not play 8H (allowed: 9C)"),
    (DOMINO + "refused P0: 9S\n", "line 5: refused: by the rules P0 may: 9S"),
    (BETS + "double P2: P2\n", "line 4: double: P2 may not double P2"),
    (BETS + "double P3: -\ndouble P1: P0\n", "line 5: double: P1 is not asked here"),
    (BETS + "hands AC | 2C | 3C | 4C\nredouble P0: P1\ntrick P0: AC\n", "P0 is not asked here"),
    (BETS + "legal P1: P0\n", "line 4: legal: by the rules P1 may: P0 P2 P3"),
    (BETS + "must P1: P0\n", "line 4: must: by the rules P1 has to double: -"),
    (
        BETS + "deal 7\nduty 0 0 2 2\nhands AC | 2C | 3C | 4C\ndouble P2: P0\n",
        "line 7: double: P1 has to double P0 first",
    ),
    (
        BETS + "deal 7\nduty 0 0 2 2\ndouble P1: P2\n",
        "line 6: double: P1 has to double P0",
    ),
    ("variant barbu_52_doubling\nchoose P1: tricks\n", "P0 names the contract, not P1"),
    (
        "variant barbu_52_doubling\nleft P0: tricks\nchoose P0: queens\n",
        "line 3: choose: P0 may not choose queens",
    ),
]


def said(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        hold(parse(text))
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("record")
    return message


@pytest.mark.parametrize(("text", "message"), READING, ids=[m[:40] for _, m in READING])
def test_a_record_that_cannot_be_is_refused_when_read(text: str, message: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert said(text) == str(caught.value)


@pytest.mark.parametrize(("text", "message"), PLAYING, ids=[m[:40] for _, m in PLAYING])
def test_a_step_or_check_against_the_rules_is_refused_when_played(text: str, message: str) -> None:
    parse(text)
    assert message in said(text)


def test_a_file_that_is_not_there_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such file"):
        read_record(tmp_path / "none.txt")
    (tmp_path / "bytes.txt").write_bytes(b"\xff")
    with pytest.raises(RecordError, match="not UTF-8"):
        read_record(tmp_path / "bytes.txt")


def test_a_variant_given_by_its_path_counts_from_the_records_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('extends = "barbu_king_br"\ntitle = "Mine"\n')
    (tmp_path / "deal.txt").write_text(TRICKS.replace("barbu_king_br", "mine.toml"))
    assert read_record(tmp_path / "deal.txt").variant.title == "Mine"


def test_a_mark_that_an_editor_puts_first_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "marked.txt"
    path.write_text("\ufeff" + TRICKS, "utf-8")
    assert read_record(path) == parse(TRICKS)
