"""Rules of one's own: a YAML file, a package with a rule file, and docs/games.md itself."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from los_tiny import board as drawn_board

from hexsight.los.engine import ask, seen_from, table_of
from hexsight.los.hexes import profile as schema
from hexsight.los.hexes.profile import profile_from_text
from hexsight.los.overlay import Overlay, Unit
from hexsight.los.rulesets import load_rules, rule_names
from hexsight.model.errors import InputError, UsageError
from hexsight.model.store import save_board
from hexsight.reading import request_from

PAGE = (Path(__file__).parents[3] / "docs" / "games.md").read_text(encoding="utf-8")
HILL = drawn_board(". . .\n.3 w .\n. b .\n. . .\n. . .\n. . .\n")
Run = Callable[..., str]
Offer = Callable[..., None]


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Offer]:
    """Install a package with rules, as pip would."""
    made: list[str] = []

    def one(name: str, source: str, points: dict[str, str], version: str = "1") -> None:
        (tmp_path / f"{name}.py").write_text(source)
        info = tmp_path / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        lines = "".join(f"{key} = {value}\n" for key, value in points.items())
        (info / "entry_points.txt").write_text(f"[hexsight.rules]\n{lines}")
        monkeypatch.syspath_prepend(str(tmp_path))
        made.append(name)

    yield one
    for name in made:
        sys.modules.pop(name, None)


def blocks(language: str) -> dict[str, str]:
    """Code blocks of the page that begin with the name of their file."""
    found = re.findall(rf"```{language}\n# (\S+)\n(.*?)```", PAGE, re.S)
    return dict(found)


def test_the_toy_game_of_the_page(offer: Offer, run: Run, tmp_path: Path):
    """Word for word as it stands there, tried as a new user would."""
    source, project = blocks("python")["fog_game.py"], blocks("toml")["pyproject.toml"]
    assert len(f"{source}{project}".splitlines()) < 40
    points = tomllib.loads(project)["project"]["entry-points"]["hexsight.rules"]
    offer("fog_game", source, points)
    assert "fog" in rule_names()
    save_board(HILL, tmp_path / "hill")
    los = ("los", tmp_path / "hill", "--rules", "fog")
    assert "4.1" in run(*los, "B1", "B4")
    told = json.loads(run(*los, "A2", "A5", "--observer", "guard", "--json"))
    assert told["by_class"] == {"scout": {"state": "clear"}, "guard": {"state": "blocked"}}
    assert told["reasons"][0]["rule"] == "5.2"
    assert run(*los, "A5", "A2", "--observer", "guard").splitlines()[0].endswith("(range 3)")
    table = tmp_path / "t.lostab"
    run("table", "build", tmp_path / "hill", "-o", table, "--rules", "fog", "-q")
    query = ("table", "query", table, "A2", "A5", "--observer")
    assert run(*query, "guard").strip() == "A2 A5: blocked"
    assert run(*query, "scout").strip() == "A2 A5: clear"
    assert "There are no rules 'frog'" in run(
        "los", tmp_path / "hill", "A1", "--rules", "frog", code=2
    )


def test_every_yaml_of_the_page_is_understood():
    """The four lines of one's own, and the overlay."""
    found = re.findall(r"```yaml\n(engine: .*?)```", PAGE, re.S)
    assert len(found) == 1 and profile_from_text(found[0], "games.md").observers == ("unit",)
    assert "units.yaml" in blocks("yaml")


def test_every_key_is_on_the_page():
    """The reference is whole."""
    parts = [getattr(schema, n) for n in dir(schema)]
    models = [m for m in parts if isinstance(m, type) and issubclass(m, schema.Strict)]
    keys = {f.alias or key for m in models for key, f in m.model_fields.items()}
    missing = {key for key in keys if not re.search(rf"[` {{]{key}:", PAGE)}
    assert not missing


