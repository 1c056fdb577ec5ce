"""Pack drawn boards into a small VASSAL module: ``moduledata``, ``buildFile.xml``, ``images/``.

The module is complete enough to be opened and played with: one map with a
board picker, the usual map components, a LOS thread, two counters, a die.
Attribute names and defaults are those of VASSAL 3.6 and 3.7.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import Protocol

from lxml import etree
from PIL import Image, ImageDraw

from .canvas import Colour
from .draw import Sample
from .hexes import HexLayout

VASSAL_VERSION = "3.6.19"
MODULE_VERSION = "1.0"
DESCRIPTION = "Sample boards drawn by hexsight"
DATE_SAVED_MS = "1577836800000"  # fixed: a module drawn twice must be the same bytes
ZIP_DATE = (2020, 1, 1, 0, 0, 0)
SIDES: tuple[tuple[str, Colour], ...] = (("Red", (176, 58, 48)), ("Blue", (58, 86, 150)))

_BUILD = "VASSAL.build."
_MODULE = "VASSAL.build.module."
_MAP = "VASSAL.build.module.map."
_BOARD = "VASSAL.build.module.map.boardPicker."


class ModuleBoard(Protocol):
    """What a module says of a board: a `BoardSpec`, or as much of one."""

    @property
    def name(self) -> str:
        """Stem of its picture's file."""

    @property
    def title(self) -> str:
        """Its name for people."""

    @property
    def layout(self) -> HexLayout:
        """Its hexes and their names."""


def png_bytes(picture: Image.Image) -> bytes:
    """PNG of a picture, without any text or time in it."""
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _add(parent: etree._Element, tag: str, **attributes: str) -> etree._Element:
    return etree.SubElement(parent, tag, {k: attributes[k] for k in sorted(attributes)})


def grid_attributes(spec: ModuleBoard) -> dict[str, str]:
    """HexGrid attributes nearest to the drawn grid: VASSAL's offsets are whole pixels."""
    layout = spec.layout
    return {
        "color": "0,0,0",
        "cornersLegal": "false",
        "dotsVisible": "false",
        "dx": repr(layout.dx),
        "dy": repr(layout.dy),
        "edgesLegal": "false",
        "sideways": _flag(layout.sideways),
        "snapTo": "true",
        "visible": "false",
        "x0": str(round(layout.x0)),
        "y0": str(round(layout.y0)),
    }


def numbering_attributes(spec: ModuleBoard) -> dict[str, str]:
    """HexGridNumbering attributes that give the printed names."""
    n = spec.layout.numbering
    return {
        "color": "0,0,0",
        "first": n.first,
        "fontSize": "9",
        "hDescend": "false",
        "hDrawOff": "0",
        "hLeading": str(n.h_leading),
        "hOff": str(n.h_off),
        "hType": n.h_type,
        "locationFormat": "$gridLocation$",
        "rotateText": "0",
        "sep": n.sep,
        "stagger": _flag(n.stagger),
        "vDescend": "false",
        "vDrawOff": "0",
        "vLeading": str(n.v_leading),
        "vOff": str(n.v_off),
        "vType": n.v_type,
        "visible": "false",
    }


