"""`hexsight review` as it is started and ended: ports, hosts, locks, exit codes."""

from __future__ import annotations

import builtins
import http.client
import importlib.util
import json
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="the extra review is not installed")

from tiny_project import tiny_project

from hexsight.cli import run
from hexsight.model.errors import OutputError, UsageError
from hexsight.review.lock import LOCK, project_lock
from hexsight.review.serving import Short, address_of, listen

START = "from hexsight.cli import main; main()"
ROOT = Path(__file__).resolve().parent.parent.parent
posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tiny_project(tmp_path / "project")


class Running:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, "review", str(folder), "--no-open", "-q", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#(\S+)", self.line)
        assert found is not None, self.process.communicate()
        self.port, self.token = int(found[1]), found[2]

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path, headers={"X-Hexsight-Token": self.token, **headers})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def end(self, number: int) -> tuple[int, str, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


@pytest.fixture
def running(folder: Path) -> Iterator[Running]:
    found = Running(folder)
    yield found
    found.process.kill()
    found.process.communicate()


@posix
def test_it_answers_who_has_the_address_and_ends_with_ctrl_c(running: Running, folder: Path):
    status, body = running.get("/api/board")
    assert status == 200
    assert json.loads(body)["can_save"] is True
    assert running.get("/api/board", **{"X-Hexsight-Token": "x"})[0] == 403
    assert running.get("/api/board", Host="evil.example")[0] == 403
    assert running.get("/")[0] == 200
    assert (folder / LOCK).exists()
    # Another one on the same project is refused and leaves the first alone.
    assert run(["review", str(folder), "--no-open", "-q"]) == 5
    assert run(["review", str(folder / "hexsight.yaml"), "--no-open", "-q"]) == 5
    assert running.get("/api/state")[0] == 200
    code, out, err = running.end(signal.SIGINT)
    assert (code, err) == (0, "")
    assert "All corrections are saved" in out
    assert not (folder / LOCK).exists()


@posix
def test_a_terminated_and_a_killed_server_let_go_of_the_project(folder: Path):
    first = Running(folder)
    assert first.end(signal.SIGTERM)[0] == 0
    second = Running(folder)
    second.end(signal.SIGKILL)
    third = Running(folder)
    assert third.get("/api/state")[0] == 200
    assert third.end(signal.SIGINT)[0] == 0


@posix
def test_requests_that_are_no_http_do_not_stop_it(running: Running):
    for nonsense in (b"\x16\x03\x01\x02\x00\x01", b"GET / HTTP/9\r\n\r\n", b"X" * 100_000):
        with socket.create_connection(("127.0.0.1", running.port), timeout=10) as connection:
            try:
                connection.sendall(nonsense + b"\r\n\r\n")
                connection.recv(1000)
            except OSError:
                pass  # it may hang up on us
    head = "GET / HTTP/1.1\r\nHost: 127.0.0.1:{0}\r\nHost: 127.0.0.1:{0}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as connection:
        connection.sendall(head.format(running.port).encode())
        assert b" 40" in connection.recv(100)
    assert running.get("/api/state")[0] == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.org", ""])
def test_it_listens_to_this_computer_only(
    host: str, folder: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["review", str(folder), "--host", host, "--no-open", "-q"]) == 2
    told = capsys.readouterr().err
    assert "this one only" in told
    assert told.count("\n") == 1
    with pytest.raises(UsageError):
        listen(host, None)


def test_a_port_that_is_taken_is_told_before_the_map_is_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
):
    with listen("127.0.0.1", None) as taken:
        port = taken.getsockname()[1]
        began = time.monotonic()
        assert run(["review", str(folder), "--port", str(port), "--no-open"]) == 5
        assert time.monotonic() - began < 5
    assert "--port" in capsys.readouterr().err


def test_addresses_name_the_host_that_was_asked_for():
    with listen("localhost", None) as one:
        assert one.getsockname()[0] == "127.0.0.1"
        port = one.getsockname()[1]
        assert address_of(one, "localhost", "x") == f"http://localhost:{port}/#x"
        assert address_of(one, "::1", "x") == f"http://[::1]:{port}/#x"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["nothing-there"], 3),
        (["{}", "--max-range", "5"], 2),
        (["{}", "--export", "x.html", "--port", "80"], 2),
        (["{}", "--export", "x.html", "--no-open"], 2),
        (["{}", "--port", "0"], 2),
        (["{}", "--port", "70000"], 2),
        (["{}", "--board", "None"], 2),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(
    options: list[str], code: int, folder: Path, capsys: pytest.CaptureFixture[str]
):
    given = [o.format(folder) for o in options]
    assert run(["review", *given, "-q"]) == code
    assert "Traceback" not in capsys.readouterr().err


def test_without_the_extra_the_line_that_installs_it_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    real, find = builtins.__import__, importlib.util.find_spec

    def missing(name: str, *rest: object, **more: object) -> object:
        if name.split(".", maxsplit=1)[0] in ("starlette", "uvicorn"):
            raise ModuleNotFoundError(name)
        return real(name, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", missing)
    monkeypatch.setattr(
        "hexsight.commands.review.find_spec",
        lambda name: None if name in ("starlette", "uvicorn") else find(name),
    )
    assert run(["review", str(folder), "--no-open", "-q"]) == 7
    assert "pip install 'hexsight[review]'" in capsys.readouterr().err
    # The file needs neither.
    page = folder / "page.html"
    assert run(["review", str(folder), "--export", str(page), "-q"]) == 0
    assert page.stat().st_size > 10_000


def test_a_lock_is_held_once_and_let_go(tmp_path: Path):
    file = tmp_path / "hexsight.yaml"
    with project_lock(file):
        assert (tmp_path / LOCK).exists()
        with pytest.raises(OutputError, match="another hexsight review"), project_lock(file):
            pass
    assert not (tmp_path / LOCK).exists()
    with project_lock(file), project_lock(None):
        pass


def test_a_folder_that_cannot_be_written_to_needs_no_lock(tmp_path: Path):
    with project_lock(tmp_path / "none" / "hexsight.yaml"):
        pass


def test_a_bug_is_told_in_one_line_without_its_traceback():
    try:
        raise RuntimeError("two\nlines")
    except RuntimeError:
        told = logging.LogRecord("x", logging.ERROR, "f", 1, "Exception", (), sys.exc_info())
    assert Short().filter(told)
    line = logging.Formatter().format(told)
    assert "RuntimeError: two lines" in line
    assert "--debug" in line
    assert "\n" not in line
    plain = logging.LogRecord("x", logging.ERROR, "f", 1, "port %d", (3,), None)
    assert Short().filter(plain)
    assert plain.getMessage() == "port 3"
