"""Edits as a page sends them, and the lines of hexsight.yaml that each comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator

from hexsight.model.errors import UsageError
from hexsight.model.outlines import BuildingOverride
from hexsight.model.overrides import HexOverride, HexsideOverride, Point
from hexsight.model.shapes import Ring
from hexsight.project import GridChoice
from hexsight.review.anchors import Anchors, pixel_key
from hexsight.review.projectfile import REMOVE, Setting

MAX_EDITS = 2_000
_HEX_KEYS = tuple(HexOverride.model_fields)


class _Edit(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class HexEdit(_Edit):
    """Facts of one hex; what is null loses its correction."""

    kind: Literal["hex"]
    hex: str
    terrain: str | None = None
    building: Literal["stone", "wood", "none"] | None = None
    factory: bool | None = None
    height: float | str | None = None
    level: float | str | None = None
    roofless: bool | None = None
    stairwell: bool | Point | None = None
    road_entry: bool | Point | None = None
    vehicular_entrance: bool | None = None


class HexsideEdit(_Edit):
    """Bar or terrain of one hexside."""

    kind: Literal["hexside"]
    hexside: str
    bar: Literal["full", "none"] | tuple[float, float] | None = None
    terrain: str | None = None


class OutlineEdit(_Edit):
    """Outline of a building, named by its number on the board or by a place."""

    kind: Literal["outline"]
    building: int | None = None
    at: str | Point | None = None
    outline: Ring | None = None
    holes: tuple[Ring, ...] | None = None
    material: Literal["stone", "wood"] | None = None


class PlaceEdit(_Edit):
    """A symbol that is put on a pixel."""

    kind: Literal["stairwell", "road_entry"]
    x: float
    y: float


class GridEdit(_Edit):
    """Numbers of the grid that differ from now, or `auto`."""

    kind: Literal["grid"]
    dx: float | None = None
    dy: float | None = None
    x0: float | None = None
    y0: float | None = None
    rot_deg: float | None = None
    skew_deg: float | None = None
    auto: bool = False


class ClearEdit(_Edit):
    """Takes all corrections of a hex, a hexside or a building away."""

    kind: Literal["clear"]
    hex: str | None = None
    hexside: str | None = None
    building: int | str | Point | None = None


class AcceptEdit(_Edit):
    """Accepts a finding, or no longer."""

    kind: Literal["accept"]
    finding: str
    on: bool = True
    reason: str = Field("", max_length=200)

    @field_validator("reason")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return " ".join(value.split())


class ManyEdit(_Edit):
    """Several edits as one step."""

    kind: Literal["many"]
    edits: tuple[AnyEdit, ...] = Field(min_length=1, max_length=MAX_EDITS)
    label: str = Field("", max_length=200)


AnyEdit = Annotated[
    HexEdit | HexsideEdit | OutlineEdit | PlaceEdit | GridEdit | ClearEdit | AcceptEdit | ManyEdit,
    Field(discriminator="kind"),
]
ManyEdit.model_rebuild()
_ADAPTER: TypeAdapter[AnyEdit] = TypeAdapter(AnyEdit)


def parse_edit(edit: Any) -> AnyEdit:
    """An edit from its JSON.

    Raises
    ------
    UsageError
        If it is none; says what is wrong.
    """
    try:
        return _ADAPTER.validate_python(_tupled(edit))
    except ValidationError as error:
        first = max(error.errors(), key=lambda e: len(e["loc"]))
        place = ".".join(str(p) for p in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise UsageError(f"This correction cannot be made ({place or 'edit'}: {said}).") from error
    except RecursionError as error:
        raise UsageError("This correction cannot be made: it is nested too deeply.") from error


def _tupled(value: Any) -> Any:
    """JSON's lists as tuples, which strict unions tell from words."""
    if isinstance(value, list):
        return tuple(_tupled(v) for v in value)
    if isinstance(value, dict):
        return {k: _tupled(v) for k, v in value.items()}
    return value


def settings_of(
    edit: AnyEdit, anchors: Anchors, accept: Callable[[str, bool], tuple[str, str]]
) -> tuple[list[Setting], str]:
    """What an edit sets in hexsight.yaml, and what it is called.

    Parameters
    ----------
    edit : AnyEdit
    anchors : Anchors
        Names and places of the board as it is.
    accept : callable
        Check and place by the id of a finding and whether it is to be accepted.

    Raises
    ------
    UsageError
        If a hex, hexside, building or finding does not exist, or a value is wrong.
    """
    if isinstance(edit, ManyEdit):
        out: list[Setting] = []
        labels = []
        for one in edit.edits:
            settings, label = settings_of(one, anchors, accept)
            out += settings
            labels.append(label)
        more = f" and {len(labels) - 1} more" if len(labels) > 1 else ""
        return out, edit.label or labels[0] + more
    if isinstance(edit, HexEdit):
        return _of_hex(edit, anchors)
    if isinstance(edit, HexsideEdit):
        return _of_hexside(edit, anchors)
    if isinstance(edit, PlaceEdit):
        return _of_place(edit, anchors)
    if isinstance(edit, OutlineEdit):
        return _of_outline(edit, anchors)
    if isinstance(edit, GridEdit):
        return _of_grid(edit, anchors)
    if isinstance(edit, ClearEdit):
        return _of_clear(edit, anchors)
    check, place = accept(edit.finding, edit.on)
    value = (edit.reason or "accepted") if edit.on else REMOVE
    word = "accepting" if edit.on else "no longer accepting"
    return [(("accepted", check, place), value)], f"{word} {check} at {place}"


