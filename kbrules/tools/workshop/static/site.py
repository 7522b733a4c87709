"""The workshop as files for any web host: the page, Python in a worker, and an author's files.

The memory of Python as it is when the page opens is one of them: a browser need not begin anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from kbrules.library.reading import real_path
from kbrules.progress import OnProgress, silent
from kbrules.tools.workshop.server import PAGE, TRANSPORT, WEB
from kbrules.tools.workshop.static.pyodide import data_texts, package_files, pyodide_files, run
from kbrules.tools.workshop.writing import WorkingCopy

_PARTS = "parts"
POLICY = (
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
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
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
    title = real_path(copy.folder).name
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


_SCRIPT = files("kbrules.tools.workshop.static") / "snapshot.mjs"
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
