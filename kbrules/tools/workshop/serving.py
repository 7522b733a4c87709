"""The workshop served by this machine alone, or written as files for any web host."""

from __future__ import annotations

import gzip
import io
import json
import mimetypes
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from hashlib import sha256
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import requires
from importlib.resources import files
from pathlib import Path
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kbrules.hooks import OnProgress, silent
from kbrules.library.discovery import discover, is_hidden
from kbrules.library.reading import data_root
from kbrules.tools.language_service.answers import MAX_VALUE
from kbrules.tools.workshop.session import LiveSession
from kbrules.tools.workshop.writing import WorkingCopy

# The workshop on this machine alone: the page's files, and its requests handed to a session.


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


# Python for a page: Pyodide and the packages that kbrules needs there, by npm and pip.


PYODIDE = "pyodide@314.0.7"
FILES = (
    "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json",
)  # fmt: skip
FOR_PYODIDE = (
    "--only-binary=:all:", "--platform=pyemscripten_2026_0_wasm32", "--python-version=3.14",
    "--implementation=cp", "--abi=cp314",
)  # fmt: skip
"""Words for pip, which choose packages for Pyodide."""
_UNUSED = ("jinja2", "markupsafe", "typer")
_UNUSED_PARTS = ("bin/", "pydantic/v1/", "pydantic/deprecated/", "pygments/", "markdown_it/")
"""What the page's part of kbrules does not import."""
_SUFFIXES = {".py", ".lark", ".json", ".md"}


class NotFetched(Exception):
    """A client of a package registry is not there, or could not fetch something."""


def pyodide_files() -> dict[str, bytes]:
    """Pyodide by the names of its files. Raises NotFetched without npm or a network."""
    with TemporaryDirectory() as folder:
        printed = run(["npm", "pack", "--silent", PYODIDE], folder)
        with tarfile.open(Path(folder) / printed.split()[-1]) as tar:
            members = {name: tar.extractfile(f"package/{name}") for name in FILES}
            return {name: file.read() for name, file in members.items() if file is not None}


def package_files() -> dict[str, bytes]:
    """`python.zip`, kbrules and what it imports, and `pydantic_core.bin`, the compiled part.

    Raises NotFetched without pip or a network.
    """
    with TemporaryDirectory() as folder:
        needed = [each for each in requires("kbrules") or () if "extra ==" not in each]
        requirements = [each for each in needed if not each.startswith(_UNUSED)]
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run([*pip, "--target", folder, *FOR_PYODIDE, *requirements], folder)
        archive_bytes = io.BytesIO()
        with ZipFile(archive_bytes, "w", ZIP_DEFLATED) as archive:
            _add(archive, Path(folder), "", _UNUSED_PARTS)
            _add(
                archive,
                Path(str(files("kbrules"))),
                "kbrules",
                ("_cli/", "_data/", "tools/workshop/web/"),
            )
        (library,) = Path(folder).glob("pydantic_core/*.so")
        compiled = gzip.compress(library.read_bytes(), mtime=0)
        return {"python.zip": archive_bytes.getvalue(), "pydantic_core.bin": compiled}


def data_texts() -> dict[str, str]:
    """The rules and boxes that kbrules comes with, by their paths in its folder of data."""
    return {
        f"{kind}/{path.relative_to(data_root(kind)).as_posix()}": path.read_text(encoding="utf-8")
        for kind in ("rules", "expansions")
        for path in discover(data_root(kind)).files
        if path.suffix in {".kb", ".yaml"}
    }


def _add(archive: ZipFile, folder: Path, name: str, left_out: tuple[str, ...]) -> None:
    """Add files of some kinds; the same files make the same bytes."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if path.suffix not in _SUFFIXES or not path.is_file() or inside.startswith(left_out):
            continue
        if any(map(is_hidden, path.relative_to(folder).parts)):
            continue
        full = "/".join(filter(None, (name, inside)))
        archive.writestr(ZipInfo(full, (2000, 1, 1, 0, 0, 0)), path.read_bytes(), ZIP_DEFLATED)


def run(command: list[str], folder: str) -> str:
    """What a command prints. Raises NotFetched with its last line if it does not end well."""
    try:
        process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise NotFetched(f"`{command[0]}` cannot be run: {error.strerror}") from None
    if process.returncode:
        last = (process.stderr.strip() or "it says nothing").splitlines()[-1]
        raise NotFetched(f"`{command[0]}` failed: {last}")
    return process.stdout


# The workshop as files for any web host: the page, Python in a worker, and an author's files.
#
# The memory of Python as it is when the page opens is one of them: a browser need not begin anew.


_PARTS = "parts"
STATIC_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
_META = '<meta charset="utf-8">'
_FIRST = '<script type="module" src="app.js"></script>'
_PYTHON = f'<script type="module" src="{TRANSPORT}"></script>'
"""Python begins to load before the editor does."""


def static_files(copy: WorkingCopy, on_progress: OnProgress = silent) -> dict[str, str | bytes]:
    """The files by their paths, `index.html` first. Raises NotFetched without npm or pip.

    on_progress: told how many of the parts that take long are made.
    """
    files_: dict[str, str | bytes] = {name: _source(name) for name in PAGE if name != TRANSPORT}
    policy = f'<meta http-equiv="Content-Security-Policy" content="{STATIC_POLICY}">'
    page = _source("index.html").replace(_META, f"{_META}\n{policy}")
    files_["index.html"] = page.replace(_FIRST, f"{_PYTHON}\n{_FIRST}")
    files_ |= {name: _source(name) for name in ("worker.js", "python.js")}
    files_[TRANSPORT] = _source("worker_transport.js")
    on_progress(0, 3, _PARTS)
    files_ |= {f"pyodide/{name}": data for name, data in pyodide_files().items()}
    on_progress(1, 3, _PARTS)
    files_ |= package_files()
    on_progress(2, 3, _PARTS)
    texts = {name: copy.text(name) for name in copy.names}
    title = copy.folder.name
    files_["files.json"] = json.dumps({"title": title, "files": texts, "data": data_texts()})
    files_ |= memory_files(files_)
    on_progress(3, 3, _PARTS)
    files_["offline.js"] = _service_worker(files_)
    return files_


def _source(name: str) -> str:
    return WEB.joinpath(*name.split("/")).read_text(encoding="utf-8")


def _service_worker(files: dict[str, str | bytes]) -> str:
    """The service worker, which keeps exactly these files."""
    digest = sha256()
    for name, data in files.items():
        digest.update(name.encode() + (data.encode() if isinstance(data, str) else data))
    listed = json.dumps(["./", *files])
    text = _source("offline.js").replace("{version}", digest.hexdigest()[:16])
    return text.replace('["{files}"]', listed)


_SCRIPT = files("kbrules.tools.workshop") / "snapshot.mjs"
MEMORY_FILES = ("first.json", "memory.bin")


def memory_files(page: Mapping[str, str | bytes]) -> dict[str, bytes]:
    """What Node.js makes of the files of a page: Python's memory, and the first answers.

    Raises NotFetched without Node.js.
    """
    with TemporaryDirectory() as folder:
        for name, data in page.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        (Path(folder) / "package.json").write_text('{"type": "module"}')
        (Path(folder) / "snapshot.mjs").write_bytes(_SCRIPT.read_bytes())
        run(["node", "snapshot.mjs", folder], folder)
        return {name: (Path(folder) / name).read_bytes() for name in MEMORY_FILES}
