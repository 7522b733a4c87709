"""A folder of pages, written whole or not at all; nobody else's folder is touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from kbrules.engine.logs.writing import temporary_folder
from kbrules.library.reading import real_path
from kbrules.progress import OnProgress, silent, with_progress

MARKER = ".kbrules-site"
"""The file by which a folder of ours is known."""
_NOTE = "kbrules wrote this folder, and writes it anew without asking.\n"


class ForeignFolder(Exception):
    """The folder is there already and holds something that we have not written."""


def publish(
    files: Mapping[str, str | bytes], folder: Path, on_progress: OnProgress = silent
) -> None:
    """Write files by their paths into a folder, in place of what we wrote there before.

    The folder is made beside and renamed, so that a reader sees the old site or the new one.
    on_progress: told how many files are written. `ForeignFolder` if something else is there,
    OSError if the place cannot be written to.
    """
    if reason := refusal_reason(folder):
        raise ForeignFolder(reason)
    target = real_path(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    new_folder = temporary_folder(target)
    try:
        every = list({MARKER: _NOTE, **files}.items())
        for name, text in with_progress(every, "files", on_progress):
            _write(new_folder / name, text)
        new_folder.chmod(0o777 & ~_umask())
        _swap(new_folder, target)
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)


def refusal_reason(folder: Path) -> str:
    """Why a folder may not be written, or nothing."""
    try:
        target = real_path(folder)
        if not target.exists():
            return ""
        if not target.is_dir():
            return "it is a file"
        is_ours = (target / MARKER).is_file() or not any(target.iterdir())
    except OSError as error:
        return error.strerror or "it cannot be looked at"
    except RuntimeError:
        return "it is a link to itself"
    return "" if is_ours else "it holds something else already"


def _write(path: Path, data: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def _swap(new_folder: Path, target: Path) -> None:
    """Put a folder in the place of another; if that fails, the other is back in its place."""
    if not target.exists():
        os.replace(new_folder, target)
        return
    old = temporary_folder(target)
    os.replace(target, old)
    try:
        os.replace(new_folder, target)
    except OSError:
        os.replace(old, target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
