"""House rules: a file that extends another, changes it, and says so."""

import json
from pathlib import Path

import pytest

from engine_ext.errors import RuleError
from engine_ext.rules.load import load_base, load_lineage, load_variant
from engine_ext.rules.show import show
from engine_ext.rules.spec import Reading, Variant
from engine_ext.rules.totals import check
from pipeline.cli import main
from tests.unit.rule_files import TINY, extended, write

PAYOUT = "[contracts.domino]\npayout = [40, 25, 10, -10]\n"
QUEENS = (
    "[contracts.queens]\ntotal = -40\n"
    'terms = [{ per = "card", of = { ranks = ["Q"] }, points = -10, name = "queens" }]\n'
)


def house(folder: Path, text: str, parent: str = "barbu_52_doubling") -> Path:
    return write(folder, f'extends = "{parent}"\ntitle = "Thursdays"\n{text}', "house.toml")


def of_key(variant: Variant, key: str) -> list[Reading]:
    return [r for r in variant.readings if r.option == key or key in r.option]


def told(path: Path) -> str:
    """Return the rules in words, on one line."""
    variant, *ancestors = load_lineage(path)
    return " ".join(show(variant, ancestors, load_base(path)).split())


def test_a_changed_option_turns_its_reading_into_a_note(tmp_path: Path) -> None:
    parent = load_variant("barbu_52_doubling")
    child = load_variant(house(tmp_path, PAYOUT))
    (note,) = of_key(child, "contracts.domino.payout")
    assert note.value == (40, 25, 10, -10)
    assert note.why.startswith("House rule: this file changes it; ")
    assert note.why.endswith("has [45, 20, 5, -5].")
    assert (note.issue, note.source) == ("2.35", "house rule")
    assert len(child.readings) == len(parent.readings)
    assert [r for r in child.readings if r != note] == list(parent.readings[1:])


def test_a_childs_own_reading_replaces_the_inherited_one(tmp_path: Path) -> None:
    own = (
        '[[readings]]\nissue = "club"\noption = "contracts.domino.payout"\n'
        'value = [40, 25, 10, -10]\nwhy = "We like it."\nsource = "club book"\n'
    )
    child = load_variant(house(tmp_path, PAYOUT + own))
    (reading,) = of_key(child, "contracts.domino.payout")
    assert (reading.why, reading.source) == ("We like it.", "club book")
    assert len(child.readings) == len(load_variant("barbu_52_doubling").readings)


def test_a_childs_own_false_reading_is_refused_with_its_own_number(tmp_path: Path) -> None:
    own = '[[readings]]\nissue = "x"\noption = "seats"\nvalue = 3\nwhy = "y"\nsource = "z"\n'
    with pytest.raises(RuleError, match=r"readings\[0\]\.value: says 3, but seats is 4"):
        load_variant(house(tmp_path, own))


def test_a_reading_of_several_keys_loses_only_the_changed_one(tmp_path: Path) -> None:
    child = load_variant(house(tmp_path, 'contracts.king.early_end = "never"\n'))
    hearts, king = (of_key(child, f"contracts.{name}.early_end") for name in ("hearts", "king"))
    assert [(r.value, r.why[:8]) for r in hearts] == [("when_decided", "Not told")]
    assert [(r.value, r.why[:10]) for r in king] == [("never", "House rule")]


def test_a_reading_that_a_table_is_absent_is_told_by_what_the_child_puts_there(
    tmp_path: Path,
) -> None:
    ban = 'contracts.hearts.lead_ban = { cards = { suits = ["H"] } }\n'
    child = load_variant(house(tmp_path, ban, "barbu_fr_reussite"))
    (note,) = of_key(child, "contracts.hearts.lead_ban.cards.suits")
    assert note.value == ("H",)
    assert note.why == (
        'House rule: this file changes it; "Barbu with réussite (France)" has "none".'
    )
    assert check(child).ok


