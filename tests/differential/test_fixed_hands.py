"""Games on hands that are given: the engine, the engine in step and the slow twin play alike."""

import numpy as np
import numpy.typing as npt
import pytest

import strategies
from engine_ext.batch import GameRecords, Rules, Strategy, deal_hands, play_games
from engine_ext.build import load
from engine_ext.cards import WORD, cards_in
from engine_ext.reference.cards import Card
from engine_ext.reference.game import play_game
from engine_ext.reference.players import RandomTwin
from engine_ext.reference.streams import run_key
from engine_ext.rules.load import load_variant
from strategies.testing import BASE_VARIANTS
from tests.differential.numbers import Numbers, assert_same

Random = load("strategies.random").Random
KEY, OTHER = run_key(11), run_key(12)
VARIANTS = (*BASE_VARIANTS, "barbu_king_br_6", "barbu_king_br_tiebreak", "barbu_king_br_honour")
"""One pack and two; deals behind the schedule, for ties and after revokes."""

Hands = npt.NDArray[np.uint64]


def of_key(rules: Rules, key: tuple[int, int], n_blocks: int, n_deals: int) -> Hands:
    """Return the hands that a key deals, by block and deal."""
    blocks = np.arange(n_blocks, dtype=np.uint64)
    each = [deal_hands(rules, key=key, blocks=blocks, deal=deal) for deal in range(n_deals)]
    return np.ascontiguousarray(np.stack(each, axis=1))


def played(
    rules: Rules, hands: Hands | None, n_games: int, *who: Strategy, tables: int = 1024
) -> GameRecords:
    """Games of blocks 0, 1, ..., the last one first, so that no block is its game's number."""
    seats = rules.numbers.seats
    return play_games(
        rules,
        who,
        key=KEY,
        blocks=np.arange(n_games, dtype=np.uint64)[::-1],
        seating=np.tile(np.arange(seats, dtype=np.uint8) % len(who), (n_games, 1)),
        hands=hands,
        log=True,
        tables=tables,
    )


def same(one: GameRecords, other: GameRecords) -> bool:
    """Tell whether all was played alike, move for move."""
    assert one.deals.moves is not None
    assert other.deals.moves is not None
    return (
        one.score.tolist() == other.score.tolist()
        and one.n_deals.tolist() == other.n_deals.tolist()
        and one.deals.items.tolist() == other.deals.items.tolist()
        and one.deals.moves.tobytes() == other.deals.moves.tobytes()
    )


def for_twin(names: Numbers, deals: Hands) -> list[list[list[Card]]]:
    """Return the deals of one block by the twin's names of cards."""
    number = {names.card(card): card for card in names.pack.cards}
    words = deals.reshape(*deals.shape[:2], -1).tolist()
    return [
        [[number[c] for c in cards_in(sum(w << WORD * i for i, w in enumerate(h)))] for h in hands]
        for hands in words
    ]


@pytest.mark.parametrize("name", VARIANTS)
def test_engine_and_twin_play_given_hands_alike(name: str) -> None:
    """All deals of the schedule are given but the last one, which comes from the key."""
    variant, n_games = load_variant(name), 3
    rules = Rules(variant)
    hands = of_key(rules, OTHER, n_games, rules.numbers.n_deals - 1)
    records = played(rules, hands, n_games, Random())
    for game in range(n_games):
        block = n_games - 1 - game
        twin = play_game(
            variant,
            [RandomTwin()] * variant.seats,
            key=KEY,
            block=block,
            fixed=for_twin(Numbers(variant), hands[block]),
        )
        assert_same(variant, records, game, twin)
    assert not same(records, played(rules, None, n_games, Random()))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_hands_of_the_key_given_are_the_games_of_the_key(name: str) -> None:
    rules = Rules(load_variant(name))
    hands = of_key(rules, KEY, 2, rules.numbers.n_deals)
    for who in (["random.v1"], ["random.v1", "lowest_batch.v1"]):
        players = [strategies.create(one) for one in who]
        assert same(played(rules, hands, 2, *players), played(rules, None, 2, *players))


@pytest.mark.parametrize("name", ["barbu_52_doubling", "barbu_king_br_6"])
def test_compiled_asked_and_batched_strategies_get_the_hands_given(name: str) -> None:
    """A batched strategy's games are another loop's, at any number of tables."""
    rules = Rules(load_variant(name))
    hands = of_key(rules, OTHER, 5, rules.numbers.n_deals)
    names = ("lowest.v1", "lowest_batch.v1", "random.v1")
    asked, batched, drawn = (strategies.create(name) for name in names)
    plainly = played(rules, hands, 5, asked, drawn)
    assert same(plainly, played(rules, hands, 5, batched, drawn))
    assert same(plainly, played(rules, hands, 5, batched, drawn, tables=2))


def test_a_turn_turns_the_hands_given() -> None:
    rules = Rules(load_variant("king_ru_fixed14"))
    hands = of_key(rules, OTHER, 1, rules.numbers.n_deals)

    def scores(given: Hands, turn: int) -> list[int]:
        games = play_games(
            rules,
            [strategies.create("duck.v1")],
            key=KEY,
            blocks=np.zeros(1, np.uint64),
            seating=np.zeros((1, 4), np.uint8),
            turns=np.array([turn], np.uint8),
            hands=given,
        )
        return [int(score) for score in games.score[0]]

    rolled = np.ascontiguousarray(np.roll(hands, -1, axis=2))
    assert scores(hands, 1) == scores(rolled, 0) != scores(hands, 0)


def test_hands_that_do_not_fit_are_refused() -> None:
    rules = Rules(load_variant("king_ru_fixed14"))
    hands = of_key(rules, OTHER, 2, 14)
    twice = hands.copy()
    twice[1, 13, 0] = twice[1, 13, 1]
    uneven = hands.copy()
    card = int(uneven[0, 3, 2]) & -int(uneven[0, 3, 2])
    uneven[0, 3, 2] -= np.uint64(card)
    uneven[0, 3, 1] += np.uint64(card)
    wrong = {
        "block 2: hands are given for 2 blocks": (hands, 3),
        "hands of block 1, deal 13: not the whole pack": (twice, 2),
        "hands of block 0, deal 3: not the whole pack": (uneven, 2),
        "want uint64 \\(blocks, deals, \\*\\(4,\\)\\)": (hands[:, :, :3], 2),
        "hands of 0 deals: want 1 to 14": (hands[:, :0], 2),
    }
    for message, (given, n_games) in wrong.items():
        with pytest.raises(ValueError, match=message):
            played(rules, given, n_games, strategies.create("duck.v1"))
