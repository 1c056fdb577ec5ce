"""What a page shows of a session besides the board: versions, undo, the grid in numbers."""

from __future__ import annotations

from typing import Any

from hexsight.review.anchors import grid_numbers
from hexsight.review.look import Look
from hexsight.review.projectfile import ProjectFile


def state_of(look: Look, file: ProjectFile | None) -> dict[str, Any]:
    """The state of a session as the page takes it.

    Parameters
    ----------
    look : Look
        The board as it is.
    file : ProjectFile or None
        The hexsight.yaml that corrections go into.
    """
    undo = file.undo_labels if file is not None else ()
    redo = file.redo_labels if file is not None else ()
    layout = look.board.layout
    numbers = {k: round(v, 5) for k, v in grid_numbers(layout).items()}
    grid = look.ground.request.grid if look.ground is not None else "auto"
    told = {"sideways": layout.sideways, "from": grid if isinstance(grid, str) else "yaml"}
    return {
        "version": look.version,
        "name": look.board.name,
        "size_px": list(look.board.size_px),
        "rules": look.rules.name,
        "can_save": file is not None,
        "undo": len(undo),
        "redo": len(redo),
        "undo_label": undo[-1] if undo else "",
        "redo_label": redo[0] if redo else "",
        "changed_outside": file.changed_outside if file is not None else False,
        "grid": numbers | told,
    }
