"""A sheet kept while the engine plays has the engine's points, and a slip in it is found."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine_ext.batch import GameRecords, Rules, play_games
from engine_ext.record_text import RecordError
from engine_ext.rules.load import load_variant, variant_names
from engine_ext.rules.resolve import KIND_LAYOUT
from engine_ext.rules.spec import Variant
from engine_ext.score import Score, score_text
from engine_ext.seeds import run_key
from engine_ext.sheet import score_sheet
from engine_ext.sheet_items import items_of
from engine_ext.sheet_text import read_sheet
from tests.property.generators import variants
from tests.property.test_records import Wild

BASE = [name for name in variant_names() if name != "yardstick"]
PLAYERS = ("North", "East", "South", "West", "Nord", "Est", "Süd", "Ouest", "Norte", "Oeste")
HOUSES = {
    "barbu_52_doubling": (
        'doubling.undoubled = "split"',
        "doubling.rounds = 2",
        'doubling.duty_enforced = "penalty"\noption doubling.duty_penalty = -15',
        'doubling.declarer = "nobody"\noption doubling.redoubles = false',
        'doubling.in_positive = "anyone"',
        'doubling.duty_enforced = "none"',
    )
}
"""Options under which doubles are paid and demanded otherwise."""


def played(rules: Rules, seed: int) -> GameRecords:
    """Return one game of random players."""
    seats = rules.numbers.seats
    return play_games(
        rules,
        [Wild() for _ in range(seats)],
        key=run_key(seed),
        blocks=np.array([5], np.uint64),
        seating=np.arange(seats, dtype=np.uint8)[None, :],
    )


def deal_lines(rules: Rules, game: GameRecords, stars: bool = True) -> list[str]:
    """Return what a person at the table would have noted, a line a deal."""
    return [deal_line(rules, game, row, stars) for row in range(len(game.deals.contract))]


def deal_line(rules: Rules, game: GameRecords, row: int, stars: bool) -> str:
    n, deals = rules.numbers, game.deals
    contract = n.contracts[deals.contract[row]]
    extra = deals.extra is not None and bool(deals.extra[row])
    declarer = -1 if extra else int(deals.declarer[row])
    revoker = -1 if deals.revoked is None else int(deals.revoked[row])
    names = PLAYERS[: n.seats]
    doubles = [
        f"{names[one]}>{names[other]}{'*' * (stars and other == declarer)}"
        for one in range(n.seats)
        for other in range(n.seats)
        if int(deals.doubled[row][one]) >> other & 1
    ]
    who = f"{names[declarer]} " if declarer >= 0 else ""
    fields = [f"{row + 1} {who}{n.contract_names[contract.id]}"]
    is_split = n.undoubled_split and contract.tone < 0 and not doubles and not extra
    if contract.kind == KIND_LAYOUT:
        places = [int(place) for place in deals.finish[row]]
        order = sorted(range(n.seats), key=places.__getitem__)
        fields += [] if is_split else ["out " + " ".join(names[seat] for seat in order)]
    elif revoker >= 0:
        fields += [f"revoke {names[revoker]}"]
        fields += taken_fields(rules, game, row) if n.revoke_keeps else []
    elif not is_split:
        fields += taken_fields(rules, game, row)
    if doubles:
        fields.append(" ".join(doubles))
    return " | ".join(fields)


def taken_fields(rules: Rules, game: GameRecords, row: int) -> list[str]:
    """Return a field for each thing that counts."""
    n = rules.numbers
    contract = n.contracts[game.deals.contract[row]]
    counted = [
        [int(items) >> 8 * slot & 255 for items in game.deals.items[row]]
        for slot in range(contract.n_slots)
    ]
    labels = {}
    for item in items_of(contract, n):
        for slot in range(contract.n_slots):
            things = contract.slot_cards[slot] if item.cards else contract.slot_tricks[slot]
            kinds = (1,) if item.cards else (0, 2)
            if contract.slot_kind[slot] in kinds and things == item.things:
                labels[item.name] = counted[slot]
    if contract.shoot_cards:
        labels[contract.slot_names[-1]] = counted[-1]
    return [f"{name} {' '.join(map(str, took))}" for name, took in labels.items()]


def heading(name: str, seats: int, option: str | None = None) -> list[str]:
    options = [f"option {option}"] if option else []
    return [f"variant {name}", *options, f"players {' '.join(PLAYERS[:seats])}"]


def sheet_of(name: str, lines: Sequence[str], seats: int, option: str | None = None) -> str:
    return "\n".join([*heading(name, seats, option), *lines]) + "\n"


def agrees(rules: Rules, game: GameRecords, score: Score) -> None:
    """Hold points, side bets and totals against the engine's."""
    assert score.problem is None
    sign, deals = rules.numbers.objective, game.deals
    assert [deal.points for deal in score.deals] == [
        tuple(sign * p for p in r) for r in deals.points
    ]
    assert [deal.side for deal in score.deals] == [tuple(sign * p for p in r) for r in deals.side]
    assert score.scores == tuple(sign * p for p in game.score[0])


