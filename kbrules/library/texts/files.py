"""Where the texts of a box lie, by language, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic
from kbrules.library.boxes.box import Box
from kbrules.library.discovery import files_in
from kbrules.library.reading import read_source
from kbrules.library.resources import MANIFEST, TEXTS, author_folder, data_root, real_path
from kbrules.library.validation import validate
from kbrules.library.yaml import Document, read_yaml
from kbrules.text import Source

if TYPE_CHECKING:
    from kbrules.library.texts.models import TextsFile

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Z]{2})?")


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """What a file of texts says, and where."""

    model: TextsFile
    document: Document


def is_language(text: str) -> bool:
    """Whether a text is a language as files are called, such as `de` or `pt-BR`."""
    return _LANGUAGE.fullmatch(text) is not None


def texts_folder(box: Box) -> Path:
    """Where the texts of a box lie, if it has any."""
    if Path(box.document.source.name).name == MANIFEST:
        return box.folder / TEXTS
    return box.folder / TEXTS / box.id


def folder_of_file(file: Path) -> Path | None:
    """Where the texts for a rule file lie; None for one that belongs to no box."""
    home = author_folder(file)
    if home is not None:
        return home / TEXTS
    root = real_path(data_root("rules"))
    real = real_path(file)
    if not real.is_relative_to(root) or real.parent == root:
        return None
    return data_root("expansions") / TEXTS / real.relative_to(root).parts[0]


def texts_in(folder: Path) -> Iterator[Path]:
    """The files of texts in such a folder, sorted."""
    yield from files_in(folder, ".yaml")


def read_texts(path: Path) -> tuple[Texts | None, list[Diagnostic]]:
    """The texts in a file and all that is wrong with it; none if it is of no use."""
    return texts_of(*read_source(path))


def texts_of(
    source: Source | None, found: list[Diagnostic]
) -> tuple[Texts | None, list[Diagnostic]]:
    """The same of a text that has been read, with what was wrong in reading it."""
    if source is None:
        return None, found
    document, more = read_yaml(source)
    found = [*found, *more]
    if document is None:
        return None, found
    from kbrules.library.texts.models import TextsFile  # slow to load

    model, more = validate(document, TextsFile)
    return (None if model is None else Texts(model, document)), sorted(found + more)
