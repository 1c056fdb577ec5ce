"""How far the grid that a file states lies beside the printed one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hexsight.model.layout import Layout, to_lattice
from hexsight.validators.subject import GridEvidence, Subject

# Below this the search itself is not sure, and a difference may be its fault.
SURE = 0.5
# All in row spacings: from here on a place lies "half a hex" off rather than a bit beside.
HALF_SLACK = 0.15
# A grid whose spacing adds up to more than this over the map fits nowhere in
# particular, so that its offset says nothing.
LOST = 0.5


@dataclass(frozen=True)
class Gap:
    """Difference of a stated grid from the printed one.

    Attributes
    ----------
    middle_px : (float, float)
        Board pixel at which the offset was taken: the middle of the printed hexes.
    offset_px : (float, float)
        Way from the printed centre there to the nearest stated one (x, y).
    drift_px : (float, float)
        What the difference in spacing adds up to from one edge of the printed
        hexes to the other, along the column axis and along the row axis.
    lean_px : float
        How far the printed grid, being turned, leaves the stated one from edge
        to edge; 0 for an upright print.
    printed : Layout
        The printed grid, numbered as the stated one.
    dy_px : float
        Row spacing, the measure of all thresholds.
    corner_px : (float, float)
        Centre of a printed hex in the corner furthest down and right, where it shows.
    """

    middle_px: tuple[float, float]
    offset_px: tuple[float, float]
    drift_px: tuple[float, float]
    lean_px: float
    printed: Layout
    dy_px: float
    corner_px: tuple[float, float]

    @property
    def offset(self) -> float:
        """Length of the offset in row spacings."""
        return math.hypot(*self.offset_px) / self.dy_px

    @property
    def drift(self) -> float:
        """Larger drift in row spacings."""
        return max(abs(d) for d in self.drift_px) / self.dy_px

    @property
    def lean(self) -> float:
        """Lean in row spacings."""
        return self.lean_px / self.dy_px

    @property
    def half_hex(self) -> bool:
        """Whether the offset is that of a grid set half a hex beside."""
        if self.drift > LOST / 2:
            return False
        col, row = np.array(self.printed.col_px), np.array(self.printed.row_px)
        here = np.array(self.offset_px)
        halves = [row / 2, col / 2 + row / 4, col / 2 - row / 4]
        far = min(float(np.linalg.norm(here - s * h)) for h in halves for s in (1, -1))
        return far <= HALF_SLACK * self.dy_px


def sure_evidence(subject: Subject) -> Iterator[tuple[GridEvidence, Layout, Layout]]:
    """Boards with a stated and a surely printed grid: (evidence, stated, printed)."""
    for one in subject.grids:
        if one.nominal is not None and one.fitted is not None and one.confidence >= SURE:
            yield one, one.nominal, one.fitted


def gap_of(evidence: GridEvidence, nominal: Layout, fitted: Layout) -> Gap:
    """Measure the difference over the printed hexes, or over the whole picture.

    Both grids must be turned the same way up (``sideways``).
    """
    width, height = evidence.size_px
    box = np.array([[0.0, 0.0], [width - 1.0, height - 1.0]])
    if evidence.printed:
        at = fitted.lattice_to_pixel([to_lattice(*h) for h in evidence.printed])
        box = np.stack([at.min(axis=0), at.max(axis=0)])
    middle = (float(box[:, 0].mean()), float(box[:, 1].mean()))
    stated_hex = nominal.pixel_to_hex(middle)
    stated = np.array(nominal.centre(int(stated_hex[0]), int(stated_hex[1])))
    near = fitted.pixel_to_hex(stated)
    offset = stated - np.array(fitted.centre(int(near[0]), int(near[1])))
    shift = np.array(to_lattice(int(near[0]), int(near[1]))) - np.array(
        to_lattice(int(stated_hex[0]), int(stated_hex[1]))
    )
    x, y = fitted.lattice_to_pixel(shift)
    span = box[1] - box[0]
    along, across = (span[1], span[0]) if fitted.sideways else (span[0], span[1])
    turn = math.radians(fitted.rot_deg - nominal.rot_deg)
    return Gap(
        middle_px=middle,
        offset_px=(float(offset[0]), float(offset[1])),
        drift_px=(
            float((nominal.dx - fitted.dx) * along / fitted.dx),
            float((nominal.dy - fitted.dy) * across / fitted.dy),
        ),
        lean_px=abs(math.sin(turn)) * float(max(span)),
        printed=replace(fitted, origin_px=(float(x), float(y))),
        dy_px=fitted.dy,
        corner_px=fitted.centre(*(int(v) for v in fitted.pixel_to_hex(box[1]))),
    )


def attributes_for(evidence: GridEvidence, printed: Layout, *, spacing: bool) -> str:
    """The attributes that would put a stated grid on the print.

    Parameters
    ----------
    printed : Layout
        The printed grid, numbered as the stated one.
    spacing : bool
        Whether the spacing is to be corrected too.
    """
    if evidence.kind == "archive":
        text = f'A1CenterX="{printed.x0:.2f}" A1CenterY="{printed.y0:.2f}"'
        sizes = f'hexWidth="{printed.dx:.3f}" hexHeight="{printed.dy:.3f}" '
    else:
        # VASSAL takes whole numbers here and drops the grid for others.
        text = f'x0="{round(printed.x0)}" y0="{round(printed.y0)}"'
        sizes = f'dx="{printed.dx:.4f}" dy="{printed.dy:.4f}" '
    return (sizes if spacing else "") + text


def where_stated(evidence: GridEvidence) -> str:
    """What the user has to open: for messages."""
    return "the metadata" if evidence.kind == "archive" else "the module's HexGrid"
