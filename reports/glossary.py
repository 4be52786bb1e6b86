"""Words and signs of a report, for who reads it without the documents."""

from html import unescape

GLOSSARY: tuple[tuple[str, str], ...] = (
    (
        "entrant",
        "who plays, such as duck; in a study everybody at the table plays as the entrant. "
        "`barbu strategies list` says how those play that come with the program",
    ),
    (
        "block",
        "the same deals played at every table of the run in every seating; where people played, "
        "an evening, or a game by itself: one piece of evidence, and the unit that every interval "
        "counts",
    ),
    ("units", "what is played as one piece: a deal with all its alternatives, or a game"),
    ("dealership", "the deals in which one player is the declarer"),
    (
        "worlds",
        "the hidden cards dealt anew to the others, one hand kept. What one half of the worlds "
        "advises the other half pays out, so that luck does not pass for skill",
    ),
    (
        "dynamic program",
        "a way of choosing: it weighs what a contract brings now against what it may still bring "
        "with the hands to come",
    ),
    ("price", "what the deals to come lose when a contract is spent now"),
    ("start rank", "the rank that opens a contract in which cards are laid out, not taken"),
    ("line-up", "who sits at a table, in playing order"),
    ("seat-game", "one seat of one game; a game of four has four"),
    (
        "interval",
        "where the true figure should lie; made so that 95 of 100 such intervals hold it. "
        "Its kind stands below each section",
    ),
    (
        "simultaneous",
        "intervals of a table that hold all its true figures together in 95 of 100 runs; "
        "each is wider than one for itself",
    ),
    (
        "claim",
        "what the verdict is about, said in the run file before anything was played: one entrant "
        "less another, or less a mean: of its tables, or of all entrants where company changes",
    ),
    (
        "average entrant",
        "with whom everybody is compared where company changes (round robin). Points above the "
        "table's mean are less: the mean has the entrant's own points in it, and he never meets "
        "himself",
    ),
    (
        "at every moment",
        "an interval (confidence sequence) that may be looked at again and again while blocks come "
        "in: in 95 of 100 runs it holds the true figure at every look. It is wider for that",
    ),
    (
        "log likelihood ratio",
        "how much better one of two declared differences explains the blocks than the other",
    ),
    (
        "attempt",
        "a run that asks the same question with other deals, or with more of them. Who asks often "
        "enough gets any answer by chance",
    ),
    ("letters", "who shares a letter is not told apart; who shares none is"),
    (
        "ranks possible",
        "the places that an entrant may truly have: those above it for sure, and those below "
        "it for sure, are taken off",
    ),
    (
        "* (Benjamini-Hochberg)",
        "the figure surely differs from 0, where a whole table is looked through: of all "
        "starred figures about 5 % are expected to be starred by chance",
    ),
    (
        "standard deviation",
        "how far luck usually moves a figure: about two of three are nearer to the mean than that",
    ),
    (
        "Hotelling's test",
        "whether several figures, such as those of the seats, differ at all or by luck alone",
    ),
    (
        "company",
        "who sits at a table, in any order; an entrant with a certain neighbour is compared with "
        "himself in the same company",
    ),
    (
        "datum",
        "in the design candidates the field alone on the same cards, against which every candidate "
        "is measured",
    ),
    (
        "R\N{SUPERSCRIPT TWO}",
        "the part of the ups and downs of games that something foretells; below 0 where it "
        "foretells worse than nothing",
    ),
    ("adds", "a block's part of the claim's figure: all blocks together are the figure"),
    (
        "surplus",
        "games of blocks beyond the one at which the run stopped: they are kept, and count nowhere",
    ),
    (
        "played again",
        "from the seed, and held against the row that the run kept: a game must come out the same "
        "card for card",
    ),
    ("win share", "1 for a first place alone, 1/2 each for two who tie, and so on"),
    ("points", "of a contract before side bets, unless it says that they are included"),
    (
        "settlement",
        "what one side bet paid: the difference of points between doubler and doubled, twice "
        "it if redoubled",
    ),
    (
        "roles",
        "the declarer chose the contract; where nobody does, the leader leads first. The others "
        "count in playing order: 1st after, 2nd after, ... In pair maps declarer or leader is 0, "
        "and 1\N{RIGHTWARDS ARROW}0 is a double of role 0 by role 1",
    ),
    (
        "contracts left",
        "what a declarer could still choose from, one that may be chosen twice counted twice",
    ),
    (
        "common streams",
        "a seat draws the same random numbers in all games of a block, so that entrants differ "
        "by how they play; with independent streams each game has its own",
    ),
    (
        "document 000, dossier 1A, ...",
        "where the rules come from: documents by number, dossiers by section, as the rule file "
        "lists them",
    ),
    ("digest", "64 signs that stand for every row of the run: the same run, the same digest"),
    ("foul", "an illegal or failed answer of a strategy; the default answer was played"),
)
"""A word, and what it means."""
SAID: dict[str, tuple[str, ...]] = {
    "letters": (">letters<",),
    "attempt": (">attempt ", "is attempt"),
    "at every moment": ("every moment",),
    "* (Benjamini-Hochberg)": ("benjamini",),
    "company": ("company",),
    "adds": (">adds<", " adds "),
    "roles": (" after", "role"),
    "win share": ("win share", "wins"),
    "settlement": ("settlement", "settled"),
    "document 000, dossier 1A, ...": ("document 0", "dossier"),
    "common streams": ("streams",),
}
"""How a page says a word, where not as it stands here; in small letters."""


def words_of(page: str) -> tuple[tuple[str, str], ...]:
    """The words and signs that a page uses."""
    said = unescape(page).lower()
    return tuple(
        (word, means)
        for word, means in GLOSSARY
        if any(part in said for part in SAID.get(word, (word.lower(),)))
    )
