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
    for name, variant in variants.items():
        size = f"{variant.seats} seats, {n_deals(variant):>3} deals"
        print(f"{name:<{width}}  {size}  {variant.title}")


@app.command()
def show(variant: Variant, as_json: Json = False) -> None:
    """Tell the rules of a variant in plain words, with the readings taken.

    Of a file that extends another: also what is not as there.
    Points stand in the document's own sign. With --json: every rule as data.

    Example: barbu rules show king_ru_fixed14
    """
    from engine_ext.rules.load import load_lineage
    from engine_ext.rules.show import show as in_words

    loaded, *ancestors = load_lineage(variant)
    if as_json:
        print_json(loaded.model_dump(mode="json"))
        return
    print(in_words(loaded, ancestors))


@app.command()
def check(variant: Variant, as_json: Json = False) -> None:
    """Check a variant and hold the totals that its document prints against the rules.

    A false claim of the document is told, but does not make the variant wrong; nor is a
    claim false whose total the file changed.

    Example: barbu rules check barbu_52_doubling --json
    """
    from engine_ext.rules.load import load_lineage
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
            }
        )
        return
    print_table(("total", "points"), [[k, str(v)] for k, v in result.totals.items()])
    for claim in result.claims:
        if claim.changed and not claim.ok:
            here = f"says {claim.stated}, here {claim.comes_out} ({claim.what})"
            print(f"changed by this file: {claim.source} {here}.")
            continue
        verdict = "comes out" if claim.ok else f"is false, {claim.comes_out} comes out"
        print(f"{claim.source}: {claim.what} {claim.stated} {verdict}. {claim.note or ''}".rstrip())
    print(f"{variant}: the rules can be played.")


@app.command()
def schema() -> None:
    """Print the JSON Schema of variant files, for editors.

    Example: barbu rules schema > variant.schema.json
    """
    from engine_ext.rules.schema import variant_schema

    print_json(variant_schema())
