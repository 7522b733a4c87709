"""The page of a declaration: its wording, its text in colour, its examples on boards."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.scenario.examples import RuleExample, run_example
from kbrules.tools.editors.highlight import rule_tokens, sentence_tokens
from kbrules.tools.explaining.options import value_text
from kbrules.tools.publishing.site.boards import example_board
from kbrules.tools.publishing.site.content import KINDS, BoxContent, DeclarationEntry
from kbrules.tools.publishing.site.evidence import Evidence
from kbrules.tools.publishing.site.links import Links, section_path
from kbrules.tools.publishing.site.page import BOXES, Page
from kbrules.tools.publishing.site.workshop import Workshop

_MARKS = {"+": "offered", "<": "lifted", "!": "chosen before it is counted"}


def declaration_page(
    entry: DeclarationEntry,
    content: BoxContent,
    links: Links,
    evidence: Evidence,
    workshop: Workshop,
) -> Page:
    """The page of a declaration."""
    values = _EntryValues(entry, content, links).all() | evidence.values(entry)
    values |= workshop.values(entry, content)
    kind = f"{entry.kind} of {content.title}"
    above = (BOXES, (content.title, content.path))
    group = KINDS.get(entry.kind, "")
    return Page(entry.path, entry.title, kind, "declaration", values, entry.wording, above, group,
                entry.lang)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _EntryValues:
    """What the page of an entry shows."""

    entry: DeclarationEntry
    content: BoxContent
    links: Links

    def all(self) -> dict[str, Any]:
        declaration, rule = self.entry.declaration, self.entry.rule
        replaced = _replaced_rule(declaration) if rule is not None else ""
        return {
            "entry": self.entry,
            "default": _default(declaration),
            "is_replaced": rule is None and isinstance(declaration, tree.Rule),
            "replaces": replaced,
            "replaces_path": self.links.rules.get(replaced),
            "text": self.links.link(rule_tokens(rule_text(declaration))),
            "examples": list(self._examples(rule)) if rule is not None else [],
            "options": self._options(),
            "users": self._users(),
            "sections": self._sections(),
        }

    def _examples(self, rule: Rule) -> Iterator[dict[str, Any]]:
        ruleset = self.content.ruleset
        for number, example in enumerate(rule.examples, 1):
            drawing = example.drawing.text if example.drawing is not None else ""
            yield {
                "title": example.title or f"Example {number}",
                "lines": [
                    self.links.link(sentence_tokens(line.span.text)) for line in example.lines
                ],
                "marks": [f"{mark} {means}" for mark, means in _MARKS.items() if mark in drawing],
                "drawing": "\n".join(line.strip() for line in drawing.split("\n")),
                "holds": run_example(ruleset, RuleExample(rule, example)).passed,
                "board": example_board(ruleset.catalog, rule.id, example, f"e{number}"),
            }

    def _options(self) -> list[DeclarationEntry]:
        """The options that the declaration depends on."""
        names = self.links.reaches[self.entry.path]
        return [e for e in self._others() if e.kind == "option" and e.name in names]

    def _users(self) -> list[DeclarationEntry]:
        """The declarations that use it; another can only replace a rule."""
        users = [e for e in self._others() if self.entry.name in self.links.uses[e.path]]
        if self.entry.kind != "rule":
            return users
        return [e for e in users if _replaced_rule(e.declaration) == self.entry.name]

    def _others(self) -> list[DeclarationEntry]:
        return [e for e in self.content.visible if e.path != self.entry.path]

    def _sections(self) -> list[tuple[str, str]]:
        """The sections with a tile, each with its address."""
        box = self.content.box
        if self.entry.kind not in TILE_KINDS or box is None:
            return []
        sections = box.model.sections.items()
        found = [id for id, section in sections if self.entry.name in section.places.values()]
        return [(id, section_path(box.id, id)) for id in found]


def _default(declaration: tree.Declaration) -> str:
    """What an option is if nobody says otherwise."""
    return value_text(declaration.default) if isinstance(declaration, tree.Option) else ""


def _replaced_rule(declaration: tree.Declaration) -> str:
    """The name of the rule that a declaration replaces."""
    other = declaration.replaces if isinstance(declaration, tree.Rule) else None
    return other.text if other is not None else ""


def rule_text(declaration: tree.Declaration, example_lines: Collection[int] = ()) -> str:
    """What is declared, without examples but those that begin in the lines `example_lines`.

    A declaration reaches to the next one, and a comment above that belongs to it.
    """
    first = declaration.span.line
    hidden = {
        number - first
        for part in (declaration.body if isinstance(declaration, tree.Rule) else ())
        if isinstance(part, tree.Example) and part.span.line not in example_lines
        for number in range(part.span.line, part.span.end_line + 1)
    }
    lines = declaration.span.text.split("\n")
    kept = [line for number, line in enumerate(lines) if number not in hidden]
    while kept and (not kept[-1].strip() or kept[-1].startswith("#")):
        kept.pop()
    return "\n".join(kept)
