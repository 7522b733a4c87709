"""What boxes say in place of what others say: `instead:`, whichever of them is loaded first.

A box that brings a number says it under `numbers:`, and two that differ clash. A box that means
to change one says so under `instead:`, which wins over all of those; two that say there different
things of the same thing clash again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.lang.syntax.tree import Option
from kbrules.library.boards.sections import Size
from kbrules.library.boards.tables import BoardParts
from kbrules.library.boxes.claims import Claims
from kbrules.text import Span

if TYPE_CHECKING:
    from kbrules.library.boxes.box import Box

Boxes = Sequence["Box"]
Value = bool | int


def other_numbers(boxes: Boxes, numbers: Mapping[str, int], claims: Claims) -> dict[str, int]:
    """The numbers with those that a box puts in their place."""
    found = dict(numbers)
    for box in boxes:
        for id, value in box.model.instead.numbers.items():
            loc = "instead", "numbers", id
            claims.value(f"what the number {quoted(id)} is instead", value, box.span(*loc))
            if id not in numbers:
                claims.found.append(_unknown("number", id, numbers, box.key(*loc)))
            found[id] = value
    return found


def other_table(boxes: Boxes, table: Size, claims: Claims) -> Size:
    """The size of the table, or the one that a box puts in its place."""
    for box in boxes:
        other = box.model.instead.table
        if other is not None:
            table = (other.rows, other.columns)
            claims.value("what the table is instead", table, box.span("instead", "table"))
    return table


def other_defaults(boxes: Boxes, claims: Claims) -> dict[str, Value]:
    """The defaults of options that boxes put in the place of others; whether there are such
    options is not known before the rules are read."""
    found: dict[str, Value] = {}
    for box in boxes:
        for id, written in box.model.instead.options.items():
            loc = "instead", "options", id
            value = written == "yes" if isinstance(written, str) else written
            what = f"the default of the option {quoted(id)}"
            claims.value(what, (type(value), value), box.span(*loc))
            claims.spans["options", id] = box.key(*loc)
            found[id] = value
    return found


def options_of(
    declared: Iterable[Option], parts: BoardParts
) -> tuple[dict[str, Value], list[Diagnostic]]:
    """The default of each option as boxes have it, sorted, and what is wrong with those."""
    defaults: dict[str, Value] = {option.name.text: option.default for option in declared}
    findings = list(_wrong_defaults(defaults, parts))
    if not findings:
        defaults |= parts.defaults
    return dict(sorted(defaults.items())), findings


def _wrong_defaults(defaults: Mapping[str, Value], parts: BoardParts) -> Iterator[Diagnostic]:
    for id, value in parts.defaults.items():
        span = parts.spans["options", id]
        if id not in defaults:
            yield _unknown("option", id, defaults, span)
        elif isinstance(defaults[id], bool) is not isinstance(value, bool):
            kind = "`yes` or `no`" if isinstance(defaults[id], bool) else "a number"
            yield Diagnostic("KB209", span, f"the option {quoted(id)} is {kind}")


def _unknown(noun: str, id: str, known: Iterable[str], span: Span) -> Diagnostic:
    near = suggest(id, known)
    help_ = f"did you mean {quoted(near)}?" if near else "load the box that has it"
    if not near and known:
        help_ += f"; there is {', '.join(quoted(each) for each in sorted(known))}"
    return Diagnostic("KB413", span, f"there is no {noun} {quoted(id)} to be changed", help_)
