"""What fits at a place of a rule or of data: asked of the checker, and of the models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from kbrules.lang.checker import rules, statements
from kbrules.lang.checker.expressions import Scope, infer
from kbrules.lang.syntax import parse, tree
from kbrules.lang.syntax.split import split
from kbrules.lang.typed import ELEMENT, Lit, Sort
from kbrules.library import discovery, validation
from kbrules.library.yaml import Document, Loc, Node, YamlList, YamlTable
from kbrules.text import Source, Span
from kbrules.tools.language_service.answers import declaration_at
from kbrules.tools.language_service.workspace import Workspace

# What fits at a place of a rule: a name nobody knows is put there, and the checker is watched.
#
# So the sorts that are wanted and the names that are bound are those of the checker itself.


PLACEHOLDER = "kb_placeholder"
_TAILS = ("", ":", f": {PLACEHOLDER}_step", " in rows", " in rows:", " by 1", ':\n    "."')
"""What may be missing behind the name before the line can be read."""
Step = tuple[object, str]
"""A node of the tree, and the field of it in which the next one lies."""


@dataclass(frozen=True, slots=True)
class Probe:
    """What was learnt of a place in a declaration.

    `path` leads from the declaration to the place. `variables` are bound there; `sorts` are wanted,
    any if it is empty. `is_domain` if a loop runs over what stands there.
    """

    declaration: tree.Declaration
    path: tuple[Step, ...]
    variables: Mapping[str, Sort]
    sorts: frozenset[Sort]

    @property
    def owner(self) -> object:
        """The node that the name stands in: an expression of its own, or a part of a statement."""
        return self.path[-1][0]

    @property
    def is_expression(self) -> bool:
        """Whether an expression stands at the place."""
        return isinstance(self.owner, tree.Name | tree.Call | tree.Fold)

    def around(self, kind: type[object]) -> Step | None:
        """The innermost node of a kind around the place, and the field that leads to it."""
        return next((step for step in reversed(self.path) if isinstance(step[0], kind)), None)


def probe(source: Source, word: Span, scope: Scope) -> Probe | None:
    """What fits in the place of a word, which may be empty; None if no tree has such a place."""
    around = declaration_at(source, word.start)
    before = around.text[: word.start - around.start]
    after = around.text[max(word.end, word.start) - around.start :]
    for text in _attempts(before, after):
        declaration = _parsed(text)
        path = _path_to(declaration) if declaration is not None else None
        if declaration is not None and path is not None:
            return _watched(declaration, path, scope)
    return None


def _attempts(before: str, after: str) -> Iterator[str]:
    """The text with a name at the place; then with what is open before it closed behind it."""
    below = "\n" + after.partition("\n")[2]
    line = before.rpartition("\n")[2]
    closed = PLACEHOLDER + ")" * max(0, line.count("(") - line.count(")"))
    yield before + PLACEHOLDER + after
    yield f"{before}{PLACEHOLDER} in rows){below}"
    for tail in _TAILS:
        yield before + closed + tail + below


def _parsed(text: str) -> tree.Declaration | None:
    chunks, _ = split(Source("", text))
    return parse.parse_chunk(chunks[0])[0] if chunks else None


def _path_to(node: object) -> tuple[Step, ...] | None:
    """The way from a node to the one with the name."""
    if isinstance(node, tuple):
        return next((path for each in node if (path := _path_to(each)) is not None), None)
    if not is_dataclass(node) or isinstance(node, Span):
        return None
    for name in (each.name for each in fields(node)):
        value = getattr(node, name)
        if value == PLACEHOLDER:
            return ((node, name),)
        path = _path_to(value)
        if path is not None:
            return ((node, name), *path)
    return None


# The checker, watched


class _Coercions(dict[tuple[Sort, Sort], str]):
    """Coercions that note which sorts were wanted in the place of the name."""

    def __init__(self, known: Mapping[tuple[Sort, Sort], str]) -> None:
        super().__init__(known)
        self.wanted: set[Sort] = set()

    def get(self, key: tuple[Sort, Sort], default: Any = None) -> Any:
        """Return the word that coerces, if there is one."""
        if key[0] is Sort.WORD:
            self.wanted.add(key[1])
        return super().get(key, default)


@dataclass(frozen=True, slots=True)
class _WatchedScope(Scope):
    """A scope that notes what is bound where the name stands."""

    seen: list[Mapping[str, Sort]] = field(default_factory=list)

    def unknown(self, name: str, span: Span) -> Lit:
        """The name has a sort that fits nowhere, so that every sort is asked for."""
        if name != PLACEHOLDER:
            return Scope.unknown(self, name, span)
        self.seen.append(self.variables)
        return Lit(Sort.WORD, span, name)

    def unknown_call(self, name: str, span: Span) -> Lit:
        """The same for a name with arguments."""
        return self.unknown(name, span)


def _watched(declaration: tree.Declaration, path: tuple[Step, ...], scope: Scope) -> Probe:
    coercions = _Coercions(scope.vocabulary.coercions)
    vocabulary = replace(scope.vocabulary, coercions=coercions)
    watched = _WatchedScope(vocabulary, scope.names, [])
    _check(declaration, watched)
    variables = watched.seen[0] if watched.seen else {}
    domain = any(step[1] == "domain" for step in path[-2:])
    sorts = frozenset(ELEMENT) if domain else frozenset(coercions.wanted)
    return Probe(declaration, path, variables, sorts)


def _check(declaration: tree.Declaration, scope: Scope) -> None:
    match declaration:
        case tree.Rule():
            rules.check_rule(declaration, scope)
        case tree.Define():
            inner = scope.with_bound_elsewhere()
            named = ((p.name, p.sort) for p in rules.parameters_of(declaration, scope))
            infer(declaration.body, inner.bind(*named))
        case tree.Steps():
            named = ((p.name, p.sort) for p in rules.parameters_of(declaration, scope))
            statements.check_block(declaration.body, scope.bind(*named), "steps")


# Places in data files and scenarios: the keys that lead there, and what the model says of them.


@dataclass(frozen=True, slots=True)
class YamlPlace:
    """The path to what stands at an offset; with `is_key`, the last part of it is the key there."""

    path: Loc
    is_key: bool
    start: int
    end: int


def shape_of(path: Path) -> validation.SchemaShape:
    """What a file may hold, by its model."""
    from kbrules.library.models import Expansion, TextsFile  # models are slow to load
    from kbrules.scenario.models import ScenarioFile

    models: dict[str | None, Any] = {"scenario": ScenarioFile, "texts": TextsFile}
    return validation.SchemaShape.of(models.get(discovery.kind_of(path), Expansion))


def places_in(document: Document) -> Iterator[YamlPlace]:
    """All keys and single values of a document, from top to bottom."""
    return _places(document.root, ())


def _places(node: Node, path: Loc) -> Iterator[YamlPlace]:
    if isinstance(node, YamlTable):
        for name, entry in node.entries.items():
            yield YamlPlace((*path, name), True, entry.key.start, entry.key.end)
            yield from _places(entry.value, (*path, name))
    elif isinstance(node, YamlList):
        for index, item in enumerate(node.items):
            yield from _places(item, (*path, index))
    else:
        yield YamlPlace(path, False, node.start, node.end)


def key_help(workspace: Workspace, path: Path, offset: int) -> str:
    """What the model says of the key at an offset, in Markdown; empty for anything else."""
    document, shape = workspace.document(path), shape_of(path)
    places = places_in(document) if document is not None else ()
    place = next((each for each in places if each.start <= offset <= each.end), None)
    if place is None or not place.is_key or not place.path:
        return ""
    if place.path[-1] not in shape.at(place.path[:-1]).keys():  # noqa: SIM118 (a shape)
        return ""
    here = shape.at(place.path)
    description = here.description()
    return f"**{place.path[-1]}**: {here.phrase()}" + (f"\n\n{description}." if description else "")
