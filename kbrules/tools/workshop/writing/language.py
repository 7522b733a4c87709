"""What the language service knows of a place, as the page shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kbrules.diagnostics import Edit
from kbrules.tools.language_service.completing.completion import complete
from kbrules.tools.language_service.editing.actions import code_actions
from kbrules.tools.language_service.showing.hover import hover
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.workshop.writing.offsets import from_browser, place_of
from kbrules.tools.workshop.writing.working_copy import WorkingCopy

Entry = dict[str, Any]
MAX_PROPOSALS = 200  # proposals


class Language:
    """Hover, completion and actions in the files of a working copy. files: read once for all."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._workspace = Workspace([copy.root])
        self.files = self._workspace.files

    def changed(self, names: Iterable[str]) -> None:
        """Files have other texts now."""
        self._workspace.changed_on_disk([self._copy.root / name for name in names])

    def hover(self, name: str, at: int) -> Entry:
        """What is known of the word at a place, in Markdown; empty if nothing is."""
        path = self._copy.path(name)
        found = hover(self._workspace, path, self._offset(name, at))
        if found is None:
            return {}
        start, end = place_of(found.span)
        return {"from": start, "to": end, "markdown": found.markdown}

    def complete(self, name: str, at: int) -> Entry:
        """What may be written at a place, best first; all of it takes the place of one word."""
        path = self._copy.path(name)
        proposals_ = complete(self._workspace, path, self._offset(name, at))
        if not proposals_:
            return {"from": at, "proposals": []}
        place = place_of(proposals_[0].span)
        at_place = [each for each in proposals_ if place_of(each.span) == place][:MAX_PROPOSALS]
        proposals = [
            {
                "label": each.label,
                "kind": each.kind,
                "text": each.text,
                "detail": each.detail,
                "markdown": each.markdown,
            }
            for each in at_place
        ]
        return {"from": place[0], "proposals": proposals}

    def actions(self, name: str, at: int) -> list[Entry]:
        """What can be done at a place, each with its edits by file."""
        offset = self._offset(name, at)
        return [
            {"title": each.title, "edits": [*self._edits(each.edits.values())]}
            for each in code_actions(self._workspace, self._copy.path(name), offset, offset)
        ]

    def syntax(self, name: str) -> list[Any]:
        """What is wrong with a file by itself."""
        return list(self._workspace.syntax(self._copy.path(name)))

    def _edits(self, all_edits: Iterable[Iterable[Edit]]) -> Iterable[Entry]:
        for edits in all_edits:
            for edit in edits:
                path = self._workspace.path_of(edit.span)
                if not path.is_relative_to(self._copy.root):
                    continue
                start, end = place_of(edit.span)
                name = path.relative_to(self._copy.root).as_posix()
                yield {"path": name, "from": start, "to": end, "text": edit.text}

    def _offset(self, name: str, at: int) -> int:
        return from_browser(self._workspace.text(self._copy.path(name)), at)
