"""Views from parsed build files, archives and pictures."""

from __future__ import annotations

from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from validator_goods import LAYOUT, SIZE

from hexsight.model.vassal_vasl import VaslNaming
from hexsight.validators import HexGridView, Subject, run_checks
from hexsight.validators.views import archive_view, grid_evidence, module_view, picture_view

BOARD = "VASSAL.build.module.map.boardPicker.board."
BUILD_FILE = f"""
<VASSAL.build.GameModule name="Town" version="1.2" VassalVersion="3.7.5">
 <VASSAL.build.module.Map mapName="Main Map">
  <VASSAL.build.module.map.BoardPicker>
   <VASSAL.build.module.map.boardPicker.Board name="Town" image="town.png">
    <{BOARD}ZonedGrid>
     <VASSAL.build.module.folder.GridSubFolder name="zones">
      <{BOARD}mapgrid.Zone name="Field" path="10,20;300,20;300,200">
       <{BOARD}HexGrid dx="56,25" dy="64.5" x0="2" y0="3">
        <{BOARD}mapgrid.HexGridNumbering hType="A"/>
        <{BOARD}mapgrid.ObliqueHexGridNumbering hType="N"/>
       </{BOARD}HexGrid>
      </{BOARD}mapgrid.Zone>
     </VASSAL.build.module.folder.GridSubFolder>
     <{BOARD}mapgrid.Zone name="Box" path="1,1;2">
      <{BOARD}RegionGrid><{BOARD}Region name="A" originx="1" originy="2"/></{BOARD}RegionGrid>
     </{BOARD}mapgrid.Zone>
     <{BOARD}HexGrid dx="10" dy="12"/>
    </{BOARD}ZonedGrid>
   </VASSAL.build.module.map.boardPicker.Board>
   <VASSAL.build.module.map.boardPicker.Board name="Felt" width="300" height="200" color="1,2,3"/>
  </VASSAL.build.module.map.BoardPicker>
  <VASSAL.build.module.map.LOS_Thread threadName="LOS"/>
 </VASSAL.build.module.Map>
 <VASSAL.build.module.PrivateMap mapName="Hand">
  <VASSAL.build.module.map.BoardPicker>
   <VASSAL.build.module.map.boardPicker.Board name="Felt" image="gone.png" width="x" height="2"/>
  </VASSAL.build.module.map.BoardPicker>
 </VASSAL.build.module.PrivateMap>
</VASSAL.build.GameModule>
"""


def _module(moduledata: dict[str, str] | None = None) -> Subject:
    root = ElementTree.fromstring(BUILD_FILE)  # noqa: S314 - a text of our own
    view = module_view(
        root,
        ["moduledata", "buildFile.xml", "images/town.png"],
        moduledata=moduledata,
        size_of={"town.png": (600, 400)}.get,
    )
    return Subject("town.vmod", module=view)


def test_boards_grids_and_zones_as_they_stand() -> None:
    module = _module({"VassalVersion": "3.6.1", "name": "Other"}).module
    assert module is not None
    assert (module.name, module.version, module.vassal_version) == ("Town", "1.2", "3.6.1")
    assert module.los_maps == ("Main Map",)
    town, felt, hand = module.boards
    assert (town.name, town.map_name, town.image, town.size_px) == (
        "Town",
        "Main Map",
        "town.png",
        (600, 400),
    )
    assert [z.name for z in town.zones] == ["Field", "Box"]
    assert town.other_grids == ("RegionGrid",)
    assert town.hex_grids == (
        HexGridView(
            {"dx": "56,25", "dy": "64.5", "x0": "2", "y0": "3"},
            {"hType": "N"},
            True,
            "Field",
            (10, 20, 300, 200),
        ),
        HexGridView({"dx": "10", "dy": "12"}),
    )
    assert (felt.size_px, felt.image, felt.hex_grids) == ((300, 200), "", ())
    assert (hand.map_name, hand.size_px) == ("Hand", None)


def test_checks_read_what_the_view_holds() -> None:
    report = run_checks(_module(), "default")
    assert {(f.id, f.board) for f in report.findings} == {
        ("grid/bad-number", "Town"),
        ("module/picture-missing", "Felt"),
        ("module/zone-path-broken", "Town"),
        ("numbering/missing", "Town"),
    }


@pytest.mark.parametrize("lxml", [False, True])
def test_comments_are_passed_over(lxml: bool) -> None:
    text = "<M mapName='X'><!-- no --><a.Board name='B'><!-- no --></a.Board></M>"
    if lxml:
        root = pytest.importorskip("lxml.etree").fromstring(text)
    else:
        root = ElementTree.fromstring(text)  # noqa: S314 - a text of our own
    assert [b.name for b in module_view(root, []).boards] == ["B"]


def test_picture_view_counts_what_is_see_through() -> None:
    alpha = np.full((4, 5), 255, np.uint8)
    alpha[0] = 12
    picture = SimpleNamespace(
        where="m.png", size_px=(5, 4), format="PNG", mode="RGBA", alpha=alpha, sha256="00"
    )
    assert picture_view(picture).see_through_share == 0.25
    picture.alpha = None
    assert picture_view(picture).see_through_share == 0


def test_archive_view_takes_special_hexsides_of_every_section() -> None:
    side = SimpleNamespace(hex="A1", sides=(0,))
    archive = SimpleNamespace(
        name="99",
        image_name="bd99.gif",
        naming=VaslNaming(),
        size_hexes=(33, 10),
        has_hills=False,
        hex_grid_config="EqualRowCount",
        building_types={"E4": "Stone Building"},
        slopes=(side,),
        embankments=(side,),
        partial_orchards=(side,),
        colours=(SimpleNamespace(name="Green", terrain="Woods"),),
        overlays=(SimpleNamespace(name="Mud", image="mud.gif"),),
        attributes={"boardImageFileName": " bd99.gif "},
        legacy=False,
    )
    losdata = SimpleNamespace(
        width=33, height=10, terrain=np.zeros((6, 7), np.uint8), elevation=np.zeros((6, 7), np.int8)
    )
    view = archive_view(archive, "bd99", ["bd99.gif"], (1800, 645), losdata)
    assert view.image_named == "bd99.gif"
    assert view.equal_rows
    assert [s for s, _ in view.special_hexsides] == ["slopes", "rrembankments", "partialorchards"]
    assert view.losdata is not None
    assert view.losdata.size_px == (7, 6)
    assert view.losdata.size_hexes == (33, 10)
    assert len(view.hexes) == 330


def test_grid_evidence_without_a_fit_is_not_sure() -> None:
    none = grid_evidence("Town", LAYOUT, SIZE, None)
    assert (none.fitted, none.confidence, none.printed) == (None, 0.0, ())
    fit = SimpleNamespace(layout=LAYOUT, confidence=0.9)
    some = grid_evidence("Town", LAYOUT, SIZE, fit, archive=True, printed=np.array([[1, 2]]))
    assert (some.kind, some.printed, some.fitted) == ("archive", ((1, 2),), LAYOUT)
