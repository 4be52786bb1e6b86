"""A tournament on the cards of a file: the same cards, whatever was played; mistakes in a line."""

import re
from pathlib import Path
from typing import Any

import pytest

from engine_ext.errors import UserError
from engine_ext.record import Record
from engine_ext.record_game import write_game
from engine_ext.rules.load import load_variant
from engine_ext.rules.resolve import resolve
from pipeline.config import ConfigError, NamedVariant, RunConfig
from pipeline.derived import run_id
from pipeline.fixed_deals import MOST_DEALS
from pipeline.replay import Replayer
from pipeline.run_file import load_run
from pipeline.store import Run
from pipeline.verify import verify
from reports.basis import basis
from reports.reading import opened
from reports.survey import survey
from tests.runs import cut_into, entrants, played, small

RUN = """
title = "on given deals"
seed = {seed}
variants = ["{variant}"]
deals = "evening.records"
design = "gauntlet"
streams = "independent"
entrants = [{{ strategy = "{first}" }}, {{ strategy = "random.v1" }}]
"""
HANDS = "AC KC QC JC TC 9C 8C 7C | AD KD QD JD TD 9D 8D 7D | AH KH QH JH TH 9H 8H 7H | "
HANDS += "AS KS QS JS TS 9S 8S 7S"
"""A deal of 32 cards."""
GAME = "variant barbu_fr_reussite\n" + "\n---\n".join([f"hands {HANDS}"] * 28) + "\n"
"""As many of them as a game has."""


def run_file(
    folder: Path,
    variant: str = "barbu_fr_reussite",
    *more: str,
    seed: int = 7,
    first: str = "duck.v1",
) -> Path:
    path = folder / "run.toml"
    said = RUN.format(variant=variant, seed=seed, first=first) + "\n".join(more)
    path.write_text(said, "utf-8")
    return path


def seeded(variant: str | NamedVariant, first: str = "duck.v1", blocks: int = 3) -> RunConfig:
    """The same run on the cards of its seed."""
    who = entrants(first, "random.v1")
    how: dict[str, Any] = {"design": "gauntlet", "lineups": (), "streams": "independent"}
    return small((variant,), blocks=blocks, entrants=who, title="on given deals", **how)


def evening(folder: Path, there: Run, rotation: int = 0) -> list[Record]:
    """Write one game of each block into a file, and return all its deals."""
    replayer = Replayer(there, None)
    games = [replayer.play(block, 0, rotation) for block in range(there.manifest.config.blocks)]
    text = "".join(write_game(game.records) for game in games)
    (folder / "evening.records").write_text(text, "utf-8")
    return [record for game in games for record in game.records]


@pytest.mark.parametrize(
    ("variant", "first"),
    [
        ("barbu_52_doubling", "duck.v1"),
        ("king_ru_fixed14", "duck.v1"),
        ("barbu_fr_reussite", "duck.v1"),
        ("barbu_king_br_3", "duck.v1"),
        ("barbu_king_br_tiebreak", "lowest.v1"),
    ],
)
def test_the_cards_of_a_seed_from_a_file_give_the_seed_s_digest(
    tmp_path: Path, variant: str, first: str
) -> None:
    there, result = played(seeded(variant, first), tmp_path / "seeded")
    deals = evening(tmp_path, there, rotation=1)
    config = load_run(run_file(tmp_path, variant, first=first))
    assert config.blocks == 3
    assert config.dealt is not None
    assert len(config.dealt.split()) == 3 * resolve(config.variants[0].rules).n_deals
    assert len(deals) >= len(config.dealt.split())
    assert played(config, tmp_path / "given")[1].digest == result.digest


def test_deals_behind_the_schedule_are_left_out_and_come_from_the_seed(tmp_path: Path) -> None:
    """What was stopped by a revoke is played again, so that a game has more deals; the variant
    is a file beside the records."""
    rules = tmp_path / "again.toml"
    text = 'extends = "barbu_king_br_honour"\ntitle = "again"\n[legality]\nthen = "replay_deal"\n'
    rules.write_text(text, "utf-8")
    again = NamedVariant(name="again", rules=load_variant(rules))
    there, result = played(seeded(again, "slips.v1(revoke=0.3)"), tmp_path / "seeded")
    deals = evening(tmp_path, there)
    config = load_run(run_file(tmp_path, "again.toml", first="slips.v1(revoke=0.3)"))
    assert config.dealt is not None
    assert len(deals) > len(config.dealt.split()) == 3 * 8
    assert played(config, tmp_path / "given")[1].digest == result.digest


