"""What a check looks at: plain objects that the command line fills in.

The readers of modules, archives, pictures and tables live in other packages
that validators must not know, so their results come here as small frozen
dataclasses of strings, numbers and model objects (`hexsight.validators.views`
makes them from anything of the right shape).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board, Survey
from hexsight.model.derive import derive
from hexsight.model.layout import Layout
from hexsight.model.overrides import Overrides
from hexsight.model.vassal_vasl import VaslNaming
from hexsight.validators.evidence import LabelEvidence, TerrainEvidence
from hexsight.validators.legends import LegendView

Attributes = Mapping[str, str]
Size = tuple[int, int]
# A VASL board with more hexes than this is a wrong number or an attack.
MAX_HEXES = 200_000
# What `needs` of a check may name.
FACTS = (
    *("board", "survey", "overrides", "module", "picture", "grids"),
    *("archive", "table", "labels", "terrain", "inputs", "legend"),
)


@dataclass(frozen=True)
class HexGridView:
    """A HexGrid element as it stands in the build file.

    Attributes
    ----------
    attributes : mapping
        All of them, as text, in the order of the file.
    numbering : mapping or None
        Attributes of its numbering.
    oblique : bool
        The numbering is an ObliqueHexGridNumbering.
    zone : str
        Name of the zone that holds it, empty for the board's own grid.
    zone_box : (left, top, right, bottom) or None
        Bounding box of that zone in board pixels.
    """

    attributes: Attributes = field(default_factory=dict)
    numbering: Attributes | None = None
    oblique: bool = False
    zone: str = ""
    zone_box: tuple[int, int, int, int] | None = None


@dataclass(frozen=True)
class ZoneView:
    """A zone of a board: its name and its ``path`` attribute as it stands."""

    name: str
    path: str


@dataclass(frozen=True)
class BoardView:
    """A board of a module.

    Attributes
    ----------
    name : str
    map_name : str
        Map whose board picker offers it.
    image : str
        ``image`` attribute, empty for a board of plain colour.
    size_px : (int, int) or None
        Width and height of the board; None where the picture could not be read.
    hex_grids : tuple of HexGridView
    zones : tuple of ZoneView
    other_grids : tuple of str
        Kinds of its other grids, such as ``"RegionGrid"``.
    """

    name: str
    map_name: str = ""
    image: str = ""
    size_px: Size | None = None
    hex_grids: tuple[HexGridView, ...] = ()
    zones: tuple[ZoneView, ...] = ()
    other_grids: tuple[str, ...] = ()


@dataclass(frozen=True)
class ModuleView:
    """A VASSAL module.

    Attributes
    ----------
    build_file : str
        Member that was read: ``buildFile.xml`` or ``buildFile``.
    members : tuple of str
        Names of all members.
    name, version, vassal_version : str
        As moduledata has them.
    boards : tuple of BoardView
    los_maps : tuple of str
        Names of the maps that have a LOS_Thread.
    """

    build_file: str = "buildFile.xml"
    members: tuple[str, ...] = ()
    name: str = ""
    version: str = ""
    vassal_version: str = ""
    boards: tuple[BoardView, ...] = ()
    los_maps: tuple[str, ...] = ()


@dataclass(frozen=True)
class PictureView:
    """A map picture as its file stores it.

    Attributes
    ----------
    where : str
        Name for messages, such as ``images/map.png in g.vmod``.
    format : str
        ``PNG``, ``JPEG`` … by content, not by name.
    mode : str
        Pillow's name of the stored pixels, such as ``P`` or ``CMYK``.
    see_through_share : float
        Share of the pixels that are not opaque.
    """

    where: str
    size_px: Size
    format: str = "PNG"
    mode: str = "RGB"
    see_through_share: float = 0.0
    sha256: str = ""


@dataclass(frozen=True)
class GridPart:
    """Part of a picture: its middle, the hexsides seen in it, their shift beside the grid."""

    middle_px: tuple[float, float]
    sides: int
    shift_px: tuple[float, float]


@dataclass(frozen=True)
class GridEvidence:
    """The grid a file states beside the grid that is printed on its picture.

    Attributes
    ----------
    board : str
    kind : str
        ``"module"`` (HexGrid attributes) or ``"archive"`` (metadata).
    size_px : (int, int)
        Of the picture.
    nominal : Layout or None
        What the file states, None where it states no hex grid.
    fitted : Layout or None
        What was found on the picture, None where none was found.
    confidence : float
        Of the fit.
    printed : tuple of (int, int)
        Hexes of `fitted` whose outline is printed, empty when not known.
    parts : tuple of GridPart
        How the print lies beside `fitted` in parts of the picture.
    """

    board: str
    kind: Literal["module", "archive"]
    size_px: Size
    nominal: Layout | None
    fitted: Layout | None
    confidence: float = 1.0
    printed: tuple[tuple[int, int], ...] = ()
    parts: tuple[GridPart, ...] = ()


@dataclass(frozen=True, eq=False)
class LosDataView:
    """Decoded LOSData of a VASL board.

    Attributes
    ----------
    size_hexes : (int, int)
        Width and height in hexes as it states them.
    terrain : (H, W) uint8
    elevation : (H, W) int8
        In whole levels.
    """

    size_hexes: Size
    terrain: NDArray[np.uint8]
    elevation: NDArray[np.int8]

    @property
    def size_px(self) -> Size:
        """Width and height of its grid in pixels."""
        return self.terrain.shape[1], self.terrain.shape[0]


@dataclass(frozen=True)
class ArchiveView:
    """A VASL board archive.

    Attributes
    ----------
    file_name : str
        Last part of its path, such as ``bd01``.
    members : tuple of str
        Names of all members.
    name : str
        As in the metadata.
    image_named, image_used : str
        Picture that the metadata names, and the member that was read.
    naming : VaslNaming
    size_hexes : (int, int) or None
        As in the metadata.
    equal_rows : bool
        All columns have as many hexes.
    has_hills : bool
    picture_size_px : (int, int)
    building_types : mapping
        Hex name to terrain name.
    special_hexsides : tuple of (str, str)
        Section and hex name of every slope, embankment and partial orchard.
    colours : tuple of (str, str)
        Name and terrain of the board's own colours.
    overlay_images : tuple of (str, str)
        Rule and picture of the scenario overlays.
    losdata : LosDataView or None
    legacy : bool
        Without metadata.
    """

    file_name: str
    members: tuple[str, ...]
    name: str
    image_named: str
    image_used: str
    naming: VaslNaming
    size_hexes: Size | None
    picture_size_px: Size
    equal_rows: bool = False
    has_hills: bool = False
    building_types: Attributes = field(default_factory=dict)
    special_hexsides: tuple[tuple[str, str], ...] = ()
    colours: tuple[tuple[str, str], ...] = ()
    overlay_images: tuple[tuple[str, str], ...] = ()
    losdata: LosDataView | None = None
    legacy: bool = False

    @cached_property
    def hexes(self) -> tuple[tuple[int, int, str], ...]:
        """(col, row, name) of every hex; none where the numbers are beyond any board."""
        width, height = self.size_hexes or (
            round(self.picture_size_px[0] / self.naming.hex_width),
            round(self.picture_size_px[1] / self.naming.hex_height),
        )
        if width * height > MAX_HEXES:
            return ()
        found = self.naming.hexes(self.size_hexes, self.picture_size_px, equal_rows=self.equal_rows)
        return tuple(found)


@dataclass(frozen=True)
class Probe:
    """A pair of Locations asked again.

    Attributes
    ----------
    a, b : str
    stored : str
        What the table says: ``clear``, ``hindered by 2``, ``blocked``.
    there, back : str
        What the board says now from a to b, and from b to a.
    """

    a: str
    b: str
    stored: str
    there: str
    back: str


@dataclass(frozen=True)
class TableView:
    """Head of a LOS table, and what it should say now.

    Attributes
    ----------
    locations : tuple of str
        Names in the table.
    board_hash, profile_hash : str
        Of the board and the rules that it was made from.
    board_hash_now, profile_hash_now : str or None
        Of the board and the rules at hand, None where they are not.
    locations_now : tuple of str or None
        Locations that the board at hand has.
    probes : tuple of Probe
        A sample of its pairs, asked again on the board at hand.
    """

    locations: tuple[str, ...]
    board_hash: str
    profile_hash: str
    board_hash_now: str | None = None
    profile_hash_now: str | None = None
    locations_now: tuple[str, ...] | None = None
    probes: tuple[Probe, ...] = ()


@dataclass(frozen=True)
class Subject:
    """One thing to be checked, with everything known about it.

    Attributes
    ----------
    path : str
        As shown to the user.
    board : Board or None
        Model of the board.
    survey : Survey or None
        What was found before overrides and derivation.
    overrides : Overrides or None
        None without any.
    module, picture, archive, table
        What the file is.
    grids : tuple of GridEvidence
        Of each board whose picture was searched for a printed grid.
    labels : tuple of LabelEvidence
        Of each board whose printed names were read.
    terrain : TerrainEvidence or None
        Terrain read from the picture beside the stored one.
    inputs : mapping or None
        SHA-256, in hex, of what the board was made from, as it is now, by name.
    legend : LegendView or None
        By which the picture was read.
    accepted : mapping of str to mapping of str to str
        Remarks by check and place on findings that hexsight.yaml accepts.
    plain : Board or None
        The board without overrides, where it is known already.
    pictures : callable or None
        Picture (H, W, 3) uint8 of a board by its name, None where there is none:
        for showing places of findings, not for checks.
    """

    path: str
    board: Board | None = None
    survey: Survey | None = None
    overrides: Overrides | None = None
    module: ModuleView | None = None
    picture: PictureView | None = None
    grids: tuple[GridEvidence, ...] = field(default=())
    archive: ArchiveView | None = None
    table: TableView | None = None
    labels: tuple[LabelEvidence, ...] = ()
    terrain: TerrainEvidence | None = None
    inputs: Attributes | None = None
    legend: LegendView | None = None
    accepted: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    plain: Board | None = None
    pictures: Callable[[str], NDArray[np.uint8] | None] | None = field(
        default=None, repr=False, compare=False
    )

    def has(self, fact: str) -> bool:
        """Whether a fact that a check needs is at hand."""
        value = getattr(self, fact)
        return value is not None and value != ()

    @property
    def board_name(self) -> str:
        """Name of the one board that this is about, or nothing."""
        if self.board is not None:
            return self.board.name
        if self.survey is not None:
            return self.survey.name
        return self.archive.name if self.archive is not None else ""

    @cached_property
    def plain_board(self) -> Board | None:
        """The board as it would be without a person's overrides."""
        if self.plain is not None or self.survey is None:
            return self.plain
        return derive(self.survey)
