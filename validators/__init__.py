"""Checks over modules, VASL archives, pictures, boards and LOS tables.

Every check is one file in `hexsight.validators.checks` and enters itself into
the register with the decorator `check`.  `run_checks` runs those of a profile
over a `Subject` and returns a `Report`.
"""

from hexsight.validators.documentation import checks_page, explain, list_checks
from hexsight.validators.finding import Finding, Problem, Severity
from hexsight.validators.profiles import Profile, load_profile, profile_names
from hexsight.validators.registry import Check, Registry, all_checks, check
from hexsight.validators.report import (
    Report,
    merge_reports,
    report_data,
    summary,
    to_json,
    to_text,
    worst,
)
from hexsight.validators.run import run_checks
from hexsight.validators.subject import (
    ArchiveView,
    BoardView,
    GridEvidence,
    HexGridView,
    LosDataView,
    ModuleView,
    PictureView,
    Subject,
    TableView,
    ZoneView,
)

__all__ = [
    "ArchiveView",
    "BoardView",
    "Check",
    "Finding",
    "GridEvidence",
    "HexGridView",
    "LosDataView",
    "ModuleView",
    "PictureView",
    "Problem",
    "Profile",
    "Registry",
    "Report",
    "Severity",
    "Subject",
    "TableView",
    "ZoneView",
    "all_checks",
    "check",
    "checks_page",
    "explain",
    "list_checks",
    "load_profile",
    "merge_reports",
    "profile_names",
    "report_data",
    "run_checks",
    "summary",
    "to_json",
    "to_text",
    "worst",
]
