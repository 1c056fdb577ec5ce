"""Views of modules, archives and pictures, from anything of the right shape.

The readers live in packages that validators must not import.  What they return
is taken here by its attributes alone; a type checker holds the shapes equal
where the command line calls these functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hexsight.model.layout import Layout
from hexsight.model.vassal_vasl import VaslNaming
from hexsight.validators.subject import (
    ArchiveView,
    BoardView,
    GridEvidence,
    GridPart,
    HexGridView,
    LosDataView,
    ModuleView,
    PictureView,
    Size,
    ZoneView,
)

_CORNER = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*\Z", re.ASCII)
_OTHER_GRIDS = ("SquareGrid", "RegionGrid")


class Element(Protocol):
    """An XML element, as lxml's and the standard library's."""

    @property
    def tag(self) -> object:
        """Name of the element; lxml gives a function for comments and instructions."""

    @property
    def attrib(self) -> Mapping[str, str]:
        """Attributes as they stand, by name."""

    def __iter__(self) -> Iterator[Element]:
        """Go through the child elements in the order of the file."""


class PictureLike(Protocol):
    """A decoded picture, as ``hexsight.extract.image.Picture``."""

    @property
    def where(self) -> str:
        """Name for messages and provenance."""

    @property
    def size_px(self) -> Size:
        """Width and height in pixels."""

    @property
    def format(self) -> str:
        """Pillow's name of the file format, such as ``PNG``."""

    @property
    def mode(self) -> str:
        """Pillow's name of the stored pixel kind, such as ``P`` or ``RGB``."""

    @property
    def alpha(self) -> NDArray[np.uint8] | None:
        """Opacity (H, W) from 0 to 255, None where every pixel is opaque."""

    @property
    def sha256(self) -> str:
        """Of the bytes of the file, in hex."""


class LosDataLike(Protocol):
    """Decoded LOSData, as ``hexsight.model.losdata.LosData``."""

    @property
    def width(self) -> int:
        """Width of the board in hexes."""

    @property
    def height(self) -> int:
        """Height of the board in hexes."""

    @property
    def terrain(self) -> NDArray[np.uint8]:
        """VASL terrain code (H, W) of each board pixel."""

    @property
    def elevation(self) -> NDArray[np.int8]:
        """Ground level (H, W) of each board pixel, in whole levels."""


class _Hexside(Protocol):
    @property
    def hex(self) -> str: ...


