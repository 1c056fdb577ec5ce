"""The folder of a batch's results: each finished item appears in it whole or not at all.

======================  ====================================================
``.hexsight-batch``     empty; locked while a run is at work
``job.json``            what is being done
``items/NAME/``         one folder an item: ``record.json`` and what it made
``work/``               results in the making; gone after the run
``batch.json`` …        the report, see `hexsight.batch_report`
======================  ====================================================
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from hexsight.batch_items import LOCK_FILE
from hexsight.batch_record import Record, read_record, record_bytes
from hexsight.model.atomic import write_problem
from hexsight.model.errors import OutputError
from hexsight.model.portable import portable
from hexsight.output import write_bytes

JOB_FILE = "job.json"
RECORD_FILE = "record.json"
ITEMS, WORK = "items", "work"

if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> bool:
        """Keep a file to this process; False when another one has it."""
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: BinaryIO) -> bool:
        """Keep a file to this process; False when another one has it."""
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def slug_of(name: str) -> str:
    """Folder name of an item: readable, safe on every file system, never that of another."""
    plain = re.sub(r"[^A-Za-z0-9._]+", "-", name)[-80:].strip("-.") or "item"
    plain = portable(plain)
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:10]}"


class Store:
    """Results of a batch below one folder.

    Parameters
    ----------
    out : Path
    """

    def __init__(self, out: Path) -> None:
        self.out = out

    def item_folder(self, name: str) -> Path:
        """Where the result of an item lies, or will."""
        return self.out / ITEMS / slug_of(name)

    def load(self, name: str) -> Record | None:
        """Record of an item; None when there is none that can be read."""
        try:
            data = (self.item_folder(name) / RECORD_FILE).read_bytes()
        except OSError:
            return None
        record = read_record(data)
        return record if record is not None and record.item == name else None

    def is_done(self, name: str, key: str) -> bool:
        """Whether an item need not be done again: same key, nothing lost, all files there."""
        record = self.load(name)
        if record is None or record.key != key or record.transient:
            return False
        folder = self.item_folder(name)
        return all((folder / file).is_file() for file in record.files)

    def work_folder(self, name: str) -> Path:
        """A new empty folder in which a result comes into being."""
        folder = self.out / WORK / f"{slug_of(name)}.{secrets.token_hex(6)}"
        try:
            folder.mkdir(parents=True)
        except OSError as error:
            raise write_problem(folder, error) from error
        return folder

    def commit(self, record: Record, folder: Path) -> None:
        """Put a finished result into its place by one rename.

        Parameters
        ----------
        folder : Path
            From `work_folder`, with the files of the record in it.

        Raises
        ------
        OutputError
            If it cannot be written.
        """
        if self.is_done(record.item, record.key):
            shutil.rmtree(folder, ignore_errors=True)
            return
        write_bytes(folder / RECORD_FILE, record_bytes(record), overwrite=True)
        final = self.item_folder(record.item)
        try:
            final.parent.mkdir(parents=True, exist_ok=True)
            if final.exists():
                # Out of an earlier job or of an older input.
                final.rename(self.work_folder(record.item) / "old")
            folder.rename(final)
        except OSError as error:
            raise write_problem(final, error) from error

    def clear_work(self) -> None:
        """Remove what killed runs left half done."""
        shutil.rmtree(self.out / WORK, ignore_errors=True)

    @contextmanager
    def opened(self, job: dict[str, Any], *, force: bool = False) -> Iterator[None]:
        """Keep the folder to this run; it is made when it is not there.

        Parameters
        ----------
        job : dict
            What the run does; an earlier job there must have been the same.
        force : bool
            Whether results of another job may be replaced.

        Raises
        ------
        OutputError
            If it belongs to something else or another run is at work in it.
        """
        with ExitStack() as stack:
            try:
                if self._is_foreign():
                    raise OutputError(
                        f"{self.out} holds other things than results of a batch. Name a new "
                        "folder with -o."
                    )
                self.out.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context((self.out / LOCK_FILE).open("ab"))
            except OSError as error:
                raise write_problem(self.out, error) from error
            if not _lock(file):
                raise OutputError(
                    f"Another run is at work in {self.out}. Wait for it, or name another "
                    "folder with -o."
                )
            self._settle_job(job, force)
            self.clear_work()
            yield
            self.clear_work()

    def _is_foreign(self) -> bool:
        if (self.out / LOCK_FILE).exists() or not self.out.exists():
            return False
        return not self.out.is_dir() or any(self.out.iterdir())

    def _settle_job(self, job: dict[str, Any], force: bool) -> None:
        path = self.out / JOB_FILE
        earlier = read_json(path)
        if earlier is not None and earlier != job and not force:
            raise OutputError(
                f"{self.out} holds results of another job ({told_job(earlier)}). Name another "
                "folder with -o, or add --force to replace them."
            )
        if earlier != job:
            text = json.dumps(job, ensure_ascii=False, indent=1) + "\n"
            write_bytes(path, text.encode(), overwrite=True)


def read_json(path: Path) -> Any:
    """Content of a JSON file; None when there is none that can be read."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def told_job(job: Any) -> str:
    """The words of a job that differ from its defaults."""
    if not isinstance(job, dict):
        return "unreadable"
    return ", ".join(f"{k} {v}" for k, v in job.items() if v not in (None, [], False, "default"))
