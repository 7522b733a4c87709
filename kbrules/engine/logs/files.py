"""Files written whole or not at all, and a log on disk that grows move by move."""

from __future__ import annotations

import errno
import os
import re
import shutil
import struct
import sys
import tempfile
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import IO

__all__ = [
    "MAX_BYTES", "MAX_LENGTH", "MAX_LINES", "LogFile", "refuse_in_use", "temporary_folder",
    "write_atomically", "write_bytes_atomically", "write_log",
]  # fmt: skip

MAX_BYTES = 16 * 1024 * 1024  # bytes of one log, written or read
MAX_LINES = 100_000
MAX_LENGTH = 4 * 1024 * 1024  # characters of one line

_TEMPORARY = ".kbrules-tmp"
_LONGEST = 100  # characters of a name, which with all that is added stays below 255

_FLOCK = "@hhqqi4x"  # what Linux says of a lock; the last number is that of the process


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
    _remove_leftovers(path)
    handle, name = tempfile.mkstemp(prefix=_prefix(path), suffix=_TEMPORARY, dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.chmod(name, _mode(path))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_log(path: Path, lines: Sequence[str]) -> None:
    """Write the lines of a finished log; OSError if `replay` could not read so large a one."""
    _refuse_too_large(max(map(len, lines)), sum(map(len, lines)), len(lines))
    write_atomically(path, lines)


def _refuse_too_large(line: int, characters: int, lines: int) -> None:
    """OSError with the limit that a log breaks; its lines are ASCII."""
    if line > MAX_LENGTH:
        why = f"a move has a line of {line} characters, and {MAX_LENGTH} are the most"
    elif characters > MAX_BYTES:
        why = f"it would be larger than {MAX_BYTES // 1024 // 1024} MiB"
    elif lines >= MAX_LINES:
        why = f"it would have {lines} lines, and {MAX_LINES} are the most"
    else:
        return
    raise OSError(errno.EFBIG, f"{why}; such a log could not be replayed")


def temporary_folder(path: Path) -> Path:
    """A new folder beside the place of another, whose place it will take; for its owner only.

    What killed processes left there is removed.
    """
    _remove_leftovers(path)
    return Path(tempfile.mkdtemp(prefix=_prefix(path), suffix=_TEMPORARY, dir=path.parent))


def _prefix(path: Path) -> str:
    return f".{path.name[:_LONGEST]}.{os.getpid()}-"


def _remove_leftovers(path: Path) -> None:
    """Remove what killed writers of a file or folder left beside it.

    The names are those of `_prefix` with the number of a process that is no more.
    """
    pattern = re.compile(rf"\.{re.escape(path.name[:_LONGEST])}\.(\d+)-\w+{re.escape(_TEMPORARY)}")
    for name in os.listdir(path.parent):
        match = pattern.fullmatch(name)
        if match and not _is_alive(int(match[1])):
            left = path.with_name(name)
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    """Whether a process runs; on Windows, where asking would end it, it always does."""
    if sys.platform == "win32":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _mode(path: Path) -> int:
    """Who may read and write a file, or would if it were made; a temporary one is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def refuse_in_use(path: Path) -> None:
    """OSError if another process is writing a log there, with its number."""
    if path.is_file():
        with path.open("r+b") as file:
            if lock_holder := _lock(file):
                raise _in_use(path, lock_holder)


def _in_use(path: Path, lock_holder: str) -> OSError:
    return OSError(errno.EBUSY, f"{lock_holder} is playing a game into it", str(path))


def _lock(file: IO[bytes]) -> str:
    """Lock a file until it is closed; else the process that holds the lock, in words.

    Where the system has no such locks, or the file system none, nobody is kept out.
    """
    if sys.platform == "win32":
        return ""
    import fcntl

    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EAGAIN):
            return ""
        asked = struct.pack(_FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        number = struct.unpack(_FLOCK, fcntl.fcntl(file, fcntl.F_GETLK, asked))[-1]
        return f"process {number}" if sys.platform == "linux" and number else "another process"
    return ""


class LogFile:
    """A log on disk that grows move by move, so that a game broken off is not lost.

    OSError if the place cannot be written to, or another process writes this very log, which it
    names. `with` closes the file. kept: the lines of a log that is gone on with. They stay, and
    what follows them in the file is removed.
    """

    def __init__(self, path: Path, kept: Sequence[str] = ()) -> None:
        self._file: IO[bytes] = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        if lock_holder := _lock(self._file):
            self._file.close()
            raise _in_use(path, lock_holder)
        self._ends = list(accumulate(len(line.encode()) for line in kept))
        if path.is_file():
            self._keep("".join(kept).encode())

    def _keep(self, data: bytes) -> None:
        """Leave only these first bytes; they are written anew if the lines ended otherwise."""
        if self._file.read(len(data)) != data:
            self._file.seek(0)
            self._file.write(data)
        self._file.seek(len(data))
        self._file.truncate()

    def __enter__(self) -> LogFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, line: str) -> None:
        """Add a line; it is with the operating system when this returns.

        OSError if the log would be too large to be replayed; nothing is added then.
        """
        _refuse_too_large(len(line), self._file.tell() + len(line), len(self._ends) + 1)
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
