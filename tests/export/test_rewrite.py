"""Copying a zip: what is kept is kept to the byte, whoever packed it."""

from __future__ import annotations

import io
import os
import struct
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zipmaking import DATA, NAMES, Member, Pack, contents, entries, packs

from hexsight.export.rewrite import plan_rewrite, rewrite_zip
from hexsight.export.zipnew import end_records
from hexsight.export.zipraw import read_directory
from hexsight.model.errors import InputError, OutputError, UsageError, VerificationError

FAST = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SIMPLE = Pack((Member("a.txt", b"alpha" * 20), Member("images/b.png", b"\x89PNG", 0)), b"hello")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.vmod"
    path.write_bytes(SIMPLE.bytes())
    return path


def _folder_is_clean(folder: Path, *names: str) -> bool:
    return sorted(p.name for p in folder.iterdir()) == sorted(names)


@FAST
@given(pack=packs(), data=st.data())
def test_kept_members_are_equal_to_the_byte(pack: Pack, data: st.DataObject) -> None:
    names = [m.name for m in pack.members]
    touched = data.draw(st.lists(st.sampled_from(names), unique=True) if names else st.just([]))
    cut = data.draw(st.integers(0, len(touched)))
    replace = {n: data.draw(DATA) for n in touched[:cut]}
    remove = set(touched[cut:])
    add = data.draw(st.dictionaries(NAMES.filter(lambda n: n not in names), DATA, max_size=3))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.vmod", Path(folder) / "out.vmod"
        before = pack.bytes()
        source.write_bytes(before)
        report = rewrite_zip(source, target, add=add, replace=replace, remove=remove)
        after = target.read_bytes()
        assert source.read_bytes() == before
        assert _folder_is_clean(Path(folder), "in.vmod", "out.vmod")
    old, new = entries(before), entries(after)
    kept = [n for n in old if n not in replace and n not in remove]
    assert report.kept == tuple(kept)
    assert {n: new[n] for n in kept} == {n: old[n] for n in kept}
    assert list(new) == [n for n in old if n not in remove] + sorted(add)
    got = contents(after)
    assert {n: got[n] for n in (*add, *replace)} == {**add, **replace}
    assert zipfile.ZipFile(io.BytesIO(after)).comment == pack.comment
    assert report.size_bytes == len(after)


@FAST
@given(pack=packs(), extra=st.dictionaries(NAMES.map(lambda n: f"hexsight/{n}"), DATA, max_size=3))
def test_add_then_remove_gives_the_same_file(pack: Pack, extra: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / n for n in ("a", "b", "c", "d")]
        paths[0].write_bytes(pack.bytes())
        rewrite_zip(paths[0], paths[1])
        rewrite_zip(paths[0], paths[2], add=extra)
        rewrite_zip(paths[2], paths[3], remove=set(extra))
        assert paths[1].read_bytes() == paths[3].read_bytes() == paths[0].read_bytes()


def test_same_inputs_same_bytes(source: Path, tmp_path: Path) -> None:
    out = []
    for name, order in (("x", ("b", "ä")), ("y", ("ä", "b"))):
        rewrite_zip(source, tmp_path / name, add={n: n.encode() * 50 for n in order})
        out.append((tmp_path / name).read_bytes())
    assert out[0] == out[1]


def test_new_members_have_no_date_and_shrink_where_they_can(source: Path, tmp_path: Path) -> None:
    rewrite_zip(source, tmp_path / "out", add={"zeros": bytes(9000), "random": os.urandom(200)})
    with zipfile.ZipFile(tmp_path / "out") as archive:
        zeros, random = archive.getinfo("zeros"), archive.getinfo("random")
    assert zeros.date_time == (1980, 1, 1, 0, 0, 0)
    assert zeros.compress_size < 100
    assert random.compress_type == zipfile.ZIP_STORED


