"""Buildings: solid regions in the colours of roofs, with straight edges.

Grey and brown are also the colours of walls, rubble, debris, rails, bridges and
gullies.  What tells a roof from them is shape: its edges are straight over a
good part of a hex, it is filled, and it is no ribbon.  Straightness is measured
as the coherence of the structure tensor along the edge [1]_: 1 where the edge
has one direction in the neighbourhood, 0 where it turns at random.

References
----------
.. [1] J. Bigün and G. H. Granlund, "Optimal orientation detection of linear
   symmetry", ICCV 1987.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.extract.buildings_edge import refine_outlines, scores_on
from hexsight.extract.buildings_regions import (
    OPENING,
    RAILS,
    line_art_classes,
    regions,
    roof_classes,
)
from hexsight.extract.classify import Paint, disc, odd
from hexsight.model.yamlsafe import parse_yaml

# Shares of the hex size.
_LEAST_AREA = 0.012  # hex sizes squared
_PIECE = 0.06  # hex sizes squared: planks and blocks of a pile are smaller
_RAILED = (0.115, 0.17)  # share of a region in the colours of railroads, drawn and worn
_RAILS_LENGTH = 0.9  # logarithm of their area over the square of their width
_INK = 0.35  # share of black in a spot; dark small roofs have half of it
_PATCH = 0.08  # hex sizes squared
_BUILT = frozenset({"building", "rubble"})
_SHELLHOLES = 15
FEATURES = (
    "log_area",
    "coherence",
    "coherence_fine",
    "coherence_wide",
    "fill",
    "halo",
    "log_elongation",
    "radius",
    "dark",
    "lightness",
    "contrast",
    "ink",
    "earth",
    "green",
    "green_halo",
    "line_art",
    "wood",
    "rubble",
    "pit_halo",
    "edge",
)


@dataclass(frozen=True)
class Candidate:
    """A region that might be a building.

    Attributes
    ----------
    box : (left, top, width, height)
        In board pixels.
    area_px : int
    features : tuple of float
        In the order of `FEATURES`.
    score : float
        Probability that it is a building.
    """

    box: tuple[int, int, int, int]
    area_px: int
    features: tuple[float, ...]
    score: float


@dataclass(frozen=True)
class Buildings:
    """Where buildings stand.

    Attributes
    ----------
    mask : (H, W) bool
        Pixels inside a depiction.
    wood : (H, W) bool
        Those whose building is wooden.
    candidates : tuple of Candidate
        All regions looked at, accepted or not, in reading order.
    score : (H, W) uint8
        Probability of the region of each pixel, 255 = surely a building; 0 outside of regions.
    """

    mask: NDArray[np.bool_]
    wood: NDArray[np.bool_]
    candidates: tuple[Candidate, ...]
    score: NDArray[np.uint8]


def find_buildings(paint: Paint, taken: NDArray[np.bool_]) -> Buildings:
    """Find all buildings.

    Parameters
    ----------
    paint : Paint
        The cleaned picture seen through its legend.
    taken : (H, W) bool ndarray
        Pixels that bands along hexsides claim.
    """
    s = paint.hex_px
    body, opened = regions(paint, taken)
    found, labels = candidates(paint, opened, taken)
    likely = probabilities(found, worn=paint.noisy)
    found = tuple(replace(c, score=p) for c, p in zip(found, likely, strict=True))
    found = _without_piles(_without_marks(_without_rails(paint, found, labels)), s)
    good = np.array([False, *(c.score > 0.5 for c in found)])
    score = np.array([0, *(round(255 * c.score) for c in found)], np.uint8)
    kept = good[labels].astype(np.uint8)
    # Opening rounds corners off: give back what lies within its reach.
    mask = (cv2.dilate(kept, disc(OPENING * s)) > 0) & body
    refused = (labels > 0) & ~good[labels]
    mask &= ~refused
    mask = refine_outlines(paint.rgb, mask, s, wide=paint.noisy) & ~taken & ~refused
    wood = _wooden(paint, mask)
    order = sorted(range(len(found)), key=lambda i: (found[i].box[1], found[i].box[0]))
    return Buildings(mask, wood, tuple(found[i] for i in order), scores_on(score[labels], mask))


def probabilities(found: tuple[Candidate, ...], *, worn: bool = False) -> list[float]:
    """Probability of each candidate to be a building, by the model for drawn or worn pictures."""
    if not found:
        return []
    weights, bias = _model("worn" if worn else "drawn")
    table = np.array([c.features for c in found], np.float64)
    column = {name: table[:, i] for i, name in enumerate(FEATURES)}
    column["lightness_low"] = np.minimum(column["lightness"], 0.3)
    column["log_area_small"] = np.minimum(column["log_area"], -3.0)
    total = np.full(len(found), bias)
    for term, weight in weights.items():
        value = np.ones(len(found))
        for factor in term.split("*"):
            value = value * column[factor]
        total += weight * value
    return [float(p) for p in 1.0 / (1.0 + np.exp(-np.clip(total, -40, 40)))]


@lru_cache(maxsize=2)
def _model(which: str) -> tuple[dict[str, float], float]:
    file = resources.files("hexsight.extract") / "buildings-model.yaml"
    data = parse_yaml(file.read_text(encoding="utf-8"), file.name)[which]
    return {str(k): float(v) for k, v in data["weights"].items()}, float(data["bias"])


def _without_rails(
    paint: Paint, found: tuple[Candidate, ...], labels: NDArray[np.int32]
) -> tuple[Candidate, ...]:
    """Ribbons in the colours of railroads, of which roofs have hardly any, are railroads."""
    rails = paint.evidence(paint.of(code=RAILS)).ravel() / 255.0
    total = np.bincount(labels.ravel(), rails, len(found) + 1)[1:]
    limit = _RAILED[1] if paint.noisy else _RAILED[0]
    elongation, wood = FEATURES.index("log_elongation"), FEATURES.index("wood")
    return tuple(
        replace(c, score=min(c.score, 0.1))
        if t > limit * c.area_px
        and c.features[elongation] > _RAILS_LENGTH
        and c.features[wood] < 0.5  # sleepers are as brown as some wooden roofs
        else c
        for c, t in zip(found, total, strict=True)
    )


def _without_marks(found: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Nearly black spots are printed marks, however straight their edges."""
    ink, area = FEATURES.index("ink"), FEATURES.index("log_area")
    return tuple(
        replace(c, score=min(c.score, 0.1))
        if c.features[ink] > _INK and c.features[area] < np.log(0.08)
        else c
        for c in found
    )


