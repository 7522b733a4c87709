"""What boxes hold, as digests: of each file, and of each declaration or key in it.

Nothing in it depends on the machine: names of files are relative to the folder of the box, line
ends are as the reader makes them, translations do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

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
    """The version of a box, the number of its language, and its files by name."""

    version: str
    language: int
    files: Mapping[str, LockedFile]

    @property
    def digest(self) -> str:
        """A name for all that it holds."""
        text = "".join(f"{name}\0{self.files[name].digest}\0" for name in sorted(self.files))
        return _digest(text, _FILE)


def contents_of(
    boxes: Mapping[str, tuple[str, int]], files: Iterable[tuple[str, str, str]]
) -> dict[str, LockedBox]:
    """The boxes, sorted, from their versions and languages, and box, name and text of each file."""
    texts: dict[str, dict[str, str]] = {id: {} for id in sorted(boxes)}
    for box, name, text in sorted(files):
        of_box, same = texts.setdefault(box, {}), normal(name)
        of_box[same] = of_box.get(same, "") + text  # two forms of one name are one file
    return {
        id: LockedBox(*boxes.get(id, ("", 1)), {name: locked_file(of[name]) for name in of})
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
