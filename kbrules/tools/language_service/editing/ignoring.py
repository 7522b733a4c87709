"""The comment that suppresses a warning, above what it speaks of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.diagnostics import Diagnostic, Edit
from kbrules.library.discovery import kind_of
from kbrules.text import Source
from kbrules.tools.language_service.answers import CodeAction
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.language_service.yaml_places import places_in
from kbrules.tools.lint.run import LINTS

_REASON = "say why it is meant so"


def ignoring(workspace: Workspace, path: Path, finding: Diagnostic) -> Iterator[CodeAction]:
    """A comment of its own that suppresses a warning, with a reason to be written."""
    if finding.code not in LINTS:
        return
    source = workspace.source(path)
    start, _ = finding.span.source.written(finding.span.start, finding.span.end)
    line = _commented_line(workspace, path, source, source.position(start)[0])
    text, place = source.line_text(line), source.offset(line, 1)
    indent = text[: len(text) - len(text.lstrip())]
    comment = f"{indent}# kb: ignore[{finding.code}] {_REASON}\n"
    edits = {path: (Edit(source.span(place, place), comment),)}
    yield CodeAction(f"Ignore {finding.code} here", edits, (finding,))


def _commented_line(workspace: Workspace, path: Path, source: Source, line: int) -> int:
    """The line above which a comment may stand: that one, or the beginning of a drawing or text."""
    if kind_of(path) == "rules":
        while line > 1 and source.line_text(line).lstrip().startswith("|"):
            line -= 1
        return line
    document, start = workspace.document(path), source.offset(line, 1)
    places = () if document is None else places_in(document)
    around = next((each for each in places if each.start < start < each.end), None)
    return line if around is None else source.position(around.start)[0]
