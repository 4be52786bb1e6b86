"""Cards, points and places in plain words, as a player says them."""

from collections.abc import Sequence

from engine_ext.rules.spec import PerCard, PerTrick, Selector, Term

SUITS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
RANKS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Join with commas and one ``and``.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return f" {last} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def number(n: int) -> str:
    """Return a small number as a word, a large one as figures."""
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)


def signed(points: int) -> str:
    """Return points with their sign, ``0`` without one."""
    return f"{points:+d}" if points else "0"


def times(n: int) -> str:
    """Return ``once``, ``twice``, ``3 times``."""
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


def ordinal(n: int) -> str:
    """Return ``first`` for 1, and so on."""
    return ORDINALS[n - 1] if 1 <= n <= len(ORDINALS) else f"{n}th"


def card(name: str) -> str:
    """Return a card's name in words.

    >>> card("KH")
    'king of hearts'
    """
    return f"{rank(name[0])} of {suit(name[1])}s"


def rank(letter: str) -> str:
    """Return a rank in words, or its letter where it has none."""
    return RANKS.get(letter, letter)


def suit(letter: str) -> str:
    """Return a suit in words, singular, or its letter where it has none."""
    return SUITS.get(letter, letter)


def _plural(noun: str) -> str:
    return "sixes" if noun == "six" else f"{noun}s"


def cards(selector: Selector, *, each: bool, last: str = "and") -> str:
    """Return a set of cards in words: ``each heart``, or ``hearts`` where not ``each``.

    ``last`` joins the last two.

    >>> cards(Selector(suits=("H",), but=("AH",)), each=True)
    'each heart but the ace'
    """
    parts = []
    if selector.suits and selector.ranks:
        of = listed([_plural(suit(letter)) for letter in selector.suits], "or")
        parts = [f"{_one(rank(letter), each)} of {of}" for letter in selector.ranks]
    elif selector.suits or selector.ranks:
        nouns = [suit(s) for s in selector.suits] or [rank(r) for r in selector.ranks]
        parts = [_one(noun, each) for noun in nouns]
    parts += [f"the {card(name)}" for name in selector.cards]
    text = listed(parts, last)
    if selector.but:
        one_suit = len(selector.suits) == 1 and not selector.ranks
        spared = [rank(name[0]) if one_suit else card(name) for name in selector.but]
        text += f" but the {listed(spared)}"
    return text


def _one(noun: str, each: bool) -> str:
    return f"each {noun}" if each else _plural(noun)


def trick(index: int) -> str:
    """Return which trick an index means: 1 the first, -1 the last."""
    if index > 0:
        return f"the {ordinal(index)} trick"
    return {-1: "the last trick", -2: "the last trick but one"}.get(
        index, f"the {ordinal(-index)} trick from the end"
    )


def scores(term: Term) -> str:
    """Return what a term gives: ``+5 for each trick``."""
    if isinstance(term, PerTrick):
        what = "each trick"
    elif isinstance(term, PerCard):
        what = cards(term.of, each=True)
    else:
        what = listed([trick(index) for index in term.tricks])
        if len(term.tricks) > 1:
            return f"{signed(term.points)} each for {what}"
    return f"{signed(term.points)} for {what}"
