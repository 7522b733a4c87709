"""The one style of rules: of a text, of some lines of it, of the line that was begun."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

from kbrules.diagnostics import Edit
from kbrules.lang.formatting import STEP
from kbrules.lang.syntax.build import Line
from kbrules.library.discovery import kind_of
from kbrules.text import Source
from kbrules.tools.fmt import styled
from kbrules.tools.language_service.workspace import Workspace

_YAML_STEP = 2


def format_text(workspace: Workspace, path: Path) -> tuple[Edit, ...]:
    """The edits that give a rule file its one style; none while it cannot be read."""
    source = workspace.source(path)
    if kind_of(path) != "rules":
        return ()
    after = styled(source)
    return () if after is None else tuple(_difference(source, after))


def format_range(workspace: Workspace, path: Path, start: int, end: int) -> tuple[Edit, ...]:
    """Those of these edits that touch the lines of a range."""
    source = workspace.source(path)
    first = source.offset(source.position(start)[0], 1)
    line = source.position(end)[0]
    last = source.offset(line, len(source.line_text(line)) + 1)
    edits = format_text(workspace, path)
    return tuple(e for e in edits if e.span.start <= last and first <= e.span.end)


def _difference(source: Source, after: str) -> Iterator[Edit]:
    """The lines that change."""
    old, new = source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, first, last, begin, end in matcher.get_opcodes():
        if tag != "equal":
            span = source.span(starts[first], starts[last])
            yield Edit(span, "".join(new[begin:end]))


def format_on_type(workspace: Workspace, path: Path, offset: int) -> tuple[Edit, ...]:
    """The indentation of a line that was just begun, below the line before it."""
    source = workspace.source(path)
    line = source.position(offset)[0]
    text, above = source.line_text(line), source.line_text(line - 1)
    if line == 1 or text.strip() or not above.strip() or kind_of(path) is None:
        return ()
    indent = len(above) - len(above.lstrip(" "))
    if kind_of(path) == "rules" and Line(0, above).opens_block:
        indent += STEP
    elif kind_of(path) != "rules" and above.rstrip().endswith(":"):
        indent += _YAML_STEP
    start = source.offset(line, 1)
    if text == " " * indent:
        return ()
    return (Edit(source.span(start, start + len(text)), " " * indent),)
