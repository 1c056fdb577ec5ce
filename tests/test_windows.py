"""What Windows does otherwise, as far as it can be had elsewhere: names, locks, consoles."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from hexsight.batch_store import slug_of
from hexsight.cli import run
from hexsight.consoles import prepare
from hexsight.export.vassal import board_slugs
from hexsight.model.portable import portable
from hexsight.reading import request_from
from hexsight.samples import write_samples

DEVICES = ("con", "PRN", "aux", "Nul", "com1", "LPT9", "con.vmod", "NUL.tar.gz")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the smaller sample and what was built from it."""
    folder = tmp_path_factory.mktemp("windows")
    write_samples(folder, boards=["sideways-mill"])
    words = ["build", str(folder / "sideways-mill.vmod"), "-o", str(folder / "result"), "-q"]
    assert run(words) == 0
    return folder


@pytest.mark.parametrize("name", DEVICES)
def test_no_file_is_named_after_a_device(name):
    for made in (portable(name), slug_of(name), *board_slugs([name])):
        assert not PureWindowsPath(made).is_reserved(), made
        assert made == made.rstrip(". ")
        assert portable(made) == made


def test_other_names_stay():
    for name in ("console.png", "Main map", "nullify", "com10", "icon", "a.con"):
        assert portable(name) == name
    assert board_slugs(["Con", "con ", "board-con"]) == ["board-con", "board-con-2", "board-con-3"]


def test_names_that_differ_in_letters_only_do_not_clash():
    made = board_slugs(["Town", "TOWN", "town "])
    assert len({name.casefold() for name in made}) == 3
    # The key of an item carries a digest of its exact name.
    assert slug_of("shelf/A.vmod").casefold() != slug_of("shelf/a.vmod").casefold()


def test_names_in_results_are_short(built):
    # 260 characters are the most for a whole path without a setting of the system.
    assert len(slug_of("shelf/" + "x" * 500 + ".vmod")) <= 100
    assert len(board_slugs(["y" * 500])[0]) <= 100


WRITES = {
    "module": ["export", "sideways-mill.vmod", "result", "-o", "old.bin", "--force"],
    "picture": ["render", "result", "-o", "old.bin", "--force"],
    "table": ["table", "build", "result", "-o", "old.bin", "--force"],
    "sheet": ["sheet", "-o", "old.bin", "--force"],
}


@pytest.mark.parametrize("kind", WRITES)
def test_a_target_that_is_open_elsewhere_is_told_and_stays(built, monkeypatch, capsys, kind):
    monkeypatch.chdir(built)
    target = built / "old.bin"
    words = [w for w in WRITES[kind] if w != "--force"]
    target.unlink(missing_ok=True)
    assert run(words) == 0
    before = target.read_bytes()
    files = sorted(p.name for p in built.iterdir())
    capsys.readouterr()

    def locked(source: str, final: str) -> None:
        raise PermissionError(13, "The process cannot access the file", str(final))

    monkeypatch.setattr("hexsight.model.atomic.os.replace", locked)
    assert run(WRITES[kind]) == 5
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Error")]
    assert len(told) == 1
    assert "old.bin" in told[0] and "open" in told[0]
    assert target.read_bytes() == before
    assert sorted(p.name for p in built.iterdir()) == files


SAYS = {
    "los": (["los", "result", "C04", "E06"], False),
    "los --json": (["los", "result", "C04", "E06", "--json"], True),
    "check": (["check", "sideways-mill.vmod", "--quick"], False),
    "check --json": (["check", "sideways-mill.vmod", "--quick", "--json"], True),
    "grid": (["grid", "sideways-mill.png"], False),
    "an error": (["build", "nowhere½→.vmod"], False),
    "help": (["--help"], False),
}


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
@pytest.mark.parametrize("what", SAYS)
def test_a_console_without_all_signs(built, monkeypatch, encoding, what):
    words, is_json = SAYS[what]
    monkeypatch.chdir(built)
    streams = [io.TextIOWrapper(io.BytesIO(), encoding=encoding) for _ in range(2)]
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    code = run(words)
    out, err = (bytes(s.buffer.getvalue()) for s in streams if s.flush() is None)
    monkeypatch.undo()
    # click takes plain ASCII for a mistake of the system and writes UTF-8.
    shown = "utf-8" if encoding == "ascii" else encoding
    assert code == (3 if what == "an error" else 0), err
    if is_json:
        json.loads(out.decode("ascii"))
    elif what == "an error":
        assert err.decode(shown).startswith("Error")
    else:
        assert out.decode(shown).strip()


def test_signs_are_said_in_others():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    prepare(stream)
    stream.write("D2 → D4, 1½ levels, Öde")
    stream.flush()
    assert stream.buffer.getvalue() == b"D2 -> D4, 1 1/2 levels, ?de"
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    prepare(stream, json=True)
    stream.write('{"a": "½→ Ö 🗺"}')
    stream.flush()
    assert json.loads(stream.buffer.getvalue()) == {"a": "½→ Ö 🗺"}
    assert stream.buffer.getvalue().isascii()


def test_a_name_that_is_no_text_is_shown():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    prepare(stream)
    stream.write("map\udcff½")
    stream.flush()
    assert stream.buffer.getvalue() == "map\\udcff½".encode()


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_yaml_as_editors_of_windows_write_it(built, tmp_path, newline, mark):
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "mill.vmod").write_bytes((built / "sideways-mill.vmod").read_bytes())
    lines = ["source: maps\\mill.vmod", "board: Sideways Mill", "overrides:", "  hexes:"]
    lines += ["    C04: {level: ½}", ""]
    text = newline.join(lines).encode()
    (tmp_path / "hexsight.yaml").write_bytes(mark + text)
    request = request_from(tmp_path)
    assert request.source.is_file()
    assert request.overrides.hexes["C04"].level_half == 1


def test_paths_in_projects_have_slashes(built, tmp_path):
    out = tmp_path / "project"
    assert run(["new", str(built / "sideways-mill.vmod"), "-o", str(out), "-q"]) == 0
    text = (out / "hexsight.yaml").read_text(encoding="utf-8")
    source = next(line for line in text.splitlines() if line.startswith("source:"))
    assert "\\" not in source and not PurePosixPath(source.split('"')[1]).is_absolute()


BLOCKED = """
import sys, pkgutil, importlib
import ctypes, asyncio, multiprocessing, multiprocessing.util, tempfile, subprocess, socket, ssl
import numpy, cv2, PIL.Image, shapely, lxml.etree, yaml, pydantic, click, rich.progress
try:
    import distributed, starlette.applications, uvicorn
except ImportError:
    pass
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None
import hexsight
hexsight.__path__ = list(hexsight.__path__)
failed = []
for module in pkgutil.walk_packages(hexsight.__path__, "hexsight."):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            if error.name in ("fcntl", "resource", "pwd", "grp", "termios"):
                failed.append(f"{module.name}: {error}")
print("\\n".join(failed))
"""


def test_only_places_that_say_so_need_what_unix_alone_has():
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )
    # These choose by sys.platform, which cannot be changed from outside.
    allowed = ("hexsight.model.atomic", "hexsight.batch_store", "hexsight.review.lock")
    told = [t for t in done.stdout.splitlines() if t]
    assert all("fcntl" in t for t in told), told
    for module in allowed:
        package, _, name = module.removeprefix("hexsight.").rpartition(".")
        file = Path(__file__).resolve().parent.parent / (package or "hexsight") / f"{name}.py"
        assert 'sys.platform == "win32"' in file.read_text(encoding="utf-8")
