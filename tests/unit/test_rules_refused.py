"""Rules that cannot be played, each with the exact line that refuses it."""

from pathlib import Path

import pytest

from engine_ext.errors import RuleError
from engine_ext.rules.load import load_variant
from tests.unit.rule_files import extended, write

TRICK = 'kind = "trick"\ntitle = "x"\ntone = "mixed"\nsource = "x"\n'
TWO_SEATS = "seats = 2\ncontracts.domino.payout = [1, 0]\n"

ENDS = [
    ('ties = "split"', 'ties: must be "shared" or a table, not "split"'),
    (
        'ties = { contract = "trumpz" }',
        'ties.contract: no contract is called "trumpz" (did you mean "trumps"?)',
    ),
    ("ties = {}", "ties.contract: missing"),
    ('ties = { contract = "tricks", at_most = 0 }', "ties.at_most: must be at least 1, not 0"),
    (
        'ties = { contract = "tricks", eligible = "some" }',
        'ties.eligible: must be "tied_only" or "all", not "some"',
    ),
    ('ties = { contracts = "a" }', 'ties.contracts: unknown key (did you mean "contract"?)'),
    ('legality = "honor"', 'legality: must be "engine_enforced" or a table, not "honor"'),
    (
        'legality = { sign = "plus" }',
        'legality.sign: must be "worsens", "literal_minus" or "signed_total", not "plus"',
    ),
    (
        'legality = { lead_ban_breach = "as_revoke" }',
        "legality.lead_ban_breach: no contract that is played bans a lead "
        '(want "rejected", or leave it out)',
    ),
    (
        'legality = {}\nschedule = { kind = "fixed", sequence = ["domino"], '
        'leader = "dealer" }\ncontracts.trumps.trump = "drawn"',
        'legality: no trick contract is played, so nobody can revoke (want "engine_enforced")',
    ),
]
PACK = [
    (
        'deck.ranks = ["7", "8", "9", "A\\nB"]',
        'deck.ranks: "A B" is not one letter',
    ),
    ('deck.suits = ["C", "D", "H", "H"]', 'deck.suits: "H" is listed twice'),
    ('deck.suits = ["C", "D", "He", "S"]', 'deck.suits: "He" is not one letter'),
    (
        'deck.ranks = ["7", "8", "9", "10", "J", "Q", "K", "A"]',
        'deck.ranks: "10" is not one letter (write T for the ten)',
    ),
    ('deck.remove = ["7C", "7C"]', 'deck.remove: "7C" is listed twice'),
    (
        'deck.remove = ["2C"]',
        'deck.remove: "2C" is no card of this pack (ranks 7 8 9 T J Q K A; suits C D H S)',
    ),
    (
        'deck.remove = ["7C", "7D", "7H", "7S"]',
        'deck.remove: takes out every "7"; leave it out of deck.ranks',
    ),
    (
        'deck.remove = ["7C"]',
        "deck: 31 cards do not divide by 4 seats (3 left over; take them out with deck.remove)",
    ),
    (
        "seats = 3",
        "deck: 32 cards do not divide by 3 seats (2 left over; take them out with deck.remove)",
    ),
    (
        'seats = 10\ndeck.ranks = ["8", "9"]',
        "deck: 8 cards do not divide by 10 seats (8 left over; take them out with deck.remove)",
    ),
]

