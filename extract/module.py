"""VASSAL modules: maps, boards, grids and LOS threads of a ``.vmod`` or its folder."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

from lxml import etree

from hexsight.extract.archive import ModuleFiles, open_source
from hexsight.extract.image import Picture, load_picture, picture_size
from hexsight.extract.module_files import (
    BUILD_FILES,
    find_build_file,
    image_member,
    read_moduledata,
)
from hexsight.extract.module_grids import GridReader, HexGridPlace
from hexsight.extract.module_names import BoardHexes, name_hexes
from hexsight.extract.xmlsafe import MAX_XML_BYTES, attributes, local_name, parse_xml
from hexsight.model.errors import InputError, UnsupportedError, UsageError
from hexsight.model.layout import Layout
from hexsight.model.vassal_java import java_bool, java_int
from hexsight.model.vassal_zones import BoardGrid, ZonedGrid

_ROOTS = ("GameModule", "BasicModule", "ModuleExtension")


@dataclass(frozen=True)
class ModuleBoard:
    """A board of a module.

    Attributes
    ----------
    name, map_name : str
        Its name, and that of the map window whose board picker offers it.
    image : str
        Member with its picture, such as ``images/map.png``; empty for a board
        of plain colour.
    size_px : (int, int) or None
        Declared width and height of a board without picture.
    reversible : bool
        Whether players may turn it round.
    color : str
        Its colour as written, ``r,g,b``.
    grid : grid or None
        What the engine would use.
    hex_grids : tuple of HexGridPlace
        Every hex grid on it: the board's, or those of its zones.
    where : str
        Name for messages.
    line : int
        Line of its element in the build file.
    """

    name: str
    map_name: str
    image: str
    size_px: tuple[int, int] | None
    reversible: bool
    color: str
    grid: BoardGrid | None
    hex_grids: tuple[HexGridPlace, ...]
    where: str
    line: int

    def hex_grid(self, zone: str | None = None) -> HexGridPlace:
        """The hex grid of the board, or of a zone of it.

        Of several the background grid is taken, else that of the largest zone.

        Raises
        ------
        UnsupportedError
            If the board has no hex grid; names what it has instead.
        UsageError
            If the zone has none.
        """
        if zone is not None:
            for place in self.hex_grids:
                if place.zone is not None and place.zone.name == zone:
                    return place
            names = ", ".join(p.zone.name for p in self.hex_grids if p.zone) or "none"
            raise UsageError(f"{self.where} has no zone {zone!r} with a hex grid (zones: {names}).")
        if not self.hex_grids:
            raise UnsupportedError(
                f"{self.where} has no hex grid{_instead(self.grid)}. Set one in VASSAL's editor, "
                "or find it in the picture with: hexsight grid."
            )
        own = [p for p in self.hex_grids if p.zone is None]
        return own[-1] if own else max(self.hex_grids, key=_zone_area)


@dataclass(frozen=True)
class LosThread:
    """A LOS thread tool of a module."""

    class_name: str
    map_name: str
    name: str
    report: str
    attributes: Mapping[str, str] = field(repr=False)
    line: int = 0


@dataclass(frozen=True)
class Module:
    """What a module says of itself and its boards.

    Attributes
    ----------
    path : Path
        The ``.vmod``, ``.vmdx`` or folder.
    kind : str
        ``"module"`` or ``"extension"``.
    name, version, vassal_version : str
        As in the build file, else in ``moduledata``.
    build_file : str
        Member that VASSAL reads: ``buildFile.xml`` or ``buildFile``.
    moduledata : mapping
        Texts of the elements of ``moduledata``; empty without one.
    maps : tuple of str
        Names of the map windows.
    boards : tuple of ModuleBoard
        In the order of the file.
    los_threads : tuple of LosThread
        In the order of the file.
    warnings : tuple of str
        What the engine would drop, and other oddities.
    """

    path: Path
    kind: str
    name: str
    version: str
    vassal_version: str
    build_file: str
    moduledata: Mapping[str, str] = field(repr=False)
    maps: tuple[str, ...]
    boards: tuple[ModuleBoard, ...]
    los_threads: tuple[LosThread, ...]
    warnings: tuple[str, ...]

    @property
    def label(self) -> str:
        """Short name for messages."""
        return self.path.name or str(self.path)

    def board(self, name: str | None = None) -> ModuleBoard:
        """Board of a name (or ``map/board``); without one, the only board with a hex grid.

        Raises
        ------
        UsageError
            If there is no such board, or none was named and several would do;
            lists the names.
        UnsupportedError
            If the module has no board at all, or none with a hex grid.
        """
        if not self.boards:
            raise UnsupportedError(f"{self.label} holds no board.")
        if name is None:
            return self._only_board()
        fits = [b for b in self.boards if name in (b.name, f"{b.map_name}/{b.name}")]
        if len(fits) > 1:
            self._refuse_ambiguous(name, fits)
        if fits:
            return fits[0]
        names = [b.name for b in self.boards]
        folded = [b for b in self.boards if b.name.strip().casefold() == name.strip().casefold()]
        close = [folded[0].name] if folded else difflib.get_close_matches(name, names, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise UsageError(f"{self.label} has no board {name!r}.{hint} Boards: {_listed(names)}.")

    def _refuse_ambiguous(self, name: str, fits: list[ModuleBoard]) -> NoReturn:
        """Say which of several boards of one name may be meant; the first is not meant more."""
        whole = list(dict.fromkeys(f"{b.map_name}/{b.name}" for b in fits))
        if len(whole) == len(fits):
            raise UsageError(
                f"{self.label} has {len(fits)} boards named {name!r}. Name the map too: "
                f"{_listed(whole)}."
            )
        raise UsageError(
            f"{self.label} has several boards named {name!r} on one map, and nothing tells them "
            "apart. Rename all but one in VASSAL's editor."
        )

    def _only_board(self) -> ModuleBoard:
        gridded = [b for b in self.boards if b.hex_grids]
        if len(gridded) == 1:
            return gridded[0]
        if len(self.boards) == 1:
            return self.boards[0]
        if not gridded:
            raise UnsupportedError(
                f"No board of {self.label} has a hex grid (boards: "
                f"{_listed([b.name for b in self.boards])}). Set one in VASSAL's editor, or find "
                "it in the picture with: hexsight grid."
            )
        names = _listed([b.name for b in gridded])
        raise UsageError(f"{self.label} has several boards: name one with --board ({names}).")

    def read(self, member: str) -> bytes:
        """Bytes of a member; raises InputError as `ModuleFiles.read`."""
        with open_source(self.path) as files:
            return files.read(member)

    def picture(self, board: ModuleBoard) -> Picture:
        """Decoded picture of a board; raises as `load_picture`."""
        return load_picture(self._image(board), f"{board.image} in {self.label}")

    def board_size(self, board: ModuleBoard) -> tuple[int, int]:
        """Width and height of a board in pixels, as the engine has them."""
        if not board.image and board.size_px is not None:
            return board.size_px
        return picture_size(self._image(board), f"{board.image} in {self.label}")

    def _image(self, board: ModuleBoard) -> bytes:
        if not board.image:
            raise UnsupportedError(f"{board.where} has no picture, only a colour.")
        return self.read(board.image)


def read_module(path: str | os.PathLike[str]) -> Module:
    """Read a module or extension, packed or unpacked.

    Raises
    ------
    InputError
        If it cannot be read or is no module.
    """
    with open_source(path) as files:
        return read_module_files(files)


def is_module(files: ModuleFiles) -> bool:
    """Whether an open zip or folder has a build file."""
    return any(files.has(name) for name in BUILD_FILES)


def read_module_files(files: ModuleFiles) -> Module:
    """Read a module from an open zip or folder; raises as `read_module`."""
    label = files.label
    warnings: list[str] = []
    moduledata = read_moduledata(files, warnings)
    build_file = find_build_file(files, moduledata, warnings)
    root = parse_xml(files.read(build_file, max_bytes=MAX_XML_BYTES), f"{build_file} in {label}")
    if local_name(root) not in _ROOTS and not str(root.tag).startswith("VASSAL."):
        raise InputError(
            f"Cannot read {build_file} in {label}: its root is <{root.tag}>, not a VASSAL module."
        )
    attrs = attributes(root)
    boards = tuple(_board(files, e, warnings) for e in root.iter(etree.Element) if _is_board(e))
    seen: set[str] = set()
    for board in boards:
        if board.name in seen:
            warnings.append(f"{label} has several boards named {board.name!r}")
        seen.add(board.name)
    return Module(
        path=files.path,
        kind="extension" if local_name(root) == "ModuleExtension" else "module",
        name=attrs.get("name", "") or moduledata.get("name", ""),
        version=attrs.get("version", "") or moduledata.get("version", ""),
        vassal_version=attrs.get("VassalVersion", "")
        or attrs.get("vassalVersion", "")
        or moduledata.get("VassalVersion", ""),
        build_file=build_file,
        moduledata=MappingProxyType(moduledata),
        maps=tuple(a["mapName"] for e in root.iter(etree.Element) if "mapName" in (a := e.attrib)),
        boards=boards,
        los_threads=tuple(
            _los_thread(e)
            for e in root.iter(etree.Element)
            if local_name(e) == "LOS_Thread" or "threadName" in e.attrib
        ),
        warnings=tuple(warnings),
    )


def board_hexes(
    board: ModuleBoard, size_px: tuple[int, int], zone: str | None = None
) -> BoardHexes:
    """Every hex of a board whose centre lies on its picture, with VASSAL's names.

    Parameters
    ----------
    board : ModuleBoard
        The board.
    size_px : (int, int)
        Size of its picture.
    zone : str, optional
        Take the hex grid of this zone.

    Raises
    ------
    UnsupportedError
        If it has no hex grid, or one with absurdly many hexes.
    """
    return name_hexes(board.where, board.grid, board.hex_grid(zone), size_px)


def board_names(
    board: ModuleBoard, size_px: tuple[int, int], zone: str | None = None
) -> tuple[Layout, list[tuple[int, int, str]]]:
    """Layout and (col, row, name) of `board_hexes`; the names are unique."""
    hexes = board_hexes(board, size_px, zone)
    return hexes.layout, [(h.col, h.row, h.name) for h in hexes.hexes]


def _board(files: ModuleFiles, element: etree._Element, warnings: list[str]) -> ModuleBoard:
    attrs = attributes(element)
    name = attrs.get("name", "")
    where = f"Board {name!r} in {files.label}"
    reader = GridReader(where)
    grid = reader.board_grid(element)
    warnings.extend(reader.warnings)
    return ModuleBoard(
        name=name,
        map_name=_map_name(element),
        image=image_member(files, attrs.get("image", "").strip(), where, warnings),
        size_px=_declared_size(attrs, where, warnings),
        reversible=java_bool(attrs.get("reversible", "false")),
        color=attrs.get("color", ""),
        grid=grid,
        hex_grids=tuple(reader.places),
        where=where,
        line=element.sourceline or 0,
    )


def _is_board(element: etree._Element) -> bool:
    """Whether an element is a board, be it of a class of the module's own."""
    kind = local_name(element)
    if str(element.tag).startswith("VASSAL."):
        return kind == "Board"
    above = element.getparent()
    return (
        kind.endswith("Board") and above is not None and local_name(above).endswith("BoardPicker")
    )


