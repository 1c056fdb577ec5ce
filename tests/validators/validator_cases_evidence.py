"""The good subject at odds with what was measured beside it: tables, print and lines."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import validator_changes as change
import validator_goods as goods

from hexsight.validators import (
    ClassView,
    GridPart,
    HexContrast,
    Misnamed,
    Subject,
    UnnamedClass,
)

# -- los


@change.breaks("los/table-of-other-board")
def _(s: Subject) -> Subject:
    return change.table(s, board_hash="1234567890abcdef")


@change.breaks("los/table-of-other-rules")
def _(s: Subject) -> Subject:
    return change.table(s, profile_hash="1234567890abcdef")


@change.breaks("los/table-locations")
def _(s: Subject) -> Subject:
    assert s.table is not None
    names = tuple(n for n in s.table.locations if n != "C4@roof")
    return change.table(s, locations=names)


# -- the print as evidence


@change.breaks("numbering/print-disagrees")
def _(s: Subject) -> Subject:
    lost = Misnamed("C3", "B3", goods.centre("B3"))
    told = "the names lie +1 columns and +0 rows beside the print: where C3 is printed, it is B3"
    return change.labels(
        s, verdict="disagrees", agree=0, disagree=(lost,), shift=(1, 0.0), reason=told
    )


@change.breaks("numbering/part-reads-otherwise")
def _(s: Subject) -> Subject:
    lost = tuple(Misnamed(f"H{r + 1}", f"H{r}", goods.centre(f"H{r}"), (0, 2)) for r in range(1, 7))
    return change.labels(s, agree=40, disagree=lost)


@change.breaks("grid/warped-print")
def _(s: Subject) -> Subject:
    return change.evidence(s, parts=(*s.grids[0].parts, GridPart((345.0, 330.0), 20, (3.0, -6.5))))


@change.breaks("vasl/losdata-out-of-date")
def _(s: Subject) -> Subject:
    houses = (("terrain", "Stone building", "Open Ground"), ("building", "stone", "none"))
    names = ("B2", "C5", "D5", "F3")
    return change.contrasts(s, *(HexContrast(n, goods.centre(n), 0.3, houses) for n in names))


@change.breaks("building/against-losdata")
def _(s: Subject) -> Subject:
    gone = (("terrain", "Open Ground", "Wooden building"), ("building", "none", "wood"))
    return change.contrasts(s, HexContrast("B2", goods.centre("B2"), 0.3, gone))


@change.breaks("building/material-against-losdata")
def _(s: Subject) -> Subject:
    other = (("terrain", "Stone building", "Wooden building"), ("building", "stone", "wood"))
    return change.contrasts(s, HexContrast("B2", goods.centre("B2"), 0.4, other))


@change.breaks("wall/bar-against-losdata")
def _(s: Subject) -> Subject:
    bar = (("bar C2-D2", "yes", "no"),)
    return change.contrasts(s, *(HexContrast(n, goods.centre(n), 0.04, bar) for n in ("C2", "D2")))


@change.breaks("building/stairwell-against-losdata")
def _(s: Subject) -> Subject:
    assert s.terrain is not None
    return replace(s, terrain=replace(s.terrain, stairs=(("C4", goods.centre("C4")),)))


@change.breaks("terrain/source-changed-since")
def _(s: Subject) -> Subject:
    return replace(s, inputs={"buildFile.xml": "f" * 64, "images/other.png": "a" * 64})


@change.breaks("terrain/legend-colours-alike")
def _(s: Subject) -> Subject:
    assert s.legend is not None
    hill = ClassView("hill", (goods.OPEN, 2), np.array([[70.3, -10, 40.2]]))
    classes = tuple(c for c in s.legend.classes if c.name != "meadow")
    return replace(s, legend=replace(s.legend, classes=(*classes, hill)))


@change.breaks("terrain/legend-unnamed")
def _(s: Subject) -> Subject:
    assert s.legend is not None
    wood = UnnamedClass("unknown-2", "Open Ground", 0.059, goods.centre("B6"))
    speck = UnnamedClass("unknown-9", "Open Ground", 0.0)
    return replace(s, legend=replace(s.legend, unnamed=(wood, speck)))


# -- consistency


@change.breaks("level/unreachable")
def _(s: Subject) -> Subject:
    assert s.board is not None
    shed = next(i for i, b in enumerate(s.board.buildings) if b.material == "wood")
    return change.refreshed(
        change.hex(change.building(s, shed, height_half=5), "G2", height_half=5)
    )


@change.breaks("building/cut-off")
def _(s: Subject) -> Subject:
    terrain = change.painted(s)
    lost = cv2.fillPoly(
        np.zeros(terrain.shape, np.uint8), [np.rint(goods.LAYOUT.corners(3, 1)).astype(np.int32)], 1
    )
    terrain[lost > 0] = goods.OPEN
    s = goods.with_board(s, terrain=terrain)
    return change.refreshed(change.hex(s, "D2", building=0, height_half=0, factory=False))


@change.breaks("los/not-reciprocal")
def _(s: Subject) -> Subject:
    return change.probe(s, "clear", "clear", "blocked")


@change.breaks("los/table-differs")
def _(s: Subject) -> Subject:
    return change.probe(s, "clear", "hindered by 1", "hindered by 1")
