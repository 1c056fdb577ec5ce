"""The register of all checks, and the decorator that enters one.

An id is never reused: a check that is renamed keeps its old id as an alias.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from types import MappingProxyType

from hexsight.model.errors import UsageError
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.subject import FACTS

GROUPS = (
    "module",
    "picture",
    "grid",
    "numbering",
    "terrain",
    "building",
    "wall",
    "level",
    "los",
    "vasl",
    "security",
    "internal",
)
_ID = re.compile(r"([a-z]+)/[a-z0-9]+(-[a-z0-9]+)*\Z")
CheckFunction = Callable[..., Iterable[Problem]]


@dataclass(frozen=True)
class Check:
    """A check with all that its documentation says.

    Attributes
    ----------
    id : str
        ``group/what-it-finds``; never reused.
    severity : Severity
        Of its findings, unless a profile or a single finding says otherwise.
    needs : tuple of str
        Attributes of the subject without which it has nothing to look at.
    title, what, why, example, how_to_mend : str
        Texts under the fixed headings of its page.
    function : callable
        ``function(subject, **options)``, yields `Problem`.
    options : mapping
        Name of an option to its text; its default stands in the signature.
    aliases : tuple of str
        Ids that it had before.
    """

    id: str
    severity: Severity
    needs: tuple[str, ...]
    title: str
    what: str
    why: str
    example: str
    how_to_mend: str
    function: CheckFunction
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    aliases: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """First part of the id."""
        return self.id.partition("/")[0]

    @property
    def defaults(self) -> dict[str, float]:
        """Values of the options."""
        found = inspect.signature(self.function).parameters
        return {name: found[name].default for name in self.options}


class Registry:
    """Checks by id."""

    def __init__(self, checks: Iterable[Check] = ()) -> None:
        self._checks: dict[str, Check] = {}
        self._aliases: dict[str, str] = {}
        for one in checks:
            self.add(one)

    def add(self, new: Check) -> None:
        """Enter a check.

        Raises
        ------
        ValueError
            If its id is taken or badly formed, a text is missing, or its
            options do not fit its function.
        """
        for name in (new.id, *new.aliases):
            match = _ID.match(name)
            if match is None or match.group(1) not in GROUPS:
                raise ValueError(f"{name!r} is no check id: write group/words-with-dashes")
            if name in self._checks or name in self._aliases:
                raise ValueError(f"the check id {name} is taken; ids are never reused")
        if unknown := set(new.needs) - set(FACTS):
            raise ValueError(f"{new.id} needs {sorted(unknown)}, which no subject has")
        texts = (new.title, new.what, new.why, new.example, new.how_to_mend)
        if not all(text.strip() for text in texts):
            raise ValueError(f"{new.id} lacks a text: title, what, why, example and how_to_mend")
        parameters = list(inspect.signature(new.function).parameters.values())
        takes = {p.name for p in parameters[1:] if isinstance(p.default, int | float)}
        if takes != set(new.options):
            raise ValueError(f"the options of {new.id} are not those of its function")
        self._checks[new.id] = new
        self._aliases.update(dict.fromkeys(new.aliases, new.id))

    def __len__(self) -> int:
        return len(self._checks)

    @property
    def checks(self) -> tuple[Check, ...]:
        """All checks, by group and id."""
        return tuple(sorted(self._checks.values(), key=_place))

    def get(self, name: str) -> Check:
        """Check of an id, or of one that it had before.

        Raises
        ------
        UsageError
            If there is none; names the nearest.
        """
        found = self._checks.get(self._aliases.get(name, name))
        if found is None:
            near = difflib.get_close_matches(name, [*self._checks, *self._aliases], n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(f"There is no check {name!r}.{hint}")
        return found

    def matching(self, patterns: Sequence[str]) -> frozenset[str]:
        """Ids that fit any of the patterns: an id, an old id, a group, or ``wall/*``.

        Raises
        ------
        UsageError
            If a pattern fits nothing.
        """
        found: set[str] = set()
        for written in patterns:
            pattern = f"{written}/*" if written in GROUPS else written
            if not set(pattern) & set("*?["):
                found.add(self.get(pattern).id)
                continue
            hits = {i for i in self._checks if fnmatchcase(i, pattern)}
            if not hits:
                raise UsageError(f"No check fits {pattern!r}. Groups: {', '.join(GROUPS[:-1])}.")
            found |= hits
        return frozenset(found)


def _place(one: Check) -> tuple[int, str]:
    return GROUPS.index(one.group), one.id


_ENTERED: list[Check] = []


def check(
    *,
    id: str,
    severity: Severity,
    needs: tuple[str, ...],
    title: str,
    what: str,
    why: str,
    example: str,
    how_to_mend: str,
    options: Mapping[str, str] | None = None,
    aliases: tuple[str, ...] = (),
) -> Callable[[CheckFunction], Check]:
    """Enter a function into the register as a check; parameters as `Check`."""

    def enter(function: CheckFunction) -> Check:
        new = Check(
            id=id,
            severity=severity,
            needs=needs,
            title=_tidy(title),
            what=_tidy(what),
            why=_tidy(why),
            example=_tidy(example),
            how_to_mend=_tidy(how_to_mend),
            function=function,
            options=MappingProxyType({k: _tidy(v) for k, v in (options or {}).items()}),
            aliases=aliases,
        )
        _ENTERED.append(new)
        return new

    return enter


def _tidy(text: str) -> str:
    """One paragraph on one line."""
    return " ".join(text.split())


@cache
def all_checks() -> Registry:
    """The register with every check of `hexsight.validators.checks`.

    Examples
    --------
    >>> all_checks().get("building/split").severity.label
    'note'
    """
    package = importlib.import_module("hexsight.validators.checks")
    crash = importlib.import_module("hexsight.validators.crash")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    # Tests and other programs may enter checks of their own; those are not hexsight's.
    own = (c for c in _ENTERED if c.function.__module__.startswith(f"{package.__name__}."))
    return Registry((*own, crash.CRASHED))
