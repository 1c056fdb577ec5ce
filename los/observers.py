"""Classes of observer by their names."""

from __future__ import annotations

from hexsight.model.errors import UsageError


def find_observer(rules: str, observers: tuple[str, ...], name: str | None) -> str:
    """A class of observer by its name, the first of them for None.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    if name is None:
        return observers[0]
    wanted = name.strip().casefold()
    if wanted not in observers:
        raise UsageError(
            f"The rules {rules} have no class of observer {name!r}. Use {', '.join(observers)}."
        )
    return wanted
