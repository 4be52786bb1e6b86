"""Words of a tuning's page, for who reads it without the documents."""

from reports.glossary import GLOSSARY

COMMON = ("interval", "simultaneous", "digest")
"""Words that mean what they mean on the page of a run."""
WORDS: tuple[tuple[str, str], ...] = (
    ("parent", "the rules as they are, from which the search sets out"),
    ("knob", "something of the rules that may be set otherwise: points, a payout, an option"),
    ("candidate", "the parent's rules with some knobs turned; number 0 is the parent itself"),
    ("winner", "the candidate that is advised, judged on deals that the search has not seen"),
    (
        "objective",
        "a figure that tells how good rules are in one respect, with its error; what it is stands "
        "below What it brings",
    ),
    (
        "step",
        "the difference of an objective that one would care about. In steps different objectives "
        "can be held against each other and added up, each by its weight",
    ),
    (
        "adaptation gap",
        "what changes when players plan under the new rules, against the same play counted anew. "
        "Where it is larger than the effect nothing is concluded",
    ),
    (
        "fresh deals",
        "cards that the search has not seen. The best of many candidates was lucky as well as "
        "good; only on other cards does it show how good",
    ),
    (
        "front",
        "candidates to which no other is superior: none is better in one objective and no worse "
        "in all others",
    ),
    ("block", "a game on cards of its own, the same for every candidate: what intervals count"),
    (
        "further deals",
        "a candidate that may still be the best is measured on more cards, one that is surely "
        "worse is not",
    ),
    *((word, means) for word, means in GLOSSARY if word in COMMON),
)
"""A word, and what it means on this page."""