def test_rules_by_path_and_in_a_project(run: Run, tmp_path: Path):
    """--rules takes a file; hexsight.yaml one relative to its folder."""
    save_board(HILL, tmp_path / "hill")
    (tmp_path / "rules").mkdir()
    file = tmp_path / "rules" / "mine.yaml"
    file.write_text(
        "engine: hexes\nname: mine\nhexes: [{kinds: [growth], blocks: true, rule: 7}]\n"
    )
    assert "(7, at" in run("los", tmp_path / "hill", "B2", "B4", "--rules", file)
    # A table of rules of one's own is checked with them; unasked nothing is known of it.
    table = tmp_path / "hill" / "los.lostab"
    run("table", "build", tmp_path / "hill", "-o", table, "--rules", file, "-q")
    check = ("check", tmp_path / "hill", "-q", "--only", "los/table-of-other-rules")
    assert "Name its rules with --rules" in run(*check)
    run(*check, "--rules", "generic", code=1)
    assert "No findings" in run(*check, "--rules", file)
    (tmp_path / "hexsight.yaml").write_text("source: x.png\nrules: rules/mine.yaml\n")
    request = request_from(tmp_path / "hexsight.yaml")
    assert load_rules(request.rules).name == "mine"
    assert load_rules("rules/mine.yaml", tmp_path).name == "mine"
    with pytest.raises(InputError, match=r"none\.yaml"):
        load_rules("none.yaml", tmp_path)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("engine: hexes", None, "the key 'name' is missing"),
        ("engine: hexes\nname: x\nhexs: []", 3, "the key 'hexs' is not known"),
        ("engine: hexes\nname: X y", 2, "name"),
        ("engine: hexes\nname: x\nhexes: [{kinds: [forest], blocks: true}]", 3, "kind 'forest'"),
        ("engine: hexes\nname: x\nhexes: [{terrain: [Wods], blocks: true}]", 3, "Did you mean"),
        ("engine: hexes\nname: x\nhexes:\n  - {blocks: true}", 4, "name its terrain or its kinds"),
        ("engine: hexes\nname: x\nhexes:\n  - {kinds: [woods], hinders: 12}", 4, "up to 9"),
        (
            "engine: hexes\nname: x\nhexes:\n  - {kinds: [woods], blocks: true, classes: [foot]}",
            4,
            "no class 'foot' among unit",
        ),
        (
            "engine: hexes\nname: x\nhexes: [{kinds: [woods], hinders: 1}]\n"
            "overlay:\n  smoke: {unit: {through: half}}",
            5,
            "either hinders or halves",
        ),
        ("engine: hexes\nname: x\nslopes: {unmarked: steep}", 3, "slopes need heights"),
        ("engine: hexes\nname: x\nclasses: {}", 3, "at least 1"),
        ("engine: hexes\nname: My Game", 2, "small letters, digits and dashes"),
        ("engine: hexes\nname: x\nrules: {ground-block: 5}", 3, "no reason 'ground-block'"),
        ("- engine", None, "needs keys"),
    ],
)
def test_mistakes_are_told_with_their_line(text: str, line: int | None, said: str):
    """One sentence that names what to mend."""
    where = rf"my\.yaml, line {line}: " if line else r"my\.yaml: "
    with pytest.raises(UsageError, match=f"{where}.*{re.escape(said)}"):
        profile_from_text(text, "my.yaml")


def test_an_unknown_engine_is_told(tmp_path: Path):
    """Engines there are three."""
    (tmp_path / "x.yaml").write_text("engine: steam\nname: x\n")
    with pytest.raises(UsageError, match=r"no engine .steam.\. Use pixels, hexes, measured"):
        load_rules(str(tmp_path / "x.yaml"))


HEAD = 'PROFILE = "engine: hexes\\nname: mine\\nelevation: higher\\n"\n'


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def judge(line, verdict): return 1 / 0", "ZeroDivisionError: division by zero"),
        ("def judge(line, verdict): raise ValueError('two\\nlines')", "ValueError: two lines"),
        ("def judge(line, verdict): return None", "gave back no Verdict"),
        (
            "import dataclasses\ndef judge(l, v): return dataclasses.replace(v, state='blue')",
            "gave back no Verdict",
        ),
        (
            "import dataclasses\ndef judge(l, v): return dataclasses.replace(v, hindrance=2)",
            "does not go with hindrance 2",
        ),
        (
            "import dataclasses\ndef judge(l, v): "
            "return dataclasses.replace(v, state='hindered', hindrance=99)",
            "from 0 to 63",
        ),
        ("def judge(line, verdict): raise SystemExit(0)", "SystemExit: 0"),
        (
            "import dataclasses\ndef judge(l, v): return dataclasses.replace(v, rule='a\\nb')",
            "rule must be a text of one line",
        ),
        (
            "import dataclasses\ndef judge(l, v): return dataclasses.replace(v, hex='Z9')",
            "there is no hex 'Z9'",
        ),
    ],
)
def test_a_rule_file_that_fails_is_told_in_one_sentence(offer: Offer, body: str, said: str):
    """Where and what, whether a line, a star or a table is asked."""
    offer("mine", HEAD + body, {"mine": "mine"})
    profile = load_rules("mine")
    where = r"The rule file of the rules mine failed at A1 → .*: .*"
    for work in (
        lambda: ask(HILL, "A1", "A2", profile),
        lambda: seen_from(HILL, "A1", profile),
        lambda: table_of(HILL, profile, engine="python"),
    ):
        with pytest.raises(UsageError, match=where + re.escape(said)) as told:
            work()
        assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import nothing_of_that_name", "ModuleNotFoundError"),
        ("x = 1", "it has no PROFILE"),
        (HEAD + "judge = 3", "'judge' is no function"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("from pathlib import Path\nPROFILE = Path('none.yaml')", "FileNotFoundError"),
        ('PROFILE = "engine: hexes\\nname: mine\\nbad: 1\\n"', "the key 'bad' is not known"),
        ('PROFILE = "engine: pixels\\n"\ndef judge(l, v): return v', "'engine: hexes' only"),
    ],
)
def test_a_package_that_cannot_be_used_is_told(offer: Offer, source: str, said: str):
    """It names the rules and the package."""
    offer("mine", source, {"mine": "mine"})
    with pytest.raises(UsageError, match=re.escape(said)):
        load_rules("mine")


