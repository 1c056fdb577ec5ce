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
# What adds a Hindrance and what is only told in asl.
HINDERS = 40
HINDERS_FACTORY = 41
HINDERS_ROOFLESS = 42
HINDERS_SMOKE = 43
HINDERS_VEHICLE = 44
# Hex games: what blocks, …
HEX_BLOCKS = 60
GROUND_BLOCKS = 61
HEXSIDE_BLOCKS = 62
UNIT_BLOCKS = 63
SLOPE_STOPS = 64
DEAD_ZONE = 65
DEAD_ACROSS = 66
SMOKE_HIDES = 67
TOO_MUCH_SMOKE = 68
TOO_MANY_HINDRANCES = 69
HALF_LIMIT = 70
OUT_OF_RANGE = 71
RULE_FILE = 72
# … and what hinders, halves or is only told.
HEX_HINDERS = 80
HEXSIDE_HINDERS = 81
UNIT_HINDERS = 82
SMOKE_HALVES = 83
IN_SMOKE = 84
SMOKE_ON_WAY = 85
RULE_FILE_TELLS = 86


def blocks(code: int) -> bool:
    """Whether a code is of something that blocks a line."""
    return 0 < code < HINDERS or HEX_BLOCKS <= code < HEX_HINDERS or 100 <= code < 110


# Rules that measure: from 100 what blocks, from 110 what is only told.
MEASURED_BUILDING = 100
MEASURED_NO_OPENING = 101
MEASURED_INSIDE = 102
MEASURED_ARC = 103
MEASURED_NOT_FRONT = 104
MEASURED_TAKEN = 105
MEASURED_TANK = 106
MEASURED_STOREY = 107
MEASURED_SMOKE = 108
MEASURED_CONCEALED = 110
MEASURED_OPENING = 111
MEASURED_LOOPHOLE = 112
MEASURED_MADE = 113


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
    # Hex games have rule numbers of their own, in their profiles.
    HEX_BLOCKS: Reason("hex-blocks", "hexes", "The terrain of this hex blocks."),
    GROUND_BLOCKS: Reason("ground-blocks", "elevation", "The ground here is too high."),
    HEXSIDE_BLOCKS: Reason("hexside-blocks", "hexsides", "What is on this hexside blocks."),
    UNIT_BLOCKS: Reason("unit-blocks", "units", "What stands in this hex blocks."),
    SLOPE_STOPS: Reason("slope-stops", "slopes", "The line ends at this slope."),
    DEAD_ZONE: Reason(
        "dead-zone", "slopes", "The lower end lies in the dead zone of a steep slope."
    ),
    DEAD_ACROSS: Reason("dead-zone-across", "slopes", "A dead zone lies across the line."),
    SMOKE_HIDES: Reason("smoke-hides", "smoke", "Smoke in this hex blocks."),
    TOO_MUCH_SMOKE: Reason("too-much-smoke", "smoke", "The line passes too many smoke hexes."),
    TOO_MANY_HINDRANCES: Reason(
        "too-many-hindrances", "hindrance_limit", "Hindrances add up to the limit."
    ),
    HALF_LIMIT: Reason("half-limit", "half_limit", "Fire is halved too often."),
    OUT_OF_RANGE: Reason("out-of-range", "range_limit", "The range is too far."),
    RULE_FILE: Reason("rule-file", "rule file", "The rule file of the game blocks."),
    HEX_HINDERS: Reason("hex-hinders", "hexes", "The terrain of this hex hinders."),
    HEXSIDE_HINDERS: Reason("hexside-hinders", "hexsides", "What is on this hexside hinders."),
    UNIT_HINDERS: Reason("unit-hinders", "units", "What stands in this hex hinders."),
    SMOKE_HALVES: Reason("smoke-halves", "smoke", "Smoke in this hex halves fire."),
    IN_SMOKE: Reason("in-smoke", "smoke", "One end is in smoke, which halves fire."),
    SMOKE_ON_WAY: Reason("smoke-hinders", "smoke", "Smoke in this hex hinders."),
    RULE_FILE_TELLS: Reason("rule-file-tells", "rule file", "The rule file of the game decides."),
    MEASURED_BUILDING: Reason(
        "building", "Buildings p.108", "A building stands across every line and is not seen over."
    ),
    MEASURED_NO_OPENING: Reason(
        "no-opening", "Shooting from Buildings", "The viewer inside touches no opening."
    ),
    MEASURED_INSIDE: Reason(
        "inside", "Buildings p.108", "The target is inside a building and touches no opening."
    ),
    MEASURED_ARC: Reason(
        "wall-line",
        "Shooting from Buildings",
        "The target lies behind the line of the wall that holds the opening.",
    ),
    MEASURED_NOT_FRONT: Reason(
        "not-to-front",
        "Shooting from Buildings",
        "A gun looks only through openings to its front.",
    ),
    MEASURED_TAKEN: Reason(
        "opening-taken",
        "Shooting from Buildings",
        "Other teams take up all of the opening.",
    ),
    MEASURED_TANK: Reason(
        "tank-not-at-wall",
        "Tanks Shooting from Buildings",
        "The tank does not stand with its front against a wall that it faces.",
    ),
    MEASURED_STOREY: Reason(
        "storey", "Buildings p.108", "A floor of the building lies between the two."
    ),
    MEASURED_SMOKE: Reason(
        "smoke-limit",
        "Effect of Smoke",
        "Every line passes smoke, and the target is farther than teams see through it.",
    ),
    MEASURED_CONCEALED: Reason(
        "smoke-conceals", "Effect of Smoke p.152", "Every line passes smoke."
    ),
    MEASURED_OPENING: Reason(
        "opening", "Shooting from Buildings", "The line runs through this opening."
    ),
    MEASURED_LOOPHOLE: Reason("loophole", "Loopholes", "The line runs through this loophole."),
    MEASURED_MADE: Reason(
        "made-opening",
        "Tanks Shooting from Buildings",
        "The line runs through the opening that the tank makes.",
    ),
}
