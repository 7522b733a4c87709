"""Where files lie: those that come with the engine, in a wheel or a checkout, and authors' own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Literal

MANIFEST = "expansion.yaml"
"""What the data file in an author's folder is called."""
RULES = ".kb"
"""How the name of a rule file ends."""
SCENARIO = ".scenario.yaml"
"""How the name of a file of scenarios ends."""
TEXTS = "texts"
"""The folder of an author's box that has its texts; shipped boxes have theirs below one."""
DEEPEST = 16
"""How many folders above a file may be its author's, the one that it is in among them."""

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
    for folder in islice(folders_above(file), DEEPEST):
        if os.path.isfile(folder / MANIFEST):
            here = Path.cwd()
            return folder.relative_to(here) if folder.is_relative_to(here) else folder
    return None


def folders_above(file: Path) -> Iterator[Path]:
    """Yield the folders that a file is in, the innermost first, as absolute paths.

    Those below a `..` of the path are named as it names them.
    """
    for folder in file.absolute().parents:
        yield folder
        if folder.name == "..":
            yield from Path(os.path.abspath(folder)).parents
            return


def real_path(path: Path) -> Path:
    """Where a file really lies, all links followed; of a ring of links, the path itself."""
    return Path(os.path.realpath(path))


def is_shipped(file: Path) -> bool:
    """Return whether a file comes with the engine."""
    real = real_path(file)
    roots = (_resolved(data_root("rules")), _resolved(data_root("expansions")))
    return any(real.is_relative_to(root) for root in roots)


@cache
def _resolved(root: Path) -> Path:
    """Return where a folder that comes with the engine really is."""
    return real_path(root)
