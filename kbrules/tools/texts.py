"""Texts of boxes in other languages: what is wrong with them, how far they are, their stamps."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules.hooks import with_progress
from kbrules.library import load, reading, store, texts as box_texts
from kbrules.text import Source, visible
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Lines, Report

_COMMENTS = re.compile(r"^(#.*\n|\n)+\Z", re.MULTILINE)  # those of what stands below


@dataclass(frozen=True, slots=True)
class TextsState:
    """A file of texts: how many texts there could be, and which are missing or not up to date."""

    box: str
    path: Path
    total: int
    missing: tuple[str, ...]
    stale: tuple[str, ...]
    stamps: dict[str, str]
    """What the stamps would be now, of the texts that there are."""


def texts_states(files: store.Files, loaded: load.Loaded) -> Iterator[TextsState]:
    """How far each file of texts is of the boxes that were loaded, those that can be read."""
    for box in with_progress(loaded.boxes, "boxes", files.on_progress):
        known = box_texts.originals(box, loaded.declarations)
        for path in box_texts.texts_in(box):
            texts, findings = files.texts(path)
            if texts is None or findings:
                continue
            absent = tuple(each.key for each in box_texts.missing(texts, known))
            old = tuple(each.key for each, _ in box_texts.stale(texts, known))
            stamps = {key: each.stamp for key, each in known.items() if key not in absent}
            yield TextsState(box.id, path, len(known), absent, old, stamps)


def stamp_texts(state: TextsState) -> bool:
    """Write the stamps into a file, at its end; whether that changed it.

    OSError if it cannot be written, ValueError if its keys do not stand one below the other.
    """
    from kbrules.engine.logs.writing import write_atomically  # the engine is not needed to check

    texts, _ = box_texts.texts_of(*reading.read_source(state.path))
    if texts is None:
        raise ValueError(state.path)
    lines = [f"  {key}: {json.dumps(value)}\n" for key, value in sorted(state.stamps.items())]
    after = _without_stamps(texts).rstrip("\n") + "\n\nstamps:\n" + "".join(lines)
    if not lines or after == texts.document.source.text:
        return False
    written, _ = box_texts.texts_of(Source(str(state.path), after), [])
    expected = texts.model.model_copy(update={"stamps": state.stamps})
    if written is None or written.model != expected:
        raise ValueError(state.path)
    write_atomically(state.path, [after])
    return True


def _without_stamps(texts: box_texts.Texts) -> str:
    """The text of a file without its stamps, and with all that stands around them."""
    text = texts.document.source.text
    keys = texts.model.model_fields_set
    starts = {key: texts.document.span_at((key,), key=True).start for key in keys}
    if "stamps" not in starts:
        return text
    begin = starts["stamps"]
    below = text[begin : min((at for at in starts.values() if at > begin), default=len(text))]
    comments = _COMMENTS.search(below)
    return text[:begin] + (comments[0] if comments is not None else "") + text[begin + len(below) :]


# The report of texts: how far each file is.


class TextsFileData(Part):
    """A file of texts."""

    box: str
    file: str
    texts: int
    """Texts that could be translated."""
    missing: tuple[str, ...]
    """Keys of texts that are not."""
    changed: tuple[str, ...]
    """Keys of texts whose original has changed, or which have no stamp."""
    stamped: bool
    """Whether this run wrote stamps into the file."""


class TextsData(Data):
    """What `kbrules texts` found."""

    files: tuple[TextsFileData, ...]


def texts_report(states: Sequence[TextsState], stamped: Sequence[bool] = ()) -> Report:
    """Return the report of files of texts; `stamped` says which were changed, if any were."""
    stamps: Sequence[bool | None] = stamped or [None] * len(states)
    files = [_file_data(*pair) for pair in zip(states, stamps, strict=True)]
    lines = [visible(_line(*pair)) for pair in zip(states, stamps, strict=True)]
    behind = any(each.missing or each.changed for each in files)
    data = TextsData(files=tuple(files))
    return Report("Texts", [Lines(tuple(lines))], data, exit_code=1 if behind else 0)


def _file_data(state: TextsState, stamped: bool | None) -> TextsFileData:
    return TextsFileData.from_value(
        state,
        file=state.path.as_posix(),
        texts=state.total,
        changed=state.stale if stamped is None else (),
        stamped=bool(stamped),
    )


def _line(state: TextsState, stamped: bool | None) -> str:
    """Say how far a file is, and whether it was stamped."""
    line = f"{state.box} {state.path.stem}: {state.total - len(state.missing)} of {state.total}"
    if stamped is not None:
        line += ", stamped" if stamped else ", stamped already"
    elif state.stale:
        line += f", changed or not stamped: {', '.join(state.stale)}"
    return line + (f", missing: {', '.join(state.missing)}" if state.missing else "")
