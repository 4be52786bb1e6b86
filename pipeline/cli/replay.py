"""``barbu replay`` and ``barbu export``: games of a run as records."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.loading import LoadStrategies, note_loaded, note_not_loaded
from pipeline.cli.output import Json, note, print_json
from pipeline.cli.run import fouls_told
from pipeline.cli.standard import answers_kept

if TYPE_CHECKING:
    from engine_ext.record import Record
    from pipeline.replay import Replayed
    from strategies.explained import Thought

Folder = Annotated[str, typer.Argument(metavar="RUN", help="Folder or URI of the run.")]
OfVariant = Annotated[
    str | None, typer.Option("--variant", help="Its name; need not be said where there is one.")
]


def replay(
    folder: Folder,
    variant: OfVariant = None,
    block: Annotated[int, typer.Option(min=0, help="As in the column block.")] = 0,
    table: Annotated[int, typer.Option(min=0, help="As in the column table.")] = 0,
    rotation: Annotated[int, typer.Option(min=0, help="As in the column rotation.")] = 0,
    deal: Annotated[
        int | None, typer.Option(min=0, help="As in the column deal, from 0; all unless given.")
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Tell it trick by trick, for people.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="And what strategies that search thought.")
    ] = False,
    step: Annotated[int, typer.Option(min=0, help="Studies: as in the column step.")] = 0,
    contract: Annotated[
        str | None, typer.Option(help="Studies: 'trumps H'; what was chosen unless given.")
    ] = None,
    world: Annotated[
        int, typer.Option(min=0, help="Studies: 0 as dealt, else which dealing anew.")
    ] = 0,
    who: Annotated[int, typer.Option(min=0, help="Studies: role whose hand stays then.")] = 0,
    kept: Annotated[
        bool,
        typer.Option("--kept", help="As it stands in the table plays; no strategy plays again."),
    ] = False,
    load_strategies: LoadStrategies = False,
    as_json: Json = False,
) -> None:
    """Play a game of a run again and print its deals as records.

    Of a study: a unit, and one of its deals. What is played is held against the digest in its
    row; exit code 1 if it went otherwise. With --kept the records are those of the table plays,
    whose cards must be allowed by the rules and make the points beside them.

    Example: barbu replay runs/smoke --variant barbu_52_doubling --block 3 --deal 5 --show
    """
    from pipeline.replay import Replayer, ReplayError
    from pipeline.store import Run
    from pipeline.studies.designs import STUDIES

    run = Run.open(folder)
    study = run.manifest.config.design in STUDIES
    if kept and study:
        raise ReplayError(f"{folder}: --kept: a study has no plays")
    if kept and (explain or load_strategies):
        raise ReplayError(
            f"{folder}: --kept: nobody plays, so not with --explain or --load-strategies"
        )
    if load_strategies:
        note_loaded(run.manifest)
    if study:
        from pipeline.cli.replay_unit import replay_unit
        from pipeline.studies.replay import Asked

        place = (block, table, step)
        asked = Asked(contract, world, who)
        replay_unit(run, variant, place, asked, deal, show, as_json, load_strategies)
        return
    with fouls_told(), answers_kept():
        replayer = Replayer(
            run, variant, explain=explain, load_strategies=load_strategies, kept=kept
        )
        found = (replayer.read if kept else replayer.play)(block, table, rotation)
    n_deals = len(found.records)
    if deal is not None and deal >= n_deals:
        raise ReplayError(f"{folder}: --deal: {deal} (this game has 0 to {n_deals - 1})")
    records = found.records if deal is None else found.records[deal : deal + 1]
    if as_json:
        print_json(_plain(found, records, deal or 0))
    elif show or explain:
        _tell(found, records, deal or 0, show=show, explain=explain)
    else:
        _print(records)
    if not replayer.shipped and not as_json:
        note(f"{replayer.variant}.toml: not as shipped (barbu export writes it with the records)")
    if kept:
        return
    if found.kept is None:
        note("the run kept no row of this game to hold it against")
    elif not found.same:
        note(f"digest {found.digest} is not that of the run's row, {found.kept}")
        raise typer.Exit(1)


def export(
    folder: Folder,
    out: Annotated[
        str | None,
        typer.Option("--out", help="New folder for the files; RUN.records if not given."),
    ] = None,
    variant: OfVariant = None,
    games: Annotated[int, typer.Option(min=1, help="The first so many of each variant.")] = 10,
    load_strategies: LoadStrategies = False,
    as_json: Json = False,
) -> None:
    """Write games of a run as files of records, a file a game.

    Each is played again and held against the digest in its row; exit code 1 if one went
    otherwise. barbu score reads what is written.

    Example: barbu export runs/smoke --out records --games 4
    """
    from pipeline.export import export as write
    from pipeline.store import Run

    run = Run.open(folder)
    where = _records_of(folder, out)
    if load_strategies:
        note_loaded(run.manifest)
    files, wrong = [], []
    with fouls_told(), answers_kept():
        for path, game in write(run, where, variant, games, load_strategies=load_strategies):
            files.append(str(path))
            if not game.same:
                wrong.append(str(path))
    if as_json:
        print_json({"ok": not wrong, "out": str(where), "files": files, "differ": wrong})
    else:
        print(f"{len(files)} games in {where}")
    if not load_strategies:
        note_not_loaded(run.manifest.config)
    for name in wrong:
        note(f"{name}: went otherwise than in the run")
    if wrong:
        raise typer.Exit(1)


def _records_of(run: str, out: str | None) -> Path:
    """Where records go: beside the run, of one in a bucket into this folder."""
    from engine_ext.errors import UserError
    from pipeline.stores import is_uri

    if out is not None and is_uri(out):
        raise UserError("--out: a URI: records are files on this machine (want a new folder)")
    beside = run.rstrip("/")
    return Path(out or f"{beside.rpartition('/')[2] if is_uri(run) else beside}.records")


def _print(records: "tuple[Record, ...]") -> None:
    from engine_ext.record_game import write_game
    from engine_ext.record_write import write

    print(write_game(records) if len(records) > 1 else write(records[0]), end="")


def _tell(
    found: "Replayed", records: "tuple[Record, ...]", first: int, *, show: bool, explain: bool
) -> None:
    from engine_ext.record_checks import hold
    from engine_ext.record_tell import tell
    from engine_ext.record_write import write
    from pipeline.explain import Teller

    for number, record in enumerate(records, start=first):
        if number > first:
            print()
        if show:
            for line in tell(record, hold(record), found.entrants):
                print(line)
        else:
            print(write(record), end="")
        if explain:
            print()
            teller = Teller(record.variant, found.entrants)
            told = list(teller.tell([one for one in found.thoughts if one.deal == number]))
            print("\n".join(told) if told else "Nobody here explains what it weighs.")


def _plain(found: "Replayed", records: "tuple[Record, ...]", first: int) -> dict[str, object]:
    """The answer as data; points in the document's sign."""
    from engine_ext.record_write import write

    games = found.games
    sign, rows = games.rules.objective, games.records.deals
    deals = []
    for number, record in enumerate(records, start=first):
        declarer = int(rows.declarer[number])
        deals.append(
            {
                "deal": number,
                "contract": games.rules.contract_names[rows.contract[number]],
                "declarer": None if declarer < 0 else declarer,
                "points": [sign * int(points) for points in rows.points[number]],
                "side": [sign * int(points) for points in rows.side[number]],
                "record": write(record),
                "thoughts": [_thought(one) for one in found.thoughts if one.deal == number],
            }
        )
    return {
        "ok": found.same,
        "variant": games.variant,
        "block": int(games.block[0]),
        "table": int(games.table[0]),
        "rotation": int(games.rotation[0]),
        "entrants": list(found.entrants),
        "digest": found.digest,
        "kept": found.kept,
        "scores": [sign * int(score) for score in games.records.score[0]],
        "deals": deals,
    }


def _thought(thought: "Thought") -> dict[str, object]:
    """One answer as data; inside points, as the strategy counts."""
    return {
        "question": thought.question,
        "seat": thought.seat,
        "answer": thought.answer,
        "alternatives": [one._asdict() for one in thought.alternatives],
    }