def test_lines_come_from_the_higher_end(offer: Offer):
    """From either end a rule file sees the same line, and what lies on it."""
    body = (
        "import dataclasses\n"
        "def judge(line, verdict):\n"
        "    high, low = line.heights_half\n"
        "    assert high >= low and 1 <= line.range <= len(line.steps) - 1\n"
        "    names = [h.name for s in line.steps for h in s.hexes]\n"
        "    if high == low:\n"
        "        assert names[0] < names[-1]\n"
        "    carts = {n for u in line.overlay.units for n in u.hexes}\n"
        "    if carts & {h.name for s in line.between for h in s.hexes}:\n"
        "        return dataclasses.replace(verdict, state='hindered', hindrance=3, hex='A3')\n"
        "    return verdict\n"
    )
    head = HEAD.replace('higher\\n"', 'higher\\noverlay: {units: {cart: {}}}\\n"')
    offer("mine", head + body, {"mine": "mine"})
    profile, overlay = load_rules("mine"), Overlay(units=(Unit(("A3",), "cart"),))
    for pair in (("A2", "A5"), ("A5", "A2")):
        answer = ask(HILL, *pair, profile, overlay)
        assert (answer.state, answer.hindrance) == ("hindered", 3)
        assert answer.reasons[0].hex == "A3"
    rows = {s.name: s.hindrance for s in seen_from(HILL, "A2", profile, overlay).seen}
    assert (rows["A5"], rows["A3"]) == (3, 0)


def test_another_version_of_a_package_is_another_rule_set(offer: Offer, tmp_path: Path):
    """Tables know by it that they are stale."""
    offer("mine", HEAD + "def judge(line, verdict): return verdict", {"mine": "mine"})
    first = load_rules("mine").digest
    (tmp_path / "mine-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: mine\nVersion: 2\n"
    )
    assert load_rules("mine").digest != first


def test_what_is_of_the_whole_line_is_told_at_its_far_end(offer: Offer):
    """The number of a class's range limit comes back, and no place is off the picture."""
    text = (
        "engine: hexes\nname: short\nclasses:\n  foot: {}\n"
        "  rider: {range_limit: 2, rule: 3.2}\n  scout: {range_limit: 2, rule: 3.3}\n"
        "range_limit: 2\nrules: {too-many-hindrances: 9}\n"
    )
    profile = profile_from_text(text, "short")
    for pair in (("A2", "A5"), ("A5", "A2")):
        far = HILL.hex(pair[1])
        for observer, rule in (("rider", "3.2"), ("scout", "3.3"), ("foot", "range_limit")):
            (reason,) = ask(HILL, *pair, profile, observer=observer).reasons
            assert (reason.rule, reason.hex) == (rule, None)
            assert reason.pixel == (round(far.x_px, 1), round(far.y_px, 1))
            rows = {s.name: s.rule for s in seen_from(HILL, pair[0], profile, None, observer).seen}
            assert rows[pair[1]] == rule
    body = "import dataclasses\ndef judge(l, v): return dataclasses.replace(v, state='blocked')"
    offer("mine", HEAD + body, {"mine": "mine"})
    (reason,) = ask(HILL, "A2", "A5", load_rules("mine")).reasons
    far = HILL.hex("A5")
    assert (reason.hex, reason.pixel) == ("A5", (round(far.x_px, 1), round(far.y_px, 1)))
