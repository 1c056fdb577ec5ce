"""The drawing of the tutorial: what a person might paint on a blank sheet in three minutes."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from hexsight.samples.sheet import blank_sheet

STONE, WOOD = (140, 140, 140), (130, 84, 48)
WOODS, ROAD, INK, WHITE = (58, 104, 46), (240, 240, 232), (0, 0, 0), (255, 255, 255)
Point = tuple[float, float]


def draw_town(target: Path) -> None:
    """Paint on the sheet that lies at `target`, as `hexsight sheet` writes it."""
    layout = blank_sheet(14, 9).layout
    with Image.open(target) as sheet:
        picture = sheet.convert("RGB")
    draw = ImageDraw.Draw(picture)

    def cell(name: str) -> tuple[int, int]:
        return ord(name[0]) - ord("A") + 1, int(name[1:]) - 1

    def at(name: str, across: float = 0, down: float = 0) -> Point:
        u, v = layout.centre_uv(cell(name))
        return layout.px(u + across, v + down)

    def building(colour: tuple[int, int, int], *corners: Point) -> None:
        draw.polygon(corners, fill=colour)
        draw.line([*corners, corners[0]], fill=INK, width=2)

    def bar(a: str, b: str) -> None:
        draw.line(list(layout.hexside(cell(a), cell(b))), fill=INK, width=9)

    street = [at("A4", -0.6), at("C4"), at("F4"), at("H4"), at("L5"), at("N5", 0.6)]
    draw.line(street, fill=ROAD, width=20, joint="curve")
    draw.line([at("G4", 0, -0.5), at("G6")], fill=ROAD, width=20)
    factory = at("D6", -0.4, -0.35), at("G5", 0.35, -0.35), at("G6", 0.35, 0.35)
    building(STONE, *factory, at("D7", -0.4, 0.25))
    house = at("J2", -0.35, -0.35), at("K2", 0.35, -0.35), at("K3", 0.35, 0.25)
    building(STONE, *house, at("J3", -0.35, 0.25))
    for west, east in (("C2", "C2"), ("K7", "L7")):
        north = at(west, -0.35, -0.3), at(east, 0.35, -0.3)
        building(WOOD, *north, at(east, 0.35, 0.3), at(west, -0.35, 0.3))
    bar("E5", "E6")
    bar("E6", "F6")
    x, y = at("J3", 0.1, -0.2)
    draw.rectangle((x - 5, y - 5, x + 5, y + 5), fill=WHITE)
    for name in ("H7", "H8", "I8", "B8", "M3"):
        for across, down in ((-0.2, -0.2), (0.2, -0.15), (0, 0.2), (-0.25, 0.15), (0.25, 0.2)):
            x, y = at(name, across, down)
            draw.ellipse((x - 16, y - 16, x + 16, y + 16), fill=WOODS)
    picture.save(target)
