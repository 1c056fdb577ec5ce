"""`hexsight batch` and `merge`: a whole shelf, resumed, in parts, with spoilt files in it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from batch_shelf import digests, make_shelf

from hexsight.batch import Engine, run_batch
from hexsight.batch_items import find_items
from hexsight.batch_job import Job, key_of, make_job, tool_stamp
from hexsight.batch_pool import PoolLimits
from hexsight.batch_record import Record, Trouble, read_record, record_bytes, report_from_data
from hexsight.batch_store import Store
from hexsight.cli import run
from hexsight.model.errors import UsageError
from hexsight.samples import write_samples
from hexsight.validators import Finding, Report, write_baseline
from hexsight.validators.finding import Severity


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_shelf(tmp_path_factory.mktemp("batch") / "shelf")


@pytest.fixture(scope="module")
def whole(shelf: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of one undisturbed run with one worker."""
    out = tmp_path_factory.mktemp("whole") / "out"
    run(["batch", str(shelf), "-o", str(out), "--workers", "1", "-q"])
    return out


def lines(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "batch.ndjson").read_text().splitlines()]


def test_everything_is_told_in_order_and_bad_files_stop_nothing(whole):
    told = [line for line in lines(whole) if line["type"] == "item"]
    assert [t["item"] for t in told] == sorted(t["item"] for t in told)
    assert {t["item"]: t["status"] for t in told} == {
        "shelf/bdgone": "error",
        "shelf/city0/town0": "ok",
        "shelf/city1/town1": "ok",
        "shelf/city2/town2": "ok",
        "shelf/cut.vmod": "error",
        "shelf/noise.vmod": "error",
        "shelf/project/hexsight.yaml": "error",
        "shelf/spoilt": "error",
        "shelf/tabled": "ok",
    }
    for item in told:
        for error in item["errors"]:
            assert error["code"] in (2, 3) and str(whole.parent) not in error["message"]
    assert "line 2" in told[6]["errors"][0]["message"]
    assert not (whole / "work").exists()


def test_findings_are_those_of_check_under_names_of_the_shelf(whole, shelf, capsys):
    report = json.loads((whole / "findings.json").read_text())
    found = [line for line in lines(whole) if line["type"] == "finding"]
    assert len(found) == len(report["findings"]) > 0
    assert {f["item"] for f in found} >= {"shelf/city0/town0", "shelf/city1/town1"}
    assert "shelf/tabled/a.lostab" in report["files"]
    assert len(report["unread"]) == 5
    run(["check", str(shelf / "city0" / "town0"), "--json", "-q"])
    alone = json.loads(capsys.readouterr().out)["findings"]
    mine = [f for f in report["findings"] if f["file"] == "shelf/city0/town0"]
    assert [f["fingerprint"] for f in mine] == [f["fingerprint"] for f in alone]
    summary = json.loads((whole / "batch.json").read_text())
    assert sum(c["findings"] for c in summary["checks"]) == len(found)
    assert summary["items"] == {"ok": 4, "partly": 0, "error": 5}


def test_two_workers_another_place_and_json_give_the_same_bytes(whole, shelf, tmp_path, capsys):
    shutil.copytree(shelf, tmp_path / "elsewhere" / "shelf")
    out = tmp_path / "out"
    source = os.path.relpath(tmp_path / "elsewhere" / "shelf")
    assert run(["batch", source, "-o", str(out), "--workers", "2", "--json", "-q"]) == 3
    assert digests(out) == digests(whole)
    assert capsys.readouterr().out == (whole / "batch.ndjson").read_text()


def test_a_second_run_does_nothing_again_and_a_changed_file_alone_anew(whole, shelf, tmp_path):
    shutil.copytree(whole, tmp_path / "out")
    shutil.copytree(shelf, tmp_path / "shelf")
    places = sorted((tmp_path / "out" / "items").glob("*/record.json"))
    before = {p: p.stat().st_mtime_ns for p in places}
    arguments = ["batch", str(tmp_path / "shelf"), "-o", str(tmp_path / "out"), "--workers", "1"]
    assert run([*arguments, "-q"]) == 3
    assert {p: p.stat().st_mtime_ns for p in places} == before
    assert digests(tmp_path / "out") == digests(whole)
    (tmp_path / "shelf" / "cut.vmod").write_bytes(b"now it is something else")
    run([*arguments, "-q"])
    changed = [p for p in places if p.stat().st_mtime_ns != before[p]]
    assert [json.loads(p.read_text())["item"] for p in changed] == ["shelf/cut.vmod"]


def test_shards_merge_to_what_one_machine_does(whole, shelf, tmp_path, capsys):
    for k in (1, 2):
        out = str(tmp_path / f"part{k}")
        run(["batch", str(shelf), "-o", out, "--shard", f"{k}/2", "--workers", "1", "-q"])
    capsys.readouterr()
    parts = [str(tmp_path / f"part{k}") for k in (2, 1)]
    assert run(["merge", parts[1], "-o", str(tmp_path / "merged")]) == 2
    assert "Shard 2/2 is missing" in capsys.readouterr().err
    for _ in range(2):
        assert run(["merge", *parts, "-o", str(tmp_path / "merged")]) == 3
    assert digests(tmp_path / "merged") == digests(whole)
    (tmp_path / "part2" / "batch.json").unlink()
    assert run(["merge", *parts, "-o", str(tmp_path / "merged2")]) == 3
    assert "not finished" in capsys.readouterr().err
    assert run(["merge", str(shelf), "-o", str(tmp_path / "merged2")]) == 3


