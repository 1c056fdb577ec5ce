"""VASL board archives: metadata, picture, LOSData; zip files or folders.

Boards since VASL 6 carry ``BoardMetadata.xml``.  Older ones have a text file
``data`` with a version and perhaps the place of hex A1, a file ``colors``, and
a picture; those are read as far as they say something.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from hexsight.extract.archive import ModuleFiles, near_miss, open_source
from hexsight.extract.boardarchive_sections import (
    METADATA,
    BoardColour,
    Sections,
    SpecialHexside,
    SsrOverlay,
    read_building_types,
    read_colours,
    read_hexsides,
    read_overlays,
    read_sections,
)
from hexsight.extract.xmlsafe import MAX_XML_BYTES, attributes, local_name, parse_xml
from hexsight.model.errors import InputError
from hexsight.model.layout import Layout
from hexsight.model.losdata import LosData, read_losdata
from hexsight.model.vassal_vasl import (
    STANDARD_A1,
    STANDARD_HEX_HEIGHT,
    STANDARD_HEX_WIDTH,
    VaslNaming,
)

LOSDATA = "LOSData"
MAX_HEXES = 4096
MAX_HEXES_IN_ALL = 1_000_000
_DECIMAL = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*\Z")
_TRUE = ("true", "on", "1", "yes")


@dataclass(frozen=True)
class BoardArchive:
    """What a board archive says.

    Attributes
    ----------
    path : Path
        The archive or folder.
    name, version, version_date, author : str
        As in the metadata; the name falls back to that of the file.
    image_name : str
        Member with the picture.
    image_data : bytes
        The picture's bytes.
    naming : VaslNaming
        Geometry and names.
    size_hexes : (int, int) or None
        Width and height in hexes; None where an old board does not say.
    has_hills : bool
        Whether the makers set elevations apart from ground level.
    hex_grid_config : str
        As in the metadata, often empty.
    building_types : mapping
        Hex name to terrain name, as the makers set them by hand.
    slopes, embankments, partial_orchards : tuple of SpecialHexside
        Hexside terrain that no picture shows.
    colours : tuple of BoardColour
        The board's own colours.
    overlays : tuple of SsrOverlay
        Scenario overlays with their place.
    losdata_bytes : bytes or None
        The LOSData member.
    metadata_bytes : bytes or None
        The metadata member, kept whole so that a writer can change one thing.
    attributes : mapping
        All attributes of the metadata's root.
    sections : mapping
        Every section of the metadata as it stands: name to tuple of
        (element, attributes) of all elements below it.
    legacy : bool
        True without ``BoardMetadata.xml``.
    warnings : tuple of str
        What was odd but could be passed over.
    """

    path: Path
    name: str
    version: str
    version_date: str
    author: str
    image_name: str
    image_data: bytes = field(repr=False)
    naming: VaslNaming
    size_hexes: tuple[int, int] | None
    has_hills: bool
    hex_grid_config: str
    building_types: Mapping[str, str]
    slopes: tuple[SpecialHexside, ...]
    embankments: tuple[SpecialHexside, ...]
    partial_orchards: tuple[SpecialHexside, ...]
    colours: tuple[BoardColour, ...]
    overlays: tuple[SsrOverlay, ...]
    losdata_bytes: bytes | None = field(repr=False)
    metadata_bytes: bytes | None = field(repr=False)
    attributes: Mapping[str, str] = field(repr=False)
    sections: Sections = field(repr=False)
    legacy: bool
    warnings: tuple[str, ...]

    @property
    def layout(self) -> Layout:
        """Nominal layout, up to two pixels beside the printed lines."""
        return self.naming.layout()

    def hexes(self, size_px: tuple[int, int]) -> list[tuple[int, int, str]]:
        """(col, row, name) of every hex, column by column, given the size of the picture.

        Raises
        ------
        InputError
            If the metadata asks for more hexes than a picture could show.
        """
        width, height = self.size_hexes or (
            size_px[0] / self.naming.hex_width,
            size_px[1] / self.naming.hex_height,
        )
        if width * height > MAX_HEXES_IN_ALL:
            raise InputError(
                f"Cannot read {METADATA} in {self.path.name}: {width:.0f} × {height:.0f} hexes are "
                f"over the limit of {MAX_HEXES_IN_ALL}."
            )
        equal = "equalrowcount" in self.hex_grid_config.lower()
        return self.naming.hexes(self.size_hexes, size_px, equal_rows=equal)

    def stairways(self, losdata: LosData, size_px: tuple[int, int]) -> frozenset[str]:
        """Names of the hexes that LOSData marks with a stairway."""
        columns: dict[int, list[str]] = {}
        for col, _, name in self.hexes(size_px):
            columns.setdefault(col, []).append(name)
        by_place = [columns[col] for col in sorted(columns)]
        return frozenset(
            by_place[col][place]
            for col, place in losdata.stairway_hexes
            if col < len(by_place) and place < len(by_place[col])
        )

    def losdata(self) -> LosData | None:
        """Decoded LOSData, or None where the archive has none."""
        if self.losdata_bytes is None:
            return None
        return read_losdata(self.losdata_bytes, f"{LOSDATA} in {self.path.name}")


def is_board_archive(files: ModuleFiles) -> bool:
    """Whether an open zip or folder is a VASL board rather than a module."""
    if files.has(METADATA) or files.has(LOSDATA):
        return True
    return files.has("data") and bool(_pictures(files))


def read_board_archive(path: str | os.PathLike[str]) -> BoardArchive:
    """Read a VASL board, packed or unpacked.

    Raises
    ------
    InputError
        If the archive, its metadata or its picture cannot be read.
    """
    with open_source(path) as files:
        return read_board_files(files)


def read_board_files(files: ModuleFiles) -> BoardArchive:
    """Read a VASL board from an open zip or folder; raises as `read_board_archive`."""
    label = files.label
    warnings: list[str] = []
    metadata = files.read(METADATA, max_bytes=MAX_XML_BYTES) if files.has(METADATA) else None
    if metadata is None:
        attrs, sections = _legacy_attributes(files, warnings), {}
    else:
        root = parse_xml(metadata, f"{METADATA} in {label}")
        if local_name(root) != "boardMetadata":
            raise InputError(
                f"Cannot read {METADATA} in {label}: its root is <{local_name(root)}>, not "
                "<boardMetadata>."
            )
        attrs, sections = attributes(root), read_sections(root)
    numbers = _Numbers(attrs, f"{METADATA if metadata else 'data'} in {label}")
    image = _image_name(files, attrs, warnings)
    size = None
    if metadata is not None:
        size = (numbers.whole("width", 1, MAX_HEXES), numbers.whole("height", 1, MAX_HEXES))
    a1x, a1y = STANDARD_A1
    naming = VaslNaming(
        numbers.decimal("hexWidth", STANDARD_HEX_WIDTH, 4.0),
        numbers.decimal("hexHeight", STANDARD_HEX_HEIGHT, 4.0),
        numbers.decimal("A1CenterX", a1x),
        numbers.decimal("A1CenterY", a1y),
        attrs.get("altHexGrain", "").strip().lower() in _TRUE,
    )
    fallback = re.sub(r"\Abd", "", Path(label).stem if files.kind == "zip" else label)
    return BoardArchive(
        path=files.path,
        name=attrs.get("name", "") or fallback,
        version=attrs.get("version", ""),
        version_date=attrs.get("versionDate", ""),
        author=attrs.get("author", ""),
        image_name=image,
        image_data=files.read(image),
        naming=naming,
        size_hexes=size,
        has_hills=attrs.get("hasHills", "").strip().lower() in _TRUE,
        hex_grid_config=attrs.get("HexGridConfig", "").strip(),
        building_types=MappingProxyType(read_building_types(sections)),
        slopes=read_hexsides(sections, "slopes", label),
        embankments=read_hexsides(sections, "rrembankments", label),
        partial_orchards=read_hexsides(sections, "partialorchards", label),
        colours=read_colours(sections, warnings),
        overlays=read_overlays(sections, warnings),
        losdata_bytes=files.read(LOSDATA) if files.has(LOSDATA) else None,
        metadata_bytes=metadata,
        attributes=MappingProxyType(attrs),
        sections=MappingProxyType(sections),
        legacy=metadata is None,
        warnings=tuple(warnings),
    )


@dataclass(frozen=True)
class _Numbers:
    """Numbers of the metadata, checked."""

    attrs: Mapping[str, str]
    where: str

    def whole(self, key: str, low: int, high: int) -> int:
        text = self.attrs.get(key, "")
        if not re.fullmatch(r"\s*\d{1,9}\s*", text) or not low <= int(text) <= high:
            raise InputError(
                f"Cannot read {self.where}: {key}={text[:40]!r} is no number from {low} to {high}."
            )
        return int(text)

    def decimal(self, key: str, default: float, low: float = -1e6) -> float:
        text = self.attrs.get(key)
        if text is None:
            return default
        value = float(text) if _DECIMAL.match(text) else math.nan
        if not low <= value <= 1e6:
            raise InputError(
                f"Cannot read {self.where}: {key}={text[:40]!r} is no usable number of pixels."
            )
        return value


def _legacy_attributes(files: ModuleFiles, warnings: list[str]) -> dict[str, str]:
    """Metadata from the text file of boards before VASL 6: ``key value`` by line."""
    if not files.has("data"):
        raise InputError(
            f"Cannot read {files.label} as a VASL board: it holds neither {METADATA} nor data."
        )
    names = {
        "version": "version",
        "x0": "A1CenterX",
        "y0": "A1CenterY",
        "dx": "hexWidth",
        "dy": "hexHeight",
        "althexgrain": "altHexGrain",
    }
    found: dict[str, str] = {}
    text = files.read("data", max_bytes=65536).decode("latin-1")
    for line in text.splitlines():
        key, _, value = line.strip().partition(" ")
        if key.lower() in names and value.strip():
            found[names[key.lower()]] = value.strip()
    warnings.append(
        f"{files.label} has no {METADATA}: its size in hexes is taken from the picture."
    )
    return found


def _pictures(files: ModuleFiles) -> list[str]:
    suffixes = (".gif", ".png", ".jpg", ".jpeg", ".bmp")
    return [n for n in files.names if "/" not in n and n.lower().endswith(suffixes)]


def _image_name(files: ModuleFiles, attrs: Mapping[str, str], warnings: list[str]) -> str:
    """Member with the board's picture: as named, else the one called like the archive."""
    named = attrs.get("boardImageFileName", "").strip()
    if named and files.has(named):
        return named
    pictures = _pictures(files)
    stem = Path(files.label).stem.lower()
    alike = [n for n in pictures if Path(n).stem.lower() == stem]
    if not alike and len(pictures) == 1:
        alike = pictures
    if not alike:
        hint = near_miss(named, pictures) if named else ""
        raise InputError(
            f"Cannot find the picture {named or stem + '.gif'} of the board in {files.label}.{hint}"
        )
    if named:
        warnings.append(
            f"{METADATA} in {files.label} names the picture {named}, which is not there: "
            f"{alike[0]} is used."
        )
    return alike[0]
