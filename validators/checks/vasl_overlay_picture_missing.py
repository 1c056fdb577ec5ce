"""Check vasl/overlay-picture-missing."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.members import other_case
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="vasl/overlay-picture-missing",
    severity=Severity.WARN,
    needs=("archive",),
    title="Scenario overlays name pictures that the archive does not hold",
    what="""overlaySSRule elements of the metadata name pictures that are not
        members of the archive, or differ from them in capital letters. All of them
        make one finding.""",
    why="""When a scenario switches that rule on, VASL shows nothing, or leaves the
        board as it was.""",
    example="""3 of 5 overlay pictures are not in the archive: 1_NoRoads.gif …""",
    how_to_mend="""Add the pictures, or write their names as they are in the
        archive.""",
)
def overlay_picture_missing(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    images = sorted({image for _, image in archive.overlay_images if image})
    members = set(archive.members)
    lost = [i for i in images if i not in members]
    if not lost:
        return
    cased = [(i, found) for i in lost if (found := other_case([i], members)) is not None]
    hint = f" {cased[0][0]} is called {cased[0][1]} there." if cased else ""
    yield Problem(
        f"{len(lost)} of the {len(images)} overlay pictures of {archive.file_name} are not in the "
        f"archive: {', '.join(lost[:4])}{' …' if len(lost) > 4 else ''}.{hint} Add them, or "
        "correct their names.",
        settle=f'image="{cased[0][1]}"' if cased else "",
    )
