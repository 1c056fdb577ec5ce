"""Components of a build file that ask the table: LOS thread, stack viewer, marker prototype.

All are of VASSAL's own classes and serialised as its editor does it, so that no
Java has to be shipped and the module maker can go on editing.  They are known
again by their names, which survive that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from hexsight.export.stock_expressions import (
    ANSWER,
    BOARD_CHOICE,
    FROM,
    LEVEL,
    LEVEL_CHOICE,
    PREFIX,
    message,
    own_key,
    piece_expression,
    thread_expression,
    viewer_expression,
)
from hexsight.export.stock_messages import Messages

MODULE = "VASSAL.build.module."
MESSAGES = MODULE + "properties.GlobalTranslatableMessages"
MESSAGE = MODULE + "properties.GlobalTranslatableMessage"
PROPERTIES = MODULE + "properties.GlobalProperties"
PROPERTY = MODULE + "properties.GlobalProperty"
PROTOTYPES = MODULE + "PrototypesContainer"
PROTOTYPE = MODULE + "PrototypeDefinition"
THREAD = MODULE + "map.LOS_Thread"
VIEWER = MODULE + "map.CounterDetailViewer"
PALETTE = MODULE + "PieceWindow"
COMPANION = "hexsight.companion.LosThread"
MARKER_NAME = "hexsight LOS marker"
PALETTE_NAME = "hexsight LOS"
THREAD_NAME = "hexsight LOS"
VIEWER_NAME = "hexsight LOS from the marked hex"
# Parent of what stands in the module itself.
ROOT = "module"
MARKER_MEMBER = "images/hexsight-los-marker.svg"
MARKER_PICTURE = b"""\
<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 48 48">
<circle cx="24" cy="24" r="20" fill="none" stroke="#000000" stroke-width="7"/>
<circle cx="24" cy="24" r="20" fill="none" stroke="#ffd400" stroke-width="4"/>
<path d="M10 24 Q24 10 38 24 Q24 38 10 24 Z" fill="#ffffff" stroke="#000000" stroke-width="2"/>
<circle cx="24" cy="24" r="6" fill="#000000"/>
</svg>
"""
# How VASSAL writes a named key command that it has not given a key code yet.
_NAMED_KEY = "63743,0,"


@dataclass(frozen=True)
class Component:
    """An element to be put into a build file.

    Attributes
    ----------
    parent : str
        Class of the container in the module, ``map:NAME``, or ``module`` itself.
    tag : str
        Class of the element.
    key : str
        Attribute by which it is known again.
    name : str
        Its value.
    xml : str
    """

    parent: str
    tag: str
    key: str
    name: str
    xml: str


def components(
    found: Messages, names: Mapping[str, Sequence[str]], level: str, *, palette: bool = True
) -> list[Component]:
    """Everything that an export puts into a build file, in order.

    Parameters
    ----------
    found : Messages
    names : mapping of str to sequence of str
        By map, the boards with a table.
    level : str
        Property of pieces that says on which level they stand.
    palette : bool
        Whether to offer the marker in a palette of its own; it needs the member
        `MARKER_MEMBER`.
    """
    out = [_message(name, text) for name, text in found.items]
    out.append(_property(FROM, "Location from which line of sight is shown", "", ""))
    levels = tuple(dict.fromkeys(n for here in found.levels.values() for n in here))
    if len(levels) > 1:
        out.append(
            _property(
                LEVEL_CHOICE,
                "Level from which the LOS thread looks",
                "0",
                _button("LOS level", "Level from which the LOS thread looks", levels),
            )
        )
    choices = [n for m, board in found.thread.items() if not board for n in names[m]]
    if choices:
        offered = ["", *dict.fromkeys(choices)]
        button = _button("LOS board", "Board on which the LOS thread lies", offered)
        out.append(_property(BOARD_CHOICE, "Board on which the LOS thread lies", "", button))
    out.append(_marker(level, levels))
    if palette:
        out.append(_palette())
    for map_name, here in found.levels.items():
        out.append(_thread(map_name, thread_expression(map_name, found.thread[map_name], here)))
        out.append(_viewer(map_name, viewer_expression(map_name, here)))
    return out


def element(tag: str, attributes: Mapping[str, str], content: str = "") -> str:
    """An element as VASSAL writes it: attributes in the order of the alphabet."""
    said = "".join(f" {k}={quoteattr(v, _ESCAPES)}" for k, v in sorted(attributes.items()))
    return f"<{tag}{said}>{content}</{tag}>" if content else f"<{tag}{said}/>"


_ESCAPES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;", '"': "&quot;"}


def sequence(parts: Sequence[str], delimiter: str) -> str:
    """VASSAL's way to put texts into one: the delimiter inside a text gets a backslash."""
    out = []
    for part in parts:
        text = part.replace(delimiter, "\\" + delimiter)
        quoted = part.endswith("\\") or (part.startswith("'") and part.endswith("'"))
        out.append(f"'{text}'" if quoted else text)
    return delimiter.join(out)


