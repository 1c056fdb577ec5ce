"""Which member of a module or archive a picture's name means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def picture_names(image: str) -> tuple[str, ...]:
    """Members that VASSAL would take for an ``image`` attribute, first the likeliest.

    Pictures lie below ``images/``; old modules leave out ``.gif``.
    """
    bare = image.removeprefix("images/")
    return (f"images/{bare}", f"images/{bare}.gif", bare)


def other_case(names: Iterable[str], members: Iterable[str]) -> str | None:
    """Member that differs from one of the names in capital letters alone."""
    folded = {m.casefold(): m for m in members}
    exact = set(members)
    for name in names:
        found = folded.get(name.casefold())
        if found is not None and name not in exact:
            return found
    return None


def nearest(name: str, members: Iterable[str]) -> str:
    """`` Did you mean …?`` with the member most like a name, or nothing."""
    last = {m.rpartition("/")[2]: m for m in members}
    close = difflib.get_close_matches(name.rpartition("/")[2], list(last)[:5000], n=1, cutoff=0.6)
    return f" Did you mean {last[close[0]]}?" if close else ""
