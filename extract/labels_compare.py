"""Given names against printed ones: which hexes differ, and by what shift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hexsight.extract.labels_print import Print
from hexsight.extract.labels_words import Reader, plain, read_words
from hexsight.model.layout import hex_distance, to_lattice

_NEAR = 2  # hexes to which shifted names are tried
_MOST = 0.8  # of hexes must agree on a shift
_SEVERAL = 4  # hexes that read alike beside their names are no wrong readings

Names = Mapping[tuple[int, int], str]
Differing = tuple[int, int, str, str]


def compare(
    found: Print, believed: Sequence[str | None], names: Names
) -> tuple[int, tuple[Differing, ...]]:
    """Hexes whose print reads as their name, and those that plainly read otherwise.

    A hex counts as different when each sign that differs looks like another
    letter of the board and not at all like its own, and what it reads is
    believable: one sign is other than named, or it is the name of a hex near
    by, or several hexes read as names that lie equally far away.

    Parameters
    ----------
    believed : sequence of str or None
        Names of the evidence's words, to learn the letters with.
    names : mapping
        Names to compare with.

    Returns
    -------
    agree : int
    disagree : tuple of (col, row, printed, named)
    """
    reader = Reader(found, believed)
    where = {plain(name): at for at, name in names.items()}
    agree = 0
    differ: list[tuple[Differing, tuple[int, int] | None]] = []
    for (col, row), (word, label) in sorted(read_words(found, reader, names).items()):
        name = names.get((col, row))
        if name is None or label is None:
            continue
        if plain(label.text) == plain(name):
            agree += 1
        elif reader.contradicts(word, label, name):
            there = where.get(plain(label.text))
            differ.append(((col, row, label.text, name), there))
    ways = Counter(_way(d[:2], there) for d, there in differ if there is not None)
    kept = []
    for d, there in differ:
        wrong = sum(a != b for a, b in zip(d[2], d[3], strict=True))
        near = there is not None and (
            hex_distance(d[:2], there) <= _NEAR or ways[_way(d[:2], there)] >= _SEVERAL
        )
        if wrong == 1 or near:
            kept.append(d)
    return agree, tuple(kept)


def against(names: Names, printed: Names) -> tuple[int, tuple[Differing, ...]]:
    """Hexes that have and have not the name that is printed, where print is known."""
    both = sorted(at for at in printed if at in names)
    differ = [
        (*at, printed[at], names[at]) for at in both if plain(printed[at]) != plain(names[at])
    ]
    return len(both) - len(differ), tuple(differ)


def _way(here: tuple[int, int], there: tuple[int, int]) -> tuple[int, int]:
    (x, y), (u, v) = to_lattice(*here), to_lattice(*there)
    return u - x, v - y


def without_frame(names: Names) -> dict[tuple[int, int], str]:
    """Names without a beginning or end that all of them share up to a space, and made-up ones."""
    kept = {at: name for at, name in names.items() if "#" not in name}
    if not kept:
        return {}
    words = [name.split() for name in kept.values()]
    if any(len(w) < 2 for w in words):
        return kept
    while all(len(w) > 1 for w in words) and len({w[0] for w in words}) == 1:
        words = [w[1:] for w in words]
    while all(len(w) > 1 for w in words) and len({w[-1] for w in words}) == 1:
        words = [w[:-1] for w in words]
    return {at: " ".join(w) for at, w in zip(kept, words, strict=True)}


def moved(names: Names) -> list[dict[tuple[int, int], str]]:
    """The same names one or two hexes further, in every direction and way of counting."""
    by_lattice = {to_lattice(*at): name for at, name in names.items()}
    found = []
    for columns in range(-_NEAR, _NEAR + 1):
        for rows in range(-2 * _NEAR, 2 * _NEAR + 1):
            step = (3 * columns, rows)
            if (columns + rows) % 2 or step == (0, 0):
                continue
            found.append(
                {
                    (c, r): by_lattice[key]
                    for c, r in names
                    for key in [(3 * c + step[0], 2 * r + (c & 1) + step[1])]
                    if key in by_lattice
                }
            )
    for columns in (-1, 1):
        for rows in (-1, 0, 1):
            found.append(
                {
                    (c, r): names[c + columns, r + rows]
                    for c, r in names
                    if (c + columns, r + rows) in names
                }
            )
    for odd in (0, 1):
        for rows in (-1, 1):
            found.append(
                {
                    (c, r): names[key]
                    for c, r in names
                    for key in [(c, r + rows if c % 2 == odd else r)]
                    if key in names
                }
            )
    return found


def shift_between(names: Names, printed: Names) -> tuple[tuple[int, float] | None, str]:
    """Shift from where names are printed to where they are given, and an example in words.

    Returns
    -------
    shift : (int, float) or None
        Columns and rows, when one shift explains most hexes.  Over an odd
        number of columns rows go by halves if the whole pattern is shifted, and
        are whole if (col, row) are, so that odd columns move half a row one way
        and even ones the other.
    text : str
    """
    where = {plain(name): at for at, name in names.items()}
    moves: Counter[tuple[int, float]] = Counter()
    total = 0
    example = ""
    for at, text in sorted(printed.items()):
        if at not in names or plain(names[at]) == text:
            continue
        example = example or f": where {text} is printed, the name is {names[at]}"
        if text in where:
            there = where[text]
            total += 1
            moves[there[0] - at[0], float(there[1] - at[1])] += 1
            if (there[0] - at[0]) % 2:
                moves[there[0] - at[0], _way(at, there)[1] / 2] += 1
    if moves:
        (columns, rows), times = max(moves.items(), key=lambda m: (m[1], m[0]))
        if times >= _MOST * total:
            text = f"the names lie {columns:+d} columns and {rows:+g} rows beside the print"
            return (columns, rows), text + example
    return None, f"another numbering is printed{example}"
