"""What is kept of one finished item, and its way to JSON and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from hexsight.model.errors import HexsightError
from hexsight.validators import Finding, Report, report_data
from hexsight.validators.finding import Severity

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Trouble:
    """Why something of an item could not be done: exit code of its kind, one line.

    Attributes
    ----------
    code : int
        As in the table of exit codes.
    message : str
    """

    code: int
    message: str


@dataclass(frozen=True)
class Record:
    """Result of one item.

    Attributes
    ----------
    item, kind, do : str
    key : str
        Digest of input, options and program (`key_of`).
    errors : tuple of Trouble
        What could not be read or done; empty when all went well.
    transient : bool
        The errors are those of the machine (memory, time, a killed process): the
        next run tries again.
    report : Report or None
        Findings of `check` and `build`.
    files : mapping
        SHA-256 of every file beside the record, by its name there.
    """

    item: str
    kind: str
    do: str
    key: str
    errors: tuple[Trouble, ...] = ()
    transient: bool = False
    report: Report | None = None
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``ok``, ``partly`` (some of it could not be read) or ``error``."""
        if not self.errors:
            return "ok"
        return "partly" if self.report is not None or self.files else "error"

    def data(self) -> dict[str, Any]:
        """As plain data, in the order in which it is written."""
        return {
            "schema_version": SCHEMA_VERSION,
            "item": self.item,
            "kind": self.kind,
            "do": self.do,
            "key": self.key,
            "status": self.status,
            "transient": self.transient,
            "errors": [{"code": e.code, "message": e.message} for e in self.errors],
            "files": dict(sorted(self.files.items())),
            "report": report_data(self.report) if self.report is not None else None,
        }


def record_bytes(record: Record) -> bytes:
    """A record as JSON: same record, same bytes."""
    return encode(json.dumps(record.data(), ensure_ascii=False, indent=1) + "\n")


def encode(text: str) -> bytes:
    """UTF-8; what a broken file name brings in besides is spelled out."""
    return text.encode("utf-8", "backslashreplace")


def read_record(data: bytes) -> Record | None:
    """Record from JSON; None for anything that is none, such as the rest of a power cut."""
    try:
        value = json.loads(data)
        if value["schema_version"] != SCHEMA_VERSION:
            return None
        return Record(
            item=value["item"],
            kind=value["kind"],
            do=value["do"],
            key=value["key"],
            errors=tuple(Trouble(int(e["code"]), str(e["message"])) for e in value["errors"]),
            transient=bool(value["transient"]),
            report=report_from_data(value["report"]) if value["report"] is not None else None,
            files={str(k): str(v) for k, v in value["files"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def report_from_data(data: Mapping[str, Any]) -> Report:
    """Report from what `report_data` tells of it.

    Raises
    ------
    KeyError, TypeError, ValueError
        If it is anything else.
    """
    return Report(
        profile=str(data["profile"]),
        findings=tuple(_finding(f) for f in data["findings"]),
        files=tuple(data["files"]),
        ran=tuple(data["ran"]),
        not_run=tuple(data["not_run"]),
    )


def _finding(data: Mapping[str, Any]) -> Finding:
    known = {f.name: data[f.name] for f in fields(Finding) if f.name in data}
    pixel = known.get("pixel")
    known["pixel"] = None if pixel is None else (float(pixel[0]), float(pixel[1]))
    known["severity"] = Severity.of(data["severity"])
    return Finding(**known)


def place_file(number: int) -> str:
    """Name, beside the record, of the picture of its finding's place."""
    return f"places/{number:05}.jpg"


def trouble_of(error: Exception) -> Trouble:
    """What to tell of an exception: the user's own kinds in their words, others as a bug."""
    if isinstance(error, HexsightError):
        return Trouble(error.exit_code, str(error))
    if isinstance(error, OSError):
        return Trouble(3, f"{error.strerror or error}.")
    text = " ".join(str(error).split())[:200]
    return Trouble(70, f"hexsight met a bug ({type(error).__name__}: {text}). Report it.")
