"""Duties, bans, first tricks and shooting: what is refused, how they are told, what is solved."""

from pathlib import Path

import pytest

from engine_ext.batch import Rules
from engine_ext.endings import Solver
from engine_ext.errors import RuleError
from engine_ext.record import RecordError, parse
from engine_ext.rules.facts import terms_of
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import SLOT_SHOT, resolve
from engine_ext.rules.show import show
from tests.unit.rule_files import extended

HEARTS = 'cards = { suits = ["H"] }'
REFUSED = [
    (
        'contracts.tricks.void_duty = "must_overruff"',
        'contracts.tricks.void_duty: "must_overruff" needs a trump suit (set contracts.tricks.trump)',
    ),
    (
        'contracts.tricks.beat_duty = "trump_leads"',
        'contracts.tricks.beat_duty: "trump_leads" needs a trump suit '
        '(set contracts.tricks.trump, or want "all_leads")',
    ),
    (
        f'contracts.hearts.lead_ban = {{ {HEARTS}, broken_by = {{ cards = ["QS"] }} }}',
        'contracts.hearts.lead_ban.broken_by: nothing breaks a ban until "nothing_else" '
        '(want until = "broken")',
    ),
    (
        f'contracts.hearts.lead_ban = {{ {HEARTS}, until = "trick" }}',
        'contracts.hearts.lead_ban.trick: missing (until = "trick": the first trick that the ban '
        "is lifted for)",
    ),
    (
        f'contracts.hearts.lead_ban = {{ {HEARTS}, until = "broken", trick = 3 }}',
        'contracts.hearts.lead_ban.trick: no trick lifts a ban until "broken" (want until = "trick")',
    ),
    (
        f'contracts.hearts.lead_ban = {{ {HEARTS}, until = "trick", trick = 9 }}',
        "contracts.hearts.lead_ban.trick: 9 is behind the last of the 8 tricks "
        '(want until = "nothing_else")',
    ),
    (
        f'contracts.hearts.lead_ban = {{ {HEARTS}, until = "broken", broken_by = {{ cards = ["2H"] }} }}',
        'contracts.hearts.lead_ban.broken_by.cards: "2H" is no card of this pack (rank first, e.g. '
        "AC; ranks 7 8 9 T J Q K A, suits C D H S)",
    ),
    (
        'contracts.tricks.first_lead = { cards = ["2C"] }',
        'contracts.tricks.first_lead.cards: "2C" is no card of this pack (rank first, e.g. AC; '
        "ranks 7 8 9 T J Q K A, suits C D H S)",
    ),
    (
        'contracts.tricks.first_trick_ban = { suits = ["X"] }',
        'contracts.tricks.first_trick_ban.suits: "X" is not a suit of this pack (C D H S)',
    ),
    (
        "contracts.hearts.shooting = { cards = { suits = [] }, taker = 0, others = 1 }",
        "contracts.hearts.shooting.cards: no card of this pack is meant",
    ),
    (
        f'contracts.hearts.shooting = {{ {HEARTS}, taker = 0, others = 1, name = "hearts" }}',
        'contracts.hearts: two items are called "hearts" (give each term a name of its own)',
    ),
    (
        'contracts.trumps.include = [{ contract = "tricks", times = "1/3" }]',
        'contracts.trumps.include[0].times: "1/3" of -2 points for tricks is not whole '
        "(want a factor that divides evenly)",
    ),
    (
        'contracts.trumps.include = [{ contract = "tricks", times = "0/3" }]',
        "contracts.trumps.include[0].times: must be a whole number from -100 to 100, or a fraction "
        'such as "1/2", not "0/3"',
    ),
    (
        "contracts.trumps.include = [{ contract = 'tricks', times = 101 }]",
        "contracts.trumps.include[0].times: must be a whole number from -100 to 100, or a fraction "
        'such as "1/2", not 101',
    ),
]
FIXED = '[schedule]\nkind = "fixed"\nsequence = ["tricks"]\n[contracts.trumps]\ntrump = "drawn"\n'
LEADERS = [
    ('leader = "holder"', 'schedule.holds: missing (leader = "holder": the card, as in "2C")'),
    (
        'leader = "dealer"\nholds = "7C"',
        'schedule.holds: "dealer" leads (want leader = "holder")',
    ),
    (
        'leader = "holder"\nholds = "2C"',
        'schedule.holds: "2C" is no card of this pack (rank first, e.g. AC; ranks 7 8 9 T J Q K A, '
        "suits C D H S)",
    ),
]


@pytest.mark.parametrize(("rules", "line"), REFUSED)
def test_rules_that_cannot_be_are_refused_in_a_line(tmp_path: Path, rules: str, line: str) -> None:
    with pytest.raises(RuleError) as refused:
        load_variant(extended(tmp_path, rules))
    assert str(refused.value).endswith(f".toml: {line}")


