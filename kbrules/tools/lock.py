"""Which boxes a lock is about, and whether those that are here are those of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library import reading
from kbrules.library.box import boxes_by_name, read_box
from kbrules.library.discovery import boxes_at
from kbrules.library.load import check_all
from kbrules.library.locks import LOCK, SHARED, LockedBox, differences, read_lock
from kbrules.library.store import Files
from kbrules.scenario.unread import folders_of_one_id
from kbrules.text import Span

Contents = Mapping[str, LockedBox]
_NO_LOCK = "`kbrules lock` writes it; it lies in the folder of your expansion, or where you are"


def boxes_below(folder: Path) -> list[Path]:
    """Return the folders of an author's boxes in a folder, or of the one that it is in."""
    home = reading.author_folder(folder / reading.MANIFEST)
    return boxes_at(folder) if home is None else [home]


def contents_of_project(
    homes: Sequence[Path],
    boxes: Sequence[str] = (),
    folders: Sequence[Path] = (),
    files: Files | None = None,
) -> tuple[Contents, list[Diagnostic]]:
    """Return what the boxes of a project contain, and those named, each with what it needs.

    `homes` are the folders of the project's boxes. They need not go together: each is loaded with
    those of the project that it needs, and with the boxes and folders named. With mistakes in any
    of them there are only findings.
    """
    manifests = [home / reading.MANIFEST for home in _distinct([*homes, *folders])]
    if found := list(folders_of_one_id(manifests)):
        return {}, found
    groups = [_distinct([*folders, *_with_needs(home, homes)]) for home in homes]
    files, contents = files or Files(), dict[str, LockedBox]()
    for group in groups or [list(folders)]:
        ruleset, found = check_all(boxes, group, files=files)
        if ruleset is None or found:
            return {}, found
        contents |= ruleset.contents
    return dict(sorted(contents.items())), []


def _with_needs(home: Path, homes: Iterable[Path]) -> list[Path]:
    """Return the folder of a box, and those of the others that it needs."""
    needs = {each: _id_and_needs(each) for each in [home, *homes]}
    found = [home]
    for each in found:
        wanted = needs[each][1]
        found += [other for other in homes if needs[other][0] in wanted and other not in found]
    return found


def _id_and_needs(home: Path) -> tuple[str, Iterable[str]]:
    box, _ = read_box(home / reading.MANIFEST)
    return ("", ()) if box is None else (box.id, box.model.needs)


def _distinct(folders: Iterable[Path]) -> list[Path]:
    return list({reading.real_path(folder): folder for folder in folders}.values())


def lock_differences(
    paths: Sequence[Path], folders: Sequence[Path], boxes: Sequence[str] = ()
) -> list[Diagnostic]:
    """Return how the boxes of some paths differ from their locks, or why that is not known.

    Without paths, the box is that of the current folder. boxes, folders: others that must be in
    the lock, too.
    """
    homes = _distinct(home for path in paths or [Path()] for home in _homes(path, bool(paths)))
    by_lock: dict[Path, list[Path]] = {}
    for home in homes or [Path(paths[0]).parent if paths and paths[0].is_file() else Path()]:
        by_lock.setdefault(_lock_of(home), []).extend([home] if homes else [])
    return [
        finding
        for lock, theirs in by_lock.items()
        for finding in differences_from(lock, theirs, folders, boxes)
    ]


def _homes(path: Path, is_named: bool) -> list[Path]:
    """Return the folders of the boxes that a path selects."""
    if is_named and path.is_dir():
        return boxes_below(path)
    home = reading.author_folder(path if is_named else path / reading.MANIFEST)
    return [] if home is None else [home]


def _lock_of(folder: Path) -> Path:
    """Return the nearest lock upwards from a folder; that of the folder itself if there is none.

    The search ends at the root of a repository.
    """
    for above in islice(reading.folders_above(folder / LOCK), reading.DEEPEST):
        if os.path.lexists(above / LOCK):
            return Path(reading.shown_name(above / LOCK))
        if os.path.lexists(above / ".git"):
            break
    return folder / LOCK


def differences_from(
    path: Path,
    homes: Sequence[Path] = (),
    folders: Sequence[Path] = (),
    boxes: Sequence[str] = (),
) -> list[Diagnostic]:
    """Return how boxes differ from those of a lock; each of them must be in it."""
    if not path.exists():
        message = f"{quoted(path.as_posix())} does not exist"
        return [Diagnostic("KB001", Span.none(path.as_posix()), message, _NO_LOCK)]
    locked, findings = read_lock(path)
    if locked is None:
        return findings
    others = [e for e in boxes_below(path.parent) if _id_and_needs(e)[0] in locked]
    all_homes = _distinct([*homes, *others])
    ids = sorted({id for id in [*locked, *boxes] if id != SHARED})
    names = boxes_by_name(ids, [*all_homes, *folders])
    contents, findings = contents_of_project(all_homes, names, folders)
    if findings:
        return findings
    return list(_as_finding(path, differences(locked, contents)))


def _as_finding(path: Path, lines: Sequence[str]) -> Iterator[Diagnostic]:
    if lines:
        message = f"the boxes are not those of {quoted(path.as_posix())}"
        help = "\n".join([*lines, "`kbrules lock` locks what is here now"])
        yield Diagnostic("KB419", Span.none(path.as_posix()), message, help)
