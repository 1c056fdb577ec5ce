"""Fixtures of the review page: a browser, the sample as a project, a running review."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import Opened, Review, chromium, opened, start_review

from hexsight.los.jit import Loop, have_numba
from hexsight.samples import write_samples

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# As a person writes it: with remarks, blank lines and quotes that corrections must keep.
PROJECT = """\
# The works at the river, read from the module.
source: red-factory.vmod
board: "Red Factory"   # the other board is a mill

overrides:
  hexes:
    # Looked at on the print: the roof is gone here.
    D4: {roofless: true}
"""


def write_project(folder: Path) -> Path:
    """The sample module with a hexsight.yaml beside it."""
    write_samples(folder, boards=["red-factory"])
    (folder / "hexsight.yaml").write_text(PROJECT, encoding="utf-8")
    return folder


@pytest.fixture(scope="module", autouse=True)
def interpreted(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run loops as they are written, here and in what is started from here.

    On maps of some thirty hexes that is quicker than to load a compiler.  A module that
    says COMPILED is left alone.
    """
    if getattr(request.module, "COMPILED", False):
        yield
        return
    have_numba()  # so that what follows is not remembered beyond these tests

    def call(self: Loop, *arguments: Any) -> Any:
        return self._function(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXSIGHT_ENGINE", "python")
        patch.setattr(Loop, "__call__", call)
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, or skip."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a project that tests may correct."""
    return write_project(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def review(browser: Browser, project: Path) -> Iterator[Review]:
    """`hexsight review` on the sample; not started where there is no browser."""
    found = start_review(project)
    yield found
    found.stop()


@pytest.fixture
def page(browser: Browser, review: Review) -> Iterator[Opened]:
    """The page of the review in a window of 1280 × 800."""
    with opened(browser, review.address) as found:
        yield found
