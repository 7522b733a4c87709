"""A command run in a fork of this process, in which something goes wrong."""

from __future__ import annotations

import io
import os
import select
import signal
import sqlite3
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from time import monotonic
from types import FrameType

__all__ = ["Ended", "Fault", "command", "moments", "names", "run", "strike_at"]

Fault = Callable[[], None]
"""What goes wrong: called in the fork before the command begins."""

DOES = frozenset(
    {
        *("chmod", "fchmod", "mkdir", "open", "remove", "rename", "replace", "rmdir", "symlink"),
        *("ftruncate", "truncate", "unlink", "utime", "write", "flush", "fsync"),
        *("commit", "execute", "executemany"),
    }
)
"""Functions written in C that change what is on a disk, by their names."""
_HOLDERS = (io.IOBase, sqlite3.Connection, sqlite3.Cursor)
_SYSTEM = import_module(os.name)
_PATIENCE = 180  # seconds until a command counts as stuck


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code, or the number of a signal below 0, and all it said."""

    code: int
    said: str

    @property
    def is_told(self) -> bool:
        """Whether it says what is wrong, by a code or as `Invalid value`, and takes no blame."""
        is_coded = "error[KB" in self.said or "is not readable" in self.said
        return is_coded and not self.is_a_fault_of_ours

    @property
    def is_a_fault_of_ours(self) -> bool:
        """Whether it ended as only a mistake of the program makes it end."""
        return "Traceback" in self.said or "KB901" in self.said or self.code == -signal.SIGALRM


def command(*words: str) -> Callable[[], None]:
    """The command line with these words, as `python -m kbrules` begins it."""

    def work() -> None:
        from cli.app import main

        sys.argv = ["kbrules", *words]
        main()

    return work


def run(
    work: Callable[[], None],
    folder: Path,
    fault: Fault | None = None,
    typed: str = "",
    end: tuple[float, int] | None = None,
) -> Ended:
    """Do some work in a folder. end: a signal that is sent after so many seconds."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        os.close(reading)
        _become(work, folder, fault, typed, writing)
    os.close(writing)
    said = _all_said(reading, process, end)
    return Ended(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), said)


def _become(
    work: Callable[[], None], folder: Path, fault: Fault | None, typed: str, writing: int
) -> None:
    code = 70
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.alarm(_PATIENCE)
        os.dup2(writing, 1)
        os.dup2(writing, 2)
        os.close(writing)
        with tempfile.TemporaryFile() as given:
            given.write(typed.encode())
            given.seek(0)
            os.dup2(given.fileno(), 0)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w"), encoding="utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(io.FileIO(2, "w"), encoding="utf-8", write_through=True)
        warnings.resetwarnings()
        os.chdir(folder)
        if fault is not None:
            fault()
        work()
        code = 0
    except SystemExit as over:
        code = over.code if isinstance(over.code, int) else int(over.code is not None)
    except KeyboardInterrupt:
        code = 130
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.setprofile(None)
        os._exit(code)


def _all_said(reading: int, process: int, end: tuple[float, int] | None) -> str:
    said = bytearray()
    until = monotonic() + end[0] if end is not None else None
    with open(reading, "rb", buffering=0) as pipe:
        while True:
            left = None if until is None else max(0.0, until - monotonic())
            if not select.select([pipe], [], [], left)[0]:
                assert end is not None
                os.kill(process, end[1])
                until = None
                continue
            part = pipe.read(65536)
            if not part:
                return said.decode("utf-8", "replace")
            said += part


def strike_at(number: int, sent: int = signal.SIGKILL) -> Fault:
    """Send the process a signal at the n-th of its `moments`."""

    def strike(count: int) -> None:
        if count == number:
            os.kill(os.getpid(), sent)

    return lambda: _watch(strike)


def moments(work: Callable[[], None], folder: Path, typed: str = "") -> int:
    """How many moments there are in some work, which is done: before and after each deed."""
    last = folder.parent / f"{folder.name}.moments"

    def note(count: int) -> None:
        counted[0] = count

    counted = [0]

    def counting() -> None:
        _watch(note)
        try:
            work()
        finally:
            sys.setprofile(None)
            last.write_text(str(counted[0]), encoding="utf-8")

    ended = run(counting, folder, typed=typed)
    assert ended.code in (0, 1), ended.said
    return int(last.read_text(encoding="utf-8"))


def _watch(note: Callable[[int], None]) -> None:
    """Call with 1, 2, 3 ... before and after each function that changes what is on a disk."""
    count = 0

    def watch(frame: FrameType, event: str, called: object) -> None:
        nonlocal count
        if event in ("c_call", "c_return") and _is_change(called):
            count += 1
            note(count)

    sys.setprofile(watch)


def _is_change(called: object) -> bool:
    if getattr(called, "__name__", "") not in DOES:
        return False
    owner = getattr(called, "__self__", None)
    return owner is _SYSTEM or isinstance(owner, _HOLDERS)


def names(folder: Path) -> Sequence[str]:
    """Every file below a folder, sorted."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
