"""What a player reads: one short sentence for an answer."""

from __future__ import annotations

CLEAR = "clear"
HINDERED = "clear, hindered by "
BLOCKED = "blocked"
# By word of the rule set's reasons, which are never changed; `{}` is the place.
_BLOCKED_BY = {
    "higher": "by higher terrain in {}",
    "no-advantage": "by the terrain in {}: no height advantage",
    "blind": "by the terrain in {}: Blind Hex",
    "ground-higher": "by higher ground in {}",
    "ground-no-advantage": "by the ground in {}: no height advantage",
    "crest-blind": "by the Crest in {}: Blind Hex",
    "wall": "by the wall or hedge {}",
    "bar-across": "by the wall {}",
    "bar-along": "by the wall {}",
    "bar-vertex": "by the wall at the corner {}",
    "bar-blind": "by the wall {}: Blind Hex",
    "same-building": "by its own building at {}",
    "leaves-factory": "by the Factory's outer wall in {}",
    "second-roofed": "beyond the first roofed hex, {}",
    "through-roof": "by the roof of {}",
    "depression": "by the edge of the depression at {}",
    "cellar": "by a wall before the cellar at {}",
    "under-bridge": "by the roadway of the bridge in {}",
    "cliff-blind": "by the cliff in {}: Blind Hex",
    "depression-vertex": "by the Crest Line at {}",
    "hex-blocks": "by the terrain of {}",
    "ground-blocks": "by the ground in {}",
    "hexside-blocks": "by what is on {}",
    "slope-stops": "by the slope {}",
    "dead-zone": "because {} lies in a dead zone",
    "dead-zone-across": "by a dead zone before {}",
}
_NO_PLACE = {
    "hindrance-limit": "by Hindrances of six or more",
    "same-hex": "because no stairs join these levels",
    "too-many-hindrances": "by Hindrances that reach the limit",
    "out-of-range": "because it is too far",
    "rule-file": "by a rule of the game",
}


def saying(blocked: bool, hindrance: int, reason: str, text: str, place: str) -> str:
    """Sentence for one answer, such as ``blocked by the wall K16-L15``.

    Parameters
    ----------
    blocked : bool
    hindrance : int
        Of a line that is not blocked.
    reason : str
        Word of the reason that blocks, as the table's registry has it; empty for none.
    text : str
        Its sentence, used for a reason without a phrase of its own.
    place : str
        Hex, hexside or vertex that blocks; empty if no single one does.

    Notes
    -----
    It begins with ``clear`` or ``blocked``; nothing else does.
    """
    if not blocked:
        return f"{HINDERED}{hindrance}" if hindrance else CLEAR
    if reason in _NO_PLACE:
        return f"{BLOCKED} {_NO_PLACE[reason]}"
    if place and reason in _BLOCKED_BY:
        return f"{BLOCKED} {_BLOCKED_BY[reason].format(place)}"
    why = text.rstrip(".")
    if not why:
        return f"{BLOCKED} at {place}" if place else BLOCKED
    return f"{BLOCKED}: {why[0].lower()}{why[1:]}" + (f" ({place})" if place else "")
