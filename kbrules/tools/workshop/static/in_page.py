"""The session inside the page: what Python in a browser is asked to do, as texts of JSON."""

from __future__ import annotations

import json
from pathlib import Path

from kbrules.tools.workshop.session import WorkshopSession
from kbrules.tools.workshop.writing import WorkingCopy

FILES, TRIED = Path("/author/files"), Path("/author/tried")
"""Where the page lays the author's files, and where they are tried."""


class PageSession:
    """A session on the files that the page has laid under `/author/files`."""

    def __init__(self, title: str) -> None:
        folder, root = FILES / title, TRIED / title
        for each in (folder, root):
            each.mkdir(parents=True, exist_ok=True)
        self._session = WorkshopSession(WorkingCopy(folder, root))

    def handle(self, request: str) -> str:
        """The answer to a request: `method` and `params`, in JSON."""
        message = json.loads(request)
        return json.dumps(self._session.handle(message["method"], message["params"]))

    def first_answers(self) -> str:
        """What a page asks when it opens, each with its answer: rows of method, params, answer."""
        path = self._session.handle("open", {})["result"]["start"]
        text = self._session.handle("text", {"path": path}).get("result", {}).get("text", "")
        requests = [
            ("open", {}),
            ("tokens", {}),
            ("text", {"path": path}),
            ("examples", {"path": path, "at": 0}),
            ("edit", {"path": path, "text": text}),
        ]
        return json.dumps([[*each, self._session.handle(*each)] for each in requests])
