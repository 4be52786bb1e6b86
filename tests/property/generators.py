"""Any rules that a variant file could say, for Hypothesis: small packs, odd contracts."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from engine_ext.rules.checks import problems
from engine_ext.rules.spec import Variant

RANKS = "123456789TJQKAX"
Table = dict[str, Any]


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Draw a variant that passes every check of a rule file, for 2 to 10 seats."""
    seats = draw(st.integers(2, 10))
    deck = draw(decks(seats))
    names = ["first", "second", "third", "fourth"][: draw(st.integers(1, 4))]
    schedule = draw(schedules(names))
    trumps = ["none", "none", "drawn"] + ["declarer"] * (schedule["kind"] == "choice")
    contracts: dict[str, Table] = {}
    for name in names:
        is_layout = draw(st.integers(0, 3)) == 0
        contracts[name] = draw(
            layouts(deck, seats)
            if is_layout
            else trick_contracts(deck, seats, name, contracts, trumps)
        )
    doubling = None
    if schedule["kind"] == "choice" and draw(st.integers(0, 3)):
        doubling = draw(doublings(schedule["dealership"]))
    table = {
        "title": "Anything",
        "language": "en",
        "source": "invented",
        "seats": seats,
        "direction": draw(st.sampled_from(["clockwise", "counter_clockwise"])),
        "objective": draw(st.sampled_from(["lowest", "highest"])),
        "deck": deck,
        "contracts": contracts,
        "schedule": schedule,
        "doubling": doubling,
    }
    variant = Variant.model_validate(table)
    assume(not list(problems(variant)))
    return variant


@st.composite
def decks(draw: st.DrawFn, seats: int) -> Table:
    """Draw a pack that can be dealt out: suits and ranks in any order, lowest cards removed."""
    shapes = [
        (n_suits, n_ranks)
        for n_suits in range(1, 5)
        for n_ranks in range(2, 16)
        if n_suits * n_ranks >= seats and n_suits * n_ranks % seats < n_suits
    ]
    n_suits, n_ranks = draw(st.sampled_from(shapes))
    suits = draw(st.permutations("CDHS"))[:n_suits]
    ranks = draw(st.permutations(RANKS))[:n_ranks]
    over = n_suits * n_ranks % seats
    removed = [ranks[0] + suit for suit in draw(st.permutations(suits))[:over]]
    return {"suits": tuple(suits), "ranks": tuple(ranks), "remove": tuple(removed)}


def cards_of(deck: Table) -> list[str]:
    """Return the names of the cards of a pack."""
    everything = [rank + suit for suit in deck["suits"] for rank in deck["ranks"]]
    return [card for card in everything if card not in deck["remove"]]


@st.composite
def selectors(draw: st.DrawFn, deck: Table) -> Table:
    """Draw a set of cards: suits, ranks, both or single cards, perhaps less one."""
    kind = draw(st.sampled_from(["suits", "ranks", "both", "cards", "mixed"]))
    selector: Table = {}
    if kind in ("suits", "both", "mixed"):
        selector["suits"] = draw(some_of(deck["suits"]))
    if kind in ("ranks", "both"):
        selector["ranks"] = draw(some_of(deck["ranks"]))
    if kind in ("cards", "mixed"):
        selector["cards"] = draw(some_of(cards_of(deck)))
    if kind == "suits" and draw(st.booleans()):
        candidates = [card for card in cards_of(deck) if card[1] in selector["suits"]]
        selector["but"] = draw(some_of(candidates))
    return selector


def some_of(things: Any) -> st.SearchStrategy[tuple[str, ...]]:
    """Return a strategy for one to three different things of a list."""
    return st.lists(st.sampled_from(list(things)), min_size=1, max_size=3, unique=True).map(tuple)


