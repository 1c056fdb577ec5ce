"""Mutation testing of the LOS rules: does a test fail when a rule is changed by one sign?

    make mutation SAMPLE=1   # all rule functions, about an hour on one core
    make mutation SAMPLE=5   # every fifth change

Works in a copy below build/mutation: cosmic-ray changes source files where they lie.  The
rules run interpreted there (``HEXSIGHT_ENGINE=python``), the same functions that are compiled
elsewhere.  Ends with 1 when less than 85 % of the changes are noticed.

Left out, because they change nothing or only make nonsense: bit operations and shifts in place
of sums and products, ``is`` in place of ``==`` on small numbers, and a missing ``@rule``, which
marks a function for the compiler and does nothing to the interpreted one.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# cosmic-ray's commands, of the environment that runs this.
BIN = Path(sys.executable).parent
COPY = ROOT / "build" / "mutation"
PACKAGES = ("model", "extract", "los", "validators", "export", "samples", "review")
# What holds these rules, fastest first: the first test that fails ends a run.
TESTS = (
    "tests/los/test_rule_functions.py",
    "tests/los/test_los_rules.py",
    "tests/los/test_overlay_rules.py",
    "tests/los/test_los_locations.py",
    "tests/los/test_oracle.py",
)
SENSELESS = (
    r"core/ReplaceBinaryOperator_.*_(Pow|RShift|LShift|BitAnd|BitOr|BitXor|Mod|Div)",
    r"core/ReplaceComparisonOperator_.*_(Is|IsNot)",
    "core/RemoveDecorator",
)
BAR = 0.85


def rule_files() -> list[str]:
    """Files with rule functions, relative to the project."""
    found = sorted((ROOT / "los" / "rules").glob("*.py"))
    return [str(f.relative_to(ROOT)) for f in found if f.name not in ("__init__.py", "registry.py")]


def copy_project() -> None:
    """A copy of the project in which packages are found as installed ones are."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    for name in (*PACKAGES, "hexsight", "tests", "pyproject.toml"):
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, COPY / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, COPY / name)
    room = COPY / "room" / "hexsight"
    room.mkdir(parents=True)
    for file in (COPY / "hexsight").iterdir():
        (room / file.name).symlink_to(file)
    for name in PACKAGES:
        (room / name).symlink_to(COPY / name)


def configure(files: list[str]) -> None:
    """Write cosmic-ray's configuration."""
    # The copy alone is looked into: neither an installed hexsight nor the folder itself.
    command = " ".join(
        [
            f"env PYTHONPATH={COPY / 'room'} PYTHONSAFEPATH=1 PYTHONDONTWRITEBYTECODE=1",
            f"HEXSIGHT_ENGINE=python {sys.executable} -m pytest -x -q -p no:cacheprovider",
            "--hypothesis-seed=1",
            *TESTS,
        ]
    )
    rows = [
        "[cosmic-ray]",
        f"module-path = {files!r}",
        "timeout = 120.0",
        "excluded-modules = []",
        f'test-command = "{command}"',
        "[cosmic-ray.distributor]",
        'name = "local"',
        "[cosmic-ray.filters.operators-filter]",
        f"exclude-operators = {list(SENSELESS)!r}",
    ]
    (COPY / "mutation.toml").write_text("\n".join(rows) + "\n", encoding="utf-8")


def leave_out(sample: int) -> None:
    """Mark all but every n-th change as skipped."""
    with sqlite3.connect(COPY / "mutation.sqlite") as base:
        rows = [
            r[0]
            for r in base.execute(
                "select w.job_id from work_items w left join work_results r using (job_id) "
                "join mutation_specs m using (job_id) where r.job_id is null "
                "order by m.module_path, m.start_pos_row, m.start_pos_col, m.operator_name, "
                "m.occurrence"
            )
        ]
        for k, job in enumerate(rows):
            if k % sample:
                base.execute(
                    "insert into work_results (worker_outcome, job_id) values ('SKIPPED', ?)",
                    (job,),
                )


def told() -> float:
    """Print what was noticed by file; the share of all."""
    query = (
        "select m.module_path, sum(r.test_outcome = 'KILLED'), sum(r.test_outcome = 'SURVIVED') "
        "from work_results r join mutation_specs m using (job_id) "
        "where r.worker_outcome = 'NORMAL' group by 1 order by 1"
    )
    killed, survived = 0, 0
    with sqlite3.connect(COPY / "mutation.sqlite") as base:
        for path, dead, alive in base.execute(query):
            print(f"{path}: {dead} of {dead + alive} changes noticed")
            killed, survived = killed + dead, survived + alive
    share = killed / max(1, killed + survived)
    print(f"All: {killed} of {killed + survived}, {share:.1%}")
    return share


def main() -> int:
    """Run it; the exit code."""
    parser = argparse.ArgumentParser(description="Mutation testing of the LOS rules.")
    parser.add_argument("--sample", type=int, default=1, help="every n-th change only")
    chosen = parser.parse_args()
    copy_project()
    configure(rule_files())
    quiet = {**os.environ, "PYTHONSAFEPATH": "1"}
    for step in (
        [BIN / "cosmic-ray", "init", "mutation.toml", "mutation.sqlite"],
        [BIN / "cr-filter-operators", "mutation.sqlite", "mutation.toml"],
    ):
        subprocess.run(step, cwd=COPY, check=True, env=quiet)
    leave_out(max(1, chosen.sample))
    subprocess.run(
        [BIN / "cosmic-ray", "exec", "mutation.toml", "mutation.sqlite"],
        cwd=COPY,
        check=True,
        env=quiet,
    )
    subprocess.run(
        [BIN / "cr-report", "--show-diff", "--surviving-only", "mutation.sqlite"],
        cwd=COPY,
        check=True,
    )
    return 0 if told() >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
