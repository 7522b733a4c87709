"""The page of a declaration: its wording, its text in colour, its examples on boards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.lang import tree
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.scenario.examples.check import run_example
from kbrules.scenario.examples.setup import RuleExample
from kbrules.tools.editors.highlight import pieces, sentence
from kbrules.tools.explaining.options import value_text
from kbrules.tools.publishing.site.boards import example_board
from kbrules.tools.publishing.site.frame import Page, section
from kbrules.tools.publishing.site.markup import Content, Html, element, join, link
from kbrules.tools.publishing.site.names import Names, section_path
from kbrules.tools.publishing.site.shelf import Entry, Volume
from kbrules.tools.publishing.site.witness import Witness

__all__ = ["declaration_page"]

_SIGNS = {"+": "offered", "<": "lifted", "!": "chosen before it is counted"}


@dataclass(frozen=True, slots=True)
class _Writer:
    """The page of an entry, part by part."""

    entry: Entry
    volume: Volume
    names: Names
    witness: Witness

    def parts(self) -> Iterator[Content]:
        entry = self.entry
        if entry.wording:
            yield element("p", entry.wording, class_="wording")
        yield element("p", f"{entry.kind} ", element("code", entry.name), f", {entry.where}")
        yield self._instead()
        yield section("The rule", self.code(self._text()))
        yield self._examples()
        yield self._used()
        yield self._touched()
        yield from self.witness.parts(entry)

    def code(self, text: str) -> Html:
        """A rule text as a block."""
        coded = element("code", self.names.coded(list(pieces(text))))
        return element("pre", coded, class_="kb", tabindex="0")

    def _text(self) -> str:
        """What is declared, without the examples, which are shown by themselves.

        A declaration reaches to the next one, and a comment above that belongs to it.
        """
        declaration = self.entry.declaration
        first = declaration.span.line
        examples = getattr(self.entry.declaration, "body", ())
        hidden = {
            number - first
            for part in (examples if isinstance(declaration, tree.Rule) else ())
            if isinstance(part, tree.Example)
            for number in range(part.span.line, part.span.end_line + 1)
        }
        lines = declaration.span.text.split("\n")
        kept = [line for number, line in enumerate(lines) if number not in hidden]
        while kept and (not kept[-1].strip() or kept[-1].startswith("#")):
            kept.pop()
        return "\n".join(kept)

    def _instead(self) -> Html | None:
        declaration = self.entry.declaration
        if isinstance(declaration, tree.Option):
            default = element("code", value_text(declaration.default))
            return element("p", "If nobody says otherwise it is ", default, ".")
        if not isinstance(declaration, tree.Rule):
            return None
        if self.entry.rule is None:
            return element("p", "Here another declaration stands in for it.", class_="note")
        if declaration.replaces is not None:
            other = declaration.replaces.text
            to = self.names.rules.get(other)
            said = element("code", other)
            return element("p", "It replaces ", link(to, said) if to else said, ".")
        return None

    def _examples(self) -> Html | None:
        rule = self.entry.rule
        if rule is None or not rule.examples:
            return None
        shown = [self._example(each, number) for number, each in enumerate(rule.examples, 1)]
        return section("Examples", *shown)

    def _example(self, example: tree.Example, number: int) -> Html:
        rule = self.entry.rule
        assert rule is not None
        holds = run_example(self.volume.ruleset, RuleExample(rule, example)).passed
        lines = [self.names.coded(sentence(line.span.text)) for line in example.lines]
        drawn = example.drawing.text if example.drawing is not None else ""
        marks = [f"{sign} {means}" for sign, means in _SIGNS.items() if sign in drawn]
        caption = element(
            "figcaption",
            element("strong", example.title or f"Example {number}"),
            element("pre", element("code", *_below(lines)), class_="kb"),
            element("p", ", ".join(marks), class_="quiet") if marks else None,
            _in_letters(drawn) if drawn else None,
            element("p", "It holds." if holds else "It does not hold.", class_="quiet"),
        )
        board = example_board(self.volume.ruleset, rule.id, example, f"e{number}")
        return element("figure", element("div", board, class_="board"), caption)

    def _used(self) -> Html | None:
        """The options that a declaration hangs on, and who speaks of it."""
        own = self.names.reaches[self.entry.path]
        others = [e for e in self.volume.visible if e.path != self.entry.path]
        options = [e for e in others if e.kind == "option" and e.name in own]
        users = [e for e in others if self.entry.name in self.names.uses[e.path]]
        if self.entry.kind == "rule":  # all that can be said of one is that another replaces it
            users = [e for e in users if self._is_replaced_by(e.declaration)]
        return join(
            section("Options that touch it", self._list(options)) if options else None,
            section("Who speaks of it", self._list(users)) if users else None,
        )

    def _is_replaced_by(self, other: tree.Declaration) -> bool:
        named = other.replaces if isinstance(other, tree.Rule) else None
        return named is not None and named.text == self.entry.name

    def _list(self, entries: list[Entry]) -> Html:
        return element("ul", *(_item(each) for each in entries))

    def _touched(self) -> Html | None:
        """The sections with a tile."""
        box = self.volume.box
        if self.entry.kind not in TILE_KINDS or box is None:
            return None
        found = [id for id, s in box.model.sections.items() if self.entry.name in s.places.values()]
        if not found:
            return None
        items = (element("li", link(section_path(box.id, id), id)) for id in found)
        return section("Sections with it", element("ul", *items))


def _below(lines: list[Html]) -> Iterator[Content]:
    """Lines one below the other."""
    for number, line in enumerate(lines):
        yield "\n" if number else None
        yield line


def _in_letters(drawn: str) -> Html:
    """A drawing as it is written, for who would rather read it."""
    lines = "\n".join(line.strip() for line in drawn.split("\n"))
    return element("details", element("summary", "As it is drawn"),
                   element("pre", element("code", lines), tabindex="0"))  # fmt: skip


def _item(entry: Entry) -> Html:
    return element("li", link(entry.path, entry.title), f": {entry.wording}")


def declaration_page(entry: Entry, volume: Volume, names: Names, witness: Witness) -> Page:
    """The page of a declaration."""
    above = (("Boxes", "index.html"), (volume.title, volume.path))
    body = join(*_Writer(entry, volume, names, witness).parts())
    about = f"{entry.name} {entry.wording}"
    return Page(entry.path, entry.title, f"{entry.kind} of {volume.title}", about, body, above)
