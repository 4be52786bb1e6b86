"""List, show and check the rules of a variant."""

from dataclasses import asdict
from typing import Annotated

import typer

from engine_ext.errors import RuleError
from pipeline.cli.output import Json, print_json, print_table

app = typer.Typer(
    no_args_is_help=True, help="List, show and check the rules of a variant.", rich_markup_mode=None
)

Variant = Annotated[
    str, typer.Argument(metavar="VARIANT", help="Name of a shipped variant, or a TOML file.")
]


@app.command("list")
def list_variants(as_json: Json = False) -> None:
    """List the variants that come with the program.

    Example: barbu rules list
    """
    from engine_ext.rules.facts import n_deals
    from engine_ext.rules.load import load_variant, variant_names
    from engine_ext.rules.show import fill

    variants = {name: load_variant(name) for name in variant_names()}
    if as_json:
        rows = [
            {
                "name": name,
                "title": variant.title,
                "seats": variant.seats,
                "deals": n_deals(variant),
                "contracts": list(variant.contracts),
                "source": variant.source,
            }
            for name, variant in variants.items()
        ]
        print_json({"variants": rows})
        return
    width = max(map(len, variants))
    print(f"{'variant':<{width}}  seats  deals  title")
    for name, variant in variants.items():
        left = f"{name:<{width}}  {variant.seats:>5}  {n_deals(variant):>5}  "
        print(fill(variant.title, " " * len(left), left))


@app.command()
def show(variant: Variant, as_json: Json = False) -> None:
    """Tell the rules of a variant in plain words, and the readings.

    Of a file of your own that extends a shipped variant: also what is not as there.
    Points stand in the document's own sign. With --json: every rule as data.

    Example: barbu rules show king_ru_fixed14
    """
    from engine_ext.rules.load import load_base, load_lineage
    from engine_ext.rules.show import show as in_words

    loaded, *ancestors = load_lineage(variant)
    if as_json:
        print_json(loaded.model_dump(mode="json"))
        return
    print(in_words(loaded, ancestors, load_base(variant)))


@app.command()
def check(variant: Variant, as_json: Json = False) -> None:
    """Check a variant, and the totals that its document prints.

    Prints every total, what the document claims and what comes out, and where the document
    contradicts itself or is silent the reading taken. A false claim of the document does not
    make the variant wrong; nor is a claim false whose total the file changed.

    Example: barbu rules check barbu_52_doubling --json
    """
    from engine_ext.rules.checks_papers import reading_values
    from engine_ext.rules.facts import unplayed
    from engine_ext.rules.load import load_lineage
    from engine_ext.rules.show import fill
    from engine_ext.rules.totals import check as hold

    try:
        loaded, *ancestors = load_lineage(variant)
        result = hold(loaded, ancestors)
    except RuleError as error:
        if as_json:
            print_json({"ok": False, "problem": str(error), "totals": {}, "claims": []})
        raise
    if as_json:
        print_json(
            {
                "ok": result.ok,
                "problem": None,
                "totals": result.totals,
                "claims": [asdict(claim) for claim in result.claims],
                "unplayed": list(unplayed(loaded)),
                "readings": [reading.model_dump(mode="json") for reading in loaded.readings],
            }
        )
        return
    print_table(("total", "points"), [[k, str(v)] for k, v in result.totals.items()])
    for claim in result.claims:
        if claim.changed and not claim.ok:
            here = f"says {claim.stated}, here {claim.comes_out} ({claim.what})"
            print(fill(f"changed by this file: {claim.source} {here}.", "  ", ""))
            continue
        verdict = "comes out" if claim.ok else f"is false, {claim.comes_out} comes out"
        says = f"{claim.source}: {claim.what} {claim.stated} {verdict}. {claim.note or ''}"
        print(fill(says, "  ", ""))
    for reading in loaded.readings:
        says = ", ".join(f"{key} = {_said(value)}" for key, value in reading_values(reading))
        print(fill(f"reading of {reading.issue}: {says}. {reading.why}", "  ", ""))
    key = f"schedule.{'uses' if loaded.schedule.kind == 'choice' else 'sequence'}"
    for name in unplayed(loaded):
        print(
            fill(f"contracts.{name}: no deal of the game plays it ({key} says what is).", "  ", "")
        )
    print(f"{variant}: the rules can be played.")


@app.command()
def diff(
    variant: Variant,
    against: Annotated[
        str | None,
        typer.Option("--against", help="Another variant; what the file extends unless given."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell what a variant changes against another, in words and by key.

    Points stand in each document's own sign.

    Example: barbu rules diff barbu_52_wikipedia --against barbu_52_doubling
    """
    from engine_ext.rules.diff import changes, in_words, moved
    from engine_ext.rules.house import differences
    from engine_ext.rules.load import load_lineage, load_variant
    from engine_ext.rules.show import fill
    from pipeline.cli.output import one_line

    here, *ancestors = load_lineage(variant)
    if against is not None:
        there = load_variant(against)
    elif ancestors:
        there = ancestors[0]
    else:
        raise RuleError(f"{variant}: extends no other (say --against NAME)")
    keys, totals = differences(here, there), moved(here, there)
    if as_json:
        print_json(
            {
                "same": not keys,
                "title": here.title,
                "against": there.title,
                "changes": [asdict(change) for change in changes(here, there)],
                "keys": keys,
                "totals": {name: {"here": a, "there": b} for name, (a, b) in totals.items()},
            }
        )
        return
    print(in_words(here, there))
    if totals:
        print()
        cells = [[k, *("-" if v is None else str(v) for v in pair)] for k, pair in totals.items()]
        print_table(("total", "here", "there"), cells)
    print("\nBy key" if keys else "\nNo key that makes a rule is different.")
    for key in keys:
        print(fill(one_line(key), "  ", "- "))


def _said(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@app.command()
def keys(
    word: Annotated[
        str, typer.Argument(metavar="WORD", help="Only keys and tables with this in their name.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Tell every key of a variant file, its values and what they do.

    Example: barbu rules keys lead_ban
    """
    from engine_ext.rules.keys import in_words, parts

    if as_json:
        tables = [
            part._asdict() | {"keys": [key._asdict() for key in part.keys]} for part in parts(word)
        ]
        print_json({"tables": tables})
        return
    text = in_words(word)
    if not text:
        raise RuleError(f"{word}: no key has this in its name (barbu rules keys tells all)")
    print(text)


@app.command()
def schema() -> None:
    """Print the JSON Schema of variant files, for editors.

    Example: barbu rules schema > variant.schema.json
    """
    from engine_ext.rules.schema import variant_schema

    print_json(variant_schema())
