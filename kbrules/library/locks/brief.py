"""The contents of boxes in few words, as logs and files of games have them: no parts of files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbrules.library.locks.contents import LockedBox, LockedFile, normal
from kbrules.library.locks.differences import differences

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
    """The boxes that such a value tells of; ValueError if it has another form."""
    if not is_brief(value):
        raise ValueError(value)
    return _read(value)


def _read(value: Mapping[str, Any]) -> dict[str, LockedBox]:
    return {id: LockedBox(box["version"], 1, _files(box["files"])) for id, box in value.items()}


def _files(digests: Mapping[str, str]) -> dict[str, LockedFile]:
    return {normal(name): LockedFile(digest) for name, digest in digests.items()}


def differences_from(then: Any, now: Mapping[str, LockedBox]) -> list[str]:
    """How boxes differ from an earlier brief of them; nothing if that is of no use."""
    return differences(_read(then), _read(brief(now))) if is_brief(then) else []
