"""The requests that the server answers, each with what answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from lsprotocol import types

from kbrules.lang.typed import Sort
from kbrules.tools.editors.highlight import TokenKind
from kbrules.tools.language_server.commands import CommandName
from kbrules.tools.language_server.documents import SOURCE, common_start
from kbrules.tools.language_server.server import Server, answered
from kbrules.tools.language_server.session import Can, EditorRequest, Urgency
from kbrules.tools.language_service import answers

# What can be done at a place: edits that mend findings, and lenses that run commands.


Kind = types.CodeActionKind


def answer_actions(request: EditorRequest[types.CodeActionParams]) -> list[types.CodeAction]:
    """What can be done with what lies in a range, those that mend something first."""
    start, end = request.document.lines.offsets(request.params.range)
    found: Sequence[answers.CodeAction] = request.ask("actions", start=start, end=end)
    wanted = request.params.context.only
    able = request.client.can(Can.MAKE_FILES)
    actions = [
        _action(request, each)
        for each in found
        if able or not request.made_by(Path(edit.place.file) for edit in each.edits)
    ]
    return [each for each in actions if wanted is None or _is_of(each.kind or "", wanted)]


def _is_of(kind: str, wanted: Sequence[types.CodeActionKind | str]) -> bool:
    """Whether a kind is one of some, or under one of them."""
    names = (each.value if isinstance(each, types.CodeActionKind) else each for each in wanted)
    return any(not name or f"{kind}.".startswith(f"{name}.") for name in names)


def _action(
    request: EditorRequest[types.CodeActionParams], action: answers.CodeAction
) -> types.CodeAction:
    mended = [
        each
        for each in request.params.context.diagnostics
        if each.source == SOURCE and each.code in action.codes
    ]
    named = [request.params.text_document.uri, action.payment_of]
    later = types.Command(action.title, CommandName.EXAMPLE.value, None, named)
    return types.CodeAction(
        action.title,
        kind=(Kind.QuickFix if action.is_fix else Kind.Refactor).value,
        diagnostics=mended or None,
        is_preferred=action.is_preferred or None,
        edit=request.workspace_edit(action.edits) if action.edits else None,
        command=later if action.payment_of else None,
    )


def answer_lenses(request: EditorRequest[types.CodeLensParams]) -> list[types.CodeLens]:
    """What stands above examples, scenarios and cards, with what can be run there."""
    found: Sequence[answers.Lens] = request.ask("lenses")
    return [lens for each in found for lens in _lenses(request, each)]


def _lenses(
    request: EditorRequest[types.CodeLensParams], lens: answers.Lens
) -> Iterator[types.CodeLens]:
    """What came of it, and what else can be asked of it."""
    of = request.range(lens.place)
    uri = request.params.text_document.uri
    first = CommandName.TEST if lens.test else CommandName.BALANCE
    named = [uri, lens.test or lens.card]
    yield types.CodeLens(of, types.Command(lens.title, first.value, None, named))
    for name, title in _ASKED_OF_TESTS.items() if lens.test else ():
        yield types.CodeLens(of, types.Command(title, name.value, None, named))


_ASKED_OF_TESTS = {CommandName.WHY: "Why here", CommandName.BOARD: "Open the board"}


# The colours of a text that know more than patterns do, and hints that are not in the text.


Types = types.SemanticTokenTypes
TOKEN_TYPES: dict[str, Types] = {
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
_COLOURS: dict[str, Types] = {
    **dict.fromkeys(Sort, Types.EnumMember),
    **dict.fromkeys((Sort.NUMBER, Sort.TRUTH, Sort.HEXES), Types.Variable),
    **TOKEN_TYPES,
}
"""The same by what the service says: a name whose sort is known is a thing or a variable."""
_TYPES = [*dict.fromkeys([*TOKEN_TYPES.values(), Types.EnumMember])]
LEGEND = types.SemanticTokensLegend(
    [kind.value for kind in _TYPES], [types.SemanticTokenModifiers.Declaration.value]
)
_NUMBERS = count(1)


def answer_tokens(request: EditorRequest[types.SemanticTokensParams]) -> types.SemanticTokens:
    """The tokens of a whole text."""
    data = _data(request, request.ask("tokens"))
    return types.SemanticTokens(data, _cached(request, data))


def answer_tokens_of_range(
    request: EditorRequest[types.SemanticTokensRangeParams],
) -> types.SemanticTokens:
    """The tokens of the lines that are shown."""
    start, end = request.document.lines.lines(request.params.range)
    found: Sequence[answers.SemanticToken] = request.ask("tokens")
    inside = [each for each in found if start <= each.start and each.end <= end]
    return types.SemanticTokens(_data(request, inside))


def answer_changed_tokens(
    request: EditorRequest[types.SemanticTokensDeltaParams],
) -> types.SemanticTokens | types.SemanticTokensDelta:
    """What has changed in the tokens of a text since they were told."""
    cached = request.cache.tokens.get(request.path)
    data = _data(request, request.ask("tokens"))
    number = _cached(request, data)
    if cached is None or cached[0] != request.params.previous_result_id:
        return types.SemanticTokens(data, number)
    return types.SemanticTokensDelta([*_difference(cached[1], data)], number)


def _cached(request: EditorRequest[Any], data: list[int]) -> str:
    number = str(next(_NUMBERS))
    request.cache.tokens[request.path] = number, data
    return number


def _difference(old: list[int], new: list[int]) -> Iterator[types.SemanticTokensEdit]:
    """The one edit that makes a list of another; none if they are equal."""
    if old == new:
        return
    start = common_start(old, new)
    same = common_start(old[start:][::-1], new[start:][::-1])
    middle = new[start : len(new) - same]
    yield types.SemanticTokensEdit(start, len(old) - same - start, middle)


def _data(request: EditorRequest[Any], tokens: Sequence[answers.SemanticToken]) -> list[int]:
    """Five numbers for each token: lines and columns from the one before, length, type, marks."""
    lines, data = request.document.lines, list[int]()
    line, column = 0, 0
    for each in tokens:
        kind = _COLOURS.get(each.kind)
        if kind is None:
            continue
        start, end = lines.position(each.start), lines.position(each.end)
        before = column if start.line == line else 0
        length = end.character - start.character
        marks = int(each.is_declaration)
        data += [start.line - line, start.character - before, length, _TYPES.index(kind), marks]
        line, column = start.line, start.character
    return data


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
        for each in request.ask("hints")
        if start <= each.offset <= end
    ]


# What belongs together in a text: lines that fold, selections that grow; and its one style.


def answer_folding(request: EditorRequest[types.FoldingRangeParams]) -> list[types.FoldingRange]:
    """The lines that can be hidden."""
    return [
        types.FoldingRange(
            each.first_line - 1,
            each.last_line - 1,
            kind=types.FoldingRangeKind.Comment if each.is_comment else None,
        )
        for each in request.ask("folding")
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
    *inner, whole = request.ask("selection", at=offset) or [(offset, offset)]
    found = types.SelectionRange(lines.range(*whole))
    for each in reversed(inner):
        found = types.SelectionRange(lines.range(*each), found)
    return found


def answer_format_range(
    request: EditorRequest[types.DocumentRangeFormattingParams],
) -> list[types.TextEdit]:
    """What gives the declarations in a range their one style."""
    start, end = request.document.lines.offsets(request.params.range)
    return request.text_edits(_styled(request, "format_range", start=start, end=end))


def _styled(request: EditorRequest[Any], method: str, **places: int) -> Sequence[answers.TextEdit]:
    """Return the edits of a style; none for a text that cannot be read, which editors save too."""
    try:
        found: Sequence[answers.TextEdit] = request.ask(method, **places)
    except answers.Refused:
        return ()
    return found


# Where something is: definitions, uses, new names, the symbols of a file and of all files.


_SYMBOL_KINDS = {
    answers.SymbolKind.RULE: types.SymbolKind.Class,
    answers.SymbolKind.DEFINE: types.SymbolKind.Function,
    answers.SymbolKind.STEPS: types.SymbolKind.Method,
    answers.SymbolKind.OPTION: types.SymbolKind.Boolean,
    answers.SymbolKind.MEMORY: types.SymbolKind.Variable,
    answers.SymbolKind.EXAMPLE: types.SymbolKind.Event,
    answers.SymbolKind.SCENARIO: types.SymbolKind.Event,
    answers.SymbolKind.TABLE: types.SymbolKind.Array,
    answers.SymbolKind.THING: types.SymbolKind.EnumMember,
}


def answer_references(request: EditorRequest[types.ReferenceParams]) -> list[types.Location]:
    """Where what stands at a place is used; with its declaration if that is wanted."""
    found: Sequence[answers.Place] = request.ask_here("references")
    if not request.params.context.include_declaration:
        declared = {*request.ask_here("definition")}
        found = [each for each in found if each not in declared]
    return [*map(request.location, found)]


def answer_prepare_rename(
    request: EditorRequest[types.PrepareRenameParams],
) -> types.PrepareRenamePlaceholder:
    """The name at a place that can have another. Raises Refused if it cannot."""
    place: answers.Place = request.ask_here("renameable")
    name = request.document.plain_text[place.start : place.end]
    return types.PrepareRenamePlaceholder(request.range(place), name)


def answer_symbols(
    request: EditorRequest[types.DocumentSymbolParams],
) -> list[types.DocumentSymbol] | list[types.SymbolInformation]:
    """What a file declares, as a tree if the client shows one."""
    found: Sequence[answers.Symbol] = request.ask("symbols")
    if request.client.can(Can.SHOW_SYMBOL_TREES):
        return [_tree(request, each) for each in found]
    return [
        types.SymbolInformation(request.location(each.place), each.name, _SYMBOL_KINDS[each.kind])
        for each in _flat(found)
    ]


def _tree(
    request: EditorRequest[types.DocumentSymbolParams], symbol: answers.Symbol
) -> types.DocumentSymbol:
    return types.DocumentSymbol(
        symbol.name or "?",
        _SYMBOL_KINDS[symbol.kind],
        request.range(symbol.place),
        request.range(symbol.name_place),
        detail=symbol.detail or None,
        children=[_tree(request, each) for each in symbol.children],
    )


def _flat(symbols: Sequence[answers.Symbol]) -> Iterator[answers.Symbol]:
    for each in symbols:
        yield each
        yield from _flat(each.children)


def answer_all_symbols(
    request: EditorRequest[types.WorkspaceSymbolParams],
) -> list[types.WorkspaceSymbol]:
    """What all files of the workspace declare under a name like this."""
    return [
        types.WorkspaceSymbol(
            request.location(each.name_place),
            each.name,
            _SYMBOL_KINDS[each.kind],
            container_name=each.detail or None,
        )
        for each in request.view.service.answer("all_symbols", {"query": request.params.query})
    ]


# What a word is, and which words fit: hover, completion, help with the arguments.


_SHORT = 120  # characters of a page that is sent with the proposal itself
_COMPLETION_KINDS = {
    answers.CompletionKind.WORD: types.CompletionItemKind.Function,
    answers.CompletionKind.STEP: types.CompletionItemKind.Method,
    answers.CompletionKind.KEYWORD: types.CompletionItemKind.Keyword,
    answers.CompletionKind.SORT: types.CompletionItemKind.Class,
    answers.CompletionKind.EVENT: types.CompletionItemKind.Event,
    answers.CompletionKind.VARIABLE: types.CompletionItemKind.Variable,
    answers.CompletionKind.DECLARED: types.CompletionItemKind.Reference,
    answers.CompletionKind.THING: types.CompletionItemKind.EnumMember,
    answers.CompletionKind.HEX: types.CompletionItemKind.Value,
    answers.CompletionKind.KEY: types.CompletionItemKind.Property,
    answers.CompletionKind.VALUE: types.CompletionItemKind.Value,
    answers.CompletionKind.SNIPPET: types.CompletionItemKind.Snippet,
}


def answer_hover(request: EditorRequest[types.HoverParams]) -> types.Hover | None:
    """The page of the word at a place."""
    found: answers.Hover | None = request.ask_here("hover")
    if found is None:
        return None
    return types.Hover(request.client.markup(found.markdown), request.range(found.place))


def answer_completion(request: EditorRequest[types.CompletionParams]) -> types.CompletionList:
    """What fits at a place, best first; long pages come when one is looked at."""
    found: answers.Completions = request.ask_here("complete")
    request.cache.pages.clear()
    place = request.range(found.place)
    items = [_item(request, each, number, place) for number, each in enumerate(found.proposals)]
    return types.CompletionList(is_incomplete=False, items=items)


def _item(
    request: EditorRequest[types.CompletionParams],
    each: answers.Completion,
    number: int,
    place: types.Range,
) -> types.CompletionItem:
    is_snippet = each.is_snippet and request.client.can(Can.TAKE_SNIPPETS)
    is_whole = each.kind is answers.CompletionKind.SNIPPET
    plain = each.plain_text if is_whole or not each.is_snippet else each.label
    item = types.CompletionItem(
        each.label,
        kind=_COMPLETION_KINDS[each.kind],
        detail=each.detail or None,
        sort_text=f"{number:05}",
        filter_text=each.label,
        text_edit=types.TextEdit(place, each.text if is_snippet else plain),
    )
    if is_snippet:
        item.insert_text_format = types.InsertTextFormat.Snippet
    if "\n" in each.text and request.client.can(Can.KEEP_INDENTATION):
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


def _page(request: EditorRequest[Any], text: str) -> types.MarkupContent:
    return request.client.markup(text, "completion.completion_item.documentation_format")


def answer_signature(
    request: EditorRequest[types.SignatureHelpParams],
) -> types.SignatureHelp | None:
    """The ways to write the word whose arguments are being written."""
    found: answers.SignatureHelp | None = request.ask_here("signature")
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


# The requests that the server answers, in one table.


Answer = Callable[[EditorRequest[Any]], Any]

REQUESTS: dict[str, tuple[Answer, Any]] = {
    types.TEXT_DOCUMENT_HOVER: (answer_hover, None),
    types.TEXT_DOCUMENT_COMPLETION: (
        answer_completion,
        types.CompletionOptions(
            trigger_characters=[".", ":", " ", "(", "|"], resolve_provider=True
        ),
    ),
    types.COMPLETION_ITEM_RESOLVE: (answer_page, None),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: (
        answer_signature,
        types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[","]),
    ),
    types.TEXT_DOCUMENT_DEFINITION: (
        lambda it: [*map(it.location, it.ask_here("definition"))],
        None,
    ),
    types.TEXT_DOCUMENT_REFERENCES: (answer_references, None),
    types.TEXT_DOCUMENT_PREPARE_RENAME: (answer_prepare_rename, None),
    types.TEXT_DOCUMENT_RENAME: (
        lambda it: it.workspace_edit(it.ask_here("rename", name=it.params.new_name)),
        None,
    ),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (answer_symbols, None),
    types.WORKSPACE_SYMBOL: (answer_all_symbols, None),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (answer_tokens, LEGEND),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: (answer_changed_tokens, None),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (answer_tokens_of_range, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (answer_hints, None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (answer_folding, None),
    types.TEXT_DOCUMENT_SELECTION_RANGE: (answer_selection, None),
    types.TEXT_DOCUMENT_FORMATTING: (lambda it: it.text_edits(_styled(it, "format")), None),
    types.TEXT_DOCUMENT_RANGE_FORMATTING: (answer_format_range, None),
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: (
        lambda it: it.text_edits(it.ask_here("format_typed")),
        types.DocumentOnTypeFormattingOptions(first_trigger_character="\n"),
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        answer_actions,
        types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor]),
    ),
    types.TEXT_DOCUMENT_CODE_LENS: (answer_lenses, None),
}
"""Of each request what answers it, and what the client is told of how to ask."""


def add_requests(server: Server) -> None:
    """Let a server answer all requests of the table."""
    for method, (answer, options) in REQUESTS.items():
        _add(server, method, answer, options)


def _add(server: Server, method: str, answer: Answer, options: Any) -> None:
    @server.feature(method, options)
    async def request(params: Any) -> Any:
        client, cache = server.client, server.cache
        found, _ = await answered(
            server.session.submit(
                Urgency.ANSWER, lambda view: answer(EditorRequest(params, view, client, cache))
            )
        )
        return found
