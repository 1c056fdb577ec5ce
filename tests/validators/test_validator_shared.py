"""Real boards: what their makers got right raises no alarm, and checking them is quick."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hexsight.checking_print import read_names, read_terrain
from hexsight.extract.archive import open_source
from hexsight.extract.boardarchive import read_board_archive
from hexsight.extract.grid import search_grid
from hexsight.extract.image import load_picture
from hexsight.extract.source import open_any
from hexsight.model.board import Cell, Provenance, Survey
from hexsight.model.derive import derive
from hexsight.model.layout import Layout
from hexsight.reading import Request
from hexsight.validators import Severity, Subject, run_checks, to_text
from hexsight.validators.views import archive_view, grid_evidence, picture_view

pytestmark = pytest.mark.shared
# Pictures of scenario overlays are left out of the shared folder.
NOT_THERE = ("vasl/overlay-picture-missing",)
BOARDS = ("bd01", "bd10a", "bd20", "bd50", "bdRBv2", "bda")


class _Fit:
    """The printed grid as it was measured."""

    confidence = 1.0

    def __init__(self, layout: Layout) -> None:
        self.layout = layout


def subject_of(shared: Path, name: str) -> Subject:
    """A real board with everything that is known of it."""
    folder = shared / "boards" / name
    archive = read_board_archive(folder)
    with open_source(folder) as files:
        members = files.names
    picture = load_picture(archive.image_data, archive.image_name)
    losdata = archive.losdata()
    assert losdata is not None
    grid = json.loads((shared / "truth" / name / "grid.json").read_text())
    printed = Layout.from_grid(*(grid[k] for k in ("dx", "dy", "x0", "y0")))
    board = derive(
        Survey(
            name=archive.name,
            layout=printed,
            cells=tuple(Cell(c, r, n) for c, r, n in archive.hexes(picture.size_px)),
            terrain=np.array(losdata.terrain),
            elevation_half=(2 * losdata.elevation.astype(np.int16)).astype(np.int8),
            typed=True,
            provenance=Provenance(terrain_from="losdata"),
        )
    )
    return Subject(
        path=name,
        board=board,
        archive=archive_view(archive, name, members, picture.size_px, losdata),
        picture=picture_view(picture),
        grids=(
            grid_evidence(
                archive.name, archive.layout, picture.size_px, _Fit(printed), archive=True
            ),
        ),
    )


@pytest.mark.parametrize("name", BOARDS)
def test_real_boards_pass(shared: Path, name: str) -> None:
    subject = subject_of(shared, name)
    assert subject.archive is not None
    report = run_checks(subject, "default", skip=NOT_THERE)
    worst = [f for f in report.findings if f.severity >= Severity.WARN]
    # R23 of bdRBv2: its road is lost in debris, which is a doubt worth telling.
    assert {f.hex for f in worst} <= {"R23"}, to_text(report)


@pytest.mark.parametrize(
    ("change", "fires"),
    [
        ({"a1_y": 0.0}, "grid/half-hex-off"),
        ({"hex_width": 56.6}, "grid/spacing-off-print"),
        ({"a1_x": 9.0}, "grid/offset-off-print"),
    ],
)
def test_real_board_with_one_wrong_number(
    shared: Path, change: dict[str, float], fires: str
) -> None:
    subject = subject_of(shared, "bd01")
    assert subject.archive is not None
    naming = replace(subject.archive.naming, **change)  # type: ignore[arg-type]
    broken = replace(
        subject,
        archive=replace(subject.archive, naming=naming),
        grids=(replace(subject.grids[0], nominal=naming.layout()),),
    )
    assert fires in {f.id for f in run_checks(broken, "default").findings}


def test_swapped_width_and_height(shared: Path) -> None:
    subject = subject_of(shared, "bd10a")
    assert subject.archive is not None
    broken = replace(subject, archive=replace(subject.archive, size_hexes=(20, 17)))
    report = run_checks(broken, only=["vasl/width-height-swapped", "vasl/size-against-picture"])
    assert [f.id for f in report.findings] == ["vasl/width-height-swapped"]


def test_faults_that_really_are_in_stored_data(shared: Path) -> None:
    # Spots of wood in the stone Factory of bdBFPA, and a Factory that a railroad enters.
    skip = (*NOT_THERE, "level/unreachable")  # its stairs are left out above
    report = run_checks(subject_of(shared, "bdBFPA"), "default", skip=skip)
    found = {(f.id, f.hex) for f in report.findings}
    assert found == {
        ("building/factory-without-road", "R6"),
        *(("building/scrap", name) for name in ("T9", "U8", "U10", "V8", "V9")),
    }


def test_losdata_of_another_board_is_told(shared: Path, tmp_path: Path) -> None:
    mixed = tmp_path / "bd01"
    shutil.copytree(shared / "boards" / "bd01", mixed)
    shutil.copy(shared / "boards" / "bd02" / "LOSData", mixed / "LOSData")
    evidence = read_terrain(Request(source=mixed))
    report = run_checks(Subject("bd01", terrain=evidence), "strict")
    assert [f.id for f in report.findings] == ["vasl/losdata-out-of-date"], to_text(report)


def test_names_beside_the_print_are_told(shared: Path) -> None:
    source = open_any(shared / "boards" / "bd01")
    archive = subject_of(shared, "bd01").archive
    fit = search_grid(source.picture.rgb, hint=source.layout).fit
    assert fit is not None
    # The attributes put A1 back to where it is printed.
    for columns, rows, settle in (
        (2, 0, 'A1CenterX="-112.5"'),
        (0, -1, 'A1CenterY="96.75"'),
    ):
        moved = tuple((c + columns, r + rows, n) for c, r, n in source.hexes)
        labels = read_names("01", replace(source, hexes=moved), fit)
        assert labels is not None
        subject = Subject("bd01", labels=(labels,), archive=archive)
        (told,) = run_checks(subject, only=["numbering"]).findings
        assert (told.id, told.settle) == ("numbering/print-disagrees", settle)
