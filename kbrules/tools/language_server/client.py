"""What a client can show and do, as it says when it begins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.capabilities import get_capability


@dataclass(frozen=True, slots=True)
class Client:
    """The capabilities that our answers depend on."""

    capabilities: types.ClientCapabilities

    def _has(self, name: str) -> bool:
        return bool(get_capability(self.capabilities, name, False))

    def _lists(self, name: str, value: Any) -> bool:
        return value in (get_capability(self.capabilities, name, None) or ())

    def markup(self, text: str, of: str = "hover.content_format") -> types.MarkupContent:
        """A page in Markdown, as such if the client shows it."""
        is_shown = self._lists(f"text_document.{of}", types.MarkupKind.Markdown)
        kind = types.MarkupKind.Markdown if is_shown else types.MarkupKind.PlainText
        return types.MarkupContent(kind, text)

    @property
    def takes_snippets(self) -> bool:
        """Whether a completion may have places to fill in."""
        return self._has("text_document.completion.completion_item.snippet_support")

    @property
    def keeps_indentation(self) -> bool:
        """Whether it can be told to leave the lines of a completion as they are."""
        name = "text_document.completion.completion_item.insert_text_mode_support.value_set"
        return self._lists(name, types.InsertTextMode.AsIs)

    @property
    def takes_symbol_trees(self) -> bool:
        """Whether symbols may have others in them."""
        return self._has("text_document.document_symbol.hierarchical_document_symbol_support")

    @property
    def takes_versioned_edits(self) -> bool:
        """Whether edits may say of which version of a text they are."""
        return self._has("workspace.workspace_edit.document_changes")

    @property
    def takes_edits(self) -> bool:
        """Whether it can be asked to make edits."""
        return self._has("workspace.apply_edit")

    @property
    def makes_files(self) -> bool:
        """Whether edits may make a file."""
        name = "workspace.workspace_edit.resource_operations"
        return self._lists(name, types.ResourceOperationKind.Create)

    @property
    def watches_files(self) -> bool:
        """Whether it can be asked to tell of files that change."""
        return self._has("workspace.did_change_watched_files.dynamic_registration")

    @property
    def shows_documents(self) -> bool:
        """Whether it can be asked to show a file or a page."""
        return self._has("window.show_document.support")

    @property
    def shows_progress(self) -> bool:
        """Whether we may tell of progress that it did not ask for."""
        return self._has("window.work_done_progress")

    @property
    def refreshes_lenses(self) -> bool:
        """Whether it can be asked to ask for the lenses anew."""
        return self._has("workspace.code_lens.refresh_support")

    @property
    def takes_related_places(self) -> bool:
        """Whether a finding may name other places."""
        return self._has("text_document.publish_diagnostics.related_information")
