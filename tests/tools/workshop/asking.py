"""Requests to a session as the page sends them, and a process that ends before its time."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any, Protocol

from kbrules.tools.workshop.rules import Answer, Methods, Params, SessionPart

RULES = "rules/dale.kb"


class Answering(Protocol):
    """A session, or what stands for one."""

    def handle(self, method: str, given: dict[str, Any], /) -> dict[str, Any]: ...


def result_of(session: Answering, method: str, **given: Any) -> Any:
    """The result of a request, which must have one."""
    answer = session.handle(method, given)
    assert "result" in answer, answer
    json.dumps(answer)
    return answer["result"]


def refused(session: Answering, method: str, **given: Any) -> str:
    """The code with which a request is refused."""
    error = session.handle(method, given)["error"]
    assert error["message"] and error["code"] != "KB901"
    return str(error["code"])


class Ending(SessionPart):
    """A part whose process ends in the middle of a request."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.methods: Methods = {"end": self._end, "view": lambda _: {"pid": os.getpid()}}

    def _end(self, _: Params) -> Answer:
        os.kill(os.getpid(), signal.SIGKILL)
        return {}
