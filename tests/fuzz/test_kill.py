"""Kill -9 at any moment of any command: each file is the old one or the new one, whole.

A command is killed before one of its calls that change files: opening, writing, syncing,
renaming, removing.  Which ones is drawn by seed; HEXSIGHT_KILLS sets how many.
"""

from __future__ import annotations

import io
import os
import random
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("forks and signals of Linux", allow_module_level=True)

import hostile
from painted import Painted
from tiny_project import LEGEND, tiny_project
from warm import Warm

from hexsight.commands import VERBS
from hexsight.model.derive import derive
from hexsight.model.store import BOARD_FILE, ELEVATION_FILE, TERRAIN_FILE, save_board
from hexsight.samples import write_samples

KILLS = int(os.environ.get("HEXSIGHT_KILLS", "3"))
BOARD_FILES = (BOARD_FILE, TERRAIN_FILE, ELEVATION_FILE)
# What a killed run may leave beside the results.
LEFT = re.compile(
    r"\..*\.part"  # of a file: swept up by the next run for it
    r"|\..*\.hexsight-new"  # of a file that is changed in place: written over by the next run
    r"|\.hexsight-draft-.*"  # of a board: swept up after an hour
    r"|\.hexsight-board"  # of a board that counts already: see `_told`
    r"|work|\.hexsight-batch"  # of a batch: written over by the next run
    r"|\.hexsight-review\.jsonl"  # grows line by line; cut to what is whole by the next start
)


@dataclass(frozen=True)
class Case:
    """A command that writes, with ``{i}`` for the inputs and ``{o}`` for the results.

    Attributes
    ----------
    before : str
        What lies in the folder of the results at first: ``older`` results of the same
        command, ``nothing``, or a copy of this input.
    call : str
        Function that takes the arguments.
    """

    arguments: str
    before: str = "older"
    call: str = "hexsight.cli:run"
    code: int = 0

    @property
    def verb(self) -> str:
        """Of the command line."""
        return self.arguments.split()[0] if self.call == "hexsight.cli:run" else "review"


PRINTING = {"completion"}  # verbs that write no file
CASES = {
    "sheet": Case("sheet -o {o}/s.png --columns 4 --rows 4 --force"),
    "new": Case("new {i}/project/hexsight.yaml -o {o} --force -q"),
    "build": Case("build {i}/m.vmod --grid module --legend {i}/l.yaml -o {o} --force -q"),
    "build of a picture": Case("build {i}/project/hexsight.yaml -o {o} --force -q"),
    "grid": Case("grid {i}/mill.vmod --write {o}/w.vmod --picture {o}/p.png --force"),
    "extract": Case(
        "extract {i}/project/hexsight.yaml --facts {o}/f.json --mask {o}/m.png -o {o}/b --force -q"
    ),
    "los": Case("los {i}/board A1 C3 --picture {o}/l.png --force"),
    "table build": Case("table build {i}/board -o {o}/t.lostab --force -q"),
    "render": Case("render {i}/board -o {o}/r.png --force -q"),
    "export": Case("export {i}/m.vmod {i}/result -o {o}/e.vmod --force -q"),
    "export for the companion": Case(
        "export {i}/m.vmod {i}/result --companion -o {o}/e.vmod --force -q"
    ),
    "export as extension": Case("export {i}/m.vmod {i}/result --extension {o}/e.vmdx --force -q"),
    "export in place": Case("export {o}/m.vmod {i}/result --in-place -q", "m.vmod"),
    "export removed": Case("export {i}/exported.vmod --remove -o {o}/e.vmod --force -q"),
    "convert to VASL": Case(
        "convert {i}/result -o {o}/bdT --picture {i}/project/map.png --force -q"
    ),
    "convert from VASL": Case("convert {i}/bdT -o {o}/b --force -q"),
    "convert in place": Case("convert {i}/result --into {o}/bdT --in-place -q", "bdT"),
    "charts": Case(
        "charts {i}/result -o {o}/c.html --csv {o}/c.csv --json {o}/c.json --svg {o}/c.svg "
        "--geojson {o}/g.json --png {o}/c.png --force -q"
    ),
    "charts in place": Case("charts {i}/result --into {o}/m.vmod --in-place -q", "m.vmod"),
    "check": Case(
        "check {i}/board -q --html {o}/c.html --sarif {o}/c.sarif --junit {o}/c.xml "
        "--write-baseline {o}/c.json"
    ),
    "batch": Case("batch {i}/shelf -o {o}/all --workers 1 -q --quick", "nothing"),
    "merge": Case("merge {i}/shards/1 {i}/shards/2 -o {o}/all --force", "nothing"),
    "review": Case("{o}/project", "project", "acting:correct"),
    "review, as a page": Case("review {i}/project --export {o}/r.html --force -q"),
}


def test_every_verb_is_killed() -> None:
    killed = {case.verb for case in CASES.values()}
    assert killed | PRINTING == set(VERBS), "a new verb needs a case here"


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    with Warm(tmp_path_factory.mktemp("warm")) as process:
        yield process


