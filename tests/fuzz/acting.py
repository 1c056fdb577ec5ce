"""What a person does on the review page, as a call that `warm.Warm.run` can make."""

from __future__ import annotations

from pathlib import Path

from hexsight.review.desk import Desk
from hexsight.review.session import Session


def correct(arguments: list[str]) -> int:
    """Open a project and correct a hex."""
    with Session.open(Path(arguments[0])) as session:
        edit = {"kind": "hex", "hex": "D4", "building": "stone"}
        Desk(session).change("edit", session.version, edit)
    return 0
