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
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
)

from hexsight.model.layout import Layout
from hexsight.model.openings import OpeningOverride
from hexsight.model.outlines import BuildingOverride
from hexsight.model.overrides import HexOverride, HexsideOverride, Overrides
from hexsight.model.versioned import SchemaVersion
from hexsight.model.yamlplaces import checked, child_of
from hexsight.model.yamlsafe import parse_yaml, read_text

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
    skew_deg: float = Field(0.0, ge=-30, le=30, description="further turn of the rows alone")

    def layout(self) -> Layout:
        """As a Layout."""
        return Layout.from_grid(
            self.dx,
            self.dy,
            self.x0,
            self.y0,
            sideways=self.sideways,
            rot_deg=self.rot_deg,
            skew_deg=self.skew_deg,
        )


class OverridesPart(_Strict):
    """Corrections; they survive a new extraction and always win."""

    hexes: dict[str, HexOverride] = Field(default_factory=dict)
    hexsides: dict[str, HexsideOverride] = Field(default_factory=dict)
    buildings: dict[str, BuildingOverride] = Field(
        default_factory=dict,
        max_length=5_000,
        description="outlines by a hex that the building stands in, or by a pixel of it: 1034 812",
    )
    openings: tuple[OpeningOverride, ...] = Field(
        (), max_length=5_000, description="doors and windows in walls, for measured rules"
    )

    @field_validator("hexes", "hexsides", mode="before")
    @classmethod
    def _each_says_something(cls, value: Any) -> Any:
        for name, said in value.items() if isinstance(value, dict) else ():
            if said is None or said == {}:
                raise ValueError(f"{name} says nothing. Write what it is, or take the line out")
        return value

    def overrides(self, places: Mapping[str, str] | None = None) -> Overrides:
        """As the model takes them, with the places where they stand."""
        return Overrides(
            dict(self.hexes),
            dict(self.hexsides),
            dict(places or {}),
            self.openings,
            dict(self.buildings),
        )


class ExportPart(_Strict):
    """What is written besides the board folder."""

    module: bool = Field(True, description="a copy of the module with the table inside")
    picture: bool = Field(True, description="an overlay picture of what was found")
    stock: bool = Field(
        False, description="lines of sight in the module's build file, for VASSAL as it is"
    )
    companion: bool = Field(
        False, description="the companion's thread and tables in the module, instead of stock"
    )
    max_range: int | None = Field(
        None, ge=1, le=1000, description="highest range of a stock export, in hexes"
    )
    levels: str | None = Field(
        None, description="levels of a stock export: all, or some of 0, 1, 2, roof, bridge, -1"
    )

    @field_validator("companion")
    @classmethod
    def _one_of_both(cls, value: bool, info: ValidationInfo) -> bool:
        if value and info.data.get("stock"):
            raise ValueError("a module holds either stock or companion. Leave one of them out")
        return value


MAX_NAME = 1000  # longer paths are no slip of the pen


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
        LOS rules: a name, or a YAML file relative to the folder.
    grid : "auto", "module" or numbers
        Fitted to the printed lines, as the module says, or set here.
    terrain_from : str
        The picture, or LOSData that comes with a VASL board.
    """

    schema_version: SchemaVersion = 1
    source: str
    board: str | None = None
    legend: str = "auto"
    rules: str = "asl"
    grid: Literal["auto", "module"] | GridChoice = "auto"
    terrain_from: Literal["picture", "losdata"] = "picture"
    overrides: OverridesPart = OverridesPart()
    accepted: dict[str, dict[str, str]] = Field(
        default_factory=dict,
        description="findings that need not be told: a remark by check and place (a hex, a "
        "hexside, a pixel X Y, or map)",
    )
    export: ExportPart = ExportPart()

    @field_validator("source", "board", "legend", "rules")
    @classmethod
    def _is_a_name(cls, value: str | None) -> str | None:
        if value is not None and (len(value) > MAX_NAME or "\0" in value):
            raise ValueError(f"write a name of at most {MAX_NAME} characters and without NUL")
        return value

    @field_validator("legend", mode="before")
    @classmethod
    def _legend_is_named(cls, value: Any) -> Any:
        if isinstance(value, str):
            return value
        raise ValueError(
            "name 'auto', a preset such as 'vasl', or a legend file; "
            "write classes into that file (docs/legends.md)"
        )


def load_project(file: Path) -> Project:
    """Read a hexsight.yaml.

    Raises
    ------
    InputError
        If it cannot be read.
    UsageError
        If something in it is wrong; names the line.
    """
    text = read_text(file)
    content = parse_yaml(text, str(file))
    return checked(Project, content, text, str(file), needs="at least the line 'source: FILE'")


def override_places(file: Path) -> dict[str, str]:
    """File and line of all that a readable hexsight.yaml corrects."""
    root: yaml.Node | None = yaml.compose(read_text(file), Loader=yaml.SafeLoader)
    return places_in(root, str(file))


def places_in(root: yaml.Node | None, where: str) -> dict[str, str]:
    """File and line of each correction, by the names of `Overrides.places`.

    Parameters
    ----------
    root : yaml.Node or None
        Of a hexsight.yaml.
    where : str
        Its name.
    """
    part = child_of(root, "overrides")
    places = {}
    for kind, before in (("hexes", ""), ("hexsides", ""), ("buildings", "buildings.")):
        found = child_of(part[1], kind) if part is not None else None
        if found is not None and isinstance(found[1], yaml.MappingNode):
            for key, _ in found[1].value:
                places[f"{before}{key.value}"] = f"{where}, line {key.start_mark.line + 1}"
    found = child_of(part[1], "openings") if part is not None else None
    if found is not None and isinstance(found[1], yaml.SequenceNode):
        for index, entry in enumerate(found[1].value):
            places[f"openings.{index}"] = f"{where}, line {entry.start_mark.line + 1}"
    return places


def project_schema() -> str:
    """JSON Schema of hexsight.yaml, as published in docs/."""
    schema: dict[str, Any] = Project.model_json_schema()
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