def test_an_empty_shard_says_so(tmp_path, capsys):
    (tmp_path / "shelf").mkdir()
    (tmp_path / "shelf" / "cut.vmod").write_bytes(b"PK")
    said = []
    for k in (1, 2):
        out = str(tmp_path / f"part{k}")
        shard = ["--shard", f"{k}/2", "--workers", "1", "-q"]
        run(["batch", str(tmp_path / "shelf"), "-o", out, *shard])
        said.append("nothing to do in this part" in capsys.readouterr().out)
    assert sorted(said) == [False, True]


def test_results_of_another_job_are_not_replaced_unasked(whole, shelf, tmp_path, capsys):
    shutil.copytree(whole, tmp_path / "out")
    arguments = ["batch", str(shelf), "-o", str(tmp_path / "out"), "--only", "wall", "-q"]
    assert run(arguments) == 5
    assert "--force" in capsys.readouterr().err
    assert digests(tmp_path / "out") == digests(whole)
    assert run([*arguments, "--force", "--workers", "1"]) == 3
    assert {f["id"].split("/")[0] for f in lines(tmp_path / "out") if f["type"] == "finding"} <= {
        "wall"
    }


def test_a_folder_of_other_things_or_at_work_is_refused(shelf, tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    assert run(["batch", str(shelf), "-o", str(tmp_path / "mine"), "-q"]) == 5
    assert "other things" in capsys.readouterr().err
    with Store(tmp_path / "busy").opened({}):
        assert run(["batch", str(shelf), "-o", str(tmp_path / "busy"), "-q"]) == 5
    assert "Another run" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["{}", "--shard", "4/3"], 2, "K/N"),
        (["{}", "--shard", "one"], 2, "K/N"),
        (["{}", "--only", "no/such-check"], 2, "no/such-check"),
        (["{}", "--do", "cook"], 2, "cook"),
        (["{}", "--legend", "nolegend"], 2, "nolegend"),
        (["{}", "--engine", "dask"], 2, "--scheduler"),
        (["{}", "--send"], 2, "--engine dask"),
        (["{}/nowhere"], 3, "nowhere"),
        ([], 2, "Missing argument"),
    ],
)
def test_wrong_words_are_told_before_any_work(shelf, tmp_path, capsys, arguments, code, said):
    words = [a.format(shelf) for a in arguments]
    assert run(["batch", *words, "-o", str(tmp_path / "out")]) == code
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_reports_for_the_whole_shelf(whole, shelf, tmp_path, capsys):
    shutil.copytree(whole, tmp_path / "out")
    arguments = ["batch", str(shelf), "-o", str(tmp_path / "out"), "-q", "--workers", "1"]
    kinds = ("html", "sarif", "junit")
    words = [w for k in kinds for w in (f"--{k}", str(tmp_path / f"report.{k}"))]
    for _ in range(2):  # an earlier report of the kind is replaced
        assert run([*arguments, *words]) == 3
    assert digests(tmp_path / "out") == digests(whole)
    page = (tmp_path / "report.html").read_text()
    assert "shelf/city0/town0" in page and "shelf/cut.vmod" in page
    sarif = json.loads((tmp_path / "report.sarif").read_text())
    findings = json.loads((whole / "findings.json").read_text())["findings"]
    assert len(sarif["runs"][0]["results"]) >= len(findings)
    capsys.readouterr()
    letter = shelf / "project" / "hexsight.yaml"
    assert run([*arguments, "--html", str(letter)]) == 5
    assert run([*arguments, "--force", "--do", "table", "--html", str(tmp_path / "x.html")]) == 2


def test_a_baseline_settles_the_exit_code(shelf, tmp_path):
    town = str(shelf / "city0")
    arguments = ["batch", town, "-o", str(tmp_path / "out"), "--workers", "1", "-q"]
    run(arguments)
    merged = json.loads((tmp_path / "out" / "findings.json").read_text())
    assert merged["findings"]
    known = tmp_path / "known.json"
    report = report_from_data(merged)
    known.write_text(write_baseline(report))
    assert run([*arguments, "--fail-on", "note"]) == 1
    assert run([*arguments, "--fail-on", "note", "--baseline", str(known)]) == 0
    known.write_text("no baseline")
    assert run([*arguments, "--baseline", str(known)]) == 2


def test_nothing_is_written_into_a_source(tmp_path, capsys):
    write_samples(tmp_path / "s", boards=["sideways-mill"], unpacked=True)
    module = tmp_path / "s" / "sideways-mill.module"
    before = digests(module)
    assert run(["batch", str(module), "-o", str(module / "out"), "-q"]) == 5
    assert digests(module) == before