CARDS = [
    (
        '[contracts.twos]\nterms = [{ per = "card", of = { ranks = ["2"] }, points = -1, name = "a" }]\n',
        'contracts.twos.terms[0].of.ranks: "2" is not a rank of this pack (7 8 9 T J Q K A)',
    ),
    (
        '[contracts.a]\nterms = [{ per = "card", of = { cards = ["2H"] }, points = -1, name = "a" }]\n',
        'contracts.a.terms[0].of.cards: "2H" is no card of this pack (rank first, e.g. AC; '
        "ranks 7 8 9 T J Q K A, suits C D H S)",
    ),
    (
        '[contracts.a]\nterms = [{ per = "card", of = { suits = ["X"] }, points = -1, name = "a" }]\n',
        'contracts.a.terms[0].of.suits: "X" is not a suit of this pack (C D H S)',
    ),
    (
        '[contracts.a]\nterms = [{ per = "card", of = {}, points = -1, name = "a" }]\n',
        "contracts.a.terms[0].of: no card of this pack is meant",
    ),
    (
        '[contracts.a]\nterms = [{ per = "card", of = { cards = ["KH"], but = ["KH"] }, points = -1, '
        'name = "a" }]\n',
        "contracts.a.terms[0].of: no card of this pack is meant",
    ),
    (
        '[contracts.a]\nterms = [{ per = "card", of = { suits = ["H"], but = ["AS"] }, points = -1, '
        'name = "a" }]\n',
        "contracts.a.terms[0].of.but: AS is not among the cards it is left out of",
    ),
    (
        '[contracts.a]\nterms = [{ per = "card", of = { cards = ["KH", "KH"] }, points = -1, '
        'name = "a" }]\n',
        'contracts.a.terms[0].of.cards: "KH" is listed twice',
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick", points = 1 }]\nlead_ban = { cards = { suits = ["P"] } }\n',
        'contracts.a.lead_ban.cards.suits: "P" is not a suit of this pack (C D H S)',
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick", points = 1 }]\nforced_play = { cards = {} }\n',
        "contracts.a.forced_play.cards: no card of this pack is meant",
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick", points = 1 }]\nface_up = { ranks = ["6"] }\n',
        'contracts.a.face_up.ranks: "6" is not a rank of this pack (7 8 9 T J Q K A)',
    ),
]

TRICKS = [
    ("[contracts.a]\n", "contracts.a: nothing scores (give terms or include)"),
    (
        '[contracts.a]\nterms = [{ per = "trick_at", tricks = [9], points = 1, name = "a" }]\n',
        "contracts.a.terms[0].tricks: 9 is none of the 8 tricks (1 the first, -1 the last)",
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick_at", tricks = [0], points = 1, name = "a" }]\n',
        "contracts.a.terms[0].tricks: 0 is none of the 8 tricks (1 the first, -1 the last)",
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick_at", tricks = [8, -1], points = 1, name = "a" }]\n',
        "contracts.a.terms[0].tricks: trick 8 is meant twice",
    ),
    (
        '[contracts.a]\ninclude = [{ contract = "heart" }]\n',
        'contracts.a.include[0].contract: no contract is called "heart" (did you mean "hearts"?)',
    ),
    (
        '[contracts.a]\ninclude = [{ contract = "domino" }]\n',
        'contracts.a.include[0].contract: "domino" is a layout, only trick contracts can be included',
    ),
    (
        '[contracts.a]\ninclude = [{ contract = "a" }]\n',
        'contracts.a.include[0].contract: "a" includes itself in the end',
    ),
    (
        '[contracts.a]\ninclude = [{ contract = "b" }]\n[contracts.b]\ninclude = [{ contract = "a" }]\n',
        'contracts.a.include[0].contract: "b" includes itself in the end',
    ),
    (
        '[contracts.a]\ninclude = [{ contract = "tricks" }, { contract = "tricks" }]\n',
        'contracts.a: two items are called "tricks" (give each term a name of its own)',
    ),
    (
        "[contracts.a]\nterms = ["
        + ", ".join(f'{{ per = "trick", points = 1, name = "a{i}" }}' for i in range(9))
        + "]\n",
        "contracts.a: 9 items score, at most 8 can be counted",
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick", points = 90000 }]\n'
        '[contracts.b]\ninclude = [{ contract = "a", times = -2 }]\n',
        "contracts.b.include: -180000 points for tricks, at most 100000",
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick", points = 1 }]\nvoid_duty = "must_ruff"\n',
        'contracts.a.void_duty: "must_ruff" needs a trump suit (set contracts.a.trump)',
    ),
    (
        '[contracts.a]\nterms = [{ per = "trick", points = 1 }]\ntotal = 7\n',
        "contracts.a.total: says 7, but 8 comes out (want total = 8, or other points)",
    ),
]

