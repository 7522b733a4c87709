"""Which boxes a lock is about, and whether those that are here are those of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library import discovery, reading
from kbrules.library.box import boxes_by_name, read_box
from kbrules.library.locks import LOCK, SHARED, LockedBox, differences, read_lock
from kbrules.project.project import Project
from kbrules.scenario.unread import folders_of_one_id
from kbrules.text import Span, visible
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Lines, Report

Contents = Mapping[str, LockedBox]
_NO_LOCK = "`kbrules lock` writes it; it lies in the folder of your expansion, or where you are"


def boxes_below(folder: Path) -> list[Path]:
    """Return the folders of an author's boxes in a folder, or of the one that it is in."""
    home = reading.author_folder(folder / reading.MANIFEST)
    return discovery.boxes_at(folder) if home is None else [home]


def contents_of_project(
    project: Project, homes: Sequence[Path]
) -> tuple[Contents, list[Diagnostic]]:
    """Return what boxes contain, each with what it needs, and the further boxes of a project.

    homes: the folders of the boxes. They need not go together: each is loaded by its own context.
    With mistakes in any of them there are only findings.
    """
    manifests = [home / reading.MANIFEST for home in _distinct([*homes, *project.with_folders])]
    if found := list(folders_of_one_id(manifests)):
        return {}, found
    contents = dict[str, LockedBox]()
    contexts = dict.fromkeys(project.context(home / reading.MANIFEST) for home in homes)
    for context in contexts or [project.further]:
        loaded = project.loaded(context)
        if loaded.ruleset is None or loaded.findings:
            return {}, [*loaded.findings]
        contents |= loaded.ruleset.contents
    return dict(sorted(contents.items())), []


def _distinct(folders: Iterable[Path]) -> list[Path]:
    return list({reading.real_path(folder): folder for folder in folders}.values())


def lock_differences(project: Project) -> list[Diagnostic]:
    """Return how the boxes of the selected files differ from their locks, or why that is not known.

    The further boxes of the project must be in the locks, too.
    """
    others = {reading.real_path(folder) for folder in project.with_folders}
    homes = [e.folder for e in project.boxes() if reading.real_path(e.folder) not in others]
    by_lock: dict[Path, list[Path]] = {}
    named = project.roots[0] if project.is_named else Path()
    no_box = named.parent if named.is_file() else Path()
    for home in homes or [no_box]:
        by_lock.setdefault(_lock_of(home), []).extend([home] if homes else [])
    return [
        finding
        for lock, theirs in by_lock.items()
        for finding in differences_from(lock, project, theirs)
    ]


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


def differences_from(path: Path, project: Project, homes: Sequence[Path] = ()) -> list[Diagnostic]:
    """Return how boxes differ from those of a lock; each of them must be in it.

    homes: the folders of the boxes, beside the further ones of the project.
    """
    if not path.exists():
        return [reading.file_finding(path.as_posix(), "KB001", "does not exist", _NO_LOCK)]
    locked, findings = read_lock(path)
    if locked is None:
        return findings
    others = [e for e in boxes_below(path.parent) if _id(e) in locked]
    all_homes = _distinct([*homes, *others])
    ids = sorted({id for id in [*locked, *project.with_boxes] if id != SHARED})
    names = boxes_by_name(ids, [*all_homes, *project.with_folders])
    locking = Project(all_homes, names, project.with_folders, files=project.texts)
    contents, findings = contents_of_project(locking, all_homes)
    if findings:
        return findings
    lines = differences(locked, contents)
    help = "\n".join([*lines, "`kbrules lock` locks what is here now"])
    message = f"the boxes are not those of {quoted(path.as_posix())}"
    return [Diagnostic("KB419", Span.none(path.as_posix()), message, help)] if lines else []


def _id(home: Path) -> str:
    box, _ = read_box(home / reading.MANIFEST)
    return "" if box is None else box.id


# The report of a lock: which boxes it has.


class LockedBoxData(Part):
    """A box in a lock."""

    id: str
    version: str
    """As the box says it; empty if it says none."""


class LockData(Data):
    """What `kbrules lock` wrote."""

    file: str
    boxes: tuple[LockedBoxData, ...]


def lock_report(contents: Contents, file: Path) -> Report:
    """Return the report of a lock that was written into a file."""
    boxes = [LockedBoxData(id=id, version=box.version) for id, box in contents.items() if id]
    names = ", ".join(f"{box.id} {box.version}".strip() for box in boxes)
    line = f"written: {visible(str(file))} ({visible(names)})"
    return Report("Lock", [Lines((line,))], LockData(file=file.as_posix(), boxes=tuple(boxes)))