def test_the_cards_come_from_the_file_and_the_draws_from_the_seed(tmp_path: Path) -> None:
    there, _ = played(seeded("barbu_52_doubling"), tmp_path / "seeded")
    written = evening(tmp_path, there)
    digests = set()
    for seed in (7, 8):
        folder = tmp_path / str(seed)
        again, result = played(load_run(run_file(tmp_path, "barbu_52_doubling", seed=seed)), folder)
        assert verify(again).ok
        shown = [r for block in range(3) for r in Replayer(again, None).play(block, 0, 2).records]
        assert [r.position.hands for r in shown] == [r.position.hands for r in written]
        digests.add(result.digest)
    assert len(digests) == 2


def test_workers_and_shards_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there, _ = played(seeded("king_ru_fixed14", blocks=5), tmp_path / "seeded")
    evening(tmp_path, there)
    path = run_file(tmp_path, "king_ru_fixed14", first="lowest.v1")
    config = load_run(path)
    one = played(config, tmp_path / "one")[1]
    monkeypatch.setattr("pipeline.run.cut", lambda config, _: cut_into(config, 2))
    two = played(config, tmp_path / "two", executor="local", workers=1)[1]
    assert two.digest == one.digest


def test_two_packs_and_a_variant_with_the_same_pack(tmp_path: Path) -> None:
    """Two games of 14 deals are the cards of one of 28; cards alike stand for each other."""
    there, _ = played(seeded("king_ru_fixed14", blocks=2), tmp_path / "short")
    written = evening(tmp_path, there)
    again, _ = played(load_run(run_file(tmp_path, "barbu_fr_reussite")), tmp_path / "long")
    assert again.manifest.config.blocks == 1
    shown = Replayer(again, None).play(0, 0, 0).records
    assert [r.position.hands for r in shown] == [r.position.hands for r in written]

    there, _ = played(seeded("barbu_king_br_6", blocks=1), tmp_path / "six")
    written = evening(tmp_path, there)
    again, _ = played(load_run(run_file(tmp_path, "barbu_king_br_6")), tmp_path / "sixth")
    shown = Replayer(again, None).play(0, 0, 0).records
    assert [r.position.hands for r in shown] == [r.position.hands for r in written]


def test_fewer_blocks_are_the_first_of_the_file(tmp_path: Path) -> None:
    there, _ = played(seeded("king_ru_fixed14"), tmp_path / "seeded")
    evening(tmp_path, there)
    every = load_run(run_file(tmp_path, "king_ru_fixed14"))
    some = load_run(run_file(tmp_path, "king_ru_fixed14", "blocks = 2"))
    assert some.blocks == 2
    assert some.dealt is not None
    assert every.dealt is not None
    assert some.dealt.split() == every.dealt.split()[: 2 * 14]
    with pytest.raises(ConfigError, match=r"blocks: 4, but evening\.records has deals for 3"):
        load_run(run_file(tmp_path, "king_ru_fixed14", "blocks = 4"))


def test_a_stop_rule_looks_no_further_than_the_file(tmp_path: Path) -> None:
    """The file says how many blocks there are, also for what must not be above that number."""
    (tmp_path / "evening.records").write_text("---\n".join([GAME] * 16), "utf-8")
    stop = 'stop = {{ rule = "decided", look = {} }}'
    assert load_run(run_file(tmp_path, "barbu_fr_reussite", stop.format(16))).blocks == 16
    with pytest.raises(ConfigError, match=r"stop\.look: 17 is more than all 16 blocks"):
        load_run(run_file(tmp_path, "barbu_fr_reussite", stop.format(17)))


def test_what_was_played_is_not_looked_at(tmp_path: Path) -> None:
    """Contracts of other rules, impossible tricks, wrong points: only the hands count."""
    deal = f"contract nonsense\nhands {HANDS}\ntrick P0: 9S AC AC AC\npoints 1 2\n"
    text = "variant barbu_fr_reussite\n" + "---\n".join([deal] * 28)
    (tmp_path / "evening.records").write_text(text, "utf-8")
    config = load_run(run_file(tmp_path))
    assert config.dealt == " ".join(["0" * 8 + "1" * 8 + "2" * 8 + "3" * 8] * 28)


def spoiled(old: str, new: str, deal: int = 0) -> str:
    """The game with one thing changed in one deal."""
    parts = GAME.split("---")
    assert old in parts[deal]
    parts[deal] = parts[deal].replace(old, new)
    return "---".join(parts)


def numbered(*numbers: int) -> str:
    deals = "---\n".join(f"deal {n}\nhands {HANDS}\n" for n in numbers)
    return f"variant barbu_fr_reussite\n{deals}"


