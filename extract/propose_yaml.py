"""Writing a proposal as a legend file that a person completes."""

from __future__ import annotations

import yaml

from hexsight.extract.legend import DEFAULT_SPREAD, PRINT
from hexsight.extract.propose import LegendProposal, ProposedClass

_MOST_SHARE = 8.0  # what the largest class weighs; the others follow
_LEAST_SHARE = 0.2
_FLAT, _GRAINED = 4.0, 12.0
OPEN = "Open Ground"

_HEAD = """\
# Proposed legend for {name}: what the colours of the map mean.
#
# Each class below has a number; swatches.png shows it with places on the map. Go through them:
#   terrain   write the right one. "{unknown}" marks classes whose terrain is a guess or left as
#             Open Ground. `print` is for what hides no terrain: ink, paper, symbols, craters
#   colours   red, green, blue 0-255. Two classes of one terrain may stay apart or be joined
#   boxes     [x, y, width, height] on the map, instead of colours or beside them: their colours
#             are learnt. Places that show the class are named above it
#   ramps     pairs of colours, all between them belongs to the class (shaded roofs)
#   half      ground elevation in half-levels, where the colour of open ground tells it
#   share     how much of the map it covers, relative to the others
#   spread    how far colours may be off, in CIELAB units
# A class may be deleted: its pixels then go to the class that is nearest.
# Terrain names are those of the catalogue, such as Open Ground, Stone Building, Wooden Building,
# Stone Rubble, Wooden Rubble, Debris, Woods, Brush, Orchard, Grain, Marsh, Water, Gully, Dirt Road,
# Paved Road, "Railroad, Ground Level", Wall, Hedge, Cliff, Crags, Graveyard, Shellholes.
"""


def quoted(text: str) -> str:
    """A text as a YAML scalar on one line, whatever is in it."""
    dumped = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=10**9)
    return str(dumped).strip()


def remark(text: str) -> str:
    """A text that may stand in a comment: on one line."""
    return "".join(c if c.isprintable() else "?" for c in text)


def legend_yaml(proposal: LegendProposal, name: str) -> str:
    """Text of a legend file that `hexsight.extract.legend.load_legend` reads.

    Parameters
    ----------
    proposal : LegendProposal
    name : str
        Of the map.
    """
    largest = max((c.share for c in proposal.classes), default=1.0)
    parts = [_HEAD.format(name=remark(name), unknown="unknown-N")]
    parts.append(f"name: {quoted(name)}\nclasses:\n")
    ground_named = False
    for c in proposal.classes:
        terrain = written_terrain(c)
        half = None
        if terrain == OPEN and c.guess.sure and not ground_named:
            half, ground_named = 0, True
        parts.append(_entry(c, terrain, _MOST_SHARE * c.share / largest, half))
    return "".join(parts)


def written_terrain(c: ProposedClass) -> str:
    """The guess, or open ground where it is hardly one."""
    return c.guess.terrain if c.guess.likely else OPEN


def texture_word(contrast: float) -> str:
    """How a texture looks, in a word."""
    if contrast < _FLAT:
        return "flat"
    return "grained" if contrast < _GRAINED else "strongly shaded"


def _entry(c: ProposedClass, terrain: str, share: float, half: int | None) -> str:
    told = f"{c.guess.terrain} {c.guess.confidence:.2f}"
    hint = told if c.guess.sure else f"unknown, perhaps {told}"
    lines = [
        f"  # {c.number}: {100 * c.share:.1f} % of the map, {texture_word(c.contrast)}, "
        f"about {c.width_hex:.1f} hexes wide; {hint}",
    ]
    if c.boxes:
        lines.append(f"  #    seen at {', '.join(str(list(b)) for b in c.boxes)}")
    simple = all(part.isalpha() for part in terrain.split(" "))
    lines.append(f"  - terrain: {terrain if simple else quoted(terrain)}")
    if not c.guess.sure:
        lines.append(f"    name: unknown-{c.number}")
    elif terrain == PRINT:
        lines.append(f"    name: {quoted(c.guess.name)}")
    if half is not None:
        lines.append(f"    half: {half}")
    elif terrain == OPEN and c.guess.sure and c.guess.half:
        lines.append(f"    # half: {c.guess.half}  # if this colour stands for another elevation")
    lines.append(f"    share: {max(_LEAST_SHARE, round(share, 1)):g}")
    if c.spread > DEFAULT_SPREAD:
        lines.append(f"    spread: {c.spread:g}")
    lines.append(f"    colours: [{', '.join(str(list(rgb)) for rgb, _ in c.colours)}]")
    return "\n".join(lines) + "\n"
