"""One file a verb, of the same name; `VERBS` is the list that the command line offers."""

from __future__ import annotations

VERBS = (
    "sheet",
    "new",
    "build",
    "review",
    "export",
    "grid",
    "extract",
    "check",
    "los",
    "table",
    "render",
    "convert",
    "charts",
    "batch",
    "merge",
    "completion",
)