def _map_name(element: etree._Element) -> str:
    for above in element.iterancestors():
        if "mapName" in above.attrib:
            return str(above.attrib["mapName"])
    return ""


def _declared_size(
    attrs: Mapping[str, str], where: str, warnings: list[str]
) -> tuple[int, int] | None:
    if "width" not in attrs or "height" not in attrs:
        return None
    try:
        width, height = java_int(attrs["width"]), java_int(attrs["height"])
    except ValueError as error:
        warnings.append(f"{where}: its size cannot be read ({error})")
        return None
    return (width, height) if width > 0 and height > 0 else None


def _los_thread(element: etree._Element) -> LosThread:
    attrs = attributes(element)
    return LosThread(
        str(element.tag),
        _map_name(element),
        attrs.get("threadName", ""),
        attrs.get("report", ""),
        MappingProxyType(attrs),
        element.sourceline or 0,
    )


def _zone_area(place: HexGridPlace) -> int:
    width, height = place.zone.size_px if place.zone is not None else (0, 0)
    return width * height


def _instead(grid: BoardGrid | None) -> str:
    if grid is None:
        return ""
    kinds = {type(grid).__name__}
    if isinstance(grid, ZonedGrid):
        inner = [grid.background, *(z.own_grid for z in grid.zones)]
        kinds = {type(g).__name__ for g in inner if g is not None} or {"zones only"}
    return f" (it has {', '.join(sorted(kinds))})"


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:12])
    return shown if len(names) <= 12 else f"{shown} and {len(names) - 12} more"
