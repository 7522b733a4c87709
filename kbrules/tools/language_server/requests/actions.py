"""What can be done at a place: edits that mend findings, and lenses that run commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from kbrules.tools.language_server.commands.names import COMMANDS, CommandName
from kbrules.tools.language_server.editor_request import EditorRequest
from kbrules.tools.language_server.marks import SOURCE
from kbrules.tools.language_service.answers import CodeAction, Lens
from kbrules.tools.language_service.editing.actions import code_actions
from kbrules.tools.language_service.showing.lenses import lenses

Kind = types.CodeActionKind


def answer_actions(request: EditorRequest[types.CodeActionParams]) -> list[types.CodeAction]:
    """What can be done with what lies in a range, those that mend something first."""
    start, end = request.document.lines.offsets(request.params.range)
    found = code_actions(request.workspace, request.path, start, end)
    wanted = request.params.context.only
    able = request.client.makes_files
    actions = [_action(request, each) for each in found if able or not request.made_by(each.edits)]
    return [each for each in actions if wanted is None or _is_of(each.kind or "", wanted)]


def _is_of(kind: str, wanted: Sequence[types.CodeActionKind | str]) -> bool:
    """Whether a kind is one of some, or under one of them."""
    names = (each.value if isinstance(each, types.CodeActionKind) else each for each in wanted)
    return any(not name or f"{kind}.".startswith(f"{name}.") for name in names)


def _action(request: EditorRequest[types.CodeActionParams], action: CodeAction) -> types.CodeAction:
    codes = {finding.code for finding in action.findings}
    mended = [
        each
        for each in request.params.context.diagnostics
        if each.source == SOURCE and each.code in codes
    ]
    return types.CodeAction(
        action.title,
        kind=(Kind.QuickFix if action.is_fix else Kind.Refactor).value,
        diagnostics=mended or None,
        is_preferred=action.is_preferred or None,
        edit=request.workspace_edit(action.edits) if action.edits else None,
        command=_command(request, action) if action.payment_of else None,
    )


def _command(request: EditorRequest[types.CodeActionParams], action: CodeAction) -> types.Command:
    """What works out the edits of an action that takes long."""
    named = [request.params.text_document.uri, action.payment_of]
    return types.Command(action.title, CommandName.EXAMPLE.value, None, named)


def answer_lenses(request: EditorRequest[types.CodeLensParams]) -> list[types.CodeLens]:
    """What stands above examples, scenarios and cards, with what can be run there."""
    found = lenses(request.workspace, request.path)
    return [lens for each in found for lens in _lenses(request, each)]


def _lenses(request: EditorRequest[types.CodeLensParams], lens: Lens) -> Iterator[types.CodeLens]:
    """What came of it, and what else can be asked of it."""
    of = request.range(lens.span)
    uri = request.params.text_document.uri
    first = CommandName.TEST if lens.test else CommandName.BALANCE
    named = [uri, lens.test or lens.span.text]
    yield types.CodeLens(of, types.Command(lens.title, first.value, None, named))
    for name in (CommandName.WHY, CommandName.BOARD) if lens.test else ():
        command = types.Command(COMMANDS[name][0], name.value, None, named)
        yield types.CodeLens(of, command)
