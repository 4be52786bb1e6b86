"""Whose mistake it was: how a command ends, and with which exit code.

====  ===========================================================
0     done
1     done, and the verdict is no, or the run is incomplete
2     the user's mistake: one line on stderr, no traceback
130   interrupted; what was finished is kept
====  ===========================================================

Anything else is a mistake of ours and ends in a plain traceback.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Protocol

from typer import Abort, TyperException

from engine_ext.errors import UserError
from pipeline.cli.output import one_line


class Runnable(Protocol):
    """What typer makes of an app."""

    def main(
        self, args: Sequence[str] | None, prog_name: str | None, *, standalone_mode: bool
    ) -> object:
        """Parse the words and run the command they name."""


def exit_code(assemble: Callable[[], Runnable], words: Sequence[str]) -> int:
    """Run ``barbu`` with these words; say what the user got wrong, if anything."""
    try:
        # Not standalone: typer would print four lines for a mistyped option.
        result = assemble().main(list(words), "barbu", standalone_mode=False)
        sys.stdout.flush()
    except UserError as error:
        _say(str(error))
        return 2
    except OSError as error:
        # A path that the user named, or a full disk behind standard output.
        where = "" if error.filename is None else f"{error.filename}: "
        _say(where + (error.strerror or str(error)).lower())
        return 2
    except TyperException as error:
        _say_usage(error)
        return 2
    except (KeyboardInterrupt, Abort):
        return 130
    # An exit code that a command raised comes back as the result.
    return result if isinstance(result, int) and not isinstance(result, bool) else 0


def _say(message: str) -> None:
    """One line on stderr, whatever a quoted name or value brings along."""
    print(f"error: {one_line(message)}", file=sys.stderr)


def _say_usage(error: TyperException) -> None:
    message = error.format_message()
    context = getattr(error, "ctx", None)
    if "\n" in message.strip():  # a group without a command shows its help
        print(message, file=sys.stderr)
    else:
        hint = f" ({context.command_path} --help shows how)" if context else ""
        _say(f"{message.rstrip('.')}{hint}")