class _Colour(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def terrain(self) -> str: ...


class _Overlay(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def image(self) -> str: ...


class ArchiveLike(Protocol):
    """A VASL board, as ``hexsight.extract.boardarchive.BoardArchive``."""

    @property
    def name(self) -> str:
        """Name of the board in its metadata, or that of the file."""

    @property
    def image_name(self) -> str:
        """Member with the picture."""

    @property
    def naming(self) -> VaslNaming:
        """Geometry and names of its hexes."""

    @property
    def size_hexes(self) -> Size | None:
        """Width and height in hexes, None where an old board does not say."""

    @property
    def has_hills(self) -> bool:
        """Whether the makers set elevations apart from ground level."""

    @property
    def hex_grid_config(self) -> str:
        """As in the metadata, often empty."""

    @property
    def building_types(self) -> Mapping[str, str]:
        """Name of a hex to the terrain name that the makers set by hand."""

    @property
    def slopes(self) -> Sequence[_Hexside]:
        """Hexsides that are slopes."""

    @property
    def embankments(self) -> Sequence[_Hexside]:
        """Hexsides of railway embankments."""

    @property
    def partial_orchards(self) -> Sequence[_Hexside]:
        """Hexsides with a partial orchard."""

    @property
    def colours(self) -> Sequence[_Colour]:
        """The board's own colours."""

    @property
    def overlays(self) -> Sequence[_Overlay]:
        """Pictures that scenario rules lay over the board."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """All attributes of the metadata's root."""

    @property
    def legacy(self) -> bool:
        """True without ``BoardMetadata.xml``."""


class FitLike(Protocol):
    """A fitted grid, as ``hexsight.extract.grid.GridFit``."""

    @property
    def layout(self) -> Layout:
        """The grid in board pixels."""

    @property
    def confidence(self) -> float:
        """That the grid is printed, from 0 to 1."""


class ResidualLike(Protocol):
    """How the print lies beside a fitted grid in one part, as ``GridFit.residuals`` has it."""

    @property
    def box_px(self) -> Sequence[float]:
        """Left, top, right and bottom of the part."""

    @property
    def sides(self) -> int:
        """How many printed hexsides were measured in it."""

    @property
    def shift_px(self) -> Sequence[float]:
        """By how much x and y of the print lie beside the fit."""


def picture_view(picture: PictureLike) -> PictureView:
    """View of a decoded picture."""
    alpha = picture.alpha
    clear = 0.0 if alpha is None else float(np.count_nonzero(alpha < 255)) / max(1, alpha.size)
    return PictureView(
        where=picture.where,
        size_px=picture.size_px,
        format=picture.format,
        mode=picture.mode,
        see_through_share=clear,
        sha256=picture.sha256,
    )


def archive_view(
    archive: ArchiveLike,
    file_name: str,
    members: Iterable[str],
    picture_size_px: Size,
    losdata: LosDataLike | None = None,
) -> ArchiveView:
    """View of a VASL board.

    Parameters
    ----------
    archive : ArchiveLike
    file_name : str
        Last part of its path.
    members : iterable of str
        Names of all members.
    picture_size_px : (int, int)
        Of its picture.
    losdata : LosDataLike, optional
        Decoded LOSData, where the archive has any.
    """
    special = [
        (section, side.hex)
        for section, sides in (
            ("slopes", archive.slopes),
            ("rrembankments", archive.embankments),
            ("partialorchards", archive.partial_orchards),
        )
        for side in sides
    ]
    return ArchiveView(
        file_name=file_name,
        members=tuple(members),
        name=archive.name,
        image_named=archive.attributes.get("boardImageFileName", "").strip(),
        image_used=archive.image_name,
        naming=archive.naming,
        size_hexes=archive.size_hexes,
        picture_size_px=picture_size_px,
        equal_rows="equalrowcount" in archive.hex_grid_config.lower(),
        has_hills=archive.has_hills,
        building_types=dict(archive.building_types),
        special_hexsides=tuple(special),
        colours=tuple((c.name, c.terrain) for c in archive.colours),
        overlay_images=tuple((o.name, o.image) for o in archive.overlays),
        losdata=None
        if losdata is None
        else LosDataView((losdata.width, losdata.height), losdata.terrain, losdata.elevation),
        legacy=archive.legacy,
    )


def grid_evidence(
    board: str,
    nominal: Layout | None,
    size_px: Size,
    fit: FitLike | None,
    *,
    archive: bool = False,
    printed: Iterable[Sequence[int]] = (),
    parts: Iterable[ResidualLike] = (),
) -> GridEvidence:
    """Stated and printed grid of one board, once its picture was searched.

    Parameters
    ----------
    board : str
        Its name.
    nominal : Layout or None
        What the module or the metadata states.
    size_px : (int, int)
        Of the picture.
    fit : FitLike or None
        What was found, None where nothing was.
    archive : bool
        The grid is stated by VASL metadata, not by a module.
    printed : iterable of (col, row)
        Hexes of the fit that are printed.
    parts : iterable of ResidualLike
        How the print lies beside the fit in parts of the picture.
    """
    return GridEvidence(
        board=board,
        kind="archive" if archive else "module",
        size_px=size_px,
        nominal=nominal,
        fitted=None if fit is None else fit.layout,
        confidence=0.0 if fit is None else fit.confidence,
        printed=tuple((int(h[0]), int(h[1])) for h in printed),
        parts=tuple(
            GridPart(
                ((p.box_px[0] + p.box_px[2]) / 2, (p.box_px[1] + p.box_px[3]) / 2),
                p.sides,
                (float(p.shift_px[0]), float(p.shift_px[1])),
            )
            for p in parts
        ),
    )


def module_view(
    root: Element,
    members: Iterable[str],
    *,
    build_file: str = "buildFile.xml",
    moduledata: Mapping[str, str] | None = None,
    size_of: Callable[[str], Size | None] | None = None,
) -> ModuleView:
    """View of a module, from the root of its build file.

    Attributes are taken as they stand, also those that the engine would not
    read: to find them is what the checks are for.

    Parameters
    ----------
    root : Element
        Parsed build file.
    members : iterable of str
        Names of all members.
    build_file : str
        Member that was parsed.
    moduledata : mapping, optional
        Texts of the elements of ``moduledata``.
    size_of : callable, optional
        Width and height of the picture of an ``image`` attribute, None where
        it cannot be read.
    """
    data = moduledata or {}
    attributes = dict(root.attrib)
    maps: list[str] = []
    boards: list[BoardView] = []
    for element, map_name in _walk(root, ""):
        kind = _kind(element)
        if kind == "Board":
            boards.append(_board(element, map_name, size_of))
        elif kind == "LOS_Thread" or "threadName" in element.attrib:
            maps.append(map_name)
    return ModuleView(
        build_file=build_file,
        members=tuple(members),
        name=attributes.get("name", "") or data.get("name", ""),
        version=attributes.get("version", "") or data.get("version", ""),
        vassal_version=data.get("VassalVersion", "") or attributes.get("VassalVersion", ""),
        boards=tuple(boards),
        los_maps=tuple(dict.fromkeys(maps)),
    )


def _kind(element: Element) -> str:
    """``HexGrid`` of ``VASSAL.build.….HexGrid``; nothing for comments."""
    return element.tag.rpartition(".")[2] if isinstance(element.tag, str) else ""


def _walk(root: Element, map_name: str) -> Iterator[tuple[Element, str]]:
    """All elements outside of boards in the order of the file, each with its map."""
    stack = [(root, map_name)]
    while stack:
        element, name = stack.pop()
        yield element, name
        if _kind(element) == "Board":
            continue
        below = str(element.attrib.get("mapName", name))
        stack += [(child, below) for child in reversed(list(element))]


def _board(
    element: Element, map_name: str, size_of: Callable[[str], Size | None] | None
) -> BoardView:
    image = str(element.attrib.get("image", "")).strip()
    size = size_of(image) if image and size_of is not None else None
    grids: list[HexGridView] = []
    zones: list[ZoneView] = []
    others: list[str] = []
    stack: list[tuple[Element, ZoneView | None]] = [(c, None) for c in reversed(list(element))]
    while stack:
        child, zone = stack.pop()
        kind = _kind(child)
        if kind == "Zone":
            zone = ZoneView(str(child.attrib.get("name", "")), str(child.attrib.get("path", "")))
            zones.append(zone)
        elif kind.endswith("HexGrid"):
            grids.append(_hex_grid(child, zone))
            continue
        elif kind in _OTHER_GRIDS:
            others.append(kind)
        stack += [(c, zone) for c in reversed(list(child))]
    return BoardView(
        name=str(element.attrib.get("name", "")),
        map_name=map_name,
        image=image,
        size_px=size if size is not None else _declared_size(element),
        hex_grids=tuple(grids),
        zones=tuple(zones),
        other_grids=tuple(dict.fromkeys(others)),
    )


def _hex_grid(element: Element, zone: ZoneView | None) -> HexGridView:
    found: Element | None = None
    for child, _ in _walk(element, ""):
        # Of several numberings the engine keeps the last.
        found = child if _kind(child).endswith("HexGridNumbering") else found
    return HexGridView(
        attributes=dict(element.attrib),
        numbering=None if found is None else dict(found.attrib),
        oblique=found is not None and _kind(found).startswith("Oblique"),
        zone="" if zone is None else zone.name,
        zone_box=None if zone is None else _box(zone.path),
    )


def _box(path: str) -> tuple[int, int, int, int] | None:
    found = [m for m in map(_CORNER.match, path.split(";")) if m]
    if not found:
        return None
    xs, ys = [int(m[1]) for m in found], [int(m[2]) for m in found]
    return min(xs), min(ys), max(xs), max(ys)


def _declared_size(element: Element) -> Size | None:
    texts = [str(element.attrib.get(key, "")) for key in ("width", "height")]
    if not all(re.fullmatch(r"\d{1,6}", t, re.ASCII) for t in texts):
        return None
    width, height = (int(t) for t in texts)
    return (width, height) if width and height else None
