"""When to double by counts of one's own hand: learnt once for all sections, and in words."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate, times
from pipeline.studies.bet_counts import Counts, Learner, Proof, learner
from pipeline.studies.bets import STAGES
from reports.frames import flat, frame, schema
from reports.plain import in_words, known
from reports.reading import Reading
from reports.section import Listing, Tables
from reports.studies import MOST_DRAWN, by, names_in, of, stage_names, who
from reports.value import ONE
from reports.words import MINUS, listed, share, sign, title

BY_CHART, BY_WORLDS = "by the chart", "by half of the worlds"
KEYS: dict[str, type[pl.DataType]] = {"entrant": pl.String, "contract": pl.String}
LEAST: dict[str, type[pl.DataType]] = {"stage": pl.String, "least": pl.Int64, "lowest": pl.Int64}
Lines = list[tuple[str, int]]
"""Names of counts, and how often each unit counts."""


class Learnt(NamedTuple):
    """What one entrant's study teaches."""

    learner: Learner
    rules: list[Counts]
    proof: Proof


_kept: WeakKeyDictionary[Reading, dict[tuple[str, str], Learnt | None]] = WeakKeyDictionary()


def learnt(run: Reading, variant: str, entrant: str) -> Learnt | None:
    """Counts to double by, shared by the sections of a page; None where there is too little."""
    mine = _kept.setdefault(run, {})
    if (variant, entrant) not in mine:
        one = learner(run.study(variant, entrant))
        mine[variant, entrant] = None if one is None else Learnt(one, one.rules(), one.proof())
    return mine[variant, entrant]


def counts_tables(run: Reading, variant: str) -> Tables:
    """Tables ``counts``, ``least`` and ``kept`` of all entrants."""
    rules = run.rules(variant)
    order, inside = list(rules.contracts), sign(rules)
    counts: list[dict[str, object]] = []
    least: list[dict[str, object]] = []
    kept: list[dict[str, object]] = []
    for entrant in run.entrants():
        one = learnt(run, variant, entrant)
        if one is None:
            continue
        pays = one.learner.tried()
        for rule in sorted(one.rules, key=lambda r: order.index(r.contract)):
            head: dict[str, object] = {"entrant": entrant, "contract": rule.contract}
            counts += [head | {"counted": name, "times": n} for name, n in rule.weights]
            lowest = one.learner.lowest(rule)
            for stage in (s for s in STAGES if s in rule.least):
                row = head | {"stage": stage, "least": rule.least[stage], "lowest": lowest}
                e = pays.get((rule.contract, stage))
                least.append(row | ({} if e is None else flat("pays", times(e, inside))))
        for way, e in ((BY_CHART, one.proof.of_chart), (BY_WORLDS, one.proof.of_worlds)):
            if e is not None:
                kept.append({"entrant": entrant, "way": way} | flat("kept", e))
    return {
        "counts": frame(counts, pl.Schema(KEYS | {"counted": pl.String, "times": pl.Int64})),
        "least": frame(least, schema(KEYS | LEAST, "pays")),
        "kept": frame(kept, schema({"entrant": pl.String, "way": pl.String}, "kept")),
    }


class Line(NamedTuple):
    """A contract's counts, turned so that a player adds up to a positive number."""

    weights: Lines
    least: dict[str, int | None]
    at_most: bool
    lowest: int

    def when(self, stage: str) -> str:
        """From how many on to double; '' where nothing was seen."""
        if stage not in self.least:
            return ""
        least = self.least[stage]
        if least is None:
            return "never"
        if least <= self.lowest:
            return "always"
        text = f"at most {-least}" if self.at_most else f"at least {least}"
        return text.replace("-", MINUS)


def line(counts: pl.DataFrame, least: pl.DataFrame) -> Line:
    """From the rows of one contract."""
    weights = [(str(name), int(n)) for name, n in counts.select("counted", "times").rows()]
    found = dict(least.select("stage", "least").rows())
    known = [n for n in found.values() if n is not None]
    at_most = bool(known) and max(known) <= 0
    if at_most:
        weights = [(name, -n) for name, n in weights]
    return Line(weights, found, at_most, int(least["lowest"][0]))


def total(weights: Lines) -> str:
    """What a player adds up: ``3 × hearts − 2 × kings``."""
    text = ""
    for name, n in sorted(weights, key=lambda one: one[1] < 0):
        plus = "" if n > 0 and not text else f"{'+' if n > 0 else MINUS} "
        said = f"{abs(n)} × {name}" if abs(n) > 1 else name
        if name.endswith(ONE):
            said = f"{abs(n)} for {name.removesuffix(ONE)}"
        text += f"{' ' if text else ''}{plus}{said}"
    return text


