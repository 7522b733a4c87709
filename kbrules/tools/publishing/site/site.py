"""The whole site as texts by their paths: the same for the same boxes, wherever it is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from kbrules.tools.publishing.site.boxes import box_page, first_page
from kbrules.tools.publishing.site.covered import Covered
from kbrules.tools.publishing.site.declarations import declaration_page
from kbrules.tools.publishing.site.frame import Page, framed
from kbrules.tools.publishing.site.guide import pages_of_guide
from kbrules.tools.publishing.site.index import index_of
from kbrules.tools.publishing.site.messages import pages_of_messages
from kbrules.tools.publishing.site.names import names_of
from kbrules.tools.publishing.site.reference import pages_of_language
from kbrules.tools.publishing.site.rulings import rulings_page
from kbrules.tools.publishing.site.shelf import Shelf
from kbrules.tools.publishing.site.things import pages_of_things
from kbrules.tools.publishing.site.witness import witness_of

__all__ = ["pages_of", "site_of"]

HERE = "kbrules.tools.publishing.site"
_BESIDE = ("site.css", "search.js", "vendor/minisearch.js", "vendor/minisearch.LICENSE.txt")


def site_of(
    shelf: Shelf, folders: Sequence[Path], covered: Covered | None = None
) -> dict[str, str]:
    """The files of the site of some volumes, by their paths."""
    pages = list(pages_of(shelf, folders, covered or Covered()))
    made = {page.path: framed(page) for page in pages}
    made["index.js"] = index_of(pages)
    for name in _BESIDE:
        made[name] = files(HERE).joinpath(name).read_text(encoding="utf-8")
    return made


def pages_of(shelf: Shelf, folders: Sequence[Path], covered: Covered) -> Iterator[Page]:
    """Every page, the first one first."""
    witness = witness_of(folders, covered)
    yield first_page(shelf.volumes)
    known = {volume.id: names_of(shelf.volumes, volume) for volume in shelf.volumes}
    yield rulings_page(shelf.volumes, known)
    for volume in shelf.volumes:
        names = known[volume.id]
        yield box_page(volume, covered)
        yield from pages_of_things(volume, names)
        for entry in volume.entries:
            yield declaration_page(entry, volume, names, witness)
    yield from pages_of_language()
    yield from pages_of_messages()
    yield from pages_of_guide()
