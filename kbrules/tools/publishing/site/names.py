"""Where a name in a rule leads: to the page of the word, or of what a box declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.tools.editors.colours import Kind
from kbrules.tools.editors.highlight import pieces
from kbrules.tools.publishing.site.markup import Html, element, join, link
from kbrules.tools.publishing.site.shelf import Entry, Volume, folder_of

__all__ = [
    "EVENTS_PAGE", "STEPS", "THINGS", "WORDS", "Names", "names_of", "piece_path", "section_path",
]  # fmt: skip

WORDS = "reference/words.html"
STEPS = "reference/steps.html"
EVENTS_PAGE = "reference/events.html"
THINGS = "things.html"


def section_path(box: str, id: str) -> str:
    """The address of the page of a section."""
    return f"{folder_of(box)}/section-{id}.html"


def piece_path(box: str, id: str) -> str:
    """The address of the page of a piece."""
    return f"{folder_of(box)}/piece-{id}.html"


@dataclass(frozen=True, slots=True)
class Names:
    """The addresses of the names that a rule may use, by what they are there.

    What follows `when` are `events`, what follows `replaces` are `rules`. `uses` has the names in
    each declaration by the address of its page, `reaches` those in its definitions as well.
    """

    declared: Mapping[str, str]
    words: Mapping[str, str]
    verbs: Mapping[str, str]
    events: Mapping[str, str]
    rules: Mapping[str, str]
    uses: Mapping[str, frozenset[str]]
    reaches: Mapping[str, frozenset[str]]

    def address(self, kind: Kind, name: str) -> str | None:
        """Where a piece of a rule leads, if it leads anywhere."""
        match kind:
            case Kind.WORD:
                return self.words.get(name)
            case Kind.VERB:
                return self.verbs.get(name)
            case Kind.NAME:
                return self.declared.get(name) or self.words.get(name)
        return None

    def coded(self, pieces: Sequence[tuple[Kind, str]]) -> Html:
        """A rule text in colour, with its names leading on."""
        made, of_events, of_other = [], False, False
        for kind, text in pieces:
            if kind is Kind.KEYWORD or text == ":":
                of_events, of_other = text == "when", text == "replaces"
            is_name = kind in (Kind.NAME, Kind.WORD)
            if of_events and is_name:
                made.append(self._led(kind, text, self.events.get(text)))
            elif of_other and is_name:
                made.append(self._led(kind, text, self.rules.get(text)))
            else:
                made.append(self._led(kind, text, self.address(kind, text)))
        return join(*made)

    def _led(self, kind: Kind, text: str, to: str | None) -> Html:
        if kind is Kind.BLANK:
            return join(text)
        return element("span", text, class_=kind) if to is None else link(to, text, class_=kind)


def names_of(volumes: Sequence[Volume], volume: Volume) -> Names:
    """The names as a rule of a volume may use them, if these volumes have pages."""
    known = {each.id for each in volumes}
    entries = [each for each in volume.visible if each.volume in known]
    rules = {each.name: each.path for each in entries}
    said = {each.name: each.path for each in entries if each.kind != "rule"}
    words = {*vocabulary().words, *vocabulary().folds}
    uses = {entry.path: _uses(entry) for entry in volume.visible}
    defined = {e.name: uses[e.path] for e in volume.visible if e.kind == "define"}
    return Names(
        dict(_things(volumes, volume)) | said,
        {name: f"{WORDS}#{name}" for name in words},
        {verb: f"{STEPS}#{verb}" for verb in vocabulary().steps},
        {name: f"{EVENTS_PAGE}#{name}" for name in EVENTS},
        rules,
        uses,
        {path: _reached(names, defined) for path, names in uses.items()},
    )


def _reached(names: frozenset[str], defined: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Names with those in the definitions among them, and so on."""
    found, todo = set[str](), set(names)
    while todo:
        name = todo.pop()
        found.add(name)
        todo |= defined.get(name, frozenset()) - found
    return frozenset(found)


def _uses(entry: Entry) -> frozenset[str]:
    text = entry.declaration.span.text
    return frozenset(piece for kind, piece in pieces(text) if kind is Kind.NAME)


def _things(volumes: Sequence[Volume], volume: Volume) -> Iterator[tuple[str, str]]:
    """Terrains, places, pieces, numbers and tags of the boxes that this one is seen among."""
    for each in volumes:
        if each.box is None or each.id not in volume.ruleset.boxes:
            continue
        model = each.box.model
        things = f"{folder_of(each.id)}/{THINGS}"
        for table in (model.terrains, model.places, model.grids, model.pieces):
            for id, thing in table.items():
                yield id, f"{things}#{id}"
                yield from ((tag, f"{things}#tag-{tag}") for tag in thing.tags)
        yield from ((id, piece_path(each.id, id)) for id in model.pieces)
        yield from ((id, f"{things}#{id}") for id in model.numbers)