def _add_map(root: etree._Element, specs: Sequence[ModuleBoard]) -> None:
    board_map = _add(
        root,
        _MODULE + "Map",
        allowMultiple="false",
        backgroundcolor="255,255,255",
        buttonName="Map",
        changeFormat="$message$",
        color="0,0,0",
        createFormat="$pieceName$ created in $location$",
        edgeHeight="0",
        edgeWidth="0",
        hotkey="",
        icon="",
        launch="false",
        mapName="Main Map",
        markMoved="Never",
        markUnmovedIcon="/images/unmoved.gif",
        markUnmovedText="",
        markUnmovedTooltip="Mark all pieces on this map as not moved",
        moveKey="",
        moveToFormat="$pieceName$ moves $previousLocation$ - $location$",
        moveWithinFormat="$pieceName$ moves $previousLocation$ - $location$",
    )
    picker = _add(
        board_map,
        _MAP + "BoardPicker",
        addColumnText="Add column",
        addRowText="Add row",
        boardPrompt="Select board",
        slotHeight="125",
        slotScale="0.2",
        slotWidth="350",
        title="Choose Boards",
    )
    for spec in specs:
        board = _add(
            picker, _BOARD + "Board", image=f"{spec.name}.png", name=spec.title, reversible="false"
        )
        grid = _add(board, _BOARD + "board.HexGrid", **grid_attributes(spec))
        _add(grid, _BOARD + "board.mapgrid.HexGridNumbering", **numbering_attributes(spec))
    _add(
        board_map,
        _MAP + "StackMetrics",
        bottom="40,0",
        disabled="false",
        down="37,0",
        exSepX="6",
        exSepY="18",
        top="38,0",
        unexSepX="2",
        unexSepY="4",
        up="39,0",
    )
    for name in (
        "ForwardToKeyBuffer",
        "Scroller",
        "ForwardToChatter",
        "MenuDisplayer",
        "MapCenterer",
        "StackExpander",
        "PieceMover",
        "KeyBufferer",
    ):
        _add(board_map, _MAP + name)
    _add(
        board_map,
        _MAP + "LOS_Thread",
        drawRange="true",
        hideCounters="false",
        hideOpacity="0",
        hotkey="76,130",
        iconName="/images/thread.gif",
        label="LOS",
        persistence="Never",
        rangeBg="255,255,255",
        rangeFg="0,0,0",
        report="$playerId$ checked LOS from $FromLocation$ to $ToLocation$ (range $Range$)",
        round="Nearest whole number",
        scale="0",
        snapEnd="true",
        snapStart="true",
        threadColor="255,0,0",
        threadName="LOS",
        tooltip="Show LOS Thread",
    )
    _add(
        board_map,
        _MAP + "Zoomer",
        inButtonText="",
        inIconName="/images/zoomIn.gif",
        inTooltip="Zoom in",
        outButtonText="",
        outIconName="/images/zoomOut.gif",
        outTooltip="Zoom out",
        zoomLevels="0.25,0.5,0.75,1.0,1.5,2.0",
        zoomStart="4",
    )
    _add(
        board_map,
        _MAP + "CounterDetailViewer",
        delay="700",
        display="from top-most layer only",
        emptyHexReportForma="$LocationName$",
        hotkey="32,130",
        showgraph="true",
        showtext="true",
        summaryReportFormat="$LocationName$",
        version="3",
    )


def _add_pieces(root: etree._Element) -> None:
    prototypes = _add(root, _MODULE + "PrototypesContainer")
    unit = _add(prototypes, _MODULE + "PrototypeDefinition", description="", name="Unit")
    unit.text = "+/null/delete;Delete;68,130;\tpiece;;;;/\tnull;0;0;;0"
    window = _add(
        root,
        _MODULE + "PieceWindow",
        defaultWidth="0",
        hidden="false",
        hotkey="",
        icon="",
        scale="1.0",
        text="Pieces",
        tooltip="Show or hide the pieces",
    )
    pieces = _add(window, "VASSAL.build.widget.ListWidget", entryName="Units")
    for number, (side, _) in enumerate(SIDES, start=1):
        slot = _add(
            pieces,
            "VASSAL.build.widget.PieceSlot",
            entryName=f"{side} squad",
            gpid=str(number),
            height="40",
            width="40",
        )
        image = f"{side.lower()}-squad.png"
        slot.text = f"+/null/prototype;Unit\tpiece;;;{image};{side} squad/\tnull;0;0;{number};0"