LAYOUTS = [
    (
        "contracts.domino.payout = [3, 2, 1]",
        "contracts.domino.payout: 3 places for 4 seats (want 4 numbers)",
    ),
    (
        'contracts.domino.passing = "may_pass"',
        'contracts.domino.stall: with passing = "may_pass" the deal might never end '
        '(want "force_after_full_circle" or "freeze")',
    ),
    (
        'contracts.domino.unplayable = "lose_turn"',
        'contracts.domino.stall: with unplayable = "lose_turn" the deal might never end '
        '(want "force_after_full_circle" or "freeze")',
    ),
    (
        'contracts.domino.start = ["6"]',
        'contracts.domino.start: "6" is not a rank of this pack (7 8 9 T J Q K A)',
    ),
    ('contracts.domino.start = ["7", "7"]', 'contracts.domino.start: "7" is listed twice'),
    (
        "contracts.domino.start = []",
        "contracts.domino.start: no rank is left to name (list ranks that every suit has)",
    ),
    (
        TWO_SEATS + 'deck.remove = ["8C", "7C"]\ncontracts.domino.start = ["8"]\n'
        'contracts.domino.missing_start = "forbid"',
        "contracts.domino.start: no rank is left to name (list ranks that every suit has)",
    ),
    (
        TWO_SEATS + 'deck.remove = ["8C", "7C"]\ncontracts.domino.start = ["8", "9"]\n'
        'contracts.domino.missing_start = "forbid"',
        'contracts.domino.start: "8" lacks in a suit and missing_start forbids that',
    ),
    (
        TWO_SEATS + 'deck.remove = ["TC", "JC"]',
        "contracts.domino.start: from 7 no card beyond TC can be laid, as that is taken out of the "
        "pack",
    ),
    (
        TWO_SEATS + 'deck.remove = ["TC", "7C"]\ncontracts.domino.start = ["K"]',
        "contracts.domino.start: from K no card beyond TC can be laid, as that is taken out of the "
        "pack",
    ),
    (
        'contracts.domino.replay = { cards = { ranks = ["1"] } }',
        'contracts.domino.replay.cards.ranks: "1" is not a rank of this pack (7 8 9 T J Q K A)',
    ),
    (
        "contracts.domino.total = 7",
        "contracts.domino.total: says 7, but 6 comes out (want total = 6, or other points)",
    ),
]

FIXED = '[schedule]\nkind = "fixed"\nleader = "dealer"\n'
DOUBLING = (
    '[doubling]\nsource = "x"\nin_negative = "anyone"\nin_positive = "declarer"\n'
    'declarer = "doublers"\n'
)
NO_DECLARER = 'contracts.trumps.trump = "none"\n'

GAME = [
    (
        NO_DECLARER + FIXED + 'sequence = ["tricks", "heart"]',
        'schedule.sequence[1]: no contract is called "heart" (did you mean "hearts"?)',
    ),
    (
        NO_DECLARER + FIXED + 'sequence = ["whist"]',
        'schedule.sequence[0]: no contract is called "whist" (known: tricks, hearts, trumps, domino)',
    ),
    (
        "schedule.uses.trump = 1\nschedule.dealership = 5",
        'schedule.uses.trump: no contract is called "trump" (did you mean "trumps"?)',
    ),
    (
        "schedule.dealership = 3",
        "schedule.dealership: 3 deals in a row do not divide the 4 contracts of a declarer evenly",
    ),
    (
        # Tables count what is left to choose in 8 bits; 256 would read as "no choice".
        "schedule.uses = { tricks = 8, hearts = 8, trumps = 8, domino = 8, "
        + ", ".join(f"c{i} = 8" for i in range(28))
        + " }\n"
        + "".join(
            f'[contracts.c{i}]\n{TRICK}terms = [{{ per = "trick", points = 1 }}]\n'
            for i in range(28)
        ),
        "schedule.uses: 256 contracts of a declarer, at most 255 can be counted",
    ),
    (
        FIXED + 'sequence = ["trumps"]',
        'contracts.trumps.trump: a fixed schedule has no declarer to name it (want "drawn" or "none")',
    ),
    (
        NO_DECLARER + FIXED + 'sequence = ["tricks"]\n' + DOUBLING,
        'doubling: a fixed schedule has no declarer (want schedule.kind = "choice")',
    ),
    (
        DOUBLING.replace('"declarer"\n', '"nobody"\n').replace("anyone", "nobody"),
        'doubling: nobody may double (leave the table out, or want "declarer" or "anyone")',
    ),
    (
        DOUBLING + "duty = 5",
        "doubling.duty: 5 doubles in the 4 deals of a declarer (want at most 4)",
    ),
    (
        DOUBLING + "redoubles = false",
        'doubling.redoubles: nobody may double back, but doubling.declarer = "doublers" says that '
        'the declarer may (want declarer = "nobody", or redoubles = true)',
    ),
    (
        DOUBLING + 'duty = 1\nduty_enforced = "penalty"',
        'doubling.duty_penalty: duty_enforced = "penalty" and a penalty that is not 0 belong '
        "together",
    ),
    (
        DOUBLING + 'duty_enforced = "penalty"\nduty_penalty = -5',
        "doubling.duty: 0 doubles, so none can lack (want how many, or no penalty)",
    ),
    (
        DOUBLING.replace('"declarer"\n', '"nobody"\n') + "duty = 1",
        "doubling.duty: the declarer cannot be doubled in trumps, so the duty might not be met "
        '(want in_positive = "declarer" or "anyone", or no duty)',
    ),
    (
        "schedule.uses.tricks = 8\nschedule.dealership = 1\n[contracts.tricks]\nterms = ["
        + ", ".join(f'{{ per = "trick", points = 100000, name = "a{i}" }}' for i in range(8))
        + "]\n[contracts.trumps]\ninclude = []\nterms = [{ per = 'trick', points = 0 }]\n"
        + DOUBLING,
        "schedule: a score could reach 2662401144 points, at most 2147483647 can be counted",
    ),
]

