"""Texts in other languages that are missing, or older than what they translate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kbrules.diagnostics import Diagnostic, Label
from kbrules.library.texts import Original, Texts, missing, originals, stale, texts_folder, texts_in
from kbrules.text import Source, counted
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.authoring.texts import declarations_of

_LISTED = 6
Known = tuple[Path, Texts, dict[str, Original]]


@lint("KB770")
def missing_texts(subject: Subject) -> Iterator[Diagnostic]:
    """A file of texts that lacks some of what the box says."""
    for _, texts, originals_by_key in _translated(subject):
        missing_keys = [each.key for each in missing(texts, originals_by_key)]
        if missing_keys:
            more = (
                [f"and {len(missing_keys) - _LISTED} more"] if len(missing_keys) > _LISTED else []
            )
            message = f"{counted(len(missing_keys), 'text')} of the box not translated here"
            help = ", ".join([*(f"`{key}`" for key in missing_keys[:_LISTED]), *more])
            yield Diagnostic("KB770", texts.document.span_at(("format",), key=True), message, help)


@lint("KB771")
def stale_texts(subject: Subject) -> Iterator[Diagnostic]:
    """A text without the stamp of what the box says now."""
    for _, texts, originals_by_key in _translated(subject):
        for each, span in stale(texts, originals_by_key):
            stamped = each.key in texts.model.stamps
            why = "has changed since this was translated" if stamped else "has no stamp"
            label = Label(each.span, "what it translates")
            help = "if it still fits, or once it does: `kbrules texts --stamp`"
            yield Diagnostic("KB771", span, f"`{each.key}` {why}", help, (label,))


def translated_sources(subject: Subject) -> list[Source]:
    """The files of texts of the selected boxes, in which comments may suppress warnings."""
    return [texts.document.source for _, texts, _ in _translated(subject)]


def _translated(subject: Subject) -> Iterator[Known]:
    """The files of texts of the selected boxes, which could be read."""
    reading = subject.loaded.reading
    if reading is None:
        return
    for box in subject.boxes:
        originals_by_key = None
        for path in texts_in(texts_folder(box)):
            texts, findings = reading.files.texts(path)
            if texts is not None and not findings:
                originals_by_key = originals_by_key or originals(
                    box, declarations_of(subject.loaded, box)
                )
                yield path, texts, originals_by_key
