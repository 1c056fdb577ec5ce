"""Check module/build-file-not-read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})")


@check(
    id="module/build-file-not-read",
    severity=Severity.FAIL,
    needs=("module",),
    title="The build file has a name that VASSAL does not look for",
    what="""moduledata says by which VASSAL the module was saved. Since 3.5 that
        is to be read from buildFile.xml, before from buildFile; here the member of
        that name is missing or a second one lies beside it.""",
    why="""With the wrong name VASSAL refuses the module. With both, an editor and
        VASSAL may each read another one, and changes seem to be lost.""",
    example="""moduledata says VASSAL 3.6.19, and the zip holds buildFile alone.""",
    how_to_mend="""Rename the member, or remove the older of the two.""",
)
def build_file_not_read(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    held = [n for n in ("buildFile.xml", "buildFile") if n in module.members]
    match = _VERSION.match(module.vassal_version.strip())
    if len(held) == 2:
        yield Problem(
            f"The module holds buildFile.xml and buildFile; {module.build_file} counts. "
            "Remove the other one."
        )
    elif match is not None and held:
        wanted = "buildFile" if (int(match[1]), int(match[2])) < (3, 5) else "buildFile.xml"
        if held[0] != wanted:
            yield Problem(
                f"moduledata says VASSAL {module.vassal_version.strip()}, which reads {wanted}, "
                f"but the module holds {held[0]}. Rename it, or open and save the module "
                "in VASSAL.",
                settle=f"rename {held[0]} to {wanted}",
            )
