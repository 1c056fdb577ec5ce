"""The companion's classes on a Java machine: what they read and answer."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from companion_java import Java, java_of
from stock_game import members
from test_stock_boards import wrap

from hexsight.cli import run
from hexsight.export.companion import (
    COMPANION_FOLDER,
    board_slugs,
    check_smoke,
    class_files,
)
from hexsight.export.stock_sayings import saying
from hexsight.los.compile import compile_board
from hexsight.los.explain import explain_compiled
from hexsight.los.overlay import Overlay, Smoke
from hexsight.los.overlay_table import overlay_table
from hexsight.los.profile import load_profile
from hexsight.los.table import Table, build_table, write_table
from hexsight.model.board import Board
from hexsight.model.errors import UsageError
from hexsight.model.layout import hex_distance
from hexsight.model.store import save_board
from hexsight.pipeline import extract_board
from hexsight.reading import Request
from hexsight.samples import write_samples

PAIRS = 2000
PROFILE = load_profile("asl")
TITLES = ("Red Factory", "Sideways Mill")


@dataclass(frozen=True)
class Said:
    """One answer of the companion."""

    blocked: bool
    hindrance: int
    range: int
    at: int
    a: str
    b: str
    text: str


@dataclass(frozen=True)
class Made:
    """A board, and what an export wrote for the companion."""

    board: Board
    table: Table
    module: Path
    folder: Path

    @property
    def slug(self) -> str:
        return board_slugs([self.board.name])[0]

    def ask(self, java: Java, questions: list[str]) -> list[Said]:
        """Answers; each question is two numbers and smoke."""
        name = self.board.name
        given = "".join(f"{name}\t{q}\n" for q in questions)
        out = []
        for line in java.run("Asker", str(self.folder), self.slug, given=given):
            f = line.split("\t")
            out.append(Said(f[0] == "1", int(f[1]), int(f[2]), int(f[3]), *f[4:]))
        return out


def make(board: Board, module: Path, folder: Path) -> Made:
    """Everything for one board of a module."""
    table = build_table(board, PROFILE)
    result, out = folder / "result", folder / "out.vmod"
    save_board(board, result)
    write_table(table, result / "los.lostab")
    arguments = ["export", "-q", str(module), str(result), "--companion", "-o", str(out)]
    assert run(arguments) == 0
    with zipfile.ZipFile(out) as archive:
        for name in archive.namelist():
            if name.startswith(COMPANION_FOLDER):
                (folder / Path(name).name).write_bytes(archive.read(name))
    return Made(board, table, module, folder)


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Java:
    return java_of(tmp_path_factory)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Made]:
    folder = tmp_path_factory.mktemp("companion")
    write_samples(folder)
    module = folder / "red-factory.vmod"
    return {
        title: make(extract_board(Request(module, title)).board, module, folder / title[:3])
        for title in TITLES
    }


def random_pairs(made: Made, count: int, seed: int) -> list[tuple[int, int]]:
    rng = np.random.default_rng(seed)
    return [(int(i), int(j)) for i, j in rng.integers(0, len(made.table.names), (count, 2))]


def check_pairs(made: Made, java: Java) -> None:
    """All that is said of random pairs is what the table says, and where, on the line."""
    pairs = random_pairs(made, PAIRS, 2026)
    answers = made.ask(java, [f"{i}\t{j}" for i, j in pairs])
    assert len(answers) == PAIRS
    compiled = compile_board(made.board, PROFILE)
    explained = 0
    for (i, j), said in zip(pairs, answers, strict=True):
        a, b = made.table.names[i], made.table.names[j]
        entry = made.table.query(a, b)
        assert (said.a, said.b) == (a, b)
        assert said.blocked == (entry.state == "blocked")
        assert said.hindrance == entry.hindrance
        one, two = (made.board.by_name[n.partition("@")[0]] for n in (a, b))
        assert said.range == hex_distance((one.col, one.row), (two.col, two.row))
        if not said.blocked:
            assert said.text == saying(False, entry.hindrance, "", "", "")
            assert said.at == -1
        elif one is not two and explained < 60:
            explained += 1
            reasons = explain_compiled(compiled, a, b).reasons
            assert said.text in {
                saying(True, 0, r.code, r.text, r.hexside or r.vertex or r.hex or "")
                for r in reasons
            }
            assert -1 <= said.at <= 1000
    assert explained == 60


@pytest.mark.parametrize("title", TITLES)
def test_says_what_the_table_says(samples: dict[str, Made], java: Java, title: str) -> None:
    check_pairs(samples[title], java)


@pytest.mark.shared
def test_says_what_the_table_of_a_real_board_says(shared: Path, tmp_path: Path, java: Java) -> None:
    source = shared / "boards" / "bdRBv2"
    board = extract_board(Request(source, terrain_from="losdata")).board
    made = make(board, wrap(board, tmp_path / "wrapped.vmod"), tmp_path)
    check_pairs(made, java)


def check_clouds(made: Made, java: Java, count: int) -> None:
    """Smoke adds what an overlay of the same smoke does."""
    rng = np.random.default_rng(7)
    clouds = []
    for _ in range(20):
        facts = made.board.hexes[int(rng.integers(len(made.board.hexes)))]
        clouds.append(
            Smoke(
                facts.name,
                int(rng.integers(1, 4)),
                int(rng.choice([2, 4, 8])),
                int(rng.choice([0, 2])),
            )
        )
    given = "".join(
        f"\t{made.board.by_name[c.hex].col} {made.board.by_name[c.hex].row} "
        f"smoke={c.hindrance}/{c.height_half}/{c.base_half}"
        for c in clouds
    )
    truth = overlay_table(made.board, PROFILE, Overlay(smoke=tuple(clouds)), made.table).table
    pairs = random_pairs(made, count, 5)
    changed = 0
    for (i, j), said in zip(
        pairs, made.ask(java, [f"{i}\t{j}{given}" for i, j in pairs]), strict=True
    ):
        entry = truth.at(i, j)
        assert said.blocked == (entry.state == "blocked"), (said, entry)
        assert said.hindrance == entry.hindrance, (said, entry)
        changed += made.table.at(i, j) != entry
    assert changed > count // 50


@pytest.mark.parametrize("title", TITLES)
def test_smoke_counts_as_in_an_overlay(samples: dict[str, Made], java: Java, title: str) -> None:
    check_clouds(samples[title], java, PAIRS)


def test_the_place_lies_on_the_line(samples: dict[str, Made], java: Java) -> None:
    """Walls block where they stand: the share of the way is that of the hexside's middle."""
    made = samples["Red Factory"]
    names = list(made.table.names)
    (said,) = made.ask(java, [f"{names.index('D2')}\t{names.index('D4')}"])
    (back,) = made.ask(java, [f"{names.index('D4')}\t{names.index('D2')}"])
    assert said.blocked
    assert abs(said.at + back.at - 1000) <= 2
    assert said.text == back.text
    assert 0 < said.at < 1000


