"""The BeanShell expressions that look an answer up, and the layout of what they read.

VASSAL allows no assignment in an expression, so every value that is needed
twice is written out twice.  Its parser looks ahead through the arguments of
each call before it reads them, at a cost that multiplies with every call inside
a call: expressions are therefore long and flat, with at most five calls inside
one another, and levels are lined up, not nested.

Only `GetString` reads messages: `GetProperty` and bare variables turn digits
into numbers.  Names that VASSAL hands to a LOS thread or stack viewer
(`FromLocation`, `LocationName`, `CurrentBoard`) can be had as bare variables
only, and no method may be called on those: they are put into strings.
"""

from __future__ import annotations

PREFIX = "hexsight."
AT = PREFIX + "at."
ROW = PREFIX + "row."
SAY = PREFIX + "say."
# Properties: the key of the marked Location, level and answer of a marker, what a thread goes by.
FROM = "hexsight_From"
LEVEL = "hexsight_Level"
BOARD_CHOICE = "hexsight_ThreadBoard"
LEVEL_CHOICE = "hexsight_ThreadLevel"
ANSWER = "hexsight_LOS"
# Fields of an "at" message: marker of its tile, offset in the tile, number of its
# row, number of its board, width of a code, then the label for people.
TILE, OFFSET, ROW_NUMBER, BOARD, WIDTH, LABEL = 0, 3, 8, 13, 15, 16
MARK = "~"
BEYOND = "farther than the table reaches"
_SAFE = frozenset(map(chr, range(32, 127))) - set('"\\{}$')


def literal(text: str) -> str:
    """A BeanShell string literal in plain ASCII, without braces or ``$``."""
    out = []
    for char in text:
        if char in _SAFE:
            out.append(char)
            continue
        units = char.encode("utf-16-be")
        out += [f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2)]
    # A quote or backslash as \uXXXX would be undone before the literal is read.
    text = "".join(out).replace("\\u0022", '\\"').replace("\\u005c", "\\\\")
    return f'"{text}"'


def message(name: str) -> str:
    """Text of a message or property; `name` is an expression of a string."""
    return f"GetString({name})"


def place(key: str) -> str:
    """The "at" message of a key (an expression); empty where there is no such Location."""
    return message(f'"{AT}"+{key}')


def _part(at: str, start: int, end: int) -> str:
    return f"{at}.substring({start},{end})"


def _row(at: str) -> str:
    return message(f'"{ROW}"+{_part(at, ROW_NUMBER, BOARD)}')


def _found(a: str, b: str) -> str:
    """Where b's tile begins in the row of a; −1 if it is not there."""
    return f"{_row(a)}.indexOf({_part(b, TILE, OFFSET)})"


def _pick(a: str, b: str) -> str:
    offset = f"Integer.parseInt({_part(b, OFFSET, ROW_NUMBER)})"
    width = f"Integer.parseInt({_part(a, WIDTH, LABEL)})"
    code = f"{_row(a)}.substring({_found(a, b)}+{OFFSET}+{offset}).substring(0,{width})"
    return message(f'"{SAY}"+{_part(a, BOARD, WIDTH)}+{code}')


def answer(a: str, b: str) -> str:
    """What there is to say between two places, each the expression of an "at" message.

    A pair stands in one of the two rows only.
    """
    return f'({_found(a, b)}>=0?{_pick(a, b)}:{_found(b, a)}>=0?{_pick(b, a)}:"{BEYOND}")'


def label(at: str) -> str:
    """Name of a place for people."""
    return f"{at}.substring({LABEL})"


def known(at: str) -> str:
    """Whether there is such a place."""
    return f"{at}.length()>0"


def marked() -> str:
    """Place of the Location that was marked."""
    return place(message(f'"{FROM}"'))


def _told(start: str, ends: list[str]) -> str:
    """``K15 → L16: clear; level 1: blocked by …`` for every level that the hex has."""
    first, *others = ends
    out = f'{label(start)}+" \\u2192 "+{label(first)}+": "+{answer(start, first)}'
    for end in others:
        out += f'+({known(end)}?"; "+{label(end)}+": "+{answer(start, end)}:"")'
    return out


def viewer_expression(map_name: str, levels: tuple[str, ...]) -> str:
    """What a stack viewer shows for the hovered hex; empty with nothing marked or no hex there."""
    start = marked()
    ends = [
        place(f'{literal(map_name + "|")}+CurrentBoard+"/"+LocationName+{literal("@" + n)}')
        for n in levels
    ]
    nothing = f'"no line of sight is known from "+{message(chr(34) + FROM + chr(34))}'
    return (
        f'{{{message(chr(34) + FROM + chr(34))}.length()==0?"":{ends[0]}.length()==0?"":'
        f"{start}.length()==0?{nothing}:{_told(start, ends)}}}"
    )


def thread_expression(map_name: str, board: str, levels: tuple[str, ...]) -> str:
    """What a LOS thread reports in the chat.

    `board` is the only one that it can lie on; if empty, the one that the
    property `BOARD_CHOICE` names, or any if the names of hexes tell it.
    """
    choice = message(f'"{BOARD_CHOICE}"')
    before = f"{literal(map_name + '|' + board + '/')}" if board else ""
    before = before or f'{literal(map_name + "|")}+{choice}+"/"'
    level = f'"@"+{message(chr(34) + LEVEL_CHOICE + chr(34))}' if len(levels) > 1 else '"@0"'
    start = place(f"{before}+FromLocation+{level}")
    ends = [place(f"{before}+ToLocation+{literal('@' + n)}") for n in levels]
    lost = '"LOS "+FromLocation+" \\u2192 "+ToLocation+": not in the table"'
    if len(levels) > 1:
        lost += "+" + literal(" from this level (button LOS level)")
    if not board:
        lost += "+" + literal(", or on several boards (button LOS board)")
    on = "" if board else f'+({choice}.length()>0?"on "+{choice}+": ":"")'
    return (
        f"{{{start}.length()==0||{ends[0]}.length()==0?{lost}:"
        f'"LOS "{on}+{_told(start, ends)}+" (range "+Range+")"}}'
    )


def own_key(level: str) -> str:
    """Key of the Location of a piece, whose level the property `level` names; blank is ground."""
    said = message(literal(level))
    here = "+".join(
        [
            message('"CurrentMap"'),
            '"|"',
            message('"CurrentBoard"'),
            '"/"',
            message('"LocationName"'),
        ]
    )
    return f'{here}+"@"+({said}.length()==0?"0":{said})'


def piece_expression(level: str) -> str:
    """What a piece knows of the line from the marked Location to its own."""
    start, end = marked(), place(own_key(level))
    return f'{{{known(start)}&&{known(end)}?{_told(start, [end])}:"no line of sight is known"}}'
