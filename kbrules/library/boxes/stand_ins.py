"""Which drawing of a section counts: a printed map in place of a stand-in, and never of another.

A box says so by `replaces: stand-in`, so that a section which only happens to have the id of
another is reported, and in whatever order boxes are loaded the same map is laid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, Label, did_you_mean, quoted
from kbrules.library.boxes.claims import Claims

if TYPE_CHECKING:
    from kbrules.library.boxes.box import Box

STAND_IN = "stand-in"
_REMEDY = f"if this is its printed map, add the line `replaces: {STAND_IN}`"


def sections_in_force(boxes: Iterable[Box], claims: Claims) -> Iterator[tuple[Box, str]]:
    """Each section once, with the box whose drawing of it counts; clashes go to the claims."""
    drawings = [(box, id) for box in boxes for id in box.model.sections]
    first: dict[str, Box] = {}
    for box, id in (each for each in drawings if not _replaces(*each)):
        help = _REMEDY if id in first and _is_stand_in(first[id], id) else ""
        if claims.id("sections", "section", id, box.key("sections", id), help):
            first[id] = box
    second: dict[str, Box] = {}
    for box, id in (each for each in drawings if _replaces(*each)):
        problem = _why_not(box, id, first, second)
        if problem is None:
            second[id] = box
            claims.spans["sections", id] = box.key("sections", id)
        else:
            claims.found.append(problem)
    yield from ((second.get(id, box), id) for id, box in first.items())


def _replaces(box: Box, id: str) -> bool:
    return box.model.sections[id].replaces is not None


def _is_stand_in(box: Box, id: str) -> bool:
    return box.model.sections[id].map == STAND_IN


def _why_not(
    box: Box, id: str, first: Mapping[str, Box], second: Mapping[str, Box]
) -> Diagnostic | None:
    """What keeps a drawing from replacing the first one of its section."""
    span = box.span("sections", id, "replaces")
    if id not in first:
        stand_ins = [name for name, other_box in first.items() if _is_stand_in(other_box, name)]
        help = did_you_mean(id, stand_ins, "add the box that has it to `needs`")
        return Diagnostic("KB413", span, f"there is no section {quoted(id)} to replace", help)
    other = second.get(id, first[id])
    labels = (Label(other.key("sections", id), "drawn here"),)
    if id in second:
        message = f"two boxes replace the map of {quoted(id)}"
        return Diagnostic("KB411", span, message, "load only one of them", labels)
    if not _is_stand_in(other, id):
        message = f"the map of {quoted(id)} is the printed one, no {STAND_IN}"
        help = "delete this section, or give it an id of its own without `replaces`"
        return Diagnostic("KB411", span, message, help, labels)
    return None
