"""The colours of a text that know more than patterns do, and hints that are not in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from lsprotocol import types

from kbrules.lang.typed import Sort
from kbrules.tools.editors.token_patterns import TokenKind
from kbrules.tools.language_server.editor_request import EditorRequest
from kbrules.tools.language_service.answers import SemanticToken
from kbrules.tools.language_service.showing.inlay import inlay_hints
from kbrules.tools.language_service.showing.tokens import semantic_tokens

Types = types.SemanticTokenTypes
TOKEN_TYPES = {
    TokenKind.COMMENT: Types.Comment,
    TokenKind.DECLARATION: Types.Keyword,
    TokenKind.DECLARED: Types.Class,
    TokenKind.KEYWORD: Types.Keyword,
    TokenKind.TRUTH: Types.Keyword,
    TokenKind.NUMBER: Types.Number,
    TokenKind.TEXT: Types.String,
    TokenKind.DRAWING: Types.String,
    TokenKind.SORT: Types.Type,
    TokenKind.VERB: Types.Method,
    TokenKind.WORD: Types.Function,
    TokenKind.NAME: Types.Variable,
    TokenKind.SIGN: Types.Operator,
}
"""How the kinds of the one table of patterns are called by the protocol; blanks have no colour."""
_TYPES = [*dict.fromkeys([*TOKEN_TYPES.values(), Types.EnumMember])]
LEGEND = types.SemanticTokensLegend(
    [kind.value for kind in _TYPES], [types.SemanticTokenModifiers.Declaration.value]
)
_NUMBERS = count(1)
Asked = (
    EditorRequest[types.SemanticTokensParams]
    | EditorRequest[types.SemanticTokensDeltaParams]
    | EditorRequest[types.SemanticTokensRangeParams]
)


def answer_tokens(request: EditorRequest[types.SemanticTokensParams]) -> types.SemanticTokens:
    """The tokens of a whole text."""
    data = _data(request, semantic_tokens(request.workspace, request.path))
    return types.SemanticTokens(data, _cached(request, data))


def answer_tokens_of_range(
    request: EditorRequest[types.SemanticTokensRangeParams],
) -> types.SemanticTokens:
    """The tokens of the lines that are shown."""
    start, end = request.document.lines.lines(request.params.range)
    found = semantic_tokens(request.workspace, request.path)
    inside = [each for each in found if start <= each.start and each.end <= end]
    return types.SemanticTokens(_data(request, inside))


def answer_changed_tokens(
    request: EditorRequest[types.SemanticTokensDeltaParams],
) -> types.SemanticTokens | types.SemanticTokensDelta:
    """What has changed in the tokens of a text since they were told."""
    cached = request.cache.tokens.get(request.path)
    data = _data(request, semantic_tokens(request.workspace, request.path))
    number = _cached(request, data)
    if cached is None or cached[0] != request.params.previous_result_id:
        return types.SemanticTokens(data, number)
    return types.SemanticTokensDelta([*_difference(cached[1], data)], number)


def _cached(request: Asked, data: list[int]) -> str:
    number = str(next(_NUMBERS))
    request.cache.tokens[request.path] = number, data
    return number


def _difference(old: list[int], new: list[int]) -> Iterator[types.SemanticTokensEdit]:
    """The one edit that makes a list of another; none if they are equal."""
    if old == new:
        return
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    most -= start
    same = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    middle = new[start : len(new) - same]
    yield types.SemanticTokensEdit(start, len(old) - same - start, middle)


def _data(request: Asked, tokens: Sequence[SemanticToken]) -> list[int]:
    """Five numbers for each token: lines and columns from the one before, length, type, marks."""
    lines, data = request.document.lines, list[int]()
    line, column = 0, 0
    for each in tokens:
        kind = _type(each.kind)
        if kind is None:
            continue
        start, end = lines.position(each.start), lines.position(each.end)
        before = column if start.line == line else 0
        length = end.character - start.character
        marks = int(each.is_declaration)
        data += [start.line - line, start.character - before, length, _TYPES.index(kind), marks]
        line, column = start.line, start.character
    return data


def _type(kind: str) -> Types | None:
    """How the protocol calls a kind: a name whose sort is known is a thing or a variable."""
    if kind in _KINDS:
        return TOKEN_TYPES.get(TokenKind(kind))
    return Types.EnumMember if kind in _THINGS else Types.Variable


_KINDS = frozenset(kind.value for kind in TokenKind)
_THINGS = {*Sort} - {Sort.NUMBER, Sort.TRUTH, Sort.HEXES}


def answer_hints(request: EditorRequest[types.InlayHintParams]) -> list[types.InlayHint]:
    """A few words beside what is written, in the lines that are shown."""
    lines = request.document.lines
    start, end = lines.offsets(request.params.range)
    return [
        types.InlayHint(
            lines.position(each.offset),
            each.text,
            kind=types.InlayHintKind.Type,
            tooltip=each.tooltip or None,
            padding_left=True,
        )
        for each in inlay_hints(request.workspace, request.path)
        if start <= each.offset <= end
    ]
