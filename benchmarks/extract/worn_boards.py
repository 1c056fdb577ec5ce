"""Score worn copies of the shared boards: noise and JPEG, or smaller.

    python benchmarks/extract/worn_boards.py SHARED OUT [--wear clean,noise,small] [BOARD …]

``noise`` adds noise of σ 8 grey values and saves as JPEG of quality 60; ``small`` resamples
to 0.75 times.  The copies lie in OUT as board folders of their own (they are the publishers'
artwork: keep them out of the project).  Results of ``small`` are scaled back before they are
scored.  One line a board and wear.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from lxml import etree
from PIL import Image

from hexsight.extract.boardarchive import read_board_archive
from hexsight.extract.xmlsafe import parse_xml
from hexsight.facts import board_facts, building_mask
from hexsight.model.board import Board
from hexsight.pipeline import extract_board
from hexsight.reading import Request

CITY = (
    *("bdRBv2", "bd01", "bd12", "bd20", "bd23", "bd41"),
    *("bd45", "bd10a", "bda", "bdb", "bdBFPA", "bdBFPDW7a"),
)
SIZES = {"clean": 1.0, "noise": 1.0, "small": 0.75}
SIGMA, QUALITY, SEED = 8.0, 60, 1


def worn_board(folder: Path, out: Path, wear: str) -> Path:
    """Write a worn copy of a board folder without LOSData; returns it."""
    archive = read_board_archive(folder)
    copy = out / wear / folder.name
    copy.mkdir(parents=True, exist_ok=True)
    with Image.open(io.BytesIO(archive.image_data)) as picture:
        rgb = np.asarray(picture.convert("RGB"))
    name = f"{folder.name}.png"
    if wear == "noise":
        rng = np.random.default_rng(SEED)
        noisy = rgb.astype(np.float32) + rng.normal(0, SIGMA, rgb.shape)
        name = f"{folder.name}.jpg"
        Image.fromarray(noisy.clip(0, 255).round().astype(np.uint8)).save(
            copy / name, quality=QUALITY
        )
    else:
        size = (round(rgb.shape[1] * SIZES[wear]), round(rgb.shape[0] * SIZES[wear]))
        Image.fromarray(rgb).resize(size, Image.Resampling.LANCZOS).save(copy / name)
    naming = archive.naming
    with Image.open(copy / name) as written:
        across, down = written.width / rgb.shape[1], written.height / rgb.shape[0]
    numbers = {
        "boardImageFileName": name,
        "hexWidth": naming.hex_width * across,
        "hexHeight": naming.hex_height * down,
        "A1CenterX": (naming.a1_x + 0.5) * across - 0.5,
        "A1CenterY": (naming.a1_y + 0.5) * down - 0.5,
    }
    root = parse_xml(archive.metadata_bytes or b"<boardMetadata/>", str(folder))
    for key, value in numbers.items():
        root.set(key, str(value))
    (copy / "BoardMetadata.xml").write_bytes(etree.tostring(root))
    return copy


def scored(shared: Path, name: str, board: Board, out: Path) -> dict[str, object]:
    """What the scoring script says, after lattice and mask are scaled back."""
    facts = board_facts(board)
    with Image.open(shared / "truth" / name / "terrain.png") as truth:
        size = truth.size
    for axis, large, small in zip("xy", size, board.size_px, strict=True):
        facts["grid"][f"d{axis}"] *= large / small
        facts["grid"][f"{axis}0"] = (facts["grid"][f"{axis}0"] + 0.5) * large / small - 0.5
    (out / "facts.json").write_text(json.dumps(facts))
    mask = Image.fromarray(building_mask(board)).resize(size, Image.Resampling.NEAREST)
    mask.save(out / "mask.png")
    script, truth_folder = shared / "score" / "score.py", shared / "truth" / name
    command = [sys.executable, str(script), str(truth_folder), str(out / "facts.json")]
    done = subprocess.run(
        [*command, "--mask", str(out / "mask.png")], capture_output=True, text=True, check=True
    )
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def main() -> None:
    """Wear, read and score."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("shared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("boards", nargs="*", default=CITY)
    parser.add_argument("--wear", default=",".join(SIZES))
    asked = parser.parse_args()
    for name in asked.boards:
        for wear in asked.wear.split(","):
            folder = asked.shared / "boards" / name
            copy = folder if wear == "clean" else worn_board(folder, asked.out, wear)
            start = time.monotonic()
            board = extract_board(Request(copy)).board
            took = time.monotonic() - start
            asked.out.mkdir(parents=True, exist_ok=True)
            s = scored(asked.shared, name, board, asked.out)
            line = [f"{name:10}{wear:6}{took:5.1f} s", f"grid {s['grid_max_px']}"]
            for kind in ("building", "bars", "stairwell", "roofless"):
                part = s[kind]
                assert isinstance(part, dict)
                line.append(f"{kind} {part['f1']:.3f} -{part['missed'][:4]} +{part['false'][:4]}")
            print("  ".join([*line, f"iou {s['building_iou']}"]), flush=True)


if __name__ == "__main__":
    main()
