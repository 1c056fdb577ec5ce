"""The register: ids, aliases, texts, options; and that its order does not matter."""

from __future__ import annotations

import ast
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hexsight.validators.checks as package
from hexsight.model.errors import UsageError
from hexsight.validators import (
    Check,
    Problem,
    Registry,
    Severity,
    Subject,
    all_checks,
    check,
    load_profile,
    profile_names,
    run_checks,
    to_json,
)

FOLDER = Path(package.__file__).parent


def make(
    check_id: str = "wall/of-test",
    *problems: Problem,
    severity: Severity = Severity.WARN,
    aliases: tuple[str, ...] = (),
    needs: tuple[str, ...] = (),
) -> Check:
    """A check that finds what it is told to find."""

    @check(
        id=check_id,
        severity=severity,
        needs=needs,
        title="A test",
        what="What.",
        why="Why.",
        example="Example.",
        how_to_mend="Mend.",
        aliases=aliases,
    )
    def found(subject: Subject) -> Iterator[Problem]:
        yield from problems

    return found


def test_one_check_a_file_named_like_its_id() -> None:
    files = {m.name for m in pkgutil.iter_modules(package.__path__)}
    ids = {c.id for c in all_checks().checks if c.group != "internal"}
    assert files == {i.replace("/", "_").replace("-", "_") for i in ids}


def test_validators_import_nothing_but_the_model() -> None:
    for file in FOLDER.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                if name.startswith("hexsight"):
                    assert name.startswith(("hexsight.model", "hexsight.validators")), file


def test_tests_do_not_slip_into_the_register() -> None:
    make("wall/of-a-test-alone")
    all_checks.cache_clear()
    with pytest.raises(UsageError):
        all_checks().get("wall/of-a-test-alone")


@pytest.mark.parametrize("bad", ["Wall/x", "wall/", "wall", "walls/x", "wall/x_y", "wall/x/y"])
def test_badly_formed_ids_are_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="no check id"):
        Registry([make(bad)])


def test_ids_are_never_reused_not_even_old_ones() -> None:
    registry = Registry([make("wall/new-name", aliases=("wall/old-name",))])
    with pytest.raises(ValueError, match="never reused"):
        registry.add(make("wall/old-name"))
    with pytest.raises(ValueError, match="never reused"):
        registry.add(make("wall/third", aliases=("wall/new-name",)))


def test_a_renamed_check_answers_to_its_earlier_id() -> None:
    registry = Registry([make("wall/new-name", aliases=("wall/old-name",))])
    assert registry.get("wall/old-name").id == "wall/new-name"
    assert registry.matching(["wall/old-name"]) == {"wall/new-name"}


def test_unknown_needs_and_missing_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="no subject has"):
        Registry([make(needs=("weather",))])
    one = make()
    with pytest.raises(ValueError, match="lacks a text"):
        Registry([Check(**{**one.__dict__, "why": " "})])


def test_options_must_be_those_of_the_function() -> None:
    one = make()
    with pytest.raises(ValueError, match="options"):
        Registry([Check(**{**one.__dict__, "options": {"share": "of something"}})])


def test_unknown_ids_name_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"Did you mean wall/outside-building\?"):
        all_checks().get("wall/outside-buildings")
    with pytest.raises(UsageError, match="No check fits"):
        all_checks().matching(["wall/zz*"])


def test_groups_and_patterns_choose_checks() -> None:
    registry = all_checks()
    assert registry.matching(["wall"]) == registry.matching(["wall/*"])
    assert len(registry.matching(["wall"])) >= 4
    assert registry.matching([]) == frozenset()


def test_every_profile_that_comes_along_names_only_checks_that_exist() -> None:
    for name in profile_names():
        profile = load_profile(name)
        assert profile.chosen(all_checks()), name
        assert profile.about
        for one in all_checks().checks:
            assert profile.severity(one, all_checks()) in Severity
            assert set(profile.options_of(one, all_checks())) == set(one.options)


def _problems() -> st.SearchStrategy[list[Problem]]:
    return st.lists(
        st.builds(
            Problem,
            message=st.sampled_from(["One. Mend it.", "Two. Mend it."]),
            hex=st.sampled_from(["", "A2", "A10", "AA1", "-B3"]),
            pixel=st.one_of(
                st.none(), st.tuples(st.sampled_from([1.0, 20.0]), st.sampled_from([3.0, 4.0]))
            ),
            confidence=st.sampled_from([0.5, 1.0]),
        ),
        max_size=4,
    )


@given(
    st.lists(st.tuples(st.sampled_from(list(Severity)[:3]), _problems()), min_size=1, max_size=5),
    st.randoms(use_true_random=False),
)
def test_report_does_not_depend_on_the_order_of_registration(
    parts: list[tuple[Severity, list[Problem]]], random: object
) -> None:
    checks = [
        make(f"wall/number-{n}", *problems, severity=severity)
        for n, (severity, problems) in enumerate(parts)
    ]
    shuffled = list(checks)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    reports = [
        run_checks(Subject("x"), load_profile("strict"), registry=Registry(some))
        for some in (checks, shuffled)
    ]
    assert to_json(reports[0]) == to_json(reports[1])
    severities = [f.severity for f in reports[0].findings]
    assert severities == sorted(severities, reverse=True)
