"""Any rules that a variant file could say, for Hypothesis: small packs, odd contracts."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from engine_ext.rules.checks import problems
from engine_ext.rules.facts import terms_of
from engine_ext.rules.spec import Variant
from tests.property.game_generators import doublings, extra_deals, fewest, revokes, schedules

RANKS = "123456789TJQKAX"
Table = dict[str, Any]


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Draw a variant that passes every check of a rule file, for 2 to 10 seats."""
    seats = draw(st.integers(2, 10))
    deck = draw(decks(seats))
    names = ["first", "second", "third", "fourth"][: draw(st.integers(1, 4))]
    schedule = draw(schedules(names, cards_of(deck)))
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
        doubling = draw(doublings(fewest(schedule, seats)))
    of_tricks = [contracts[name] for name in names if contracts[name]["kind"] == "trick"]
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
        "ties": draw(extra_deals(names)),
        "legality": draw(revokes(of_tricks)),
    }
    variant = Variant.model_validate(table)
    assume(not list(problems(variant)))
    return variant


@st.composite
def decks(draw: st.DrawFn, seats: int) -> Table:
    """Draw a pack that can be dealt out: suits and ranks in any order, lowest cards removed."""
    copies = draw(st.sampled_from([1, 1, 2]))
    shapes = [
        (n_suits, n_ranks)
        for n_suits in range(1, 5)
        for n_ranks in range(2, 16)
        if copies * n_suits * n_ranks >= seats and copies * n_suits * n_ranks % seats < n_suits
    ]
    n_suits, n_ranks = draw(st.sampled_from(shapes))
    suits = draw(st.permutations("CDHS"))[:n_suits]
    ranks = draw(st.permutations(RANKS))[:n_ranks]
    over = copies * n_suits * n_ranks % seats
    removed = [ranks[0] + suit for suit in draw(st.permutations(suits))[:over]]
    everything = [rank + suit for rank in ranks for suit in suits]
    size = copies * n_suits * n_ranks
    if draw(st.integers(0, 4)) == 0 and size >= 2 * seats + over:
        # Short packs with gaps: cards of any rank are out, for a hand of any size.
        over += seats * draw(st.integers(0, size // seats - 1))
        removed = draw(st.permutations(everything))[:over]
    deck: Table = {"suits": tuple(suits), "ranks": tuple(ranks), "remove": tuple(removed)}
    if copies == 2:
        # One copy less of any card: its twin is still there.
        gone = draw(st.permutations(everything * draw(st.integers(1, 2))))[:over]
        deck |= {"copies": 2, "remove": tuple(gone)}
        deck["identical"] = draw(st.sampled_from(["last_wins", "first_wins"]))
    return deck


def cards_of(deck: Table) -> list[str]:
    """Return the names of the cards of a pack."""
    everything = [rank + suit for suit in deck["suits"] for rank in deck["ranks"]]
    return [card for card in everything if deck["remove"].count(card) < deck.get("copies", 1)]


def size_of(deck: Table) -> int:
    """Return how many cards are dealt."""
    whole = len(deck["suits"]) * len(deck["ranks"]) * deck.get("copies", 1)
    return int(whole) - len(deck["remove"])


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
        if candidates:  # a short pack may have none of a suit
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
    hand_size = size_of(deck) // seats
    others = [other for other, rules in earlier.items() if rules["kind"] == "trick"]
    included: tuple[str, ...] = ()
    if draw(st.booleans()) and others:
        included = draw(some_of(others))
    per = st.sampled_from(["trick", "card", "card", "trick_at"])
    kinds = draw(st.lists(per, min_size=0 if included else 1, max_size=3))
    scale = draw(st.sampled_from([1, 1, 1, 1, 1000]))
    terms: list[Table] = []
    for i, kind in enumerate(kinds):
        term: Table = {
            "per": kind,
            "points": scale * draw(st.integers(-9, 9)),
            "name": f"{name}_{i}",
        }
        if kind == "card":
            term["of"] = draw(selectors(deck))
        if kind == "trick_at":
            counted = st.integers(1, hand_size).flatmap(
                lambda n: st.sampled_from([n, n - hand_size - 1])
            )
            term["tricks"] = tuple(
                draw(
                    st.lists(
                        counted, min_size=1, max_size=3, unique_by=lambda n: n % (hand_size + 1)
                    )
                )
            )
        terms.append(term)
    trump = draw(st.sampled_from(trumps))
    contract: Table = {
        "kind": "trick",
        "title": name,
        "source": "invented",
        "tone": draw(st.sampled_from(["negative", "positive", "mixed"])),
        "terms": tuple(terms),
        "include": tuple({"contract": c, "times": draw(factors(earlier, c))} for c in included),
        "trump": trump,
        "early_end": draw(st.sampled_from(["never", "when_decided"])),
        "face_up": draw(st.none() | selectors(deck)),
    }
    if draw(st.integers(0, 3)) == 0:
        points = st.integers(-40, 40)
        contract["shooting"] = {
            "cards": draw(selectors(deck)), "taker": draw(points), "others": draw(points)
        }  # fmt: skip
    return contract | draw(duties(deck, hand_size, trump))


@st.composite
def factors(draw: st.DrawFn, earlier: dict[str, Table], name: str) -> Any:
    """Draw a factor on an earlier contract's points that leaves them whole."""
    terms = Variant.model_validate(
        {
            "title": "-", "language": "en", "source": "-", "seats": 2, "direction": "clockwise",
            "objective": "lowest", "deck": {"ranks": ("A", "K")}, "contracts": earlier,
            "schedule": {"kind": "fixed", "sequence": (name,), "leader": "dealer"},
        }
    )  # fmt: skip
    even = all(term.points % 2 == 0 for term in terms_of(terms, name))
    halves = st.sampled_from(["1/2", "-3/2"]) if even else st.nothing()
    return draw(st.integers(-2, 2) | st.sampled_from(["4/2", "-3/3"]) | halves)


@st.composite
def duties(draw: st.DrawFn, deck: Table, hand_size: int, trump: str) -> Table:
    """Draw what must and must not be played, often nothing."""
    ruffs = ["free", "must_ruff", "must_overruff", "must_overruff_else_free"]
    beats = ["none", "none", "trump_leads", "all_leads"]
    rules: Table = {
        "void_duty": "free" if trump == "none" else draw(st.sampled_from(ruffs)),
        "beat_duty": draw(st.sampled_from(beats)),
    }
    if trump == "none" and rules["beat_duty"] == "trump_leads":
        rules["beat_duty"] = "all_leads"
    if draw(st.booleans()):
        until = draw(st.sampled_from(["nothing_else", "broken", "trick"][: 2 + (hand_size > 1)]))
        ban: Table = {"cards": draw(selectors(deck)), "until": until}
        if until == "broken":
            ban["broken_by"] = draw(st.none() | selectors(deck))
        if until == "trick":
            ban["trick"] = draw(st.integers(2, hand_size))
        rules["lead_ban"] = ban
    if draw(st.booleans()):
        rules["forced_play"] = {
            "cards": draw(selectors(deck)),
            "when": draw(st.sampled_from(["void", "void", "void_or_beaten", "first_legal"])),
            "choose": draw(st.sampled_from(["any", "any", "highest"])),
        }
    for first in ("first_lead", "first_trick_ban"):
        if draw(st.integers(0, 3)) == 0:
            rules[first] = draw(selectors(deck))
    return rules


@st.composite
def layouts(draw: st.DrawFn, deck: Table, seats: int) -> Table:
    """Draw a domino that ends even if nobody wants it to."""
    start = draw(st.one_of(st.just("any_rank"), some_of(deck["ranks"][1:] + deck["ranks"][:1])))
    contract: Table = {
        "kind": "layout",
        "title": "domino",
        "source": "invented",
        "tone": draw(st.sampled_from(["negative", "positive", "mixed"])),
        "start": start,
        "missing_start": draw(st.sampled_from(["virtual", "forbid", "stall"])),
        "passing": draw(st.sampled_from(["must_play", "may_pass", "limited"])),
        "stall": draw(st.sampled_from(["force_after_full_circle", "freeze"])),
        "unplayable": draw(st.sampled_from(["foul", "lose_turn"])),
        "end": draw(st.sampled_from(["all_out", "one_left"])),
        "payout": tuple(draw(st.lists(st.integers(-50, 50), min_size=seats, max_size=seats))),
    }
    if contract["passing"] == "limited":
        contract["passes"] = draw(st.sampled_from([1, 1, 2, 3, 100]))
    if contract["passing"] != "may_pass" and contract["unplayable"] == "foul":
        contract["stall"] = draw(st.sampled_from(["none", contract["stall"]]))
    if draw(st.booleans()):
        duty = draw(st.sampled_from(["optional", "mandatory"]))
        contract["replay"] = {"cards": draw(selectors(deck)), "duty": duty}
    if "copies" in deck:
        # Two rows can end only where no rank is without its twin.
        gap = any(card[0] != deck["ranks"][0] for card in deck["remove"])
        rows = [] if gap and contract["stall"] != "freeze" else ["parallel_rows"]
        contract["copies"] = draw(st.sampled_from(["shared_run", "stack", *rows]))
    return contract
