"""`kbrules.lock`: what boxes hold, as digests, and how what is loaded differs from it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.reading import read_source
from kbrules.library.validation import read_model
from kbrules.library.yaml import Document

if TYPE_CHECKING:
    from kbrules.library.models import LockFileModel


# What boxes hold, as digests: of each file, and of each declaration or key in it.
#
# Nothing in it depends on the machine: names of files are relative to the folder of the box, line
# ends are as the reader makes them, translations do not count.

SHARED = ""
"""In place of a box, for what belongs to none: definitions that all share."""
_FILE, _PART = 16, 4  # bytes of a digest
_HEAD = re.compile(r"([a-z_]+)(?: +([a-z0-9_]+))?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LockedFile:
    """The digest of a file, and those of its parts by their names, as `card mill` or `tiles`."""

    digest: str
    parts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LockedBox:
    """The version of a box, and its files by name."""

    version: str
    files: Mapping[str, LockedFile]

    @property
    def digest(self) -> str:
        """A name for all that it holds."""
        text = "".join(f"{name}\0{self.files[name].digest}\0" for name in sorted(self.files))
        return _digest(text, _FILE)


def contents_of(
    versions: Mapping[str, str], files: Iterable[tuple[str, str, str]]
) -> dict[str, LockedBox]:
    """Return the boxes, sorted, from their versions, and box, name and text of each file."""
    texts: dict[str, dict[str, str]] = {id: {} for id in sorted(versions)}
    for box, name, text in sorted(files):
        of_box, same = texts.setdefault(box, {}), normal(name)
        of_box[same] = of_box.get(same, "") + text  # two forms of one name are one file
    return {
        id: LockedBox(versions.get(id, ""), {name: locked_file(of[name]) for name in of})
        for id, of in texts.items()
    }


def normal(name: str) -> str:
    """Return a file name in the one form (NFC) in which names are compared.

    macOS and archives write letters with accents in two parts.
    """
    return unicodedata.normalize("NFC", name)


def locked_file(text: str) -> LockedFile:
    """The digests of a text and of the parts that begin at its left edge; comments are in none."""
    parts: dict[str, str] = {}
    for name, lines in _parts(text):
        parts[name] = parts.get(name, "") + lines
    digests = {name: _digest(parts[name], _PART) for name in sorted(parts)}
    return LockedFile(_digest(text, _FILE), digests)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    name = ""
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        head = _HEAD.match(line)
        if head is not None:
            name = " ".join(filter(None, head.groups()))
        yield name, f"{line.rstrip()}\n"


def _digest(text: str, size: int) -> str:
    return blake2b(text.encode(), digest_size=size).hexdigest()


# How what is loaded differs from what was locked, in words.

_LISTED = 12
_EMPTY = LockedBox("", {})


def differences(then: Mapping[str, LockedBox], now: Mapping[str, LockedBox]) -> list[str]:
    """Return a line for each difference, box by box; at most a dozen, and how many more."""
    found = [
        line
        for id in sorted({*then, *now})
        for line in _box_differences(id, then.get(id), now.get(id))
    ]
    more = len(found) - _LISTED
    return [*found[:_LISTED], f"and {more} more"] if more > 1 else found


def _box_differences(id: str, then: LockedBox | None, now: LockedBox | None) -> Iterator[str]:
    if id == SHARED:
        yield from _file_differences("(of no box)", then or _EMPTY, now or _EMPTY)
    elif now is None or then is None:
        there = now or then
        what = "was not there" if then is None else "is missing"
        yield f"{_name(id, there.version if there else '')} {what}"
    else:
        if then.version != now.version:
            versions = f"was {_version(then.version)}, now it is {_version(now.version)}"
            yield f"{_name(id)} {versions}"
        yield from _file_differences(f"of {_name(id, now.version)}", then, now)


def _name(id: str, version: str = "") -> str:
    return f"the box {quoted(id)} {version}".rstrip()


def _version(version: str) -> str:
    return f"version {version}" if version else "without a version"


def _file_differences(whose: str, then: LockedBox, now: LockedBox) -> Iterator[str]:
    for file in sorted({*then.files, *now.files}):
        yield from _differences_of_file(
            f"{quoted(file)} {whose}", then.files.get(file), now.files.get(file)
        )


def _differences_of_file(
    where: str, then: LockedFile | None, now: LockedFile | None
) -> Iterator[str]:
    if then is None or now is None:
        yield f"{where} {'is new' if then is None else 'is gone'}"
    elif then.digest[: len(now.digest)] != now.digest[: len(then.digest)]:
        changed = list(_part_differences(then, now))
        if then.parts and not changed:
            changed = ["only comments or blanks have changed"]
        yield f"{where}: {'; '.join(changed)}" if changed else f"{where} has changed"


def _part_differences(then: LockedFile, now: LockedFile) -> Iterator[str]:
    if not then.parts:
        return
    for name in sorted({*then.parts, *now.parts}):
        before, after = then.parts.get(name), now.parts.get(name)
        what = "is new" if before is None else "is gone" if after is None else "has changed"
        if before != after:
            yield f"{quoted(name)} {what}"


# The contents of boxes in few words, as logs and files of games have them: no parts of files.

_DIGITS = 8


def brief(contents: Mapping[str, LockedBox]) -> dict[str, Any]:
    """Values for JSON: for each box its version and the first digits of each digest of a file."""
    return {
        id: {
            "version": box.version,
            "files": {name: file.digest[:_DIGITS] for name, file in box.files.items()},
        }
        for id, box in contents.items()
    }


def is_brief(value: Any) -> bool:
    """Whether a value of JSON has that form, and tells of something."""
    return _is_table(value) and all(
        isinstance(box, dict)
        and box.keys() == {"version", "files"}
        and isinstance(box["version"], str)
        and _is_table(box["files"])
        and all(isinstance(digest, str) for digest in box["files"].values())
        for box in value.values()
    )


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and bool(value)


def read_brief(value: Any) -> dict[str, LockedBox]:
    """Return the boxes that such a value tells of; ValueError if it has another form."""
    if not is_brief(value):
        raise ValueError(value)
    boxes: dict[str, LockedBox] = {}
    for id, box in value.items():
        files = {normal(name): LockedFile(digest) for name, digest in box["files"].items()}
        boxes[id] = LockedBox(box["version"], files)
    return boxes


def differences_from(then: Any, now: Mapping[str, LockedBox]) -> list[str]:
    """Return how boxes differ from an earlier brief of them; nothing if that is of no use."""
    return differences(read_brief(then), now) if is_brief(then) else []


# `kbrules.lock`: the boxes of a rule set on disk, the same text on every machine.

LOCK = "kbrules.lock"
"""What the file is called."""
_SHARED = "shared"


def lock_text(contents: Mapping[str, LockedBox]) -> str:
    """Return the text of the file."""
    data: dict[str, Any] = {"format": 1, "boxes": {}}
    for id, box in contents.items():
        files = {
            name: {"digest": file.digest, "parts": dict(file.parts)}
            for name, file in box.files.items()
        }
        if id == SHARED:
            data[_SHARED] = files
        else:
            version = {"version": box.version} if box.version else {}
            fixed = {"language": 1, "digest": box.digest, "files": files}
            data["boxes"][id] = {**version, **fixed}
    return json.dumps(data, indent=2, sort_keys=True) + "\n"


def read_lock(path: Path) -> tuple[dict[str, LockedBox] | None, list[Diagnostic]]:
    """Return what a file says, or everything that is wrong with it."""
    from kbrules.library.models import LockFileModel  # slow to load

    read, found = read_model(*read_source(path), LockFileModel)  # JSON is YAML, too
    if read is None or found:
        return None, found
    model, document = read
    boxes = {id: LockedBox(box.version, _read_files(box.files)) for id, box in model.boxes.items()}
    shared = {SHARED: LockedBox("", _read_files(model.shared))} if model.shared else {}
    contents = shared | boxes
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


def _read_files(files: Mapping[str, Any]) -> dict[str, LockedFile]:
    return {normal(name): LockedFile(file.digest, file.parts) for name, file in files.items()}
