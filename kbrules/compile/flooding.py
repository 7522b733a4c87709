"""What is connected to a set within another, written so that it seldom has to be looked for."""

from __future__ import annotations

from kbrules.compile.writing import Writer


def connected(pen: Writer, sets: tuple[str, str], floods: str, place: str, grid: str) -> str:
    """The local name of what is connected: what it was last, if that is the answer still.

    sets: texts of the seeds, and of what they are connected within. floods, place: texts of the
    last floods, and of the number of this one. grid: a text of the grid.
    """
    of, by = map(pen.keep, sets)
    seeds, found, watched = (pen.new() for _ in range(3))
    pen.line(f"{seeds}, {found}, {watched} = {floods}[{place}]")
    with pen.under(f"if {watched} & {by} != {found} or {of} != {seeds}:"):
        pen.line(f"{found} = flooded({grid}, {floods}, {place}, {of}, {by})")
    return found
