"""Input made to hurt, through the command line: one sentence, bounded, nothing written."""

from __future__ import annotations

import hashlib
import os
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("forks and limits of Linux", allow_module_level=True)

import hostile
from painted import Painted
from tiny_project import tiny_project
from warm import Outcome, Warm

from hexsight.los.profile import load_profile
from hexsight.los.table import HEADER, build_table, write_table
from hexsight.model.derive import derive
from hexsight.model.store import save_board

REFUSED = (1, 2, 3, 4, 5)
MEMORY_MB, TIME_S = 1024, 10.0


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    with Warm(tmp_path_factory.mktemp("warm")) as process:
        yield process


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board") / "board"
    found = derive(Painted(5, 5).hexes("B2", "B3").survey())
    save_board(found, folder)
    write_table(build_table(found, load_profile(), engine="python"), folder / "los.lostab")
    return folder


def digest(path: Path) -> dict[str, str]:
    files = sorted(p for p in (path.rglob("*") if path.is_dir() else [path]) if p.is_file())
    return {str(p): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def assert_refused(done: Outcome, *, codes: tuple[int, ...] = REFUSED) -> None:
    assert done.code in codes, (done.code, done.err)
    lines = done.err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("Error: "), done.err
    assert len(lines[0]) < 700
    assert done.rss_mb < MEMORY_MB and done.cpu_s < TIME_S


def refuse(
    warm: Warm, folder: Path, *arguments: object, codes: tuple[int, ...] = REFUSED
) -> Outcome:
    """Run a command on hostile input in a folder, which must stay what it was."""
    before = digest(folder)
    done = warm.run(*arguments, cwd=folder)
    assert_refused(done, codes=codes)
    assert digest(folder) == before
    assert not list(folder.glob("out*"))
    return done


@pytest.mark.parametrize("name", hostile.ZIPS)
def test_zip_files(name: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    path = hostile.write(tmp_path / "g.vmod", hostile.ZIPS[name]())
    refuse(warm, tmp_path, "build", path, "-o", tmp_path / "out", "-q")
    refuse(warm, tmp_path, "export", path, board, "-o", tmp_path / "out.vmod")
    if name != "picture and zip in one":
        refuse(warm, tmp_path, "check", path, "-q")


@pytest.mark.parametrize("name", hostile.BUILD_FILES)
def test_build_files(name: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    path = hostile.write(tmp_path / "g.vmod", hostile.module(hostile.BUILD_FILES[name]()))
    refuse(warm, tmp_path, "build", path, "-o", tmp_path / "out", "-q")
    refuse(warm, tmp_path, "export", path, board, "-o", tmp_path / "out.vmod")
    refuse(warm, tmp_path, "grid", path, "--write", tmp_path / "out.vmod")


@pytest.mark.parametrize("name", hostile.GRIDS)
def test_grids(name: str, warm: Warm, tmp_path: Path) -> None:
    build = f"{hostile.HEAD}{hostile.board(hostile.GRIDS[name])}{hostile.TAIL}"
    path = hostile.write(tmp_path / "g.vmod", hostile.module(build))
    refuse(warm, tmp_path, "grid", path, "--at", "3,3")


@pytest.mark.parametrize("name", hostile.NUMBERINGS)
def test_numberings(name: str, warm: Warm, tmp_path: Path) -> None:
    build = f"{hostile.HEAD}{hostile.board(numbering=hostile.NUMBERINGS[name])}{hostile.TAIL}"
    path = hostile.write(tmp_path / "g.vmod", hostile.module(build))
    done = warm.run("grid", path, "--at", "3,3")
    # VASSAL drops a numbering that it cannot read and goes on.
    assert done.code == 0 or len(done.err.strip().splitlines()) == 1
    assert done.code in (0, *REFUSED) and done.rss_mb < MEMORY_MB and done.cpu_s < TIME_S


@pytest.mark.parametrize("name", hostile.PICTURES)
def test_pictures(name: str, warm: Warm, tmp_path: Path) -> None:
    path = hostile.write(tmp_path / "m.png", hostile.PICTURES[name]())
    refuse(warm, tmp_path, "grid", path, "--picture", tmp_path / "out.png")
    refuse(warm, tmp_path, "new", path, "-o", tmp_path / "out", "-q")


@pytest.mark.parametrize("name", hostile.LOSDATA)
def test_losdata(name: str, warm: Warm, tmp_path: Path) -> None:
    path = hostile.write(
        tmp_path / "bdT", hostile.vasl_board(hostile.metadata(), hostile.LOSDATA[name]())
    )
    refuse(warm, tmp_path, "convert", path, "-o", tmp_path / "out", "-q")


@pytest.mark.parametrize("name", hostile.METADATA)
def test_metadata(name: str, warm: Warm, tmp_path: Path) -> None:
    stream = hostile.losdata((4, 4, 40, 40), bytes(2 * 1600 + 18))
    path = hostile.write(tmp_path / "bdT", hostile.vasl_board(hostile.METADATA[name], stream))
    done = warm.run("convert", path, "-o", tmp_path / "out", "-q")
    assert done.code in (0, *REFUSED), done.err
    assert done.code == 0 or len(done.err.strip().splitlines()) == 1
    assert done.rss_mb < MEMORY_MB and done.cpu_s < TIME_S


YAML: dict[str, bytes] = {
    "UTF-16": "source: map.png\n".encode("utf-16"),
    "Latin-1": "source: 'm\xe9.png'\n".encode("latin-1"),
    "NUL in a name": b'source: "a\\0b"\n',
    "NUL in the legend": b'source: map.png\nlegend: "./a\\0.yaml"\n',
    "NUL in the rules": b'source: map.png\nrules: "./a\\0.yaml"\n',
    "half a character": b'source: "\\ud800"\n',
    "long name": b"source: " + b"a" * 5000,
    "aliases": b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
    "deep list": b"source: " + b"[" * 200 + b"]" * 200,
    "100,000 levels": b"source: " + b"[" * 100_000,
    "100,000 levels of a list": b"- " * 100_000,
    "10 MB in one line": b"source: " + b"x" * 10_000_000,
    "10 MB of signs": b"source: [" + b"0," * 5_000_000 + b"0]",
    "larger than any": b"#" * 21_000_000,
    "NaN": b"source: map.png\ngrid: {dx: .nan, dy: 40, x0: 0, y0: 0}\n",
    "inf": b"source: map.png\ngrid: {dx: 40, dy: .inf, x0: 0, y0: 0}\n",
    "1e308": b"source: map.png\ngrid: {dx: 1.0e+308, dy: 40, x0: 0, y0: 0}\n",
    "tiny": b"source: map.png\ngrid: {dx: 1.0e-300, dy: 1.0e-300, x0: 0, y0: 0}\n",
    "far": b"source: map.png\ngrid: {dx: 40, dy: 46, x0: 1.0e+300, y0: 0}\n",
    "10^4 digits": b"source: map.png\ngrid: {dx: " + b"9" * 10_000 + b", dy: 40}\n",
    "sexagesimal": b"source: map.png\ngrid: {dx: " + b"1:" * 500_000 + b"1}\n",
    "endless level": b"source: map.png\noverrides: {hexes: {A1: {level: .inf}}}\n",
    "python": b"source: !!python/object/apply:os.system [ls]\n",
    "a tag that lies": b"source: map.png\nboard: !!int ''\n",
    "a folder": b"source: .\n",
    "itself": b"source: hexsight.yaml\n",
    "a device": b"source: /dev/zero\n",
    "a pipe": b"source: pipe\n",
    "a pipe as legend": b"source: map.png\nlegend: ./pipe.yaml\n",
}


@pytest.mark.parametrize("name", YAML)
def test_yaml_files(name: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    tiny_project(tmp_path / "p")
    for pipe in ("pipe", "pipe.yaml"):
        os.mkfifo(tmp_path / "p" / pipe)
    project = hostile.write(tmp_path / "p" / "hexsight.yaml", YAML[name])
    refuse(warm, tmp_path, "build", project, "-o", tmp_path / "out", "-q")
    # None can be read as an overlay, as rules or as a legend either: each is tried as one.
    kind = list(YAML).index(name) % 3
    if kind == 2:
        legend = ("--legend", project, "-o", tmp_path / "out", "-q")
        refuse(warm, tmp_path, "build", tmp_path / "p" / "map.png", *legend)
    else:
        refuse(warm, tmp_path, "los", board, "A1", "C3", ("--overlay", "--rules")[kind], project)


OVERLAYS: dict[str, bytes] = {
    "empty": b"",
    "many": b"smoke: [" + b"A1," * 30_000 + b"A1]",
    "rubble everywhere": b"rubble: [{hex: B2, into: [" + b"A1," * 50_000 + b"A1]}]",
    "NUL": b'smoke: ["\\0"]',
    "number": b"smoke: [" + b"9" * 90 + b"]",
    "NaN": b"smoke: [{hex: A1, hindrance: .nan}]",
    "date": b"smoke: [2001-01-01]",
    "bytes": b"smoke: [!!binary aGk=]",
    "set": b"smoke: !!set {A1}",
    "units": b"units: [{hex: A1, kind: x}]",
    "teams": b"teams: [{name: a, at: [.nan, 1]}]",
    "discs": b"discs: [{at: [1, 1.0e+308]}]",
}


@pytest.mark.parametrize("name", OVERLAYS)
def test_overlays(name: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    overlay = hostile.write(tmp_path / "o.yaml", OVERLAYS[name])
    refuse(warm, tmp_path, "los", board, "A1", "C3", "--overlay", overlay)
    table = ("table", "build", board, "--overlay", overlay, "-o", tmp_path / "out.lostab", "-q")
    refuse(warm, tmp_path, *table)
    refuse(warm, tmp_path, "los", board, "A1", "C3", "--overlay", overlay, "--rules", "flames")


JSON: dict[str, bytes] = {
    "empty": b"",
    "UTF-16": '{"schema_version": 1}'.encode("utf-16"),
    "another version": b'{"schema_version": 99}',
    "deep": b"[" * 1_000_000,
    "a million mistakes": b'{"hexes":[' + b"0," * 1_000_000 + b"0]}",
    "a million keys": b"{" + b",".join(b'"%d":0' % k for k in range(1_000_000)) + b"}",
    "a long entry": b'{"hexes":[{"name":[' + b"0," * 1_000_000 + b"0]}]}",
    "NaN": b'{"schema_version": NaN}',
    "10^4 digits": b'{"schema_version": ' + b"9" * 10_000 + b"}",
    "half a character": b'{"name": "\\ud800"}',
}


@pytest.mark.parametrize("name", JSON)
def test_board_files(name: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    hostile.write(tmp_path / "b" / "board.json", JSON[name])
    refuse(warm, tmp_path, "los", tmp_path / "b", "A1", "C3")
    refuse(warm, tmp_path, "charts", tmp_path / "b", "-o", tmp_path / "out.html")
    baseline = ("--baseline", tmp_path / "b" / "board.json")
    refuse(warm, tmp_path, "check", board, "-q", *baseline, codes=(2, 3))


@pytest.mark.parametrize("name", [n for n in hostile.PICTURES if "PNG" in n or n == "empty"])
def test_rasters_of_a_board(name: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    for file in board.iterdir():
        hostile.write(tmp_path / "b" / file.name, file.read_bytes())
    hostile.write(tmp_path / "b" / "terrain.png", hostile.PICTURES[name]())
    refuse(warm, tmp_path, "los", tmp_path / "b", "A1", "C3", codes=(3,))


def _table(version: int, count: int, names_bytes: int, flags: int = 1) -> bytes:
    head = HEADER.pack(
        b"LOSTAB\x1a\n", version, flags, count, names_bytes, bytes(32), bytes(32), bytes(32)
    )
    return head + bytes(64)


TABLES: dict[str, bytes] = {
    "empty": b"",
    "only its sign": b"LOSTAB\x1a\n",
    "half a head": b"LOSTAB\x1a\n" + bytes(40),
    **{
        f"format {v}, {c} Locations, {n} bytes of names": _table(v, c, n)
        for v in (1, 2, 65_535)
        for c in (0, 2, 2**32 - 1)
        for n in (16, 2**64 - 1)
    },
    "absurd classes": _table(2, 2, 16)[: HEADER.size] + struct.pack("<IIQ", 2**32 - 1, 2**31, 0),
}


@pytest.mark.parametrize("name", [*TABLES, "cut off", "too long", "another byte"])
def test_tables(name: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    good = (board / "los.lostab").read_bytes()
    more = {
        "cut off": good[:-5],
        "too long": good + b"x",
        "another byte": good[:200] + b"\xff" + good[201:],
    }
    path = hostile.write(tmp_path / "t.lostab", {**TABLES, **more}[name])
    refuse(warm, tmp_path, "table", "query", path, "A1", "A2", codes=(3,))
    refuse(warm, tmp_path, "charts", board, "--table", path, "-o", tmp_path / "out.html")


COMMANDS = (
    "build {x} -o {o} -q",
    "grid {x} --picture {o}",
    "new {x} -o {o} -q",
    "check {x} -q",
    "convert {x} -o {o} -q",
    "export {x} {b} -o {o}",
    "charts {b} --into {x} -o {o}",
    "charts {b} -o {o} --table {x}",
    "los {x} A1 C3",
    "los {b} A1 C3 --overlay {x}",
    "los {b} A1 C3 --rules {x}",
    "render {b} -o {o} --map {x}",
    "render {b} -o {o} --truth {x}",
    "table query {x} A1 A2",
    "table build {b} -o {o} --overlay {x} -q",
    "check {b} -q --baseline {x}",
    "check {b} -q --profile {x}",
    "merge {x} -o {o}",
)


@pytest.mark.parametrize("what", ["a pipe", "/dev/zero", "a folder named like a file", "a loop"])
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_file(what: str, command: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    if what.startswith("/"):
        path = Path(what)
    elif what == "a pipe":
        os.mkfifo(path := tmp_path / "x.vmod")
    elif what == "a loop":
        (path := tmp_path / "x.vmod").symlink_to("x.vmod")
    else:
        (path := tmp_path / "x.vmod").mkdir()
    words = command.format(x=path, o=tmp_path / "out", b=board).split()
    refuse(warm, tmp_path, *words)


WRITERS = (
    "table build {b} -o {o} --force -q",
    "render {b} -o {o} --force -q",
    "los {b} A1 C3 --picture {o} --force",
    "charts {b} -o {o} --force -q",
    "export {m} --remove -o {o} --force -q",
)


def _old(command: str) -> bytes:
    """What an earlier run of the command may have left."""
    if command.startswith("table"):
        return b"LOSTAB\x1a\nold"
    if command.startswith("charts"):
        return b"<!DOCTYPE html><p>old"
    return hostile.zipped() if command.startswith("export") else hostile.PLAIN


@pytest.fixture(scope="module")
def exported(warm: Warm, board: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module with tables in it, large enough not to fit on a small disk."""
    folder = tmp_path_factory.mktemp("exported")
    noise = hashlib.shake_256(b"noise").digest(200_000)
    build = f'<VASSAL.build.GameModule name="t" version="1">{hostile.board()}{hostile.TAIL}'
    manifest = b'{"format_version": 1, "boards": []}'
    members = (("hexsight/manifest.json", manifest), ("noise", noise))
    return hostile.write(folder / "m.vmod", hostile.module(build, *members))


@pytest.mark.parametrize("how", ["no room", "a limit of the system"])
@pytest.mark.parametrize("command", WRITERS[:4])
def test_a_full_disk(
    how: str, command: str, warm: Warm, board: Path, exported: Path, tmp_path: Path
) -> None:
    target = hostile.write(tmp_path / "o.png", _old(command))
    if not command.startswith(("render", "los")):
        target = target.rename(tmp_path / "o")
    words = command.format(b=board, m=exported, o=target).split()
    # The message itself must fit into the file that it is read from.
    full = {"full_at": 0} if how == "no room" else {"largest_file": 600}
    before = digest(tmp_path)
    # Unbounded: the cache of compiled code has no room either, so that it is made anew.
    done = warm.run(*words, **full, bounded=False)
    assert done.code == 5, done.err
    lines = done.err.strip().splitlines()
    assert len(lines) == 1 and ("No space left" in lines[0] or "File too large" in lines[0])
    assert digest(tmp_path) == before


@pytest.mark.parametrize("command", WRITERS[:4])
def test_a_link_as_output_is_followed(
    command: str, warm: Warm, board: Path, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    real = hostile.write(tmp_path / "real" / "file.png", _old(command))
    link = tmp_path / ("o.png" if command.startswith(("render", "los")) else "o")
    link.symlink_to(real)
    done = warm.run(*command.format(b=board, o=link).split(), bounded=False)
    assert done.code == 0, done.err
    assert link.is_symlink() and real.read_bytes() != _old(command)
    assert sorted(p.name for p in tmp_path.rglob("*")) == sorted([link.name, "file.png", "real"])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.parametrize("command", WRITERS[:4])
def test_a_folder_that_is_read_only(command: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    folder = tmp_path / "shut"
    target = hostile.write(folder / "o.png", _old(command))
    folder.chmod(0o500)
    try:
        done = warm.run(*command.format(b=board, o=target).split())
    finally:
        folder.chmod(0o700)
    assert_refused(done, codes=(5,))
    assert target.read_bytes() == _old(command)


@pytest.mark.parametrize("command", WRITERS[:4])
def test_a_folder_as_output(command: str, warm: Warm, board: Path, tmp_path: Path) -> None:
    (tmp_path / "o.png").mkdir()
    done = warm.run(*command.format(b=board, o=tmp_path / "o.png").split())
    assert_refused(done, codes=(2, 5))
    assert list((tmp_path / "o.png").iterdir()) == []
