"""The JSON report as models: what programs may rely on, published as a JSON Schema."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Label = Literal["note", "warn", "fail", "error"]
Fingerprint = Annotated[str, Field(pattern="^[0-9a-f]{16}$")]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FindingRecord(_Record):
    """One finding."""

    id: str = Field(description="id of the check, group/words; never reused")
    severity: Label
    message: str = Field(description="one line: what, where, how to mend it")
    file: str = Field(description="what was checked")
    board: str = Field(description="name of the board, empty where there is none")
    hex: str = Field(description="hex by name, empty where it lies in none")
    hexside: str = Field(description="hexside by name, such as K15-K16, or empty")
    pixel: tuple[float, float] | None = Field(description="x and y on the board's picture")
    confidence: float = Field(ge=0, le=1)
    settle: str = Field(description="line of hexsight.yaml or attribute that would settle it")
    fingerprint: Fingerprint = Field(description="the same finding has the same, for baselines")


class UnreadRecord(_Record):
    """A file that could not be checked."""

    file: str
    message: str


class CountsRecord(_Record):
    """Findings by severity."""

    error: int = Field(ge=0)
    fail: int = Field(ge=0)
    warn: int = Field(ge=0)
    note: int = Field(ge=0)


class ReportRecord(_Record):
    """What ``hexsight check --json`` prints."""

    schema_version: Literal[1]
    profile: str
    files: list[str] = Field(description="everything that was checked")
    counts: CountsRecord
    ran: list[str] = Field(description="ids of the checks that had something to look at")
    not_run: list[str] = Field(description="ids of the checks that had nothing to look at")
    unread: list[UnreadRecord]
    accepted: int = Field(ge=0, description="findings left out because a baseline holds them")
    stale: list[str] = Field(description="entries of the baseline that nothing fits any more")
    findings: list[FindingRecord] = Field(description="worst first, then by id, file and place")


def findings_schema() -> str:
    """JSON Schema of the report, as published in docs/."""
    schema = ReportRecord.model_json_schema()
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