def to_learn(tables: Tables, rules: Variant) -> tuple[Listing, ...]:
    """The rules of each entrant, one a line."""
    counts, least = tables["counts"], tables["least"]
    names = names_in(least)[:MOST_DRAWN]
    return tuple(_by_heart(of(counts, entrant=e), of(least, entrant=e), e, rules) for e in names)


def proofs(tables: Tables, rules: Variant) -> tuple[Listing, ...]:
    """How good they are, in figures."""
    said = {
        "least": "What doubles by the counts pay, on deals that did not make them",
        "kept": "Part of what other doubles bring that the counts keep",
    }
    found = ((caption, tables[name]) for name, caption in said.items())
    return tuple(in_words(said, table, rules) for said, table in found if not table.is_empty())


def figured(tables: Tables) -> tuple[list[Estimate | None], ...]:
    """Every figure of these tables."""
    return known(tables["least"], "pays"), known(tables["kept"], "kept")


def _by_heart(counts: pl.DataFrame, least: pl.DataFrame, entrant: str, rules: Variant) -> Listing:
    heads = {s: name for s, name in stage_names(rules).items() if s in least["stage"].to_list()}
    rows = []
    for contract in names_in(least, "contract"):
        one = line(of(counts, contract=contract), of(least, contract=contract))
        never = all(n is None for n in one.least.values())
        what = "" if never else total(one.weights)
        rows.append((title(rules, contract), what, *map(one.when, heads)))
    caption = (
        f"{entrant}: counts to learn by heart. Add up in your own hand what stands beside the "
        "contract, and double the declarer if the sum is as the column says for the moment at "
        "which he chose it. Never where it is not sure that it pays."
    )
    return Listing(
        caption, ("contract", "double if", *heads.values()), tuple(rows), shown=True, first=True
    )


def kept_words(tables: Tables, entrant: str) -> str:
    """How good the counts are, as a sentence; '' where that is not told."""
    parts = by(of(tables["kept"], entrant=entrant), "kept", "way")
    said = [
        f"{share(parts[way,])} of what doubling {words} brings"
        for way, words in ((BY_CHART, "by this chart"), (BY_WORLDS, "by half of the worlds"))
        if (way,) in parts
    ]
    if not said:
        return ""
    return (
        f" Nobody at the table knows among which hands his is, but the counts of the first table "
        f"keep {listed(said)}, on deals that they have not seen."
    )


def short(tables: Tables, rules: Variant) -> str:
    """What to keep of it without figures."""
    counts, least = tables["counts"], tables["least"]
    names = names_in(least)
    if not names:
        return ""
    mine, of_mine = of(counts, entrant=names[0]), of(least, entrant=names[0])
    never: list[str] = []
    groups: dict[str, list[str]] = {}
    freer: list[bool] = []
    for contract in names_in(of_mine, "contract"):
        found = dict(of(of_mine, contract=contract).select("stage", "least").rows())
        name = title(rules, contract)
        if all(n is None for n in found.values()):
            never.append(name)
            continue
        groups.setdefault(_leading(of(mine, contract=contract)), []).append(name)
        *before, late = (found[s] for s in STAGES if s in found)
        freer += [late is not None and (n is None or late < n) for n in before[-1:]]
    if not groups:
        said = "Do not double the declarer: no count of your own hand makes it pay for sure."
    else:
        parts = [f"in {listed(where)}{how}" for how, where in groups.items()]
        more = ", more freely when he has few contracts left" * (2 * sum(freer) > len(freer))
        whom = "him" if never else "the declarer"
        said = f"Double {whom} {', '.join(parts)}{more}. By the table: add up your own hand, and "
        said += "double if the sum is as it says for the moment at which he chose."
        if never:
            said = f"Never double the declarer in {listed(never, 'or')}. {said}"
    return said if len(names) == 1 else f"{who(names[0])}: {said}"


def _leading(counts: pl.DataFrame) -> str:
    """With which hands, by the count that tells most."""
    if counts.is_empty():
        return ""
    name, n = counts.select("counted", "times").row(0)
    if name.endswith(ONE):
        return f" {'with' if n > 0 else 'unless you hold'} {name.removesuffix(ONE)}"
    return f" with {'many' if n > 0 else 'few'} {name}"
