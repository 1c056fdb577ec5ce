"""Every failure that a user can cause, each with its exit code.

One table: the class says what kind of failure it is, `exit_code` what the
command line returns, and the message says in one line what went wrong, where
(file, board, hex) and how to mend it.  These classes live in the model so that
every package may raise them; only the command line turns them into text.
"""

from __future__ import annotations


class HexsightError(Exception):
    """Base of all failures that are told to the user without a traceback.

    Parameters
    ----------
    message : str
        One line: what, where, and how to mend it, such as
        ``Cannot read maps/x.svg in g.vmod: SVG maps are not supported. Export
        it as PNG and name it with --image.``
    """

    exit_code = 70

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


class FindingsError(HexsightError):
    """The answer is "no": findings at or above the limit, or no grid found (exit 1)."""

    exit_code = 1


class UsageError(HexsightError):
    """An option, a name or a file the user wrote is wrong (exit 2)."""

    exit_code = 2


class InputError(HexsightError):
    """An input cannot be read: missing, broken, truncated, too large (exit 3)."""

    exit_code = 3


class UnsupportedError(HexsightError):
    """The input can be read but hexsight has no way to treat it (exit 4)."""

    exit_code = 4


class OutputError(HexsightError):
    """Writing was refused: it would overwrite, or the file is locked (exit 5)."""

    exit_code = 5


class VerificationError(HexsightError):
    """What was written does not read back as it should (exit 6)."""

    exit_code = 6


class MissingPartError(HexsightError):
    """An optional part is not installed (exit 7)."""

    exit_code = 7
