"""``BoardMetadata.xml``: a new one, or the one of an archive with what changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

import numpy as np

from hexsight.export.buildedit import Edit, Insert, Remove, SetAttribute, edit_build_file
from hexsight.export.buildfile import BuildFile, Element, parse_build_file
from hexsight.export.vasl_grid import VaslGrid
from hexsight.model.board import Board
from hexsight.model.errors import InputError, UsageError
from hexsight.model.losdata import LosData
from hexsight.model.terrain import BAR_KINDS

METADATA = "BoardMetadata.xml"
TYPES = "buildingTypes"
TYPE = "buildingType"
# Heights of the two buildings that VASL makes of a colour that says "building" and no more.
PLAIN_HALF = 2


@dataclass(frozen=True)
class About:
    """What the metadata of a new board says besides its grid.

    Attributes
    ----------
    name : str
        Of the board; the archive is called ``bd`` and this.
    image_name : str
        Member with the picture.
    version, version_date, author : str
    """

    name: str
    image_name: str
    version: str = "1.0"
    version_date: str = ""
    author: str = ""


def building_types(board: Board, grid: VaslGrid) -> dict[str, str]:
    """Types of the buildings that VASL cannot tell from colours, by VASL's hex name.

    VASL takes every pixel of a building's colour for a single-storey house of stone or
    wood; anything else has to be named.

    Returns
    -------
    dict of str to str
        In the order of the board.
    """
    catalogue = board.catalogue
    plain = {
        catalogue.find("building", material=m, height_half=PLAIN_HALF).code
        for m in ("stone", "wood")
    }
    solid = catalogue.table(in_depiction=True) & ~catalogue.table(kind=BAR_KINDS)
    found: dict[str, str] = {}
    for index, facts in enumerate(board.hexes):
        if not facts.building or facts.name not in grid.names:
            continue
        code = facts.terrain
        if not solid[code]:
            codes = board.terrain[board.owner == index]
            codes = codes[solid[codes]]
            if not codes.size:
                continue
            code = int(np.bincount(codes).argmax())
        if code not in plain:
            found[grid.names[facts.name]] = catalogue[code].name
    return found


def new_metadata(board: Board, grid: VaslGrid, about: About) -> bytes:
    """Metadata of a new VASL board, UTF-8.

    Raises
    ------
    UsageError
        If a name holds a character that XML cannot carry.
    """
    attributes = {
        "name": about.name,
        "version": about.version,
        "versionDate": about.version_date,
        "author": about.author,
        "boardImageFileName": about.image_name,
        "hasHills": "TRUE" if (board.elevation_half > 0).any() else "FALSE",
        **grid.attributes(),
    }
    head = "\n\t".join(f"{k}={_quoted(v)}" for k, v in attributes.items())
    types = "".join(
        f"\n\t\t<{TYPE} hexName={_quoted(name)} buildingTypeName={_quoted(kind)} />"
        for name, kind in building_types(board, grid).items()
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<boardMetadata\n\t{head}\n\t>\n"
        f"\t<{TYPES}>{types}\n\t</{TYPES}>\n"
        "\t<overlaySSRules>\n\t</overlaySSRules>\n"
        "\t<colors>\n\t</colors>\n"
        "\t<colorSSRules>\n\t</colorSSRules>\n"
        "</boardMetadata>\n"
    )
    data = text.encode("utf-8")
    try:
        parse_build_file(data, METADATA)
    except InputError as error:
        raise UsageError(f"A name of board {about.name!r} cannot stand in XML: {error}") from error
    return data


def _quoted(value: str) -> str:
    return quoteattr(value, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def edited_metadata(
    data: bytes,
    where: str,
    board: Board,
    grid: VaslGrid,
    losdata: LosData,
    before: LosData | None,
) -> bytes:
    """Metadata of an archive with what the board changes, every other byte as it was.

    Parameters
    ----------
    data : bytes
        The archive's metadata.
    where : str
        Name for messages.
    board : Board
    grid : VaslGrid
        Of the archive.
    losdata : LosData
        What will be written.
    before : LosData or None
        What the archive holds.  Building types change only in hexes whose buildings
        differ from it, and ``hasHills`` only where the elevations do.

    Raises
    ------
    InputError
        If it is no well-formed XML.
    """
    document = parse_build_file(data, where)
    edits = _hills(document, losdata, before)
    edits += _types(document, board, grid, losdata, before)
    return edit_build_file(document, edits).data if edits else data


def _hills(document: BuildFile, losdata: LosData, before: LosData | None) -> list[Edit]:
    said = document.root.attributes.get("hasHills", "").strip().lower()
    same = before is not None and np.array_equal(before.elevation, losdata.elevation)
    if same or said in ("true", "on", "1", "yes") or not (losdata.elevation > 0).any():
        return []
    return [SetAttribute(document.root, "hasHills", "TRUE")]


def _types(
    document: BuildFile,
    board: Board,
    grid: VaslGrid,
    losdata: LosData,
    before: LosData | None,
) -> list[Edit]:
    touched = _touched(board, grid, losdata, before)
    if not touched:
        return []
    wanted = building_types(board, grid)
    sections = [e for e in document.children(document.root) if e.short_tag == TYPES]
    listed: dict[str, list[Element]] = {}
    for section in sections:
        for e in document.children(section):
            if e.short_tag == TYPE:
                name = e.attributes.get("hexName", "").strip().upper()
                listed.setdefault(name, []).append(e)
    edits: list[Edit] = []
    fresh: dict[str, str] = {}
    for name in touched:
        elements, kind = listed.get(name.upper(), []), wanted.get(name)
        if kind is None:
            edits += [Remove(e) for e in elements]
        elif not elements:
            fresh[name] = kind
        else:
            edits += [
                SetAttribute(e, "buildingTypeName", kind)
                for e in elements
                if e.attributes.get("buildingTypeName") != kind
            ]
    return edits + _inserts(document, sections[-1] if sections else None, fresh)


def _inserts(document: BuildFile, section: Element | None, fresh: Mapping[str, str]) -> list[Edit]:
    rows = [
        f"<{TYPE} hexName={_quoted(name)} buildingTypeName={_quoted(kind)} />"
        for name, kind in fresh.items()
    ]
    if not rows:
        return []
    if section is None:
        return [Insert(document.root, f"<{TYPES}>{''.join(rows)}</{TYPES}>")]
    return [Insert(section, row) for row in rows]


def _touched(board: Board, grid: VaslGrid, losdata: LosData, before: LosData | None) -> list[str]:
    """VASL's names of the hexes whose buildings are others than in the archive."""
    if before is None or before.terrain.shape != losdata.terrain.shape:
        return [grid.names[h.name] for h in board.hexes if h.name in grid.names]
    inside = board.catalogue.table(in_depiction=True)
    differs = before.terrain != losdata.terrain
    differs &= inside[before.terrain] | inside[losdata.terrain]
    owners = np.unique(board.owner[differs])
    hexes = [board.hexes[i].name for i in owners.tolist() if i >= 0]
    return [grid.names[name] for name in hexes if name in grid.names]