def _of_hex(edit: HexEdit, anchors: Anchors) -> tuple[list[Setting], str]:
    name = anchors.hex(edit.hex)
    given = edit.model_dump(exclude={"kind", "hex"}, exclude_unset=True)
    if not given:
        raise UsageError(f"Say what to correct in {name}.")
    _valid(HexOverride, {k: v for k, v in given.items() if v is not None}, name)
    settings: list[Setting] = []
    for key, value in given.items():
        settings.append((("overrides", "hexes", name, key), _written(key, value)))
    return settings, f"{', '.join(k.replace('_', ' ') for k in given)} of {name}"


def _written(key: str, value: Any) -> Any:
    """A value as it stands in the file."""
    if value is None:
        return REMOVE
    if key in ("height", "level"):
        return float(str(value).strip().replace("½", ".5").lstrip("+"))
    if isinstance(value, tuple):
        return [round(float(v), 1) for v in value]
    return value


def _of_hexside(edit: HexsideEdit, anchors: Anchors) -> tuple[list[Setting], str]:
    key = anchors.hexside(edit.hexside)
    given = edit.model_dump(exclude={"kind", "hexside"}, exclude_unset=True)
    if not given:
        raise UsageError(f"Say what to correct on {key}.")
    said = {k: v for k, v in given.items() if v is not None}
    if isinstance(said.get("bar"), tuple):
        said["bar"] = tuple(round(v, 3) for v in said["bar"])
        first, last = said["bar"]
        given["bar"] = [first, last]
    _valid(HexsideOverride, said, key)
    settings: list[Setting] = [
        (("overrides", "hexsides", key, k), REMOVE if v is None else v) for k, v in given.items()
    ]
    return settings, f"{', '.join(given)} on {key}"


def _of_place(edit: PlaceEdit, anchors: Anchors) -> tuple[list[Setting], str]:
    name = anchors.hex_at(edit.x, edit.y)
    place = [round(edit.x, 1), round(edit.y, 1)]
    return [(("overrides", "hexes", name, edit.kind), place)], (
        f"{edit.kind.replace('_', ' ')} in {name}"
    )


def _of_outline(edit: OutlineEdit, anchors: Anchors) -> tuple[list[Setting], str]:
    if (edit.building is None) == (edit.at is None):
        raise UsageError("Name the building by its number or by a place.")
    if edit.building is not None:
        key, material = anchors.building(edit.building)
    else:
        assert edit.at is not None
        key, material = anchors.building_at(edit.at)
    material = edit.material or material
    path = ("overrides", "buildings", key)
    if edit.outline is None:
        return [(path, REMOVE)], f"outline of the building in {key}"
    given = {"outline": edit.outline, "holes": edit.holes, "material": material}
    _valid(BuildingOverride, {k: v for k, v in given.items() if v is not None}, key)
    settings: list[Setting] = [((*path, "outline"), _ring(edit.outline))]
    if edit.holes is not None:
        settings.append(((*path, "holes"), [_ring(r) for r in edit.holes]))
    if material is not None:
        settings.append(((*path, "material"), material))
    return settings, f"outline of the building in {key}"


def _ring(ring: Ring) -> list[list[float]]:
    points = [[round(x, 1), round(y, 1)] for x, y in ring]
    return points[:-1] if len(points) > 3 and points[0] == points[-1] else points


def _of_grid(edit: GridEdit, anchors: Anchors) -> tuple[list[Setting], str]:
    given = edit.model_dump(exclude={"kind", "auto"}, exclude_none=True)
    if edit.auto:
        if given:
            raise UsageError("Either numbers of the grid or auto, not both.")
        return [(("grid",), REMOVE)], "grid as printed"
    if not given:
        raise UsageError("Say which numbers of the grid change.")
    digits = {"rot_deg": 5, "skew_deg": 5}
    numbers = {k: round(v, digits.get(k, 3)) for k, v in (anchors.grid | given).items()}
    sideways = anchors.sideways
    for key in ("rot_deg", "skew_deg"):
        if not numbers.get(key):
            numbers.pop(key, None)
    whole: dict[str, Any] = {**numbers, "sideways": True} if sideways else dict(numbers)
    _valid(GridChoice, whole, "grid")
    if not anchors.grid_is_written:
        return [(("grid",), whole)], "grid"
    settings: list[Setting] = [(("grid", k), v) for k, v in whole.items()]
    settings += [(("grid", k), REMOVE) for k in ("rot_deg", "skew_deg") if k not in numbers]
    return settings, "grid"


def _of_clear(edit: ClearEdit, anchors: Anchors) -> tuple[list[Setting], str]:
    named = [v for v in (edit.hex, edit.hexside, edit.building) if v is not None]
    if len(named) != 1:
        raise UsageError("Name the hex, the hexside or the building whose corrections go.")
    if edit.hex is not None:
        name = anchors.hex(edit.hex)
        return [(("overrides", "hexes", name), REMOVE)], f"taking back {name}"
    if edit.hexside is not None:
        key = anchors.hexside(edit.hexside)
        return [(("overrides", "hexsides", key), REMOVE)], f"taking back {key}"
    building = edit.building
    if isinstance(building, int):
        key, _ = anchors.building(building)
    else:
        key = pixel_key(building) if isinstance(building, tuple) else str(building)
    return [(("overrides", "buildings", key), REMOVE)], f"taking back the outline in {key}"


def _valid(model: type[BaseModel], content: dict[str, Any], name: str) -> None:
    try:
        model.model_validate(content)
    except ValidationError as error:
        said = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise UsageError(f"{name}: {said}.") from error
