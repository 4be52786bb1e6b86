"""What goes with the contracts of any rules, for Hypothesis: schedules, ties, revokes, side bets."""

from typing import Any

from hypothesis import strategies as st

Table = dict[str, Any]


@st.composite
def schedules(draw: st.DrawFn, names: list[str], cards: list[str]) -> Table:
    """Draw a fixed order of all contracts, or a choice with one or two uses of each."""
    sequences = st.lists(st.sampled_from(names), min_size=1, max_size=6)
    if draw(st.integers(0, 2)) == 0:
        leaders = ["left_of_dealer", "right_of_dealer", "dealer", "holder"]
        fixed: Table = {
            "kind": "fixed",
            "sequence": tuple(draw(st.permutations(names) | sequences)),
            "leader": draw(st.sampled_from(leaders)),
        }
        if fixed["leader"] == "holder":
            fixed["holds"] = draw(st.sampled_from(cards))
        return fixed
    # A contract without a use is known to the file and never played, or only in extra deals.
    uses = {name: draw(st.sampled_from([1, 1, 2, 2, 0, 3])) for name in names}
    uses = {name: n for name, n in uses.items() if n} or {names[0]: 1}
    own = sum(uses.values())
    uses_of = draw(st.sampled_from(["declarer", "declarer", "table"]))
    together = [n for n in range(1, own + 1) if own % n == 0 or uses_of == "table"]
    sides = ["declarer", "left_of_declarer", "right_of_declarer"]
    return {
        "kind": "choice",
        "uses": uses,
        "uses_of": uses_of,
        "dealership": draw(st.sampled_from(together)),
        "dealer": draw(st.sampled_from(sides)),
        "leader": draw(st.sampled_from(sides)),
    }


@st.composite
def extra_deals(draw: st.DrawFn, names: list[str]) -> Any:
    """Draw what follows a tie for the first place."""
    if draw(st.booleans()):
        return "shared"
    return {
        "contract": draw(st.sampled_from(names)),
        "eligible": draw(st.sampled_from(["tied_only", "all"])),
        "at_most": draw(st.integers(1, 3)),
    }


@st.composite
def revokes(draw: st.DrawFn, of_tricks: list[Table]) -> Any:
    """Draw what a revoke costs, where there is a contract in which somebody can revoke."""
    if not of_tricks or draw(st.integers(0, 2)) == 0:
        return "engine_enforced"
    breach = ["rejected"] + ["as_revoke"] * any("lead_ban" in rules for rules in of_tricks)
    return {
        "proof": draw(st.sampled_from(["later_same_suit_play", "end_of_deal"])),
        "sign": draw(st.sampled_from(["worsens", "literal_minus", "signed_total"])),
        "other_scores": draw(st.sampled_from(["void", "keep_so_far"])),
        "then": draw(st.sampled_from(["next_deal", "replay_deal"])),
        "lead_ban_breach": draw(st.sampled_from(breach)),
    }


@st.composite
def doublings(draw: st.DrawFn, most: int) -> Table:
    """Draw rules for side bets, with a duty where it can be kept."""
    targets = st.sampled_from(["anyone", "declarer", "anyone", "declarer", "nobody"])
    rules = {
        "in_negative": draw(targets),
        "in_positive": draw(targets),
        "declarer": draw(st.sampled_from(["doublers", "doublers", "nobody"])),
        "duty": 0,
        "undoubled": draw(st.sampled_from(["play", "split"])),
        "rounds": draw(st.integers(1, 2)),
        "source": "invented",
    }
    if rules["declarer"] == "nobody" and rules["rounds"] == 1:
        rules["redoubles"] = draw(st.booleans())
    if "nobody" not in (rules["in_negative"], rules["in_positive"]):
        rules["duty"] = draw(st.integers(0, most))
    if rules["duty"]:
        rules["duty_enforced"] = draw(st.sampled_from(["force", "force", "none", "penalty"]))
        if rules["duty_enforced"] == "penalty":
            rules["duty_penalty"] = draw(st.sampled_from([-7, 5]))
    return rules


def fewest(schedule: Table, seats: int) -> int:
    """Return in how many deals each seat declares at least: so many doubles can be a duty."""
    own: int = sum(schedule["uses"].values())
    if schedule["uses_of"] == "declarer":
        return own
    together: int = schedule["dealership"]
    rounds, rest = divmod(own, together * seats)
    return rounds * together + max(0, rest - (seats - 1) * together)
