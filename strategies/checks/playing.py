"""Checks by whole games: within the rules, the same again, nothing kept, no draws unsaid."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine_ext import batch
from engine_ext.errors import UserError
from strategies.checks.games import Example, first_difference, play, rules_of
from strategies.checks.subject import BrokenPromise, NotAsked, Subject
from strategies.decisions import QUESTIONS, Strategy
from strategies.parts import parts_of
from strategies.registry import NAME, create
from strategies.spec import parse

if TYPE_CHECKING:
    from engine_ext.kernel import Views
    from engine_ext.pypolicy import View

RAISED = re.compile(r" (\w+) in deal (\d+), seat (\d+): (.*)", re.DOTALL)
"""How the engine tells an exception."""


def name(subject: Subject) -> None:
    """Results, run files and reports know a strategy by its repr alone."""
    shown = repr(subject.fresh())
    again = repr(create(subject.spec))
    if shown != again:
        raise BrokenPromise(Example(f"called {shown!r}, then {again!r}"))
    told: list[object] = [*parts_of(subject.fresh()).values()] or [shown]
    bases = [parse(str(called)).base for called in told]
    if not all(NAME.fullmatch(base) for base in bases):
        raise BrokenPromise(Example(f"called {shown!r}, want a name like 'mine.v1'"))
    about = subject.info.about
    if not 10 <= len(about) <= 300:
        raise BrokenPromise(
            Example(f"the first line of its docstring is {about!r}, want 10 characters or more")
        )


def within_the_rules(subject: Subject) -> str:
    """No foul and no exception, among its own and among players who are careless."""
    n = 0
    for variant in subject.variants:
        seats = rules_of(variant).numbers.seats
        for others in ([], ["random.v1"], ["random.v1"] * (seats - 1)):
            players = [subject.fresh(), *map(create, others)]
            records = (
                play(variant, players, subject.games(variant)) if others else subject.own(variant)
            )
            n += len(records.score)
            _no_fouls(subject, variant, subject.games(variant), records, len(players))
    return f"{n} games of {len(subject.variants)} variants"


def _no_fouls(
    subject: Subject,
    variant: str,
    blocks: Sequence[int],
    records: batch.GameRecords,
    n_players: int,
) -> None:
    for game in map(int, np.flatnonzero(records.foul_deal >= 0)):
        seat, deal = int(records.foul_seat[game]), int(records.foul_deal[game])
        if seat % n_players:
            continue
        question, why = None, "an answer that is not allowed"
        for error in records.errors:
            told = RAISED.search(error)
            if told and (int(told[2]), int(told[3])) == (deal, seat):
                question, why = told[1], told[4]
                break
        else:
            if records.errors:
                why = records.errors[0]
        raise BrokenPromise(Example(why, variant, blocks[game], deal, seat, question))


def same_again(subject: Subject) -> None:
    """Cards, key and seats decide everything; a new object plays alike."""
    for variant in subject.variants:
        subject.alike(variant, "again", [subject.fresh()])


def same_seat_by_seat(subject: Subject) -> None:
    """Whoever counts calls, or remembers its last seat, is found out here."""
    for variant in subject.variants:
        each = [subject.fresh() for _ in range(rules_of(variant).numbers.seats)]
        subject.alike(variant, "with an object for each seat", each)


def same_in_any_order(subject: Subject) -> None:
    """Games come in any order on any worker: backwards they go alike."""
    for variant in subject.variants:
        blocks = subject.games(variant)
        backwards = play(variant, [subject.fresh()], blocks[::-1])
        ways = "at first", "with the games from last to first"
        usual = subject.own(variant)
        subject.hold(first_difference(variant, blocks, usual, backwards, ways, backwards=True))


def same_after_other_variants(subject: Subject) -> None:
    """A worker plays shards of different variants with one object."""
    used = subject.fresh()
    for variant in subject.variants * 2:
        subject.alike(variant, "after games of other variants", [used])


def same_at_any_number_of_tables(subject: Subject) -> None:
    """A batched one answers each row by itself, whatever rows stand beside it."""
    if not subject.info.batched:
        raise NotAsked("it is asked table by table")
    for variant in subject.variants:
        for tables in (1, 2, 5):
            subject.alike(variant, f"at {tables} tables", [subject.fresh()], tables=tables)


def same_as_its_twin(subject: Subject) -> str:
    """A batched one may say which strategy asked table by table it plays like."""
    twin = getattr(subject.fresh(), "same_as", None)
    if twin is None:
        raise NotAsked("it names no twin (same_as)")
    try:
        made = create(str(twin))
    except UserError as error:
        raise BrokenPromise(Example(f"same_as: {error}")) from error
    for variant in subject.variants:
        subject.alike(variant, f"as {made!r}", [made])
    return f"as {made!r}"


def draws_only_if_it_says_so(subject: Subject) -> None:
    """With ``draws = False`` other random numbers change nothing."""
    if subject.info.draws is not False:
        raise NotAsked("it does not say draws = False")
    for variant in subject.variants:
        subject.alike(variant, "with other random numbers", [subject.fresh()], replicate=1)


def keeps_nothing_from_deal_to_deal(subject: Subject) -> None:
    """Made anew for every deal it plays alike."""
    if subject.info.compiled:
        raise NotAsked("it is compiled; 'order' and 'hidden' ask as much as shows")
    if subject.remembers:
        raise NotAsked("it says that it has memory (new_game)")
    forgetful = ForgetfulBatch if subject.info.batched else Forgetful
    for variant in subject.variants:
        subject.alike(variant, "made anew for every deal", [forgetful(subject.spec)])


class Forgetful:
    """A strategy in Python that is made anew for every seat of every deal."""

    def __init__(self, spec: str) -> None:
        self._spec = spec
        self._kept: Any = create(spec)
        self._answers = tuple(q for q in QUESTIONS if hasattr(self._kept, q))
        self.capsule_by_question = getattr(self._kept, "capsule_by_question", {})
        self._deal = -1
        self._made: dict[int, Strategy] = {}

    def __getattr__(self, question: str) -> Callable[["View"], object]:
        if question not in self._answers:
            raise AttributeError(question)

        def answer(view: "View") -> object:
            if view.deal != self._deal:
                self._deal = view.deal
                self._made.clear()
            if view.seat not in self._made:
                self._made[view.seat] = create(self._spec)
            return getattr(self._made[view.seat], question)(view)

        return answer


class ForgetfulBatch(Forgetful):
    """The same of a batched one, made anew for every question."""

    batched = True

    def __getattr__(self, question: str) -> Callable[["Views"], object]:  # type: ignore[override]
        if question not in self._answers:
            raise AttributeError(question)

        def answer(views: "Views") -> object:
            return getattr(create(self._spec), question)(views)

        return answer
