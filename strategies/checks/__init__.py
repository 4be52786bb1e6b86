"""What every strategy owes, as checks that anybody can run on theirs."""

from strategies.checks.games import Example
from strategies.checks.subject import BASE_VARIANTS, ODD_VARIANTS
from strategies.checks.suite import CHECKS, Check, Verdict, check_strategy

__all__ = [
    "BASE_VARIANTS",
    "CHECKS",
    "ODD_VARIANTS",
    "Check",
    "Example",
    "Verdict",
    "check_strategy",
]
