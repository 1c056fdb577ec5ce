"""What is reported when a check itself breaks."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from pathlib import PurePath

from hexsight.validators.finding import Finding, Problem, Severity
from hexsight.validators.registry import Check, check
from hexsight.validators.subject import Subject


@check(
    id="internal/check-crashed",
    severity=Severity.ERROR,
    needs=(),
    title="A check broke off",
    what="""A check met something that its author had not thought of and broke
        off. Its name and the place in the program stand in the message.""",
    why="""What that check looks for may or may not be there. All other checks
        ran to their end and their findings stand.""",
    example="""The check wall/bar-beside-hexside crashed on bdX (ZeroDivisionError
        at wall_bar_beside_hexside.py:41: division by zero).""",
    how_to_mend="""Report it with the file that was checked; leave the check out
        with --skip until it is mended.""",
)
def CRASHED(subject: Subject) -> Iterator[Problem]:  # noqa: N802 - it becomes a constant
    """Never run: the runner writes this finding."""
    yield from ()


def crash_finding(broken: Check, error: Exception, subject: Subject) -> Finding:
    """Finding that says which check crashed, and where in the program."""
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    spot = f" at {PurePath(last.filename).name}:{last.lineno}" if last else ""
    text = " ".join(str(error).split())[:200]
    reason = f"{type(error).__name__}{spot}" + (f": {text}" if text else "")
    return Finding(
        id=CRASHED.id,
        severity=CRASHED.severity,
        message=f"The check {broken.id} crashed on {subject.path} ({reason}). "
        f"Report it; until then leave it out with --skip {broken.id}.",
        file=subject.path,
        board=subject.board_name,
    )
