"""The truth that a source brings along, to compare with what is found on its picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.cleaning import clean
from hexsight.model.board import Board
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.reading import Reading, Request, label, survey


def refuse_without_truth(reading: Reading) -> None:
    """Refuse a source that nothing is known of, before anything is read from its picture.

    Raises
    ------
    UsageError
        If it holds no LOSData.
    """
    if reading.source.losdata() is None:
        raise UsageError(
            f"{label(reading.source)} holds no LOSData to compare with: only VASL boards of "
            "version 6 and later do. Leave out --compare."
        )


def stored_board(request: Request, reading: Reading) -> Board:
    """The board that LOSData tells, on the lattice that the picture is read on.

    Raises
    ------
    UsageError
        If the source holds no LOSData.
    """
    refuse_without_truth(reading)
    return derive(survey(replace(request, terrain_from="losdata"), reading))


def printed_pixels(reading: Reading) -> NDArray[np.bool_]:
    """Pixels (H, W) bool of grid lines, hex names and centre dots."""
    width = reading.fit.line_width_px if reading.fit else None
    found = clean(reading.rgb, reading.layout, reading.cells, line_px=width)
    return found.lines | found.names
