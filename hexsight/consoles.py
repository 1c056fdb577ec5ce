"""Consoles that cannot show every sign: nothing breaks off, and JSON stays exact.

A console of Windows may speak cp1252 or cp437, a terminal of a server plain ASCII; board
names, ``½`` and ``→`` are not in all of them.
"""

from __future__ import annotations

import codecs
import io
from typing import TextIO

# Read aloud the same: "1½" becomes "1 1/2".
_PLAIN = {
    "½": " 1/2",
    "→": "->",
    "…": "...",
    "–": "-",
    "—": "-",
    "×": "x",
    "·": "-",
    "≥": ">=",
    "≤": "<=",
    "°": " deg",
    "’": "'",
    "“": '"',
    "”": '"',
}


def _in_words(error: UnicodeError) -> tuple[str, int]:
    """Signs that the console lacks, as near as it can come."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(_PLAIN.get(c, "?") for c in text), error.end


def _in_json(error: UnicodeError) -> tuple[str, int]:
    """The same as JSON writes them: outside of strings it has none of them."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (text[i : i + 2].hex() for i in range(0, len(text), 2))
    return "".join(rf"\u{pair}" for pair in pairs), error.end


codecs.register_error("hexsight-words", _in_words)
codecs.register_error("hexsight-json", _in_json)


def prepare(stream: TextIO, *, json: bool = False) -> None:
    """Make a stream take every sign, as its encoding allows.

    Parameters
    ----------
    stream : text stream
        stdout or stderr. What is no stream of the system stays as it is. UTF-8 has every sign;
        there only file names that are no text are at stake.
    json : bool
        JSON goes out there: in ASCII with escapes, which every reader of JSON takes for the
        same, whatever encoding a pipe has.
    """
    if not isinstance(stream, io.TextIOWrapper):
        return
    if codecs.lookup(stream.encoding).name.startswith("utf"):
        stream.reconfigure(errors="hexsight-json" if json else "backslashreplace")
    elif json:
        stream.reconfigure(encoding="ascii", errors="hexsight-json")
    else:
        stream.reconfigure(errors="hexsight-words")
