"""What a path is (picture, module, VASL board), opened in one way for all of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from hexsight.extract.archive import ModuleFiles, is_zip, open_source
from hexsight.extract.boardarchive import (
    LOSDATA,
    BoardArchive,
    is_board_archive,
    read_board_files,
)
from hexsight.extract.boardarchive_sections import METADATA
from hexsight.extract.image import (
    MAX_PIXELS,
    SUFFIXES,
    Picture,
    load_picture,
    looks_like_picture,
)
from hexsight.extract.module import (
    Module,
    ModuleBoard,
    board_hexes,
    is_module,
    read_module_files,
)
from hexsight.model.errors import InputError, UsageError
from hexsight.model.inputs import open_input
from hexsight.model.layout import Layout
from hexsight.model.losdata import LosData


@dataclass(frozen=True)
class Source:
    """A map to work on, wherever it came from.

    Attributes
    ----------
    path : Path
        What was opened.
    kind : str
        ``"picture"``, ``"module"`` or ``"board"`` (a VASL board).
    name : str
        Name of the board: from the module or metadata, else the file's stem.
    picture : Picture
        Decoded picture.
    layout : Layout or None
        Nominal layout, as module or metadata say, which may be pixels beside
        the printed lines; None for a bare picture or a board without hex grid.
    hexes : tuple of (col, row, name)
        Every hex of the nominal layout, column by column; empty without one.
    locations : mapping
        Hex name to the ``LocationName`` that VASSAL reports there.
    building_types : mapping
        Hex name to VASL terrain name, as the makers set them.
    provenance : mapping
        SHA-256, in hex, of every input by name.
    warnings : tuple of str
        What was odd.
    archive : BoardArchive or None
        The VASL board.
    module : Module or None
        The module.
    board : ModuleBoard or None
        The board of the module.
    """

    path: Path
    kind: str
    name: str
    picture: Picture
    layout: Layout | None = None
    hexes: tuple[tuple[int, int, str], ...] = ()
    locations: Mapping[str, str] = field(default_factory=dict, repr=False)
    building_types: Mapping[str, str] = field(default_factory=dict, repr=False)
    provenance: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    archive: BoardArchive | None = field(default=None, repr=False)
    module: Module | None = field(default=None, repr=False)
    board: ModuleBoard | None = field(default=None, repr=False)

    def losdata(self) -> LosData | None:
        """Decoded LOSData of a VASL board, or None."""
        return self.archive.losdata() if self.archive is not None else None


def open_any(
    path: str | os.PathLike[str],
    board: str | None = None,
    *,
    zone: str | None = None,
    max_pixels: int = MAX_PIXELS,
    need_grid: bool = False,
) -> Source:
    """Open a picture, a module, or a VASL board, packed or unpacked.

    Parameters
    ----------
    path : path
        A picture, a ``.vmod``, a board archive, or the folder of one.
    board : str, optional
        Board of a module; not needed where there is but one with a hex grid.
    zone : str, optional
        Zone of that board whose hex grid counts.
    max_pixels : int
        Refuse larger pictures.
    need_grid : bool
        Refuse a board of a module that has no hex grid.

    Raises
    ------
    InputError
        If it cannot be read or is none of these.
    UsageError
        If there is no such board, or it must be named.
    UnsupportedError
        If the picture is SVG, or the board has no hex grid though one is needed.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"Cannot find {path}: there is no such file or folder.")
    if path.is_dir() or is_zip(path):
        with open_source(path) as files:
            return _open_files(files, board, zone, max_pixels, need_grid)
    return _open_picture(path, board, max_pixels)


def source_kind(path: str | os.PathLike[str]) -> str:
    """``"picture"``, ``"module"`` or ``"board"``, without reading more than needed.

    Raises
    ------
    InputError
        If it is none of these.
    """
    path = Path(path)
    if path.is_dir() or (path.exists() and is_zip(path)):
        with open_source(path) as files:
            return _kind(files)
    if not path.exists():
        raise InputError(f"Cannot find {path}: there is no such file or folder.")
    _check_picture(path)
    return "picture"


