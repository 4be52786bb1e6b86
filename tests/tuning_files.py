"""Small tunings for tests: rules of a few cards, knobs whose worth is known."""

from pathlib import Path

UNFAIR = """
title = "Who wins the first trick pays"
language = "en"
source = "made up for tests"
seats = 4
direction = "clockwise"
objective = "highest"

[deck]
ranks = ["T", "J", "Q", "K", "A"]

[schedule]
kind = "choice"
uses = { first = 4 }
uses_of = "table"
dealership = 4
dealer = "declarer"
leader = "declarer"

[contracts.first]
kind = "trick"
title = "Not the first trick"
tone = "negative"
source = "made up"
total = -10
terms = [{ per = "trick_at", tricks = [1], points = -10, name = "first" }]

[contracts.never]
kind = "trick"
title = "Never played"
tone = "negative"
source = "made up"
total = -5
terms = [{ per = "trick", points = -1 }]
"""
"""One seat leads all four deals, and who leads low does not win the trick."""

MEND = """
title = "The same seat leads every deal"
base = "unfair.toml"
name = "mended"
seed = 4
objectives = [{ name = "seat_fairness", step = 2.0 }]
players = { full = "duck.v1" }
amount = { games = 300 }
sensitivity = { morris = 2 }
search = { method = "every", candidates = 9, rounds = 1 }
fresh = { games = 600, finalists = 2 }

[[knobs]]
key = "schedule.dealership"
values = [1]

[[knobs]]
key = "contracts.never.terms[0].points"
values = [-2, -3]
"""
"""Knob 0 mends it, knob 1 is a dummy: its contract is in no game."""

SCALES = """
title = "Contracts that weigh alike"
base = "barbu_king_br"
name = "alike"
seed = 5
objectives = [{ name = "scale_balance" }]
players = { full = "duck.v1" }
amount = { games = 40 }
search = { method = "every", candidates = 20, rounds = 2, by = "rescoring" }
fresh = { games = 60, finalists = 2 }

[[knobs]]
key = "contracts.first_last.terms[0].points"
values = [41]

[[knobs]]
key = "contracts.take_tricks.include[0].times"
values = [-2]
"""


CHOICES = """
title = "Every contract worth choosing"
base = "barbu_52_doubling"
name = "chosen"
seed = 6
objectives = [{ name = "choice_entropy" }, { name = "scale_balance" }]
players = { full = "duck.v1" }
amount = { games = 20, choices = 10, worlds = 2 }
search = { method = "every", candidates = 20, rounds = 1 }
fresh = { games = 20, choices = 10, worlds = 2, finalists = 1 }

[[knobs]]
key = "contracts.queens.terms[0].points"
values = [-20]
"""
"""Contracts are solved anew from a study, games are re-scored."""


def written(folder: Path, text: str = SCALES) -> Path:
    """A tuning file in a folder, with the rules that it may start from."""
    (folder / "unfair.toml").write_text(UNFAIR)
    path = folder / "tuning.toml"
    path.write_text(text)
    return path
