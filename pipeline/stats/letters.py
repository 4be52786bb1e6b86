"""Letters behind the names of a league: two entrants share one unless they are told apart.

Source: H.-P. Piepho, An algorithm for a letter-based representation of all-pairwise
comparisons, Journal of Computational and Graphical Statistics 13, 2004: start with one
letter for all, split it wherever a pair was told apart (insert), and leave out letters
whose holders all hold another one (absorb). It is right even where a is told apart from
c, but neither from b.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from string import ascii_lowercase

from pipeline.stats.estimate import Estimate, excludes

Pair = tuple[int, int]
Group = frozenset[int]


def letters(order: Sequence[int], pairs: Mapping[Pair, Estimate]) -> list[str]:
    """Letters of each entrant, by its number 0..k-1.

    Parameters
    ----------
    order : sequence of int
        All entrants, the best first: it gets the letter a.
    pairs : mapping
        For pairs (i, k) the estimate of i less k; those whose interval excludes 0 are told
        apart, those without an interval are not.

    Returns
    -------
    list of str
        Two entrants have a letter in common if and only if they are not told apart. After z
        come aa, ab and so on, in a cell divided by blanks.
    """
    place = {entrant: at for at, entrant in enumerate(order)}
    apart = sorted(pair for pair, difference in pairs.items() if excludes(difference))
    groups = _needed(_groups(order, apart))
    groups.sort(key=lambda group: sorted(place[entrant] for entrant in group))
    names = [_name(number) for number in range(len(groups))]
    gap = "" if len(groups) <= len(ascii_lowercase) else " "
    return [
        gap.join(name for name, group in zip(names, groups, strict=True) if entrant in group)
        for entrant in range(len(order))
    ]


def _groups(order: Iterable[int], apart: Iterable[Pair]) -> list[Group]:
    """The largest groups in which nobody is told apart from anybody."""
    groups = [frozenset(order)]
    for i, k in apart:
        split = [group for group in groups if i in group and k in group]
        kept = [group for group in groups if group not in split]
        for part in (group - {one} for group in split for one in (i, k)):
            if not any(part <= other for other in kept):
                kept = [other for other in kept if not other <= part] + [part]
        groups = kept
    return groups


def _needed(groups: Iterable[Group]) -> list[Group]:
    """Without groups all of whose pairs are in others: they say nothing more."""
    kept = sorted(groups, key=lambda group: (len(group), sorted(group)))
    holders = Counter(pair for group in kept for pair in product(group, group))
    for group in tuple(kept):
        if all(holders[pair] > 1 for pair in product(group, group)):
            kept.remove(group)
            holders.subtract(product(group, group))
    return kept


def _name(number: int) -> str:
    """a to z, then aa, ab and so on."""
    size = len(ascii_lowercase)
    above = _name(number // size - 1) if number >= size else ""
    return above + ascii_lowercase[number % size]
