"""Which rules are meant: a name, a rule file of somebody's package, or a YAML file.

A profile is YAML with a key ``engine``: ``pixels`` (without the key), ``hexes``
or ``measured``.  What reads the latter two is imported only when it is asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from importlib import metadata, resources
from pathlib import Path
from typing import Any, Protocol

from hexsight.los.profile import profile_from_text as pixel_rules
from hexsight.model.errors import UsageError
from hexsight.model.yamlsafe import parse_yaml, read_text

GROUP = "hexsight.rules"
ENGINES = ("pixels", "hexes", "measured")
# Names of the rules that come with hexsight, and where they lie.
BUILT_IN = {
    "asl": ("hexsight.los", "asl.yaml"),
    "musket-pike": ("hexsight.los.hexes", "musket-pike.yaml"),
    "modern-platoon": ("hexsight.los.hexes", "modern-platoon.yaml"),
    "generic": ("hexsight.los.hexes", "generic.yaml"),
    "flames": ("hexsight.los.flames", "flames.yaml"),
}


class RuleSet(Protocol):
    """What the profiles of all engines have in common."""

    @property
    def engine(self) -> str:
        """``pixels``, ``hexes`` or ``measured``."""

    @property
    def name(self) -> str:
        """Word by which it is asked for."""

    @property
    def version(self) -> int:
        """Of the rules."""

    @property
    def digest(self) -> bytes:
        """32 bytes; another one when anything in it changes."""

    @property
    def observers(self) -> tuple[str, ...]:
        """Names of the classes of observer, empty where all see alike."""


def load_rules(name: str = "asl", folder: Path | None = None) -> RuleSet:
    """The rules that a person names.

    Parameters
    ----------
    name : str
        Of built-in rules, of rules that an installed package offers (entry
        point group ``hexsight.rules``), or the path of a YAML file.
    folder : Path, optional
        What a relative path starts from; the current folder without.

    Raises
    ------
    UsageError
        If there are none, or something in them is wrong.
    InputError
        If the file cannot be read.
    """
    if name in BUILT_IN:
        return _built_in(name)
    if _is_path(name):
        path = Path(name) if folder is None else folder / name
        return _from_text(read_text(path), str(path))
    for point in metadata.entry_points(group=GROUP, name=name):
        return _from_package(point)
    offered = sorted({p.name for p in metadata.entry_points(group=GROUP)} - set(BUILT_IN))
    raise UsageError(
        f"There are no rules {name!r}. Use {', '.join([*BUILT_IN, *offered])}, or the path of a "
        "YAML file, such as ./my-game.yaml."
    )


def rule_names() -> tuple[str, ...]:
    """Names of all rules at hand: built-in ones, then those of installed packages."""
    offered = {p.name for p in metadata.entry_points(group=GROUP)} - set(BUILT_IN)
    return (*BUILT_IN, *sorted(offered))


def rules_of_digest(digest: bytes, name: str = "asl", folder: Path | None = None) -> RuleSet:
    """The built-in rules that a table was made with, or else those named."""
    named = load_rules(name, folder)
    if named.digest == digest:
        return named
    for other, (package, file) in BUILT_IN.items():
        # Rules whose part is not there, or whose text is another, need not be read.
        text = _resource(package, file)
        if text is not None and hashlib.sha256(text.encode()).digest() == digest:
            return _built_in(other)
    return named


def _is_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.lower().endswith((".yaml", ".yml"))


def _resource(package: str, file: str) -> str | None:
    try:
        found = resources.files(package) / file
    except ModuleNotFoundError:
        return None
    return found.read_text(encoding="utf-8") if found.is_file() else None


@lru_cache(maxsize=8)
def _built_in(name: str) -> RuleSet:
    package, file = BUILT_IN[name]
    text = _resource(package, file)
    if text is None:
        raise UsageError(f"The rules {name} are not part of this hexsight. Install it anew.")
    return _from_text(text, file)


def _from_text(text: str, where: str, judge: Any = None, salt: bytes = b"") -> RuleSet:
    """A profile of whatever engine its text asks for."""
    data = parse_yaml(text, where)
    engine = data.get("engine", "pixels") if isinstance(data, dict) else "pixels"
    if engine not in ENGINES:
        raise UsageError(
            f"Cannot read {where}: there is no engine {engine!r}. Use {', '.join(ENGINES)}."
        )
    if judge is not None and engine != "hexes":
        raise UsageError(
            f"Cannot read {where}: a rule file's 'judge' works with 'engine: hexes' only."
        )
    if engine == "hexes":
        from hexsight.los.hexes.profile import profile_from_text  # noqa: PLC0415 - not asl's

        return profile_from_text(text, where, judge, salt)
    if engine == "measured":
        from hexsight.los.flames.profile import (  # noqa: PLC0415 - not asl's
            profile_from_text as measured_rules,
        )

        return measured_rules(text, where)
    return pixel_rules(text, where)


def _from_package(point: metadata.EntryPoint) -> RuleSet:
    """Rules that an installed package offers: an object with PROFILE and perhaps judge.

    Raises
    ------
    UsageError
        If it cannot be imported, or has no PROFILE.
    """
    where = f"the rules {point.name} ({point.value})"
    try:
        found: Any = point.load()
        text: Any = getattr(found, "PROFILE", None)
        if not isinstance(text, str) and hasattr(text, "read_text"):
            text = text.read_text(encoding="utf-8")
        judge: Callable[..., Any] | None = getattr(found, "judge", None)
    except (Exception, SystemExit) as error:  # whatever somebody else's code raises is told
        raise UsageError(
            f"Cannot load {where}: {type(error).__name__}: {_one_line(error)}. Mend or take out "
            f"the package {_package(point)}."
        ) from error
    if not isinstance(text, str):
        raise UsageError(f"Cannot load {where}: it has no PROFILE with the text of a YAML file.")
    if judge is not None and not callable(judge):
        raise UsageError(f"Cannot load {where}: its 'judge' is no function.")
    version = f"{_package(point)} {point.dist.version if point.dist is not None else ''}"
    return _from_text(text, where, judge, b"\0" + version.encode() if judge is not None else b"")


def _package(point: metadata.EntryPoint) -> str:
    return str(point.dist.name) if point.dist is not None else point.module


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or "no more is said"