def test_a_zip_with_bytes_in_front_loses_them_alone(tmp_path: Path) -> None:
    data = SIMPLE.bytes()
    (tmp_path / "in").write_bytes(b"#!/bin/sh\n" + data)
    rewrite_zip(tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == data


def test_a_zip64_end_stays_one(tmp_path: Path) -> None:
    data = SIMPLE.bytes()
    raw = read_directory(io.BytesIO(data), "in")
    start = data.index(b"PK\x01\x02")
    size = sum(len(m.central) for m in raw.members)
    end = end_records(2, start, size, b"hello", zip64=True)
    (tmp_path / "in").write_bytes(data[: start + size] + end)
    rewrite_zip(tmp_path / "in", tmp_path / "out", add={"x": b"1"})
    out = (tmp_path / "out").read_bytes()
    assert b"PK\x06\x06" in out
    assert contents(out) == {**contents(data), "x": b"1"}


def test_more_members_than_16_bits_count_need_zip64() -> None:
    end = end_records(70_000, 10, 20, b"", zip64=False)
    assert end[:4] == b"PK\x06\x06"
    assert struct.unpack_from("<2Q", end, 24) == (70_000, 70_000)
    assert struct.unpack_from("<2H", end, len(end) - 14) == (0xFFFF, 0xFFFF)
    assert len(end_records(65_534, 10, 20, b"", zip64=False)) == 22


def test_damage_in_a_kept_member_is_told(tmp_path: Path) -> None:
    data = bytearray(Pack((Member("sound.wav", b"la" * 500, 0),)).bytes())
    data[60] ^= 0xFF
    (tmp_path / "in").write_bytes(data)
    with pytest.raises(InputError, match=r"sound\.wav in it is damaged"):
        rewrite_zip(tmp_path / "in", tmp_path / "out")
    assert _folder_is_clean(tmp_path, "in")


def test_a_name_held_twice_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning):
        data = Pack((Member("a", b"1"), Member("a", b"2"))).bytes()
    (tmp_path / "in").write_bytes(data)
    with pytest.raises(InputError, match="'a' twice"):
        rewrite_zip(tmp_path / "in", tmp_path / "out")


def _flip_local_name(data: bytearray) -> None:
    data[30] ^= 1


def _overlap(data: bytearray) -> None:
    first, second = data.find(b"PK\x01\x02"), data.rfind(b"PK\x01\x02")
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    data[second + 46] = data[first + 46]


def _grow(data: bytearray) -> None:
    at = data.find(b"PK\x01\x02") + 20
    data[at : at + 4] = struct.pack("<L", 1 << 30)


def _second_disk(data: bytearray) -> None:
    at = data.rfind(b"PK\x05\x06")
    data[at + 4] = 1


