"""The requests that the server answers, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lsprotocol import types

from kbrules.tools.language_server.editor_request import EditorRequest
from kbrules.tools.language_server.requests import actions, colours, outline, places, words
from kbrules.tools.language_server.server import Server

Answer = Callable[[EditorRequest[Any]], Any]

REQUESTS: dict[str, tuple[Answer, Any]] = {
    types.TEXT_DOCUMENT_HOVER: (words.answer_hover, None),
    types.TEXT_DOCUMENT_COMPLETION: (
        words.answer_completion,
        types.CompletionOptions(
            trigger_characters=[".", ":", " ", "(", "|"], resolve_provider=True
        ),
    ),
    types.COMPLETION_ITEM_RESOLVE: (words.answer_page, None),
    types.TEXT_DOCUMENT_SIGNATURE_HELP: (
        words.answer_signature,
        types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[","]),
    ),
    types.TEXT_DOCUMENT_DEFINITION: (places.answer_definition, None),
    types.TEXT_DOCUMENT_REFERENCES: (places.answer_references, None),
    types.TEXT_DOCUMENT_PREPARE_RENAME: (places.answer_rename, None),
    types.TEXT_DOCUMENT_RENAME: (places.answer_new_name, None),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (places.answer_symbols, None),
    types.WORKSPACE_SYMBOL: (places.answer_all_symbols, None),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (colours.answer_tokens, colours.LEGEND),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: (colours.answer_changed_tokens, None),
    types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: (colours.answer_tokens_of_range, None),
    types.TEXT_DOCUMENT_INLAY_HINT: (colours.answer_hints, None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (outline.answer_folding, None),
    types.TEXT_DOCUMENT_SELECTION_RANGE: (outline.answer_selection, None),
    types.TEXT_DOCUMENT_FORMATTING: (outline.answer_format, None),
    types.TEXT_DOCUMENT_RANGE_FORMATTING: (outline.answer_format_range, None),
    types.TEXT_DOCUMENT_ON_TYPE_FORMATTING: (
        outline.answer_typed,
        types.DocumentOnTypeFormattingOptions(first_trigger_character="\n"),
    ),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        actions.answer_actions,
        types.CodeActionOptions([types.CodeActionKind.QuickFix, types.CodeActionKind.Refactor]),
    ),
    types.TEXT_DOCUMENT_CODE_LENS: (actions.answer_lenses, None),
}
"""Of each request what answers it, and what the client is told of how to ask."""


def add_requests(server: Server) -> None:
    """Let a server answer all requests of the table."""
    for method, (answer, options) in REQUESTS.items():
        _add(server, method, answer, options)


def _add(server: Server, method: str, answer: Answer, options: Any) -> None:
    @server.feature(method, options)
    async def request(params: Any) -> Any:
        return await server.respond(answer, params)
