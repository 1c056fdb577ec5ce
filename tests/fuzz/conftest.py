"""Lets the fuzz tests use the tiny project of the review page's tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "review"))
