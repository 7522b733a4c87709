"""Which declared names rules and data speak of, and which memories anything is put into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kbrules.lang import tree
from kbrules.lang.sorts import Sort
from kbrules.primitives.vocabulary import vocabulary
from kbrules.tools.authoring.lint.index import inside
from kbrules.tools.authoring.lint.subject import Subject

__all__ = ["Uses", "names_in", "uses"]


@dataclass(frozen=True, slots=True)
class Uses:
    """Names that are asked for, and names of memories that something is put into."""

    asked: frozenset[str]
    filled: frozenset[str]


def uses(subject: Subject) -> Uses:
    """What all loaded files together speak of, asked for or not."""
    asked: set[str] = set(subject.ruleset.marks)
    filled: set[str] = set()
    for declaration in subject.loaded.declarations:
        own = declaration.name.text if isinstance(declaration, tree.Define | tree.Steps) else ""
        memories = set()
        for part in inside(declaration):
            if isinstance(part, tree.Step):
                for memory in _memories(part):
                    memories.add(id(memory))
                    filled.add(memory.text)
            elif isinstance(part, tree.Name | tree.Call | tree.Change) and id(part) not in memories:
                asked |= {_name(part)} - {own}
    return Uses(frozenset(asked), frozenset(filled))


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


def names_in(*parts: object) -> Iterator[str]:
    """Every name that parts of a tree speak of."""
    for part in inside(parts):
        if isinstance(part, tree.Name):
            yield part.text
        elif isinstance(part, tree.Call):
            yield part.name
