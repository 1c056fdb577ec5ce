"""Write drawn boards, their truth and their module into a folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from PIL import Image

from hexsight.model.errors import OutputError

from .draw import draw_board
from .module import module_members, png_bytes, zip_members
from .registry import board_names


def truth_json(truth: dict[str, object]) -> str:
    """Truth of a board as JSON text: one line per hex, bar or building."""
    lines = []
    for key, value in truth.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            rows = ",\n  ".join(json.dumps(row) for row in value)
            lines.append(f"{json.dumps(key)}: [\n  {rows}\n ]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n " + ",\n ".join(lines) + "\n}\n"


def project_files(name: str, module: str) -> dict[str, bytes]:
    """What a person writes about a board, by file name.

    Parameters
    ----------
    name : str
        Of a board that has a project.
    module : str
        Stem of the module that the board is written into.
    """
    folder = resources.files("hexsight.samples") / "projects" / name
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    return {
        key: text.replace(f"../{name}.vmod", f"../{module}.vmod").encode()
        for key, text in sorted(texts.items())
        if key.endswith(".yaml")
    }


def write_samples(
    folder: Path | str, *, boards: Sequence[str] | None = None, unpacked: bool = False
) -> list[Path]:
    """Draw sample boards and write all their files.

    For each board ``NAME.png``, ``NAME.terrain.png``, ``NAME.truth.json``; and
    one module, named after the first board, that holds all of them.  A board whose
    picture does not tell everything comes with a folder of its name that holds
    what a person would write: hexsight.yaml, its legend and overlays.  Files of
    the same names are replaced: what is drawn is always the same.

    Parameters
    ----------
    folder : Path or str
        Made when it does not exist.
    boards : sequence of str, optional
        Which boards; by default all that are not marked as drawn on request.
    unpacked : bool, optional
        Write the module as a folder too.

    Returns
    -------
    list of Path
        The files written, in order.

    Raises
    ------
    hexsight.model.errors.UsageError
        When there is no board of a given name.
    hexsight.model.errors.OutputError
        When the folder cannot be written.
    """
    out = Path(folder)
    samples = [draw_board(name) for name in boards or board_names(default_only=True)]
    files: list[tuple[Path, bytes]] = []
    for sample in samples:
        files.append((out / f"{sample.name}.png", png_bytes(Image.fromarray(sample.picture))))
        terrain = png_bytes(Image.fromarray(sample.terrain))
        files.append((out / f"{sample.name}.terrain.png", terrain))
        files.append((out / f"{sample.name}.truth.json", truth_json(sample.truth).encode()))
        if sample.spec.project:
            files.extend(
                (out / sample.name / name, data)
                for name, data in project_files(sample.name, samples[0].name).items()
            )
    members = module_members(samples)
    files.append((out / f"{samples[0].name}.vmod", zip_members(members)))
    if unpacked:
        home = out / f"{samples[0].name}.module"
        files.extend((home / path, data) for path, data in members.items())
    for path, data in files:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise OutputError(f"Cannot write {path}: {error.strerror}.") from error
    return [path for path, _ in files]
