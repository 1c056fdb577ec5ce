"""Check module/moduledata-missing."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="module/moduledata-missing",
    severity=Severity.WARN,
    needs=("module",),
    title="The module has no moduledata",
    what="""The member moduledata, which tells name, version and the VASSAL that
        saved it, is not there.""",
    why="""VASSAL's module manager cannot list the module and may refuse to open
        it; extensions cannot tell whether they fit.""",
    example="""A folder with buildFile.xml and images/ alone was zipped.""",
    how_to_mend="""Open the module in VASSAL's editor and save it; that writes
        the member.""",
)
def moduledata_missing(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    if "moduledata" not in module.members:
        yield Problem(
            "The module has no moduledata: VASSAL's module manager cannot tell what it is. "
            "Open it in VASSAL's editor and save it."
        )
