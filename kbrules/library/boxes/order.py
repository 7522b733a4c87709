"""The order of boxes: what a box needs comes before it, and ids decide the rest.

It depends on the boxes only, never on the order in which they were named.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, Label, did_you_mean, quoted
from kbrules.library.boxes.installed import unusable
from kbrules.library.versions import Need
from kbrules.text import Span, visible

if TYPE_CHECKING:
    from kbrules.library.boxes.box import Box


def in_order(boxes: Iterable[Box]) -> tuple[list[Box], list[Diagnostic]]:
    """The boxes in order, each id once, and what is wrong with their ids and needs."""
    by_id: dict[str, Box] = {}
    found: list[Diagnostic] = []
    for box in sorted(boxes, key=lambda box: (box.id, box.document.source.name)):
        if box.id in by_id:
            found.append(_twice(by_id[box.id], box))
        else:
            by_id[box.id] = box
    for box in by_id.values():
        found += _unmet(box, by_id)
    ordered: list[str] = []
    for id in by_id:
        found += _visit(id, by_id, ordered, ())
    return [by_id[id] for id in ordered], found


def _twice(first: Box, second: Box) -> Diagnostic:
    folders = (Path(box.span("id").source.name).parent for box in (first, second))
    names = [f"`{visible(str(folder))}`" for folder in folders]
    message = f"there are two boxes {quoted(second.id)}: in {' and in '.join(names)}"
    labels = (Label(first.span("id"), "the first is this"),)
    help_ = "give one of them another `id`, or load only one"
    return Diagnostic("KB411", second.span("id"), message, help_, labels)


def _unmet(box: Box, by_id: dict[str, Box]) -> Iterable[Diagnostic]:
    for index, need in enumerate(box.model.needed):
        id, span = need.id, box.span("needs", index)
        if id not in by_id:
            help = did_you_mean(id, by_id, _where_from(id))
            message = f"the box {quoted(box.id)} needs the box {quoted(id)}, which is not loaded"
            yield Diagnostic("KB413", span, message, help)
        elif not need.holds(by_id[id].model.version):
            yield _other_version(box, need, by_id[id], span)


def _other_version(box: Box, need: Need, found: Box, span: Span) -> Diagnostic:
    version = found.model.version
    loaded = f"version {version} of it" if version else "a version of it that says no number"
    message = f"the box {quoted(box.id)} needs {quoted(need.id)} {need.range}; loaded is {loaded}"
    labels = (Label(found.key("version") if version else found.span("id"), "it is this box"),)
    help = "load another version of it, or change the range if this one will do"
    return Diagnostic("KB418", span, message, help, labels)


def _where_from(id: str) -> str:
    """What to do about a box that is needed and not there."""
    broken = unusable(id)
    return broken.message if broken else "load its folder as well, or install its package"


def _visit(
    id: str, by_id: dict[str, Box], ordered: list[str], above: tuple[str, ...]
) -> Iterable[Diagnostic]:
    """Put a box behind all that it needs; `above` are the boxes that wait for it."""
    if id in ordered or id not in by_id:
        return []
    if id in above:
        circle = ", ".join(quoted(each) for each in above[above.index(id) :])
        message = f"these boxes need each other in a circle: {circle}"
        return [Diagnostic("KB403", by_id[id].span("needs"), message)]
    needs = sorted(need.id for need in by_id[id].model.needed)
    found = [each for need in needs for each in _visit(need, by_id, ordered, (*above, id))]
    ordered.append(id)
    return found
