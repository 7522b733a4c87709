"""Help with the arguments of the word or step that is being written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from kbrules.lang.checker.expressions import Scope
from kbrules.lang.syntax.build import code_only
from kbrules.lang.typed import Parameter, Signature
from kbrules.library.discovery import kind_of
from kbrules.tools.language_service.answers import Shape, SignatureHelp
from kbrules.tools.language_service.texts import declaration_at, zone_at
from kbrules.tools.language_service.workspace import Workspace

_CALLED = re.compile(r"([a-z][a-z0-9_]*)$")
_VERB = re.compile(r"^[ \t]*(?:[a-z ]+:[ \t]*)?([a-z_]+)[ \t]")
_SLOT = re.compile(r"[A-Z]+")


def signature_at(workspace: Workspace, path: Path, offset: int) -> SignatureHelp | None:
    """The ways to write the word whose arguments are written at a place, or the step there."""
    source = workspace.source(path)
    checked = workspace.last_loaded(path).checked
    if kind_of(path) != "rules" or checked is None or zone_at(source, offset) != "code":
        return None
    around = declaration_at(source, offset)
    before = code_only(around.text[: offset - around.start])
    found = _open_call(before)
    if found is not None:
        return _of_call(*found, checked.scope)
    return _of_step(before.rpartition("\n")[2], checked.scope)


def _open_call(before: str) -> tuple[str, int] | None:
    """The word whose parenthesis is still open, and the number of the argument, from 0."""
    depth, commas = 0, 0
    for at in range(len(before) - 1, -1, -1):
        sign = before[at]
        if sign == ")":
            depth += 1
        elif sign == "(" and depth:
            depth -= 1
        elif sign == "(":
            word = _CALLED.search(before[:at])
            if word is not None:
                return word[1], commas
            commas = 0
        elif sign == "," and not depth:
            commas += 1
    return None


def _of_call(name: str, number: int, scope: Scope) -> SignatureHelp | None:
    shapes = [*_shapes(name, scope)]
    if not shapes:
        return None
    active = next((n for n, s in enumerate(shapes) if len(s.parameters) > number), 0)
    return SignatureHelp(tuple(shapes), active, number)


def _shapes(name: str, scope: Scope) -> Iterator[Shape]:
    for each in scope.vocabulary.words.get(name, ()):
        if each.parameters:
            yield _of_signature(each)
    for each in scope.vocabulary.folds.get(name, ()):
        inner = f"{each.parameters[0].sort} for name in groups or players"
        label = f"{name}({inner}): {each.result}"
        yield Shape(label, ((len(name) + 1, len(name) + 1 + len(inner)),), each.page)
    definition = scope.names.definitions.get(name)
    if definition is not None and definition.parameters:
        yield _shape(name, definition.parameters, f": {definition.body.sort}", "")
    steps = scope.names.named_steps
    if name in steps.declared and steps.parameters.get(name):
        yield _shape(name, steps.parameters[name], "", steps.declared[name].wording)


def _of_signature(signature: Signature) -> Shape:
    more = ", ..." if signature.chained else ""
    return _shape(
        signature.name, signature.parameters, f": {signature.result}", signature.page, more
    )


def _shape(
    name: str, parameters: Sequence[Parameter], behind: str, page: str, more: str = ""
) -> Shape:
    label, places = f"{name}(", list[tuple[int, int]]()
    for number, each in enumerate(parameters):
        label += ", " if number else ""
        places.append((len(label), len(label) + len(f"{each.name}: {each.sort}")))
        label += f"{each.name}: {each.sort}"
    return Shape(f"{label}{more}){behind}", tuple(places), page)


def _of_step(line: str, scope: Scope) -> SignatureHelp | None:
    """The patterns of the step that a line begins with; the slot is the last one that is begun."""
    found = _VERB.match(line)
    steps = scope.vocabulary.steps.get(found[1], ()) if found is not None else ()
    if found is None or not steps:
        return None
    shapes = []
    for step in steps:
        slots = tuple(each.span() for each in _SLOT.finditer(step.pattern))
        shapes.append(Shape(step.pattern, slots, step.page))
    typed = line[found.end(1) :].split()
    words = {word for step in steps for word in step.pattern.split() if word.islower()}
    number = sum(word in words for word in typed)
    return SignatureHelp(tuple(shapes), 0, number)
