"""Compile the companion, and check that its class files are those of its sources.

    python companion/build.py           # write export/companion_classes
    python companion/build.py --check   # exit code 1 if they differ

It needs a JDK of Java 11 or newer.  Class files depend on the compiler a
little, so the record beside them says which one made them; another one's are
only compared by name.  The sources' digests in the record are compared always.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLASSES = HERE.parent / "export" / "companion_classes"
RECORD = CLASSES / "BUILT.json"
PACKAGE = Path("hexsight") / "companion"
FLAGS = ("--release", "11", "-encoding", "UTF-8", "-proc:none", "-implicit:none", "-g:none")
LINT = ("-Xlint:all", "-Werror")


def sources(folder: str) -> list[Path]:
    """Java files below a folder of the companion, in order."""
    return sorted((HERE / folder).rglob("*.java"))


def source_digests() -> dict[str, str]:
    """SHA-256 of each source that class files depend on; line ends do not matter."""
    out = {}
    for path in sources("src") + sources("signatures"):
        data = path.read_bytes().replace(b"\r\n", b"\n")
        out[path.relative_to(HERE).as_posix()] = hashlib.sha256(data).hexdigest()
    return out


def compiler() -> str | None:
    """Version of javac such as ``17.0.15``; None where there is none."""
    program = shutil.which("javac")
    if program is None:
        return None
    said = subprocess.run([program, "-version"], capture_output=True, text=True, check=False)
    found = re.search(r"javac (\S+)", said.stdout + said.stderr)
    return found[1] if found else None


def compile_java(
    files: list[Path], target: Path, *class_path: Path, lint: tuple[str, ...] = ()
) -> None:
    """Compile files; what javac says goes to the terminal.

    Raises
    ------
    SystemExit
        If it does not compile.
    """
    target.mkdir(parents=True, exist_ok=True)
    path = os.pathsep.join(map(str, class_path)) if class_path else str(target)
    names = [str(f) for f in files]
    command = ["javac", *FLAGS, *lint, "-cp", path, "-d", str(target), *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"The companion does not compile:\n{done.stdout}{done.stderr}")


def compile_companion(target: Path, *, lint: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Class files by name, compiled against the signatures alone."""
    compile_java(sources("signatures"), target / "signatures")
    compile_java(sources("src"), target / "classes", target / "signatures", lint=lint)
    found = (target / "classes" / PACKAGE).glob("*.class")
    return {path.name: path.read_bytes() for path in sorted(found)}


def recorded() -> dict[str, bytes]:
    """Class files that are shipped, by name."""
    return {path.name: path.read_bytes() for path in sorted(CLASSES.glob("*.class"))}


def differences() -> list[str]:
    """What of the class files does not fit the sources, one line each."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    was, now = record["sources"], source_digests()
    out = [
        f"{name} has changed"
        for name in sorted(was.keys() | now.keys())
        if was.get(name) != now.get(name)
    ]
    shipped = recorded()
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in shipped.items()}
    if digests != record["classes"]:
        out.append("the class files are not those of the record")
    version = compiler()
    if version is None:
        return out
    with tempfile.TemporaryDirectory() as folder:
        made = compile_companion(Path(folder))
    if made.keys() != shipped.keys():
        out.append(f"javac makes {', '.join(sorted(made.keys() ^ shipped.keys()))} or not")
    elif version.partition(".")[0] == record["javac"].partition(".")[0]:
        out += [f"{name} is another one" for name in made if made[name] != shipped[name]]
    return out


def build() -> None:
    """Compile and record."""
    version = compiler()
    if version is None:
        raise SystemExit("There is no javac. Install a JDK of Java 11 or newer.")
    with tempfile.TemporaryDirectory() as folder:
        made = compile_companion(Path(folder), lint=LINT)
    CLASSES.mkdir(exist_ok=True)
    for name in recorded().keys() - made.keys():
        (CLASSES / name).unlink()
    for name, data in made.items():
        (CLASSES / name).write_bytes(data)
    record = {
        "javac": version,
        "flags": list(FLAGS),
        "sources": source_digests(),
        "classes": {name: hashlib.sha256(data).hexdigest() for name, data in made.items()},
    }
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Run as a script."""
    if arguments == ["--check"]:
        found = differences()
        for line in found:
            print(f"companion: {line}", file=sys.stderr)
        if found:
            print("Run make companion and commit export/companion_classes.", file=sys.stderr)
        return int(bool(found))
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    build()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
