"""One language service: requests by name about texts being edited, answered in plain values.

It has no threads and no clock, and knows no protocol: the language server and the workshop hand
over requests, and convert places at the rim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.scenario.running import Case
from kbrules.tools.language_service import answers, editing, examples, navigating, showing
from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.workspace import Workspace

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
        self._methods: dict[str, Callable[[Params], Any]] = {
            # texts
            "open": self._open, "close": self._close, "changed": self._changed,
            # findings
            "syntax": self._syntax, "names": self._names, "findings": self._findings,
            # words
            "hover": self._at(showing.hover), "complete": self._at(complete),
            "signature": self._at(showing.signature_at),
            # places
            "definition": self._at(navigating.definition),
            "references": self._at(navigating.references),
            "renameable": self._at(navigating.prepare_rename), "rename": self._rename,
            "symbols": self._of(navigating.document_symbols), "all_symbols": self._all_symbols,
            # looks
            "tokens": self._of(showing.semantic_tokens), "hints": self._of(showing.inlay_hints),
            "folding": self._of(showing.folding), "lenses": self._of(showing.lenses),
            "selection": self._at(showing.selection_ranges),
            # edits
            "format": self._of(editing.format_text), "format_range": self._format_range,
            "format_typed": self._at(editing.format_on_type), "actions": self._actions,
            "action_edits": self._action_edits, "draw": self._draw,
            # runs
            "run": self._run, "near": self._near, "why": self._why, "hexes": self._hexes,
            "board": self._board, "card": self._card,
        }  # fmt: skip

    @property
    def methods(self) -> frozenset[str]:
        """The names of the requests."""
        return frozenset({*self._methods, "lints"})

    def answer(self, method: str, params: Params, cancelled: Callable[[], bool] = never) -> Any:
        """Return the answer to a request. Raises Refused, and Cancelled if `cancelled` says so."""
        if method == "lints":
            found = self.workspace.lints(_file(params), cancelled)
            return self._by_file(found)
        if method not in self._methods:
            raise answers.Refused(
                f"there is no method `{method[:40]}`", ", ".join(sorted(self.methods))
            )
        return self._methods[method](params)

    def _at(self, ask: Callable[[Workspace, Path, int], Any]) -> Callable[[Params], Any]:
        return lambda params: ask(self.workspace, _file(params), _offset(params))

    def _of(self, ask: Callable[[Workspace, Path], Any]) -> Callable[[Params], Any]:
        return lambda params: ask(self.workspace, _file(params))

    # Texts and findings

    def _open(self, params: Params) -> None:
        """From now on a file has this text; also for each later change."""
        self.workspace.open_text(_file(params), answers.text_of(params, "text"))

    def _close(self, params: Params) -> None:
        """From now on a file has the text that it has on disk."""
        self.workspace.close_text(_file(params))

    def _changed(self, params: Params) -> None:
        """Files were written, created, deleted or renamed on disk."""
        self.workspace.changed_on_disk(_files(params))

    def _syntax(self, params: Params) -> tuple[answers.Finding, ...]:
        """Return what is wrong with a file by itself."""
        return self._plain(self.workspace.syntax(_file(params)))

    def _findings(self, params: Params) -> Found:
        """Return what is wrong with all files of the boxes of some files, by file."""
        return self._by_file(self.workspace.findings(*_files(params)))

    def _names(self, params: Params) -> Found:
        """Return the same of all files but scenarios, which takes half the time."""
        return self._by_file(self.workspace.names(*_files(params)))

    def _by_file(self, found: Mapping[Path, Iterable[Diagnostic]]) -> Found:
        return {str(path): self._plain(of) for path, of in found.items()}

    def _plain(self, found: Iterable[Diagnostic]) -> tuple[answers.Finding, ...]:
        return tuple(map(self.workspace.finding, found))

    # Places and edits

    def _rename(self, params: Params) -> tuple[answers.TextEdit, ...]:
        name = answers.text_of(params, "name")
        return navigating.rename(self.workspace, _file(params), _offset(params), name)

    def _all_symbols(self, params: Params) -> tuple[answers.Symbol, ...]:
        return navigating.workspace_symbols(self.workspace, answers.text_of(params, "query"))

    def _format_range(self, params: Params) -> tuple[answers.TextEdit, ...]:
        return editing.format_range(self.workspace, _file(params), *_range(params))

    def _actions(self, params: Params) -> tuple[answers.CodeAction, ...]:
        return editing.code_actions(self.workspace, _file(params), *_range(params))

    def _action_edits(self, params: Params) -> tuple[answers.TextEdit, ...]:
        """Return the edits of an action that take long to work out."""
        return editing.payment_scenario(
            self.workspace, _file(params), answers.text_of(params, "card")
        )

    def _draw(self, params: Params) -> tuple[answers.TextEdit, ...]:
        example = answers.value_of(params, "example", int, 0)
        words = (answers.text_of(params, name) for name in ("hex", "sign", "origin"))
        return examples.draw(self.workspace, _file(params), example, *words)

    # Examples and scenarios

    def _run(self, params: Params) -> tuple[answers.ExampleResult, ...]:
        """Return what came of the examples and scenarios of a file, or of one of them."""
        examples.cases_of(self.workspace, _file(params))
        found = self.workspace.examples(_file(params))
        if "case" not in params and "at" not in params:
            return found
        wanted = self._case(params).id
        return tuple(each for each in found if each.id == wanted)

    def _near(self, params: Params) -> examples.Nearby:
        return examples.near(self.workspace, _file(params), _offset(params))

    def _why(self, params: Params) -> str:
        return examples.why_at(self._case(params), answers.text_of(params, "hex"))

    def _hexes(self, params: Params) -> list[str]:
        return examples.hexes_at(self._case(params))

    def _board(self, params: Params) -> examples.Board:
        return examples.board_of(self._case(params))

    def _card(self, params: Params) -> str:
        return examples.card_at(self.workspace, _file(params), _offset(params))

    def _case(self, params: Params) -> Case:
        at = _offset(params) if "at" in params else None
        return examples.case_at(self.workspace, _file(params), at, answers.text_of(params, "case"))


def _file(params: Params) -> Path:
    return Path(answers.text_of(params, "file"))


def _files(params: Params) -> list[Path]:
    return [Path(str(each)) for each in answers.value_of(params, "files", list, [])]


def _offset(params: Params) -> int:
    return answers.value_of(params, "at", int, 0)


def _range(params: Params) -> tuple[int, int]:
    return answers.value_of(params, "start", int, 0), answers.value_of(params, "end", int, 0)
