"""One language service: requests by name about texts being edited, answered in plain values.

It has no threads and no clock, and knows no protocol: the language server and the workshop hand
over requests, and convert places at the rim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from kbrules.tools.language_service import answers, editing, examples, navigating, showing
from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.workspace import Findings, Workspace

Params = Mapping[str, Any]
Found = dict[str, tuple[answers.Finding, ...]]


def never() -> bool:
    """Return that a request is still wanted."""
    return False


class Service:
    """Answers requests about the texts of a workspace.

    A request names a file by its path, and a place in it by an offset. Nothing here raises for any
    text; what cannot be answered is Refused.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace

    @property
    def methods(self) -> frozenset[str]:
        """The names of the requests."""
        return frozenset({*_METHODS, "lints"})

    def answer(self, method: str, params: Params, cancelled: Callable[[], bool] = never) -> Any:
        """Return the answer to a request. Raises Refused, and Cancelled if `cancelled` says so."""
        if method == "lints":
            return _by_file(self.workspace, self.workspace.lints(_file(params), cancelled))
        if method not in _METHODS:
            raise answers.Refused(
                f"there is no method `{method[:40]}`", ", ".join(sorted(self.methods))
            )
        find, *readers = _METHODS[method]
        return find(self.workspace, *(read(params) for read in readers))


# What is read of a request.


def _file(params: Params) -> Path:
    return Path(answers.text_of(params, "file"))


def _files(params: Params) -> list[Path]:
    return [Path(str(each)) for each in answers.value_of(params, "files", list, [])]


def _text(name: str) -> Callable[[Params], str]:
    return lambda params: answers.text_of(params, name)


def _number(name: str) -> Callable[[Params], int]:
    return lambda params: answers.value_of(params, name, int, 0)


def _if_named(name: str, read: Callable[[Params], Any]) -> Callable[[Params], Any]:
    return lambda params: read(params) if name in params else None


_AT = _file, _number("at")
_RANGE = _file, _number("start"), _number("end")
_CASE = _file, _if_named("at", _number("at")), _if_named("case", _text("case"))


# Findings as plain values.


def _syntax(workspace: Workspace, path: Path) -> tuple[answers.Finding, ...]:
    return tuple(map(workspace.finding, workspace.syntax(path)))


def _by_file(workspace: Workspace, found: Findings) -> Found:
    return {str(path): tuple(map(workspace.finding, of)) for path, of in found.items()}


_METHODS: Mapping[str, tuple[Callable[..., Any], *tuple[Callable[[Params], Any], ...]]] = {
    # texts
    "open": (Workspace.open_text, _file, _text("text")), "close": (Workspace.close_text, _file),
    "changed": (Workspace.changed_on_disk, _files),
    # findings: of a file by itself, of the boxes of files, and of all there but scenarios
    "syntax": (_syntax, _file),
    "findings": (lambda here, files: _by_file(here, here.findings(*files)), _files),
    "names": (lambda here, files: _by_file(here, here.names(*files)), _files),
    # words
    "hover": (showing.hover, *_AT), "complete": (complete, *_AT),
    "signature": (showing.signature_at, *_AT),
    # places
    "definition": (navigating.definition, *_AT), "references": (navigating.references, *_AT),
    "renameable": (navigating.prepare_rename, *_AT),
    "rename": (navigating.rename, *_AT, _text("name")),
    "symbols": (navigating.document_symbols, _file),
    "all_symbols": (navigating.workspace_symbols, _text("query")),
    # looks
    "tokens": (showing.semantic_tokens, _file), "hints": (showing.inlay_hints, _file),
    "folding": (showing.folding, _file), "lenses": (showing.lenses, _file),
    "selection": (showing.selection_ranges, *_AT),
    # edits; those of some actions take long to work out
    "format": (editing.format_text, _file), "format_range": (editing.format_range, *_RANGE),
    "format_typed": (editing.format_on_type, *_AT), "actions": (editing.code_actions, *_RANGE),
    "action_edits": (editing.payment_scenario, _file, _text("card")),
    "draw": (
        examples.draw, _file, _number("example"), _text("hex"), _text("sign"), _text("origin"),
    ),
    # runs
    "run": (examples.run, *_CASE), "near": (examples.near, *_AT),
    "why": (examples.why_at, *_CASE, _text("hex")), "hexes": (examples.hexes_at, *_CASE),
    "board": (examples.board_of, *_CASE), "card": (examples.card_at, *_AT),
}  # fmt: skip
"""Of each request what answers it, and what is read of the request for that."""
