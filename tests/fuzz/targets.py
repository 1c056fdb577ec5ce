"""Every parser of what comes from outside, each as a function of bytes.

A target returns when the input works, and raises a `HexsightError` when it does not.
Anything else that it raises is a crash.  The hypothesis tests, the atheris scripts and
the replay of old crashes all go through here.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

from painted import Painted

from hexsight.export.buildfile import parse_build_file
from hexsight.export.original import open_original
from hexsight.extract.boardarchive import read_board_archive
from hexsight.extract.image import load_picture
from hexsight.extract.legend import load_legend
from hexsight.extract.module import board_hexes, read_module
from hexsight.extract.source import open_any
from hexsight.los.rulesets import load_rules
from hexsight.los.table import build_table, open_table, write_table
from hexsight.model.board import Board
from hexsight.model.derive import derive
from hexsight.model.errors import HexsightError
from hexsight.model.losdata import read_losdata
from hexsight.model.store import board_files, load_board
from hexsight.model.yamlsafe import parse_yaml
from hexsight.overlayfile import load_overlay
from hexsight.project import load_project, override_places
from hexsight.review.api import parse
from hexsight.review.journal import Journal
from hexsight.validators.baseline import read_baseline

Target = Callable[[bytes], object]
_SIZE = (60, 50)


@contextlib.contextmanager
def _file(data: bytes, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        yield path


def _members(*contents: tuple[str, bytes]) -> contextlib.AbstractContextManager[Path]:
    @contextlib.contextmanager
    def folder() -> Iterator[Path]:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as made:
            for name, data in contents:
                path = Path(made) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            yield Path(made)

    return folder()


@lru_cache(maxsize=1)
def small_board() -> Board:
    """What overlays are checked against."""
    return derive(Painted(4, 4).hexes("B2", "B3").survey())


@lru_cache(maxsize=1)
def small_png() -> bytes:
    """A picture for modules and boards that are not about their picture."""
    return board_files(small_board())["terrain.png"]


def module_zip(data: bytes) -> None:
    """A module or board as one file, as it is read and as it is copied."""
    with _file(data, "g.vmod") as path:
        try:
            open_any(path)
        finally:
            with open_original(path) as original:
                for name in original.names[:8]:
                    original.read(name, max_bytes=1 << 20)


def build_file(data: bytes) -> None:
    """A build file, as it is read and as it is edited; every hex of its boards."""
    with contextlib.suppress(HexsightError):
        parse_build_file(data, "x")
    with _members(("buildFile.xml", data), ("images/m.png", small_png())) as path:
        module = read_module(path)
        for board in module.boards[:3]:
            with contextlib.suppress(HexsightError):
                board_hexes(board, _SIZE)


def moduledata(data: bytes) -> None:
    """What a module says of itself."""
    with _members(("buildFile.xml", b"<VASSAL.build.GameModule/>"), ("moduledata", data)) as path:
        read_module(path)


def picture(data: bytes) -> None:
    """A map."""
    load_picture(data, "x", max_pixels=1_000_000)


def metadata(data: bytes) -> None:
    """BoardMetadata.xml, and every hex of its board."""
    with _members(("BoardMetadata.xml", data), ("bdx.png", small_png())) as path:
        archive = read_board_archive(path)
        if archive.size_hexes is None or archive.size_hexes[0] * archive.size_hexes[1] < 10_000:
            archive.hexes(_SIZE)


def losdata(data: bytes) -> None:
    """A LOSData stream."""
    read_losdata(data, max_pixels=1_000_000)


def project(data: bytes) -> None:
    """hexsight.yaml."""
    with _file(data, "hexsight.yaml") as path:
        load_project(path).overrides.overrides(override_places(path))


def yaml(data: bytes) -> None:
    """Any YAML."""
    parse_yaml(data.decode("utf-8", "replace"), "x")


def table(data: bytes) -> None:
    """A LOS table."""
    with _file(data, "t.lostab") as path:
        found = open_table(path, verify=False)
        for a in found.names[:3]:
            found.query(a, found.names[-1])


def overlay(data: bytes) -> None:
    """An overlay, by the rules of each engine."""
    with _file(data, "o.yaml") as path:
        for rules in ("asl", "musket-pike", "modern-platoon", "flames"):
            with contextlib.suppress(HexsightError):
                load_overlay(path, small_board(), load_rules(rules))
        load_overlay(path)


def rules(data: bytes) -> None:
    """A rule profile."""
    with _file(data, "r.yaml") as path:
        load_rules(str(path))


def legend(data: bytes) -> None:
    """A legend."""
    with _file(data, "l.yaml") as path:
        load_legend(str(path))


def board_json(data: bytes) -> None:
    """board.json."""
    files = board_files(small_board())
    others = [(k, v) for k, v in files.items() if k != "board.json"]
    with _members(("board.json", data), *others) as path:
        load_board(path)


def raster(data: bytes) -> None:
    """terrain.png of a board."""
    files = {**board_files(small_board()), "terrain.png": data}
    with _members(*files.items()) as path:
        load_board(path)


def journal(data: bytes) -> None:
    """The journal of the review page; what is no journal is begun anew."""
    with _file(data, ".hexsight-review.jsonl") as path:
        read = Journal(path, b"source: map.png\n")
        text = "source: map.png\n"
        for step in reversed(read.done):
            text = step.back(text)


def baseline(data: bytes) -> None:
    """Accepted findings."""
    read_baseline(data.decode("utf-8", "replace"), "x")


def request(data: bytes) -> None:
    """What a page sends."""
    json.dumps(parse(data))


TARGETS: dict[str, Target] = {
    f.__name__: f
    for f in (
        *(module_zip, build_file, moduledata, picture, metadata, losdata, project, yaml, table),
        *(overlay, rules, legend, board_json, raster, journal, baseline, request),
    )
}


def run(name: str, data: bytes) -> str:
    """Run a target; the sentence of the failure that it told, or nothing.

    Raises
    ------
    BaseException
        Whatever no user should ever see.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            TARGETS[name](data)
        except HexsightError as error:
            assert str(error).strip() and "\n" not in str(error), repr(str(error))
            assert error.exit_code in range(1, 8), error.exit_code
            return str(error)
    return ""


@lru_cache(maxsize=1)
def good_table() -> bytes:
    """A table to spoil."""
    from hexsight.los.profile import load_profile  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.lostab"
        write_table(build_table(small_board(), load_profile(), engine="python"), path)
        return path.read_bytes()
