"""What was checked of a run, in words: nothing is called good that nobody looked at."""

import polars as pl

from reports.section import Listing, Tables
from reports.studies import of
from reports.words import counted, listed, number, whole

AT_END, AGAIN = "at the end of the run", "for this page"
ABSENT = "left out"
KINDS = ("bounds are of a sample of blocks that the run's seed drew: 95 % confidence",)
LITTLE = 0.2
"""From this share of blocks on, a bound is no comfort."""
MOST_LINES = 20
"""Games that came out otherwise which a sentence or table lists."""


def finding(tables: Tables) -> str:
    """Whether anything is amiss, and what was looked at."""
    state = tables["state"].row(0, named=True)
    lines = [
        _alarm(tables),
        _counts(state),
        *_replays(tables),
        _fouls(tables, state["foul"]),
        f"Played by version {state['version']}, tables of version {state['schema_version']}. "
        "Machines and times are not here, since the page is the same whoever played; barbu sql RUN "
        "lists them (table shards).",
        "A replay shows that games repeat themselves, not that rules or strategies are right. "
        "barbu verify RUN checks every file and makes the digest anew from the tables; with "
        "--replay 1 it plays every game again.",
    ]
    return "\n".join(lines)


def _alarm(tables: Tables) -> str:
    """What speaks against the run, if anything was looked at."""
    replayed = tables["replayed"]
    bad, total = (int(replayed[name].sum()) for name in ("differing", "games"))
    if not total:
        return "No game was played again, so nothing here speaks for or against the run."
    if not bad:
        return "Nothing is amiss in what was looked at."
    suspects = list(dict.fromkeys(of(tables["noted"], kind="suspect")["line"]))
    who = f" {listed(suspects)} sat in all of them." if suspects else ""
    return (
        f"Do not trust this run: of {counted(total, 'game')} that were played again "
        f"{whole(bad)} came out otherwise.{who} A strategy does not repeat itself, or a machine "
        "miscounts."
    )


def _counts(state: dict[str, object]) -> str:
    blocks, planned = int(str(state["blocks"])), int(str(state["planned"]))
    if state["status"] == "incomplete":
        return (
            f"The run is incomplete, since shards of it could not be played: blocks 0 to "
            f"{blocks - 1} of {whole(planned)} count, up to the first of these. It has no digest "
            "and was not audited until barbu resume has played them."
        )
    if state["status"] != "complete":
        return (
            f"The run is not finished: blocks 0 to {blocks - 1} of {whole(planned)} count, up to "
            "the first that is missing; what was played beyond waits for it. It has no digest yet "
            "and was not audited."
        )
    if blocks < planned:
        return (
            f"The run is complete: its rule, {state['rule']}, stopped it after "
            f"{counted(blocks, 'block')} of at most {whole(planned)}. Games of later blocks that "
            "were under way are kept as surplus and count nowhere."
        )
    return f"The run is complete: all {counted(blocks, 'block')} that were planned count."


def _replays(tables: Tables) -> list[str]:
    """A line for each replay, and one for who was left out."""
    said = []
    for row in tables["replayed"].iter_rows(named=True):
        piece = "shard" if row["by"] == "shards" else "block"
        blocks, games = counted(row["blocks"], piece), counted(row["games"], "game")
        if not row["games"]:
            said.append(f"Nothing was played again {row['when']}.")
            continue
        what = f"{games} of {blocks} were played again {row['when']}"
        if row["differing"]:
            said.append(f"{what}, and {whole(row['differing'])} came out otherwise.")
        else:
            little = "that says little, but " if row["bound"] > LITTLE else ""
            said.append(
                f"{what} and came out the same: {little}surely fewer than "
                f"{number(100 * row['bound'], 1)} % of all {piece}s would not."
            )
    state = tables["state"].row(0, named=True)
    if state["status"] == "complete" and AT_END not in tables["replayed"]["when"].to_list():
        said.append("The run was not audited at its end: a version before audits played it.")
    absent = list(dict.fromkeys(of(tables["noted"], kind=ABSENT)["line"]))
    if absent:
        said.append(f"Left out of replays: {'; '.join(absent)}.")
    return said


def _fouls(tables: Tables, foul: str) -> str:
    made = tables["fouls"].filter(pl.col("fouls") > 0)
    other = tables["conduct"].filter(~pl.col("kind").is_in(["foul", "rules", "late"]))
    more = f" {'; '.join(other['told'])}." if not other.is_empty() else ""
    if made.is_empty():
        return f"Nobody fouled.{more}"
    told = [
        f"{row['entrant']} {counted(row['fouls'], 'time')} in "
        f"{counted(row['seat_games'], 'seat-game')}"
        for row in made.iter_rows(named=True)
    ]
    how = "the default answer was played and the game counts" if foul == "forfeit" else "it stopped"
    return f"Fouls: {listed(told)}. As the run file declares ({foul}), {how}.{more}"


def tables_in_words(tables: Tables) -> tuple[Listing, ...]:
    """Replays, fouls, and what came out otherwise."""
    lists = []
    replays = tuple(
        (
            row["when"],
            whole(row["blocks"]),
            whole(row["games"]),
            "digests" if row["by"] == "games" else row["by"],
            whole(row["differing"]),
            "" if row["bound"] is None else f"{number(100 * row['bound'], 1)} %",
        )
        for row in tables["replayed"].iter_rows(named=True)
    )
    if replays:
        heads = ("played again", "blocks", "games", "compared by", "otherwise", "surely below")
        lists.append(Listing("Replays", heads, replays, shown=True))
    lists += _more(tables)
    return tuple(lists)


def _more(tables: Tables) -> list[Listing]:
    lists = []
    fouls = tuple(
        (row["entrant"], whole(row["fouls"]), whole(row["seat_games"]))
        for row in tables["fouls"].iter_rows(named=True)
    )
    if fouls:
        lists.append(Listing("Fouls", ("entrant", "fouls", "seat-games"), fouls, shown=True))
    conduct = tuple(
        (row["entrant"], row["told"]) for row in tables["conduct"].iter_rows(named=True)
    )
    if conduct:
        lists.append(Listing("Conduct", ("entrant", "what"), conduct))
    differing = of(tables["noted"], kind="differs").select("when", "line").rows()[:MOST_LINES]
    if differing:
        caption = "Games that came out otherwise (the first)"
        lists.append(Listing(caption, ("played again", "game"), tuple(differing), shown=True))
    return lists
