"""An empty sheet of a variant: the deals of a game, with what counts in each."""

import csv
import io
from collections.abc import Iterator
from typing import NamedTuple

from engine_ext.cards import Pack
from engine_ext.rules.resolve import KIND_LAYOUT, TRUMP, ContractNumbers, VariantNumbers, resolve
from engine_ext.rules.spec import Variant
from engine_ext.sheet_items import items_of
from pipeline.config import NamedVariant

KINDS = ("csv", "toml")
PLAYERS = ("North", "East", "South", "West")


class Asked(NamedTuple):
    """A deal of the game, as far as it is known before it is played."""

    number: int
    declarer: str
    contract: str
    """Empty where the declarer chooses."""
    counts: tuple[str, ...]
    """What is to be written down of it; ``points`` where that is not known yet."""
    may_double: bool


def template_of(kind: str, variant: NamedVariant) -> str:
    """The text of an empty sheet, ``csv`` or ``toml``."""
    players = players_of_template(variant.rules.seats)
    deals = list(_deals(variant.rules, players))
    write = _csv if kind == "csv" else _toml
    return write(variant, players, deals)


def players_of_template(seats: int) -> tuple[str, ...]:
    """Names for so many seats, in playing order."""
    return PLAYERS if seats == len(PLAYERS) else tuple(f"Player{s + 1}" for s in range(seats))


def _deals(rules: Variant, players: tuple[str, ...]) -> Iterator[Asked]:
    n = resolve(rules)
    for step in range(n.n_deals):
        declarer = players[step // n.dealership % n.seats] if n.has_choice else ""
        number = -1 if n.has_choice else n.sequence[step]
        name = "" if number < 0 else n.contract_names[number]
        counts = ("points",) if number < 0 else tuple(counted(n, n.contracts[number]))
        yield Asked(step + 1, declarer, name, counts, bool(n.has_doubling))


def counted(n: VariantNumbers, contract: ContractNumbers) -> Iterator[str]:
    """What may be written down of a contract: its items, or the place in a layout."""
    if contract.kind == KIND_LAYOUT:
        yield "place"
        return
    yield from (item.name for item in items_of(contract, n))
    if contract.shoot_cards:
        yield contract.slot_names[-1]


def _csv(variant: NamedVariant, players: tuple[str, ...], deals: list[Asked]) -> str:
    n = resolve(variant.rules)
    names_suit = any(c.trump_mode != TRUMP["none"] for c in n.contracts)
    names_rank = any(c.kind == KIND_LAYOUT for c in n.contracts)
    columns = ["evening", "game", "deal"]
    columns += ["declarer"] if n.has_choice else []
    columns += ["contract"]
    columns += ["trump"] if names_suit else []
    columns += ["start"] if names_rank else []
    columns += ["counts", *players]
    columns += ["doubles"] if n.has_doubling else []
    columns += ["revoke"] if n.honour else []
    out = io.StringIO()
    table = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    table.writeheader()
    for deal in deals:
        for counts in deal.counts:
            row: dict[str, object] = {"game": 1, "deal": deal.number, "contract": deal.contract}
            row |= {"counts": counts} | ({"declarer": deal.declarer} if n.has_choice else {})
            table.writerow(row)
    table.writerow({"game": 1, "contract": "totals"})
    return out.getvalue()


def _toml(variant: NamedVariant, players: tuple[str, ...], deals: list[Asked]) -> str:
    listed = ", ".join(f'"{name}"' for name in players)
    lines = [f"# {variant.rules.title}: a game, filled in at the table. Take the # away."]
    lines += _legend(variant.rules)
    lines += ["", "[[games]]", '# evening = "2026-03-05"', f"players = [{listed}]"]
    lines += [f"# totals = {[0] * len(players)}"]
    for deal in deals:
        lines += ["", "[[games.deals]]", f"deal = {deal.number}"]
        lines += [f'declarer = "{deal.declarer}"'] if deal.declarer else []
        lines += [f'contract = "{deal.contract}"'] if deal.contract else ['# contract = ""']
        lines += [f"# {counts} = {[0] * len(players)}" for counts in deal.counts]
        if deal.may_double:
            lines.append(f'# doubles = "{players[1]}>{players[0]}"')
    return "\n".join(lines) + "\n"


def _legend(rules: Variant) -> Iterator[str]:
    """What counts in each contract, where the declarer chooses."""
    n, pack = resolve(rules), Pack(rules.deck)
    if not n.has_choice:
        return
    yield "# Points of a deal will do; or what each player took:"
    for name, contract in zip(n.contract_names, n.contracts, strict=True):
        named = ""
        if contract.kind == KIND_LAYOUT:
            named = f', start = "{pack.ranks[0]}"'
        elif contract.trump_mode != TRUMP["none"]:
            named = f', trump = "{pack.suits[0]}"'
        yield f'#   contract = "{name}"{named}: {", ".join(counted(n, contract))}'
