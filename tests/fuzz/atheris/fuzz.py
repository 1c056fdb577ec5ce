"""Coverage-guided fuzzing of one parser, beside the tests: see docs/fuzzing.md.

python tests/fuzz/atheris/fuzz.py TARGET -max_total_time=300 [libFuzzer options, corpora]
"""

from __future__ import annotations

import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).resolve().parents[k]) for k in (1, 2)]

# What reads, ours and Python's; C cannot be followed, and all else only makes the start slow.
READERS = [
    *(f"hexsight.model.{m}" for m in ("inputs", "yamlsafe", "yamlplaces", "jsonsafe", "store")),
    *(f"hexsight.model.{m}" for m in ("losdata", "overrides", "outlines", "openings")),
    *(f"hexsight.model.{m}" for m in ("vassal_grid", "vassal_numbering", "vassal_zones")),
    *(f"hexsight.extract.{m}" for m in ("archive", "xmlsafe", "image", "legend", "source")),
    *(f"hexsight.extract.{m}" for m in ("module", "module_files", "module_grids", "module_names")),
    *(f"hexsight.extract.{m}" for m in ("boardarchive", "boardarchive_sections")),
    *(f"hexsight.export.{m}" for m in ("buildfile", "original", "zipraw")),
    *(f"hexsight.los.{m}" for m in ("tablefile", "profile", "rulesets", "overlay_board")),
    *(f"hexsight.los.{m}" for m in ("hexes.profile", "hexes.state", "flames.profile")),
    *(f"hexsight.{m}" for m in ("overlayfile", "overlay_flames", "project")),
    *(f"hexsight.{m}" for m in ("review.journal", "review.api", "validators.baseline")),
]


def _others() -> list[str]:
    """All modules that are not to be followed: atheris knows whole packages only."""
    found = []
    for part in ("", "model", "extract", "export", "los", "los.hexes", "los.flames", "los.rules"):
        found += _below(f"hexsight.{part}".rstrip("."))
    for part in ("review", "validators", "validators.checks", "commands", "samples"):
        found += _below(f"hexsight.{part}")
    return [name for name in found if name not in READERS]


def _below(package: str) -> list[str]:
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec is not None else None
    return [f"{package}.{p.stem}" for place in places or () for p in Path(place).glob("*.py")]


with atheris.instrument_imports(include=["hexsight", "yaml", "zipfile"], exclude=_others()):
    import seeds
    import targets


def main() -> None:
    """Fuzz the target that is named first."""
    if len(sys.argv) < 2 or sys.argv[1] not in targets.TARGETS:
        sys.exit(f"Name one of: {', '.join(targets.TARGETS)}")
    name = sys.argv.pop(1)
    with tempfile.TemporaryDirectory(prefix="fuzz-seeds-") as folder:
        for place, data in enumerate(seeds.seeds(name)):
            (Path(folder) / f"seed{place}").write_bytes(seeds.opened(name, data))
        words = "".join(
            'w="' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n'
            for word in seeds.WORDS
            if len(word) <= 64
        )
        dictionary = Path(folder).with_suffix(".dict")
        dictionary.write_text(words, encoding="ascii")

        def one(data: bytes) -> None:
            targets.run(name, seeds.closed(name, data))
            if name == "losdata":
                targets.run(name, data)

        options = ["-timeout=10", "-rss_limit_mb=1024", f"-dict={dictionary}", "-max_len=20000"]
        atheris.Setup([sys.argv[0], *options, *sys.argv[1:], folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
