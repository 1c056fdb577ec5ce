"""What the codes of rule functions mean: number of the rule and one sentence.

Codes are stored in tables: a number is never used for something else.
"""

from __future__ import annotations

from dataclasses import dataclass

CLEAR = 0
HIGHER = 1
ADVANTAGE = 2
BLIND = 3
GROUND_HIGHER = 4
GROUND_ADVANTAGE = 5
CREST_BLIND = 6
WALL = 7
BAR_ACROSS = 8
BAR_ALONG = 9
BAR_VERTEX = 10
BAR_BLIND = 11
HINDRANCE_LIMIT = 12
SAME_BUILDING = 13
LEAVES_FACTORY = 14
SECOND_ROOFED = 15
THROUGH_ROOF = 16
DEPRESSION = 17
CELLAR = 18
SAME_HEX = 19
UNDER_BRIDGE = 20
CLIFF_BLIND = 21
DEPRESSION_SPINE = 22
# What adds a Hindrance and what is only told: above all codes that block.
HINDERS = 40
HINDERS_FACTORY = 41
HINDERS_ROOFLESS = 42
HINDERS_SMOKE = 43
HINDERS_VEHICLE = 44


@dataclass(frozen=True)
class Reason:
    """A code's meaning.

    Attributes
    ----------
    code : str
        Word for programs; never changed.
    rule : str
        Number in the rule book.
    text : str
        One sentence for people.
    """

    code: str
    rule: str
    text: str


REASONS: dict[int, Reason] = {
    HIGHER: Reason("higher", "A6.2", "Terrain here is higher than both ends."),
    ADVANTAGE: Reason(
        "no-advantage", "A6.2", "The higher end has no height advantage over this terrain."
    ),
    BLIND: Reason("blind", "A6.4", "The lower end lies in a Blind Hex behind this terrain."),
    GROUND_HIGHER: Reason("ground-higher", "A6.2", "The ground here is higher than both ends."),
    GROUND_ADVANTAGE: Reason(
        "ground-no-advantage", "B10.2", "The ground here is as high as the higher end."
    ),
    CREST_BLIND: Reason(
        "crest-blind", "B10.23", "The lower end lies in a Blind Hex below a Crest."
    ),
    WALL: Reason("wall", "B9.2", "A wall or hedge that neither end adjoins lies across."),
    BAR_ACROSS: Reason("bar-across", "O5.31", "An interior wall lies across."),
    BAR_ALONG: Reason("bar-along", "O5.31", "An interior wall lies along this hexside."),
    BAR_VERTEX: Reason("bar-vertex", "O5.31", "An interior wall reaches this vertex."),
    BAR_BLIND: Reason("bar-blind", "A6.4", "The lower end lies in a Blind Hex behind this wall."),
    HINDRANCE_LIMIT: Reason("hindrance-limit", "A6.7", "Hindrances add up to six or more."),
    SAME_BUILDING: Reason(
        "same-building",
        "A6.8",
        "A line to another level must leave the building before it leaves the hex.",
    ),
    LEAVES_FACTORY: Reason(
        "leaves-factory", "O5.31", "The line passes a Factory's outer wall in a hex between."
    ),
    SECOND_ROOFED: Reason(
        "second-roofed",
        "O5.43",
        "From above no ground Location is seen beyond the first roofed one entered.",
    ),
    THROUGH_ROOF: Reason("through-roof", "O5.43", "The line would pass through the roof."),
    DEPRESSION: Reason(
        "depression",
        "A6.3",
        "The line leaves the depression where range exceeds the difference in height.",
    ),
    CELLAR: Reason("cellar", "O6.3", "A cellar does not see over a wall, or be seen over one."),
    SAME_HEX: Reason("same-hex", "A6.8", "No stairs join these levels of the hex."),
    UNDER_BRIDGE: Reason("under-bridge", "B6.2", "The roadway hides what is below the bridge."),
    CLIFF_BLIND: Reason(
        "cliff-blind", "B11.21", "The lower end lies in a Blind Hex below a cliff."
    ),
    DEPRESSION_SPINE: Reason(
        "depression-vertex", "B19.51", "The line crosses a Crest Line at a vertex of a depression."
    ),
    HINDERS: Reason("hinders", "A6.7", "This hex hinders."),
    HINDERS_FACTORY: Reason("hinders-factory", "O5.41", "A Factory hex hinders by 1."),
    HINDERS_ROOFLESS: Reason(
        "hinders-roofless", "O5.41", "A Roofless Factory Hex hinders by 2: Factory and debris."
    ),
    HINDERS_SMOKE: Reason("hinders-smoke", "A24.2", "SMOKE in this hex hinders."),
    HINDERS_VEHICLE: Reason(
        "hinders-vehicle", "D9.4", "A vehicle or wreck on the level of both ends hinders."
    ),
}
