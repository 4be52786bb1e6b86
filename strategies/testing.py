"""What every strategy owes, as tests that anybody can run on theirs.

In a test file of your own::

    @pytest.mark.parametrize("spec", ["mine.v1"])
    class TestMine(StrategyConformance):
        pass

``spec`` is what :func:`strategies.create` takes. Each test is one of the checks of
``barbu strategies check``.
"""

from functools import cache

from strategies.checks.games import KEY, moves, play, rules_of, same
from strategies.checks.subject import BASE_VARIANTS, ODD_VARIANTS, Subject
from strategies.checks.suite import CHECKS, ask

__all__ = [
    "BASE_VARIANTS",
    "KEY",
    "ODD_VARIANTS",
    "StrategyConformance",
    "moves",
    "play",
    "rules_of",
    "same",
]


@cache
def _subject(spec: str) -> Subject:
    """Its own games are played once for all tests."""
    return Subject(spec)


def _hold(name: str, spec: str) -> None:
    """Fail with the first example, and the command that shows it again."""
    check = next(check for check in CHECKS if check.name == name)
    verdict = ask(check, _subject(spec))
    assert verdict.ok is not False, f"{verdict.said}\n{verdict.replay}"


class StrategyConformance:
    """The tests; each is given ``spec``, and fails with the first example."""

    def test_says_what_it_is(self, spec: str) -> None:
        """Has a name, and says in a line what it does."""
        _hold("name", spec)

    def test_answers_within_the_rules(self, spec: str) -> None:
        """No foul and no exception, among its own and among careless players."""
        _hold("legal", spec)

    def test_plays_the_same_again(self, spec: str) -> None:
        """Cards, key and seats decide everything; a new object plays alike."""
        _hold("again", spec)

    def test_plays_the_same_with_one_object_or_one_for_each_seat(self, spec: str) -> None:
        """Whoever counts calls, or remembers its last seat, is found out here."""
        _hold("seats", spec)

    def test_keeps_nothing_from_deal_to_deal(self, spec: str) -> None:
        """Made anew for every deal it plays alike."""
        _hold("deals", spec)

    def test_keeps_nothing_from_game_to_game(self, spec: str) -> None:
        """Games come in any order on any worker: backwards they go alike."""
        _hold("order", spec)

    def test_keeps_nothing_from_variant_to_variant(self, spec: str) -> None:
        """A worker plays shards of different variants with one object."""
        _hold("variants", spec)

    def test_plays_the_same_in_another_process(self, spec: str) -> None:
        """Where Python orders sets of words otherwise."""
        _hold("process", spec)

    def test_plays_the_same_at_any_number_of_tables(self, spec: str) -> None:
        """A batched one answers each row by itself, whatever rows stand beside it."""
        _hold("tables", spec)

    def test_plays_as_the_twin_it_names(self, spec: str) -> None:
        """A batched one may say which strategy it plays like."""
        _hold("twin", spec)

    def test_sees_no_hidden_cards(self, spec: str) -> None:
        """Cards that nobody has shown change no answer."""
        _hold("hidden", spec)

    def test_draws_only_if_it_says_so(self, spec: str) -> None:
        """With ``draws = False`` other random numbers change nothing."""
        _hold("draws", spec)

    def test_leaves_everybodys_random_numbers_alone(self, spec: str) -> None:
        """The module ``random`` and ``numpy.random`` are as they were."""
        _hold("random", spec)

    def test_prints_nothing(self, spec: str) -> None:
        """Not by ``print``, not by its libraries, not in compiled code."""
        _hold("quiet", spec)

    def test_changes_nothing_it_is_shown(self, spec: str) -> None:
        """The rules of a view are as they were."""
        _hold("view", spec)
