"""Where a name in a rule leads: to the page of the word, or of what a box declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbrules.primitives.vocabulary import EVENTS, vocabulary
from kbrules.tools.editors.highlight import rule_tokens
from kbrules.tools.editors.token_patterns import TokenKind
from kbrules.tools.publishing.site.content import BoxContent, DeclarationEntry, folder_of
from kbrules.tools.publishing.site.page import Token

WORDS = "reference/words.html"
STEPS = "reference/steps.html"
EVENTS_PAGE = "reference/events.html"
COMPONENTS = "things.html"


def section_path(box: str, id: str) -> str:
    """The address of the page of a section."""
    return f"{folder_of(box)}/section-{id}.html"


def piece_path(box: str, id: str) -> str:
    """The address of the page of a piece."""
    return f"{folder_of(box)}/piece-{id}.html"


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of the names that a rule may use, by what they are there.

    What follows `when` are `events`, what follows `replaces` are `rules`. `uses` has the names in
    each declaration by the address of its page, `reaches` those in its definitions as well.
    `pages` say in a sentence what is found at an address of a word or a declaration.
    """

    declared: Mapping[str, str]
    words: Mapping[str, str]
    verbs: Mapping[str, str]
    events: Mapping[str, str]
    rules: Mapping[str, str]
    uses: Mapping[str, frozenset[str]]
    reaches: Mapping[str, frozenset[str]]
    pages: Mapping[str, str]

    def address(self, kind: TokenKind, name: str) -> str | None:
        """Where a piece of a rule leads, if it leads anywhere."""
        match kind:
            case TokenKind.WORD:
                return self.words.get(name)
            case TokenKind.VERB:
                return self.verbs.get(name)
            case TokenKind.NAME:
                return self.declared.get(name) or self.words.get(name)
        return None

    def link(self, tokens: Iterable[tuple[TokenKind, str]]) -> list[Token]:
        """The tokens of a rule text with the addresses that its names lead to."""
        linked_tokens: list[Token] = []
        after_when = after_replaces = False
        for kind, text in tokens:
            if kind is TokenKind.KEYWORD or text == ":":
                after_when, after_replaces = text == "when", text == "replaces"
            is_name = kind in (TokenKind.NAME, TokenKind.WORD)
            if is_name and (after_when or after_replaces):
                address = (self.events if after_when else self.rules).get(text)
            else:
                address = self.address(kind, text)
            linked_tokens.append((kind, text, address, self.pages.get(address or "", "")))
        return linked_tokens


def links_of(boxes: Sequence[BoxContent], content: BoxContent) -> Links:
    """The names as a rule of a box may use them, if these boxes have pages."""
    known = {each.id for each in boxes}
    entries = [each for each in content.visible if each.box in known]
    rules = {each.name: each.path for each in entries}
    declared = {each.name: each.path for each in entries if each.kind != "rule"}
    words = {*vocabulary().words, *vocabulary().folds}
    uses = {entry.path: _uses(entry) for entry in content.visible}
    defined = {e.name: uses[e.path] for e in content.visible if e.kind == "define"}
    return Links(
        dict(_components(boxes, content)) | declared,
        {name: f"{WORDS}#{name}" for name in words},
        {verb: f"{STEPS}#{verb}" for verb in vocabulary().steps},
        {name: f"{EVENTS_PAGE}#{name}" for name in EVENTS},
        rules,
        uses,
        {path: _reachable(names, defined) for path, names in uses.items()},
        {path: about for _, _, path, about in language_entries()}
        | {each.path: each.wording for each in entries},
    )


def language_entries() -> Iterator[tuple[str, str, str, str]]:
    """The words, steps and events of the language: (title, kind, address, what it is)."""
    known = vocabulary()
    for name, words in sorted({**known.folds, **known.words}.items()):
        yield name, "word", f"{WORDS}#{name}", _first_sentence(words[0].page)
    for verb, steps in sorted(known.steps.items()):
        yield verb, "step", f"{STEPS}#{verb}", _first_sentence(steps[0].page)
    for event in EVENTS.values():
        yield event.name, "event", f"{EVENTS_PAGE}#{event.name}", _first_sentence(event.page)


def _first_sentence(page: str) -> str:
    """The first sentence of the page of a word."""
    first, dot, _ = " ".join(page.split()).partition(". ")
    return first + "." * bool(dot)


def _reachable(names: frozenset[str], defined: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Names with those in the definitions among them, and so on."""
    reachable, pending = set[str](), set(names)
    while pending:
        name = pending.pop()
        reachable.add(name)
        pending |= defined.get(name, frozenset()) - reachable
    return frozenset(reachable)


def _uses(entry: DeclarationEntry) -> frozenset[str]:
    text = entry.declaration.span.text
    return frozenset(name for kind, name in rule_tokens(text) if kind is TokenKind.NAME)


def _components(boxes: Sequence[BoxContent], content: BoxContent) -> Iterator[tuple[str, str]]:
    """Terrains, places, pieces, numbers and tags of the boxes that this one is seen among."""
    for each in boxes:
        if each.box is None or each.id not in content.ruleset.boxes:
            continue
        model = each.box.model
        page = f"{folder_of(each.id)}/{COMPONENTS}"
        for table in (model.terrains, model.places, model.grids, model.pieces):
            for id, component in table.items():
                yield id, f"{page}#{id}"
                yield from ((tag, f"{page}#tag-{tag}") for tag in component.tags)
        yield from ((id, piece_path(each.id, id)) for id in model.pieces)
        yield from ((id, f"{page}#{id}") for id in model.numbers)
