"""What the columns of the sections' tables mean, and which of them name a row."""

import polars as pl

from reports.frames import FIELDS

KEYS: dict[str, str] = {
    "run": "number of the run, in the order in which runs were given",
    "variant": "name of the variant",
    "entrant": "name of the entrant; empty for all together",
    "other": "the entrant of which a difference is taken; empty: the mean of the tables, an "
    "average entrant, or the field on the same cards",
    "lineup": "who sits at the table, in playing order",
    "contract": "key of the contract in the rule file; empty for all together",
    "contract_title": "name of the contract in the reader's language",
    "n_left": "contracts left to choose from, one that may be chosen twice counted twice; "
    "-1 for all",
    "role": "seats after the declarer, in playing order; after the leader where nobody declares; "
    "-1 for all",
    "target": "role of who was doubled; -1 for all",
    "seat": "number of the seat; 0 deals or declares first",
    "stage": "which deals: blind, every contract imposed; chosen, by the declarer; of these first "
    "(all contracts left), middle, late (the last third of his choices)",
    "weight": "1 doubled, 2 redoubled",
    "strength": "how good the hand is for the contract, 1 the weakest; -1 any",
    "deals": "deals of the declarer left, this one among them",
    "owed": "doubles of him that are owed",
    "bets": "which side bets",
    "way": "how to double the declarer",
    "choosing": "way of choosing contracts",
    "counted": "what is counted in a hand; empty where a contract needs no count",
    "naming": "rule by which the chart names a trump suit or start rank",
    "named": "a trump suit, a start rank, or a rule for naming one",
    "model": "what foretells a hand's worth",
    "what": "which loss",
    "company": "names of who sits at the table; empty where that changes from block to block",
    "side": "on which side of the entrant in playing order",
    "who": "who chose the contract: `declarer` the entrant, `others` somebody else, empty for "
    "both; `bets` for side bets",
    "par": "what a game is held against: `others`, the other games on the same deals; `datum`",
    "block": "number of the block",
    "claim": "what the claim's figure is",
    "table": "number of the line-up within the block",
    "rotation": "seat s is held by member (s - rotation) mod n of the line-up's order",
    "command": "plays the deal again and tells it",
    "hand": "cards as dealt, by suit",
    "when": "when games were played again",
    "kind": "in `integrity/noted` what the line says; in `integrity/conduct` what the entrant did",
    "line": "a game that came out otherwise, an entrant who sat in all of them, or one left out",
    "status": "whether the run has ended",
    "rule": "how the run stops; fixed: after the blocks that were planned",
    "foul": "what follows an illegal or failed answer",
    "digest": "of the run",
    "version": "of the package that played it",
    "told": "what the entrant did, in words",
    "by": "what was compared: digests of games, totals of blocks, or digests of shards",
    "size": "how much a choice loses, in standard deviations of the contract's points",
    "knob": "place of the knob in the tuning file, from 0",
    "knob_title": "what the knob is called",
    "keys": "where it stands in the rule file",
    "objective": "name of the objective; `barbu tune --objectives` lists them",
    "candidate": "rules that were looked at, in order of proposal; 0 is the parent",
    "part": "part of the rules, or in `decisive` what the block adds to the claim's figure",
    "total": "which total, or in `matters` the share of the objective's variance that the knob "
    "makes with others",
    "path": "folder of the run inside the tuning's",
}
"""Columns that name a row."""
OTHERS: dict[str, str] = {
    "best": "the best rank possible; in `seats/apart` the role that does best; in "
    "`betting-chart/chart` how many of the strongest parts of the hands double",
    "worst": "the worst rank possible; in `seats/apart` the role that does worst",
    "blocks": "blocks from the first on; in `integrity/replayed` those played again",
    "letters": "two entrants share one unless they are told apart; empty where none are compared",
    "measured": "what points are above: `table`, its mean; `company`, the same of people, who sat "
    "as they liked; `field`, the field on the same cards; "
    "`model`, an average entrant by who sat at the tables",
    "decision": "better, worse, not better (the test accepted the lesser difference), equal "
    "(inside what is of no account), identical, best (of a race), open",
    "race": "a race came to the decision, which is about all candidates",
    "final": "the run has ended; else what holds so far",
    "declared": "the run file says what is claimed, or when to stop",
    "compared": "whom the entrant is compared with",
    "field": "whom entrants meet",
    "design": "design and streams of the run",
    "ending": "when the run was to end",
    "games": "games played, or in `design/gain` those in which the entrant sat, in "
    "`integrity/replayed` those played again",
    "cap": "blocks planned; with a stop rule at most",
    "alpha": "how often the verdict may be wrong",
    "equal": "points a game below which a difference is of no account",
    "llr": "log likelihood ratio of the sequential test",
    "lower": "at or below it the test says not better",
    "upper": "at or above it the test says better",
    "attempt": "how many runs have asked this question, this one too",
    "halve": "blocks in all, or in `design/gain` games, for half the interval",
    "settle": "blocks in all that would decide, if the difference is what it seems",
    "look": "blocks between two decisions",
    "new_company": "who sits at which table changes from block to block",
    "sd_game": "standard deviation of the figure of one game",
    "sd_block": "standard deviation of the figure of one block",
    "reached": "standard error of the figure",
    "independent": "games on deals of their own that would tell as much",
    "strengths": "how many parts of equal size the hands are cut into by strength",
    "least": "the sum of counts from which to double; empty for never",
    "lowest": "the least that any hand counts",
    "differs": "the roles of the contract surely differ: Hotelling's test, Benjamini-Hochberg",
    "p": "probability of as much by luck if roles, or those compared, did not differ: Hotelling's "
    "test, in `verdict` Student's t",
    "f": "the test's F",
    "points_p": "the same of points by seat over a game",
    "wins_p": "the same of wins by seat",
    "points_base": "what a hand is worth before anything is counted, in the document's sign",
    "points_each": "what each thing counted adds to it",
    "points_price": "what spending the contract costs, by the chart",
    "average": "mean worth of the contract over hands",
    "df": "figures that can differ independently",
    "of_blocks": "blocks of the variant",
    "value": "the claim's figure",
    "alone": "the claim's figure if all blocks were like this one",
    "deal": "number of the deal in its game, from 0; the one that adds most",
    "deal_part": "what this deal adds to the claim's figure, in all games of the block",
    "game_part": "what the deal adds in this game",
    "planned": "blocks that were planned",
    "schema_version": "of the tables",
    "differing": "of these, those that came out otherwise",
    "bound": "with 95 % confidence fewer blocks than this share would come out otherwise",
    "fouls": "illegal or failed answers",
    "seat_games": "seats of games that the entrant held",
    "times": "how often each thing counted counts, in charts; how often it did so, in `integrity`",
    "declarer": "seat that chose the contract; -1 where nobody does",
    "leader": "seat that leads first",
    "made": "points of the seat in the deal, before side bets, in the document's sign",
    "side_bets": "side bets of the seat received less paid, likewise",
    "gap": "points between the roles `best` and `worst`, more is better",
    "searched": "the effect as the search believed it",
    "was": "the parent's setting, as JSON",
    "becomes": "the winner's setting, as JSON",
    "changed": "the winner's setting is another than the parent's",
    "frozen": "left out of the search, since it moves no objective",
    "total_before": "points of all players under the parent's rules, in the document's sign",
    "total_after": "the same under the winner's",
    "told_before": "sentences that only the parent's rules say",
    "told_after": "sentences that only the winner's rules say",
    "wanted": "less, more, or near which number",
    "step": "the difference that one would care about, in the objective's unit",
    "verdict": "better, worse, alike (exactly), open, or within gap (no conclusion)",
    "held_by": "how play was held still: `rescored` stored games, `unadapted` players, `none`",
    "share_before": "share of hands for which the contract is chosen first, by the parent's rules",
    "share_after": "the same by the rules of the winner, or of the best that was judged",
    "settings": "what the candidate changes; in `front` as JSON, by keys of the rule file",
    "changes": "knobs that differ from the parent",
    "fulfils": "whether it fulfils all that must hold",
    "front": "no other is better in one objective and no worse in the others",
    "rounds": "how often it got further deals",
    "loss": "weighed sum of steps lost against the parent in the search; below 0 is better",
    "fresh_loss": "the same on deals that the search has not seen",
    "best_loss": "the least loss so far among candidates that fulfil what must hold",
    "picked": "it was picked to be judged",
    "agreement": "rank correlation of how good two objectives are; below 0 they pull against each "
    "other",
    "mu_star": "Morris: mean size of what the knob does over its range, in the objective's unit",
    "mu_star_conf": "half width of its 95 % interval",
    "sigma": "Morris: how unevenly it does so",
    "first": "Sobol: share of the objective's variance by the knob alone",
    "first_conf": "half width of its 95 % interval",
    "total_conf": "half width of the 95 % interval of `total`",
    "marked": "surely differs from 0: Benjamini-Hochberg over the table, 5 % false marks expected",
}
FIGURES: dict[str, str] = {
    "parent": "the objective under the parent's rules",
    "winner": "the objective under the winner's rules, or those of the best that was judged",
    "effect": "winner less parent on the same deals",
    "held": "the same with play held still",
    "gap": "effect less `held`: what adapting players change",
    "searched": "the objective as the search saw it",
    "fresh": "the objective on deals that the search has not seen",
    "points": "points in the document's sign: above the table's or deal's mean in `league`, "
    "`seats` and `earned/above`, else the declarer's own before side bets",
    "score": "the declarer's own points, side bets included",
    "win": "share of a first place: 1 alone, 1/2 each for two who tie",
    "place": "mean place at the table",
    "difference": "points a game of `entrant` less those of `other`",
    "cards": "part of the variance of a game's points about the entrant's mean that comes again in "
    "other games on the same deals",
    "adjusted": "in `luck/cards` the standard deviation less what the seat made in the other games "
    "on the same deals; in `luck/entrants` points above what it made in all of them",
    "share": "share of the choices in which the contract was left",
    "rate": "share of the bets that were possible",
    "paid": "mean settlement of a bet to who made it, in the document's sign",
    "high": "points in the role `best`",
    "low": "points in the role `worst`",
    "sds": "points above the deal's mean in standard deviations of one score of role 0",
    "lead": "points a deal above the mean with contracts imposed",
    "choice": "what the declarer's choice of contract adds to them",
    "bets": "what side bets add to them",
    "whole": "all together; of a bet all that its maker has more than without it",
    "unfair": "largest distance of a seat's share of wins from an even one",
    "pays": "points that one bet brings who makes it",
    "gain": "points a chance to bet; in `design` games on deals of their own that tell as much as "
    "one that was played",
    "more": "`gain` less that of the entrant's own bets",
    "base": "points that a bet brings, played as without it",
    "aware": "the same, played knowing of it",
    "steer": "`aware` less `base`",
    "worth": "points of the deals left to one who may, and must so often, double",
    "price": "what owing the doubles takes off `worth`",
    "limit": "double now if it pays more than this; empty where there is no choice",
    "mean": "mean of a deal's score",
    "deviation": "standard deviation of a deal's score",
    "over_order": "points more than in any fixed order",
    "behind": "points by which the dynamic program is ahead",
    "extra": "points that choosing brings in the deals to come, over any fixed order",
    "cost": "what the deals to come lose when the contract is spent",
    "threshold": "worth of a hand from which half of all hands are spent on the contract",
    "above": "points above the mean of the deal",
    "deal": "standard deviation of one deal's points",
    "hand": "standard deviation of what hands are worth",
    "kept": "part of what the dynamic program brings over a fixed order; in `betting-chart/kept` "
    "of what doubling in the other `way` brings",
    "ceiling": "part of the variance of one deal's points that the declarer's hand decides",
    "r2": "part of the variance of one deal's points that the model foretells",
    "seen": "part of `ceiling` that the model foretells",
    "fits": "share of hands for which it is the best to name",
    "own": "share of the entrant's own choices of the contract",
    "lost": "points lost, never signed: a dealership in `value-regret/lost`, else a deal",
}
"""Estimates: each stands in eight columns, NAME_value and so on."""
PARTS: dict[str, str] = {
    "value": "the figure",
    "se": "its standard error; empty where blocks do not tell",
    "low": "lower end of its 95 % interval",
    "high": "upper end of its 95 % interval",
    "n": "what was counted: games, deals, choices or bets",
    "blocks": "blocks in which it was counted",
    "df": "degrees of freedom of the interval",
    "kind": "how the interval came about: t, max_t (all of a table together), anytime, wild, "
    "identical, bound, none",
}
MORE = "_more"
"""After the name of an estimate: the same less that of the first run."""


def figures_of(table: pl.DataFrame) -> list[str]:
    """Names of the estimates of a table, in order."""
    names = [c.removesuffix("_value") for c in table.columns if c.endswith("_value")]
    return [name for name in names if all(f"{name}_{part}" in table.columns for part in FIELDS)]


def keys_of(table: pl.DataFrame) -> list[str]:
    """Columns that name a row: words and whole numbers that stand before the first estimate."""
    figures = figures_of(table)
    first = table.columns.index(f"{figures[0]}_value") if figures else len(table.columns)
    return [
        name
        for name, kind in zip(table.columns[:first], table.dtypes[:first], strict=True)
        if (kind == pl.String or kind.is_integer()) and name not in OTHERS
    ]


def meaning(column: str) -> str:
    """What a column holds; empty for one that nobody described."""
    plain = KEYS.get(column) or OTHERS.get(column)
    if plain:
        return plain
    figure, _, part = column.rpartition("_")
    more = figure.endswith(MORE)
    said = FIGURES.get(figure.removesuffix(MORE), "")
    if part not in PARTS:
        return ""
    less = ", less that of the first run" if more else ""
    return f"{said}{less}: {PARTS[part]}" if said else PARTS[part]
