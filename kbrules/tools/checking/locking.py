"""Whether the boxes that are here are those of a lock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.boxes.installed import boxes_by_name
from kbrules.library.load import check_all
from kbrules.library.locks.contents import SHARED
from kbrules.library.locks.differences import differences
from kbrules.library.locks.file import LOCK, read_lock
from kbrules.library.resources import MANIFEST
from kbrules.text import Span

__all__ = ["lock_in", "unlike_lock"]


def lock_in(folder: Path) -> Path:
    """Where the lock of a folder lies, whether it is there or not."""
    return folder / LOCK


def unlike_lock(path: Path, folders: Sequence[Path]) -> list[Diagnostic]:
    """A finding with every difference between a lock and what is here, or why that is not known.

    Of the boxes of the lock, one that lies in a folder is taken from there: the folder of the
    lock, or one of those given.
    """
    locked, found = read_lock(path)
    if locked is None:
        return found
    home = [path.parent] if (path.parent / MANIFEST).is_file() else []
    homes = list({folder.resolve(): folder for folder in [*home, *folders]}.values())
    names = boxes_by_name([id for id in locked if id != SHARED], homes)
    ruleset, wrong = check_all(names, homes)
    if ruleset is None or wrong:
        return wrong
    lines = differences(locked, ruleset.contents)
    if not lines:
        return []
    message = f"the boxes are not those of {quoted(path.as_posix())}"
    help = "\n".join([*lines, "`kbrules lock` locks what is here now"])
    return [Diagnostic("KB419", Span.none(path.as_posix()), message, help)]
