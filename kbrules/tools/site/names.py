"""Where a name in a rule leads: to the page of the word, or of what a box declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.tools.colours import Kind
from kbrules.tools.highlight import pieces
from kbrules.tools.site.markup import Html, element, join, link
from kbrules.tools.site.shelf import Entry, Volume

__all__ = [
    "EVENTS_PAGE", "STEPS", "THINGS", "WORDS", "Names", "names_of", "piece_path", "section_path",
]  # fmt: skip

WORDS = "reference/words.html"
STEPS = "reference/steps.html"
EVENTS_PAGE = "reference/events.html"
THINGS = "things.html"


def section_path(box: str, id: str) -> str:
    """The address of the page of a section."""
    return f"{box}/section-{id}.html"


def piece_path(box: str, id: str) -> str:
    """The address of the page of a piece."""
    return f"{box}/piece-{id}.html"


@dataclass(frozen=True, slots=True)
class Names:
    """The addresses of the names that a rule may use, by what they are there.

    `uses` has the names in each declaration by the address of its page.
    """

    declared: Mapping[str, str]
    words: Mapping[str, str]
    verbs: Mapping[str, str]
    uses: Mapping[str, frozenset[str]]

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
        return join(*(self._piece(kind, text) for kind, text in pieces))

    def _piece(self, kind: Kind, text: str) -> Html:
        if kind is Kind.BLANK:
            return join(text)
        to = self.address(kind, text)
        return element("span", text, class_=kind) if to is None else link(to, text, class_=kind)


def names_of(volumes: Sequence[Volume], volume: Volume) -> Names:
    """The names as a rule of a volume may use them, if these volumes have pages."""
    known = {each.id for each in volumes}
    words = {*vocabulary().words, *vocabulary().folds}
    declared = {name: f"{EVENTS_PAGE}#{name}" for name in EVENTS}
    declared |= dict(_things(volumes, volume))
    declared |= {e.name: e.path for e in volume.visible if e.volume in known and _is_said(e)}
    return Names(
        declared,
        {name: f"{WORDS}#{name}" for name in words},
        {verb: f"{STEPS}#{verb}" for verb in vocabulary().steps},
        {entry.path: _uses(entry) for entry in volume.visible},
    )


def _uses(entry: Entry) -> frozenset[str]:
    text = entry.declaration.span.text
    return frozenset(piece for kind, piece in pieces(text) if kind is Kind.NAME)


def _is_said(entry: Entry) -> bool:
    """Whether a rule may use the name of a declaration; that of a plain rule only `replaces`."""
    return entry.kind != "rule" or entry.rule is not None


def _things(volumes: Sequence[Volume], volume: Volume) -> Iterator[tuple[str, str]]:
    """Terrains, places, pieces, numbers and tags of the boxes that this one is seen among."""
    for each in volumes:
        if each.box is None or each.id not in volume.ruleset.boxes:
            continue
        model = each.box.model
        things = f"{each.id}/{THINGS}"
        for table in (model.terrains, model.places, model.grids, model.pieces):
            for id, thing in table.items():
                yield id, f"{things}#{id}"
                yield from ((tag, f"{things}#tag-{tag}") for tag in thing.tags)
        yield from ((id, piece_path(each.id, id)) for id in model.pieces)
        yield from ((id, f"{things}#{id}") for id in model.numbers)
