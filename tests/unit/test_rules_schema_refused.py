"""What the schema of variants refuses, and the exact line that says so."""

from pathlib import Path

import pytest

from engine_ext.errors import RuleError
from engine_ext.rules.load import load_variant
from tests.unit.rule_files import TINY, changed, extended, write

CHANGES = [
    # wrong types
    ("seats = 4", 'seats = "4"', 'seats: must be a whole number, not "4"'),
    ("seats = 4", "seats = 4.0", "seats: must be a whole number, not 4.0"),
    ("seats = 4", "seats = true", "seats: must be a whole number, not true"),
    (
        "seats = 4",
        "seats = 2024-01-01",
        "seats: dates and numbers without end are no values of any key",
    ),
    ("seats = 4", "seats = nan", "seats: dates and numbers without end are no values of any key"),
    ('title = "Tiny"', "title = 5", "title: must be text in quotes, not 5"),
    ('title = "Tiny"', 'title = ["a"]', 'title: must be text in quotes, not ["a"]'),
    ('title = "Tiny"', 'title = ""', "title: must not be empty"),
    ("[3, 2, 1, 0]", "3", "contracts.domino.payout: must be a list, not 3"),
    (
        "[3, 2, 1, 0]",
        "[3, 2, 1.5, 0]",
        "contracts.domino.payout[2]: must be a whole number, not 1.5",
    ),
    (
        "[3, 2, 1, 0]",
        '[3, 2, "1", 0]',
        'contracts.domino.payout[2]: must be a whole number, not "1"',
    ),
    (
        '{ suits = ["H"] }',
        '"hearts"',
        'contracts.hearts.terms[0].of: must be a table, not "hearts"',
    ),
    (
        '[{ per = "trick", points = -2 }]',
        '{ per = "trick", points = -2 }',
        "contracts.tricks.terms: must be a list, not a table",
    ),
    (
        "{ tricks = 1, hearts = 1, trumps = 1, domino = 1 }",
        "4",
        "schedule.uses: must be a table, not 4",
    ),
    # numbers out of range
    ("seats = 4", "seats = 11", "seats: must be at most 10, not 11"),
    ("dealership = 2", "dealership = 0", "schedule.dealership: must be at least 1, not 0"),
    ("hearts = 1,", "hearts = 9,", "schedule.uses.hearts: must be at most 8, not 9"),
    (
        "[3, 2, 1, 0]",
        "[3, 2, 1, 1000000]",
        "contracts.domino.payout[3]: must be at most 100000, not 1000000",
    ),
    (
        "[3, 2, 1, 0]",
        f"[{10**30}, 0, 0, 0]",
        "contracts.domino.payout[0]: must be at most 100000, not 1000000000000000000000000000000",
    ),
    # missing keys
    ('direction = "clockwise"\n', "", 'direction: missing ("clockwise" or "counter_clockwise")'),
    (
        'passing = "must_play"\n',
        "",
        'contracts.domino.passing: missing ("must_play" or "may_pass" or "limited")',
    ),
    ("points = -2, name", "name", "contracts.hearts.terms[0].points: missing"),
    ('[schedule]\nkind = "choice"', "[schedule]", "schedule: kind is missing"),
    ('{ per = "trick", points', "{ points", "contracts.tricks.terms[0]: per is missing"),
    # unknown keys
    ("objective =", "objektive =", 'objektive: unknown key (did you mean "objective"?)'),
    ("payout =", "pay_out =", 'contracts.domino.pay_out: unknown key (did you mean "payout"?)'),
    (
        "points = -2, name",
        "value = -2, points = -2, name",
        "contracts.hearts.terms[0].value: unknown key (known: per, of, points, name)",
    ),
    (
        '{ suits = ["H"] }',
        '{ suit = ["H"] }',
        'contracts.hearts.terms[0].of.suit: unknown key (did you mean "suits"?)',
    ),
    (
        'passing = "must_play"',
        'passing = "must_play"\nlayout = 1',
        'contracts.domino.layout: unknown key (did you mean "payout"?)',
    ),
    # words that are not among the allowed
    (
        '"clockwise"',
        '"left"',
        'direction: must be "clockwise" or "counter_clockwise", not "left"',
    ),
    (
        'passing = "must_play"',
        "passing = 1",
        'contracts.domino.passing: must be "must_play", "may_pass" or "limited", not 1',
    ),
    (
        'kind = "choice"',
        'kind = "auction"',
        'schedule: kind must be "fixed" or "choice", not "auction"',
    ),
    (
        'kind = "layout"',
        'kind = "domino"',
        'contracts.domino: kind must be "trick" or "layout", not "domino"',
    ),
    (
        'per = "card"',
        'per = "heart"',
        'contracts.hearts.terms[0]: per must be "trick" or "card" or "trick_at", not "heart"',
    ),
    (
        "payout =",
        "start = 7\npayout =",
        'contracts.domino.start: must be "any_rank" or a list of ranks, not 7',
    ),
    (
        "payout =",
        'start = [7, "8"]\npayout =',
        'contracts.domino.start: must be "any_rank" or a list of ranks, not [7, "8"]',
    ),
    # names and lengths
    (
        'name = "hearts"',
        'name = "Hearts"',
        'contracts.hearts.terms[0].name: must be a lower-case name (letters, digits, _), not "Hearts"',
    ),
    (
        "[contracts.domino]",
        '[contracts."Domino!"]',
        'contracts.Domino!: must be a lower-case name (letters, digits, _), not "Domino!"',
    ),
    (
        '["7", "8", "9", "T", "J", "Q", "K", "A"]',
        '["A"]',
        "deck.ranks: must have at least 2 entries, not 1",
    ),
    (
        "ranks =",
        'suits = ["A","B","C","D","E"]\nranks =',
        "deck.suits: must have at most 4 entries, not 5",
    ),
    (
        "{ tricks = 1, hearts = 1, trumps = 1, domino = 1 }",
        "{}",
        "schedule.uses: must have at least 1 entries, not 0",
    ),
]