def test_a_reading_of_a_changed_rule_goes_where_the_child_reads_that_rule_under_another_key(
    tmp_path: Path,
) -> None:
    text = (
        '[contracts.king]\nlead_ban = { cards = { suits = ["H"], cards = [] } }\n'
        '[[readings]]\nissue = "2.44"\noption = "contracts.king.lead_ban.cards.suits"\n'
        'value = ["H"]\nwhy = "All hearts."\nsource = "club"\n'
    )
    child = load_variant(house(tmp_path, text))
    assert [r.why for r in child.readings if "2.44" in r.issue] == ["All hearts."]
    # A rule that stays as it was keeps its reading, though another of its keys is read anew.
    text = (
        '[[readings]]\nissue = "x"\noption = "contracts.king.lead_ban.until"\n'
        'value = "nothing_else"\nwhy = "For ever."\nsource = "club"\n'
    )
    child = load_variant(house(tmp_path, text))
    assert [r.source for r in of_key(child, "contracts.king.lead_ban.cards.cards")] == ["004 D9"]


def test_a_house_is_held_against_the_shipped_variant_it_changes_not_what_that_one_extends(
    tmp_path: Path,
) -> None:
    text = "contracts.queens.total = 40\ncontracts.salad.total = 270\n"
    queens = '[{ per = "card", of = { ranks = ["Q"] }, points = 10, name = "queens" }]'
    path = house(tmp_path, f"{text}contracts.queens.terms = {queens}\n", "barbu_king_br_3")
    base = load_base(path)
    assert base is not None
    assert base.title == "Barbu King (Brazil), three players"
    words = told(path)
    assert 'Avoid queens ("Evitar Damas"), negative, house rule' in words
    assert 'Domino ("Dominó"), mixed The player' in words
    assert "- seats" not in words
    second = write(tmp_path, 'extends = "house.toml"\ntitle = "Fridays"\n', "friday.toml")
    assert load_base(second) == base
    assert load_base("barbu_king_br_3") is None
    assert load_base(write(tmp_path, TINY)) is None


def test_readings_and_totals_of_what_was_taken_away_go_with_it(tmp_path: Path) -> None:
    text = (
        'doubling = "none"\ncontracts.domino = "none"\ncontracts.trumps.trump = "drawn"\n'
        '[schedule]\nkind = "fixed"\nleader = "dealer"\nsequence = ["tricks", "queens"]\n'
    )
    child = load_variant(house(tmp_path, text))
    keys = " ".join(str(reading.option) for reading in child.readings)
    assert "doubling" not in keys
    assert "domino" not in keys
    assert "schedule" not in keys
    assert "declarer" not in [claim.what for claim in child.claims]
    words = told(tmp_path / "house.toml")
    assert "- doubling: taken away" in words
    assert "- contracts.domino: taken away" in words
    assert '- contracts.trumps.trump = "drawn" (there "declarer")' in words


def test_an_empty_list_takes_all_that_is_inherited_away(tmp_path: Path) -> None:
    child = load_variant(house(tmp_path, "readings = []\nclaims = []\n"))
    assert (child.readings, child.claims) == ((), ())


def test_a_moved_total_is_the_files_doing_and_no_slip_of_the_document(tmp_path: Path) -> None:
    variant, *ancestors = load_lineage(house(tmp_path, QUEENS))
    result = check(variant, ancestors)
    assert result.ok
    assert [(c.what, c.comes_out) for c in result.claims if c.changed] == [
        ("contracts.queens", -40),
        ("declarer", -16),
    ]
    assert all(c.ok for c in result.claims if not c.changed)


def test_a_slip_of_the_document_stays_one_where_the_total_has_not_moved(tmp_path: Path) -> None:
    early = 'contracts.queens.early_end = "when_decided"\n'
    variant, *ancestors = load_lineage(house(tmp_path, early, "barbu_king_br"))
    false = [claim for claim in check(variant, ancestors).claims if not claim.ok]
    assert [(claim.what, claim.changed) for claim in false] == [("gross_positive", False)]


def test_a_childs_own_total_replaces_the_inherited_one(tmp_path: Path) -> None:
    own = '[[claims]]\nwhat = "contracts.queens"\nvalue = -40\nsource = "club book"\n'
    variant, *ancestors = load_lineage(house(tmp_path, QUEENS + own))
    (claim,) = [c for c in check(variant, ancestors).claims if c.what == "contracts.queens"]
    assert (claim.ok, claim.changed, claim.source) == (True, False, "club book")


