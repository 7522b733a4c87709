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

__all__ = ["lock_differences", "lock_in"]

_NO_LOCK = "`kbrules lock` writes it; it lies in the folder of your expansion, or where you are"


def lock_in(folder: Path) -> Path:
    """Where the lock of a folder lies, whether it is there or not."""
    return folder / LOCK


def lock_differences(
    path: Path, folders: Sequence[Path], boxes: Sequence[str] = ()
) -> list[Diagnostic]:
    """A finding with every difference between a lock and what is here, or why that is not known.

    Of the boxes of the lock, one that lies in a folder is taken from there: the folder of the
    lock, or one of those given. boxes: names of others that must be in the lock, too.
    """
    if not path.exists():
        message = f"{quoted(path.as_posix())} does not exist"
        return [Diagnostic("KB001", Span.none(path.as_posix()), message, _NO_LOCK)]
    locked, findings = read_lock(path)
    if locked is None:
        return findings
    lock_folder = [path.parent] if (path.parent / MANIFEST).is_file() else []
    all_folders = list({folder.resolve(): folder for folder in [*lock_folder, *folders]}.values())
    ids = {id for id in [*locked, *boxes] if id != SHARED}
    names = boxes_by_name(sorted(ids), all_folders)
    ruleset, findings = check_all(names, all_folders)
    if ruleset is None or findings:
        return findings
    lines = differences(locked, ruleset.contents)
    if not lines:
        return []
    message = f"the boxes are not those of {quoted(path.as_posix())}"
    help = "\n".join([*lines, "`kbrules lock` locks what is here now"])
    return [Diagnostic("KB419", Span.none(path.as_posix()), message, help)]