@pytest.mark.parametrize(("leader", "line"), LEADERS)
def test_who_holds_what_is_refused_in_a_line(tmp_path: Path, leader: str, line: str) -> None:
    rules = FIXED.replace("[contracts", f"{leader}\n[contracts")
    with pytest.raises(RuleError) as refused:
        load_variant(extended(tmp_path, rules))
    assert str(refused.value).endswith(f".toml: {line}")


def test_shooting_counts_among_the_eight_items(tmp_path: Path) -> None:
    terms = ", ".join(
        f'{{ per = "trick_at", tricks = [{n}], points = 1, name = "t{n}" }}' for n in range(1, 9)
    )
    shot = f"shooting = {{ {HEARTS}, taker = 0, others = 1 }}"
    load_variant(extended(tmp_path, f"[contracts.tricks]\nterms = [{terms}]"))
    with pytest.raises(RuleError, match="9 items score, shooting with them, at most 8"):
        load_variant(extended(tmp_path, f"[contracts.tricks]\nterms = [{terms}]\n{shot}"))


def test_a_score_that_shooting_could_bring_beyond_32_bits_is_refused(tmp_path: Path) -> None:
    names = [f"c{n}" for n in range(14)]
    bets = (
        '[doubling]\nin_negative = "anyone"\nin_positive = "anyone"\ndeclarer = "nobody"\n'
        'source = "x"\n'
    )
    uses = "".join(f"{name} = 8\n" for name in names)
    contracts = "".join(
        f'[contracts.{name}]\nkind = "trick"\ntitle = "x"\ntone = "mixed"\nsource = "x"\n'
        f'terms = [{{ per = "trick", points = 1 }}]\nSHOT\n'
        for name in names
    )
    text = f"[schedule]\ndealership = 1\n[schedule.uses]\n{uses}{bets}{contracts}"
    shot = f"shooting = {{ {HEARTS}, taker = 100000, others = 100000 }}"
    load_variant(extended(tmp_path, text.replace("SHOT", "")))
    with pytest.raises(RuleError, match=r"a score could reach \d+ points"):
        load_variant(extended(tmp_path, text.replace("SHOT", shot)))


def test_a_score_that_fines_could_bring_beyond_32_bits_is_refused(tmp_path: Path) -> None:
    points = [100_000] * 6 + [45_000]
    terms = [f'{{ per = "trick", points = {p}, name = "a{i}" }}' for i, p in enumerate(points)]
    nearly = (
        "schedule.uses.tricks = 8\nschedule.dealership = 1\n"
        f"[contracts.tricks]\nterms = [{', '.join(terms)}]\n"
        '[contracts.trumps]\ninclude = []\nterms = [{ per = "trick", points = 0 }]\n'
        '[doubling]\nin_negative = "anyone"\nin_positive = "anyone"\ndeclarer = "nobody"\n'
        'source = "x"\n'
    )
    load_variant(extended(tmp_path, nearly))
    # Of three other declarers, 11 doubles of each lacking.
    fines = 'duty = 11\nduty_enforced = "penalty"\nduty_penalty = -100000\n'
    with pytest.raises(RuleError, match="a score could reach 2149861144 points"):
        load_variant(extended(tmp_path, nearly + fines))


def test_points_are_halved_and_turned() -> None:
    salad = terms_of(load_variant("gautron_family"), "salad")
    assert [term.points for term in salad] == [40, 5, 10, 30, 10, 5]


def test_what_shooting_comes_down_to() -> None:
    contract = resolve(load_variant("hearts_moon")).contracts[0]
    assert contract.slot_names == ("hearts", "queen", "moon")
    assert contract.slot_kind[-1] == SLOT_SHOT
    assert (contract.shoot_taker, contract.shoot_others) == (0, -26)  # inside: more is better
    assert contract.shoot_cards == contract.slot_cards[0] | contract.slot_cards[1]


TOLD = [
    ("hearts", "Whoever was dealt the two of clubs leads to the first trick."),
    ("hearts", "Whoever leads to the first trick and can must lead the two of clubs."),
    (
        "hearts",
        "Hearts may be led only from a hand that holds nothing else, or once such a card was "
        "played in an earlier trick.",
    ),
    (
        "hearts",
        "Hearts and the queen of spades may not be played to the first trick by a player who may "
        "play another card.",
    ),
    (
        "hearts_moon",
        "But if one player takes all of these, hearts and the queen of spades, he gets 0 and each "
        "other +26, in place of everything else in this deal.",
    ),
    ("hearts_moon", "In all +26, unless one player takes all as told."),
    (
        "gautron_family",
        'Counts what "King of hearts", "Hearts", "Last two tricks", "Queens" and "Tricks" count, '
        "times 1/2: +40 for the king of hearts, +5 for each heart,",
    ),
    (
        "barbu_52_wikipedia",
        "Who lacks the suit led must play a trump higher than those in the trick if he has one; "
        "otherwise he may play any card. When trumps are led, everyone must play one that wins the "
        "trick so far if he has it.",
    ),
    (
        "bga_barbu_52",
        "Who lacks the suit led must play a trump higher than those in the trick if he has one, "
        "otherwise a lower one if he has that.",
    ),
]