def _without_piles(found: tuple[Candidate, ...], s: float) -> tuple[Candidate, ...]:
    """Six or more small pieces close together, and nothing larger, are a pile of planks."""
    centre = np.array([(c.box[0] + c.box[2] / 2, c.box[1] + c.box[3] / 2) for c in found])
    area = np.exp([c.features[FEATURES.index("log_area")] for c in found])
    good = np.array([c.score > 0.5 for c in found], bool)
    out = list(found)
    for i in np.flatnonzero(good & (area < _PIECE)):
        close = good & (np.linalg.norm(centre - centre[i], axis=1) < 0.7 * s)
        if close.sum() >= 6 and (area[close] < _PIECE).all():
            out[i] = replace(found[i], score=0.3)
    return tuple(out)


def _wooden(paint: Paint, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Pixels of a mask whose surroundings within it are brown or red rather than grey."""
    side = (odd(0.2 * paint.hex_px),) * 2
    inside = mask.astype(np.uint8)
    planes = [
        cv2.blur(paint.evidence(paint.of(kind=_BUILT, material=m)) * inside, side)
        for m in ("wood", "stone")
    ]
    wood = mask & (planes[0] > planes[1])
    # A patch of the other colour, such as a chimney, is no building of its own.
    for own, other in ((wood, mask & ~wood), (mask & ~wood, wood)):
        _, labels, stats, _ = cv2.connectedComponentsWithStats(own.astype(np.uint8), connectivity=4)
        small = stats[:, cv2.CC_STAT_AREA] < _PATCH * paint.hex_px**2
        small[0] = False
        patches = small[labels]
        touched = np.unique(
            labels[(cv2.dilate(other.astype(np.uint8), np.ones((3, 3))) > 0) & patches]
        )
        wood ^= np.isin(labels, touched) & patches
    return np.asarray(wood, bool)


def candidates(
    paint: Paint, opened: NDArray[np.uint8], taken: NDArray[np.bool_]
) -> tuple[tuple[Candidate, ...], NDArray[np.int32]]:
    """Every region with its features, and the label raster of the regions (1, 2, …)."""
    s = paint.hex_px
    planes = _Planes.of(paint)
    free = ~taken
    depth = cv2.distanceTransform(np.pad(opened, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    pad = int(0.2 * s) + 2
    near, gap = disc(0.2 * s), disc(0.06 * s)
    found = []
    for i in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[i])
        at = (slice(max(0, y - pad), y + h + pad), slice(max(0, x - pad), x + w + pad))
        region = labels[at] == i
        r8 = region.astype(np.uint8)
        edge = region & (cv2.erode(r8, np.ones((3, 3), np.uint8)) == 0)
        halo = (cv2.dilate(r8, near) > 0) & (cv2.dilate(r8, gap) == 0) & free[at]
        radius = max(1.0, float(depth[at][region].max()))
        weight = planes.energy[at][edge] + 1e-3
        tones = planes.light[at][region]
        roof = float(planes.roof[at][region].mean()) + 1e-3

        def mean(plane: NDArray[np.uint8], where: NDArray[np.bool_], at: Any = at) -> float:
            return float(plane[at][where].mean() / 255) if where.any() else 0.0

        features = (
            float(np.log(area / s**2)),
            *(float(np.average(c[at][edge], weights=weight)) for c in planes.coherence),
            mean(planes.roof, region),
            mean(planes.roof, halo),
            float(np.log(area / (4 * radius**2))),
            radius / s,
            float((tones < 64).mean()),
            float(tones.mean() / 255),
            float(tones.std() / 255),
            mean(planes.ink, region),
            mean(planes.earth, region),
            mean(planes.green, region),
            mean(planes.green, halo),
            mean(planes.line_art, region),
            float(planes.wood[at][region].mean()) / roof,
            mean(planes.rubble, region),
            mean(planes.pit, halo),
            float(np.sqrt(weight).mean() / 255),
        )
        found.append(Candidate((x, y, w, h), area, features, 0.0))
    return tuple(found), np.asarray(labels, np.int32)


@dataclass(frozen=True)
class _Planes:
    """What is measured over each region."""

    roof: NDArray[np.uint8]
    wood: NDArray[np.uint8]
    ink: NDArray[np.uint8]
    earth: NDArray[np.uint8]
    green: NDArray[np.uint8]
    line_art: NDArray[np.uint8]
    rubble: NDArray[np.uint8]
    pit: NDArray[np.uint8]
    light: NDArray[np.uint8]
    coherence: tuple[NDArray[np.float32], ...]
    energy: NDArray[np.float32]

    @classmethod
    def of(cls, paint: Paint) -> _Planes:
        roof = paint.evidence(roof_classes(paint))
        found = [_coherence(roof, paint.hex_px, reach) for reach in (0.05, 0.025, 0.1)]
        growth = {"growth", "woods", "orchard"}
        depression = paint.of(kind="depression")
        bed = [k for k in depression if paint.legend.classes[k].segments[0][0][1] > 0]
        leaves = [k for k in depression if k not in bed]
        return cls(
            roof=roof,
            wood=paint.evidence(paint.of(kind=_BUILT, material="wood")),
            ink=paint.evidence(paint.of(name="ink")),
            earth=paint.evidence(np.concatenate([paint.of(kind="cliff"), np.array(bed, np.int64)])),
            green=paint.evidence(
                np.concatenate(
                    [paint.of(kind=growth), paint.of(code=73), np.array(leaves, np.int64)]
                )
            ),
            line_art=paint.evidence(line_art_classes(paint)),
            rubble=paint.evidence(paint.of(kind="rubble")),
            pit=paint.evidence(
                np.concatenate([paint.of(code=_SHELLHOLES), paint.of(name="crater")])
            ),
            light=paint.lightness,
            coherence=tuple(c for c, _ in found),
            energy=found[0][1],
        )


def _coherence(
    plane: NDArray[np.uint8], s: float, reach: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Coherence and energy (H, W) float32 of the structure tensor of a plane."""
    smooth = cv2.GaussianBlur(plane.astype(np.float32), (0, 0), max(0.8, 0.0125 * s))
    gx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0)
    gy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    sigma = max(1.0, reach * s)
    xx = cv2.GaussianBlur(gx * gx, (0, 0), sigma)
    xy = cv2.GaussianBlur(gx * gy, (0, 0), sigma)
    yy = cv2.GaussianBlur(gy * gy, (0, 0), sigma)
    energy = xx + yy
    return np.sqrt((xx - yy) ** 2 + 4 * xy * xy) / (energy + 1e-3), energy


def draw_buildings(rgb: NDArray[np.uint8], result: Buildings) -> NDArray[np.uint8]:
    """Picture with stone buildings outlined in cyan, wooden in yellow, refused regions in red."""
    out = rgb.copy()
    refused = (result.score > 0) & ~result.mask
    for mask, colour in (
        (refused, (255, 0, 0)),
        (result.mask & ~result.wood, (0, 255, 255)),
        (result.mask & result.wood, (255, 255, 0)),
    ):
        rings, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(out, rings, -1, colour, 1)
    return out
