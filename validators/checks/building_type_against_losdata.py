"""Check building/type-against-losdata."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.model.terrain import TerrainType, load_catalogue
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import pixels_of
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="building/type-against-losdata",
    severity=Severity.WARN,
    needs=("archive",),
    title="The building type of the metadata is not the one in LOSData",
    what="""In a hex with a buildingType, LOSData holds buildings, none of which has
        the height of that type.""",
    why="""VASL computes LOSData from the metadata once and then plays with LOSData
        alone. A type that was changed later has no effect until it is computed
        again.""",
    example="""E4 is "Stone Building, 2 Level" in the metadata and one storey high
        in LOSData.""",
    how_to_mend="""Compute LOSData again, or correct the type.""",
    options={"share": "smallest share of a hex in LOSData that counts as a building"},
)
def type_against_losdata(subject: Subject, *, share: float = 0.02) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    losdata = archive.losdata
    if losdata is None or not archive.building_types:
        return
    catalogue = load_catalogue()
    by_name = {t.name: t for t in catalogue.types if t.in_depiction}
    layout = archive.naming.layout()
    places = {name: (col, row) for col, row, name in archive.hexes}
    wanted = {
        name.strip().upper(): by_name[kind]
        for name, kind in archive.building_types.items()
        if kind in by_name and name.strip().upper() in places
    }
    building = catalogue.table(in_depiction=True)
    for name, kind in wanted.items():
        codes = pixels_of(losdata.terrain, layout, places[name])
        counts = np.bincount(codes[building[codes]], minlength=256)
        here = {c: int(counts[c]) for c in np.flatnonzero(counts).tolist()}
        if sum(here.values()) < share * layout.dx * layout.dy:
            continue
        stored = [catalogue[c] for c in here]
        if any(_fits(kind, t) for t in stored):
            continue
        most = catalogue[max(here, key=lambda c: (here[c], -c))]
        x, y = layout.centre(*places[name])
        yield Problem(
            f"Hex {name} is {kind.name!r} in the metadata and {most.name!r} in LOSData. Compute "
            "LOSData again, or correct the type.",
            hex=name,
            pixel=(x, y),
            settle=f'buildingTypeName="{most.name}"',
        )


def _fits(wanted: TerrainType, stored: TerrainType) -> bool:
    # Walls and bars of a building stand for it as well as its roof does.
    return stored.height_half == wanted.height_half or stored.kind == "roofless"
