"""The memory of Python as it is when the page opens, so that a browser need not begin anew."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from kbrules.tools.workshop.static.pyodide import run

__all__ = ["memory_files"]

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
