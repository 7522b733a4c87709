"""Files written whole or not at all, and a log on disk that grows move by move."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

__all__ = ["LogFile", "write_atomically", "write_bytes_atomically"]


def write_atomically(path: Path, lines: Sequence[str]) -> None:
    """Write a whole text, or nothing: a reader sees the old file or the finished new one.

    OSError if the place cannot be written to.
    """
    write_bytes_atomically(path, "".join(lines).encode())


def write_bytes_atomically(path: Path, data: bytes) -> None:
    """The same for what is no text.

    What is no plain file, as a pipe or a device, is written into and stays what it is; so does a
    link.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """Who may read and write a file, or would if it were made; a temporary one is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


class LogFile:
    """A log on disk that grows move by move, so that a game broken off is not lost.

    OSError if the place cannot be written to. `with` closes the file.
    """

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("wb")
        self._ends: list[int] = []

    def __enter__(self) -> LogFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, line: str) -> None:
        """Add a line; it is with the operating system when this returns."""
        self._file.write(line.encode())
        self._file.flush()
        self._ends.append(self._file.tell())

    def drop(self, count: int) -> None:
        """Take back the last lines."""
        if not 0 <= count < len(self._ends):
            raise ValueError(f"there are {len(self._ends)} lines, not {count}")
        del self._ends[len(self._ends) - count :]
        self._file.truncate(self._ends[-1])
        self._file.seek(self._ends[-1])
