"""What is found on a shelf, under which names, and what its digest depends on."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import pytest
from batch_shelf import make_shelf
from hypothesis import given
from hypothesis import strategies as st

from hexsight.batch_items import Item, digest_of, files_of, find_items, in_shard
from hexsight.batch_store import slug_of
from hexsight.model.errors import InputError, UsageError


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_shelf(tmp_path_factory.mktemp("a") / "shelf", boards=2)


def kinds(paths: list[Path], do: str = "check", **more: object) -> dict[str, str]:
    found = find_items(paths, do, out=Path("nowhere"), **more)  # type: ignore[arg-type]
    return {i.name: i.kind for i in found.items}


def test_everything_is_found_at_any_depth_and_told_in_order(shelf):
    found = kinds([shelf])
    assert found == {
        "shelf/bdgone": "board",
        "shelf/city0/town0": "hexsight",
        "shelf/city1/town1": "hexsight",
        "shelf/cut.vmod": "module",
        "shelf/noise.vmod": "module",
        "shelf/project/hexsight.yaml": "project",
        "shelf/spoilt": "hexsight",
        "shelf/tabled": "hexsight",
    }
    assert list(found) == sorted(found)


def test_each_verb_takes_what_it_can_use(shelf):
    found = find_items([shelf], "build", out=Path("nowhere"))
    assert {i.kind for i in found.items} == {"board", "module", "project"}
    assert found.others_left == 4


def test_one_thing_named_twice_is_one_item(shelf):
    assert kinds([shelf, shelf / "cut.vmod", shelf / "city0"]) == kinds([shelf])


def test_shelves_of_one_name_are_told_apart(tmp_path):
    for name in ("a", "b"):
        make_shelf(tmp_path / name / "x", boards=1)
    found = kinds([tmp_path / "a" / "x", tmp_path / "b" / "x"])
    assert {"a/x/cut.vmod", "b/x/cut.vmod"} <= set(found)


def test_a_source_is_done_through_its_project(tmp_path):
    make_shelf(tmp_path / "x", boards=1)
    (tmp_path / "x" / "project" / "hexsight.yaml").write_text("source: ../cut.vmod\n")
    found = kinds([tmp_path / "x"])
    assert "x/cut.vmod" not in found and found["x/project/hexsight.yaml"] == "project"


def test_pictures_are_taken_when_asked_for_or_named(tmp_path):
    (tmp_path / "map.png").write_bytes(b"picture")
    with pytest.raises(InputError, match="--pictures"):
        kinds([tmp_path])
    name = tmp_path.name
    assert kinds([tmp_path], pictures=True) == {f"{name}/map.png": "picture"}
    assert kinds([tmp_path / "map.png"]) == {"map.png": "picture"}


def test_results_of_a_batch_and_hidden_files_are_no_part_of_a_shelf(tmp_path):
    make_shelf(tmp_path / "x", boards=1)
    make_shelf(tmp_path / "x" / "out", boards=1)
    make_shelf(tmp_path / "x" / ".hidden", boards=1)
    before = kinds([tmp_path / "x"])
    assert any(n.startswith("x/out/") for n in before)
    (tmp_path / "x" / "out" / ".hexsight-batch").touch()
    after = kinds([tmp_path / "x"])
    assert not any("out/" in n or ".hidden" in n for n in after)


def test_zips_without_ending_are_looked_into(tmp_path):
    for name, member in (("bd01", "BoardMetadata.xml"), ("old.zip", "buildFile"), ("papers", "a")):
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            file.writestr(member, "x")
    (tmp_path / "README").write_text("read me")
    (tmp_path / "half").write_bytes((tmp_path / "bd01").read_bytes()[:30])
    name = tmp_path.name
    assert kinds([tmp_path]) == {
        f"{name}/bd01": "board",
        f"{name}/half": "board",
        f"{name}/old.zip": "module",
    }


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_are_followed_once(tmp_path):
    make_shelf(tmp_path / "x", boards=1)
    before = kinds([tmp_path / "x"])
    os.symlink(tmp_path / "x", tmp_path / "x" / "round")
    assert kinds([tmp_path / "x"]) == before
    os.symlink(tmp_path / "x" / "cut.vmod", tmp_path / "linked.vmod")
    assert kinds([tmp_path / "linked.vmod"]) == {"linked.vmod": "module"}


def test_nothing_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match="nothing to check"):
        kinds([tmp_path])
    with pytest.raises(InputError, match="Cannot find"):
        kinds([tmp_path / "gone"])
    with pytest.raises(UsageError, match="is the shelf itself"):
        find_items([tmp_path], "check", out=tmp_path)


def test_the_digest_depends_on_contents_and_names_only(tmp_path):
    found = []
    for place in ("a", "b/c"):
        make_shelf(tmp_path / place / "x", boards=1)
        items = find_items([tmp_path / place / "x"], "check", out=Path("nowhere")).items
        found.append({i.name: digest_of(i, files_of(i)) for i in items})
    assert found[0] == found[1]
    item = Item("x/tabled", tmp_path / "a" / "x" / "tabled", "hexsight")
    (item.path / "more.lostab").write_bytes(b"table")
    assert digest_of(item, files_of(item)) != found[0]["x/tabled"]


def test_a_project_depends_on_its_source_and_legend(tmp_path):
    (tmp_path / "map.png").write_bytes(b"map")
    (tmp_path / "legend.yaml").write_text("a: 1")
    (tmp_path / "hexsight.yaml").write_text("source: map.png\nlegend: legend.yaml\n")
    item = Item("x/hexsight.yaml", tmp_path / "hexsight.yaml", "project")
    seen = {digest_of(item, files_of(item))}
    for name in ("map.png", "legend.yaml", "hexsight.yaml"):
        with (tmp_path / name).open("ab") as file:
            file.write(b"\n")
        seen.add(digest_of(item, files_of(item)))
    assert len(seen) == 4


def test_messages_tell_names_and_no_paths_of_the_machine(tmp_path):
    item = Item("shelf/a/b.vmod", tmp_path / "a" / "b.vmod", "module")
    assert item.told(f"Cannot read {item.path}: x.") == "Cannot read shelf/a/b.vmod: x."


@given(st.lists(st.text(min_size=1, max_size=40), unique=True, max_size=20), st.integers(1, 7))
def test_every_item_is_in_one_shard_and_has_a_folder_of_its_own(names, total):
    items = [Item(n, Path(n.replace("\0", "")), "module") for n in names]
    for item in items:
        assert sum(in_shard(item, (k, total)) for k in range(1, total + 1)) == 1
    slugs = {slug_of(n).lower() for n in names}
    assert len(slugs) == len(names)
    assert all(s.isascii() and not s.startswith(".") and len(s) < 100 for s in slugs)
