"""One finding: what is wrong, where, and the line that would settle it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from enum import IntEnum

_DIGITS = re.compile(r"(\d+)")


class Severity(IntEnum):
    """How bad a finding is; a higher number is worse.

    NOTE: worth knowing, nothing need be done.  WARN: probably wrong, a person
    should look.  FAIL: wrong, and play will suffer.  ERROR: the check itself
    crashed, so nothing is known of its subject.
    """

    NOTE = 1
    WARN = 2
    FAIL = 3
    ERROR = 4

    @property
    def label(self) -> str:
        """Name in reports: ``"warn"``."""
        return self.name.lower()

    @classmethod
    def of(cls, label: str) -> Severity:
        """Severity of a name in reports.

        Raises
        ------
        KeyError
            If there is none of that name.
        """
        return cls[label.upper()]


@dataclass(frozen=True)
class Problem:
    """What a check yields; the runner makes a `Finding` of it.

    Attributes
    ----------
    message : str
        One line: what, where, and how to mend it.
    board : str
        Name of the board, empty for the subject's own.
    hex, hexside : str
        Place on the board by name, empty when it lies on none.
    pixel : (float, float) or None
        Place on the picture, in board pixels.
    confidence : float
        0 to 1: how sure the check is.
    settle : str
        One line that would settle it: for ``overrides:`` in hexsight.yaml, or
        an attribute of the build file or the metadata.
    severity : Severity or None
        Where it differs from the check's own.
    """

    message: str
    board: str = ""
    hex: str = ""
    hexside: str = ""
    pixel: tuple[float, float] | None = None
    confidence: float = 1.0
    settle: str = ""
    severity: Severity | None = None


@dataclass(frozen=True)
class Finding:
    """A problem with the id of the check that found it and the file it is in.

    Attributes are those of `Problem`, and ``id``, ``severity`` and ``file``
    (the path as the user wrote it).
    """

    id: str
    severity: Severity
    message: str
    file: str
    board: str = ""
    hex: str = ""
    hexside: str = ""
    pixel: tuple[float, float] | None = None
    confidence: float = 1.0
    settle: str = ""

    @property
    def place(self) -> str:
        """Hexside, else hex, else nothing."""
        return self.hexside or self.hex

    @property
    def order(self) -> tuple[object, ...]:
        """Key by which findings are sorted: worst first, then id, file and place."""
        return (
            -self.severity,
            self.id,
            self.file,
            self.board,
            natural(self.place),
            self.pixel or (),
            self.message,
            self.settle,
            self.confidence,
        )

    @property
    def fingerprint(self) -> str:
        """Short digest of what was found where, for baselines: 16 hex digits.

        Figures in the message and pixels do not count, so that a bar that moved
        by a pixel is still the same finding.  Two findings of one check in one
        hex have the same; a baseline counts them and goes by the nearest pixel.
        """
        words = "" if self.place else _DIGITS.sub("#", self.message)
        text = "\0".join((self.id, self.board, self.place, words))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key of a hex name: A2 before A10, Z9 before AA1."""
    parts = []
    for part in _DIGITS.split(name):
        if part.isdecimal() and part.isascii():
            parts.append((1, int(part), ""))
        elif part:
            # Columns go A … Z, AA …: a longer run of letters comes later.
            parts.append((0, len(part), part))
    return tuple(parts)
