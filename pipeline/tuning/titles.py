"""What a knob is called where the file does not say, in words of the table."""

import re

from engine_ext.rules import words
from engine_ext.rules.spec import ChoiceSchedule, TrickContract, Variant

GAME = {
    "schedule.sequence": "order of the contracts",
    "schedule.dealership": "deals in a row of a declarer",
    "schedule.leader": "who leads",
    "schedule.dealer": "who deals",
    "doubling.duty": "doubles that are a duty",
    "doubling.duty_penalty": "points for a double that lacks",
}


def title_of(parent: Variant, keys: tuple[str, ...]) -> str:
    """Return a title of a knob: ``No queens: each queen``, ``Réussite: third place``."""
    named = list(dict.fromkeys(_title(parent, key) for key in keys))
    return words.listed(named)


def _title(parent: Variant, key: str) -> str:
    if key in GAME:
        return _capital(GAME[key])
    name = key.removeprefix("schedule.uses.")
    if name != key and isinstance(parent.schedule, ChoiceSchedule):
        who = "table" if parent.schedule.uses_of == "table" else "declarer"
        return f"{parent.contracts[name].title}: times for each {who}"
    found = re.fullmatch(r"contracts\.(\w+)(?:\.(.+))?", key)
    if not found:
        return _capital(_spoken(key))
    title, rest = parent.contracts[found[1]].title, found[2]
    return f"{title}: {_part(parent, found[1], rest)}" if rest else title


def _part(parent: Variant, name: str, rest: str) -> str:
    contract = parent.contracts[name]
    place = re.fullmatch(r"payout\[(\d+)\]", rest)
    if place:
        return f"{words.ordinal(int(place[1]) + 1)} place"
    term = re.fullmatch(r"terms\[(\d+)\]\.points", rest)
    if term and isinstance(contract, TrickContract):
        return words.scores(contract.terms[int(term[1])]).partition(" for ")[2]
    factor = re.fullmatch(r"include\[(\d+)\]\.times", rest)
    if factor and isinstance(contract, TrickContract):
        other = contract.include[int(factor[1])].contract
        return f"times the points of {parent.contracts[other].title}"
    return _spoken(rest)


def _spoken(key: str) -> str:
    return re.sub(r"[._]", " ", key)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
