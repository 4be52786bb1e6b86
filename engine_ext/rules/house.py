"""House rules: what a file that extends another takes over of its papers, and what it changes.

Readings, claims and sources tell how a document was read, so a file that changes a rule
must not pass them on as they are. A reading of a changed key becomes a note that the file
changes it; a source of changed points is told as the parent's; claims stay, and
:func:`engine_ext.rules.totals.check` tells which of them the file moved.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from engine_ext.rules.checks_papers import reading_values, value_at, value_text
from engine_ext.rules.facts import parts_of
from engine_ext.rules.spec import Claim, Contract, Reading, Variant
from engine_ext.rules.totals import totals

HOUSE = "house rule"
TEXTS = {"title", "local", "source"}
"""Keys of a contract or of the side bets that change no rule."""
PAPERS = {"title", "language", "source", "readings", "claims", "not_covered"}
"""Keys at the top of a file that change no rule."""


def inherit(child: Variant, parent: Variant, own: Mapping[str, Any]) -> Variant:
    """Return the child with what it takes over of the parent's readings, claims and sources.

    ``own`` is the child's file. Its own readings and claims come first, and stand in the place
    of inherited ones on the same key or total; an empty list takes all inherited ones away.
    """
    readings, claims = child.readings, child.claims
    if own.get("readings") != []:
        readings += tuple(_readings(child, parent))
    if own.get("claims") != []:
        claims += tuple(_claims(child, parent))
    moved = changed_contracts(child, parent)
    contracts = {
        name: _sourced(contract, parent.contracts.get(name), name in moved, _part(own, name))
        for name, contract in child.contracts.items()
    }
    update: dict[str, Any] = {"readings": readings, "claims": claims, "contracts": contracts}
    if child.doubling and parent.doubling and "source" not in own.get("doubling", {}):
        other = _rules(child.doubling) != _rules(parent.doubling)
        source = _house(parent.doubling.source) if other else parent.doubling.source
        update["doubling"] = child.doubling.model_copy(update={"source": source})
    if "source" not in own:
        suffix = ", with house rules"
        other = bool(differences(child, parent)) and not parent.source.endswith(suffix)
        update["source"] = parent.source + suffix * other
    return child.model_copy(update=update)


def changed_contracts(here: Variant, base: Variant) -> set[str]:
    """Return the contracts whose rules or points are not those of ``base``; new ones too.

    One that includes another changes with it, and where tricks score, with the pack.
    """
    return {
        name
        for name, contract in here.contracts.items()
        if name not in base.contracts
        or _rules(contract) != _rules(base.contracts[name])
        or parts_of(here, name) != parts_of(base, name)
    }


def differences(here: Variant, base: Variant) -> list[str]:
    """Return a line for each key whose value is not that of ``base``: ``KEY = NEW (OLD)``."""
    new, old = dict(_leaves(here)), dict(_leaves(base))
    lines = []
    for name in here.contracts:
        if name not in base.contracts:
            lines.append(f"contracts.{name}: new")
    for name in base.contracts:
        if name not in here.contracts:
            lines.append(f"contracts.{name}: taken away")
    whole = tuple(f"{line.partition(':')[0]}." for line in lines)
    for key, value in new.items():
        if key.startswith(whole):
            continue
        if key not in old:
            if value == "none" and any(other.startswith(f"{key}.") for other in old):
                lines.append(f"{key}: taken away")
            elif value not in ("none", ()):
                lines.append(f"{key} = {value_text(value)} (new)")
        elif value != old[key]:
            lines.append(f"{key} = {value_text(value)} (there {value_text(old[key])})")
    # What lies in a table that was taken away is told with the table, as "none".
    tables = tuple(f"{key}." for key in new)
    for key, value in old.items():
        if key in new or value in ((), "none") or key.startswith(whole + tables):
            continue
        if not any(other.startswith(f"{key}.") for other in new):
            lines.append(f"{key}: taken away (there {value_text(value)})")
    return lines


def _part(own: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = own.get("contracts", {}).get(name, {})
    return found


def _rules(record: BaseModel) -> dict[str, Any]:
    return record.model_dump(exclude=TEXTS)


def _house(source: str) -> str:
    return source if source.startswith(HOUSE) else f"{HOUSE}; otherwise {source}"


def _sourced(
    contract: Contract, parent: Contract | None, changed: bool, own: Mapping[str, Any]
) -> Contract:
    """Return a contract whose source does not vouch for what the file changed."""
    if parent is None or "source" in own:
        return contract
    source = _house(parent.source) if changed else parent.source
    return contract.model_copy(update={"source": source})


def _readings(child: Variant, parent: Variant) -> Iterator[Reading]:
    """Yield the parent's readings; those of keys that the child changes as notes of it.

    A reading of a key that the child does not have any more is about nothing, and left out.
    So is that of a changed key whose subject the child reads itself, under whatever key.
    """
    told = {key for reading in child.readings for key, _ in reading_values(reading)}
    subjects = {_subject(key) for key in told}
    leaves = dict(_leaves(child))
    for reading in parent.readings:
        values = [(key, value) for key, value in reading_values(reading) if key not in told]
        same = []
        for key, value in values:
            at = _leaf(child, leaves, key)
            if at is None or at in told:
                continue
            if at == key and _is(value_at(child, key), value):
                same.append((key, value))
                continue
            if _subject(key) in subjects:
                continue
            why = f'House rule: this file changes it; "{parent.title}" has {value_text(value)}.'
            new: Any = value_at(child, at)
            yield Reading(issue=reading.issue, option=at, value=new, why=why, source=HOUSE)
        if len(same) == len(reading_values(reading)):
            yield reading
            continue
        for key, value in same:
            yield reading.model_copy(update={"option": key, "value": value})


def _subject(key: str) -> str:
    """Return what a key is about: a contract's rule, ties or legality whole; else itself.

    ``contracts.king.lead_ban.cards.suits`` and ``contracts.king.lead_ban`` read the same rule.
    """
    parts = key.split(".")
    if parts[0] == "contracts":
        return ".".join(parts[:3])
    return parts[0] if parts[0] in ("ties", "legality") else key


def _is(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def _leaf(variant: Variant, leaves: Mapping[str, object], key: str) -> str | None:
    """Return a key with a plain value; of a table, that was absent before, its first that says
    something; nothing for a key that does not exist."""
    inside = [leaf for leaf, value in leaves.items() if leaf.startswith(f"{key}.") and value]
    if inside:
        return inside[0]
    try:
        value_at(variant, key)
    except LookupError:
        return None
    return key


def _claims(child: Variant, parent: Variant) -> Iterator[Claim]:
    told = {claim.what for claim in child.claims}
    known = totals(child)
    for claim in parent.claims:
        if claim.what in known and claim.what not in told:
            yield claim


def _leaves(value: object, key: str = "") -> Iterator[tuple[str, object]]:
    """Yield each key that makes a rule, with its value; lists of plain values whole."""
    if isinstance(value, BaseModel):
        left_out = PAPERS if isinstance(value, Variant) else TEXTS
        items: Any = [(f".{n}", getattr(value, n)) for n in type(value).model_fields]
        items = [(name, part) for name, part in items if name[1:] not in left_out]
    elif isinstance(value, dict):
        items = [(f".{name}", part) for name, part in value.items()]
    elif isinstance(value, tuple) and any(isinstance(part, BaseModel) for part in value):
        items = [(f"[{i}]", part) for i, part in enumerate(value)]
    else:
        yield key, "none" if value is None else value
        return
    for name, part in items:
        yield from _leaves(part, f"{key}{name}".lstrip("."))
