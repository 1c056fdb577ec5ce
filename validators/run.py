"""Run the checks of a profile over a subject."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from hexsight.validators.accepted import apply_accepted
from hexsight.validators.crash import crash_finding
from hexsight.validators.finding import Finding, Problem, Severity
from hexsight.validators.profiles import Profile, load_profile
from hexsight.validators.registry import Check, Registry, all_checks
from hexsight.validators.report import Report
from hexsight.validators.settled import is_settled
from hexsight.validators.subject import Subject

# More findings of one check on one subject help nobody and could fill the memory.
MAX_FINDINGS = 2000
# Checks that only ask what the print means: whoever has said so is not asked again.
DOUBTS = frozenset({"terrain/in-doubt", "level/centre-on-crest"})
# Names come from strangers' files; a longer one is an attack on memory or on the reader.
MAX_TEXT = 1000


def run_checks(
    subject: Subject,
    profile: str | Profile = "default",
    *,
    only: Iterable[str] = (),
    skip: Iterable[str] = (),
    registry: Registry | None = None,
) -> Report:
    """Run checks over one subject.

    A doubt that a person has settled by a correction of the same fact at the same place,
    and what is accepted, is left out.  A check that crashes becomes a finding
    ``internal/check-crashed`` and never stops the others.

    Parameters
    ----------
    subject : Subject
    profile : str or Profile
        Name of a profile, a YAML file, or a profile.
    only, skip : iterable of str
        Ids, groups or patterns: run these instead of the profile's, leave these out.
    registry : Registry, optional
        Instead of all checks of hexsight.

    Returns
    -------
    Report

    Raises
    ------
    UsageError
        If a profile, an id or an option does not exist.
    """
    registry = all_checks() if registry is None else registry
    chosen = profile if isinstance(profile, Profile) else load_profile(profile)
    checks = chosen.chosen(registry, tuple(only), tuple(skip))
    # Wrong options are the user's mistake and must not look like a crash of the check.
    options = {c.id: chosen.options_of(c, registry) for c in checks}
    severities = {c.id: chosen.severity(c, registry) for c in checks}
    findings: list[Finding] = []
    ran: list[str] = []
    for one in checks:
        if not all(subject.has(fact) for fact in one.needs):
            continue
        ran.append(one.id)
        findings += _run_one(one, subject, severities[one.id], options[one.id])
    not_run = tuple(c.id for c in checks if c.id not in set(ran))
    left = [f for f in findings if f.id not in DOUBTS or not is_settled(f, subject.overrides)]
    found = tuple(sorted(left, key=lambda f: f.order))
    report = Report(chosen.name, found, (subject.path,), tuple(ran), not_run)
    return apply_accepted(report, subject.accepted)


def _run_one(
    one: Check, subject: Subject, severity: Severity, options: dict[str, float]
) -> list[Finding]:
    found: list[Finding] = []
    try:
        for problem in islice(one.function(subject, **options), MAX_FINDINGS + 1):
            if len(found) == MAX_FINDINGS:
                found.append(_too_many(one, subject, severity))
                break
            found.append(_finding(one, problem, subject, severity))
    except Exception as error:  # noqa: BLE001 - told as a finding; the other checks go on
        found.append(crash_finding(one, error, subject))
    # A check may come to the same place by two ways; once is enough.
    return list(dict.fromkeys(found))


def _finding(one: Check, problem: Problem, subject: Subject, severity: Severity) -> Finding:
    pixel = problem.pixel
    return Finding(
        id=one.id,
        severity=min(severity, problem.severity or severity),
        message=_clipped(" ".join(problem.message.split())),
        file=subject.path,
        board=_clipped(problem.board or subject.board_name),
        hex=_clipped(problem.hex),
        hexside=_clipped(problem.hexside),
        pixel=None if pixel is None else (round(float(pixel[0]), 1), round(float(pixel[1]), 1)),
        confidence=round(float(problem.confidence), 3),
        settle=_clipped(problem.settle),
    )


def _clipped(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + " …"


def _too_many(one: Check, subject: Subject, severity: Severity) -> Finding:
    first = _finding(
        one,
        Problem(
            f"There are more than {MAX_FINDINGS} findings of this kind; only the first are told. "
            "Is the grid or the legend of the board wrong?"
        ),
        subject,
        severity,
    )
    return replace(first, board=subject.board_name)
