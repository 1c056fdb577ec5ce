"""What the colours of a map mean.

A legend names terrain classes with the colours that their art is made of.  A
colour model is a mixture of points and ramps in CIELAB, where equal distances
look equally different: a ramp is the line between two colours and stands for
everything that is shaded from one to the other, such as a roof.  The model is
tabulated over the colour cube once, so that a picture of any size is looked up
and not computed.

Legends come from a preset that ships with hexsight, or from a person's YAML
file, which may extend a preset and may name boxes on the map instead of
colours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hexsight.extract.legend_colours import class_density, to_lab
from hexsight.model.errors import UsageError
from hexsight.model.terrain import Catalogue, load_catalogue
from hexsight.model.yamlsafe import load_yaml, parse_yaml

__all__ = [
    "DEFAULT_SPREAD",
    "PRINT",
    "Legend",
    "LegendClass",
    "legend_from",
    "load_legend",
    "pick_legend",
    "to_lab",
]

PRINT = "print"  # pseudo-terrain: ink that hides no terrain, such as labels and grid lines
DEFAULT_SPREAD = 2.5
_MAX_CLASSES = 120
_MAX_SAMPLES = 200
_KEYS = frozenset({"terrain", "name", "half", "share", "spread", "colours", "ramps", "boxes"})


@dataclass(frozen=True)
class LegendClass:
    """Colours of one kind of art.

    Attributes
    ----------
    name : str
        For reports.
    code : int or None
        Terrain code; None for print, which hides no terrain.
    kind : str
        Kind of that terrain in the catalogue, or ``"print"``.
    material : str or None
    half : int or None
        Ground elevation in half-levels that the colour tells.
    share : float
        How much of the picture is expected to have it, relative to other classes.
    spread : float
        Standard deviation around the colours, in CIELAB units.
    segments : tuple of pairs of (L, a, b)
        Ramps; a point is a ramp without length.
    boxes : tuple of (x, y, width, height)
        Samples on the map, in board pixels, still to be learnt.
    """

    name: str
    code: int | None
    kind: str
    material: str | None = None
    half: int | None = None
    share: float = 1.0
    spread: float = DEFAULT_SPREAD
    segments: tuple[tuple[tuple[float, float, float], tuple[float, float, float]], ...] = ()
    boxes: tuple[tuple[int, int, int, int], ...] = ()


@dataclass(frozen=True)
class Legend:
    """Terrain classes of a map.

    Attributes
    ----------
    name : str
    classes : tuple of LegendClass
    catalogue : str
        Name of the terrain catalogue that the codes belong to.
    """

    name: str
    classes: tuple[LegendClass, ...]
    catalogue: str = "vasl"
    where: str = field(default="", compare=False)

    def learn(self, rgb: NDArray[np.uint8]) -> Legend:
        """Legend whose boxes on a picture (H, W, 3) have become colours.

        Raises
        ------
        UsageError
            If a box lies outside the picture, or a class has no colour at all.
        """
        return replace(self, classes=tuple(_learn(c, rgb, self.where) for c in self.classes))

    def index(self, **wanted: Any) -> NDArray[np.int64]:
        """Positions of the classes that have all given attributes; a set allows several."""
        found = [
            i
            for i, c in enumerate(self.classes)
            if all(
                getattr(c, key) in value
                if isinstance(value, (set, frozenset))
                else getattr(c, key) == value
                for key, value in wanted.items()
            )
        ]
        return np.array(found, np.int64)


def load_legend(name_or_path: str | Path) -> Legend:
    """Read a preset (``"vasl"``) or a legend file.

    Raises
    ------
    UsageError
        If there is no such preset, a key is unknown, a terrain is not in the
        catalogue, or a colour is none; names file and class.
    InputError
        If the file cannot be read.
    """
    text = str(name_or_path)
    if "/" not in text and "\\" not in text and not text.endswith((".yaml", ".yml")):
        preset = resources.files("hexsight.extract") / f"legend-{text}.yaml"
        if not preset.is_file():
            raise UsageError(
                f"There is no legend preset {text!r}. Use {_presets()} or the path of a YAML file."
            )
        return legend_from(parse_yaml(preset.read_text(encoding="utf-8"), preset.name), text)
    return legend_from(load_yaml(Path(text)), text)


def _presets() -> str:
    """Names of the presets that come with hexsight, for messages."""
    names = (file.name for file in resources.files("hexsight.extract").iterdir())
    known = re.compile(r"legend-([a-z0-9]+)\.yaml")
    return ", ".join(sorted(repr(m[1]) for name in names if (m := known.fullmatch(name))))


def legend_from(data: Any, where: str) -> Legend:
    """Legend from parsed YAML: a mapping with ``classes`` and, optionally, ``name`` and ``base``.

    Parameters
    ----------
    data : mapping
        ``base`` names a preset whose classes come first; a class with the same
        terrain and name replaces that of the base.
    where : str
        Name of the file for messages.

    Raises
    ------
    UsageError
        As `load_legend`.
    """
    if not isinstance(data, dict) or not isinstance(data.get("classes"), list):
        raise UsageError(f"Cannot use legend {where}: it needs a list under 'classes'.")
    unknown = sorted(set(data) - {"name", "base", "classes"}, key=str)
    if unknown:
        raise UsageError(
            f"Cannot use legend {where}: unknown key {unknown[0]!r}. "
            "Allowed are name, base, classes."
        )
    catalogue = load_catalogue()
    own = [_class(entry, i, catalogue, where) for i, entry in enumerate(data["classes"])]
    base = load_legend(str(data["base"])).classes if data.get("base") else ()
    replaced = {(c.code, c.name) for c in own}
    classes = [c for c in base if (c.code, c.name) not in replaced] + own
    if not classes or len(classes) > _MAX_CLASSES:
        raise UsageError(f"Cannot use legend {where}: it needs 1 to {_MAX_CLASSES} classes.")
    return Legend(str(data.get("name", Path(where).stem)), tuple(classes), where=where)


def _class(entry: Any, i: int, catalogue: Catalogue, where: str) -> LegendClass:
    place = f"Cannot use legend {where}, class {i + 1}"
    if not isinstance(entry, dict) or "terrain" not in entry:
        raise UsageError(
            f"{place}: write it as 'terrain: NAME' with 'colours', 'ramps' or 'boxes'."
        )
    unknown = sorted(set(entry) - _KEYS, key=str)
    if unknown:
        raise UsageError(
            f"{place}: unknown key {unknown[0]!r}. Allowed are {', '.join(sorted(_KEYS))}."
        )
    wanted = entry["terrain"]
    if wanted == PRINT:
        code, kind, material, default = None, PRINT, None, PRINT
    else:
        try:
            found = catalogue[wanted] if isinstance(wanted, int) else catalogue.named(str(wanted))
        except UsageError as error:
            raise UsageError(f"{place}: {error}") from error
        code, kind, material, default = found.code, found.kind, found.material, found.name
    points = [(c, c) for c in _rows(entry, "colours", 3, place)]
    ramps = [(r[:3], r[3:]) for r in _rows(entry, "ramps", 6, place)]
    segments = points + ramps
    boxes = tuple((b[0], b[1], b[2], b[3]) for b in _rows(entry, "boxes", 4, place))
    if not segments and not boxes:
        raise UsageError(f"{place} ({default}): it has no colours, ramps or boxes.")
    for colour in (c for pair in segments for c in pair):
        if not all(0 <= v <= 255 for v in colour):
            raise UsageError(f"{place} ({default}): {list(colour)} is no colour 0 to 255.")
    half = entry.get("half")
    return LegendClass(
        name=str(entry.get("name", default)),
        code=code,
        kind=kind,
        material=material,
        half=None if half is None else int(_number(half, -100, 100, f"{place}: half")),
        share=_number(entry.get("share", 1.0), 1e-3, 1e3, f"{place}: share"),
        spread=_number(entry.get("spread", DEFAULT_SPREAD), 0.5, 40.0, f"{place}: spread"),
        segments=_lab_segments(segments),
        boxes=boxes,
    )


def _number(value: Any, low: float, high: float, what: str) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not low <= value <= high:
        raise UsageError(f"{what} must be a number from {low:g} to {high:g}, not {value!r}.")
    return float(value)


def _rows(entry: dict[str, Any], key: str, length: int, place: str) -> list[tuple[int, ...]]:
    """Integer rows of a key; a ramp is written as two colours and read as six numbers."""
    raw = entry.get(key, [])
    rows: list[tuple[int, ...]] = []
    if not isinstance(raw, list) or len(raw) > _MAX_SAMPLES:
        raise UsageError(f"{place}: {key} must be a list of at most {_MAX_SAMPLES} entries.")
    for row in raw:
        flat = row
        if isinstance(row, list) and all(isinstance(v, list) for v in row):
            flat = [v for part in row for v in part]
        good = isinstance(flat, list) and len(flat) == length
        if not good or not all(isinstance(v, int) and not isinstance(v, bool) for v in flat):
            raise UsageError(f"{place}: {row!r} under {key} is not {length} whole numbers.")
        rows.append(tuple(flat))
    return rows


def _lab_segments(
    pairs: list[tuple[tuple[int, ...], tuple[int, ...]]],
) -> tuple[tuple[tuple[float, float, float], tuple[float, float, float]], ...]:
    if not pairs:
        return ()
    lab = to_lab(np.array(pairs, np.uint8).reshape(1, -1, 3)).reshape(-1, 2, 3)
    out = []
    for a, b in lab:
        out.append(
            (
                (round(float(a[0]), 3), round(float(a[1]), 3), round(float(a[2]), 3)),
                (round(float(b[0]), 3), round(float(b[1]), 3), round(float(b[2]), 3)),
            )
        )
    return tuple(out)


def _learn(cls: LegendClass, rgb: NDArray[np.uint8], where: str) -> LegendClass:
    if not cls.boxes:
        return cls
    height, width = rgb.shape[:2]
    parts = []
    for x, y, w, h in cls.boxes:
        if x < 0 or y < 0 or w < 1 or h < 1 or x + w > width or y + h > height:
            raise UsageError(
                f"Cannot use legend {where}, class {cls.name}: the box {[x, y, w, h]} is not "
                f"inside the picture of {width} × {height} pixels."
            )
        parts.append(rgb[y : y + h, x : x + w].reshape(-1, 3))
    pixels = np.concatenate(parts)
    step = max(1, len(pixels) // 20_000)
    lab = to_lab(pixels[None, ::step]).reshape(-1, 3)
    centres, spread = _palette(lab)
    segments = tuple((_triple(c), _triple(c)) for c in centres)
    return replace(
        cls,
        segments=cls.segments + segments,
        spread=max(cls.spread, spread),
        boxes=(),
    )


def _triple(c: NDArray[np.float32]) -> tuple[float, float, float]:
    return round(float(c[0]), 3), round(float(c[1]), 3), round(float(c[2]), 3)


def _palette(lab: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
    """Up to 8 colours that stand for pixels (n, 3), and the spread around them.

    Furthest-point seeding and Lloyd's steps: no chance is involved, so that the
    same box gives the same legend.
    """
    wanted = DEFAULT_SPREAD * 2
    centres = lab.mean(axis=0, keepdims=True)
    while len(centres) < 8:
        gap = np.linalg.norm(lab[:, None] - centres[None], axis=2).min(axis=1)
        if float(np.quantile(gap, 0.95)) < wanted:
            break
        far = lab[np.argsort(gap, kind="stable")[int(0.98 * (len(gap) - 1))]]
        centres = np.concatenate([centres, far[None]])
        for _ in range(6):
            owner = np.linalg.norm(lab[:, None] - centres[None], axis=2).argmin(axis=1)
            centres = np.stack(
                [
                    lab[owner == k].mean(axis=0) if (owner == k).any() else centres[k]
                    for k in range(len(centres))
                ]
            )
    gap = np.linalg.norm(lab[:, None] - centres[None], axis=2).min(axis=1)
    return centres.astype(np.float32), float(np.sqrt(np.mean(gap**2) / 3))


def pick_legend(rgb: NDArray[np.uint8], names: tuple[str, ...] = ("vasl", "samples")) -> Legend:
    """The preset that explains most of a picture.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        Board picture.
    names : tuple of str
        Presets to choose from, the first one wins a tie.

    Notes
    -----
    The score is the mean logarithm of how densely a legend's colours lie about
    those of the pixels, so that a legend with fitting colours beats one that has
    some colour near everything.
    """
    step = max(1, int(np.sqrt(rgb.shape[0] * rgb.shape[1] / 250_000)))
    lab = to_lab(np.ascontiguousarray(rgb[::step, ::step])).reshape(-1, 3)
    best, chosen = -np.inf, None
    for name in names:
        legend = load_legend(name)
        density = np.full(len(lab), 1e-6, np.float32)
        for cls in legend.classes:
            density += class_density(cls, lab)
        score = float(np.log(density).mean())
        if score > best + 1e-9:
            best, chosen = score, legend
    if chosen is None:
        raise UsageError("There is no legend to choose from. Name at least one preset.")
    return chosen
