"""What `kbrules test` would run of some paths."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kbrules.library.store import Files
from kbrules.project.project import Project
from kbrules.scenario.collection import Collection


def collect(
    paths: Sequence[Path] = (),
    boxes: Sequence[str] = (),
    folders: Sequence[Path] = (),
    files: Files | None = None,
) -> Collection:
    """What can be run below some paths, with further boxes and folders, and why the rest cannot.

    files: shared by tests, so that what has not changed is read once.
    """
    return Project.to_test(paths, boxes, folders, files=files).cases()