@pytest.fixture(scope="module")
def inputs(warm: Warm, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inputs")
    tiny_project(folder / "project")
    picture = (folder / "project" / "map.png").read_bytes()
    (folder / "l.yaml").write_text(LEGEND)
    build = '<VASSAL.build.GameModule name="t" version="1">'
    build += f'<VASSAL.build.module.Map mapName="Main"><{hostile.PICKER}>'
    build += hostile.board('dx="34.3" dy="39.6" x0="22" y0="20"')
    build += f"</{hostile.PICKER}></VASSAL.build.module.Map>{hostile.TAIL}"
    hostile.write(
        folder / "m.vmod",
        hostile.zipped(
            ("buildFile.xml", build.encode()),
            ("images/m.png", picture),
            ("moduledata", b"<data version='1'><version>1</version><name>t</name></data>"),
        ),
    )
    save_board(derive(Painted(4, 4).hexes("B2").survey()), folder / "board")
    write_samples(folder / "samples", boards=["sideways-mill"])
    shutil.move(folder / "samples" / "sideways-mill.vmod", folder / "mill.vmod")
    shutil.rmtree(folder / "samples")
    for k in range(3):
        save_board(derive(Painted(3, 3).hexes("B2").survey(name=f"t{k}")), folder / f"shelf/t{k}")
    made = (
        f"build {folder}/m.vmod --grid module --legend {folder}/l.yaml -o {folder}/result -q",
        f"export {folder}/m.vmod {folder}/result -o {folder}/exported.vmod -q",
        f"convert {folder}/result -o {folder}/bdT --picture {folder}/project/map.png -q",
        *(
            f"batch {folder}/shelf -o {folder}/shards/{k} --workers 1 --shard {k}/2 -q --quick"
            for k in (1, 2)
        ),
    )
    for line in made:
        # Unbounded, since numba may compile for the first time.
        done = warm.run(*line.split(), bounded=False)
        assert done.code == 0, (line, done.err)
    return folder


def _files(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file()
    }


def _told(files: dict[str, bytes]) -> dict[str, bytes]:
    """Files that count: those of a board that are on their way stand at their places."""
    moving = {k: v for k, v in files.items() if "/.hexsight-board/" in f"/{k}"}
    hidden = [k for k in files if any(LEFT.fullmatch(part) for part in k.split("/"))]
    found = {k: v for k, v in files.items() if k not in hidden}
    return {**found, **{k.replace(".hexsight-board/", ""): v for k, v in moving.items()}}


def _older(name: str, data: bytes) -> bytes:
    """A result of the same kind with other bytes."""
    if data[:2] == b"PK":
        stream = io.BytesIO(data)
        with zipfile.ZipFile(stream, "a") as archive:
            archive.comment = b"older"
        return stream.getvalue()
    if name.endswith((".png", ".lostab")):
        return data + b"older"
    return data + (b"# older\n" if name.endswith(".yaml") else b"\n")


def _restore(folder: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in files.items():
        hostile.write(folder / name, data)


def _check(before: dict[str, bytes], after: dict[str, bytes], now: dict[str, bytes]) -> None:
    for name, data in now.items():
        if name.endswith(".ndjson"):
            # Grows line by line, so that others may follow a batch as it runs.
            assert set(data.splitlines(True)) <= set(after[name].splitlines(True)), name
            continue
        backup = ".bak" in name or ".part" in name
        allowed = [f[name] for f in (before, after) if name in f]
        assert data in allowed or (backup and data in before.values()), f"{name} is neither"
    for name in before:
        assert name in now or name not in after, f"{name} is gone"
    # The three files of a board are one thing.
    for name in now:
        folder, _, file = name.rpartition("/")
        if file == BOARD_FILE and name in before:
            parts = [f"{folder}/{f}".removeprefix("/") for f in BOARD_FILES]
            assert all(now[p] == before[p] for p in parts) or all(
                now[p] == after[p] for p in parts
            ), f"{folder}: a board of two halves"


@pytest.mark.parametrize("name", CASES)
def test_killed_at_some_calls(name: str, warm: Warm, inputs: Path, tmp_path: Path) -> None:
    case, out = CASES[name], tmp_path / "out"
    out.mkdir()
    if case.before not in ("older", "nothing"):
        shutil.copytree(inputs / case.before, out / case.before) if (
            inputs / case.before
        ).is_dir() else shutil.copy(inputs / case.before, out)
    before = _files(out)
    words = case.arguments.format(i=inputs, o=out).split()
    untouched = _files(inputs)
    whole = warm.run(*words, call=case.call, kill_at=1_000_000, bounded=False)
    assert whole.code == case.code, whole.err
    after = _told(_files(out))
    if case.before == "older":
        before = {k: _older(k, v) for k, v in after.items()}
        _restore(out, before)
        again = warm.run(*words, call=case.call, kill_at=1_000_000, bounded=False)
        assert again.code == case.code, again.err
        whole = again
        assert _told(_files(out)).keys() == after.keys()
    rng = random.Random(name)
    late = range(max(0, whole.calls - 12), whole.calls)
    moments = [rng.choice(late) if k % 2 else rng.randrange(whole.calls) for k in range(KILLS)]
    for place, moment in enumerate(moments):
        _restore(out, before)
        killed = warm.run(*words, call=case.call, kill_at=moment, bounded=False)
        assert killed.code in (-9, case.code), killed.err
        _check(before, after, _told(_files(out)))
        if place == 0:
            second = warm.run(*words, call=case.call, bounded=False)
            assert second.code == case.code, second.err
            now = _told(_files(out))
            if case.before in ("older", "nothing"):
                assert now == after
            left = [p.name for p in out.rglob("*.part")]
            assert not left, "what was left is not swept up"
    assert _files(inputs) == untouched
