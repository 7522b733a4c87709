"""What belongs together in a text: lines that fold, selections that grow; and its one style."""

from __future__ import annotations

from functools import reduce

from lsprotocol import types

from kbrules.tools.language_server.editor_request import EditorRequest
from kbrules.tools.language_service.editing.formatting import (
    format_on_type,
    format_range,
    format_text,
)
from kbrules.tools.language_service.showing.structure import folding, selection_ranges


def answer_folding(request: EditorRequest[types.FoldingRangeParams]) -> list[types.FoldingRange]:
    """The lines that can be hidden."""
    return [
        types.FoldingRange(
            each.first_line - 1,
            each.last_line - 1,
            kind=types.FoldingRangeKind.Comment if each.is_comment else None,
        )
        for each in folding(request.workspace, request.path)
    ]


def answer_selection(
    request: EditorRequest[types.SelectionRangeParams],
) -> list[types.SelectionRange]:
    """For each place what is selected there, and what around it, ever more."""
    lines = request.document.lines
    return [_grown(request, lines.offset(each)) for each in request.params.positions]


def _grown(request: EditorRequest[types.SelectionRangeParams], offset: int) -> types.SelectionRange:
    """The selections around a place, from within; the place itself if there is none."""
    lines = request.document.lines
    spans = selection_ranges(request.workspace, request.path, offset)
    ranges = [request.range(span) for span in spans] or [lines.range(offset, offset)]
    start: types.SelectionRange | None = None
    found = reduce(lambda outer, inner: types.SelectionRange(inner, outer), reversed(ranges), start)
    assert found is not None
    return found


def answer_format(request: EditorRequest[types.DocumentFormattingParams]) -> list[types.TextEdit]:
    """What gives a text its one style."""
    return request.text_edits(request.path, format_text(request.workspace, request.path))


def answer_format_range(
    request: EditorRequest[types.DocumentRangeFormattingParams],
) -> list[types.TextEdit]:
    """What gives the declarations in a range their one style."""
    start, end = request.document.lines.offsets(request.params.range)
    edits = format_range(request.workspace, request.path, start, end)
    return request.text_edits(request.path, edits)


def answer_typed(
    request: EditorRequest[types.DocumentOnTypeFormattingParams],
) -> list[types.TextEdit]:
    """What to change where a line was ended: the indentation of the next one."""
    edits = format_on_type(request.workspace, request.path, request.offset)
    return request.text_edits(request.path, edits)
