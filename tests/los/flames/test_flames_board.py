"""Measured rules on a board: scale, heights, overlay files, answers by name, pictures."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from painted import Painted
from PIL import Image

from hexsight import cli
from hexsight.export.picture_measured import draw_measured
from hexsight.los.engine import ask, seen_from, table_of
from hexsight.los.flames.answers import end_of, scene_under
from hexsight.los.flames.scene import scene_of
from hexsight.los.flames.state import Team
from hexsight.los.overlay import Overlay
from hexsight.los.rulesets import load_rules
from hexsight.los.words import headline
from hexsight.measured import measured_drawing
from hexsight.model.board import Board
from hexsight.model.derive import derive
from hexsight.model.errors import UsageError
from hexsight.model.layout import Layout
from hexsight.model.openings import OpeningOverride
from hexsight.model.overrides import HexOverride, Overrides
from hexsight.model.store import save_board
from hexsight.overlayfile import load_overlay
from hexsight.samples import write_samples

RULES = load_rules("flames")
TEXT = """\
teams:
  - {name: Rifles, side: allies, at: [265, 197], facing_deg: 180}
  - {name: MG, side: axis, unit: 1st, at: [285, 345]}
  - {name: Gun, side: axis, kind: gun, unit: 1st, at: [480, 260], base: [5cm, 2in]}
  - {name: Sherman, side: allies, kind: tank, at: [60, 250], facing_deg: 90}
  - {name: Panther, side: axis, kind: tank, at: [300, 285], facing_deg: 270}
discs:
  - {firer: Sherman, target: Panther}
  - {at: [100, 100], side: axis}
"""


@pytest.fixture(scope="module")
def board() -> Board:
    """Two houses above each other, 5 inches apart, with openings to the lane between."""
    paint = Painted(12, 9, layout=Layout.from_grid(51.96, 60, 40, 40))
    paint.box(200, 120, 330, 210).box(230, 330, 340, 430)
    said = [{"at": [265, 212], "width": 30}, {"at": [280, 328], "width": 50, "level": 0}]
    openings = tuple(OpeningOverride.model_validate(o) for o in said)
    return derive(paint.survey(name="lane"), Overrides(openings=openings))


@pytest.fixture(scope="module")
def overlay(board, tmp_path_factory) -> Overlay:
    file = tmp_path_factory.mktemp("overlay") / "turn.yaml"
    file.write_text(TEXT, "utf-8")
    return load_overlay(file, board, RULES)


def test_the_scale_of_the_map(board):
    """20 px an inch; houses, openings and their heights in inches."""
    scene = scene_of(board, RULES)
    first = scene.houses[0]
    assert first.shape.area == pytest.approx(130 * 90 / 400, rel=0.03)
    assert first.top == board.buildings[0].height_half / 2 * 2
    assert scene.gaps[0].width == pytest.approx(1.5, abs=0.01)
    assert scene_of(board, RULES, pixels_per_inch=10).gaps[0].width == pytest.approx(3, abs=0.01)


def test_through_two_openings(board, overlay):
    """003 22.1: with the places of both openings among the reasons."""
    answer = ask(board, "Rifles", "MG", RULES, overlay)
    assert answer.state == "clear"
    assert [r.code for r in answer.reasons] == ["opening", "opening"]
    assert answer.reasons[0].pixel[1] == pytest.approx(210.5, abs=1)
    assert answer.reasons[1].pixel[1] == pytest.approx(329.5, abs=1)
    assert ask(board, "MG", "Rifles", RULES, overlay).state == "clear"


def test_behind_smoke(board, overlay):
    """003 7.1: Concealed and Gone to Ground, for defensive fire only Concealed."""
    answer = ask(board, "Sherman", "Panther", RULES, overlay)
    assert (answer.state, answer.hindrance) == ("hindered", 2)
    assert answer.notes["concealed"] and answer.notes["gone_to_ground"]
    assert answer.by_class["defensive-fire"].hindrance == 1
    assert headline(answer).endswith("(9.76 in), Concealed and Gone to Ground")
    defensive = ask(board, "Sherman", "Panther", RULES, overlay, "defensive-fire")
    assert defensive.hindrance == 1 and not defensive.notes["gone_to_ground"]
    assert defensive.to_json()["observer"] == "defensive-fire"


def test_points_and_hexes_are_ends_too(board, overlay):
    assert ask(board, "60,250", "600,250", RULES).state == "clear"
    assert ask(board, "265,60", "265,500", RULES).reasons[0].code == "building"
    assert ask(board, "265,209", "285,331", RULES).state == "clear"
    assert ask(board, "265,205", "285,331", RULES).reasons[0].code == "no-opening"
    assert ask(board, "A1", "Sherman", RULES, overlay).state == "clear"
    assert ask(board, "a1", "l9", RULES).to_name == "L9"


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ("Tiger", "MG", "no team 'Tiger'"),
        ("9999,1", "MG", "not on lane"),
        ("MG", "MG", "cannot look at itself"),
    ],
)
def test_ends_that_are_none(board, overlay, a, b, told):
    with pytest.raises(UsageError, match=told):
        ask(board, a, b, RULES, overlay)


def test_observers_are_checked(board):
    for asked in (ask, lambda *a, observer: seen_from(*a[:2], *a[3:], observer=observer)):
        with pytest.raises(UsageError, match="no observer 'tank'"):
            asked(board, "A1", "B2", RULES, observer="tank")


def test_all_that_is_seen(board, overlay):
    """Teams first, then the middle of every hex but the viewer's own."""
    view = seen_from(board, "Sherman", RULES, overlay)
    names = [one.name for one in view.seen]
    assert names[:4] == ["Rifles", "MG", "Gun", "Panther"]
    assert len(names) == 4 + len(board.hexes)
    state = {one.name: one.state for one in view.seen}
    assert state["Panther"] == "hindered"
    within = next(h.name for h in board.hexes if abs(h.x_px - 285) < 30 and abs(h.y_px - 380) < 35)
    one = next(o for o in view.seen if o.name == within)
    assert (one.state, one.code, one.rule) == ("blocked", "inside", "Buildings p.108")