READINGS = [
    ('"seats"', "3", "readings[0].value: says 3, but seats is 4"),
    ('"objective"', '"lowest"', 'readings[0].value: says "lowest", but objective is "highest"'),
    ('"seats"', "true", "readings[0].value: says true, but seats is 4"),
    (
        '"contracts.domino.replay"',
        '"any"',
        'readings[0].value: says "any", but contracts.domino.replay is "none"',
    ),
    (
        '["contracts.domino.payout"]',
        "[1, 2]",
        "readings[0].value: says [1, 2], but contracts.domino.payout is [3, 2, 1, 0]",
    ),
    (
        '["seats", "objective"]',
        '["4", "highest"]',
        'readings[0].value: says "4", but seats is 4',
    ),
    (
        '"contracts.domino.pasing"',
        '"must_play"',
        'readings[0].option: contracts.domino has no key "pasing" (did you mean "passing"?)',
    ),
    (
        '"schedule.uses.tricks"',
        "true",
        "readings[0].value: says true, but schedule.uses.tricks is 1",
    ),
    (
        '"contracts.domino.replay.duty"',
        '"optional"',
        'readings[0].option: contracts.domino.replay is absent, so it has no "duty"',
    ),
    ('"house"', "1", 'readings[0].option: the file has no key "house"'),
    ('"seats.of"', "1", 'readings[0].option: seats has no key "of"'),
    (
        '"contracts.domino.payout[4]"',
        "1",
        "readings[0].option: contracts.domino.payout has no entry [4] (the last is [3])",
    ),
    (
        '"contracts.domino"',
        "1",
        'readings[0].option: "contracts.domino" is a table; name one of its keys',
    ),
    (
        '"contracts.tricks.terms"',
        "1",
        'readings[0].option: "contracts.tricks.terms" is a table; name one of its keys',
    ),
    ('"."', "1", 'readings[0].option: "." is a table; name one of its keys'),
]

CLAIMS = [
    ("games", 'claims[0].what: no total is called "games" (did you mean "game"?)'),
    (
        "contracts.heart",
        'claims[0].what: no total is called "contracts.heart" (did you mean "contracts.hearts"?)',
    ),
]


def check_line(path: Path, line: str) -> None:
    with pytest.raises(RuleError) as refused:
        load_variant(path)
    assert str(refused.value) == f"{path}: {line}"


def as_contract(text: str) -> str:
    """Fill in what every contract says, after its heading."""
    return "".join(
        row + (TRICK if row.startswith("[contracts") else "") for row in text.splitlines(True)
    )


@pytest.mark.parametrize(("text", "line"), ENDS)
def test_ties_and_revokes_that_cannot_be_are_refused(tmp_path: Path, text: str, line: str) -> None:
    check_line(extended(tmp_path, text), line)


