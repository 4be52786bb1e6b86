"""What did the entrant's own doubles bring, and what would better ones?"""

import polars as pl

from engine_ext.rules.spec import Variant
from pipeline.stats.estimate import Estimate, times
from pipeline.studies.bet_chart import CHART, COUNTS, EACH, OWN, WORLDS, ways_to_double
from pipeline.studies.chances import chances
from pipeline.studies.made import BACK, FLANK, OF_DECLARER, made
from reports.bet_counts import BY_CHART, BY_WORLDS, learnt
from reports.charts import MOST_SERIES, Series, dots
from reports.frames import flat, frame, schema
from reports.plain import in_words, known
from reports.reading import Reading
from reports.section import Answer, Figure, Tables
from reports.studies import all_of, by, names_in, no_bets, of, studies, surely, told, who
from reports.words import better, digits, figure, kinds, share, sign

NAMES = {
    OWN: "its own doubles",
    EACH: "always doubling",
    COUNTS: "by counts to learn by heart",
    CHART: BY_CHART,
    WORLDS: BY_WORLDS,
}
KINDS = {OF_DECLARER: "of the declarer", FLANK: "between others", BACK: "given back"}


class BettingMade:
    """The entrant's doubles against other ways to double the declarer on the same deals."""

    name = "betting-made"
    title = "What its own doubles brought"

    def missing(self, run: Reading, variant: str) -> str | None:
        """Studies of doubling only."""
        return no_bets(run, variant)

    def compute(self, run: Reading, variant: str) -> Tables:
        """Tables ``made`` (``rate`` of the doubles that were possible, and what one ``pays`` its
        maker, once, by contract and ``bets``; between others it is not told who began) and
        ``ways`` (the ``gain`` of ways to double the declarer, a chance on average, the
        ``share`` of chances that they take, and how much ``more`` that is than the entrant's
        own). In the document's sign.

        Played as without bets. The unit of error is the block.
        """
        inside = sign(run.rules(variant))
        rows: list[dict[str, object]] = []
        ways: list[dict[str, object]] = []
        for study in studies(run, variant):
            for one in made(study):
                row: dict[str, object] = {"entrant": study.entrant, "bets": KINDS[one.kind]}
                row |= {"contract": one.contract} | flat("rate", one.rate)
                rows.append(row | _flat("pays", one.pays, inside))
            found = chances(study)
            heart = learnt(run, variant, study.entrant)
            by_counts = None if heart is None else heart.proof.doubled
            for way in ways_to_double(found, by_counts) if found is not None else ():
                row = {"entrant": study.entrant, "way": NAMES[way.name]} | flat("share", way.share)
                row |= _flat("more", way.more, inside)
                ways.append(row | flat("gain", times(way.gain, inside)))
        keys: dict[str, type[pl.DataType]] = {"entrant": pl.String, "bets": pl.String}
        return {
            "made": frame(rows, schema(keys | {"contract": pl.String}, "rate", "pays")),
            "ways": frame(
                ways, schema({"entrant": pl.String, "way": pl.String}, "share", "more", "gain")
            ),
        }

    def render(self, tables: Tables, rules: Variant) -> Answer:
        """Dots of the ways to double, entrants side by side."""
        mine, ways = tables["made"], tables["ways"]
        names = names_in(mine)
        found = by(ways, "gain", "entrant", "way")
        series = [
            Series(e, [found.get((e, name)) for name in NAMES.values()])
            for e in names[:MOST_SERIES]
        ]
        axis = f"points a chance to double the declarer ({better(rules)})"
        caption = (
            "What ways to double the declarer bring, for each chance to double him, on the same "
            f"deals; never doubling brings 0; {better(rules)}. The chart and the counts are "
            "made of other deals than those on which they are measured. Each interval is for "
            "itself."
        )
        drawing = dots([name.capitalize() for name in NAMES.values()], series, axis)
        return Answer(
            told(
                names, lambda e: _finding(e, of(mine, entrant=e), of(ways, entrant=e), rules), rules
            ),
            (Figure("betting-ways", drawing, caption),),
            (
                in_words(
                    "Ways to double the declarer, and how much more than its own", ways, rules
                ),
                in_words("Its own doubles, by kind and contract", mine, rules),
            ),
            kinds(
                all_of(
                    *(known(mine, name) for name in ("rate", "pays")),
                    *(known(ways, name) for name in ("gain", "more")),
                )
            ),
        )


def _flat(name: str, e: Estimate | None, inside: int) -> dict[str, object]:
    return {} if e is None else flat(name, times(e, inside))


def _finding(entrant: str, mine: pl.DataFrame, ways: pl.DataFrame, rules: Variant) -> str:
    whole = of(mine, contract="", bets=KINDS[OF_DECLARER])
    rate, pays = by(whole, "rate", "entrant"), by(whole, "pays", "entrant")
    if not rate:
        return f"{who(entrant)}, nobody could double the declarer."
    done = share(rate[entrant,])
    if not pays:
        text = f"{who(entrant)}, nobody doubled the declarer in any of the chances."
    else:
        e = pays[entrant,]
        verdict = {1: "they pay", -1: "they cost", 0: "it is not sure that they pay or cost"}
        text = (
            f"{who(entrant)}, {done} of the chances to double the declarer are taken, and such a "
            f"double brings {figure(e, digits([e]))} points: {verdict[surely(e, rules)]}."
        )
    gain, more = by(ways, "gain", "way"), by(ways, "more", "way")
    if (NAMES[CHART],) not in gain:
        return text
    chart, ahead = gain[NAMES[CHART],], more[NAMES[CHART],]
    p = digits([chart, ahead])
    return (
        f"{text} The chart of this page would bring {figure(chart, p)} points a chance, "
        f"{figure(ahead, p)} more than its own doubles."
    )
