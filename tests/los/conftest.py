"""What the tests of lines of sight share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hexsight import cli

Run = Callable[..., str]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line; what it printed."""

    def one(*args: object, code: int = 0) -> str:
        assert cli.run([str(a) for a in args]) == code
        printed = capsys.readouterr()
        return printed.err if code else printed.out

    return one
