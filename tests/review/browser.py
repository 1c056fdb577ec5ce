"""The system's Chromium and a running `hexsight review`, for the tests of the page."""

from __future__ import annotations

import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Nothing but the page itself: no call home, no graphics card, no sandbox that root cannot have.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 120


def screenshots() -> Path:
    """Folder for pictures of the page: HEXSIGHT_ARTIFACTS or build/screenshots."""
    folder = Path(os.environ.get("HEXSIGHT_ARTIFACTS") or ROOT / "build" / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium, or skip with the reason."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = os.environ.get("HEXSIGHT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
    if not found:
        pytest.skip("no Chromium is installed: set HEXSIGHT_CHROMIUM to one")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@dataclass
class Review:
    """A running `hexsight review`.

    Attributes
    ----------
    project : Path
        What it was started on.
    address : str
        With the token.
    process : subprocess.Popen
    """

    project: Path
    address: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        """Port that it listens on."""
        return int(re.search(r":(\d+)/", self.address)[1])  # type: ignore[index]

    def kill(self) -> None:
        """Kill it as a power cut would."""
        self.process.kill()
        self.process.wait(10)

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()


def start_review(project: Path, *options: str) -> Review:
    """Start `hexsight review` and wait until it tells its address."""
    run = "from hexsight.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", run, "review", str(project), "--no-open", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    told = []
    while True:
        try:
            line = lines.get(timeout=START_SECONDS)
        except queue.Empty:
            line = ""
        told.append(line)
        found = re.search(r"http://\S+", line)
        if found:
            return Review(project, found[0], process)
        if not line:
            process.kill()
            raise AssertionError("hexsight review did not start: " + "".join(told))


@dataclass
class Opened:
    """A page of the review, with what tests do on it."""

    page: Page
    complaints: list[str]

    def at(self, name: str) -> tuple[float, float]:
        """Where the middle of a hex is in the window."""
        x, y = self.page.evaluate(
            """name => {
                const { page } = hexsight;
                const h = page.board.hexes[page.board.index.get(name)];
                const box = document.getElementById("map").getBoundingClientRect();
                const [x, y] = page.camera.toScreen(h.x, h.y);
                return [x + box.left, y + box.top];
            }""",
            name,
        )
        return x, y

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the map is in the window."""
        sx, sy = self.page.evaluate(
            """([x, y]) => {
                const box = document.getElementById("map").getBoundingClientRect();
                const [sx, sy] = hexsight.page.camera.toScreen(x, y);
                return [sx + box.left, sy + box.top];
            }""",
            [x, y],
        )
        return sx, sy

    def click(self, name: str, **how: Any) -> None:
        """Click the middle of a hex."""
        self.page.mouse.click(*self.at(name), **how)

    def hex(self, name: str) -> dict[str, Any]:
        """What the page holds of a hex."""
        found: dict[str, Any] = self.page.evaluate(
            "name => hexsight.page.board.hexes[hexsight.page.board.index.get(name)]", name
        )
        return found

    def side(self, name: str) -> dict[str, Any] | None:
        """What the page holds of a hexside, None where nothing is on it."""
        found: dict[str, Any] | None = self.page.evaluate(
            "name => hexsight.page.board.sideByName.get(name) ?? null", name
        )
        return found

    def wait(self, test: str, argument: Any = None, seconds: float = 15) -> None:
        """Wait until an expression or a function of the page holds."""
        self.page.wait_for_function(test, arg=argument, timeout=1000 * seconds)

    def text(self, selector: str) -> str:
        """Words of an element."""
        return self.page.inner_text(selector)

    def saved(self) -> None:
        """Wait until nothing is under way to the server."""
        self.wait(
            "() => !document.getElementById('status').classList.contains('busy')"
            " && Object.keys(localStorage).every(k => !k.startsWith('hexsight-unsent'))"
        )

    def said(self, part: str) -> str:
        """Wait until the page has told something to screen readers."""
        self.wait("part => document.getElementById('announce').textContent.includes(part)", part)
        return self.page.inner_text("#announce")

    def still(self) -> None:
        """Wait until the map is drawn and nothing moves."""
        self.wait("() => !hexsight.page.tiles.busy() && !hexsight.stage.busy()")
        self.page.wait_for_timeout(60)
        self.wait("() => !hexsight.page.tiles.busy() && !hexsight.stage.busy()")


@contextmanager
def opened(
    browser: Browser, address: str, *, bear: tuple[str, ...] = (), **context: Any
) -> Iterator[Opened]:
    """Open the page in a fresh browser window; complaints of the browser fail the test.

    Parameters
    ----------
    browser : Browser
    address : str
        Of the review, or of a file.
    bear : tuple of str
        Parts of complaints that the test provokes.
    **context
        Of playwright's ``new_context``.
    """
    context.setdefault("viewport", {"width": 1280, "height": 800})
    window: BrowserContext = browser.new_context(**context)
    window.set_default_timeout(15_000)
    page = window.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None,
    )
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(address)
    page.wait_for_selector("body.ready, #notice:not([hidden])", timeout=30_000)
    assert page.locator("body.ready").count(), [page.inner_text("#notice"), *complaints]
    found = Opened(page, complaints)
    found.still()
    try:
        yield found
    finally:
        window.close()
    left = [told for told in complaints if not any(part in told for part in bear)]
    assert not left, left
