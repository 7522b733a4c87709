"""What belongs together in a text: lines that fold, selections that grow; and its one style."""

from __future__ import annotations

from functools import reduce

from lsprotocol import types

from kbrules.tools.language_server.question import Question
from kbrules.tools.language_service.editing.formatting import (
    format_on_type,
    format_range,
    format_text,
)
from kbrules.tools.language_service.showing.structure import folding, selection_ranges

__all__ = [
    "answer_folding", "answer_format", "answer_format_range", "answer_selection", "answer_typed",
]  # fmt: skip


def answer_folding(question: Question[types.FoldingRangeParams]) -> list[types.FoldingRange]:
    """The lines that can be hidden."""
    return [
        types.FoldingRange(
            each.first_line - 1,
            each.last_line - 1,
            kind=types.FoldingRangeKind.Comment if each.is_comment else None,
        )
        for each in folding(question.workspace, question.path)
    ]


def answer_selection(
    question: Question[types.SelectionRangeParams],
) -> list[types.SelectionRange]:
    """For each place what is selected there, and what around it, ever more."""
    lines = question.document.lines
    return [_grown(question, lines.offset(each)) for each in question.params.positions]


def _grown(question: Question[types.SelectionRangeParams], offset: int) -> types.SelectionRange:
    """The selections around a place, from within; the place itself if there is none."""
    lines = question.document.lines
    spans = selection_ranges(question.workspace, question.path, offset)
    ranges = [question.range(span) for span in spans] or [lines.range(offset, offset)]
    start: types.SelectionRange | None = None
    found = reduce(lambda outer, inner: types.SelectionRange(inner, outer), reversed(ranges), start)
    assert found is not None
    return found


def answer_format(question: Question[types.DocumentFormattingParams]) -> list[types.TextEdit]:
    """What gives a text its one style."""
    return question.text_edits(question.path, format_text(question.workspace, question.path))


def answer_format_range(
    question: Question[types.DocumentRangeFormattingParams],
) -> list[types.TextEdit]:
    """What gives the declarations in a range their one style."""
    start, end = question.document.lines.offsets(question.params.range)
    edits = format_range(question.workspace, question.path, start, end)
    return question.text_edits(question.path, edits)


def answer_typed(
    question: Question[types.DocumentOnTypeFormattingParams],
) -> list[types.TextEdit]:
    """What to change where a line was ended: the indentation of the next one."""
    edits = format_on_type(question.workspace, question.path, question.offset)
    return question.text_edits(question.path, edits)
