"""``barbu study value|seats|doubling``: a counterfactual experiment and its page, in one go."""

import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json
from pipeline.cli.run import Out, Who, Workers

if TYPE_CHECKING:
    from pipeline.config import RunConfig

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="""What a contract, a seat or a double is worth: experiments on the same deals.

Example: barbu study value barbu_52_doubling --out runs/value""",
)

Variants = Annotated[
    list[str], typer.Argument(metavar="VARIANT...", help="Names, or rule files (.toml).")
]
Players = Annotated[
    list[str] | None,
    typer.Option("--player", help="Who holds every seat; may be said more than once. duck.v1."),
]
Seed = Annotated[int, typer.Option(help="Decides every card and every draw.")]
Worlds = Annotated[
    int, typer.Option(help="How often the hidden hands are dealt anew for each hand; even.")
]
BLOCKS = {"value": 600, "seats": 2000, "doubling": 1500}
"""Dealerships, or games in all turns, unless the user says how many: about half a minute of
``duck.v1`` on two cores."""
TITLES = {
    "value": "What is each contract worth, and which to choose?",
    "seats": "Which seat is an advantage?",
    "doubling": "Whom to double, and when?",
}
WIDTH = 79


@app.command()
def value(
    variants: Variants,
    out: Out,
    player: Players = None,
    blocks: Annotated[int, typer.Option(help="Dealerships of each variant.")] = BLOCKS["value"],
    worlds: Worlds = 32,
    seed: Seed = 1,
    executor: Who = None,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """What each contract is worth to a hand, and which one to choose when.

    Each hand is played under every contract, with every trump suit and start rank, against
    hidden hands that are dealt anew.

    Example: barbu study value barbu_52_doubling --out runs/value
    """
    said = {"design": "value", "blocks": blocks, "worlds": worlds}
    _study(said, variants, player, seed, out, executor, workers, as_json)


@app.command()
def seats(
    variants: Variants,
    out: Out,
    player: Players = None,
    blocks: Annotated[int, typer.Option(help="Games, each in all turns.")] = BLOCKS["seats"],
    seed: Seed = 1,
    executor: Who = None,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """What a seat is worth, in each contract and in the whole game, and why.

    The same hands go round the table, so that only the seat differs.

    Example: barbu study seats barbu_king_br --out runs/seats
    """
    said = {"design": "seats", "blocks": blocks}
    _study(said, variants, player, seed, out, executor, workers, as_json)


@app.command()
def doubling(
    variants: Variants,
    out: Out,
    player: Players = None,
    blocks: Annotated[int, typer.Option(help="Dealerships of each variant.")] = BLOCKS["doubling"],
    worlds: Worlds = 32,
    seed: Seed = 1,
    executor: Who = None,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """What a double is worth: blind, with the hand seen, against a declarer who chose.

    The same deals with the bet and without, and with players who play for it.

    Example: barbu study doubling barbu_52_doubling --out runs/doubling
    """
    said = {"design": "doubling", "blocks": blocks, "worlds": worlds}
    _study(said, variants, player, seed, out, executor, workers, as_json)


def study_config(
    said: dict[str, object], variants: list[str], players: list[str] | None, seed: int
) -> "RunConfig":
    """The run that a study is, from what was said on the command line."""
    from pipeline.run_file import run_of

    file = said | {
        "title": TITLES[str(said["design"])],
        "seed": seed,
        "variants": variants,
        "entrants": [{"strategy": one} for one in players or ["duck.v1"]],
    }
    return run_of(file, f"barbu study {said['design']}", Path())


def _study(
    said: dict[str, object],
    variants: list[str],
    players: list[str] | None,
    seed: int,
    out: str,
    executor: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    from pipeline.cli.output import note, one_line, print_json
    from pipeline.cli.run import with_bar
    from pipeline.cli.standard import answers_kept
    from pipeline.run import run
    from reports.commands import write_page

    with answers_kept():
        config = study_config(said, variants, players, seed)
    started = time.perf_counter()
    done = with_bar(
        lambda bar: run(config, out, executor=executor, workers=workers, progress=bar), out
    )
    for one in done.conduct:
        note(one_line(str(one)))
    page = write_page([out], None)
    seconds = time.perf_counter() - started
    if as_json:
        told = {"run": out, "report": page, "conduct": [c.model_dump() for c in done.conduct]}
        print_json(done._asdict() | told)
        return
    tell_findings(out)
    print(f"\n{done.deals:,} deals in {seconds:.1f} s, page and all")
    print(f"digest {done.digest}\nrun    {out}\npage   {page}")


def tell_findings(folder: str | Path) -> None:
    """What the sections of a run's page found, in words on stdout."""
    from reports.reading import opened
    from reports.sections import sections_of

    with opened(folder) as reading:
        for variant in reading.config.variants:
            print(f"{variant.rules.title} ({variant.name})")
            for section in sections_of(reading.config.design):
                if section.missing(reading, variant.name) is not None:
                    continue
                answer = section.render(section.compute(reading, variant.name), variant.rules)
                print(f"\n{section.title}")
                for line in answer.finding.splitlines():
                    print(textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="  "))
