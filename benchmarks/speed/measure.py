"""Measure the speed of hexsight, and hold it against what it was.

    python benchmarks/speed/measure.py [--quick] [--update] [--only grid,lines] [--out FOLDER]
    python benchmarks/speed/measure.py --against main

Writes FOLDER/speed.md and FOLDER/speed.json (build/bench), prints one line a case, and ends
with 1 when something takes over 20 % longer than benchmarks/reference.json says, or than the
revision that `--against` names does on this very machine.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

import cv2  # noqa: E402 - after the number of threads is set
from cases import CASES, Case, Ground  # noqa: E402
from judge import LIMIT, Measured, Round, Verdict, measured, verdict  # noqa: E402
from loops import LOOPS  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REFERENCE = HERE.parent / "reference.json"
SCHEMA = 1
AT_LEAST_S = 0.15  # a shorter piece of work is done several times a round
AT_MOST_S = 0.5  # of a loop
# glibc learns while it runs which arrays it gives back to the system and gets anew, page by
# page; that alone made the same work take once or twice its time, by process.
STEADY = {"MALLOC_MMAP_THRESHOLD_": "1000000000", "MALLOC_TRIM_THRESHOLD_": "1000000000"}
AGAIN = 3  # what looks slower is measured so often before it is said
PACKAGES = ("model", "extract", "los", "validators", "export", "review", "samples")


def processor_s() -> float:
    """Seconds that this process and its ended children have computed for."""
    mine, theirs = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Processor seconds of one piece of work, done so many times."""
    before = processor_s()
    for _ in range(times):
        work()
    return (processor_s() - before) / times


def calm_s(loop: Callable[[], object], times: int) -> float:
    """Seconds of a loop, without the collector: its time depends on all that is in memory."""
    gc.disable()
    try:
        return seconds(loop, times)
    finally:
        gc.enable()


def rounds(case: Case, work: Callable[[], object], number: int) -> list[Round]:
    """Times of a case, and of its loop before and behind each.

    Both last about as long: on a busy machine the best of many short pieces is luckier than
    the best of a few long ones.
    """
    loop = LOOPS[case.loop]
    loop()
    gc.collect()
    gc.freeze()  # what other cases left must not be looked through in this one
    one, of_loop = max(seconds(work), 1e-4), max(calm_s(loop, 5), 1e-5)
    times = max(1, round(AT_LEAST_S / one))
    loops = max(1, round(min(max(one * times, AT_LEAST_S), AT_MOST_S) / of_loop))
    found, before = [], calm_s(loop, loops)
    for _ in range(number):
        took = seconds(work, times)
        after = calm_s(loop, loops)
        found.append(Round(took, (before + after) / 2))
        before = after
    return found


def measure(case: Case, ground: Ground, reference: float | None, quick: bool) -> Verdict:
    """Measure a case; again, when it looks slower."""
    work = case.make(ground)
    work()
    number = max(3, case.rounds // 2) if quick else case.rounds
    done = rounds(case, work, number)
    for _ in range(AGAIN - 1):
        if verdict(case.name, measured(done), reference).state not in ("slower", "unsure"):
            break
        time.sleep(1)
        done += rounds(case, work, number)
    return verdict(case.name, measured(done), reference)


def apart(case: Case, reference: float | None, quick: bool) -> Verdict:
    """Measure a case in a process of its own.

    What other cases leave in memory makes a case, or its loop, up to twice as slow: the figure
    of a case must not depend on which others were asked for.
    """
    words = [sys.executable, str(HERE / "measure.py"), "--one", case.name]
    words += [] if reference is None else ["--was", repr(reference)]
    words += ["--quick"] if quick else []
    steady = os.environ | STEADY | {"PYTHONHASHSEED": "0"}
    done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, env=steady)
    found = Measured(**json.loads(done.stdout.splitlines()[-1]))
    return verdict(case.name, found, reference)


def one(name: str, reference: float | None, quick: bool) -> None:
    """What `apart` runs: print the figures of a case as JSON."""
    (case,) = (c for c in CASES if c.name == name)
    with tempfile.TemporaryDirectory() as folder:
        found = measure(case, Ground(Path(folder)), reference, quick)
    print(json.dumps(asdict(found.measured)))


