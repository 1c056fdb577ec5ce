"""Check vasl/losdata-missing."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/losdata-missing",
    severity=Severity.NOTE,
    needs=("archive",),
    title="The archive has no LOSData",
    what="""The archive has metadata but no member LOSData.""",
    why="""VASL's LOS check does nothing on such a board.""",
    example="""bd86 holds BoardMetadata.xml and bd86.gif alone.""",
    how_to_mend="""Compute LOSData, with VASL's own tool or from a board model.""",
)
def losdata_missing(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    if not archive.legacy and "LOSData" not in archive.members:
        yield Problem(
            f"{archive.file_name} has no LOSData, so VASL checks no line of sight on it. Compute "
            "it.",
        )
