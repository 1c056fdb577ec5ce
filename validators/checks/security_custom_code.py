"""Check security/custom-code."""

from __future__ import annotations

from collections.abc import Iterator

from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject


@check(
    id="security/custom-code",
    severity=Severity.NOTE,
    needs=("module",),
    title="The module brings Java classes of its own",
    what="""Members of the module are compiled Java classes, which VASSAL runs with
        all rights of the player.""",
    why="""Many good modules do so, but it is code of a stranger. It also ties the
        module to versions of VASSAL and Java: the module manager refuses classes that
        use what has been removed.""",
    example="""The module holds 14 classes, such as
        vasl/build/module/ASLMap.class.""",
    how_to_mend="""Take modules with classes from people whom you trust.""",
)
def custom_code(subject: Subject) -> Iterator[Problem]:
    module = subject.module
    assert module is not None
    found = [m for m in module.members if m.endswith(".class")]
    if found:
        yield Problem(
            f"The module holds {len(found)} Java class{'es' if len(found) > 1 else ''} of its own, "
            f"such as {found[0]}, which VASSAL runs. Take it only from people whom you trust."
        )
