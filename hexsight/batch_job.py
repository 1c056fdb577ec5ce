"""What a batch does with every item, and the stamp of the program that does it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from hexsight import __version__
from hexsight.batch_items import KINDS, YAML_SUFFIXES, Item
from hexsight.extract.legend import load_legend
from hexsight.model.errors import UsageError
from hexsight.validators import Profile, all_checks, load_profile

_ROOMS = ("", ".commands", ".model", ".extract", ".los", ".validators", ".export")
# What decides about the bits of a result besides our own code.
_LIBRARIES = ("numpy", "opencv-python-headless", "pillow", "shapely", "lxml", "numba")


@dataclass(frozen=True)
class Job:
    """What is done with every item.

    Attributes
    ----------
    do : str
        ``check``, ``build``, ``extract`` or ``table``.
    profile : Profile
    only, skip : tuple of str
        Checks, as in `run_checks`.
    legend, grid : str or None
    from_losdata : bool or None
        As in `request_from`.
    quick : bool
        As in `subjects_of`.
    """

    do: str
    profile: Profile
    only: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    legend: str | None = None
    grid: str | None = None
    from_losdata: bool | None = None
    quick: bool = False

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that every item's result depends on."""
        is_file = self.legend is not None and Path(self.legend).suffix.lower() in YAML_SUFFIXES
        return (Path(self.legend),) if self.legend is not None and is_file else ()

    def data(self) -> dict[str, Any]:
        """As ``job.json`` and ``batch.json`` tell it."""
        return {
            "do": self.do,
            "profile": self.profile.name,
            "only": list(self.only),
            "skip": list(self.skip),
            "legend": Path(self.legend).name if self.legend else None,
            "grid": self.grid,
            "from_losdata": self.from_losdata,
            "quick": self.quick,
        }


def make_job(
    do: str,
    *,
    profile: str = "default",
    only: tuple[str, ...] = (),
    skip: tuple[str, ...] = (),
    legend: str | None = None,
    grid: str | None = None,
    from_losdata: bool | None = None,
    quick: bool = False,
) -> Job:
    """A job from what a user writes; what is wrong with it is told before any work.

    Raises
    ------
    UsageError
        If a verb, profile, check or legend does not exist.
    """
    if do not in KINDS:
        raise UsageError(f"There is nothing like --do {do}. Known: {', '.join(KINDS)}.")
    chosen = load_profile(profile)
    registry = all_checks()
    for one in chosen.chosen(registry, only, skip):
        chosen.options_of(one, registry)
    if legend not in (None, "auto"):
        load_legend(str(legend))
    return Job(do, chosen, only, skip, legend, grid, from_losdata, quick)


@cache
def tool_stamp() -> str:
    """Digest of hexsight's sources and of the libraries that decide about results.

    The version alone would not do: between two releases the code changes.
    """
    digest = hashlib.sha256(__version__.encode())
    for room in _ROOMS:
        home = Path(str(import_module(f"hexsight{room}").__file__)).parent
        # Installed, the other rooms lie below the first: each is looked at once.
        inside = home.rglob("*") if room else home.glob("*")
        files = (p for p in inside if p.is_file() and p.suffix != ".pyc")
        for file in sorted(files, key=lambda p: p.relative_to(home).as_posix()):
            digest.update(f"{room} {file.relative_to(home).as_posix()}\n".encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    for library in _LIBRARIES:
        try:
            digest.update(f"{library} {metadata.version(library)}\n".encode())
        except metadata.PackageNotFoundError:
            digest.update(f"{library} none\n".encode())
    return digest.hexdigest()[:32]


def key_of(item: Item, job: Job, content: str, stamp: str) -> str:
    """Key of a result: whatever changes it changes the key.

    Parameters
    ----------
    content : str
        Digest of the item's files (`digest_of`).
    stamp : str
        Of the program (`tool_stamp`).
    """
    parts = [item.name, item.kind, content, stamp, job.data(), job.profile.model_dump(mode="json")]
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