def test_there_is_no_table(board):
    with pytest.raises(UsageError, match="measure from base to base and have no table"):
        table_of(board, RULES)


def test_heights_of_the_ground(board):
    """003 20.2: a hill of the map lifts what stands on it, houses too."""
    hill = {name: HexOverride(level=4) for name in ("A1", "A2", "B1", "B2")}
    paint = Painted(12, 9, layout=Layout.from_grid(51.96, 60, 40, 40)).box(200, 120, 330, 210)
    survey = paint.survey(name="hill")
    raised = survey.elevation_half.copy()
    raised[:110, :110] = 20
    lifted = derive(replace(survey, elevation_half=raised), Overrides(hill))
    far, low = "600,300", "60,60"
    assert ask(derive(survey), low, far, RULES).state == "blocked"
    assert ask(lifted, low, far, RULES).state == "clear"
    assert end_of(scene_under(lifted, RULES, None), low).eye == 20.75


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("teams:\n  - {name: a}\n", "line 2: the key 'at' is missing"),
        ("teams:\n  - {name: a, at: [1, 1], kind: horse}\n", "line 2: teams, entry 1, kind"),
        (
            "teams:\n  - {name: a, at: [1, 1]}\n  - {name: b, at: [9999, 1]}\n",
            "line 3:.*not on lane",
        ),
        ("teams:\n  - {name: a, at: [1, 1], level: 1}\n", "line 2:.*stands in no building"),
        ("teams:\n  - {name: a, at: [1, 1], base: 2 feet}\n", "line 2:.*no length"),
        ("discs:\n  - {firer: a, target: b}\n", "line 2: There is no team 'a'"),
        ("discs:\n  - {at: [1, 1], firer: a, target: b}\n", "line 2:.*write"),
        ("discs:\n  - {at: [.inf, 1]}\n", "line 2"),
        ("smoke: [A1]\n", "line 1: the rules flames know no smoke. They know discs, teams"),
        (
            "teams:\n  - {name: a, at: [1, 1], side: x}\n  - {name: b, at: [9, 9], side: x}\n"
            "discs:\n  - {firer: a, target: b}\n",
            "line 5:.*on one side",
        ),
    ],
)
def test_mistakes_in_overlays_are_told_with_their_line(board, tmp_path, text, told):
    file = tmp_path / "turn.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=told):
        load_overlay(file, board, RULES)


