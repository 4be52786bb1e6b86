"""Words and signs of a report, for who reads it without the documents."""

GLOSSARY: tuple[tuple[str, str], ...] = (
    (
        "block",
        "the same deals played at every table of the run in every seating: one piece of "
        "evidence, and the unit that every interval counts",
    ),
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
        "ranks possible",
        "the places that an entrant may truly have: those above it for sure, and those below "
        "it for sure, are taken off",
    ),
    (
        "* (Benjamini-Hochberg)",
        "the figure surely differs from 0, where a whole table is looked through: of all "
        "starred figures about 5 % are expected to be starred by chance",
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
