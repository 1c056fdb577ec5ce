"""Tests of hex games also use the drawn tiny boards of the tests beside this folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