def test_check_says_what_the_file_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(house(tmp_path, QUEENS))
    assert main(["rules", "check", path]) == 0
    out = capsys.readouterr().out
    assert "changed by this file: 004 D6 says -24, here -40 (contracts.queens).\n" in out
    assert "false" not in out
    assert main(["rules", "check", path, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["ok"] is True
    assert [c["what"] for c in answer["claims"] if c["changed"]] == ["contracts.queens", "declarer"]


def test_show_marks_what_differs_and_does_not_cite_the_document_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(house(tmp_path, QUEENS + PAYOUT))
    assert main(["rules", "show", path]) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    words = " ".join(out.split())
    assert '"Barbu with doubling (52 cards)" and changes these keys: - contracts.queens' in words
    assert "- contracts.queens.terms[0].points = -10 (there -6)" in words
    assert "- contracts.domino.payout = [40, 25, 10, -10] (there [45, 20, 5, -5])" in words
    assert 'No queens ("No hi ha Queens"), negative, house rule -10 for each queen.' in words
    assert "[queens: house rule; otherwise 004 D6]" in words
    assert "[tricks: 004 D5]" in words
    assert "From document 004, 52-card Barbu with doubling (dossier 1D), with house rules." in words
    assert "Of 7 printed totals 5 come out, 2 are changed by this file." in words
    assert "contracts.queens: changed by this file, there -24, here -40. [004 D6]" in words


def test_a_contract_changes_with_one_that_it_includes(tmp_path: Path) -> None:
    text = (
        "contracts.salad.total = 370\n[contracts.king]\ntotal = 160\nterms = "
        '[{ per = "card", of = { cards = ["KH"] }, points = 160, name = "king" }]\n'
    )
    contracts = load_variant(house(tmp_path, text, "barbu_king_br")).contracts
    assert contracts["salad"].source == "house rule; otherwise 000 A14; heart-lead ban A18"
    assert contracts["hearts"].source == "000 A11; heart-lead ban A18"


def test_points_that_change_with_an_included_contract_are_the_files(tmp_path: Path) -> None:
    text = 'contracts.tricks.terms = [{ per = "trick", points = -3 }]\n'
    contracts = load_variant(extended(tmp_path, text)).contracts
    assert contracts["trumps"].source == "house rule; otherwise made up"
    assert contracts["hearts"].source == "made up"


def test_a_changed_side_bet_is_not_the_documents(tmp_path: Path) -> None:
    doubling = load_variant(house(tmp_path, "doubling.duty = 3\n")).doubling
    assert doubling is not None
    assert doubling.source == "house rule; otherwise 004 D12-D18"


def test_a_source_of_the_childs_own_stands(tmp_path: Path) -> None:
    text = 'source = "club"\n' + QUEENS + 'source = "club, page 2"\n'
    child = load_variant(house(tmp_path, text))
    assert (child.source, child.contracts["queens"].source) == ("club", "club, page 2")


def test_another_title_alone_changes_no_rule(tmp_path: Path) -> None:
    path = house(tmp_path, 'contracts.queens.title = "Ladies"\n')
    parent, child = load_variant("barbu_52_doubling"), load_variant(path)
    assert child.source == parent.source
    assert child.readings == parent.readings
    assert child.contracts["queens"].source == "004 D6"
    assert "and changes no rule." in told(path)


def test_a_child_of_a_child_is_held_against_the_document(tmp_path: Path) -> None:
    house(tmp_path, QUEENS)
    path = write(tmp_path, 'extends = "house.toml"\ntitle = "Fridays"\n' + PAYOUT, "friday.toml")
    variant, *ancestors = load_lineage(path)
    assert [one.title for one in ancestors] == ["Thursdays", "Barbu with doubling (52 cards)"]
    assert variant.contracts["queens"].source == "house rule; otherwise 004 D6"
    assert variant.source.count("with house rules") == 1
    changed = [claim.what for claim in check(variant, ancestors).claims if claim.changed]
    assert changed == ["contracts.queens", "declarer"]
    again = 'extends = "house.toml"\n' + QUEENS.replace("-40", "-60").replace("-10", "-15")
    queens = load_variant(write(tmp_path, again, "again.toml")).contracts["queens"]
    assert queens.source == "house rule; otherwise 004 D6"
    words = told(path)
    assert "terms[0].points = -10 (there -6)" in words
    assert "payout = [40, 25, 10, -10] (there [45, 20, 5, -5])" in words


@pytest.mark.parametrize("text", ["[contracts.queen]\ntotal = -40\n", 'contracts.queen = "none"\n'])
def test_a_misspelt_contract_of_the_parent_is_answered_with_the_nearest(
    tmp_path: Path, text: str
) -> None:
    path = house(tmp_path, text)
    with pytest.raises(RuleError) as refused:
        load_variant(path)
    assert str(refused.value) == (
        f'{path}: contracts.queen: no contract of the parent (did you mean "queens"? '
        'A new one says kind = "trick" or kind = "layout")'
    )


def test_a_new_contract_without_its_kind_is_answered_with_the_kinds(tmp_path: Path) -> None:
    with pytest.raises(RuleError) as refused:
        load_variant(house(tmp_path, 'contracts.zz = { title = "Zz" }'))
    assert str(refused.value).endswith(
        'trumps, domino; a new one says kind = "trick" or kind = "layout")'
    )


def test_a_new_contract_says_all_it_lacks_at_once_and_needs_no_source(tmp_path: Path) -> None:
    text = '[contracts.sevens]\nkind = "trick"\n'
    with pytest.raises(RuleError) as refused:
        load_variant(house(tmp_path, text))
    assert str(refused.value).endswith("contracts.sevens.title: missing; so is tone")
    with pytest.raises(RuleError) as refused:
        load_variant(house(tmp_path, text + 'title = "No sevens"\n'))
    assert str(refused.value).endswith(
        'contracts.sevens.tone: missing ("negative" or "positive" or "mixed")'
    )
    text += 'title = "No sevens"\ntone = "negative"\nterms = [{ per = "trick", points = -1 }]\n'
    assert load_variant(house(tmp_path, text)).contracts["sevens"].source == "house rule"


def test_a_contract_that_no_deal_plays_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        '[contracts.tricks_at_last]\nkind = "trick"\ntitle = "Last"\ntone = "negative"\n'
        'terms = [{ per = "trick_at", tricks = [-1], points = -5, name = "at_last" }]\n'
    )
    idle = house(tmp_path, text)
    assert "No deal of the game plays this contract." in told(idle)
    assert main(["rules", "check", str(idle)]) == 0
    line = "contracts.tricks_at_last: no deal of the game plays it (schedule.uses says what is)."
    assert line in " ".join(capsys.readouterr().out.split())
    assert main(["rules", "check", str(idle), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unplayed"] == ["tricks_at_last"]
    played = house(tmp_path, "schedule.uses.tricks_at_last = 1\nschedule.dealership = 8\n" + text)
    assert "No deal of the game" not in told(played)
    assert main(["rules", "check", str(played)]) == 0
    assert "no deal of the game" not in capsys.readouterr().out


def test_an_inherited_total_that_moved_is_answered_with_the_new_one(tmp_path: Path) -> None:
    path = house(tmp_path, QUEENS.replace("total = -40\n", ""))
    with pytest.raises(RuleError, match=r"says -24, but -40 comes out \(want total = -40, or "):
        load_variant(path)


def test_a_new_contract_is_told_as_new(tmp_path: Path) -> None:
    text = (
        'schedule.uses.jacks = 1\nschedule.dealership = 8\n[contracts.jacks]\nkind = "trick"\n'
        'title = "No jacks"\ntone = "negative"\nsource = "club"\n'
        'terms = [{ per = "card", of = { ranks = ["J"] }, points = -5, name = "jacks" }]\n'
    )
    words = told(house(tmp_path, text))
    assert "- contracts.jacks: new - schedule.uses.jacks = 1 (new)" in words.replace(
        "- schedule.dealership = 8 (there 7) ", ""
    )
    assert "No jacks, negative, house rule" in words
