"""The class files that are shipped are those of the sources."""

from __future__ import annotations

import hashlib
import json
import re
import struct

import pytest
from companion_java import BUILD, COMPANION

from hexsight.cli import run
from hexsight.export.companion import CLASS, DEFAULT_SMOKE, check_smoke, class_files
from hexsight.model.errors import UsageError

JAVA_11 = 55


def test_class_files_match_the_sources() -> None:
    """Where there is a javac it compiles them anew; elsewhere the recorded digests must fit."""
    assert BUILD.differences() == []


def test_a_changed_source_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BUILD, "compiler", lambda: None)
    assert BUILD.differences() == []
    digests = BUILD.source_digests()
    changed = {**digests, "src/hexsight/companion/Answer.java": "0" * 64}
    monkeypatch.setattr(BUILD, "source_digests", lambda: changed)
    assert BUILD.differences() == ["src/hexsight/companion/Answer.java has changed"]


def test_classes_are_for_java_11_and_tell_nothing_of_where_they_were_made() -> None:
    """VASSAL 3.7.0 to 3.7.24 refuse newer ones."""
    found = class_files()
    assert f"{CLASS.rpartition('.')[2]}.class" in found
    for name, data in found.items():
        magic, minor, major = struct.unpack(">IHH", data[:8])
        assert (magic, minor, major) == (0xCAFEBABE, 0, JAVA_11), name
        assert b"SourceFile" not in data, name
        assert b"LineNumberTable" not in data, name


def test_no_signature_is_shipped() -> None:
    """Only our own package: VASSAL brings its own classes."""
    record = json.loads(BUILD.RECORD.read_text(encoding="utf-8"))
    assert set(record["classes"]) == set(class_files())
    for path in (COMPANION / "src").rglob("*.java"):
        assert path.parent.relative_to(COMPANION / "src") == BUILD.PACKAGE
    for name, data in class_files().items():
        assert hashlib.sha256(data).hexdigest() == record["classes"][name]


def test_signatures_have_no_content() -> None:
    """They say what VASSAL's classes offer, not how: methods are native or abstract."""
    for path in (COMPANION / "signatures").rglob("*.java"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        bodies = re.findall(r"\)[^;{}]*\{([^}]*)\}", text)
        assert all("only a signature" in body for body in bodies), path


def test_sources_use_no_network() -> None:
    """Nor do they write files or start programs."""
    forbidden = ("java.net", "java.nio.file", "FileOutputStream", "ProcessBuilder", ".exec(")
    for path in (COMPANION / "src").rglob("*.java"):
        text = path.read_text(encoding="utf-8")
        for word in forbidden:
            assert word not in text, path


@pytest.mark.parametrize("wrong", ["Fog=0", "Fog=10", "Fog=²", "Fog=1; fog", "Fog; x=2; FOG =3/4"])
def test_smoke_is_1_to_9_and_named_once(wrong: str) -> None:
    with pytest.raises(UsageError, match="--smoke"):
        check_smoke(wrong)
    check_smoke(DEFAULT_SMOKE)
    check_smoke("Fog=9; Mist; ;; Haze=1/0/-2")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--companion --no-palette", "--no-palette"),
        ("--companion --level-property hexsight_Level", "--level-property"),
        ("--smoke Fog=2", "--smoke"),
    ],
)
def test_options_that_would_do_nothing_are_refused(
    options: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "no.vmod", *options.split(), "-q"]) == 2
    assert f"Error: {named} is for" in capsys.readouterr().err
