"""The workshop on this machine alone: the page's files, and its requests handed to a session."""

from __future__ import annotations

import json
import mimetypes
import sys
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from secrets import token_urlsafe
from typing import Any

from kbrules.tools.workshop.rules import MAX_VALUE
from kbrules.tools.workshop.session import LiveSession

HOST = "127.0.0.1"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
WEB = files("kbrules.tools.workshop") / "web"
TRANSPORT = "transport.js"
PAGE = ("index.html", "workshop.css", *(f"{name}.js" for name in (
    "app", "api", "board", "dom", "drag", "editor", "examples", "inside", "language", "markdown",
    "measure", "play", "reasons", "tokens")), "vendor/codemirror.js", TRANSPORT)  # fmt: skip


class WorkshopServer(ThreadingHTTPServer):
    """Serves one session on the loopback. `address` has the secret that every request needs.

    port: 0 for any that is free. Raises OSError if it is taken.
    """

    daemon_threads = True

    def __init__(self, session: LiveSession, port: int = 0) -> None:
        self.session, self.token = session, token_urlsafe(16)
        super().__init__((HOST, port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing of a page that went away; all else as usual."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """Leave the port, and end the processes of the session."""
        super().server_close()
        self.session.close()

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    """One request; whoever does not know the secret, or comes by another name, gets nothing."""

    server: WorkshopServer
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        name = self._requested_file()
        if name not in PAGE:
            self._answer(404, b"there is no such file", "text/plain")
            return
        kind = mimetypes.guess_type(name)[0] or "text/plain"
        file = "http_transport.js" if name == TRANSPORT else name
        self._answer(200, WEB.joinpath(*file.split("/")).read_bytes(), f"{kind}; charset=utf-8")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        has_good_length = length.isascii() and length.isdigit() and int(length) <= 4 * MAX_VALUE
        is_same_origin = self.headers.get("Origin", self._origin) == self._origin
        is_json = self.headers.get_content_type() == "application/json"
        if self._requested_file() != "api" or not (has_good_length and is_same_origin and is_json):
            self.close_connection = True
            self._answer(404, b"this is no request of the page", "text/plain")
            return
        answer = self._session_answer(self.rfile.read(int(length)))
        self._answer(200, json.dumps(answer).encode(), "application/json")

    def _session_answer(self, body: bytes) -> dict[str, Any]:
        try:
            request = json.loads(body)
            method, values = request["method"], request["params"]
        except (ValueError, KeyError, TypeError, RecursionError):
            method, values = "", None
        if not isinstance(method, str) or not isinstance(values, dict):
            method, values = "what was sent", {}
        return self.server.session.handle(method, values)

    @property
    def _origin(self) -> str:
        return f"http://{HOST}:{self.server.server_port}"

    def _requested_file(self) -> str:
        """The path behind the secret; empty without it, or by another name of the host."""
        token, _, rest = self.path.partition("?")[0].removeprefix("/").partition("/")
        has_token = compare_digest(token.encode("utf-8", "replace"), self.server.token.encode())
        is_our_host = self.headers.get("Host", "") == self._origin.removeprefix("http://")
        return (rest or "index.html") if has_token and is_our_host else ""

    def _answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal is the author's."""
