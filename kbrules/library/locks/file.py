"""`kbrules.lock`: the boxes of a rule set on disk, the same text on every machine."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.locks.contents import SHARED, LockedBox, LockedFile, normal
from kbrules.library.reading import read_source
from kbrules.library.validation import validate
from kbrules.library.yaml import read_yaml

if TYPE_CHECKING:
    from kbrules.library.locks.models import LockFileModel
    from kbrules.library.yaml import Document

LOCK = "kbrules.lock"
"""What the file is called."""
_SHARED = "shared"


def lock_text(contents: Mapping[str, LockedBox]) -> str:
    """The text of the file."""
    shared = contents.get(SHARED)
    boxes = {id: _box(box) for id, box in contents.items() if id != SHARED}
    data: dict[str, Any] = {"format": 1, "boxes": boxes}
    if shared is not None:
        data[_SHARED] = _files(shared)
    return json.dumps(data, indent=2, sort_keys=True) + "\n"


def _box(box: LockedBox) -> dict[str, Any]:
    version = {"version": box.version} if box.version else {}
    return {**version, "language": box.language, "digest": box.digest, "files": _files(box)}


def _files(box: LockedBox) -> dict[str, Any]:
    return {
        name: {"digest": file.digest, "parts": dict(file.parts)} for name, file in box.files.items()
    }


def read_lock(path: Path) -> tuple[dict[str, LockedBox] | None, list[Diagnostic]]:
    """What a file says; or everything that is wrong with it."""
    source, found = read_source(path)
    if source is None:
        return None, found
    document, more = read_yaml(source)  # JSON is YAML, too
    found = found + more
    if document is None:
        return None, found
    from kbrules.library.locks.models import LockFileModel  # slow to load

    model, more = validate(document, LockFileModel)
    found += more
    if model is None or found:
        return None, sorted(found)
    contents = _contents(model)
    found = [*_false_digests(document, model, contents)]
    return (None if found else contents), found


def _false_digests(
    document: Document, model: LockFileModel, contents: Mapping[str, LockedBox]
) -> Iterator[Diagnostic]:
    """A finding for each box whose digest is not that of the files that are listed for it."""
    for id, box in model.boxes.items():
        if box.digest != contents[id].digest:
            message = f"this is not the digest of the files of {quoted(id)} that are listed here"
            span = document.span_at(("boxes", id, "digest"))
            yield Diagnostic("KB419", span, message, "`kbrules lock` writes the file anew")


def _contents(model: LockFileModel) -> dict[str, LockedBox]:
    found = {SHARED: LockedBox("", 1, _read(model.shared))} if model.shared else {}
    for id, box in model.boxes.items():
        found[id] = LockedBox(box.version, box.language, _read(box.files))
    return found


def _read(files: Mapping[str, Any]) -> dict[str, LockedFile]:
    return {normal(name): LockedFile(file.digest, file.parts) for name, file in files.items()}