def _kind(files: ModuleFiles) -> str:
    # A VASL board has no build file; VASL itself is a module that has one.
    if is_module(files):
        return "module"
    if is_board_archive(files):
        return "board"
    inner = [n for n in files.names if n.rpartition("/")[2] in ("buildFile.xml", METADATA)]
    packed = [n for n in files.names if n.lower().endswith(".vmod")]
    if len(inner) == 1:
        raise InputError(
            f"Cannot use {files.label}: its {inner[0]} lies in a folder inside. Use that folder, "
            "or pack its contents without the folder."
        )
    if len(packed) == 1:
        raise InputError(f"Cannot use {files.label}: use the module inside it, {packed[0]}.")
    what = "folder" if files.kind == "folder" else "zip file"
    raise InputError(
        f"Cannot use {files.label}: the {what} is neither a VASSAL module (it holds no "
        f"buildFile.xml) nor a VASL board (it holds no {METADATA})."
    )


def _open_files(
    files: ModuleFiles, board: str | None, zone: str | None, max_pixels: int, need_grid: bool
) -> Source:
    if _kind(files) == "board":
        return _open_board(files, board, max_pixels)
    return _open_module(files, board, zone, max_pixels, need_grid)


def _open_board(files: ModuleFiles, board: str | None, max_pixels: int) -> Source:
    archive = read_board_files(files)
    known = (archive.name, f"bd{archive.name}", files.label)
    if board is not None and board not in known:
        raise UsageError(f"{files.label} holds the one board {archive.name!r}, not {board!r}.")
    picture = load_picture(
        archive.image_data, f"{archive.image_name} in {files.label}", max_pixels=max_pixels
    )
    hashes = {archive.image_name: picture.sha256}
    if archive.metadata_bytes is not None:
        hashes[METADATA] = hashlib.sha256(archive.metadata_bytes).hexdigest()
    if archive.losdata_bytes is not None:
        hashes[LOSDATA] = hashlib.sha256(archive.losdata_bytes).hexdigest()
    hexes = tuple(archive.hexes(picture.size_px))
    return Source(
        path=files.path,
        kind="board",
        name=archive.name,
        picture=picture,
        layout=archive.layout,
        hexes=hexes,
        locations=MappingProxyType({name: name for _, _, name in hexes}),
        building_types=archive.building_types,
        provenance=MappingProxyType(hashes),
        warnings=archive.warnings,
        archive=archive,
    )


def _open_module(
    files: ModuleFiles, name: str | None, zone: str | None, max_pixels: int, need_grid: bool
) -> Source:
    module = read_module_files(files)
    board = module.board(name)
    if need_grid:
        board.hex_grid(zone)
    if not board.image:
        raise InputError(f"{board.where} has no picture, only a colour: nothing can be read there.")
    data = files.read(board.image)
    picture = load_picture(data, f"{board.image} in {files.label}", max_pixels=max_pixels)
    hashes = {
        board.image: picture.sha256,
        module.build_file: hashlib.sha256(files.read(module.build_file)).hexdigest(),
    }
    mine = tuple(w for w in module.warnings if not w.startswith("Board ") or board.where in w)
    source = Source(
        path=files.path,
        kind="module",
        name=board.name,
        picture=picture,
        provenance=MappingProxyType(hashes),
        warnings=mine,
        module=module,
        board=board,
    )
    if not board.hex_grids and zone is None:
        return source
    found = board_hexes(board, picture.size_px, zone)
    return Source(
        **{
            **source.__dict__,
            "layout": found.layout,
            "hexes": tuple((h.col, h.row, h.name) for h in found.hexes),
            "locations": MappingProxyType({h.name: h.location for h in found.hexes}),
            "warnings": mine + found.warnings,
        }
    )


def _open_picture(path: Path, board: str | None, max_pixels: int) -> Source:
    _check_picture(path)
    if board is not None:
        raise UsageError(
            f"{path.name} is a picture and holds no board {board!r}: leave out --board."
        )
    picture = load_picture(path, max_pixels=max_pixels)
    return Source(
        path=path,
        kind="picture",
        name=path.stem,
        picture=picture,
        provenance=MappingProxyType({path.name: picture.sha256}),
    )


def _check_picture(path: Path) -> None:
    """Refuse a file that is no picture with a message that fits what it seems to be."""
    try:
        with open_input(path, path.name) as file:
            head = file.read(4096)
    except OSError as error:
        raise InputError(f"Cannot read {path.name}: {error.strerror or error}.") from error
    if looks_like_picture(head):
        return
    suffix = path.suffix.lower()
    if suffix in (".vmod", ".vmdx", ".zip"):
        raise InputError(
            f"Cannot read {path.name}: it is no zip file, or its beginning is lost. Fetch it again."
        )
    if suffix in SUFFIXES:
        raise InputError(f"Cannot read {path.name}: it is no picture, whatever its name says.")
    raise InputError(
        f"Cannot use {path.name}: it is neither a picture nor a VASSAL module nor a VASL board."
    )
