"""What a word is, and which words fit: hover, completion, help with the arguments."""

from __future__ import annotations

from lsprotocol import types

from kbrules.tools.language_server.editor_request import EditorRequest
from kbrules.tools.language_service.answers import Completion, CompletionKind
from kbrules.tools.language_service.completing.completion import complete
from kbrules.tools.language_service.showing.hover import hover
from kbrules.tools.language_service.showing.signature import signature_at

_SHORT = 120  # characters of a page that is sent with the proposal itself
_KINDS = {
    CompletionKind.WORD: types.CompletionItemKind.Function,
    CompletionKind.STEP: types.CompletionItemKind.Method,
    CompletionKind.KEYWORD: types.CompletionItemKind.Keyword,
    CompletionKind.SORT: types.CompletionItemKind.Class,
    CompletionKind.EVENT: types.CompletionItemKind.Event,
    CompletionKind.VARIABLE: types.CompletionItemKind.Variable,
    CompletionKind.DECLARED: types.CompletionItemKind.Reference,
    CompletionKind.THING: types.CompletionItemKind.EnumMember,
    CompletionKind.HEX: types.CompletionItemKind.Value,
    CompletionKind.KEY: types.CompletionItemKind.Property,
    CompletionKind.VALUE: types.CompletionItemKind.Value,
    CompletionKind.SNIPPET: types.CompletionItemKind.Snippet,
}


def answer_hover(request: EditorRequest[types.HoverParams]) -> types.Hover | None:
    """The page of the word at a place."""
    found = hover(request.workspace, request.path, request.offset)
    if found is None:
        return None
    return types.Hover(request.client.markup(found.markdown), request.range(found.span))


def answer_completion(request: EditorRequest[types.CompletionParams]) -> types.CompletionList:
    """What fits at a place, best first; long pages come when one is looked at."""
    found = complete(request.workspace, request.path, request.offset)
    request.cache.pages.clear()
    items = [_item(request, each, number) for number, each in enumerate(found)]
    return types.CompletionList(is_incomplete=False, items=items)


def _item(
    request: EditorRequest[types.CompletionParams], each: Completion, number: int
) -> types.CompletionItem:
    is_snippet = each.is_snippet and request.client.takes_snippets
    is_whole = each.kind is CompletionKind.SNIPPET
    plain = each.plain_text if is_whole or not each.is_snippet else each.label
    item = types.CompletionItem(
        each.label,
        kind=_KINDS[each.kind],
        detail=each.detail or None,
        sort_text=f"{number:05}",
        filter_text=each.label,
        text_edit=types.TextEdit(request.range(each.span), each.text if is_snippet else plain),
    )
    if is_snippet:
        item.insert_text_format = types.InsertTextFormat.Snippet
    if "\n" in each.text and request.client.keeps_indentation:
        item.insert_text_mode = types.InsertTextMode.AsIs
    if 0 < len(each.markdown) <= _SHORT:
        item.documentation = _page(request, each.markdown)
    elif each.markdown:
        item.data = f"{each.kind} {each.label}"
        request.cache.pages[item.data] = each.markdown
    return item


def answer_page(request: EditorRequest[types.CompletionItem]) -> types.CompletionItem:
    """A proposal with its page."""
    item = request.params
    if isinstance(item.data, str) and (page := request.cache.pages.get(item.data)):
        item.documentation = _page(request, page)
    return item


def _page(
    request: EditorRequest[types.CompletionParams] | EditorRequest[types.CompletionItem], text: str
) -> types.MarkupContent:
    return request.client.markup(text, "completion.completion_item.documentation_format")


def answer_signature(
    request: EditorRequest[types.SignatureHelpParams],
) -> types.SignatureHelp | None:
    """The ways to write the word whose arguments are being written."""
    found = signature_at(request.workspace, request.path, request.offset)
    if found is None:
        return None
    of = "signature_help.signature_information.documentation_format"
    shapes = [
        types.SignatureInformation(
            shape.label,
            request.client.markup(shape.markdown, of) if shape.markdown else None,
            [types.ParameterInformation(label=place) for place in shape.parameters],
        )
        for shape in found.shapes
    ]
    return types.SignatureHelp(shapes, found.active, found.parameter)
