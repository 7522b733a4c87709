"""What a box brings besides rules: terrains and numbers on one page, maps and pieces on theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbrules.game.board import stand_in_note
from kbrules.game.things import SIZES
from kbrules.library.boxes import Box
from kbrules.library.models import HexModel, PieceModel
from kbrules.tools.publishing.site.boards import section_board
from kbrules.tools.publishing.site.frame import Page, section, table
from kbrules.tools.publishing.site.markup import Content, Html, element, join, link
from kbrules.tools.publishing.site.names import THINGS, Names, piece_path, section_path
from kbrules.tools.publishing.site.shelf import Volume, folder_of

__all__ = ["pages_of_things"]


def pages_of_things(volume: Volume, names: Names) -> Iterator[Page]:
    """The pages about what a box brings; none for what is no box."""
    box = volume.box
    if box is None:
        return
    above: tuple[tuple[str, str], ...] = (("Boxes", "index.html"), (volume.title, volume.path))
    title = f"What is in {volume.title}"
    path = f"{folder_of(box.id)}/{THINGS}"
    if parts := list(_parts(box, names)):
        yield Page(path, title, "things", " ".join(_named(box)), join(*parts), above)
    above += (("Things", path),)
    for id, piece in box.model.pieces.items():
        about = f"piece of {volume.title}"
        body = join(*_piece(id, piece, volume, names))
        yield Page(piece_path(box.id, id), piece.title or id, about, id, body, above)
    for id in box.model.sections:
        if id in volume.ruleset.parts.sections:
            body = join(*_section(id, volume, names))
            yield Page(section_path(box.id, id), id, f"section of {volume.title}", id, body, above)


def _named(box: Box) -> Iterator[str]:
    for of in (box.model.terrains, box.model.places, box.model.grids):
        yield from of


def _parts(box: Box, names: Names) -> Iterator[Html]:
    model = box.model
    for title, kinds in (("Terrains", model.terrains), ("Places", model.places)):
        if kinds:
            yield section(title, _hexes(kinds))
    if model.grids:
        rows = ((_code(id), g.title or id, _tags(g.tags)) for id, g in model.grids.items())
        yield section("Grids beside the table", table(("name", "title", "tags"), rows))
    if model.pieces:
        pieces = ((link(piece_path(box.id, id), _code(id)), p.letter, str(p.supply), _tags(p.tags))
                  for id, p in model.pieces.items())  # fmt: skip
        yield section("Pieces", table(("name", "letter", "how many", "tags"), pieces))
    if model.tiles:
        tiles = ((_named_thing(id, names), t.place, str(t.each or t.copies)) for id, t in
                 model.tiles.items())  # fmt: skip
        yield section("Tiles", table(("name", "lies on", "how many"), tiles))
    if model.numbers:
        numbers = ((_code(id), str(value)) for id, value in model.numbers.items())
        yield section("Numbers", table(("name", "value"), numbers))
    if tagged := _tagged(box):
        tags = ((element("code", t, id=f"tag-{t}"), ", ".join(of)) for t, of in tagged.items())
        yield section("Tags, which name sets of hexes", table(("tag", "on"), tags))
    if model.sections:
        yield section("Sections", element("ul", *_maps(box)))
    if model.setups:
        setups = (
            (element("code", id), setup.title, _layout(setup.sections))
            for id, setup in model.setups.items()
        )
        yield section("Set-ups", table(("name", "title", "sections"), setups))


def _tagged(box: Box) -> dict[str, list[str]]:
    """What has each tag."""
    model = box.model
    found: dict[str, list[str]] = {}
    for of in (model.terrains, model.places, model.grids, model.pieces):
        for id, thing in of.items():
            for tag in thing.tags:
                found.setdefault(tag, []).append(id)
    return found


def _maps(box: Box) -> Iterator[Html]:
    for id, each in box.model.sections.items():
        note = " (stand-in map, not the printed one)" if each.map == "stand-in" else ""
        yield element("li", link(section_path(box.id, id), id), note)


def _hexes(kinds: Mapping[str, HexModel]) -> Html:
    rows = (
        (_code(id), kind.letter, kind.title or id, kind.colour, _tags(kind.tags))
        for id, kind in kinds.items()
    )
    return table(("name", "letter", "title", "colour", "tags"), rows)


def _code(id: str) -> Html:
    return element("code", id, id=id)


def _tags(tags: tuple[str, ...]) -> str:
    return ", ".join(tags)


def _named_thing(id: str, names: Names) -> Content:
    to = names.declared.get(id)
    return link(to, id) if to else id


def _layout(rows: tuple[tuple[str, ...], ...]) -> str:
    return " / ".join(", ".join(row) for row in rows)


def _piece(id: str, piece: PieceModel, volume: Volume, names: Names) -> Iterator[Content]:
    whose = "of nobody" if piece.neutral else "of each player"
    size = SIZES[piece.shape]
    covers = f" One covers {size} hexes." if size > 1 else ""
    yield element("p", f"{piece.supply} {whose}, drawn {piece.letter or 'a'}.{covers}")
    if piece.tags:
        yield element("p", f"Tags: {_tags(piece.tags)}.")
    users = [entry for entry in volume.visible if id in names.uses[entry.path]]
    if users:
        items = (element("li", link(e.path, e.title), f": {e.wording}") for e in users)
        yield section("Who speaks of it", element("ul", *items))


def _section(id: str, volume: Volume, names: Names) -> Iterator[Content]:
    ruleset = volume.ruleset
    laid = ruleset.parts.sections[id]
    if laid.stand_in:
        yield element("p", f"{stand_in_note([id])}.", class_="note")
    yield element("figure", element("div", section_board(ruleset, laid, "s"), class_="board"))
    if laid.places:
        rows = ((digit, _named_thing(tile, names)) for digit, tile in sorted(laid.places.items()))
        yield section("Its tiles", table(("drawn", "tile"), rows))
    letters = "".join(letter for *_, letter in laid.cells)
    kinds = ((k.letter, k.title, str(letters.count(k.letter))) for k in ruleset.catalog.hexes)
    held = (row for row in kinds if row[2] != "0")
    yield section("Its hexes", table(("letter", "what", "how many"), held))
    setups = [s for s in ruleset.parts.setups.values() if s.layout and id in s.layout.sections]
    if setups:
        yield section("Set-ups with it", element("ul", *(element("li", s.title) for s in setups)))
