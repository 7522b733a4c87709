"""Where files lie: those that come with the engine, in a wheel or a checkout, and authors' own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

MANIFEST = "expansion.yaml"
"""What the data file in an author's folder is called."""
RULES = ".kb"
"""How the name of a rule file ends."""
_UP = 4  # folders above a file that may be its author's
_SKIPPED = ("__pycache__", "node_modules")

Kind = Literal["rules", "expansions", "schemas"]


def data_root(kind: Kind) -> Path:
    """The folder of that kind which belongs to this very installation.

    Raises `FileNotFoundError` naming the places searched. That is a broken installation,
    never an author's mistake.
    """
    searched = list(_places(kind))
    for place in searched:
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"kbrules is not completely installed: no folder `{kind}` at "
        + " or ".join(f"`{place}`" for place in searched)
    )


def _places(kind: Kind) -> Iterator[Path]:
    package = _package(files)
    yield package / "_data" / kind
    checkout = package.parent
    # In somebody's site-packages a neighbour called `rules` is a stranger.
    if (checkout / "pyproject.toml").is_file():
        yield checkout / kind


@cache
def _package(find: Callable[[str], Traversable]) -> Path:
    """Our own folder, found once: to find it is slow, and it is needed often."""
    return Path(str(find("kbrules")))


def author_folder(file: Path) -> Path | None:
    """The author's folder a file lies in, one with a manifest, if it lies in one."""
    for folder in [*file.absolute().parents][:_UP]:
        if (folder / MANIFEST).is_file():
            here = Path.cwd()
            return folder.relative_to(here) if folder.is_relative_to(here) else folder
    return None


def real_path(path: Path) -> Path:
    """Where a file really lies, all links followed; of a ring of links, the path itself."""
    return Path(os.path.realpath(path))


def files_below(folder: Path) -> Iterator[Path]:
    """The files below a folder, sorted, those in hidden folders left out.

    A link to a folder is not followed, but comes like a file.
    """
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED)
        links = [name for name in folders if (Path(top) / name).is_symlink()]
        yield from (Path(top) / name for name in sorted([*names, *links]))