@settings(max_examples=10)
@given(st.sampled_from(BASE), st.integers(0, 2**64 - 1))
def test_a_sheet_kept_at_the_table_has_the_engines_points(name: str, seed: int) -> None:
    rules = Rules(load_variant(name))
    game = played(rules, seed)
    agrees(rules, game, score_text(sheet_of(name, deal_lines(rules, game), rules.numbers.seats)))


@settings(max_examples=12)
@given(st.sampled_from(HOUSES["barbu_52_doubling"]), st.integers(0, 2**64 - 1))
def test_side_bets_are_paid_by_the_rules_of_the_house(option: str, seed: int) -> None:
    name = "barbu_52_doubling"
    text = sheet_of(name, [], 4, option)
    rules = Rules(read_sheet(text).variant)
    game = played(rules, seed)
    agrees(rules, game, score_text(text + "\n".join(deal_lines(rules, game))))


@pytest.mark.slow
@settings(max_examples=300, derandomize=False)
@given(variants(), st.integers(0, 2**64 - 1))
def test_any_rules_can_be_kept_on_a_sheet(variant: Variant, seed: int) -> None:
    rules = Rules(variant)
    game = played(rules, seed)
    # Invented rules have no file to be named by: they are put in place of others.
    written = read_sheet(sheet_of("barbu_52_doubling", deal_lines(rules, game), 4))
    sheet = replace(written, variant=variant, players=PLAYERS[: variant.seats])
    deals = tuple(score_sheet(sheet))
    agrees(rules, game, Score("sheet", "invented", sheet.players, deals, None))


@settings(max_examples=60)
@given(st.sampled_from(BASE), st.integers(0, 2**64 - 1), st.data())
def test_a_number_that_is_one_off_is_found(name: str, seed: int, data: st.DataObject) -> None:
    rules = Rules(load_variant(name))
    lines = deal_lines(rules, played(rules, seed))
    # What was taken before a revoke stopped the deal need not be all.
    whole = [i for i, line in enumerate(lines) if "revoke" not in line]
    numbered = [i for i in whole if any(map(str.isdigit, lines[i].split()[1:]))]
    assume(numbered)
    at = data.draw(st.sampled_from(numbered))
    words = lines[at].split()
    places = [i for i, word in enumerate(words) if i and word.isdigit()]
    place = data.draw(st.sampled_from(places))
    words[place] = str(int(words[place]) + data.draw(st.sampled_from([-1, 1])))
    lines[at] = " ".join(words)
    score = score_text(sheet_of(name, lines, rules.numbers.seats))
    assert score.problem is not None
    first = len(heading(name, rules.numbers.seats))
    assert score.problem.startswith(f"record, line {first + at + 1}: ")
    assert len(score.deals) == at


WORDS = st.sampled_from(
    [
        "variant", "option", "players", "totals", "first", "source", "1", "2", "29", "0", "-1", "|",
        "North", "East", "P0", "P9", "North>East", "East>North*", "(East>North)", "North>North", ">", "*", "(",
        "tricks", "hearts", "ace", "domino", "out", "place", "points", "side", "scores", "doubles",
        "revoke", "trumps", "S", "1e5", "999999999999", "é", "-", "last", "=", "#", "barbu_king_br",
    ]
)  # fmt: skip
GOOD = """\
variant barbu_52_doubling
players North East South West
1 North tricks | 2 4 1 6 | East>North* South>North* North>East | points -4 -8 -2 -12
2 North hearts | hearts 4 3 2 3 | ace East | West>North* | scores -8 -28 -4 -16
3 North domino 7 | out East North West South
totals 12 17 -9 -11
first East
"""


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """Draw a good sheet with a few words lost, doubled, moved or made up."""
    lines = [line.split() for line in GOOD.splitlines()]
    for _ in range(draw(st.integers(1, 4))):
        line = draw(st.sampled_from(lines))
        at = draw(st.integers(0, max(0, len(line) - 1)))
        match draw(st.sampled_from(["lose", "put", "swap", "line"])):
            case "lose":
                del line[at : at + 1]
            case "put":
                line.insert(at, draw(WORDS))
            case "swap":
                line[at : at + 1] = [draw(WORDS)]
            case _:
                lines.insert(draw(st.integers(0, len(lines))), list(line))
    return "\n".join(map(" ".join, lines))


def one_line(text: str) -> None:
    score = score_text(text)
    assert score.problem is None or score.problem.isprintable()
    for deal in score.deals:
        assert abs(sum(deal.side)) == 0


@settings(max_examples=300)
@given(spoilt())
def test_a_spoilt_sheet_adds_up_or_is_refused_in_one_line(text: str) -> None:
    one_line(text)


@settings(max_examples=100)
@given(st.text(max_size=80))
def test_any_text_behind_the_players_is_refused_or_adds_up(text: str) -> None:
    one_line("variant barbu_king_br\nplayers A B C D\n" + text)
    with pytest.raises(RecordError):
        read_sheet(text)


def test_the_good_sheet_is_good() -> None:
    assert score_text(GOOD).problem is None