def _message(name: str, text: str) -> Component:
    xml = element(MESSAGE, {"description": "", "initialValue": text, "name": name})
    return Component(MESSAGES, MESSAGE, "name", name, xml)


def _property(name: str, description: str, value: str, button: str) -> Component:
    attributes = {
        "description": description,
        "initialValue": value,
        "isNumeric": "false",
        "max": "null",
        "min": "null",
        "name": name,
        "wrap": "false",
    }
    return Component(PROPERTIES, PROPERTY, "name", name, element(PROPERTY, attributes, button))


def _button(text: str, tooltip: str, values: Sequence[str]) -> str:
    changer = sequence(["E", tooltip, sequence(values, ",")], ",")
    return element(
        MODULE + "properties.ChangePropertyButton",
        {
            "canDisable": "false",
            "desc": "hexsight",
            "disabledIcon": "",
            "hideWhenDisabled": "false",
            "hotkey": "",
            "icon": "",
            "propChanger": changer,
            "propertyGate": "",
            "reportFormat": "",
            "text": text,
            "tooltip": tooltip,
        },
    )


def _marker(level: str, levels: Sequence[str]) -> Component:
    """Prototype: say from where to look, know and report the line to the own hex."""
    mark, ask = _NAMED_KEY + "hexsightMark", _NAMED_KEY + "hexsightAsk"
    report = _NAMED_KEY + "hexsightReport"
    key = f"{{{own_key(level)}}}"
    traits = [
        _setter("setprop", FROM, [("Look for LOS from here", mark, key)])
        + ";"
        + sequence(["LOS: mark the Location", "Current Zone/Current Map/Module", ""], ";"),
        "calcProp;" + sequence([ANSWER, piece_expression(level), "LOS from the marked hex"], ";"),
        "macro;"
        + sequence(
            ["LOS: report", "Report LOS from the marked hex", ask, "", "", sequence([report], ",")]
            + ["false", "", "", "counted", "", "", "", "false", "", "1", "1"],
            ";",
        ),
        "report;"
        + sequence(
            [sequence([report], ","), f'{{"LOS "+{message(chr(34) + ANSWER + chr(34))}}}']
            + ["", "", "LOS: report", "false"],
            ";",
        ),
    ]
    states = ["", "", "", "-1"]
    if level == LEVEL:
        # Innermost, so that all others see it.
        commands = [
            (f"LOS level: {n}", f"{_NAMED_KEY}hexsightLevel{n}", n)
            for n in levels
            if len(levels) > 1
        ]
        traits.append(_setter("PROP", LEVEL, commands) + ";LOS: level of this piece")
        states.append("0")
    traits.append("piece;;;;")
    states.append("null;0;0;;0")
    definition = sequence(["+", "null", _nested(traits), _nested(states)], "/")
    attributes = {"description": "", "name": MARKER_NAME}
    xml = element(PROTOTYPE, attributes, escape(definition))
    return Component(PROTOTYPES, PROTOTYPE, "name", MARKER_NAME, xml)


