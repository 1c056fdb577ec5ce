"""What worker processes do in tests of the pool; light, since every worker imports it."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from pathlib import Path


def obey(task: tuple[str, str]) -> str:
    """Do as the first word says; the second names a file, or is the answer."""
    verb, rest = task
    if verb == "die":
        os.kill(os.getpid(), 9)
    elif verb == "die-once":
        if not Path(rest).exists():
            Path(rest).touch()
            os.kill(os.getpid(), 9)
    elif verb == "crash":
        ctypes.string_at(0)
    elif verb == "leave":
        os._exit(3)
    elif verb == "raise":
        raise RuntimeError(rest)
    elif verb == "sleep":
        time.sleep(60)
    elif verb == "fill":
        return str(len(bytearray(400 * 1024**2)))
    elif verb == "pid":
        return str(os.getpid())
    elif verb == "threads":
        return os.environ.get("OMP_NUM_THREADS", "")
    elif verb == "modules":
        return " ".join(sorted(sys.modules))
    return rest
