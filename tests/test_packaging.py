"""What people see of an installed hexsight: versions, completion, man page, contents."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from hexsight import __version__
from hexsight.cli import hexsight, run

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def commands(
    group: click.Group, words: tuple[str, ...] = ()
) -> Iterator[tuple[str, click.Command]]:
    """All commands with the words that call them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        assert one is not None
        yield " ".join((*words, name)), one
        if isinstance(one, click.Group):
            yield from commands(one, (*words, name))


def test_version(capsys):
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"hexsight, version {__version__}\n"
    assert run(["--version", "--verbose"]) == 0
    told = capsys.readouterr().out
    for what in ("Python:", "NumPy:", "OpenCV:", "Numba:", "Shapely:", "lxml:", "platform:"):
        assert re.search(rf"^  {what} \S", told, re.MULTILINE), what
    for extra in ("ocr", "cluster", "review"):
        assert f"optional [{extra}]:" in told
    assert "cache:" in told and "locale:" in told
    assert run(["--verbose", "--version"]) == 0
    assert capsys.readouterr().out == told
    assert run(["--verbose"]) == 2
    assert "goes with --version" in capsys.readouterr().err


def test_the_optional_parts_that_are_told_are_the_extras():
    from hexsight import environment  # noqa: PLC0415 - private table, looked at here only

    extras = PROJECT["project"]["optional-dependencies"]
    for extra, names in environment._OPTIONAL:
        wanted = {re.split(r"[<>=\[]", each)[0] for each in extras[extra]}
        assert set(names) == wanted
    assert {"docs", "dev"} <= extras.keys()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(shell, capsys):
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_HEXSIGHT_COMPLETE={shell}_complete" in script
    if program := shutil.which(shell):
        checked = subprocess.run([program, "-n"], input=script, text=True, check=False)
        assert checked.returncode == 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_completes_verbs_and_options(tmp_path, capsys):
    assert run(["completion", "bash"]) == 0
    script = tmp_path / "completion.bash"
    script.write_text(capsys.readouterr().out, encoding="utf-8")
    tool = tmp_path / "hexsight"
    tool.write_text(f"#!{sys.executable}\nfrom hexsight.cli import main\nmain()\n")
    tool.chmod(0o755)

    def completed(*words: str) -> list[str]:
        typed = " ".join(f"'{w}'" for w in words)
        asked = f"""source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}
        _hexsight_completion {tool}; printf '%s\\n' "${{COMPREPLY[@]}}\""""
        done = subprocess.run(
            ["bash", "-c", asked],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        )
        return done.stdout.split()

    assert completed("hexsight", "ex") == ["export", "extract"]
    assert "--from-losdata" in completed("hexsight", "build", "--fr")
    assert set(completed("hexsight", "table", "")) == {"build", "diff", "query"}


def test_the_man_page_names_every_command_and_option():
    text = (ROOT / "docs/hexsight.1").read_text(encoding="utf-8")
    plain = re.sub(r"\\f[A-Z]", "", text.replace("\\-", "-").replace("\\%", ""))
    known = {option for o in hexsight.params for option in o.opts if option.startswith("--")}
    for words, one in commands(hexsight):
        assert f"hexsight {words} " in plain, f"the man page knows no {words}: make man"
        known |= {option for p in one.params for option in p.opts if option.startswith("--")}
    shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", plain))
    assert known <= shown, f"the man page lacks {sorted(known - shown)}: make man"


def test_every_folder_with_python_is_packed():
    setup = PROJECT["tool"]["setuptools"]
    where = setup["package-dir"]
    found = set()
    for package, folder in where.items():
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.parent.relative_to(ROOT / folder).parts
            found.add(".".join((package, *parts)))
    packed = set(setup["packages"])
    # Class files lie in a folder without Python.
    assert found <= packed, f"pyproject.toml packs no {sorted(found - packed)}"
    assert packed - found <= {"hexsight.export.companion_classes"}


def test_the_supported_versions_are_told_alike():
    project = PROJECT["project"]
    told = {c.rpartition(" ")[2] for c in project["classifiers"] if ":: 3." in c}
    assert told == {"3.11", "3.12", "3.13"}
    assert project["requires-python"] == ">=3.11"