def _palette() -> Component:
    """A palette with one marker, so that nobody has to make a piece of the prototype."""
    traits = [f"prototype;{MARKER_NAME}", f"piece;;;{MARKER_MEMBER[7:]};LOS marker"]
    definition = sequence(["+", "null", _nested(traits), _nested(["", "null;0;0;;0"])], "/")
    # An empty gpid is one that VASSAL's editor has not given yet.
    slot = {"entryName": "LOS marker", "gpid": "", "height": "48", "width": "48"}
    attributes = {
        "defaultWidth": "0",
        "hidden": "false",
        "hotkey": "",
        "icon": "",
        "name": PALETTE_NAME,
        "scale": "1.0",
        "text": "LOS marker",
        "tooltip": "Marker from which line of sight is shown",
    }
    xml = element(
        PALETTE, attributes, element("VASSAL.build.widget.PieceSlot", slot, escape(definition))
    )
    return Component(ROOT, PALETTE, "name", PALETTE_NAME, xml)


def _setter(kind: str, name: str, commands: Sequence[tuple[str, str, str]]) -> str:
    """A trait that sets a property: menu text, key and new value of each command."""
    encoded = [
        sequence([menu, key, sequence(["P", value], ",")], ":") for menu, key, value in commands
    ]
    constraints = sequence(["false", "0", "100", "false"], ",")
    return f"{kind};" + sequence([name, constraints, sequence(encoded, ",")], ";")


def _nested(parts: Sequence[str]) -> str:
    """Traits one in another, the last one innermost."""
    *outer, inner = parts
    for part in reversed(outer):
        inner = sequence([part, inner], "\t")
    return inner


def _thread(map_name: str, report: str) -> Component:
    attributes = {
        "drawRange": "true",
        "global": "Never",
        "hideCounters": "false",
        "hideOpacity": "0",
        "hotkey": "",
        "iconName": "/images/thread.gif",
        "label": "LOS",
        "persistence": "Never",
        "persistentIconName": "",
        "rangeBg": "0,0,0",
        "rangeFg": "255,255,255",
        "report": report,
        "round": "Nearest whole number",
        "scale": "0",
        "snapEnd": "true",
        "snapStart": "true",
        "threadColor": "255,0,0",
        "threadName": THREAD_NAME,
        "tooltip": "Line of sight, with the reason",
    }
    return Component(
        f"map:{map_name}", THREAD, "threadName", THREAD_NAME, element(THREAD, attributes)
    )


def _viewer(map_name: str, shown: str) -> Component:
    """Shows text below the mouse, so that the module's own viewer has its place above.

    It lists no layer: pieces do not matter, the hovered hex does.
    """
    attributes = {
        "bgColor": "255,255,224",
        "borderWidth": "0",
        "counterReportFormat": "",
        "delay": "400",
        "description": VIEWER_NAME,
        "display": "from listed layers only",
        "emptyHexReportForma": shown,
        "fgColor": "0,0,0",
        "fontSize": "12",
        "graphicsZoom": "1.0",
        "hotkey": "32,130",
        "layerList": "hexsight-none",
        "minDisplayPieces": "0",
        "propertyFilter": "",
        "showDeck": "false",
        "showMoveSelectde": "false",
        "showNoStack": "false",
        "showNonMovable": "false",
        "showgraph": "false",
        "showgraphsingle": "false",
        "showtext": "true",
        "showtextsingle": "false",
        "summaryReportFormat": shown,
        "unrotatePieces": "false",
        "version": "3",
        "verticalTopText": "-40",
        "zoomlevel": "1.0",
    }
    return Component(
        f"map:{map_name}", VIEWER, "description", VIEWER_NAME, element(VIEWER, attributes)
    )


def members_of(parts: Sequence[Component]) -> dict[str, bytes]:
    """Members that the components need in the zip."""
    return {MARKER_MEMBER: MARKER_PICTURE} if any(p.tag == PALETTE for p in parts) else {}


def is_ours(tag: str, attributes: Mapping[str, str]) -> bool:
    """Whether an element of a build file was put there by an export."""
    name = attributes.get("name", "")
    if tag == MESSAGE:
        return name.startswith(PREFIX)
    if tag == PROPERTY:
        return name in (FROM, LEVEL_CHOICE, BOARD_CHOICE)
    if tag == PROTOTYPE:
        return name == MARKER_NAME
    if tag == PALETTE:
        return name == PALETTE_NAME
    if tag == COMPANION:
        return True
    if tag == THREAD:
        return attributes.get("threadName") == THREAD_NAME
    return tag == VIEWER and attributes.get("description") == VIEWER_NAME
