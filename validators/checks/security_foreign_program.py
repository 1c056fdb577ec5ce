"""Check security/foreign-program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

PROGRAMS = frozenset(
    {".exe", ".dll", ".so", ".dylib", ".bat", ".cmd", ".ps1", ".sh", ".jar", ".scr", ".msi", ".vbs"}
)


@check(
    id="security/foreign-program",
    severity=Severity.WARN,
    needs=("module",),
    title="The module holds a program that VASSAL never runs",
    what="""Members of the module are programs or scripts for an operating system,
        or Java archives.""",
    why="""VASSAL runs Java classes of a module and nothing else. A program that
        lies beside them came there by mistake, or is meant to be started by a player
        who unpacks the module.""",
    example="""The module holds tools/setup.exe.""",
    how_to_mend="""Take it out. If you did not make the module, do not start
        it.""",
)
def foreign_program(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    found = [m for m in module.members if PurePosixPath(m).suffix.lower() in PROGRAMS]
    if found:
        yield Problem(
            f"The module holds {len(found)} program{'s' if len(found) > 1 else ''} that VASSAL "
            f"never runs: {', '.join(found[:4])}{' …' if len(found) > 4 else ''}. Do not start "
            f"{'them' if len(found) > 1 else 'it'}; take {'them' if len(found) > 1 else 'it'} out."
        )
