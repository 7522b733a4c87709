"""The program on a pseudo terminal: what it shows there, and what is typed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

from tests.source_tree import ROOT

PATIENCE = 60.0  # seconds until a text must have come
ROWS, COLUMNS = 40, 100
BESIDE = (sys.executable, "-m", "kbrules")  # the program of this checkout
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\x07")


class Terminal:
    """`kbrules` with some words, in a folder. `with` ends the process that is left."""

    def __init__(
        self, folder: Path, *words: str, program: tuple[str, ...] = BESIDE, **variables: str
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.raw = ""
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        environment = {**os.environ, "PYTHONPATH": paths, "TERM": "xterm-256color"}
        environment |= {"PROMPT_TOOLKIT_NO_CPR": "1", **variables}  # nobody answers where it is
        for name in ("NO_COLOR", "FORCE_COLOR"):
            if name not in variables:
                environment.pop(name, None)
        self.process = subprocess.Popen(
            [*program, *words],
            cwd=folder, env=environment, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )  # fmt: skip
        os.close(theirs)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.kill()
        os.close(self._ours)

    @property
    def shown(self) -> str:
        """What has been shown, without colours and movements."""
        return _ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    def wait_for(self, text: str, times: int = 1) -> str:
        """What has been shown, as soon as a text is in it so many times."""
        end = time.monotonic() + PATIENCE
        while self.shown.count(text) < times:
            assert self._read(end - time.monotonic()), f"no {text!r} in\n{self.shown}"
        return self.shown

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """The exit code, when the process has ended by itself."""
        while self._read(PATIENCE):
            pass
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End the process without a chance to tidy up."""
        self.process.kill()
        self.process.wait()

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._ours], [], [], max(0.0, seconds))
        try:
            data = os.read(self._ours, 65536) if ready else b""
        except OSError:  # Linux says so when the other side is closed
            data = b""
        self.raw += data.decode(errors="replace")
        return bool(data)


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
