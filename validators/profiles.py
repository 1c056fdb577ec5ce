"""Profiles: which checks run and how strict they are, as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hexsight.model.errors import UsageError
from hexsight.model.yamlsafe import load_yaml, parse_yaml
from hexsight.validators.finding import Severity
from hexsight.validators.registry import Check, Registry


class Profile(BaseModel):
    """One profile; keys as explained in ``profiles.yaml``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = ""
    about: str = ""
    include: list[str] = Field(min_length=1)
    exclude: list[str] = []
    severities: dict[str, Literal["note", "warn", "fail"]] = {}
    options: dict[str, dict[str, float]] = {}

    def chosen(
        self, registry: Registry, only: tuple[str, ...] = (), skip: tuple[str, ...] = ()
    ) -> tuple[Check, ...]:
        """Checks to run, by group and id.

        Parameters
        ----------
        registry : Registry
        only : tuple of str
            Patterns that replace the profile's own choice.
        skip : tuple of str
            Patterns of checks that do not run in any case.

        Raises
        ------
        UsageError
            If an id or pattern names no check.
        """
        wanted = registry.matching(only) if only else self._included(registry)
        unwanted = registry.matching(skip)
        return tuple(
            c
            for c in registry.checks
            if c.id in wanted and c.id not in unwanted and c.group != "internal"
        )

    def _included(self, registry: Registry) -> frozenset[str]:
        return registry.matching(self.include) - registry.matching(self.exclude)

    def severity(self, check: Check, registry: Registry) -> Severity:
        """Severity of a check's findings under this profile."""
        for name, label in self.severities.items():
            if registry.get(name).id == check.id:
                return Severity.of(label)
        return check.severity

    def options_of(self, check: Check, registry: Registry) -> dict[str, float]:
        """Options to call a check with: its defaults and what the profile sets.

        Raises
        ------
        UsageError
            If the profile sets an option that the check does not have.
        """
        values = check.defaults
        for name, wanted in self.options.items():
            if registry.get(name).id != check.id:
                continue
            for key, value in wanted.items():
                if key not in values:
                    known = ", ".join(values) or "none"
                    raise UsageError(
                        f"profile {self.name}: {check.id} has no option {key!r} (known: {known})."
                    )
                values[key] = value
        return values


@cache
def _built_in() -> Mapping[str, Profile]:
    file = resources.files("hexsight.validators") / "profiles.yaml"
    return _parse(parse_yaml(file.read_text(encoding="utf-8"), file.name), file.name)


def profile_names() -> tuple[str, ...]:
    """Names of the profiles that come with hexsight."""
    return tuple(_built_in())


def load_profile(name: str) -> Profile:
    """Profile of a name, or from a YAML file.

    A file holds one profile (``include:`` and so on at its top) or, like
    ``profiles.yaml``, several under ``profiles:``, of which the first counts.

    Raises
    ------
    UsageError
        If there is none of that name, or the file says something wrong.
    InputError
        If the file cannot be read.
    """
    if name in _built_in():
        return _built_in()[name]
    path = Path(name)
    if path.suffix.lower() not in (".yaml", ".yml"):
        known = ", ".join(_built_in())
        raise UsageError(f"There is no profile {name!r}. Known: {known}; or name a .yaml file.")
    content = load_yaml(path)
    if isinstance(content, dict) and "profiles" not in content:
        content = {"profiles": {path.stem: content}}
    return next(iter(_parse(content, str(path)).values()))


def _parse(content: object, where: str) -> Mapping[str, Profile]:
    found = content.get("profiles") if isinstance(content, dict) else None
    if not isinstance(found, dict) or not found:
        raise UsageError(f"Cannot read {where}: it needs at least the line 'include: [...]'.")
    out = {}
    for name, value in found.items():
        if not isinstance(value, dict):
            raise UsageError(f"Cannot read {where}: profile {name!r} must hold keys.")
        try:
            out[str(name)] = Profile(**{"name": str(name), **value})
        except (ValidationError, TypeError) as error:
            reason = _reason(error)
            raise UsageError(f"Cannot read {where}: profile {name!r}: {reason}.") from error
    return out


def _reason(error: ValidationError | TypeError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(p) for p in first['loc'])}: {first['msg']}"
    return "its keys must be words"
