"""The good subject, broken in one way for each check: all that the four files of cases enter."""

from __future__ import annotations

# Imported for what they enter into the register.
import validator_cases_evidence
import validator_cases_files
import validator_cases_grid
import validator_cases_terrain
from validator_changes import CASES

__all__ = [
    "CASES",
    "validator_cases_evidence",
    "validator_cases_files",
    "validator_cases_grid",
    "validator_cases_terrain",
]