def test_two_teams_of_one_name(board):
    twice = Overlay(teams=(Team("a", (1, 1)), Team("a", (9, 9))))
    with pytest.raises(UsageError, match="Two teams are called 'a'"):
        ask(board, "a", "A1", RULES, twice)


def test_asl_knows_no_teams(board, tmp_path):
    file = tmp_path / "turn.yaml"
    file.write_text(TEXT, "utf-8")
    with pytest.raises(UsageError, match="line 1: the rules asl know no teams"):
        load_overlay(file, board)


@pytest.mark.parametrize(("a", "b"), [("Sherman", "Panther"), ("Sherman", "Gun"), ("A1", "3,400")])
def test_pictures(board, overlay, a, b):
    rgb = np.full((*board.terrain.shape, 3), 180, np.uint8)
    answer = ask(board, a, b, RULES, overlay)
    drawing = measured_drawing(board, answer, RULES, overlay)
    whole = draw_measured(rgb, board, drawing, crop=False)
    assert whole.shape[0] > rgb.shape[0] and (whole[: rgb.shape[0]] != 180).any()
    assert draw_measured(rgb, board, drawing, scale=2.0).shape[2] == 3


@pytest.fixture(scope="module")
def shelf(board, tmp_path_factory):
    """A board folder, its map, an overlay."""
    folder = tmp_path_factory.mktemp("shelf")
    save_board(board, folder / "lane")
    Image.fromarray(np.full((*board.terrain.shape, 3), 180, np.uint8)).save(folder / "map.png")
    (folder / "turn.yaml").write_text(TEXT, "utf-8")
    return folder


@pytest.fixture
def run(shelf, capsys):
    """Exit code and all output of ``hexsight los`` with the overlay."""

    def ask_it(*words: str) -> tuple[int, str]:
        overlay = ["--rules", "flames", "--overlay", str(shelf / "turn.yaml")]
        code = cli.run(["los", str(shelf / "lane"), *overlay, *words])
        told = capsys.readouterr()
        return code, told.out + told.err

    return ask_it


def test_the_command(run):
    code, out = run("Sherman", "Panther")
    assert code == 0
    assert "Concealed and Gone to Ground" in out and "Effect of Smoke p.152" in out
    code, out = run("Sherman", "Panther", "--json", "--observer", "defensive-fire")
    assert code == 0
    said = json.loads(out)
    assert said["notes"]["concealed"] and not said["notes"]["gone_to_ground"]
    assert said["state"] == "hindered" and said["hindrance"] == 1


def test_the_command_draws(run, shelf):
    for words in (["Rifles", "MG"], ["60,250", "G4"], ["--from", "Sherman"]):
        target = shelf / f"{len(words[0])}.png"
        code, out = run(
            *words, "--picture", str(target), "--map", str(shelf / "map.png"), "--force"
        )
        assert code == 0, out
        with Image.open(target) as picture:
            assert picture.width > 50


def test_the_command_tells_what_is_wrong(run):
    code, out = run("Tiger", "Panther")
    assert code == 2 and "no team 'Tiger'" in out
    code, out = run("Rifles", "Panther", "--observer", "pilot")
    assert code == 2 and "no observer 'pilot'" in out


def test_a_build_makes_no_table_and_no_module(tmp_path, capsys):
    """Board, findings and picture are there, to be asked."""
    write_samples(tmp_path)
    out, project = tmp_path / "out", tmp_path / "hexsight.yaml"
    project.write_text("source: red-factory.vmod\nboard: Sideways Mill\nrules: flames\n", "utf-8")
    assert cli.run(["build", str(project), "-o", str(out)]) == 0
    assert "no table, since its rules measure" in capsys.readouterr().out
    have = {p.name for p in out.iterdir()}
    assert {"board.json", "findings.json", "overlay.png"} < have
    assert "los.lostab" not in have and not any(n.endswith(".vmod") for n in have)
    assert cli.run(["los", str(out), "60,60", "60,90", "--rules", "flames"]) == 0
