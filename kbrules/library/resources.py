"""Where the files that come with the engine lie: in a wheel, or in a checkout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal

MANIFEST = "expansion.yaml"
"""What the data file in an author's folder is called."""

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
    """Our own folder; it is asked for at every turn, and dear to find."""
    return Path(str(find("kbrules")))
