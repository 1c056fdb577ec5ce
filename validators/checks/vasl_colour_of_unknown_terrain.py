"""Check vasl/colour-of-unknown-terrain."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from hexsight.model.terrain import load_catalogue
from hexsight.validators.finding import Problem, Severity
from hexsight.validators.registry import check
from hexsight.validators.subject import Subject

# VASL's own word for a colour that is printed over terrain and says nothing of it.
NO_TERRAIN = frozenset({"unknown", ""})


@check(
    id="vasl/colour-of-unknown-terrain",
    severity=Severity.WARN,
    needs=("archive",),
    title="A colour of the board stands for a terrain that does not exist",
    what="""A color element of the metadata has a terrain that is not the name of a
        terrain type.""",
    why="""Pixels of that colour are taken for nothing when LOSData is computed from
        the picture.""",
    example="""The colour GrainYellow stands for "Grains".""",
    how_to_mend="""Write the name as in SharedBoardMetadata.xml.""",
)
def colour_of_unknown_terrain(subject: Subject) -> Iterator[Problem]:
    archive = subject.archive
    assert archive is not None
    types = {t.name.casefold(): t.name for t in load_catalogue().types if t.vasl is None}
    for name, terrain in archive.colours:
        key = terrain.strip().casefold()
        if key in types or key in NO_TERRAIN:
            continue
        near = difflib.get_close_matches(key, types, n=1)
        hint = f" Did you mean {types[near[0]]!r}?" if near else ""
        yield Problem(
            f"The colour {name!r} stands for {terrain!r}, which is no terrain type.{hint} Write "
            "the name as VASL has it.",
            settle=f'terrain="{types[near[0]]}"' if near else "terrain attribute",
        )
