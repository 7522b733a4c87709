"""What the language service knows of a place, as the page shows it."""

from __future__ import annotations

from typing import Any

from kbrules.tools.language_service.hover import hover
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.workshop.writing.offsets import from_browser, place_of
from kbrules.tools.workshop.writing.working_copy import WorkingCopy

__all__ = ["Language"]


class Language:
    """Hover and completion in the files of a working copy."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._workspace = Workspace([copy.root])

    def changed(self, names: list[str]) -> None:
        """Files have other texts now."""
        self._workspace.changed_on_disk([self._copy.root / name for name in names])

    def hover(self, name: str, at: int) -> dict[str, Any]:
        """What is known of the word at a place, in Markdown; empty if nothing is."""
        path = self._copy.path(name)
        found = hover(self._workspace, path, from_browser(self._workspace.text(path), at))
        if found is None:
            return {}
        start, end = place_of(found.span)
        return {"from": start, "to": end, "markdown": found.markdown}
