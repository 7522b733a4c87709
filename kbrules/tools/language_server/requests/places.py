"""Where something is: definitions, uses, new names, the symbols of a file and of all files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from kbrules.tools.language_server.editor_request import EditorRequest
from kbrules.tools.language_service.answers import Location, Symbol, SymbolKind
from kbrules.tools.language_service.navigating.navigation import (
    definition,
    prepare_rename,
    references,
    rename,
)
from kbrules.tools.language_service.navigating.symbols import document_symbols, workspace_symbols

_KINDS = {
    SymbolKind.RULE: types.SymbolKind.Class,
    SymbolKind.DEFINE: types.SymbolKind.Function,
    SymbolKind.STEPS: types.SymbolKind.Method,
    SymbolKind.OPTION: types.SymbolKind.Boolean,
    SymbolKind.MEMORY: types.SymbolKind.Variable,
    SymbolKind.EXAMPLE: types.SymbolKind.Event,
    SymbolKind.SCENARIO: types.SymbolKind.Event,
    SymbolKind.TABLE: types.SymbolKind.Array,
    SymbolKind.THING: types.SymbolKind.EnumMember,
}


def answer_definition(request: EditorRequest[types.DefinitionParams]) -> list[types.Location]:
    """Where what stands at a place is declared."""
    return _located(request, definition(request.workspace, request.path, request.offset))


def answer_references(request: EditorRequest[types.ReferenceParams]) -> list[types.Location]:
    """Where what stands at a place is used; with its declaration if that is wanted."""
    workspace, path, offset = request.workspace, request.path, request.offset
    found = references(workspace, path, offset)
    if not request.params.context.include_declaration:
        declared = {*definition(workspace, path, offset)}
        found = tuple(each for each in found if each not in declared)
    return _located(request, found)


def _located(
    request: EditorRequest[types.DefinitionParams] | EditorRequest[types.ReferenceParams],
    found: Sequence[Location],
) -> list[types.Location]:
    return [request.location(each.path, each.span) for each in found]


def answer_rename(
    request: EditorRequest[types.PrepareRenameParams],
) -> types.PrepareRenamePlaceholder:
    """The name at a place that can have another. Raises Refused if it cannot."""
    span = prepare_rename(request.workspace, request.path, request.offset)
    return types.PrepareRenamePlaceholder(request.range(span), span.text)


def answer_new_name(request: EditorRequest[types.RenameParams]) -> types.WorkspaceEdit:
    """The edits that give something another name. Raises Refused if it cannot have it."""
    workspace, name = request.workspace, request.params.new_name
    return request.workspace_edit(rename(workspace, request.path, request.offset, name))


def answer_symbols(
    request: EditorRequest[types.DocumentSymbolParams],
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """What a file declares, as a tree if the client shows one."""
    found = document_symbols(request.workspace, request.path)
    if request.client.takes_symbol_trees:
        return [_tree(request, each) for each in found]
    return [
        types.SymbolInformation(
            request.location(each.path, each.span), each.name, _KINDS[each.kind]
        )
        for each in _flat(found)
    ]


def _tree(
    request: EditorRequest[types.DocumentSymbolParams], symbol: Symbol
) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        symbol.name or "?",
        _KINDS[symbol.kind],
        request.range(symbol.span),
        request.range(symbol.name_span),
        detail=symbol.detail or None,
        children=[_tree(request, each) for each in symbol.children],
    )


def _flat(symbols: Sequence[Symbol]) -> Iterator[Symbol]:
    for each in symbols:
        yield each
        yield from _flat(each.children)


def answer_all_symbols(
    request: EditorRequest[types.WorkspaceSymbolParams],
) -> list[types.WorkspaceSymbol]:
    """What all files of the workspace declare under a name like this."""
    return [
        types.WorkspaceSymbol(
            request.location(each.path, each.name_span),
            each.name,
            _KINDS[each.kind],
            container_name=each.detail or None,
        )
        for each in workspace_symbols(request.workspace, request.params.query)
    ]
