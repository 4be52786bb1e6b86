"""The user's mistakes: one line that names file, key, value and what is right."""


class UserError(Exception):
    """Something the user can mend; the command prints it and exits with 2."""


class RuleError(UserError):
    """A variant file that cannot be used."""


class FoulPlay(Exception):
    """A strategy's illegal or failed answer, where the run declared to stop."""
