"""The whole way on the project's own samples: what is found is what was drawn."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hexsight import pipeline
from hexsight.cli import run
from hexsight.model.board import Board
from hexsight.model.errors import OutputError, UsageError
from hexsight.model.overrides import HexOverride, Overrides
from hexsight.model.store import load_board
from hexsight.pipeline import extract_board, requests_for
from hexsight.reading import Request, legend_notice, read
from hexsight.samples import write_samples

SAMPLES = ("red-factory", "sideways-mill")
BOARD_FILES = [
    "board.json",
    "elevation.png",
    "findings.json",
    "los.lostab",
    "overlay.png",
    "terrain.png",
]
TITLES = {"red-factory": "Red Factory", "sideways-mill": "Sideways Mill"}


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


@pytest.fixture(scope="session", params=SAMPLES)
def drawn(request: pytest.FixtureRequest, samples: Path) -> tuple[dict, Board, np.ndarray]:
    """Truth, board found in the module's picture, and the drawn raster."""
    truth = json.loads((samples / f"{request.param}.truth.json").read_text())
    asked = Request(samples / "red-factory.vmod", TITLES[request.param])
    board = extract_board(asked).board
    raster = np.asarray(Image.open(samples / f"{request.param}.terrain.png"))
    return truth, board, raster


def names(truth: dict, fact: str) -> set[str]:
    return {h["name"] for h in truth["hexes"] if h[fact]}


def on_truth(truth: dict, found: set[str]) -> set[str]:
    """Found hexes that were drawn: VASSAL names hexes on margins too, where none is."""
    return found & {h["name"] for h in truth["hexes"]}


def test_the_grid_is_where_it_was_drawn(drawn):
    truth, board, _ = drawn
    for h in truth["hexes"]:
        found = board.hex(h["name"])
        assert np.hypot(found.x_px - h["centre_px"][0], found.y_px - h["centre_px"][1]) < 0.5


def test_buildings(drawn):
    truth, board, raster = drawn
    assert on_truth(truth, {h.name for h in board.hexes if h.building}) == names(truth, "building")
    drawn_mask = np.isin(raster, [40, 41, 42, 47, 48, 50, 51, 52, 57, 58, 170, 171, 172, 173])
    kinds = ("building", "factory", "roofless", "interior-wall", "rowhouse-wall")
    found_mask = board.catalogue.table(kind=frozenset(kinds))[board.terrain]
    iou = (drawn_mask & found_mask).sum() / (drawn_mask | found_mask).sum()
    assert iou > 0.95


def test_factories_and_heights(drawn):
    truth, board, _ = drawn
    assert {h.name for h in board.hexes if h.factory} == names(truth, "factory")
    for h in truth["hexes"]:
        if h["building"]:
            assert board.hex(h["name"]).height_half == h["height_half"], h["name"]
    entrances = {h.name for h in board.hexes if h.vehicular_entrance}
    assert entrances == names(truth, "vehicular_entrance")


def test_bars_and_the_vertices_they_reach(drawn):
    truth, board, _ = drawn
    expected = {frozenset(b["hexside"].split("-")): b for b in truth["bars"]}
    found = {frozenset((s.a, s.b)): s for s in board.hexsides if s.bar}
    assert found.keys() == expected.keys()
    for sides, bar in expected.items():
        reached = {frozenset(v.split("-")) for v in found[sides].vertices}
        assert reached == {frozenset(v.split("-")) for v in bar["vertices"]}, bar["hexside"]


def test_roofless_hexes(drawn):
    truth, board, _ = drawn
    assert {h.name for h in board.hexes if h.roofless} == names(truth, "roofless")


def test_stairwells(drawn):
    truth, board, _ = drawn
    assert {h.name for h in board.hexes if h.stairwell} == names(truth, "stairwell")


def test_walls_and_hedges(drawn):
    truth, board, _ = drawn
    for kind, code in (("walls", 72), ("hedges", 73)):
        expected = {frozenset(s.split("-")) for s in truth[kind]}
        assert {frozenset((s.a, s.b)) for s in board.hexsides if s.terrain == code} == expected


def build(samples: Path, out: Path) -> int:
    """Exit code of a build of both samples."""
    module = str(samples / "red-factory.vmod")
    return run(["build", module, "-o", str(out), "--quiet"])


