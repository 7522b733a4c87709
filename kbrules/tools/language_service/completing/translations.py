"""What a file of texts can translate: the things and rules of its box, by their ids."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.library.reading import real_path
from kbrules.library.texts import Original, originals, texts_folder
from kbrules.library.yaml import Loc
from kbrules.text import Span
from kbrules.tools.language_service.answers import Completion, CompletionKind
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.texts import declarations_of


def ids_to_translate(
    workspace: Workspace, path: Path, loc: Loc, word: Span, behind: str
) -> Iterator[Completion]:
    """The ids that may be keys in a table of a file of texts, each with what its box says."""
    for each in _originals(workspace, path):
        if loc == (each.table,) and each.id:
            yield Completion(
                each.id, CompletionKind.THING, word, each.id + behind, each.title, each.wording
            )


def _originals(workspace: Workspace, path: Path) -> Iterator[Original]:
    loaded, folder = workspace.last_loaded(path), real_path(path.parent)
    for box in loaded.boxes:
        if real_path(texts_folder(box)) == folder:
            yield from originals(box, declarations_of(loaded, box)).values()
