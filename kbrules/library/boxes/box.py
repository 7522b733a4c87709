"""Boxes: an expansion's data file, read and checked by itself.

What a box says about another box is checked where boxes are put together, in `catalog`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic
from kbrules.library.boards.drawing_source import DrawingSource
from kbrules.library.reading import read_source
from kbrules.library.resources import data_root
from kbrules.library.validation import validate
from kbrules.library.yaml import Document, Loc, read_yaml
from kbrules.text import Source, Span

if TYPE_CHECKING:
    from kbrules.library.models import Expansion

# To read whole manifests only to find which are meant would take longer than to load most of them.
_APART = re.compile(r"^kind: *(edition|variant)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Box:
    """What a data file says, where it says so, and the folder it lies in."""

    model: Expansion
    document: Document
    folder: Path
    _drawn: dict[Loc, DrawingSource] = field(default_factory=dict, compare=False, repr=False)

    @property
    def id(self) -> str:
        """The name of the box for programs and rules."""
        return self.model.id

    def span(self, *loc: str | int) -> Span:
        """Where the value of a key, or an entry of a list, is written."""
        return self.document.span_at(loc)

    def key(self, *loc: str | int) -> Span:
        """Where a key is written."""
        return self.document.span_at(loc, key=True)

    def drawn(self, *loc: str | int) -> DrawingSource:
        """A drawing in it, read once for all tables that it lies on."""
        if loc not in self._drawn:
            self._drawn[loc] = DrawingSource.at(self.document, loc)
        return self._drawn[loc]


def read_box(path: Path) -> tuple[Box | None, list[Diagnostic]]:
    """The box in a data file and all that is wrong with the file; no box if it is of no use."""
    return box_in(*read_source(path), path.parent)


def box_in(
    source: Source | None, found: list[Diagnostic], folder: Path
) -> tuple[Box | None, list[Diagnostic]]:
    """The same of a text that was read, with what was found while it was; none if there is none."""
    if source is None:
        return None, found
    document, more = read_yaml(source)
    found = found + more
    if document is None:
        return None, found
    from kbrules.library.models import Expansion  # slow to load, and not needed to play

    model, more = validate(document, Expansion)
    box = None if model is None else Box(model, document, folder)
    return box, sorted(found + more)


def shipped_boxes() -> list[str]:
    """The ids of the boxes that come with the engine, sorted."""
    names = os.listdir(data_root("expansions"))
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def usual_boxes() -> list[str]:
    """Those of them that are meant where none is named: no editions, no variants."""
    return [id for id in shipped_boxes() if not _APART.search(_text(id))]


def shipped_in(file: Path) -> str:
    """The id of the shipped box that one of its files (data, rules, texts) belongs to; or empty."""
    is_data = file.suffix == ".yaml" and file.parent.name == "expansions"
    id = file.stem if is_data else file.parent.name
    return id if id in shipped_boxes() else ""


def _text(id: str) -> str:
    return shipped_box(id).read_text(encoding="utf-8")


def shipped_box(id: str) -> Path:
    """The data file of a box that comes with the engine; KeyError if there is none of that id."""
    if id not in shipped_boxes():
        raise KeyError(id)
    return data_root("expansions") / f"{id}.yaml"
