"""The first page of the site, with every box, and the first page of each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kbrules.game.board import stand_in_note
from kbrules.library.boxes import Box
from kbrules.tools.explaining.options import value_text
from kbrules.tools.publishing.contents import changes_of, players_of
from kbrules.tools.publishing.site.covered import Covered, all_told
from kbrules.tools.publishing.site.frame import Page, section, table
from kbrules.tools.publishing.site.markup import Content, Html, element, join, link
from kbrules.tools.publishing.site.names import THINGS
from kbrules.tools.publishing.site.rulings import RULINGS
from kbrules.tools.publishing.site.shelf import Entry, Volume, folder_of

__all__ = ["box_page", "first_page"]

_KINDS = {
    "card": "Cards", "task": "Tasks", "location": "Locations", "nomad": "Nomad tiles",
    "bonus": "Bonus tiles", "rule": "Rules", "define": "Definitions", "option": "Options",
    "memory": "What is remembered",
}  # fmt: skip
_THINGS = ("terrains", "places", "grids", "pieces", "tiles", "numbers", "sections", "setups")
_APART = {
    "own": "Yours",
    "expansion": "Boxes",
    "edition": "Other makes of the game, in play only if named",
    "variant": "House variants, in play only if named",
    "shared": "For every rule file",
}


def first_page(volumes: Sequence[Volume]) -> Page:
    """The page with all boxes."""
    grouped = {kind: [v for v in volumes if _standing(v) == kind] for kind in _APART}
    parts = [
        section(title, table(("box", "for", "holds"), map(_row, grouped[kind])))
        for kind, title in _APART.items()
        if grouped[kind]
    ]
    told = element("p", link(RULINGS, "Disputed rulings"), ", by the question that each answers.")
    body = join(*parts, told)
    return Page("index.html", "The boxes and their rules", "", "", body)


def _standing(volume: Volume) -> str:
    if volume.folder is not None:
        return "own"
    return volume.box.model.kind if volume.box is not None else "shared"


def _row(volume: Volume) -> tuple[Content, ...]:
    players = players_of(volume.box) if volume.box is not None else ""
    return link(volume.path, volume.title), players, ", ".join(_counts(volume))


def _counts(volume: Volume) -> Iterator[str]:
    for kind, title in _KINDS.items():
        count = sum(entry.kind == kind for entry in volume.entries)
        if count:
            yield f"{title.lower()}: {count}"
    if volume.box is not None and volume.box.model.sections:
        yield f"sections: {len(volume.box.model.sections)}"


_OPTION = ("option", "default", "what it says")


def _option(entry: Entry) -> tuple[Content, ...]:
    default = value_text(getattr(entry.declaration, "default", False))
    return link(entry.path, entry.name), default, entry.wording


def box_page(volume: Volume, covered: Covered) -> Page:
    """The first page of a box: about it, and everything that it declares."""
    about = list(_about(volume.box)) if volume.box is not None else []
    grouped = {kind: [e for e in volume.entries if e.kind == kind] for kind in _KINDS}
    lists = [section(_KINDS[kind], _items(of)) for kind, of in grouped.items() if of]
    body = join(*about, all_told(covered, volume.entries), *lists)
    return Page(volume.path, volume.title, "box", volume.id, body, (("Boxes", "index.html"),))


def _items(entries: Sequence[Entry]) -> Html:
    if entries[0].kind == "option":
        return table(_OPTION, map(_option, entries))
    items = (element("li", link(e.path, e.title), f": {e.wording}") for e in entries)
    return element("ul", *items)


def _about(box: Box) -> Iterator[Html]:
    model = box.model
    needs = (link(f"{folder_of(id)}/index.html", id) for id in model.needs)
    yield element("p", players_of(box), *((" Needs ", _listed(needs), ".") if model.needs else ()))
    if changes := list(changes_of(box)):
        yield element("p", f"In place of what other boxes say: {', '.join(changes)}.")
    if any(getattr(model, table) for table in _THINGS):
        things = f"{folder_of(box.id)}/{THINGS}"
        yield element("p", link(things, "Maps, terrains, places, pieces, numbers"))
    if note := stand_in_note([id for id, s in model.sections.items() if s.map == "stand-in"]):
        yield element("p", f"Not all is as printed: {note}.", class_="note")


def _listed(items: Iterator[Html]) -> Html:
    return join(*(join(", " if number else "", each) for number, each in enumerate(items)))
