"""What to change: the knobs, the rules in words, and what points add up to."""

import json
import re
from typing import NamedTuple

import polars as pl

from engine_ext.rules.diff import changes
from engine_ext.rules.totals import totals
from pipeline.tuning.file import Hold
from pipeline.tuning.outcome import Outcome
from reports.frames import frame
from reports.section import Answer, Listing, Tables
from reports.tuning.topic import stays
from reports.tuning.wording import said
from reports.words import MINUS, counted, listed, number

KNOBS = pl.Schema(
    {
        "knob": pl.Int64,
        "knob_title": pl.String,
        "keys": pl.String,
        "was": pl.String,
        "becomes": pl.String,
        "changed": pl.Boolean,
        "frozen": pl.Boolean,
    }
)
TOTALS = pl.Schema({"total": pl.String, "total_before": pl.Int64, "total_after": pl.Int64})
RULES = pl.Schema({"part": pl.String, "told_before": pl.String, "told_after": pl.String})
HYPHEN = re.compile(r"(?<!\w)-(?=\d)")
"""Before points, as rule files write them."""
ALWAYS = ("declarer", "game")
"""Totals that are shown whether they move or not."""


class Change:
    """Parent and winner side by side."""

    name = "change"
    title = "What to change"

    def missing(self, outcome: Outcome) -> str | None:
        """Never: that nothing changes is an answer as well."""
        return None

    def compute(self, outcome: Outcome) -> Tables:
        """Tables ``knobs`` (settings as JSON), ``totals`` (points of the whole table, in the
        document's sign) and ``rules`` (sentences that only one of the two says). All exact."""
        rows = [
            {
                "knob": one.knob,
                "knob_title": one.title,
                "keys": ", ".join(one.keys),
                "was": json.dumps(one.parent, ensure_ascii=False),
                "becomes": json.dumps(one.winner, ensure_ascii=False),
                "changed": one.parent != one.winner,
                "frozen": one.frozen,
            }
            for one in outcome.settings
        ]
        return {
            "knobs": frame(rows, KNOBS),
            "totals": frame(_totals(outcome), TOTALS),
            "rules": frame(_rules(outcome), RULES),
        }

    def render(self, tables: Tables, outcome: Outcome) -> Answer:
        """The changed knobs at once, all of them on a click."""
        knobs, sums = tables["knobs"], tables["totals"]
        new = knobs.filter("changed")
        listings = [_settings("What changes", new)] if len(new) else []
        if len(tables["rules"]):
            listings.append(_told(tables["rules"], outcome))
        listings.append(_sums(sums, outcome))
        listings.append(_every(knobs))
        finding, short = _finding(new, len(knobs), sums, outcome)
        return Answer(finding, (), tuple(listings), (), short)


def _totals(outcome: Outcome) -> list[dict[str, object]]:
    old, new = totals(outcome.parent), totals(outcome.winner)
    names = [*new, *(name for name in old if name not in new)]
    return [
        {"total": name, "total_before": old.get(name), "total_after": new.get(name)}
        for name in names
    ]


def _rules(outcome: Outcome) -> list[dict[str, object]]:
    return [
        {
            "part": change.part,
            "told_before": " ".join(change.there),
            "told_after": " ".join(change.here),
        }
        for change in changes(outcome.winner, outcome.parent)
    ]


def _settings(caption: str, knobs: pl.DataFrame) -> Listing:
    rows = tuple(
        (title, _word(was), _word(becomes))
        for title, was, becomes in knobs.select("knob_title", "was", "becomes").iter_rows()
    )
    return Listing(caption, ("what", "was", "becomes"), rows, shown=True, first=True)


def _every(knobs: pl.DataFrame) -> Listing:
    """Each knob with its keys in the rule file."""
    rows = tuple(
        (
            row["knob_title"],
            _word(row["was"]),
            _word(row["becomes"]) if row["changed"] else "stays",
            "yes" if row["frozen"] else "no",
            row["keys"],
        )
        for row in knobs.iter_rows(named=True)
    )
    heads = ("knob", "was", "becomes", "left out of the search", "keys of the rule file")
    return Listing("All that might have changed", heads, rows)


def _word(written: str) -> str:
    return said(json.loads(written))


def _told(rules: pl.DataFrame, outcome: Outcome) -> Listing:
    caption = f"The rules in words: {outcome.parent.title}, and as they are to be"
    rows = tuple(tuple(re.sub(HYPHEN, MINUS, text) for text in row) for row in rules.rows())
    return Listing(caption, ("part", "was", "becomes"), rows, shown=True, first=True)


def _sums(sums: pl.DataFrame, outcome: Outcome) -> Listing:
    rows = []
    for name, old, new in sums.iter_rows():
        if old != new or name in ALWAYS:
            rows.append((_total(name, outcome), _points(old), _points(new)))
    caption = "What the points of all players add up to, of one deal and of all"
    return Listing(caption, ("points of", "was", "becomes"), tuple(rows), shown=True)


def _total(name: str, outcome: Outcome) -> str:
    """The name of a total, for people."""
    _, dot, contract = name.partition(".")
    if dot:
        rules = outcome.winner if contract in outcome.winner.contracts else outcome.parent
        return rules.contracts[contract].title
    plain = {"declarer": "all deals of one declarer", "game": "a whole game"}
    return plain.get(name) or f"a whole game, {name.removeprefix('gross_')} points alone"


def _points(value: int | None) -> str:
    return "no such contract" if value is None else number(value, 0, signed=True)


class Game(NamedTuple):
    """What the points of a whole game add up to."""

    before: int
    after: int


def _finding(
    new: pl.DataFrame, n_knobs: int, sums: pl.DataFrame, outcome: Outcome
) -> tuple[str, str]:
    """The answer, and what to keep of it."""
    (row,) = sums.filter(total="game").select("total_before", "total_after").rows()
    game = Game(*row)
    held = holds(outcome.file.hold)
    asked = f"\nWhat had to hold: {listed(held)}." if held else ""
    if stays(outcome):
        told = (
            f"All objectives weighed together, nothing that was tried is surely better: "
            f"{outcome.parent.title} stays as it is. {_adds_up(game)}"
        )
        return told + asked, told
    what = [
        f"{title}, from {_word(was)} to {_word(becomes)}"
        for title, was, becomes in new.select("knob_title", "was", "becomes").iter_rows()
    ]
    told = (
        f"{len(new)} of {counted(n_knobs, 'knob')} {'is' if len(new) == 1 else 'are'} turned. "
        f"{'; '.join(what)}. {_adds_up(game)}"
    )
    title = outcome.parent.title
    short = f"Change {counted(len(new), 'thing')} in {title}. {_adds_up(game)}"
    return told + asked, short


def _adds_up(game: Game) -> str:
    """What a whole game adds up to, before and after."""
    after = number(game.after, 0, signed=True)
    if game.after == game.before:
        return f"The points of a whole game add up to {after}, as before."
    return (
        f"The points of a whole game add up to {after} (before: "
        f"{number(game.before, 0, signed=True)})."
    )


def holds(hold: Hold) -> list[str]:
    """What every candidate had to fulfil, in words."""
    told = ["the points of a game add up to 0"] if hold.zero_sum else []
    told += [f"{what} adds up to {number(total, 0)}" for what, total in hold.totals.items()]
    if hold.multiple_of is not None:
        told.append(f"points that change are multiples of {hold.multiple_of}")
    if hold.most_changes is not None:
        told.append(f"at most {counted(hold.most_changes, 'change')}")
    if hold.payouts_fall:
        told.append("a later place is never worth more than an earlier one")
    return told
