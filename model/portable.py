"""Names for files that every system takes."""

from __future__ import annotations

import re

# To Windows these are devices, with any ending and in any letters: CON.png opens the console.
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?=\.|$)", re.I)


def portable(name: str) -> str:
    """A name as it is, or with an underscore where Windows would take it for a device.

    Parameters
    ----------
    name : str
        Of a file or folder, without the way to it, made of signs that all systems take.

    Examples
    --------
    >>> portable("con.png"), portable("console"), portable("Main. ")
    ('con_.png', 'console', 'Main')
    """
    plain = name.rstrip(". ")  # Windows drops them, and finds another file
    return _DEVICE.sub(r"\1_", plain, count=1) if _DEVICE.match(plain) else plain
