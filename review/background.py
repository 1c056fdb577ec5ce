"""Work that goes on behind a session: what the next question will need is made ready."""

from __future__ import annotations

import threading
from collections.abc import Callable

from hexsight.los.jit import have_numba
from hexsight.los.profile import Profile
from hexsight.model.errors import HexsightError
from hexsight.review.look import Look

# A larger table is made when it is written, and not in the background.
MOST_PAIRS = 60_000_000
CLOSING_S = 5.0  # that closing waits for a table to be finished


class Background:
    """A thread that follows the newest version of a board.

    Parameters
    ----------
    newest : callable
        Gives the newest version.
    findings : callable
        Works out its findings.
    """

    def __init__(self, newest: Callable[[], Look], findings: Callable[[], object]) -> None:
        self._newest, self._findings = newest, findings
        self._tabled: Look | None = None
        self._closed = threading.Event()
        self._wake = threading.Event()
        self._wake.set()
        self._thread = threading.Thread(target=self._work, name="review-ready", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        """There is a newer version."""
        self._wake.set()

    def close(self) -> None:
        """End the thread; what it works on is given up."""
        self._closed.set()
        self._wake.set()
        self._thread.join(timeout=CLOSING_S)

    def _work(self) -> None:
        while not self._closed.is_set():
            self._wake.wait()
            self._wake.clear()
            look = self._newest()
            for part in (self._lines, self._told, self._table):
                if self._closed.is_set() or look is not self._newest():
                    break
                part(look)

    def _lines(self, look: Look) -> None:
        """Compile what answers, so that the first question waits for nothing."""
        if look.rules.engine != "measured" and look.locations:
            look.row(look.locations[0].name)

    def _told(self, look: Look) -> None:
        try:
            self._findings()
        except HexsightError:
            return  # whoever asks for the findings is told the same

    def _table(self, look: Look) -> None:
        """Keep the table up to date; viewsheds take it."""
        n = len(look.locations)
        if not have_numba():
            return  # it would take minutes from whoever asks meanwhile
        if isinstance(look.rules, Profile) and n * (n - 1) // 2 <= MOST_PAIRS:
            look.table(self._tabled)
            self._tabled = look
