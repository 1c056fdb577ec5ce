"""A picture of a proposed legend, to see at a glance what each class is."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from hexsight.extract.propose import Box, LegendProposal, ProposedClass
from hexsight.extract.propose_yaml import texture_word

_ROW, _CROP, _GAP, _PATCH, _TEXT = 124, 112, 8, 84, 236
_COLUMN = 44 + _PATCH + 3 * (_CROP + _GAP) + _TEXT + 2 * _GAP
_ROWS_A_COLUMN = 10
_CROP_HEXES = 1.4  # side of an example crop
_PAPER, _INK, _GREY, _FRAME = (250, 250, 248), (20, 20, 20), (110, 110, 110), (255, 0, 200)


def swatch_sheet(rgb: NDArray[np.uint8], proposal: LegendProposal) -> NDArray[np.uint8]:
    """Draw every class: number, colours, up to three example crops, share and guess.

    In the crops, what does not belong to the class is paled; a frame marks the sample box.

    Parameters
    ----------
    rgb : (H, W, 3) uint8 ndarray
        The picture that the proposal was made from.
    proposal : LegendProposal

    Returns
    -------
    (h, w, 3) uint8 ndarray
    """
    count = len(proposal.classes)
    columns = 2 if count > _ROWS_A_COLUMN else 1
    rows = -(-count // columns)
    size = (columns * _COLUMN + _GAP, rows * _ROW + _GAP)
    sheet = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(sheet)
    for i, c in enumerate(proposal.classes):
        x, y = _GAP + (i // rows) * _COLUMN, _GAP + (i % rows) * _ROW
        _draw_class(sheet, draw, (x, y), c, rgb, proposal)
    return np.asarray(sheet, np.uint8)


def _draw_class(
    sheet: Image.Image,
    draw: ImageDraw.ImageDraw,
    at: tuple[int, int],
    c: ProposedClass,
    rgb: NDArray[np.uint8],
    proposal: LegendProposal,
) -> None:
    x, y = at
    draw.text((x + 30, y + _CROP // 2), str(c.number), fill=_INK, font=_font(24), anchor="rm")
    x += 44
    _draw_patch(draw, (x, y), c)
    x += _PATCH + _GAP
    for box in c.boxes:
        sheet.paste(Image.fromarray(_crop(rgb, proposal, c.number, box)), (x, y))
        x += _CROP + _GAP
    x = at[0] + 44 + _PATCH + _GAP + 3 * (_CROP + _GAP)
    r, g, b = c.mean_rgb
    sure = c.guess.sure
    lines = [
        (c.name, 17, _INK),
        (f"guessed, {c.guess.confidence:.2f}", 13, _GREY)
        if sure
        else (f"perhaps {c.guess.terrain}, {c.guess.confidence:.2f}", 13, _GREY),
        (f"{100 * c.share:.1f} % of the map", 15, _INK),
        (f"{texture_word(c.contrast)}, {c.width_hex:.1f} hexes wide", 13, _GREY),
        (f"mean colour {r}, {g}, {b}", 13, _GREY),
    ]
    for text, height, fill in lines:
        draw.text((x, y), text, fill=fill, font=_font(height))
        y += height + 7


def _draw_patch(draw: ImageDraw.ImageDraw, at: tuple[int, int], c: ProposedClass) -> None:
    """Mean colour above, the single colours in proportion below."""
    x, y = at
    upper = _CROP * 6 // 10
    draw.rectangle((x, y, x + _PATCH - 1, y + upper - 1), fill=c.mean_rgb)
    left = 0.0
    for colour, part in c.colours:
        right = left + part * _PATCH
        box = (
            x + round(left),
            y + upper,
            x + max(round(right), round(left) + 1) - 1,
            y + _CROP - 1,
        )
        draw.rectangle(box, fill=colour)
        left = right
    draw.rectangle((x, y, x + _PATCH - 1, y + _CROP - 1), outline=_GREY)


def _crop(
    rgb: NDArray[np.uint8], proposal: LegendProposal, number: int, box: Box
) -> NDArray[np.uint8]:
    """Surroundings of a sample box, what is not of the class paled."""
    height, width = rgb.shape[:2]
    side = max(8, round(_CROP_HEXES * proposal.hex_px))
    side = min(side, height, width)
    left = min(max(0, box[0] + box[2] // 2 - side // 2), width - side)
    top = min(max(0, box[1] + box[3] // 2 - side // 2), height - side)
    part = rgb[top : top + side, left : left + side]
    scale = proposal.scale
    rows = ((np.arange(top, top + side) + 0.5) * scale).astype(int)
    cols = ((np.arange(left, left + side) + 0.5) * scale).astype(int)
    rows = np.minimum(rows, proposal.label.shape[0] - 1)
    cols = np.minimum(cols, proposal.label.shape[1] - 1)
    mine = proposal.label[rows[:, None], cols[None, :]] == number
    paled = (part.astype(np.uint16) // 4 + 180).clip(0, 255).astype(np.uint8)
    shown = np.where(mine[..., None], part, paled)
    how = cv2.INTER_AREA if side > _CROP else cv2.INTER_NEAREST
    out = np.asarray(cv2.resize(shown, (_CROP, _CROP), interpolation=how), np.uint8)
    zoom = _CROP / side
    # Single pixels get a frame around them that can be seen.
    middle = [(box[k] + box[k + 2] / 2 - (left, top)[k]) * zoom for k in (0, 1)]
    reach = max(5.0, box[2] * zoom / 2)
    x0, y0 = (round(v - reach) for v in middle)
    x1, y1 = (round(v + reach) for v in middle)
    cv2.rectangle(out, (x0, y0), (x1, y1), _FRAME, 1)
    return out


def _font(height: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size=height)