MISTAKES = {
    "a card twice": (spoiled("7S", "AC", 3), "line 8: hands: AC stands in P0's hand and in P3's"),
    "no card": (spoiled("7S", "2S", 1), 'line 4: hands: "2S" is no card of this pack'),
    "a short hand": (
        spoiled(" 8S 7S", "", 27),
        "line 56: hands: P3 holds 6 cards (want all 8, as dealt)",
    ),
    "three hands": (spoiled("| AS KS QS JS TS 9S 8S 7S", ""), "line 2: hands: 3 hands, want 4"),
    "no hands": (spoiled(f"hands {HANDS}", "deal 3", 2), "line 5: this deal has no hands line"),
    "no variant": (spoiled("variant barbu_fr_reussite\n", ""), "line 1: the first deal does not"),
    "another pack": (
        spoiled("barbu_fr_reussite", "barbu_52_doubling"),
        "line 1: variant: barbu_52_doubling has another pack than barbu_fr_reussite, 52 cards "
        "(want the same 32)",
    ),
    "an unknown variant": (spoiled("barbu_fr_reussite", "thursday"), "line 1: variant: "),
    "a deal too few": (GAME.rsplit("---", 1)[0], "27 deals, a game of barbu_fr_reussite has 28"),
    "a deal left out": (numbered(1, 2, 4), "line 8: deal: 4 behind deal 2 of 28 (want deal 3)"),
    "the middle of a game": (numbered(5), "line 2: deal: 5 first (want deal 1)"),
    "a game broken off": (numbered(1, 2, 1), "deal: 1 behind deal 2 of 28 (want deal 3)"),
    "nothing": ("# nobody came\n", "line 1: the first deal does not say its variant"),
    "a sheet": ("variant hearts\nplayers A B C D\n", "a score sheet does not say who held"),
    "no keyword": (spoiled("hands", "hnads", 1), 'line 4: "hnads" is no keyword'),
    "too many": (
        "variant hearts\n" + "points 0\n---\n" * (MOST_DEALS + 1),
        "20,001 deals (at most 20,000)",
    ),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_in_the_file_is_told_in_one_line(tmp_path: Path, what: str) -> None:
    text, message = MISTAKES[what]
    (tmp_path / "evening.records").write_text(text, "utf-8")
    path = run_file(tmp_path)
    with pytest.raises(ConfigError) as found:
        load_run(path)
    said = str(found.value)
    assert said.startswith(f"{path}: deals: {tmp_path / 'evening.records'}")
    assert message in said
    assert "\n" not in said


def test_deals_are_for_tournaments_of_one_variant(tmp_path: Path) -> None:
    (tmp_path / "evening.records").write_text(GAME, "utf-8")
    path = run_file(tmp_path)
    good = path.read_text("utf-8")
    wrong = {
        "deals: only for one variant, not 2": good.replace('ite"]', 'ite", "hearts"]'),
        "deals: only for tournaments, not design 'value'": good.replace(
            '"gauntlet"\nstreams = "independent"', '"value"'
        ),
        "evening.txt: no such file or directory": good.replace("evening.records", "evening.txt"),
        "blocks: missing": good.replace('deals = "evening.records"\n', ""),
        "deals: must be text in quotes, not 3": good.replace('"evening.records"', "3"),
        "dealt: unknown key": good + 'dealt = "0123"\n',
    }
    for message, text in wrong.items():
        path.write_text(text, "utf-8")
        with pytest.raises(UserError, match=re.escape(message)):
            load_run(path)


def test_hands_in_a_manifest_that_were_spoiled_are_noticed(tmp_path: Path) -> None:
    (tmp_path / "evening.records").write_text(GAME, "utf-8")
    config = load_run(run_file(tmp_path))
    said = config.model_dump()
    assert RunConfig.model_validate_json(config.model_dump_json()) == config
    assert config.dealt is not None
    wrong: dict[str, dict[str, Any]] = {
        "deal 0 does not say who of 4 seats": {"dealt": f"1{config.dealt[1:]}"},
        "27 deals make no whole games of 28": {"dealt": config.dealt.rsplit(" ", 1)[0]},
        "dealt: hands of 1 blocks, want 2": {"blocks": 2},
        "dealt: only for tournaments": {"design": "seats", "streams": "common"},
    }
    for message, changes in wrong.items():
        with pytest.raises(ValueError, match=message):
            RunConfig.model_validate(said | changes)


def test_given_deals_make_another_run_and_no_deals_the_run_that_it_was(tmp_path: Path) -> None:
    (tmp_path / "evening.records").write_text(GAME, "utf-8")
    given, same = load_run(run_file(tmp_path)), seeded("barbu_fr_reussite", blocks=1)
    assert given.model_copy(update={"dealt": None}) == same
    assert run_id(given) != run_id(same)
    assert "dealt" not in same.model_dump_json(exclude={"dealt"})


def test_a_report_says_that_deals_were_given_and_promises_no_new_ones(tmp_path: Path) -> None:
    (tmp_path / "evening.records").write_text(GAME, "utf-8")
    played(load_run(run_file(tmp_path)), tmp_path / "run")
    with opened(tmp_path / "run") as reading:
        found = basis(survey([reading])[0])
    assert "in 1 block on given deals, seed 7" in found.rests
    assert len(found.commands) == 1