@st.composite
def trick_contracts(
    draw: st.DrawFn,
    deck: Table,
    seats: int,
    name: str,
    earlier: dict[str, Table],
    trumps: list[str],
) -> Table:
    """Draw a contract of tricks; it may include earlier ones."""
    hand_size = len(cards_of(deck)) // seats
    others = [other for other, rules in earlier.items() if rules["kind"] == "trick"]
    included: tuple[str, ...] = ()
    if draw(st.booleans()) and others:
        included = draw(some_of(others))
    per = st.sampled_from(["trick", "card", "card", "trick_at"])
    kinds = draw(st.lists(per, min_size=0 if included else 1, max_size=3))
    terms: list[Table] = []
    for i, kind in enumerate(kinds):
        term: Table = {"per": kind, "points": draw(st.integers(-9, 9)), "name": f"{name}_{i}"}
        if kind == "card":
            term["of"] = draw(selectors(deck))
        if kind == "trick_at":
            counted = st.integers(1, hand_size).flatmap(
                lambda n: st.sampled_from([n, n - hand_size - 1])
            )
            term["tricks"] = (draw(counted),)
        terms.append(term)
    trump = draw(st.sampled_from(trumps))
    contract: Table = {
        "kind": "trick",
        "title": name,
        "source": "invented",
        "tone": draw(st.sampled_from(["negative", "positive", "mixed"])),
        "terms": tuple(terms),
        "include": tuple({"contract": c, "times": draw(st.integers(-2, 2))} for c in included),
        "trump": trump,
        "void_duty": "free" if trump == "none" else draw(st.sampled_from(["free", "must_ruff"])),
        "early_end": draw(st.sampled_from(["never", "when_decided"])),
    }
    for rule in ("lead_ban", "forced_play"):
        if draw(st.booleans()):
            contract[rule] = {"cards": draw(selectors(deck))}
    if draw(st.booleans()):
        contract["face_up"] = draw(selectors(deck))
    return contract


@st.composite
def layouts(draw: st.DrawFn, deck: Table, seats: int) -> Table:
    """Draw a domino that ends even if nobody wants it to."""
    start = draw(st.one_of(st.just("any_rank"), some_of(deck["ranks"][1:])))
    contract: Table = {
        "kind": "layout",
        "title": "domino",
        "source": "invented",
        "tone": draw(st.sampled_from(["negative", "positive", "mixed"])),
        "start": start,
        "missing_start": draw(st.sampled_from(["virtual", "forbid"])),
        "passing": draw(st.sampled_from(["must_play", "may_pass"])),
        "stall": "force_after_full_circle",
        "unplayable": draw(st.sampled_from(["foul", "lose_turn"])),
        "end": draw(st.sampled_from(["all_out", "one_left"])),
        "payout": tuple(draw(st.lists(st.integers(-50, 50), min_size=seats, max_size=seats))),
    }
    if draw(st.booleans()):
        contract["replay"] = {"cards": draw(selectors(deck))}
    return contract


@st.composite
def schedules(draw: st.DrawFn, names: list[str]) -> Table:
    """Draw a fixed order of all contracts, or a choice with one or two uses of each."""
    if draw(st.integers(0, 2)) == 0:
        return {
            "kind": "fixed",
            "sequence": tuple(draw(st.permutations(names))),
            "leader": draw(st.sampled_from(["left_of_dealer", "right_of_dealer", "dealer"])),
        }
    uses = {name: draw(st.integers(1, 2)) for name in names}
    own = sum(uses.values())
    sides = ["declarer", "left_of_declarer", "right_of_declarer"]
    return {
        "kind": "choice",
        "uses": uses,
        "dealership": draw(st.sampled_from([n for n in range(1, own + 1) if own % n == 0])),
        "dealer": draw(st.sampled_from(sides)),
        "leader": draw(st.sampled_from(sides)),
    }


@st.composite
def doublings(draw: st.DrawFn, dealership: int) -> Table:
    """Draw rules for side bets, with a duty where it can be kept."""
    targets = st.sampled_from(["anyone", "declarer", "anyone", "declarer", "nobody"])
    rules = {
        "in_negative": draw(targets),
        "in_positive": draw(targets),
        "declarer": draw(st.sampled_from(["doublers", "doublers", "nobody"])),
        "duty": 0,
        "duty_enforced": draw(st.sampled_from(["force", "force", "none"])),
        "source": "invented",
    }
    if "nobody" not in (rules["in_negative"], rules["in_positive"]):
        rules["duty"] = draw(st.integers(0, min(2, dealership)))
    return rules
