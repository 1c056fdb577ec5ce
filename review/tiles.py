"""The map and the layers over it as square tiles, each made when it is asked for.

Level 0 is the picture as it is; each further level halves it, so that a tile of level z
covers exactly 2^z times its size.  What is kept in memory is bounded: the halved maps
are a third of the map, tiles are thrown away the longest unused first.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hexsight.model.board import Board
from hexsight.review.palettes import (
    Palette,
    confidence_palette,
    elevation_palette,
    terrain_palette,
)

TILE = 512
MAX_CACHED = 64 << 20  # bytes of finished tiles
LAYERS = ("map", "terrain", "elevation", "confidence")
# Loopback is fast and a processor core is not: little packing.
_PACKING = [cv2.IMWRITE_PNG_COMPRESSION, 1]


def levels_of(size_px: tuple[int, int]) -> int:
    """How many levels there are until all lies in one tile."""
    levels = 1
    while max(size_px) > TILE << (levels - 1):
        levels += 1
    return levels


def digest_of(*arrays: NDArray[np.uint8] | NDArray[np.int8]) -> str:
    """Short digest of what arrays hold, for addresses and ETags: 20 hex digits."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(repr(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()[:20]


def halved(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture (H, W, C) uint8 at half its size, rounded up: an odd last line counts twice."""
    height, width = picture.shape[:2]
    if height % 2 or width % 2:
        picture = np.asarray(
            cv2.copyMakeBorder(picture, 0, height % 2, 0, width % 2, cv2.BORDER_REPLICATE), np.uint8
        )
    size = ((width + 1) // 2, (height + 1) // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def png(picture: NDArray[np.uint8]) -> bytes:
    """PNG of a picture (H, W, 3) RGB or (H, W, 4) RGBA uint8."""
    order = cv2.COLOR_RGB2BGR if picture.shape[2] == 3 else cv2.COLOR_RGBA2BGRA
    done, data = cv2.imencode(".png", cv2.cvtColor(picture, order), _PACKING)
    assert done
    return data.tobytes()


class MapLevels:
    """The map's picture and its halved ones, each made once.

    Parameters
    ----------
    rgb : (H, W, 3) uint8
    """

    def __init__(self, rgb: NDArray[np.uint8]) -> None:
        self._levels = [rgb]
        self._lock = threading.Lock()
        self.digest = digest_of(rgb)

    def level(self, z: int) -> NDArray[np.uint8]:
        """The picture halved z times."""
        with self._lock:
            while len(self._levels) <= z:
                self._levels.append(halved(self._levels[-1]))
            return self._levels[z]

    def tile(self, z: int, x: int, y: int) -> NDArray[np.uint8]:
        """One tile (h, w, 3) uint8, smaller at the right and lower edge."""
        return self.level(z)[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE]


@dataclass(frozen=True, eq=False)
class LabelLayer:
    """A raster of bytes (H, W) uint8 shown by a palette."""

    raster: NDArray[np.uint8]
    palette: Palette
    digest: str
    source: NDArray[Any]  # the very array that it was made from

    def tile(self, z: int, x: int, y: int) -> NDArray[np.uint8]:
        """One tile (h, w, 4) uint8: every 2^(z − 1)th pixel, and of these the mean of four.

        The tile of the last level covers the whole map; its cost is that of any other.
        """
        step = 1 << max(0, z - 1)
        side = TILE << z
        part = self.raster[y * side : (y + 1) * side : step, x * side : (x + 1) * side : step]
        tinted = self.palette.table[part]
        if not z:
            return tinted
        # A clear pixel has no colour that could bleed into the mean.
        tinted[..., :3] = (tinted[..., :3].astype(np.uint16) * tinted[..., 3:] // 255).astype(
            np.uint8
        )
        small = halved(tinted)
        alpha = np.maximum(small[..., 3:], 1).astype(np.uint16)
        small[..., :3] = np.minimum(small[..., :3].astype(np.uint16) * 255 // alpha, 255)
        return small


class Layers:
    """All layers of one state of a board, each prepared when first asked for.

    Parameters
    ----------
    board : Board
    map_ : MapLevels
    confidence : (H, W) uint8 or None
    earlier : Layers, optional
        Of the state before: what has not changed since is taken over.
    """

    def __init__(
        self,
        board: Board,
        map_: MapLevels,
        confidence: NDArray[np.uint8] | None,
        earlier: Layers | None = None,
    ) -> None:
        self.size_px = board.size_px
        self.map = map_
        old = earlier.shown if earlier is not None else {}
        self.terrain = _kept(
            old.get("terrain"), board.terrain, board.terrain, lambda: terrain_palette(board)
        )
        # Signed levels as bytes in their order.
        levels = board.elevation_half
        self.elevation = _kept(
            old.get("elevation"),
            levels,
            levels.view(np.uint8) ^ np.uint8(0x80),
            lambda: elevation_palette(board),
        )
        self.confidence: LabelLayer | None = None
        if confidence is not None:
            self.confidence = _kept(
                old.get("confidence"), confidence, confidence, confidence_palette
            )

    @property
    def shown(self) -> dict[str, LabelLayer | None]:
        """The layers over the map, None for one that there is not."""
        return {
            "terrain": self.terrain,
            "elevation": self.elevation,
            "confidence": self.confidence,
        }

    def digests(self) -> dict[str, str | None]:
        """Digest of each layer, None where there is none."""
        shown = {name: layer.digest if layer else None for name, layer in self.shown.items()}
        return {"map": self.map.digest, **shown}

    def keys(self) -> dict[str, list[dict[str, str]]]:
        """What the tints mean, by layer."""
        return {
            name: [swatch.to_json() for swatch in layer.palette.key]
            for name, layer in self.shown.items()
            if layer is not None
        }

    def tile(self, layer: str, z: int, x: int, y: int) -> NDArray[np.uint8] | None:
        """One tile, None where the layer has none there."""
        found = self.map if layer == "map" else self.shown.get(layer)
        if found is None or not 0 <= z < levels_of(self.size_px):
            return None
        columns, rows = (-(-side // (TILE << z)) for side in self.size_px)
        if not (0 <= x < columns and 0 <= y < rows):
            return None
        return found.tile(z, x, y)


def _kept(
    before: LabelLayer | None,
    source: NDArray[Any],
    raster: NDArray[np.uint8],
    palette: Callable[[], Palette],
) -> LabelLayer:
    """The layer of a raster: that before where it is the same."""
    if before is not None and before.source is source:
        return before
    digest = digest_of(raster)
    if before is not None and before.digest == digest:
        return before
    return LabelLayer(raster, palette(), digest, source)


class TileCache:
    """Finished tiles, the longest unused thrown away beyond a number of bytes."""

    def __init__(self, most: int = MAX_CACHED) -> None:
        self.most = most
        self.size = 0
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> bytes | None:
        """A tile that is kept."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: Hashable, data: bytes) -> None:
        """Keep a tile."""
        with self._lock:
            old = self._kept.pop(key, None)
            self.size += len(data) - (len(old) if old is not None else 0)
            self._kept[key] = data
            while self.size > self.most and len(self._kept) > 1:
                self.size -= len(self._kept.popitem(last=False)[1])
