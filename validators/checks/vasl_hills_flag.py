"""Check vasl/hills-flag."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.places import name_at
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/hills-flag",
    severity=Severity.WARN,
    needs=("archive",),
    title="The metadata denies hills that LOSData has",
    what="""hasHills is not TRUE in the metadata, and LOSData holds ground above
        level 0 in a noticeable area.""",
    why="""With the flag off VASL takes the whole board for level, when LOSData is
        computed again: hills would vanish.""",
    example="""hasHills="FALSE", and 12 % of LOSData lies at level 1.""",
    how_to_mend="""Write hasHills="TRUE", or look what was painted there.""",
    options={"share": "smallest share of the board above level 0"},
)
def hills_flag(subject: Subject, *, share: float = 0.002) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    losdata = archive.losdata
    if losdata is None or archive.has_hills or not losdata.elevation.size:
        return
    above = losdata.elevation > 0
    part = float(np.count_nonzero(above)) / above.size
    if part <= share:
        return
    rows, cols = np.nonzero(losdata.elevation == losdata.elevation.max())
    middle = int(len(rows) // 2)
    x, y = float(cols[middle]), float(rows[middle])
    yield Problem(
        f"hasHills is not TRUE, but {100 * part:.1f} % of LOSData lies above level 0, the highest "
        f'at level {losdata.elevation.max()}. Write hasHills="TRUE".',
        hex=name_at(archive, x, y),
        pixel=(x, y),
        settle='hasHills="TRUE"',
    )
