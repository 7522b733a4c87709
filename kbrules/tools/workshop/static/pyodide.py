"""Python for a page: Pyodide and the packages that kbrules needs there, by npm and pip."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import tarfile
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from kbrules.library.discovery import discover, is_hidden
from kbrules.library.reading import data_root

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
            _add(archive, _package(), "kbrules", ("_cli/", "_data/", "tools/workshop/web/"))
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


def _package() -> Path:
    spec = find_spec("kbrules")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def _add(archive: ZipFile, folder: Path, name: str, left_out: tuple[str, ...]) -> None:
    """Add files of some kinds; the same files make the same bytes."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if path.suffix not in _SUFFIXES or not path.is_file() or inside.startswith(left_out):
            continue
        if any(map(is_hidden, path.relative_to(folder).parts)):
            continue
        full = "/".join(filter(None, (name, inside)))
        archive.writestr(_entry(full), path.read_bytes(), ZIP_DEFLATED)


def _entry(name: str) -> ZipInfo:
    return ZipInfo(name, (2000, 1, 1, 0, 0, 0))


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
