"""Everything that a strategy owes, check by check: what ``barbu strategies check`` asks."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine_ext.errors import UserError
from engine_ext.rules.load import variant_names
from strategies.checks import hidden, manners, playing, processes
from strategies.checks.games import Example
from strategies.checks.subject import BrokenPromise, NotAsked, Subject
from strategies.offences import Generators, listening


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a strategy owes."""

    name: str
    promise: str
    """What it promises, in words."""
    ask: Callable[[Subject], str | None]
    """Returns a remark; raises ``BrokenPromise`` or ``NotAsked``."""


CHECKS = (
    Check("name", "has a name and says in a line what it does", playing.name),
    Check("legal", "answers within the rules", playing.within_the_rules),
    Check("again", "plays the same again", playing.same_again),
    Check("seats", "plays the same with one object or one a seat", playing.same_seat_by_seat),
    Check("deals", "keeps nothing from deal to deal", playing.keeps_nothing_from_deal_to_deal),
    Check("order", "plays the same in any order of games", playing.same_in_any_order),
    Check("variants", "plays the same after other variants", playing.same_after_other_variants),
    Check("process", "plays the same in another process", processes.same_in_another_process),
    Check("tables", "plays the same at any number of tables", playing.same_at_any_number_of_tables),
    Check("twin", "plays as the strategy it names", playing.same_as_its_twin),
    Check("hidden", "sees no hidden cards", hidden.sees_no_hidden_cards),
    Check("draws", "draws only if it says so", playing.draws_only_if_it_says_so),
    Check(
        "random",
        "draws from view.random alone",
        manners.leaves_everybodys_random_numbers_alone,
    ),
    Check("quiet", "prints nothing", manners.prints_nothing),
    Check("view", "changes nothing that it is shown", manners.changes_nothing_it_is_shown),
    Check("time", "keeps to its time", manners.keeps_to_its_time),
)
"""In the order in which they are asked and shown."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found."""

    check: str
    promise: str
    ok: bool | None
    """None where it does not apply."""
    said: str
    """A remark, why it does not apply, or the first example."""
    example: Example | None = None
    replay: str | None = None
    """The command that shows the example again."""


def check_strategy(
    spec: str,
    *,
    only: Sequence[str] = (),
    variants: Sequence[str] = (),
    block: int | None = None,
    budget_ms: float | None = None,
) -> Iterator[Verdict]:
    """Ask a strategy, named as :func:`strategies.create` takes it, all checks or some.

    Raises ``UserError`` for a strategy, check or variant that there is not.
    """
    known = [check.name for check in CHECKS]
    for name in only:
        if name not in known:
            raise UserError(f"unknown check {name!r} (want some of {', '.join(known)})")
    for variant in variants:
        if variant not in variant_names():
            raise UserError(f"unknown variant {variant!r} (shipped: {', '.join(variant_names())})")
    subject = Subject(spec, budget_ms=budget_ms)
    if variants:
        subject = Subject(spec, tuple(variants), budget_ms=budget_ms)
    if block is not None:
        subject.blocks = (block,)
    for check in CHECKS:
        if not only or check.name in only:
            yield ask(check, subject)


def ask(check: Check, subject: Subject) -> Verdict:
    """Ask a strategy one check; what it does besides answering has no effect outside."""
    generators = Generators()
    try:
        with listening(aloud=False):
            said = check.ask(subject)
    except NotAsked as why:
        return Verdict(check.name, check.promise, None, str(why))
    except BrokenPromise as broken:
        example = broken.example
        return Verdict(
            check.name,
            check.promise,
            False,
            str(example),
            example,
            _replay(check.name, subject, example),
        )
    finally:
        generators.put_back()
    return Verdict(check.name, check.promise, True, said or "")


def _replay(name: str, subject: Subject, example: Example) -> str:
    words = ["barbu", "strategies", "check", subject.spec, "--only", name]
    if example.variant is not None:
        words += ["--variant", example.variant]
    # Who keeps something needs the games before it; exchanged cards are drawn deal by deal.
    alone = ("legal", "again", "draws", "random", "quiet", "view", "time", "process")
    if example.block is not None and name in alone:
        words += ["--block", str(example.block)]
    if name == "time" and subject.budget_ms is not None:
        words += ["--budget-ms", f"{subject.budget_ms:g}"]
    return shlex.join(words)
