"""Which shipped boxes go with boxes and authors' folders: all they need, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from kbrules.library.boxes.box import shipped_box, shipped_boxes, usual_boxes
from kbrules.library.file_cache import FileCache
from kbrules.library.resources import MANIFEST

__all__ = ["needed"]


def needed(files: FileCache, boxes: Iterable[str], folders: Sequence[Path]) -> list[str]:
    """The shipped boxes to load, sorted; the usual ones if somebody needs one that is not known."""
    shipped = shipped_boxes()
    own = {id for folder in folders for id in _id(files, folder / MANIFEST)}
    waiting = [*boxes, *(need for folder in folders for need in _needs(files, folder / MANIFEST))]
    found: set[str] = set()
    while waiting:
        id = waiting.pop()
        if id not in shipped and id not in own:
            return usual_boxes()
        if id in shipped and id not in found:
            found.add(id)
            waiting += _needs(files, shipped_box(id))
    return sorted(found)


def _needs(files: FileCache, manifest: Path) -> tuple[str, ...]:
    box, _ = files.box(manifest)
    return box.model.needs if box is not None else tuple(usual_boxes())


def _id(files: FileCache, manifest: Path) -> tuple[str, ...]:
    box, _ = files.box(manifest)
    return (box.id,) if box is not None else ()
