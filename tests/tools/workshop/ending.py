"""A part of a session for a process that ends before its time."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from kbrules.tools.workshop.rules import Answer, Methods, Params


class Ending:
    """A part whose process ends in the middle of a request."""

    def __init__(self, root: Path) -> None:
        self.methods: Methods = {"end": self._end, "view": lambda _: {"pid": os.getpid()}}

    def _end(self, _: Params) -> Answer:
        os.kill(os.getpid(), signal.SIGKILL)
        return {}
