"""The cards of a deal as people write them: suit by suit, high cards first."""

import numpy as np

from engine_ext.batch import Rules, as_sets, deal_hands
from engine_ext.cards import Pack
from engine_ext.fixed import hands_of_text
from engine_ext.rules.spec import Variant
from engine_ext.seeds import run_key
from pipeline.config import RunConfig
from pipeline.studies.features import SYMBOLS

NONE = "\N{EM DASH}"
"""No card of a suit."""


class Dealt:
    """The hands of a run's deals, dealt once more or as they were given."""

    def __init__(self, config: RunConfig, rules: Variant) -> None:
        self._rules, self._pack = Rules(rules), Pack(rules.deck)
        self._key = run_key(config.seed)
        given = config.dealt
        self._given = None if given is None else hands_of_text(self._rules.numbers, given)

    def by_suit(self, block: int, deal: int) -> list[dict[str, str]]:
        """By seat and suit, the ranks that were dealt, high ones first: ``{"♠": "AQ2", ...}``."""
        # Deals that play out a tie come from the seed, whatever was given.
        if self._given is not None and deal < self._given.shape[1]:
            hands = self._given[block, deal]
        else:
            blocks = np.array([block], np.uint64)
            hands = deal_hands(self._rules, key=self._key, blocks=blocks, deal=deal)[0]
        return [self._suits(self._pack.named(hand)) for hand in as_sets(hands)]

    def _suits(self, cards: list[str]) -> dict[str, str]:
        found = {}
        for suit in reversed(self._pack.suits):
            own = [card[0] for card in cards if card[1] == suit]
            ranks = sorted(own, key=self._pack.ranks.index, reverse=True)
            found[SYMBOLS.get(suit, suit)] = "".join(ranks) or NONE
        return found
