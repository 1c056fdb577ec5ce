"""The second example of O5.43 as data: who stands where, and who of the 55 pairs see each other."""

from __future__ import annotations

SQUADS = {
    **{"A": "M15", "C": "L15", "E": "L16", "G": "M17", "H": "K18", "J": "K19", "K": "K20"},
    **{"M": "M20", "D": "M16@roof", "F": "J16@roof", "N": "K20@roof"},
}
_SEES = {"A": "C", "C": "EGH", "D": "EFHN", "E": "FGHN", "F": "GHMN", "G": "HJMN", "H": "M"}
_SEES |= {"J": "KMN", "K": "MN", "M": "N"}
CLEAR = {f"{a}-{b}" for a, others in _SEES.items() for b in others}