@pytest.mark.parametrize(("text", "line"), PACK)
def test_a_pack_that_cannot_be_dealt_is_refused(tmp_path: Path, text: str, line: str) -> None:
    check_line(extended(tmp_path, text), line)


@pytest.mark.parametrize(("text", "line"), CARDS)
def test_cards_that_are_not_in_the_pack_are_refused(tmp_path: Path, text: str, line: str) -> None:
    check_line(extended(tmp_path, as_contract(text)), line)


@pytest.mark.parametrize(("text", "line"), TRICKS)
def test_trick_contracts_that_make_no_sense_are_refused(
    tmp_path: Path, text: str, line: str
) -> None:
    check_line(extended(tmp_path, as_contract(text)), line)


@pytest.mark.parametrize(("text", "line"), LAYOUTS)
def test_layouts_that_cannot_be_played_are_refused(tmp_path: Path, text: str, line: str) -> None:
    check_line(extended(tmp_path, text), line)


@pytest.mark.parametrize(("text", "line"), GAME)
def test_schedules_and_bets_that_cannot_be_are_refused(
    tmp_path: Path, text: str, line: str
) -> None:
    check_line(extended(tmp_path, text), line)


@pytest.mark.parametrize(("option", "value", "line"), READINGS)
def test_a_reading_that_the_file_does_not_follow_is_refused(
    tmp_path: Path, option: str, value: str, line: str
) -> None:
    reading = (
        f'[[readings]]\nissue = "x"\nwhy = "y"\nsource = "z"\noption = {option}\nvalue = {value}'
    )
    check_line(extended(tmp_path, reading), line)


@pytest.mark.parametrize(("what", "line"), CLAIMS)
def test_a_claim_about_no_total_is_refused(tmp_path: Path, what: str, line: str) -> None:
    check_line(extended(tmp_path, f'[[claims]]\nwhat = "{what}"\nvalue = 1\nsource = "x"'), line)


def test_a_fixed_schedule_has_no_total_of_a_declarer(tmp_path: Path) -> None:
    claim = 'extends = "yardstick"\n[[claims]]\nwhat = "declarer"\nvalue = 1\nsource = "x"'
    with pytest.raises(
        RuleError, match=r'claims\[0\]\.what: no total is called "declarer" \(known: '
    ):
        load_variant(write(tmp_path, claim))


def test_inclusions_that_double_at_every_step_are_refused_at_once(tmp_path: Path) -> None:
    steps = "".join(
        f"[contracts.a{i}]\n{TRICK}"
        f'include = [{{ contract = "a{i + 1}" }}, {{ contract = "a{i + 1}" }}]\n'
        for i in range(26)
    )
    path = extended(tmp_path, f"{steps}[contracts.a26]\n{TRICK}terms = []\n")
    check_line(path, "contracts.a0: nothing scores (give terms or include)")


def test_a_false_claim_of_a_document_is_no_mistake_of_the_file(tmp_path: Path) -> None:
    claim = '[[claims]]\nwhat = "game"\nvalue = 1\nsource = "x"'
    assert load_variant(extended(tmp_path, claim)).claims[0].value == 1


def test_a_start_rank_that_is_taken_out_bridges_its_own_gap(tmp_path: Path) -> None:
    text = TWO_SEATS + 'deck.remove = ["TC", "TD"]\ncontracts.domino.start = ["T"]'
    assert load_variant(extended(tmp_path, text)).deck.remove == ("TC", "TD")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ('["contracts.hearts.terms[0].of.suits"]', '["H"]'),
        ('["contracts.hearts.tone", "contracts.tricks.tone"]', '"negative"'),
        ('["contracts.hearts.tone", "contracts.trumps.tone"]', '["negative", "positive"]'),
        ('"contracts.domino.payout[3]"', "0"),
        ('["doubling", "contracts.hearts.lead_ban"]', '"none"'),
    ],
)
def test_a_reading_that_the_file_follows_is_accepted(
    tmp_path: Path, option: str, value: str
) -> None:
    reading = (
        f'[[readings]]\nissue = "x"\nwhy = "y"\nsource = "z"\noption = {option}\nvalue = {value}'
    )
    assert len(load_variant(extended(tmp_path, reading)).readings) == 1