def machine() -> dict[str, str]:
    """What the ratios depend on besides hexsight."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        names = [x for x in info.read_text(errors="replace").splitlines() if "model name" in x]
        model = names[0].partition(":")[2].strip() if names else model
    parts = ("numpy", "numba", "opencv-python-headless", "shapely", "lxml", "pillow")
    python = {"processor": model, "python": platform.python_version()}
    return python | {p: version(p) for p in parts}


def load_reference(path: Path) -> dict[str, Any]:
    """The stored reference, or one without any."""
    if not path.is_file():
        return {"schema_version": SCHEMA, "machine": {}, "cases": {}}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if found.get("schema_version") != SCHEMA:
        sys.exit(f"{path} has another version. Write it anew with --update.")
    return found


def as_reference(verdicts: list[Verdict], old: dict[str, Any]) -> dict[str, Any]:
    """What is stored; cases that were left out stay as they were."""
    known = {c.name for c in CASES}
    cases = {k: v for k, v in old["cases"].items() if k in known}
    for v in verdicts:
        cases[v.name] = {"ratio": round(v.measured.ratio, 3), "noise": round(v.measured.noise, 3)}
    return {"schema_version": SCHEMA, "machine": machine(), "cases": dict(sorted(cases.items()))}


def report(verdicts: list[Verdict], reference: dict[str, Any], what: str) -> str:
    """The page of a run."""
    loops = {c.name: c.loop for c in CASES}
    lines = [
        "# Speed",
        "",
        f"Ratio: processor seconds of a case over those of its calibration loop beside it, best of "
        f"all rounds. Held against {what}. Over {LIMIT:.0%} longer is a regression.",
        "",
        "| case | loop | rounds | ratio | reference | change | noise | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for v in verdicts:
        was = "" if v.reference is None else f"{v.reference:.2f}"
        change = "" if v.change is None else f"{v.change:+.0%}"
        lines.append(
            f"| {v.name} | {loops[v.name]} | {v.measured.rounds} | {v.measured.ratio:.2f} | {was} "
            f"| {change} | {v.measured.noise:.0%} | {v.state} |"
        )
    here, there = machine(), reference["machine"]
    other = [f"{k} {there[k]} → {here.get(k)}" for k in there if there[k] != here.get(k)]
    if other:
        lines += ["", "The reference is of another machine: " + "; ".join(other) + "."]
    return "\n".join(lines) + "\n"


def base_ratios(revision: str, names: list[str], quick: bool) -> dict[str, Any]:
    """Measure another revision with the cases of this one, on this machine."""
    with tempfile.TemporaryDirectory() as folder:
        tree, links = Path(folder) / "tree", Path(folder) / "links"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", "--quiet", str(tree), revision], check=True)
        try:
            shutil.copytree(tree / "hexsight", links / "hexsight")
            for name in PACKAGES:
                if (tree / name).is_dir():
                    shutil.copytree(tree / name, links / "hexsight" / name)
            out = Path(folder) / "out"
            words = ["--out", str(out), "--only", ",".join(names), "--reference", os.devnull]
            subprocess.run(
                [sys.executable, str(HERE / "measure.py"), *words, *(["--quick"] if quick else [])],
                check=True,
                env=os.environ | {"PYTHONPATH": str(links)},
                stdout=subprocess.DEVNULL,
            )
            made: dict[str, Any] = json.loads((out / "speed.json").read_text(encoding="utf-8"))
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=False)
    return made


def main() -> None:
    """Measure, write, judge."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="half the rounds")
    parser.add_argument("--update", action="store_true", help="write the reference anew")
    parser.add_argument("--only", default="", help="cases, with commas between")
    parser.add_argument("--against", help="a revision of git, measured on this machine first")
    parser.add_argument("--reference", type=Path, default=REFERENCE)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "bench")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--was", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    if given.one:
        one(given.one, given.was, given.quick)
        return
    names = [n for n in given.only.split(",") if n] or [c.name for c in CASES]
    chosen = [c for c in CASES if c.name in names]
    if unknown := set(names) - {c.name for c in CASES}:
        sys.exit(f"There is no case {', '.join(sorted(unknown))}.")
    if given.against:
        reference, what = base_ratios(given.against, names, given.quick), given.against
    elif given.reference == Path(os.devnull):
        reference, what = load_reference(Path("nothing of that name")), "nothing"
    else:
        reference, what = load_reference(given.reference), given.reference.name
    verdicts: list[Verdict] = []
    for case in chosen:
        known = reference["cases"].get(case.name, {}).get("ratio")
        found = apart(case, None if given.update else known, given.quick)
        verdicts.append(Verdict(found.name, found.measured, known, found.state))
        shown = "" if verdicts[-1].change is None else f"{verdicts[-1].change:+.1%}"
        m = found.measured
        print(
            f"{found.name:10} {m.ratio:9.2f}  noise {m.noise:4.0%}  {shown:>7}  {found.state}",
            flush=True,
        )
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "speed.md").write_text(report(verdicts, reference, what), encoding="utf-8")
    stored = json.dumps(as_reference(verdicts, {"cases": {}}), indent=1) + "\n"
    (given.out / "speed.json").write_text(stored, encoding="utf-8")
    if given.update:
        made = as_reference(verdicts, reference)
        given.reference.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
        return
    slower = [v.name for v in verdicts if v.state == "slower"]
    unsure = [v.name for v in verdicts if v.state == "unsure"]
    if unsure:
        print(f"The machine is too restless to tell of {', '.join(unsure)}.")
    if slower:
        sys.exit(
            f"Slower than {what}: {', '.join(slower)}. See {given.out / 'speed.md'}. If so it must "
            "be, write the reference anew with --update."
        )


if __name__ == "__main__":
    main()
