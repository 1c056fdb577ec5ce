"""Checks over modules, VASL archives, pictures, boards and LOS tables.

Every check is one file in `hexsight.validators.checks` and enters itself into
the register with the decorator `check`.  `run_checks` runs those of a profile
over a `Subject` and returns a `Report`.
"""

from hexsight.validators.baseline import (
    Baseline,
    apply_baseline,
    read_baseline,
    write_baseline,
)
from hexsight.validators.documentation import checks_page, explain, list_checks
from hexsight.validators.evidence import (
    HexContrast,
    LabelEvidence,
    Misnamed,
    TerrainEvidence,
    label_evidence,
    terrain_evidence,
)
from hexsight.validators.finding import Finding, Problem, Severity
from hexsight.validators.legends import ClassView, LegendView, UnnamedClass, legend_view
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
from hexsight.validators.report_formats import to_junit, to_sarif
from hexsight.validators.report_page import MAX_PICTURES, to_html
from hexsight.validators.run import run_checks
from hexsight.validators.schema import findings_schema
from hexsight.validators.subject import (
    ArchiveView,
    BoardView,
    GridEvidence,
    GridPart,
    HexGridView,
    LosDataView,
    ModuleView,
    PictureView,
    Probe,
    Subject,
    TableView,
    ZoneView,
)
from hexsight.validators.thumbnails import make_thumbnails

__all__ = [
    "MAX_PICTURES",
    "ArchiveView",
    "Baseline",
    "BoardView",
    "Check",
    "ClassView",
    "Finding",
    "GridEvidence",
    "GridPart",
    "HexContrast",
    "HexGridView",
    "LabelEvidence",
    "LegendView",
    "LosDataView",
    "Misnamed",
    "ModuleView",
    "PictureView",
    "Probe",
    "Problem",
    "Profile",
    "Registry",
    "Report",
    "Severity",
    "Subject",
    "TableView",
    "TerrainEvidence",
    "UnnamedClass",
    "ZoneView",
    "all_checks",
    "apply_baseline",
    "check",
    "checks_page",
    "explain",
    "findings_schema",
    "label_evidence",
    "legend_view",
    "list_checks",
    "load_profile",
    "make_thumbnails",
    "merge_reports",
    "profile_names",
    "read_baseline",
    "report_data",
    "run_checks",
    "summary",
    "terrain_evidence",
    "to_html",
    "to_json",
    "to_junit",
    "to_sarif",
    "to_text",
    "worst",
    "write_baseline",
]
