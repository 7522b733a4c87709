"""The workshop's side of the page: requests in, answers out, as values of JSON."""

from __future__ import annotations

from threading import Lock

from kbrules.tools.workshop.measuring import Measuring
from kbrules.tools.workshop.playing.methods import Playing
from kbrules.tools.workshop.process import ProcessSession
from kbrules.tools.workshop.requests import Answer, Params, answer_request
from kbrules.tools.workshop.writing.methods import Writing
from kbrules.tools.workshop.writing.working_copy import WorkingCopy

__all__ = ["LiveSession", "WorkshopSession"]


class WorkshopSession:
    """One author's folder, one game and one measurement, one request at a time."""

    def __init__(self, copy: WorkingCopy) -> None:
        parts = Writing(copy), Playing(copy.root), Measuring(copy.root)
        self._methods = {name: do for part in parts for name, do in part.methods.items()}

    def handle(self, method: str, params: Params) -> Answer:
        """The answer to a request."""
        return answer_request(self._methods, method, params)


class LiveSession:
    """The same for several threads: a game and a measurement do not hold up who writes."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._lock = Lock()
        self._writing = Writing(copy)
        self._playing = ProcessSession(Playing, copy.root)
        self._measuring = ProcessSession(Measuring, copy.root)

    def handle(self, method: str, params: Params) -> Answer:
        """The answer to a request."""
        for part in (self._playing, self._measuring):
            if method in part.names:
                return part.handle(method, params)
        if method == "open":
            self._playing.start()
        with self._lock:
            return answer_request(self._writing.methods, method, params)

    def close(self) -> None:
        """End the processes."""
        self._playing.close()
        self._measuring.close()
