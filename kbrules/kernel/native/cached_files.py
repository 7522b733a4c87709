"""Cached native code: where it is, and whether it may be run.

It may if nobody else could have written it, and no byte is another.

A folder of a kernel has a file with the checksum of all others in it. One that differs is removed
and the kernel made anew, and a warning says so.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import warnings
from hashlib import blake2b
from pathlib import Path

from platformdirs import user_cache_path

CHECKSUM = "checksum"
_DIGEST = re.compile("[0-9a-f]{32}")


def cache_root() -> Path:
    """The folder in which kernels are cached, each in one of its own, be it there or not."""
    return user_cache_path("kbrules", appauthor=False) / "native"


def cached_kernels() -> list[tuple[Path, int]]:
    """The folder of each cached kernel, and its size in bytes; OSError if it is hidden."""
    return [
        (each, sum(f.stat().st_size for f in each.rglob("*") if f.is_file()))
        for each in sorted(kernel_folders(cache_root()))
    ]


def kernel_folders(root: Path) -> list[Path]:
    """The folders of kernels: those with the name of a digest. No other is ever removed."""
    found = (each for each in root.glob("*/") if _DIGEST.fullmatch(each.name))
    return [each for each in found if not each.is_symlink()]


def clear_cache() -> int:
    """Remove every cached kernel; how many there were. OSError if one cannot be removed."""
    cached = cached_kernels()
    for folder, _ in cached:
        shutil.rmtree(folder)
    return len(cached)


def is_trusted(root: Path, file: Path) -> bool:
    """Whether kernels may be cached below a folder; what is wrong in that of one file is removed.

    The folders are made, for their owner only. OSError if it cannot be looked at.
    """
    for folder in (root.parent, root, file.parent):
        if folder.exists() and (reason := _exposed(folder)):
            _warn(f"kernels are not kept in {str(root)!r}: {folder.name!r} {reason}")
            return False
    checksum = file.parent / CHECKSUM
    if _code_files(file.parent) and not checksum.is_file():  # whoever wrote it was killed
        shutil.rmtree(file.parent)
    elif checksum.is_file() and checksum.read_text("ascii", "replace") != _checksum(file.parent):
        _warn(f"the kernel in {str(file.parent)!r} is not as it was written and is made anew")
        shutil.rmtree(file.parent)
    for folder in (root.parent, root, file.parent):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return True


def write_checksum(file: Path) -> None:
    """Write the checksum of the folder of a file; OSError if that cannot be."""
    write_whole(file.with_name(CHECKSUM), _checksum(file.parent))


def write_whole(file: Path, text: str) -> None:
    """Write a file so that no process sees a part of it; OSError if that cannot be."""
    temporary = file.with_name(f"{file.name}.{os.getpid()}")
    temporary.write_text(text, encoding="ascii")
    temporary.replace(file)


def _exposed(folder: Path) -> str:
    """Why others could have written what is in a folder; nothing if they could not."""
    status = folder.stat()
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return "belongs to somebody else"
    if os.name == "posix" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be written by others"
    return ""


def _code_files(folder: Path) -> list[Path]:
    """The files of code that numba writes below a folder, sorted."""
    return sorted([*folder.rglob("*.nbi"), *folder.rglob("*.nbc")])


def _checksum(folder: Path) -> str:
    digest = blake2b(folder.name.encode(), digest_size=32)
    for path in _code_files(folder):
        digest.update(blake2b(path.name.encode() + b"\0" + path.read_bytes()).digest())
    return digest.hexdigest()


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)
