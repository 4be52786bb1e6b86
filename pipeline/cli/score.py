"""``barbu score``: a record or a score sheet, replayed and checked."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json, one_line, print_json, print_table

if TYPE_CHECKING:
    from engine_ext.score import Score


def score(
    file: Annotated[Path, typer.Argument(help="Records of deals, or a score sheet.")],
    as_json: Json = False,
) -> None:
    """Replay and check deals written down, or a whole score sheet.

    Prints points, side bets and totals in the document's sign, or the first thing that is
    wrong, with line and reason (exit code 1). docs/records.md says how to write both.

    Example: barbu score thursday.txt
    """
    from engine_ext.record import text_of
    from engine_ext.record_text import UnreadableError
    from engine_ext.score import score_text

    try:
        text = text_of(file)
    except UnreadableError as error:
        if as_json:
            print_json({"ok": False, "points": None, "scores": None, "problem": str(error)})
        raise
    found = score_text(text, str(file), file.parent)
    if as_json:
        print_json(_plain(found))
    else:
        _print(found)
    if found.problem is not None:
        raise typer.Exit(1)


def _plain(found: "Score") -> dict[str, object]:
    """The answer as data; what does not add up has no points."""
    from dataclasses import asdict

    whole = found.problem is None and bool(found.deals)
    return {
        "ok": found.problem is None,
        "kind": found.kind,
        "variant": found.variant,
        "players": list(found.players),
        "points": list(found.points) if whole else None,
        "side": list(found.side) if whole else None,
        "scores": list(found.scores) if whole else None,
        "problem": found.problem,
        "to_play": found.to_play,
        "deals": [asdict(deal) for deal in found.deals],
    }


def _print(found: "Score") -> None:
    head = ("deal", "contract", "declarer", "", *map(one_line, found.players))
    rows = []
    for deal in found.deals:
        number = "" if deal.deal is None else str(deal.deal)
        who = "" if deal.declarer is None else one_line(found.players[deal.declarer])
        rows.append([number, deal.contract, who, "points", *map(str, deal.points)])
        if any(deal.side):
            rows.append(["", "", "", "side bets", *map(str, deal.side)])
        if len(found.deals) > 1 or any(deal.side) or deal.scores != deal.points:
            rows.append(["", "", "", "total", *map(str, deal.scores)])
    if rows:
        print_table(head, rows)
    if found.problem is not None:
        print(f"wrong: {one_line(found.problem)}")
    elif found.to_play is not None:
        print(f"not over: {found.to_play}")
    else:
        n = len(found.deals)
        print(f"{n} deal{'' if n == 1 else 's'}, all as the rules have it")