@pytest.mark.parametrize(("old", "new", "line"), CHANGES, ids=[line for _, _, line in CHANGES])
def test_the_line_names_key_and_value_and_what_is_right(
    tmp_path: Path, old: str, new: str, line: str
) -> None:
    path = changed(tmp_path, old, new)
    with pytest.raises(RuleError) as refused:
        load_variant(path)
    assert str(refused.value) == f"{path}: {line}"


@pytest.mark.parametrize(
    ("reading", "line"),
    [
        (
            'option = "seats"\nvalue = 4.5',
            "readings[0].value: must be text, a whole number, true or false, or a list of one of "
            "these, not 4.5",
        ),
        ('option = "seats"', "readings[0].value: missing"),
        ("option = 3\nvalue = 4", "readings[0].option: must be a key or a list of keys, not 3"),
        ("option = []\nvalue = 4", "readings[0].option: must be a key or a list of keys, not []"),
    ],
)
def test_a_reading_of_the_wrong_form_is_refused(tmp_path: Path, reading: str, line: str) -> None:
    path = extended(tmp_path, f'[[readings]]\nissue = "x"\nwhy = "y"\nsource = "z"\n{reading}')
    with pytest.raises(RuleError) as refused:
        load_variant(path)
    assert str(refused.value) == f"{path}: {line}"


def test_more_than_32_contracts_are_refused(tmp_path: Path) -> None:
    contract = 'kind = "trick"\ntitle = "x"\ntone = "mixed"\nsource = "x"\nterms = []\n'
    more = "".join(f"[contracts.c{i}]\n{contract}" for i in range(29))
    path = write(tmp_path, TINY + more)
    with pytest.raises(RuleError) as refused:
        load_variant(path)
    assert str(refused.value) == f"{path}: contracts: must have at most 32 entries"
