"""What `check` reads from pictures: printed names, terrain beside stored LOSData; and probes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hexsight.comparing import printed_pixels, stored_board
from hexsight.extract.compare import compare
from hexsight.extract.grid import GridFit, align_to, search_grid
from hexsight.extract.labels import confirm_numbering
from hexsight.extract.source import Source, open_any
from hexsight.los.engine import asking, locations_for
from hexsight.los.rulesets import RuleSet
from hexsight.los.table import Table
from hexsight.model.board import Board
from hexsight.model.derive import derive
from hexsight.model.errors import HexsightError
from hexsight.reading import Request, read, survey
from hexsight.validators import (
    GridEvidence,
    LabelEvidence,
    Probe,
    TerrainEvidence,
    label_evidence,
    terrain_evidence,
)
from hexsight.validators.views import grid_evidence

# Reading names takes 3 s for a large map; what is far larger than any is no map to read.
MAX_READ_PIXELS = 120_000_000
PROBES = 120


@dataclass(frozen=True)
class Print:
    """The printed grid of one board and what the hexes are called in print."""

    grid: GridEvidence
    labels: LabelEvidence | None


def read_print(board: str, source: Source, *, quick: bool) -> Print:
    """Search a picture for its grid, and for the names of hexes unless in haste.

    Parameters
    ----------
    board : str
        Name for the findings.
    source : Source
    quick : bool
        Leave the names out.
    """
    fit = search_grid(source.picture.rgb, hint=source.layout).fit
    labels = None if quick or fit is None else read_names(board, source, fit)
    return Print(fitted_evidence(board, source, fit), labels)


def fitted_evidence(board: str, source: Source, fit: GridFit | None) -> GridEvidence:
    """Stated grid of a source beside the printed one that was found."""
    return grid_evidence(
        board,
        source.layout,
        source.picture.size_px,
        fit,
        archive=source.kind == "board",
        printed=fit.extent.hexes.tolist() if fit is not None else (),
        parts=fit.residuals if fit is not None else (),
    )


def read_names(board: str, source: Source, fit: GridFit) -> LabelEvidence | None:
    """Printed names beside those the file gives, None where it gives none or the grids differ."""
    width, height = source.picture.size_px
    if source.layout is None or not source.hexes or width * height > MAX_READ_PIXELS:
        return None
    try:
        layout = align_to(fit.layout, source.layout, (width, height), extent=fit.extent)
    except HexsightError:
        # Which hex is which cannot be told on another grid; grid/* tells of that.
        return None
    names = {(c, r): name for c, r, name in source.hexes}
    found = confirm_numbering(source.picture.rgb, layout, names, line_px=fit.line_width_px)
    return label_evidence(board, found, layout.centre, names, archive=source.kind == "board")


def stored_model(request: Request, source: Source) -> Board | None:
    """Board that the LOSData of an archive tells, None where there is none that fits."""
    if source.losdata() is None:
        return None
    request = replace(request, terrain_from="losdata")
    try:
        return derive(survey(request, read(request)))
    except HexsightError:
        # LOSData of another size than the picture: vasl/losdata-size tells.
        return None


def read_terrain(request: Request) -> TerrainEvidence | None:
    """Terrain of a VASL board's picture beside its LOSData, None where they cannot be compared.

    Raises
    ------
    HexsightError
        If the picture cannot be read.
    """
    reading = read(request)
    width, height = reading.source.picture.size_px
    losdata = reading.source.losdata()
    if losdata is None or reading.fit is None or width * height > MAX_READ_PIXELS:
        return None
    if losdata.terrain.shape != (height, width):
        return None  # vasl/losdata-size tells
    found = derive(survey(request, reading))
    stored = stored_board(request, reading)
    return terrain_evidence(compare(found, stored, printed_pixels(reading)), found, stored)


def probe_table(table: Table, board: Board, profile: RuleSet) -> tuple[Probe, ...]:
    """Ask a sample of a table's pairs again, both ways; the same pairs for the same table."""
    answer = asking(board, profile)
    names = tuple(loc.name for loc in locations_for(board, profile))
    n = len(names)
    if names != table.names or n < 2:
        return ()
    # Steps of a fraction that no board's columns or rows divide, so that all parts are met.
    golden = (np.sqrt(5.0) - 1) / 2
    out = []
    for k in range(1, PROBES + 1):
        i, j = int(n * ((k * golden) % 1.0)), int(n * ((k * golden * golden * 7) % 1.0))
        if i == j:
            continue
        for observer in table.observers or (None,):
            entry = table.of_observer(observer).at(i, j)
            there = answer(names[i], names[j], observer)
            back = answer(names[j], names[i], observer)
            out.append(
                Probe(
                    names[i],
                    names[j],
                    _said(entry.state, entry.hindrance),
                    _said(there.state, there.hindrance),
                    _said(back.state, back.hindrance),
                )
            )
    return tuple(out)


def _said(state: str, hindrance: int) -> str:
    return f"hindered by {hindrance}" if state == "hindered" else state


def picture_of(source: Source) -> Callable[[str], NDArray[np.uint8] | None]:
    """The picture of a source of one board, for thumbnails."""
    return lambda _board: source.picture.rgb


def pictures_in(path: Path, boards: dict[str, str]) -> Callable[[str], NDArray[np.uint8] | None]:
    """Pictures of a module's boards, read when asked for: they need not all fit into memory."""

    def picture(board: str) -> NDArray[np.uint8] | None:
        if board not in boards:
            return None
        return open_any(path, boards[board]).picture.rgb

    return picture
