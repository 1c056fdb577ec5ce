"""What a report of a bug needs: versions, platform, encodings, what is optional and there."""

from __future__ import annotations

import locale
import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from hexsight import __version__
from hexsight.los.jit import cache_folder, have_numba

_NEEDED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("NumPy", ("numpy",)),
    ("OpenCV", ("opencv-python-headless", "opencv-python", "opencv-contrib-python-headless")),
    ("Numba", ("numba",)),
    ("Shapely", ("shapely",)),
    ("lxml", ("lxml",)),
    ("Pillow", ("pillow",)),
    ("pydantic", ("pydantic",)),
    ("PyYAML", ("pyyaml",)),
    ("click", ("click",)),
)
_OPTIONAL: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ocr", ("rapidocr", "onnxruntime")),
    ("cluster", ("distributed",)),
    ("review", ("starlette", "uvicorn")),
)


def _version(names: tuple[str, ...]) -> str:
    for name in names:
        try:
            return version(name)
        except PackageNotFoundError:
            continue
    return "not installed"


def report() -> str:
    """All of it, one thing a line; no names of users' files but the cache folder."""
    lines = [f"hexsight {__version__}"]
    lines.append(f"  Python: {platform.python_version()} ({platform.python_implementation()})")
    for label, names in _NEEDED:
        lines.append(f"  {label}: {_version(names)}")
    for extra, names in _OPTIONAL:
        there = ", ".join(f"{name} {_version((name,))}" for name in names)
        lines.append(f"  optional [{extra}]: {there}")
    lines.append(f"  platform: {platform.platform()}, {platform.machine()}")
    lines.append(f"  processors: {os.cpu_count()}")
    engine = "compiled" if have_numba() else "Python (numba is missing or turned off)"
    lines.append(f"  lines of sight: {engine}")
    lines.append(f"  cache: {cache_folder()}")
    tongue = ".".join(part or "C" for part in locale.getlocale())
    shown = f"stdout {sys.stdout.encoding}, files {sys.getfilesystemencoding()}"
    lines.append(f"  locale: {tongue}, {shown}, text {locale.getpreferredencoding(False)}")
    return "\n".join(lines)
