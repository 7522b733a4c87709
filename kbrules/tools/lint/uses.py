"""What rules and data speak of, what is declared and never used, and texts that are missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbrules.diagnostics import Diagnostic, Label
from kbrules.game.board import CARDS_BESIDE, CARDS_IN_PLAY
from kbrules.lang.checker.rules import names_in
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Sort, nodes_in
from kbrules.library.box import Box
from kbrules.library.texts import Original, Texts, missing, originals, stale, texts_folder, texts_in
from kbrules.primitives.vocabulary import vocabulary
from kbrules.text import Source, Span, counted
from kbrules.tools.lint.subject import Subject, lint
from kbrules.tools.texts import declarations_of

_HELP = "use it, or delete it"


@dataclass(frozen=True, slots=True)
class Uses:
    """Names that are read, and names of memories that something is put into."""

    read: frozenset[str]
    filled: frozenset[str]


def uses(subject: Subject) -> Uses:
    """What all loaded files together speak of, selected or not."""
    read: set[str] = set(subject.ruleset.marks)
    filled: set[str] = set()
    for declaration in subject.loaded.declarations:
        defined = declaration.name.text if isinstance(declaration, tree.Define | tree.Steps) else ""
        memories = set()
        for part in nodes_in(declaration):
            if isinstance(part, tree.Step):
                for memory in _memories(part):
                    memories.add(id(memory))
                    filled.add(memory.text)
            elif isinstance(part, tree.Name | tree.Call | tree.Change) and id(part) not in memories:
                read |= {_name(part)} - {defined}
    return Uses(frozenset(read), frozenset(filled))


def _name(part: tree.Name | tree.Call | tree.Change) -> str:
    match part:
        case tree.Name(text=text) | tree.Call(name=text):
            return text
        case tree.Change(quantity=word):
            return word.text


def _memories(step: tree.Step) -> Iterator[tree.Name]:
    """The memories a step puts something into, where they are named."""
    for signature in vocabulary().steps.get(step.verb.text, ()):
        parameters = {
            parameter.name for parameter in signature.parameters if parameter.sort is Sort.MEMORY
        }
        for phrase in step.arguments:
            if phrase.preposition.text in parameters and isinstance(phrase.value, tree.Name):
                yield phrase.value


# Lints


@lint("KB703")
def unused_define(subject: Subject) -> Iterator[Diagnostic]:
    """A define, or named steps, that nothing speaks of."""
    read = subject.shared(uses).read
    yield from _unused("KB703", "define", subject.nodes(tree.Define), read)
    yield from _unused("KB703", "steps", subject.nodes(tree.Steps), read)


@lint("KB704")
def unused_option(subject: Subject) -> Iterator[Diagnostic]:
    """An option whose value nothing asks for."""
    read = subject.shared(uses).read
    yield from _unused("KB704", "option", subject.nodes(tree.Option), read)


def _unused(
    code: str, noun: str, declared: Iterable[tree.WordDeclaration], read: frozenset[str]
) -> Iterator[Diagnostic]:
    for each in declared:
        if each.name.text not in read:
            message = f"no rule uses the {noun} `{each.name.text}`"
            yield Diagnostic(code, each.name.span, message, _HELP)


@lint("KB705")
def memory_never_read(subject: Subject) -> Iterator[Diagnostic]:
    """A memory that is never read."""
    read = subject.shared(uses).read
    for memory in subject.nodes(tree.Memory):
        if memory.name.text not in read and not memory.title:
            message = f"no rule asks what `{memory.name.text}` holds"
            yield Diagnostic("KB705", memory.name.span, message, _HELP)


@lint("KB706")
def memory_never_filled(subject: Subject) -> Iterator[Diagnostic]:
    """A memory that is read, and into which nothing is ever put."""
    known = subject.shared(uses)
    for memory in subject.nodes(tree.Memory):
        name = memory.name.text
        if (name in known.read or memory.title) and name not in known.filled:
            is_set = memory.sort.text == "hexes"
            verb, holds = ("add ... to", "empty") if is_set else ("count ... into", "0")
            message = f"nothing is ever put into `{name}`: it is always {holds}"
            yield Diagnostic("KB706", memory.name.span, message, f"write `{verb} {name}` somewhere")


@lint("KB707")
def unused_entry(subject: Subject) -> Iterator[Diagnostic]:
    """A number or a tag of a box that no rule speaks of."""
    read = subject.shared(uses).read | {CARDS_BESIDE, CARDS_IN_PLAY}
    for box in subject.boxes:
        for noun, name, span in _entries(box):
            if name not in read:
                yield Diagnostic("KB707", span, f"no rule speaks of the {noun} `{name}`", _HELP)


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
    for table, components in tables.items():
        for id, component in components.items():
            for at, tag in enumerate(component.tags):
                if tag not in seen:
                    seen.add(tag)
                    yield "tag", tag, box.span(table, id, "tags", at)


@lint("KB708")
def unused_variable(subject: Subject) -> Iterator[Diagnostic]:
    """Words over a loop that do not speak of what it runs over, or a parameter without a use.

    Steps may well be done for each of some hexes or players without a word about them.
    """
    for fold in subject.nodes(tree.Fold):
        yield from _unused_name(fold.variable, "loop", fold.condition, fold.body)
    for define in subject.nodes(tree.Define):
        yield from _unused_parameters(define.parameters, define.body)
    for steps in subject.nodes(tree.Steps):
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


# Texts in other languages that are missing, or older than what they translate.

_LISTED = 6
Known = tuple[Path, Texts, dict[str, Original]]


@lint("KB770")
def missing_texts(subject: Subject) -> Iterator[Diagnostic]:
    """A file of texts that lacks some of what the box says."""
    for _, texts, originals_by_key in _translated(subject):
        missing_keys = [each.key for each in missing(texts, originals_by_key)]
        if missing_keys:
            more = (
                [f"and {len(missing_keys) - _LISTED} more"] if len(missing_keys) > _LISTED else []
            )
            message = f"{counted(len(missing_keys), 'text')} of the box not translated here"
            help = ", ".join([*(f"`{key}`" for key in missing_keys[:_LISTED]), *more])
            yield Diagnostic("KB770", texts.document.span_at(("format",), key=True), message, help)


@lint("KB771")
def stale_texts(subject: Subject) -> Iterator[Diagnostic]:
    """A text without the stamp of what the box says now."""
    for _, texts, originals_by_key in _translated(subject):
        for each, span in stale(texts, originals_by_key):
            stamped = each.key in texts.model.stamps
            why = "has changed since this was translated" if stamped else "has no stamp"
            label = Label(each.span, "what it translates")
            help = "if it still fits, or once it does: `kbrules texts --stamp`"
            yield Diagnostic("KB771", span, f"`{each.key}` {why}", help, (label,))


def translated_sources(subject: Subject) -> list[Source]:
    """The files of texts of the selected boxes, in which comments may suppress warnings."""
    return [texts.document.source for _, texts, _ in _translated(subject)]


def _translated(subject: Subject) -> Iterator[Known]:
    """The files of texts of the selected boxes, which could be read."""
    reading = subject.loaded.reading
    if reading is None:
        return
    for box in subject.boxes:
        originals_by_key = None
        for path in texts_in(texts_folder(box)):
            texts, findings = reading.files.texts(path)
            if texts is not None and not findings:
                originals_by_key = originals_by_key or originals(
                    box, declarations_of(subject.loaded, box)
                )
                yield path, texts, originals_by_key
