"""List and show the strategies that can play."""

from dataclasses import asdict
from typing import Annotated

import typer

from pipeline.cli.output import Json, print_json

app = typer.Typer(
    no_args_is_help=True, help="List and show the strategies that can play.", rich_markup_mode=None
)

DRAWS = {
    True: "yes",
    False: "no",
    None: "may take random numbers (does not say; set draws = False)",
}

Spec = Annotated[
    str,
    typer.Argument(
        metavar="STRATEGY",
        help="A name, module:Class, or path/to/file.py:Class, as in a run file; with parameters "
        "if it has any, 'slips.v1(of=duck.v1, revoke=0.02)'; or several as parts, "
        "'play=duck.v1, choose=random.v1, double=cautious.v1'.",
    ),
]


@app.command("list")
def list_strategies(as_json: Json = False) -> None:
    """List the strategies by name, other packages' included.

    A compiled one plays without the interpreter's lock, so that threads run side by side; a
    batched one is written in Python and asked about many tables at once.

    Example: barbu strategies list
    """
    from strategies import info, names

    found = [info(name) for name in names()]
    if as_json:
        rows = [{k: v for k, v in asdict(one).items() if k != "text"} for one in found]
        print_json({"strategies": rows})
        return
    width = max(len(one.name) for one in found)
    for one in found:
        kind = "compiled" if one.compiled else "batched" if one.batched else "Python"
        print(f"{one.name:<{width}}  {kind:<8}  {one.about}")


@app.command()
def show(strategy: Spec, as_json: Json = False) -> None:
    """Say what a strategy does, in its author's words.

    Example: barbu strategies show duck.v1
    """
    from strategies import info

    one = info(strategy)
    if as_json:
        print_json(asdict(one))
        return
    facts = (
        ("name", one.name),
        ("compiled", "yes" if one.compiled else "no"),
        ("batched", "yes" if one.batched else "no"),
        ("random numbers", DRAWS[one.draws]),
        ("holds the GIL", "no" if one.releases_gil else "yes"),
        ("answers", ", ".join(one.answers)),
        *([("parameters", ", ".join(one.parameters))] if one.parameters else []),
        *([("parts", ", ".join(one.parts))] if one.parts else []),
    )
    width = max(len(what) for what, _ in facts)
    for what, value in facts:
        print(f"{what:<{width}}  {value}")
    print()
    print(one.text)
