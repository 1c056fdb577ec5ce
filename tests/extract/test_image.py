"""Pictures: every kind, transparency, EXIF, limits, and broken files."""

from __future__ import annotations

import hashlib
import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from hexsight.extract.image import load_picture, looks_like_picture, picture_size
from hexsight.model.errors import InputError, UnsupportedError


def _pixels() -> np.ndarray:
    ramp = np.arange(60 * 40 * 3, dtype=np.uint32).reshape(40, 60, 3)
    return (ramp * 7 % 251).astype(np.uint8)


def _saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize(
    ("kind", "options"),
    [("PNG", {}), ("BMP", {}), ("TIFF", {}), ("WEBP", {"lossless": True, "exact": True})],
)
def test_lossless_kinds_give_the_very_pixels(kind: str, options: dict[str, object]) -> None:
    data = _saved(Image.fromarray(_pixels()), kind, **options)
    picture = load_picture(data, "map in g.vmod")
    np.testing.assert_array_equal(picture.rgb, _pixels())
    assert (picture.size_px, picture.format, picture.alpha) == ((60, 40), kind, None)
    assert picture.sha256 == hashlib.sha256(data).hexdigest()
    assert not picture.palette and not picture.rgb.flags.writeable
    assert picture_size(data) == (60, 40)


def test_a_gif_keeps_its_exact_palette_colours() -> None:
    image = Image.new("P", (4, 2))
    image.putpalette([10, 20, 30, 200, 100, 50] + [0] * 762)
    image.putdata([0, 1, 0, 1, 1, 1, 0, 0])
    picture = load_picture(_saved(image, "GIF"))
    assert picture.palette and picture.mode == "P"
    assert picture.rgb[0].tolist() == [[10, 20, 30], [200, 100, 50]] * 2


def test_see_through_pixels_stand_on_the_background() -> None:
    rgba = np.zeros((2, 3, 4), np.uint8)
    rgba[..., 0] = 200
    rgba[0, :, 3] = (0, 128, 255)
    rgba[1, :, 3] = 255
    data = _saved(Image.fromarray(rgba, "RGBA"), "PNG")
    white = load_picture(data)
    assert white.alpha is not None and white.alpha[0].tolist() == [0, 128, 255]
    assert white.rgb[0].tolist() == [[255, 255, 255], [227, 127, 127], [200, 0, 0]]
    assert load_picture(data, background=(0, 0, 0)).rgb[0, 0].tolist() == [0, 0, 0]
    rgba[..., 3] = 255
    assert load_picture(_saved(Image.fromarray(rgba, "RGBA"), "PNG")).alpha is None


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "CMYK"])
def test_other_pixel_kinds_become_rgb(mode: str) -> None:
    image = Image.fromarray(_pixels()).convert("RGBA" if mode == "LA" else "RGB").convert(mode)
    picture = load_picture(_saved(image, "TIFF" if mode == "CMYK" else "PNG"))
    np.testing.assert_array_equal(picture.rgb, np.asarray(image.convert("RGB")))


def test_deep_grey_is_scaled_not_cut() -> None:
    deep = np.array([[0, 32768, 65535]], np.uint16)
    picture = load_picture(_saved(Image.fromarray(deep), "PNG"))
    assert picture.rgb[0, :, 0].tolist() == [0, 128, 255]


def test_exif_orientation_is_ignored_as_vassal_does() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = _saved(Image.fromarray(_pixels()), "JPEG", exif=exif)
    assert load_picture(data).size_px == (60, 40)


def test_the_first_picture_of_an_animation_is_taken() -> None:
    frames = [Image.new("RGB", (5, 5), colour) for colour in ("red", "blue")]
    data = _saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert load_picture(data).rgb[0, 0].tolist() == [255, 0, 0]


@pytest.mark.parametrize(
    "start", [b"<svg xmlns=''/>", b"\xef\xbb\xbf<?xml version='1.0'?>\n<svg/>"]
)
def test_svg_is_unsupported(start: bytes) -> None:
    with pytest.raises(UnsupportedError) as caught:
        load_picture(start, "maps/x.svg in g.vmod")
    assert str(caught.value) == (
        "Cannot read maps/x.svg in g.vmod: SVG maps are not supported. Export it as PNG and name "
        "it with --image."
    )
    assert looks_like_picture(start)


@pytest.mark.parametrize("data", [b"", b"nothing of the kind", b"GIF8", b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_picture(data: bytes) -> None:
    with pytest.raises(InputError, match=r"map in g\.vmod"):
        load_picture(data, "map in g.vmod")


@pytest.mark.parametrize("kind", ["PNG", "GIF", "JPEG", "BMP", "TIFF", "WEBP"])
@pytest.mark.parametrize("share", [0.2, 0.6, 0.9])
def test_a_truncated_picture_is_told(kind: str, share: float) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (120, 160, 3), np.uint8)
    data = _saved(Image.fromarray(noise), kind)
    with pytest.raises(InputError, match=r"damaged|no picture"):
        load_picture(data[: int(len(data) * share)])


def _png_head(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"x") + chunk(b"IEND", b"")


def test_gigantic_pictures_are_refused_by_their_head() -> None:
    with pytest.raises(InputError, match="100000 × 100000 pixels are over the limit"):
        load_picture(_png_head(100_000, 100_000))
    with pytest.raises(InputError, match="limit of 1000 pixels"):
        load_picture(_saved(Image.fromarray(_pixels()), "PNG"), max_pixels=1000)


def test_every_changed_byte_ends_in_a_picture_or_one_sentence() -> None:
    for kind in ("PNG", "GIF", "JPEG", "BMP", "TIFF", "WEBP"):
        good = _saved(Image.fromarray(_pixels()[:12, :16]), kind)
        for at in range(0, len(good), max(1, len(good) // 150)):
            bad = bytearray(good)
            bad[at] ^= 0xFF
            try:
                load_picture(bytes(bad), max_pixels=1_000_000)
            except (InputError, UnsupportedError) as error:
                assert "\n" not in str(error)


def test_paths(tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    path.write_bytes(_saved(Image.fromarray(_pixels()), "PNG"))
    assert load_picture(path).where == "map.png"
    with pytest.raises(InputError, match="no such file"):
        load_picture(tmp_path / "none.png")
    with pytest.raises(InputError, match="Cannot read"):
        load_picture(tmp_path)


def test_the_limit_of_pillow_is_put_back() -> None:
    before = Image.MAX_IMAGE_PIXELS
    load_picture(_saved(Image.fromarray(_pixels()), "PNG"))
    with pytest.raises(InputError):
        load_picture(b"x")
    assert before == Image.MAX_IMAGE_PIXELS
