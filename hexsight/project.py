"""hexsight.yaml: what a person writes to say how a map is to be read.

Unknown or doubled keys, wrong values and files that are not there end in one
sentence that names the line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from hexsight.model.errors import InputError, UsageError
from hexsight.model.layout import Layout
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.model.yamlsafe import MAX_BYTES, parse_yaml

PROJECT_FILE = "hexsight.yaml"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GridChoice(_Strict):
    """A grid set by hand, in VASSAL's meaning but with decimals."""

    dx: float = Field(gt=2, lt=20_000)
    dy: float = Field(gt=2, lt=20_000)
    x0: float = Field(gt=-1e6, lt=1e6)
    y0: float = Field(gt=-1e6, lt=1e6)
    sideways: bool = False
    rot_deg: float = Field(0.0, ge=-45, le=45)

    def layout(self) -> Layout:
        """As a Layout."""
        return Layout.from_grid(
            self.dx, self.dy, self.x0, self.y0, sideways=self.sideways, rot_deg=self.rot_deg
        )


class OverridesPart(_Strict):
    """Corrections; they survive a new extraction and always win."""

    hexes: dict[str, HexOverride] = Field(default_factory=dict)
    hexsides: dict[str, HexsideOverride] = Field(default_factory=dict)

    @field_validator("hexes", "hexsides", mode="before")
    @classmethod
    def _each_says_something(cls, value: Any) -> Any:
        for name, said in value.items() if isinstance(value, dict) else ():
            if said is None or said == {}:
                raise ValueError(f"{name} says nothing. Write what it is, or take the line out")
        return value

    def overrides(self, places: Mapping[str, str] | None = None) -> Overrides:
        """As the model takes them, with the places where they stand."""
        return Overrides(dict(self.hexes), dict(self.hexsides), dict(places or {}))


class ExportPart(_Strict):
    """What is written besides the board folder."""

    module: bool = Field(True, description="a copy of the module with the table inside")
    picture: bool = Field(True, description="an overlay picture of what was found")


class Project(_Strict):
    """Everything that hexsight.yaml may say.

    Attributes
    ----------
    source : str
        Picture, module, unpacked module, VASL archive or folder; relative to
        the folder of the file.
    board : str or None
        Name of the board in a module.
    legend : str
        ``auto`` (the preset that fits the picture best), a preset, or a YAML file
        relative to the folder.
    rules : str
        LOS rules.
    grid : "auto", "module" or numbers
        Fitted to the printed lines, as the module says, or set here.
    terrain_from : str
        The picture, or LOSData that comes with a VASL board.
    """

    schema_version: Literal[1] = 1
    source: str
    board: str | None = None
    legend: str = "auto"
    rules: str = "asl"
    grid: Literal["auto", "module"] | GridChoice = "auto"
    terrain_from: Literal["picture", "losdata"] = "picture"
    overrides: OverridesPart = OverridesPart()
    export: ExportPart = ExportPart()


def load_project(file: Path) -> Project:
    """Read a hexsight.yaml.

    Raises
    ------
    InputError
        If it cannot be read.
    UsageError
        If something in it is wrong; names the line.
    """
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        text = data[: MAX_BYTES + 1].decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"Cannot read {file}: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"Cannot read {file}: it is not UTF-8 text. Save it as UTF-8.") from error
    if len(data) > MAX_BYTES:
        raise InputError(f"Cannot read {file}: it is larger than {MAX_BYTES // 1_000_000} MB.")
    content = parse_yaml(text, str(file))
    if not isinstance(content, dict):
        raise UsageError(f"Cannot read {file}: it needs at least the line 'source: FILE'.")
    try:
        return Project.model_validate(content)
    except ValidationError as error:
        # Of a choice (a word or a mapping) the way that came furthest is what was meant.
        first = max(error.errors(), key=lambda e: len(e["loc"]))
        keys = [str(p) for p in first["loc"]]
        line = line_of(text, keys)
        where = f", line {line}" if line else ""
        if first["type"] == "extra_forbidden":
            allowed = "Take it out or mend its spelling."
            message = f"the key {keys[-1]!r} is not known. {allowed}"
        elif first["type"] == "missing":
            message = f"the key {keys[-1]!r} is missing. Add it."
        else:
            said = first["msg"].removeprefix("Value error, ")
            message = f"{'.'.join(written_keys(text, keys))}: {said}."
        raise UsageError(f"Cannot read {file}{where}: {message}") from error


def written_keys(text: str, keys: list[str]) -> list[str]:
    """Keys of an error's place that stand in the file (validators add their own)."""
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    out = []
    for key in keys:
        child = _child(node, key)
        if child is None:
            continue
        out.append(key)
        node = child[1]
    return out or keys[:1]


def _child(node: yaml.Node | None, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for k, v in node.value:
            if str(k.value) == key:
                return k, v
    if isinstance(node, yaml.SequenceNode) and key.isdigit() and int(key) < len(node.value):
        return node.value[int(key)], node.value[int(key)]
    return None


def override_places(file: Path) -> dict[str, str]:
    """File and line of each hex and hexside that a readable hexsight.yaml corrects."""
    root: yaml.Node | None = yaml.compose(file.read_text("utf-8-sig"), Loader=yaml.SafeLoader)
    part = _child(root, "overrides")
    places = {}
    for kind in ("hexes", "hexsides"):
        found = _child(part[1], kind) if part is not None else None
        if found is not None and isinstance(found[1], yaml.MappingNode):
            for key, _ in found[1].value:
                places[str(key.value)] = f"{file}, line {key.start_mark.line + 1}"
    return places


def line_of(text: str, keys: list[str]) -> int | None:
    """Line (from 1) on which the thing at a path of keys stands."""
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    line = None
    for key in keys:
        found = _child(node, key)
        if found is not None:
            line, node = found[0].start_mark.line + 1, found[1]
    return line


def project_schema() -> str:
    """JSON Schema of hexsight.yaml, as published in docs/."""
    schema: dict[str, Any] = Project.model_json_schema()
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