def test_exit_codes_and_fail_on(shelf, tmp_path, capsys):
    town = [str(shelf / "city0"), "-o", str(tmp_path / "out"), "--workers", "1", "-q"]
    assert run(["batch", *town]) == 0
    assert run(["batch", *town, "--fail-on", "warn"]) == 1
    assert run(["batch", *town, "--fail-on", "never"]) == 0
    told = capsys.readouterr()
    assert "1 done" in told.out and told.err == ""


def test_progress_is_a_line_an_item_where_no_one_watches(shelf, tmp_path, capsys):
    arguments = ["batch", str(shelf / "city0"), "-o", str(tmp_path / "out"), "--workers", "1"]
    run(arguments)
    assert "[1/1] city0/town0: " in capsys.readouterr().err


def test_what_the_machine_lacked_is_told_and_tried_again(shelf, tmp_path):
    out, job = tmp_path / "out", make_job("check")
    paths = [shelf / "city0"]
    (item,) = find_items(paths, "check", out=out).items
    tries = [(PoolLimits(1, timeout_s=0.01), "time")]
    if sys.platform == "linux":
        # Whether Python still can say so, or dies of it, is not for us to choose.
        tries.append((PoolLimits(1, memory_bytes=1), "memory"))
    for limits, said in tries:
        result = run_batch(paths, out, job, engine=Engine(limits))
        ((_, told),) = result.tally.errors
        assert told.code in (3, 70) and said in told.message
        record = Store(out).load(item.name)
        assert record is not None and record.transient
        assert not Store(out).is_done(item.name, record.key)
    assert run_batch(paths, out, job).tally.errors == []


def test_a_spoilt_record_is_done_anew(whole, shelf, tmp_path):
    shutil.copytree(whole, tmp_path / "out")
    places = sorted((tmp_path / "out" / "items").glob("*/record.json"))
    for i, place in enumerate(places):
        place.write_bytes(place.read_bytes()[: 40 * i] if i % 2 else b"[]")
    (tmp_path / "out" / "work").mkdir()
    (tmp_path / "out" / "work" / "left.abc").mkdir()
    assert run(["batch", str(shelf), "-o", str(tmp_path / "out"), "--workers", "1", "-q"]) == 3
    assert digests(tmp_path / "out") == digests(whole)


def test_tables_of_every_board(shelf, tmp_path, monkeypatch):
    monkeypatch.setenv("HEXSIGHT_ENGINE", "python")  # nothing to compile for so few hexes
    out = tmp_path / "out"
    arguments = ["batch", str(shelf / "city0"), str(shelf / "tabled"), "-o", str(out)]
    assert run([*arguments, "--do", "table", "--workers", "1", "-q"]) == 0
    assert sorted(p.name for p in out.glob("items/*/*.lostab")) == [
        "tabled.lostab",
        "town-0.lostab",
    ]
    (made,) = out.glob("items/*/tabled.lostab")
    assert made.read_bytes() == (shelf / "tabled" / "a.lostab").read_bytes()
    made.unlink()  # a result that lost a file is no result
    assert run([*arguments, "--do", "table", "--workers", "1", "-q"]) == 0
    assert made.is_file()


def test_facts_of_modules(tmp_path):
    write_samples(tmp_path / "s", boards=["sideways-mill"])
    out = tmp_path / "out"
    arguments = ["batch", str(tmp_path / "s"), "-o", str(out), "--do", "extract", "-q"]
    assert run([*arguments, "--workers", "1"]) == 0
    (item,) = (out / "items").iterdir()
    names = ["record.json", "sideways-mill.facts.json", "sideways-mill.mask.png"]
    assert sorted(p.name for p in item.iterdir()) == names
    facts = json.loads((item / names[1]).read_text())
    assert facts["board"] == "Sideways Mill" and len(facts["hexes"]) > 100


def test_records_come_back_as_they_went():
    finding = Finding("wall/x", Severity.WARN, "m", "f", "b", "A1", "", (1.0, 2.5), 0.5, "s")
    report = Report("default", (finding,), ("f",), ("wall/x",), ("wall/y",))
    record = Record("i", "module", "check", "k", (Trouble(3, "x"),), False, report, {"a": "b"})
    assert read_record(record_bytes(record)) == record
    assert record.status == "partly"
    for junk in (b"", b"{}", b"[1]", b'{"schema_version": 1}', b"\xff"):
        assert read_record(junk) is None


def test_the_key_counts_everything_that_a_result_depends_on(shelf):
    (item,) = find_items([shelf / "city0"], "check", out=Path("nowhere")).items
    jobs: list[Job] = [
        make_job("check"),
        make_job("check", only=("wall",)),
        make_job("check", skip=("wall",)),
        make_job("table"),
        make_job("check", from_losdata=True),
        make_job("check", quick=True),
    ]
    keys = {key_of(item, job, "c", "s") for job in jobs}
    keys |= {key_of(item, jobs[0], "d", "s"), key_of(item, jobs[0], "c", "t")}
    assert len(keys) == len(jobs) + 2
    assert tool_stamp() == tool_stamp()
    with pytest.raises(UsageError, match="cook"):
        make_job("cook")