def build_file(name: str, specs: Sequence[ModuleBoard], *, description: str = DESCRIPTION) -> bytes:
    """``buildFile.xml`` of a module with these boards, UTF-8."""
    root = etree.Element(
        _BUILD + "GameModule",
        {
            "ModuleOther1": "",
            "ModuleOther2": "",
            "VassalVersion": VASSAL_VERSION,
            "description": description,
            "name": name,
            "nextPieceSlotId": str(len(SIDES) + 1),
            "version": MODULE_VERSION,
        },
    )
    _add(root, _MODULE + "BasicCommandEncoder")
    _add(root, _MODULE + "Documentation")
    roster = _add(
        root,
        _MODULE + "PlayerRoster",
        buttonIcon="",
        buttonKeyStroke="",
        buttonText="Retire",
        buttonToolTip="Switch sides or become an observer",
    )
    for side, _ in SIDES:
        etree.SubElement(roster, "entry").text = side
    _add(
        root,
        _MODULE + "GlobalOptions",
        autoReport="Always",
        centerOnMove="Use Preferences Setting",
        nonOwnerUnmaskable="Never",
        playerIdFormat="$PlayerName$",
        promptString="Opponents can unmask my pieces",
    )
    _add_map(root, specs)
    _add(root, _MODULE + "properties.GlobalProperties")
    _add(root, _MODULE + "properties.GlobalTranslatableMessages")
    _add_pieces(root)
    _add(root, _MODULE + "Chatter")
    _add(root, _MODULE + "KeyNamer")
    _add(
        root,
        _MODULE + "DiceButton",
        addToTotal="0",
        hotkey="",
        icon="/images/die.gif",
        nDice="2",
        nSides="6",
        name="2d6",
        plus="0",
        prompt="false",
        reportFormat="** $name$ = $result$ *** <$PlayerName$>",
        reportTotal="false",
        text="2d6",
        tooltip="Roll two dice",
    )
    etree.indent(root, "    ")
    return bytes(
        etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=False) + b"\n"
    )


def module_data(name: str, *, description: str = DESCRIPTION) -> bytes:
    """``moduledata`` of a module, UTF-8."""
    root = etree.Element("data", {"version": "1"})
    for tag, text in (
        ("version", MODULE_VERSION),
        ("extra1", None),
        ("extra2", None),
        ("VassalVersion", VASSAL_VERSION),
        ("dateSaved", DATE_SAVED_MS),
        ("description", description),
        ("name", name),
    ):
        etree.SubElement(root, tag).text = text
    etree.indent(root, "  ")
    return bytes(
        etree.tostring(root, encoding="UTF-8", xml_declaration=True, standalone=False) + b"\n"
    )


def _counter(colour: Colour) -> bytes:
    picture = Image.new("RGB", (40, 40), colour)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 39, 39), outline=(20, 20, 20))
    draw.rectangle((8, 12, 31, 27), fill=(236, 230, 214), outline=(20, 20, 20))
    draw.line((8, 12, 31, 27), fill=(20, 20, 20))
    draw.line((8, 27, 31, 12), fill=(20, 20, 20))
    return png_bytes(picture)


def module_members(samples: Sequence[Sample]) -> dict[str, bytes]:
    """Members of the module that holds these boards, by path, in the order of the zip."""
    specs = [sample.spec for sample in samples]
    pictures = [png_bytes(Image.fromarray(sample.picture)) for sample in samples]
    return members_of(specs[0].title, specs, pictures)


def members_of(
    name: str,
    boards: Sequence[ModuleBoard],
    pictures: Sequence[bytes],
    *,
    description: str = DESCRIPTION,
) -> dict[str, bytes]:
    """Members of a module with these boards and their PNG pictures, in the order of the zip."""
    members = {
        "moduledata": module_data(name, description=description),
        "buildFile.xml": build_file(name, boards, description=description),
    }
    for board, picture in zip(boards, pictures, strict=True):
        members[f"images/{board.name}.png"] = picture
    for side, colour in SIDES:
        members[f"images/{side.lower()}-squad.png"] = _counter(colour)
    return members


def zip_members(members: dict[str, bytes]) -> bytes:
    """Zip of the members with a fixed time and order; pictures are stored as they are."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path, data in members.items():
            info = zipfile.ZipInfo(path, ZIP_DATE)
            info.external_attr = 0o644 << 16
            info.create_system = 3  # or the zip would tell on which system it was made
            info.compress_type = (
                zipfile.ZIP_STORED if path.endswith(".png") else zipfile.ZIP_DEFLATED
            )
            archive.writestr(info, data)
    return out.getvalue()
