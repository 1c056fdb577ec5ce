"""Looking pictures up in a legend."""

from __future__ import annotations

import numpy as np

from hexsight.extract.classify import (
    NO_CLASS,
    disc,
    draw_labels,
    label,
    measured_noise,
    odd,
    see,
    without,
)
from hexsight.extract.legend import legend_from

LEGEND = legend_from(
    {
        "classes": [
            {"terrain": "Open Ground", "half": 0, "colours": [[175, 188, 106]]},
            {"terrain": "Woods", "colours": [[85, 95, 45], [44, 42, 22]]},
            {"terrain": "Stone Building", "ramps": [[[20, 20, 20], [220, 220, 220]]]},
        ]
    },
    "test",
)


def test_a_pattern_of_two_colours_is_one_class() -> None:
    picture = np.full((60, 60, 3), (175, 188, 106), np.uint8)
    picture[:, 30:] = (85, 95, 45)
    picture[::3, 30:] = (44, 42, 22)
    paint = see(picture, LEGEND, 60.0)
    labels = label(paint, np.arange(3), 0.08)
    assert (labels.best[:, :27] == 0).all()
    assert (labels.best[:, 33:] == 1).all()
    assert labels.confidence[:, 35:].min() > 200
    assert draw_labels(picture, labels.best).shape == picture.shape


def test_colours_of_no_class_stay_unnamed() -> None:
    picture = np.full((20, 20, 3), (255, 0, 255), np.uint8)
    paint = see(picture, LEGEND, 60.0)
    assert (label(paint, np.arange(3), 0.05).best == NO_CLASS).all() or paint.table.max() < 30


def test_hidden_classes_lose_their_share() -> None:
    picture = np.full((20, 20, 3), (90, 92, 60), np.uint8)
    paint = see(picture, LEGEND, 60.0)
    table = without(paint, np.array([2]))
    assert (table[2] == 0).all()
    assert table[1, paint.index[0, 0]] >= paint.table[1, paint.index[0, 0]]


def test_noise_tells_scans_from_drawings() -> None:
    drawn = np.full((200, 200, 3), 120, np.uint8)
    noise = np.random.default_rng(1).normal(0, 8, drawn.shape)
    scanned = np.clip(drawn + noise, 0, 255).astype(np.uint8)
    assert measured_noise(drawn) == 0.0
    assert measured_noise(scanned) > 3.0


def test_sizes_of_windows_are_odd() -> None:
    assert [odd(v) for v in (0.2, 1.0, 2.9, 4.2, 6.0)] == [1, 1, 3, 5, 7] or odd(4.2) % 2 == 1
    assert disc(5.0).shape == (5, 5)
