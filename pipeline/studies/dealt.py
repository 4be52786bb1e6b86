"""The hands that were dealt, dealt once more: a run keeps those of declarers only."""

import numpy as np
import polars as pl

from engine_ext.batch import Rules, deal_hands
from engine_ext.cards import LANE, Pack
from engine_ext.seeds import run_key
from pipeline.stats.sets import Ints
from pipeline.studies.designs import declared
from pipeline.studies.study import Study


def held_at(study: Study, places: pl.DataFrame) -> Ints:
    """(places, suits, ranks): how many copies of each card is in the hand of the role ``who`` in
    deal ``step`` of each ``block``; of a study that has declarers."""
    rules, pack, key = Rules(study.rules), Pack(study.rules.deck), run_key(study.seed)
    block, step, who = (places[name].to_numpy() for name in ("block", "step", "who"))
    suits, ranks = np.arange(len(pack.suits)), np.arange(len(pack.ranks))
    card = (LANE * suits[:, None] + ranks).astype(np.uint64)
    out = np.zeros((len(places), *card.shape), np.int64)
    deals = declared(study.numbers)
    for one in np.unique(step).tolist():
        at = np.flatnonzero(step == one)
        blocks, which = np.unique(block[at].astype(np.uint64), return_inverse=True)
        hands = deal_hands(rules, key=key, blocks=blocks, deal=deals[one].deal)
        seat = (deals[one].declarer + who[at].astype(np.int64)) % study.rules.seats
        # The last axis: copies of the pack.
        mine = hands.reshape(*hands.shape[:2], -1)[which, seat]
        out[at] = (mine[:, :, None, None] >> card & np.uint64(1)).sum(axis=1)
    return out