@pytest.fixture(scope="session")
def built(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("built") / "out"
    assert build(samples, out) == 0
    return out


def test_build_writes_everything_and_touches_nothing(samples, built):
    before = (samples / "red-factory.vmod").read_bytes()
    assert sorted(p.name for p in built.iterdir()) == [
        "build.json",
        "red-factory",
        "red-factory.vmod",
        "sideways-mill",
    ]
    for folder in (built / "red-factory", built / "sideways-mill"):
        assert sorted(p.name for p in folder.iterdir()) == BOARD_FILES
        load_board(folder)
    write_samples(samples.parent / "again")
    assert (samples / "red-factory.vmod").read_bytes() == before


def test_the_module_is_the_old_one_and_the_tables(samples, built):
    with (
        zipfile.ZipFile(samples / "red-factory.vmod") as old,
        zipfile.ZipFile(built / "red-factory.vmod") as new,
    ):
        assert new.testzip() is None
        kept = old.namelist()
        assert new.namelist()[: len(kept)] == kept
        for name in kept:
            assert new.read(name) == old.read(name)
            assert new.getinfo(name).date_time == old.getinfo(name).date_time
        added = set(new.namelist()) - set(kept)
        tables = sorted(n for n in added if n.endswith(".lostab"))
        assert len(tables) == 2
        for name in tables:
            folder = built / Path(name).stem
            assert new.read(name) == (folder / "los.lostab").read_bytes()


def test_overrides_must_say_which_of_several_boards(samples):
    said = Overrides({"A1": HexOverride(terrain="Woods")})
    request = Request(samples / "red-factory.vmod", overrides=said)
    with pytest.raises(UsageError, match=r"board: NAME.*Red Factory, Sideways Mill"):
        requests_for(request)


def test_the_same_build_gives_the_same_bytes(samples, built, tmp_path):
    out = tmp_path / "again"
    assert build(samples, out) == 0
    first = {p.relative_to(built): _hash(p) for p in built.rglob("*") if p.is_file()}
    second = {p.relative_to(out): _hash(p) for p in out.rglob("*") if p.is_file()}
    assert first == second


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_smaller_build_takes_away_what_the_larger_one_wrote(samples, built, tmp_path):
    out = tmp_path / "v"
    shutil.copytree(built, out)
    (out / "sideways-mill" / "notes.txt").write_text("mine")
    module = samples / "red-factory.vmod"
    pipeline.build(Request(module, "Red Factory"), out, overwrite=True)
    assert sorted(p.name for p in out.iterdir()) == sorted(
        [*BOARD_FILES, "build.json", "red-factory.vmod", "sideways-mill"]
    )
    assert [p.name for p in (out / "sideways-mill").iterdir()] == ["notes.txt"]


def test_a_larger_build_takes_away_what_the_smaller_one_wrote(samples, built, tmp_path):
    out = tmp_path / "v"
    shutil.copytree(built / "red-factory", out)
    earlier = json.loads((built / "build.json").read_text())
    # As it was written before there was a list of files.
    del earlier["files"], earlier["boards"][1]
    earlier["boards"][0]["folder"] = "."
    (out / "build.json").write_text(json.dumps(earlier))
    (out / "notes.txt").write_text("mine")
    module = samples / "red-factory.vmod"
    pipeline.build(Request(module), out, overwrite=True)
    names = ["build.json", "notes.txt", "red-factory", "red-factory.vmod", "sideways-mill"]
    assert sorted(p.name for p in out.iterdir()) == names


def test_a_build_that_fails_takes_nothing_away(samples, built, tmp_path, monkeypatch):
    out = tmp_path / "v"
    shutil.copytree(built, out)
    before = set(out.rglob("*"))

    def fail(*_args: object, **_kwargs: object) -> None:
        raise OutputError("The disk is full.")

    monkeypatch.setattr(pipeline, "write_table", fail)
    with pytest.raises(OutputError, match="full"):
        pipeline.build(Request(samples / "red-factory.vmod", "Red Factory"), out, overwrite=True)
    assert before <= set(out.rglob("*"))


@pytest.mark.parametrize(
    "named",
    [
        "../board.json",
        "a/../../board.json",
        "a/b/board.json",
        "/board.json",
        "notes.txt",
        "",
    ],
)
def test_a_build_file_can_name_nothing_that_no_build_writes(named):
    text = {
        "schema_version": 1,
        "tool_version": "1",
        "boards": [],
        "files": [named, "a/board.json"],
    }
    assert pipeline._Earlier.model_validate(text).paths() == (Path("a/board.json"),)


def test_nothing_is_removed_through_a_link_and_never_the_source(tmp_path):
    out, other = tmp_path / "v", tmp_path / "other"
    for folder in (out / "a", other):
        folder.mkdir(parents=True)
        (folder / "board.json").write_text("{}")
    (out / "terrain.png").write_text("the source")
    (out / "b").symlink_to(other)
    stale = [out / "a" / "board.json", out / "b" / "board.json", out / "terrain.png"]
    pipeline._remove(out, stale, out / "terrain.png")
    assert sorted(p.name for p in out.iterdir()) == ["b", "terrain.png"]
    assert (other / "board.json").exists()


@pytest.fixture
def unread(monkeypatch):
    """No picture may be read."""

    def fail(*_args: object, **_kwargs: object) -> None:
        raise AssertionError("the picture was read")

    monkeypatch.setattr(pipeline, "extract_board", fail)


@pytest.mark.parametrize("name", ["board.json", "terrain.png", "los.lostab", "red-factory.vmod"])
def test_what_no_build_made_is_refused_before_the_picture_is_read(samples, tmp_path, unread, name):
    (tmp_path / name).write_text("mine")
    with pytest.raises(OutputError, match=r"already. Add --force"):
        pipeline.build(Request(samples / "red-factory.vmod", "Red Factory"), tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_a_build_file_of_another_tool_is_not_replaced(samples, tmp_path, unread):
    (tmp_path / "build.json").write_text('{"scripts": {}}')
    with pytest.raises(OutputError, match="not written by hexsight"):
        pipeline.build(
            Request(samples / "red-factory.vmod", "Red Factory"), tmp_path, overwrite=True
        )


def test_a_picture_that_bears_the_name_of_an_output_is_not_written_over(tmp_path, unread):
    picture = tmp_path / "overlay.png"
    Image.new("RGB", (8, 8)).save(picture)
    with pytest.raises(OutputError, match="over the input"):
        pipeline.build(Request(picture), tmp_path, overwrite=True)


def test_a_preset_that_was_not_made_for_a_map_is_told(samples):
    request = Request(samples / "red-factory.vmod", "Red Factory")
    reading = read(request)
    assert legend_notice(request, reading, "samples") == ""
    # The inks of another game.
    other = replace(reading, rgb=np.ascontiguousarray(reading.rgb[..., ::-1]))
    told = legend_notice(request, other, "samples")
    assert "'samples' fits Red Factory in red-factory.vmod badly" in told
    assert legend_notice(replace(request, legend="samples"), other, "samples") == ""
