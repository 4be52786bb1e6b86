"""List, show and check the strategies that can play."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.output import Json, one_line, print_json
from pipeline.cli.standard import answers_kept

if TYPE_CHECKING:
    from strategies.checks import Verdict

app = typer.Typer(
    no_args_is_help=True,
    help="List, show and check the strategies that can play.",
    rich_markup_mode=None,
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

    with answers_kept():
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

    with answers_kept():  # of what its file prints
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


MARKS = {True: "ok", False: "failed", None: "-"}
"""How a verdict is shown; - where a check does not apply."""


@app.command()
def check(
    strategy: Spec,
    only: Annotated[
        list[str] | None, typer.Option(help="A check by name; again for several. All unless given.")
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(help="A shipped variant; again for several. A dozen unless given."),
    ] = None,
    block: Annotated[
        int | None, typer.Option(min=0, help="Play this block alone, as a failed check tells it.")
    ] = None,
    budget_ms: Annotated[
        float | None, typer.Option(min=0, help="Most milliseconds that a decision may take.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check that a strategy does what a strategy owes.

    Whole games of a dozen variants: legal answers, the same games again whatever else was
    played, no look at hidden cards, no random numbers but those of its views, nothing printed
    or changed, time. A line for each check, with the first example and a command that shows
    it again. Exit code 1 if any failed.

    Example: barbu strategies check cautious.v1
    """
    from strategies.checks import CHECKS, check_strategy

    verdicts = check_strategy(
        strategy, only=only or (), variants=variant or (), block=block, budget_ms=budget_ms
    )
    width = max(len(one.name) for one in CHECKS)
    found: list[Verdict] = []
    while True:
        with answers_kept():
            verdict = next(verdicts, None)
        if verdict is None:
            break
        found.append(verdict)
        if not as_json:
            said = f": {one_line(verdict.said)}" if verdict.said else ""
            print(f"{MARKS[verdict.ok]:<6}  {verdict.check:<{width}}  {verdict.promise}{said}")
            if verdict.replay is not None:
                print(f"{'':<{8 + width}}  {verdict.replay}", flush=True)
    ok = all(verdict.ok is not False for verdict in found)
    if as_json:
        print_json({"strategy": strategy, "ok": ok, "checks": [asdict(one) for one in found]})
    if not ok:
        raise typer.Exit(1)
