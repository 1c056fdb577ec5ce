"""Running, crashing, choosing, merging and telling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from test_validator_registry import make
from validator_goods import (
    archive,
    board_view,
    grid_attributes,
    module,
    numbering_attributes,
)

from hexsight.model.errors import UsageError
from hexsight.validators import (
    Finding,
    HexGridView,
    Problem,
    Registry,
    Severity,
    Subject,
    check,
    load_profile,
    merge_reports,
    report_data,
    run_checks,
    summary,
    to_json,
    to_text,
    worst,
)
from hexsight.validators.finding import natural
from hexsight.validators.run import MAX_FINDINGS

SUBJECT = Subject("maps/town.vmod")


def registry_with_a_crash() -> Registry:
    """One check that breaks off after its first finding, between two that do not."""

    @check(
        id="wall/broken",
        severity=Severity.NOTE,
        needs=(),
        title="Breaks",
        what="What.",
        why="Why.",
        example="Example.",
        how_to_mend="Mend.",
    )
    def broken(subject: Subject) -> Iterator[Problem]:
        yield Problem("Found before. Mend it.")
        raise ZeroDivisionError("of\nsomething")

    return Registry(
        [make("wall/a", Problem("A. Mend it.")), broken, make("wall/z", Problem("Z. Mend it."))]
    )


def run(registry: Registry, subject: Subject = SUBJECT, **options: object) -> tuple[Finding, ...]:
    """Findings under the strict profile."""
    return run_checks(subject, "strict", registry=registry, **options).findings  # type: ignore[arg-type]


def test_a_crash_is_a_finding_and_stops_nothing() -> None:
    findings = run(registry_with_a_crash())
    assert [f.id for f in findings] == [
        "internal/check-crashed",
        "wall/a",
        "wall/z",
        "wall/broken",
    ]
    crash = findings[0]
    assert crash.severity is Severity.ERROR
    assert "wall/broken crashed on maps/town.vmod (ZeroDivisionError at " in crash.message
    assert "test_validator_run.py:" in crash.message
    assert crash.message.endswith("leave it out with --skip wall/broken.")
    assert "\n" not in crash.message


def test_interrupts_are_no_findings() -> None:
    @check(
        id="wall/interrupted",
        severity=Severity.NOTE,
        needs=(),
        title="T",
        what="W.",
        why="W.",
        example="E.",
        how_to_mend="M.",
    )
    def interrupted(subject: Subject) -> Iterator[Problem]:
        yield Problem("Found before. Mend it.")
        if subject.path:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(Registry([interrupted]))


def test_checks_without_their_facts_do_not_run() -> None:
    registry = Registry([make("wall/a", Problem("A."), needs=("module", "grids"))])
    report = run_checks(SUBJECT, "strict", registry=registry)
    assert (report.ran, report.not_run, report.findings) == ((), ("wall/a",), ())


def test_endless_findings_are_cut_off() -> None:
    many = [Problem(f"Number {n}. Mend it.") for n in range(MAX_FINDINGS + 50)]
    findings = run(Registry([make("wall/many", *many)]))
    assert len(findings) == MAX_FINDINGS + 1
    assert sum("only the first are told" in f.message for f in findings) == 1


def test_endless_names_are_cut_off() -> None:
    long = "x" * 1_000_000
    (found,) = run(Registry([make("wall/a", Problem(long, board=long, hex=long, settle=long))]))
    assert max(map(len, (found.message, found.board, found.hex, found.settle))) < 1100


def test_the_same_finding_counts_once() -> None:
    assert len(run(Registry([make("wall/a", Problem("A."), Problem("A."))]))) == 1


def test_only_and_skip() -> None:
    registry = Registry([make("wall/a", Problem("A.")), make("grid/b", Problem("B."))])
    assert [f.id for f in run(registry, only=["grid"])] == ["grid/b"]
    assert [f.id for f in run(registry, skip=["grid/*"])] == ["wall/a"]
    with pytest.raises(UsageError, match="no check"):
        run(registry, only=["grid/c"])


def test_a_finding_may_be_milder_than_its_check_but_not_worse() -> None:
    problems = (
        Problem("Mild.", severity=Severity.NOTE),
        Problem("Grave.", severity=Severity.FAIL),
    )
    findings = run(Registry([make("wall/a", *problems)]))
    assert {f.message: f.severity for f in findings} == {
        "Mild.": Severity.NOTE,
        "Grave.": Severity.WARN,
    }


def test_profile_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("include: [wall]\nexclude: [wall/z]\nseverities: {wall/a: fail}\n")
    registry = registry_with_a_crash()
    report = run_checks(SUBJECT, str(file), registry=registry, skip=["wall/broken"])
    assert report.profile == "mine"
    assert [(f.id, f.severity) for f in report.findings] == [("wall/a", Severity.FAIL)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("exclude: [wall]", "include"),
        ("include: []", "include"),
        ("include: [wall]\nseverities: {wall/a: awful}", "severities"),
        ("include: [wall]\ncolour: red", "colour"),
        ("just words", "include"),
        ("profiles: {x: 3}", "must hold keys"),
    ],
)
def test_wrong_profiles_say_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    with pytest.raises(UsageError, match=says):
        load_profile(str(file))


def test_profiles_with_unknown_ids_or_options_are_the_users_mistake(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("include: [wall]\noptions: {wall/a: {share: 0.5}}\n")
    with pytest.raises(UsageError, match="no option 'share'"):
        run_checks(SUBJECT, str(file), registry=Registry([make("wall/a")]))
    with pytest.raises(UsageError, match="no profile 'lax'"):
        load_profile("lax")


def test_worst() -> None:
    registry = Registry([make("wall/a", Problem("A."), severity=Severity.WARN)])
    report = run_checks(SUBJECT, "strict", registry=registry)
    assert worst(report, "note")
    assert worst(report, Severity.WARN)
    assert not worst(report, "fail")
    assert not worst(report, "never")


def test_merged_reports_do_not_depend_on_their_order() -> None:
    registry = Registry(
        [
            make("wall/a", Problem("A. Mend.", hex="A10"), Problem("A. Mend.", hex="A2")),
            make("grid/b", Problem("B."), needs=("module",)),
        ]
    )
    one = run_checks(Subject("b.vmod"), "strict", registry=registry)
    two = run_checks(Subject("a.vmod"), "strict", registry=registry)
    merged = merge_reports([one, two])
    assert to_json(merged) == to_json(merge_reports([two, one]))
    assert [(f.file, f.hex) for f in merged.findings] == [
        ("a.vmod", "A2"),
        ("a.vmod", "A10"),
        ("b.vmod", "A2"),
        ("b.vmod", "A10"),
    ]
    assert merged.ran == ("wall/a",)
    assert merged.not_run == ("grid/b",)
    with pytest.raises(ValueError, match="nothing"):
        merge_reports([])


def test_hexes_sort_as_players_count() -> None:
    names = ["AA1", "A10", "Z9", "A2", "BB3", "0102", "0015"]
    assert sorted(names, key=natural) == ["A2", "A10", "Z9", "AA1", "BB3", "0015", "0102"]


def test_json_report() -> None:
    problem = Problem(
        "Bad “bar”. Mend it.",
        hexside="K15-K16",
        pixel=(10.04, 20.0),
        confidence=0.12345,
        settle="hexsides: {K15-K16: {bar: none}}",
    )
    report = run_checks(
        SUBJECT, "strict", registry=Registry([make("wall/a", problem), make("wall/b")])
    )
    text = to_json(report)
    data = json.loads(text)
    assert data == report_data(report)
    assert data["schema_version"] == 1
    assert data["counts"] == {"error": 0, "fail": 0, "warn": 1, "note": 0}
    assert data["ran"] == ["wall/a", "wall/b"]
    (finding,) = data["findings"]
    assert len(finding.pop("fingerprint")) == 16
    assert finding == {
        "id": "wall/a",
        "severity": "warn",
        "message": "Bad “bar”. Mend it.",
        "file": "maps/town.vmod",
        "board": "",
        "hex": "",
        "hexside": "K15-K16",
        "pixel": [10.0, 20.0],
        "confidence": 0.123,
        "settle": "hexsides: {K15-K16: {bar: none}}",
    }
    empty = run_checks(SUBJECT, "strict", registry=Registry([make("wall/b")]))
    assert json.loads(to_json(empty))["findings"] == []


def test_fingerprints_outlive_small_changes_but_not_other_places() -> None:
    def mark(message: str, **place: object) -> str:
        base: dict[str, object] = {"id": "wall/a", "severity": Severity.WARN, "file": "x"}
        return Finding(message=message, **base, **place).fingerprint  # type: ignore[arg-type]

    assert mark("7 px off.", hex="A1") == mark("8 px off, or so.", hex="A1")
    assert mark("7 px off.", hex="A1") != mark("7 px off.", hex="A2")
    assert mark("12 hexes lie off.") == mark("13 hexes lie off.")
    assert mark("Board 'A' is off.") != mark("Board 'B' is off.")


def test_text_report() -> None:
    problems = [
        Problem(f"Bar {n} is off. Mend it.", hexside=f"K{n}-K{n + 1}", pixel=(n, 2), settle="x: y")
        for n in (2, 10, 3)
    ]
    registry = Registry([make("wall/a", *problems)])
    report = run_checks(SUBJECT, "strict", registry=registry)
    assert to_text(report, registry=registry, limit=2) == (
        "maps/town.vmod\n"
        "  warn  wall/a × 3 – A test\n"
        "    K2-K3 (2, 2): Bar 2 is off. Mend it.\n"
        "      → x: y\n"
        "    K3-K4 (3, 2): Bar 3 is off. Mend it.\n"
        "      → x: y\n"
        "    … and 1 more (--json tells all)\n"
        "\n"
        "3 warn in 1 file (1 check ran).\n"
    )
    assert "more" not in to_text(report, registry=registry, limit=0)
    assert "\x1b[" in to_text(report, registry=registry, colour=True)
    assert summary(run_checks(SUBJECT, "strict", registry=Registry([make("wall/b")]))) == (
        "No findings in 1 file (1 check ran)."
    )


def test_absurd_numbers_of_hexes_end_in_a_finding_and_not_in_memory() -> None:
    made = archive()
    wild = replace(made, size_hexes=(4096, 4096), losdata=None)
    assert wild.hexes == ()
    report = run_checks(Subject("bd99", archive=wild), "strict")
    assert [f.id for f in report.findings] == ["vasl/size-against-picture"]


def test_absurd_grids_end_in_findings_too() -> None:
    view = HexGridView(grid_attributes(dx="1.0", dy="1.1547"), numbering_attributes())
    town = replace(board_view(), size_px=(20000, 20000), hex_grids=(view,))
    report = run_checks(Subject("x", module=replace(module(), boards=(town,))), "strict")
    assert report.findings == ()
    for key, text in (("dx", "1e999"), ("dy", "NaN"), ("dx", "-3"), ("y0", "9" * 400), ("x0", "")):
        view = HexGridView(grid_attributes(**{key: text}), numbering_attributes())
        town = replace(board_view(), hex_grids=(view,))
        report = run_checks(Subject("x", module=replace(module(), boards=(town,))), "strict")
        assert report.findings, (key, text)
        assert not worst(report, "error"), to_text(report)