def test_levels_of_a_hex_by_the_name_that_vassal_gives(
    samples: dict[str, Made], java: Java
) -> None:
    made = samples["Red Factory"]
    several = [n for n in made.table.names if n.endswith("@roof")]
    hex_name = several[0].partition("@")[0]
    given = f"Red Factory\tlevels\t{hex_name}\nRed Factory\tlevels\tnowhere\nElse\tlevels\tx\n"
    lines = java.run("Asker", str(made.folder), made.slug, given=given)
    known = [n for n in made.table.names if n.partition("@")[0] == hex_name]
    assert lines == ["\t".join(known), "", "NOTHING"]


def test_exporting_twice_gives_the_same_bytes_and_removing_none(
    samples: dict[str, Made], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = samples["Red Factory"]
    source, result = str(made.module), str(made.folder / "result")
    first = (made.folder / "out.vmod").read_bytes()
    again_, plain = str(tmp_path / "again.vmod"), str(tmp_path / "plain.vmod")
    over = ["export", "-q", str(made.folder / "out.vmod"), result, "--companion", "-o", again_]
    assert run(over) == 0
    assert (tmp_path / "again.vmod").read_bytes() == first
    assert run(["export", "-q", again_, "--remove", "-o", plain]) == 0
    assert members(tmp_path / "plain.vmod") == members(made.module)
    # Over one another: the companion goes when messages come, and the other way round.
    stock = str(tmp_path / "stock.vmod")
    assert run(["export", "-q", again_, result, "-o", stock, "--max-range", "3"]) == 0
    names = {name for name, *_ in members(tmp_path / "stock.vmod")}
    assert not any(name.startswith(COMPANION_FOLDER) for name in names)
    assert run(["export", "-q", stock, result, "--companion", "-o", again_, "--force"]) == 0
    # The same members; those that come back stand last.
    assert sorted(members(tmp_path / "again.vmod")) == sorted(members(made.folder / "out.vmod"))
    capsys.readouterr()
    dry = ["export", "-q", source, result, "--companion", "-o", plain, "--force", "--dry-run"]
    assert run(dry) == 0
    told = capsys.readouterr().out
    assert "pairs for the companion" in told
    assert f"{COMPANION_FOLDER}LosThread.class" in told
    assert "elements added: 1 LosThread" in told


def test_as_an_extension(samples: dict[str, Made], java: Java, tmp_path: Path) -> None:
    made = samples["Red Factory"]
    target = tmp_path / "los.vmdx"
    arguments = [str(made.module), str(made.folder / "result"), "--companion"]
    assert run(["export", "-q", *arguments, "--extension", str(target)]) == 0
    inside = {name: data for name, _, _, data in members(target)}
    for name, data in class_files().items():
        assert inside[COMPANION_FOLDER + name] == data
    assert b"<hexsight.companion.LosThread " in inside["buildFile.xml"]
    assert (
        inside[COMPANION_FOLDER + "red-factory.lostab"]
        == (made.folder / "red-factory.lostab").read_bytes()
    )


def test_a_build_can_put_it_into_its_module(tmp_path: Path) -> None:
    write_samples(tmp_path)
    (tmp_path / "hexsight.yaml").write_text(
        "source: red-factory.vmod\nboard: Sideways Mill\n"
        "export: {companion: true, picture: false}\n",
        encoding="utf-8",
    )
    result = tmp_path / "result"
    assert run(["build", "-q", str(tmp_path / "hexsight.yaml"), "-o", str(result)]) == 0
    (module,) = result.glob("*.vmod")
    inside = {name: data for name, _, _, data in members(module)}
    assert b"<hexsight.companion.LosThread " in inside["buildFile.xml"]
    # The table of the build, and the companion's own.
    assert (
        inside["hexsight/sideways-mill.lostab"]
        == (inside[COMPANION_FOLDER + "sideways-mill.lostab"])
    )
    plain = tmp_path / "plain.vmod"
    assert run(["export", "-q", str(module), "--remove", "-o", str(plain)]) == 0
    assert members(plain) == members(tmp_path / "red-factory.vmod")


def test_smoke_must_be_understood(samples: dict[str, Made], tmp_path: Path) -> None:
    made = samples["Red Factory"]
    arguments = [str(made.module), str(made.folder / "result"), "--companion"]
    out = ["-o", str(tmp_path / "x.vmod"), "--smoke", "Fog=much"]
    assert run(["export", "-q", *arguments, *out]) == 2
    check_smoke("Smoke; White Phosphorus=2; Upstairs = 3/4/2; ;")
    for wrong in ("=3", "Smoke=", "Smoke=1/2/3/4", "Smoke=x"):
        with pytest.raises(UsageError, match="--smoke"):
            check_smoke(wrong)


def test_levels_and_range_choose_what_is_offered(
    samples: dict[str, Made], java: Java, tmp_path: Path
) -> None:
    made = samples["Red Factory"]
    out = tmp_path / "out.vmod"
    arguments = [str(made.module), str(made.folder / "result"), "--companion", "-o", str(out)]
    short = ["--levels", "0", "--max-range", "2"]
    assert run(["export", "-q", *arguments, *short]) == 0
    with zipfile.ZipFile(out) as archive:
        for name in archive.namelist():
            if name.startswith(COMPANION_FOLDER + made.slug):
                (tmp_path / Path(name).name).write_bytes(archive.read(name))
    few = Made(made.board, made.table, made.module, tmp_path)
    assert java.run("Asker", str(tmp_path), made.slug, given="Red Factory\tlevels\tD2\n") == ["D2"]
    names = list(made.table.names)
    near, far = few.ask(
        java, [f"{names.index(a)}\t{names.index(b)}" for a, b in (("D2", "D4"), ("B10", "Q3"))]
    )
    assert near.text.startswith("blocked by the wall")
    assert far.text == "farther than the table reaches, 2 hexes"
    assert not (tmp_path / f"{made.slug}.lostab").exists()


@pytest.mark.parametrize("places", [True, False])
def test_near_pairs_are_those_of_the_table(
    samples: dict[str, Made], java: Java, tmp_path: Path, places: bool
) -> None:
    made = samples["Red Factory"]
    out = tmp_path / "out.vmod"
    arguments = [str(made.module), str(made.folder / "result"), "--companion", "-o", str(out)]
    plain = [] if places else ["--no-places"]
    assert run(["export", "-q", *arguments, "--max-range", "5", *plain]) == 0
    with zipfile.ZipFile(out) as archive:
        name = f"{made.slug}.losplaces"
        (tmp_path / name).write_bytes(archive.read(COMPANION_FOLDER + name))
    near = Made(made.board, made.table, made.module, tmp_path)
    pairs = random_pairs(made, PAIRS, 12)
    questions = [f"{i}\t{j}" for i, j in pairs]
    far = 0
    for (i, j), said, whole in zip(
        pairs, near.ask(java, questions), made.ask(java, questions), strict=True
    ):
        entry = made.table.at(i, j)
        if said.range > 5:
            far += 1
            assert said.text.startswith("farther than the table reaches")
            continue
        assert (said.blocked, said.hindrance) == (whole.blocked, whole.hindrance)
        assert said.blocked == (entry.state == "blocked")
        if places:
            assert said == whole
        elif said.blocked and entry.reason is not None:
            assert said.text == saying(True, 0, entry.reason.code, entry.reason.text, "")
    assert 0 < far < PAIRS