def _cut(data: bytearray) -> None:
    del data[len(data) // 2 :]


def _trail(data: bytearray) -> None:
    data += b"x"


def _second_end(data: bytearray) -> None:
    data[:] = Pack(SIMPLE.members, b"PK\x05\x06" + bytes(18)).bytes()


def _end_inside_comment(data: bytearray) -> None:
    data[:] = Pack(SIMPLE.members, b"PK\x05\x06" + bytes(17)).bytes()


@pytest.mark.parametrize(
    "harm",
    [
        _end_inside_comment,
        _flip_local_name,
        _overlap,
        _grow,
        _second_disk,
        _cut,
        _trail,
        _second_end,
    ],
)
def test_a_broken_zip_is_told_in_one_line(tmp_path: Path, harm: object) -> None:
    data = bytearray(SIMPLE.bytes())
    assert callable(harm)
    harm(data)
    (tmp_path / "in").write_bytes(data)
    with pytest.raises(InputError) as caught:
        rewrite_zip(tmp_path / "in", tmp_path / "out")
    assert "\n" not in str(caught.value)
    assert _folder_is_clean(tmp_path, "in")


@settings(max_examples=150, deadline=None)
@given(pack=packs(), data=st.data())
def test_any_damage_ends_in_a_sound_file_or_a_clear_error(pack: Pack, data: st.DataObject) -> None:
    broken = bytearray(pack.bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        broken[at] = data.draw(st.integers(0, 255))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in", Path(folder) / "out"
        source.write_bytes(broken)
        try:
            rewrite_zip(source, target, add={"hexsight/x": b"x"})
        except (InputError, VerificationError, OutputError):
            assert _folder_is_clean(Path(folder), "in")
        else:
            assert contents_of_readable(target)["hexsight/x"] == b"x"


def contents_of_readable(path: Path) -> dict[str, bytes]:
    """Members that Python can read: damage may have made one "encrypted"."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.flag_bits & 1 and info.compress_type in (0, 8):
                found[info.filename] = archive.read(info)
    return found


def test_refusals(source: Path, tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(source)
    for target, overwrite, text in (
        (taken, False, "exists already"),
        (source, True, "very file"),
        (link, True, "very file"),
        (tmp_path, True, "is a folder"),
        (tmp_path / "no" / "out", False, "no folder"),
    ):
        with pytest.raises(OutputError, match=text):
            rewrite_zip(source, target, overwrite=overwrite)
    with pytest.raises(OutputError, match="has such a member"):
        rewrite_zip(source, tmp_path / "out", add={"a.txt": b""})
    with pytest.raises(InputError, match="Cannot find no"):
        rewrite_zip(source, tmp_path / "out", remove={"no"})
    for name in ("../x", "/x", "a//b", "", "c:x", "a\\b", "a\nb"):
        with pytest.raises(UsageError):
            rewrite_zip(source, tmp_path / "out", add={name: b""})
    with pytest.raises(InputError, match="no such file"):
        rewrite_zip(tmp_path / "none", tmp_path / "out")
    assert taken.read_bytes() == b"old"
    assert _folder_is_clean(tmp_path, "in.vmod", "taken", "link")


def test_overwriting_keeps_the_file_mode_and_follows_links(source: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.vmod"
    old.write_bytes(b"old")
    old.chmod(0o640)
    link = tmp_path / "link.vmod"
    link.symlink_to(old)
    rewrite_zip(source, link, overwrite=True)
    assert link.is_symlink()
    assert old.read_bytes() == SIMPLE.bytes()
    assert old.stat().st_mode & 0o777 == 0o640


def test_a_new_file_gets_the_usual_mode(source: Path, tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    rewrite_zip(source, tmp_path / "out")
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_plan_writes_nothing(source: Path, tmp_path: Path) -> None:
    report = plan_rewrite(source, add={"n": b"1"}, remove={"a.txt"})
    assert (report.added, report.removed, report.kept) == (("n",), ("a.txt",), ("images/b.png",))
    assert _folder_is_clean(tmp_path, "in.vmod")


def test_progress_runs_from_start_to_end(source: Path, tmp_path: Path) -> None:
    told: list[float] = []
    rewrite_zip(source, tmp_path / "out", add={"n": b"1" * 99}, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_an_unpacked_folder_is_packed_sorted(tmp_path: Path) -> None:
    folder = tmp_path / "module"
    for name in ("buildFile.xml", "images/ü.png", "images/a.png", ".git/config", ".DS_Store"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())
    report = rewrite_zip(
        folder, tmp_path / "out", add={"hexsight/t": b"t"}, remove={"images/ü.png"}
    )
    assert report.skipped == (".DS_Store", ".git/")
    assert list(contents((tmp_path / "out").read_bytes())) == [
        "buildFile.xml",
        "hexsight/t",
        "images/a.png",
    ]
    first = (tmp_path / "out").read_bytes()
    os.utime(folder / "buildFile.xml", (1, 1))
    rewrite_zip(
        folder, tmp_path / "out", add={"hexsight/t": b"t"}, remove={"images/ü.png"}, overwrite=True
    )
    assert (tmp_path / "out").read_bytes() == first
    with pytest.raises(OutputError, match="lies inside"):
        rewrite_zip(folder, folder / "out")


def test_a_link_out_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"s")
    folder = tmp_path / "module"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(InputError, match="leads out"):
        rewrite_zip(folder, tmp_path / "out")
