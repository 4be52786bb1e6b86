"""Which tests are asked about a mutant, and which of them first."""

import pytest

from engine_ext.rules.load import variant_names

KILLERS = {
    "by hand": [
        "tests/unit/test_streams.py",
        "tests/unit/test_two_packs.py",
        "tests/unit/test_stats_estimate.py",
        "tests/unit/test_stopping.py",
        "tests/unit/test_batched_strategies.py",
        "tests/unit/test_answers_of_sets.py",
        "tests/unit/test_python_strategies.py::test_memory_is_reset_at_each_game",
    ],
    "exact": [
        "tests/exact/test_perft.py",
        "tests/exact/test_tiny_decks.py",
        "tests/exact/test_settlement.py",
        "tests/exact/test_ledger.py",
    ],
    "golden": [
        "tests/golden/test_positions.py::test_a_position_has_the_outcome_it_claims",
        "tests/golden/test_places.py",
    ],
    "property": [
        "tests/property/test_owners.py",
        "tests/property/test_draws.py",
        "tests/property/test_hygiene.py",
        "tests/property/test_conservation.py::test_side_bets_pay_from_seat_to_seat",
        "tests/property/test_conservation.py::test_the_duty_of_two_doubles_is_kept_in_every_dealership",
    ],
    "twin": [
        "tests/differential/test_any_rules.py",
        "tests/differential/test_any_tricks.py",
        "tests/differential/test_honour_games.py",
        "tests/differential/test_mischief_games.py",
        "tests/differential/test_single_deals.py",
        "tests/differential/test_random_games.py::test_a_seat_that_decides_more_than_sixteen_times_draws_from_its_next_block",
    ],
    "signature": ["tests/golden/test_signature.py::test_the_engine_plays_as_the_signature_says"],
}
"""Tests by kind, in the order in which they are asked."""
VARIANTS = {
    "barbu_52_doubling", "barbu_fr_reussite", "barbu_king_br", "king_ru_fixed14", "yardstick",
    "barbu_king_br_6", "barbu_king_br_tiebreak", "barbu_52_two_rounds", "barbu_52_split",
    "king_ru_choice", "barbu_5", "hearts", "barbu_3_leaver",
}  # fmt: skip
"""Of a test that is asked for every variant: those that have all rules between them."""
FIRST = (
    "test_signature", "test_streams", "test_two_packs", "test_perft", "test_settlement",
    "test_places", "test_ledger", "every_foul_is_the_same[barbu_52_doubling",
    "every_foul_is_the_same[king_ru_choice", "every_foul_is_the_same[barbu_52_split",
    "every_foul_is_the_same[barbu_52_two_rounds", "domino_is_the_same[all_out", "tables_in_step",
    "on_both_sides[", "play_out_a_tie", "ties_in_a_game", "other_numbers_of_players",
    "settle_a_revoke",
)  # fmt: skip
"""What tells most in the least time is asked first, as long as nothing else is known."""
AIMED = {
    "table.pxd": "streams two_packs taken owners voids doubles any_rules is_the_same[barbu_52",
    "deal.pxd": "streams two_packs copies alike start_card drawn tiny_decks dealing worlds",
    "tricks.pxd": "two_bits foul_is_the_same[hearts case_ hearts_ reading_2_3 reading_2_4 trumps owners "
                  "tiny_decks perft",
    "trick_loop.pxd": "foul_is_the_same[hearts case_0 hearts_ owners tiny_decks other_numbers "
                      "stopped perft",
    "score_tricks.pxd": "last first sixth salad eralash tricks generale ledger tiny_decks moon",
    "any_tricks.pxd": "hearts_ reading_2_3 reading_2_44 reading_2_51 case_9 case_4 any_tricks ban "
                      "forced stopped perft",
    "honour.pxd": "two_bits case_2 revoke reading_2_0 reading_2_34 honour stopped",
    "revokes.pxd": "case_2 revoke reading_2_0 reading_2_34 honour",
    "layout.pxd": "two_bits case_1 case_2 case_3 case_6 reading_2_1 reading_2_2 reading_2_36 domino "
                  "layout stopped perft tiny_decks",
    "doubling.pxd": "doubl case_6 case_7 reading_2_38 reading_2_39 reading_2_40 reading_2_42 "
                    "split settlement duty rounds side",
    "game.pxd": "schedule case_3 case_4 case_5 case_67 case_87 reading_2_06 reading_2_2 reading_2_46 "
                "reading_2_50 tie places revoke step_revoke uses leaver choose- memory other_numbers "
                "hearts]",
    "packing.pxi": "ties_in reading_ hearts_ trumps case_ any_tricks any_rules",
    "course.pxi": "batched single_deals foul reading_2_06 case_3 tie honour stopped",
    "lockstep.pxi": "batched step single_deals trials",
    "kernel.pyx": "batched streams single_deals foul stopped",
    "stream.h": "streams draws sixteen_times",
    "pipeline/stats/estimate.py": "estimate",
}  # fmt: skip
"""Parts of the names of those tests that are about what a file does."""
LATELY = 2
"""So many of the tests that caught others of the same file go before them."""


def of_few_variants(item: pytest.Item) -> bool:
    """Whether a test is asked for one of the variants above, or for none."""
    params = getattr(getattr(item, "callspec", None), "params", {})
    return params.get("name", "barbu_5") in VARIANTS or params["name"] not in variant_names()


def place_in_first(item: pytest.Item) -> int:
    """Return how early a test is asked while nothing is known of it."""
    told = (place for place, name in enumerate(FIRST) if name in item.nodeid)
    return next(told, len(FIRST))


def kind_of(item: pytest.Item) -> str:
    """Return the kind that a test is of."""
    return next(
        kind
        for kind, places in KILLERS.items()
        if any(item.nodeid.startswith(place) for place in places)
    )


def aimed_at(file: str, item: pytest.Item) -> bool:
    """Whether a test is about what a file does."""
    words = AIMED.get(file.removeprefix("engine_ext/"), "").split()
    return any(word in item.nodeid for word in words)
