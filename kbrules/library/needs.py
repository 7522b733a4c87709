"""Which boxes go with boxes and authors' folders: all they need, and no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from kbrules.library.boxes.box import shipped_boxes, usual_boxes
from kbrules.library.boxes.installed import box_file
from kbrules.library.file_cache import FileCache
from kbrules.library.resources import MANIFEST


def needed(files: FileCache, boxes: Iterable[str], folders: Sequence[Path]) -> list[str]:
    """The boxes to load by name, shipped or installed, sorted.

    The usual ones if somebody needs one that is not known.
    """
    named = [*boxes]
    own = {id for folder in folders for id in _id(files, folder / MANIFEST)}
    own -= {*shipped_boxes(), *named}  # to load such a box twice is a mistake, and is reported
    waiting = [*named, *(need for folder in folders for need in _needs(files, folder / MANIFEST))]
    found: set[str] = set()
    while waiting:
        id = waiting.pop()
        if id in own or id in found:
            continue
        try:
            manifest = box_file(id)
        except KeyError:
            return usual_boxes()
        found.add(id)
        waiting += _needs(files, manifest)
    return sorted(found)


def _needs(files: FileCache, manifest: Path) -> tuple[str, ...]:
    box, _ = files.box(manifest)
    return tuple(need.id for need in box.model.needed) if box else tuple(usual_boxes())


def _id(files: FileCache, manifest: Path) -> tuple[str, ...]:
    box, _ = files.box(manifest)
    return (box.id,) if box is not None else ()
