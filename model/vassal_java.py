"""How the engine reads attributes and rounds: Java's rules, not Python's.

VASSAL drops a component whose number it cannot read, so a reader must accept
and refuse exactly what it does.
"""

from __future__ import annotations

import math
import re

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_DOUBLE = re.compile(r"[+-]?(NaN|Infinity|((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)[fFdD]?)\Z", re.ASCII)


def java_int(text: str) -> int:
    """``Integer.valueOf``: digits with a sign, no blanks, 32 bits.

    Raises
    ------
    ValueError
        Where Java throws a NumberFormatException.
    """
    if len(text) > 64 or not _INTEGER.match(text):
        raise ValueError(f"{text[:40]!r} is no whole number")
    value = int(text)
    if not -(2**31) <= value < 2**31:
        raise ValueError(f"{text[:40]!r} is too large for a whole number")
    return value


def java_double(text: str) -> float:
    """``Double.valueOf``: blanks around are allowed, so are NaN, Infinity and 1e9d.

    Raises
    ------
    ValueError
        Where Java throws a NumberFormatException.
    """
    stripped = text.strip()
    if len(stripped) > 400 or not _DOUBLE.match(stripped):
        raise ValueError(f"{text[:40]!r} is no number")
    if stripped.endswith(("NaN", "Infinity")):
        return float(stripped.replace("Infinity", "inf"))
    return float(stripped.rstrip("fFdD"))


def java_bool(text: str) -> bool:
    """``Boolean.valueOf``: only the word true, in any case."""
    return text.lower() == "true"


def java_round(value: float) -> int:
    """``Math.round``: halves go up, also below zero."""
    below = math.floor(value)
    return below + (value - below >= 0.5)


def polygon_contains(polygon: tuple[tuple[int, int], ...], x: float, y: float) -> bool:
    """``java.awt.Polygon.contains``: upper and left edges belong to it, others do not."""
    inside = False
    for start, end in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        (ax, ay), (bx, by) = (start, end) if start[1] <= end[1] else (end, start)
        if ay <= y < by and x < ax + (y - ay) / (by - ay) * (bx - ax):
            inside = not inside
    return inside
