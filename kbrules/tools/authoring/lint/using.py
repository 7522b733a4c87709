"""What is declared and never used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kbrules.diagnostics import Diagnostic
from kbrules.game.catalog import CARDS_BESIDE, CARDS_IN_PLAY
from kbrules.lang import tree
from kbrules.library.boxes.box import Box
from kbrules.text import Span
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.authoring.lint.uses import names_in, uses

_DROP = "use it, or delete it"


@lint("KB703")
def unused_define(subject: Subject) -> Iterator[Diagnostic]:
    """A define, or named steps, that nothing speaks of."""
    asked = subject.shared(uses).asked
    yield from _unused("KB703", "define", subject.written(tree.Define), asked)
    yield from _unused("KB703", "steps", subject.written(tree.Steps), asked)


@lint("KB704")
def unused_option(subject: Subject) -> Iterator[Diagnostic]:
    """An option whose value nothing asks for."""
    asked = subject.shared(uses).asked
    yield from _unused("KB704", "option", subject.written(tree.Option), asked)


def _unused(
    code: str, noun: str, declared: Iterable[tree.WordDeclaration], asked: frozenset[str]
) -> Iterator[Diagnostic]:
    for each in declared:
        if each.name.text not in asked:
            message = f"no rule uses the {noun} `{each.name.text}`"
            yield Diagnostic(code, each.name.span, message, _DROP)


@lint("KB705")
def memory_never_read(subject: Subject) -> Iterator[Diagnostic]:
    """A memory that is kept and never asked for."""
    asked = subject.shared(uses).asked
    for memory in subject.written(tree.Memory):
        if memory.name.text not in asked and not memory.title:
            message = f"no rule asks what `{memory.name.text}` holds"
            yield Diagnostic("KB705", memory.name.span, message, _DROP)


@lint("KB706")
def memory_never_filled(subject: Subject) -> Iterator[Diagnostic]:
    """A memory that is asked for, and into which nothing is ever put."""
    known = subject.shared(uses)
    for memory in subject.written(tree.Memory):
        name = memory.name.text
        if (name in known.asked or memory.title) and name not in known.filled:
            is_set = memory.sort.text == "hexes"
            verb, holds = ("add ... to", "empty") if is_set else ("count ... into", "0")
            message = f"nothing is ever put into `{name}`: it is always {holds}"
            yield Diagnostic("KB706", memory.name.span, message, f"write `{verb} {name}` somewhere")


@lint("KB707")
def unused_entry(subject: Subject) -> Iterator[Diagnostic]:
    """A number or a tag of a box that no rule speaks of."""
    asked = subject.shared(uses).asked | {CARDS_BESIDE, CARDS_IN_PLAY}
    for box in subject.boxes:
        for noun, name, span in _entries(box):
            if name not in asked:
                yield Diagnostic("KB707", span, f"no rule speaks of the {noun} `{name}`", _DROP)


def _entries(box: Box) -> Iterator[tuple[str, str, Span]]:
    """The numbers and tags of a box, each where it stands first."""
    for name in box.model.numbers:
        yield "number", name, box.key("numbers", name)
    seen: set[str] = set()
    model = box.model
    tables: dict[str, Mapping[str, Any]] = {
        "terrains": model.terrains,
        "places": model.places,
        "pieces": model.pieces,
        "grids": model.grids,
    }
    for table, things in tables.items():
        for id, thing in things.items():
            for at, tag in enumerate(thing.tags):
                if tag not in seen:
                    seen.add(tag)
                    yield "tag", tag, box.span(table, id, "tags", at)


@lint("KB708")
def unused_variable(subject: Subject) -> Iterator[Diagnostic]:
    """Words over a loop that do not speak of what it runs over, or a parameter without a use.

    Steps may well be done for each of some things without a word about them.
    """
    for fold in subject.written(tree.Fold):
        yield from _unused_name(fold.variable, "loop", fold.condition, fold.body)
    for define in subject.written(tree.Define):
        yield from _unused_parameters(define.parameters, define.body)
    for steps in subject.written(tree.Steps):
        yield from _unused_parameters(steps.parameters, steps.body)


def _unused_parameters(
    parameters: Iterable[tuple[tree.Word, tree.Word]], body: object
) -> Iterator[Diagnostic]:
    for name, _ in parameters:
        yield from _unused_name(name, "definition", body)


def _unused_name(name: tree.Word, what: str, *parts: object) -> Iterator[Diagnostic]:
    if name.text not in names_in(*parts):
        message = f"the {what} never speaks of `{name.text}`"
        help_ = "say what is asked of each" if what == "loop" else "leave it out"
        yield Diagnostic("KB708", name.span, message, help_)