@pytest.mark.parametrize(("name", "words"), TOLD)
def test_a_rule_is_told_in_words(name: str, words: str) -> None:
    assert words in " ".join(show(load_variant(name)).split())


TOLD_OF_CHANGES = [
    (
        'contracts.tricks.beat_duty = "all_leads"',
        "Who follows suit must play a card that wins the trick so far if he has one.",
    ),
    (
        f'contracts.hearts.lead_ban = {{ {HEARTS}, until = "trick", trick = 3 }}',
        "Hearts may be led only from a hand that holds nothing else, or from the third trick on.",
    ),
    (
        f'contracts.hearts.lead_ban = {{ {HEARTS}, until = "broken", '
        'broken_by = { suits = ["H"], cards = ["QS"] } }',
        "or once any of these was played in an earlier trick: hearts or the queen of spades.",
    ),
    (
        'contracts.hearts.forced_play = { cards = { ranks = ["Q"] }, when = "void_or_beaten", '
        'choose = "highest" }',
        "Who lacks the suit led must play queens (of several the highest) if he can. So must who "
        "follows suit and can play it under a higher card of that suit which wins the trick so far.",
    ),
    (
        'contracts.hearts.forced_play = { cards = { cards = ["KH"] }, when = "first_legal" }',
        "Who may play the king of hearts to a trick that another player has led must do so, before "
        "any other card.",
    ),
    (
        f'contracts.hearts.early_end = "when_decided"\ncontracts.hearts.shooting = {{ {HEARTS}, '
        "taker = 0, others = 1 }",
        "The deal ends with the trick in which the last card that scores or counts for taking all "
        "(shot) is taken.",
    ),
]


@pytest.mark.parametrize(("rules", "words"), TOLD_OF_CHANGES)
def test_a_changed_rule_is_told_in_words(tmp_path: Path, rules: str, words: str) -> None:
    assert words in " ".join(show(load_variant(extended(tmp_path, rules))).split())


@pytest.mark.parametrize(
    ("name", "contract", "why"),
    [
        ("barbu_52_wikipedia", "trumps", "its duties or lead ban are not solved"),
        ("hearts", "hearts", "its duties or lead ban are not solved"),
    ],
)
def test_endings_are_not_solved_by_rules_that_the_solver_does_not_know(
    name: str, contract: str, why: str
) -> None:
    rules = Rules(load_variant(name))
    number = rules.numbers.contract_names.index(contract)
    trump = 0 if rules.numbers.contracts[number].trump_mode else None
    with pytest.raises(ValueError, match=why):
        Solver(rules, number, trump=trump, seats=[0])


def test_endings_are_not_solved_where_taking_all_changes_the_points(tmp_path: Path) -> None:
    path = extended(tmp_path, f"contracts.hearts.shooting = {{ {HEARTS}, taker = 0, others = 1 }}")
    variant = load_variant(path)
    with pytest.raises(ValueError, match="whoever takes all changes the points of all"):
        Solver(Rules(variant), 1, seats=[0])


LIFTED = """\
variant bga_barbu_52_until_broken
contract hearts
leader P0
lifted
hands 2H 3C | 4C 5C | 6C 7C | 8C 9C
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            LIFTED.replace("lifted", "lifted P0"),
            "line 4: lifted: nothing stands behind it (the ban holds for nobody any more)",
        ),
        (
            LIFTED.replace("bga_barbu_52_until_broken", "barbu_king_br"),
            "line 4: lifted: no card lifts a lead ban in hearts",
        ),
        (
            "variant hearts\ncontract hearts\nleader P0\nhands 2H | 4C | 6C | 8C\nleader P1\n",
            "line 5: leader stands in line 3 already",
        ),
        ("variant hearts\nhands 2H | 4C | 6C | 8C\ncontract hearts\n", "say who was dealt 2C"),
        (
            "variant hearts\nleader P1\ncontract hearts\nhands 2C | 4C | 6C | 8C\n",
            "line 2: leader: P0 holds 2C, so P0 leads",
        ),
    ],
)
def test_records_that_contradict_a_lifted_ban_or_a_holder_are_refused(text: str, line: str) -> None:
    with pytest.raises(RecordError) as refused:
        parse(text)
    assert line in str(refused.value)


def test_a_ban_is_not_lifted_before_the_first_trick() -> None:
    ranks = "23456789TJQKA"
    hands = " | ".join(" ".join(rank + suit for rank in ranks) for suit in "CDHS")
    with pytest.raises(RecordError, match="lifted: no trick has been played yet"):
        parse(f"variant hearts\ncontract hearts\nlifted\nhands {hands}\n")
