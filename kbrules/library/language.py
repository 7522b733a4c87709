"""Whether boxes have good texts in the language in which they are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.boxes.box import Box
from kbrules.library.file_cache import FileCache
from kbrules.library.texts.files import texts_folder, texts_in
from kbrules.text import Span

__all__ = ["language_findings"]


def language_findings(files: FileCache, boxes: Iterable[Box]) -> list[Diagnostic]:
    """What is wrong with the texts of the language that is asked for, or that there are none."""
    language = files.language
    if not language:
        return []
    paths = [path for box in boxes for path in texts_in(texts_folder(box))]
    matching = [path for path in paths if path.stem == language]
    if matching:
        return [each for path in matching for each in files.texts(path)[1]]
    languages = sorted({path.stem for path in paths})
    help = (
        f"there is {', '.join(map(quoted, languages))}"
        if languages
        else "they have no texts at all"
    )
    message = f"the boxes have no texts in the language {quoted(language)}"
    return [Diagnostic("KB420", Span.none("language"), message, help)]
