"""Where names are declared and mentioned, the edits that give them others, and symbols."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from kbrules.lang.syntax import tree
from kbrules.lang.syntax.parse import parse
from kbrules.lang.typed import nodes_in
from kbrules.library import reading, validation
from kbrules.library.discovery import kind_of
from kbrules.library.yaml import Document, Entry, Loc, Node, Scalar, YamlList, YamlTable
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.scenario.example_lines import LINES
from kbrules.text import Source, Span
from kbrules.tools.language_service import answers
from kbrules.tools.language_service.answers import Place, Refused, Symbol, SymbolKind, TextEdit
from kbrules.tools.language_service.probing import YamlPlace, places_in, shape_of
from kbrules.tools.language_service.workspace import Workspace

# The names that rules mention, each with its place and what it belongs to.


Domain = Literal["word", "rule", "section", "box", "local", "any", "composed"]
"""Names of different domains have nothing to do with each other; "any" is a word or a rule."""
_Bound = Mapping[str, int]
_THINGS = TILE_KINDS | CARD_KINDS


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at a place of a text; `binder` is where a local name is bound, else -1."""

    name: str
    start: int
    end: int
    domain: Domain
    is_declaration: bool = False
    binder: int = -1

    def is_of(self, other: Mention) -> bool:
        """Whether it means the same as another one, in the same file where names are local."""
        if self.name != other.name or self.binder != other.binder:
            return False
        domains = {self.domain, other.domain}
        return len(domains) == 1 or (domains - {"any"} <= {"word", "rule"} and "any" in domains)


def mentions_in(declarations: Iterable[tree.Declaration]) -> list[Mention]:
    """The names in some declarations of a text, by place; what a table makes counts once."""
    found = (each for declaration in declarations for each in _of_declaration(declaration))
    return sorted(set(found), key=lambda each: (each.start, each.end, not each.is_declaration))


def _of_declaration(node: tree.Declaration) -> Iterator[Mention]:
    match node:
        case tree.Rule():
            domain: Domain = "word" if node.kind.text in _THINGS else "rule"
            yield _mention(node.name.text, node.name.span, domain, declares=True)
            if node.replaces is not None:
                yield _mention(node.replaces.text, node.replaces.span, domain)
            yield from _within(node.body, {})
        case tree.Define() | tree.Steps():
            yield _mention(node.name.text, node.name.span, "word", declares=True)
            yield from _bound([name for name, _ in node.parameters], node.body, {})
        case _ if node.name.text:
            yield _mention(node.name.text, node.name.span, "word", declares=True)


def _written_at(span: Span) -> tuple[int, int]:
    """Where the author wrote a span."""
    return span.source.written(span.start, span.end)


def _mention(name: str, span: Span, domain: Domain, declares: bool = False) -> Mention:
    """Return the mention of a name; a table composes it if only a part of it is written there."""
    start, end = _written_at(span)
    if span.source.text[start:end] == name:
        return Mention(name, start, end, domain, declares)
    return Mention(name, start, end, "composed")


def _bound(names: Sequence[tree.Word], part: object, around: _Bound) -> Iterator[Mention]:
    """Yield names that are bound, and those in the part in which they are."""
    inner = dict(around)
    for name in names:
        found = _mention(name.text, name.span, "local")
        inner[name.text] = found.start
        if found.domain == "local":
            yield replace(found, is_declaration=True, binder=found.start)
    yield from _within(part, inner)


def _within(part: object, bound: _Bound) -> Iterator[Mention]:
    """Yield the names in a part of a declaration; `bound` has those that are bound around it."""
    for node in nodes_in(part, _BINDING):
        match node:
            case tree.Name(text=name, span=span) if name in bound:
                yield Mention(name, *_written_at(span), "local", binder=bound[name])
            case tree.Name(text=name, span=span) | tree.Call(name=name, head=span):
                yield _mention(name, span, "word")
            case tree.Change(quantity=word) | tree.StepArgument(preposition=word, value=None):
                yield _mention(word.text, word.span, "word")  # an adverb, or the name of a piece
            case tree.Example(lines=lines):
                words = (line.verb for line in lines if line.verb.text not in LINES)
                yield from (_mention(word.text, word.span, "word") for word in words)
            case tree.Fold(variable=variable, domain=domain):
                yield _mention(node.name, node.head, "word")
                yield from _within(domain, bound)
                yield from _bound([variable], (node.body, node.condition), bound)
            case tree.Each(variable=variable, domain=domain):
                yield from _within(domain, bound)
                yield from _bound([variable], (node.guard, node.body), bound)
            case tree.Award(per=per, amount=amount, rank=rank, guard=guard):
                yield from _within(per.domain if per is not None else (), bound)
                names = [per.variable] if per is not None else []
                yield from _bound(names, (amount, rank, guard), bound)


_BINDING: frozenset[type] = frozenset({tree.Fold, tree.Each, tree.Award})


# The names that data files, scenarios and texts mention: no keys of the format, no free text.


_NAME = re.compile(r"(?<![\w#])[a-z][a-z0-9_]*(?!\w)")
_MENTIONING_TABLES = ("terrains", "places", "pieces", "tiles", "numbers", "grids", "marks")
_LISTS = ("cards", "tasks")
_SECTIONS = ("sections", "section_sets")
_DEPTH_OF_THINGS = 2
_SETUPS = "setups"  # their ids are no names
_OF_TEXTS = ("rules", "memories", "stamps")
_FREE = frozenset({"title", "colour", "rows", "drawing", "letter", "kind"})
_OF_RULES = frozenset({"because", "done", "choices", "offered", "steps", "move", "refused", "gold"})
_OF_BOXES, _OF_SCENARIOS = frozenset({"needs", "id"}), "with"


def data_mentions(document: Document, shape: validation.SchemaShape, is_box: bool) -> list[Mention]:
    """The names in a data file, by place; `is_box` if it declares things, and no scenario does."""
    found = (m for place in places_in(document) for m in _mentions(document, shape, place, is_box))
    return sorted(found, key=lambda each: each.start)


def translated_names(document: Document) -> Iterator[Mention]:
    """The names of things and rules in a file of texts, those in its stamps too, by place."""
    for place in places_in(document):
        match place.path:
            case (str(table), str(id)) if place.is_key and table != _SETUPS:
                name = id.rpartition(".")[2]
                start = place.end - len(name)
                if document.source.text[start : place.end] == name:
                    domain: Domain = "any" if table in _OF_TEXTS else "word"
                    yield Mention(name, start, place.end, domain)


def _mentions(
    document: Document, shape: validation.SchemaShape, place: YamlPlace, is_box: bool
) -> Iterator[Mention]:
    names = [part for part in place.path if isinstance(part, str)]
    if not place.is_key and (
        not names or names[-1] in _FREE or not _takes_names(shape, place.path)
    ):
        return
    if place.is_key and names[-1] in shape.at(place.path[:-1]).keys():  # noqa: SIM118 (a shape)
        return
    domain = _domain(place.path, place.is_key)
    declares = is_box and _declares(place)
    text = document.source.text[place.start : place.end]
    for found in _NAME.finditer(text):
        start, end = place.start + found.start(), place.start + found.end()
        yield Mention(found[0], start, end, domain, declares)


def _takes_names(shape: validation.SchemaShape, path: Loc) -> bool:
    """Whether the value at a path is a text of the author's choice."""
    schemas = shape.at(path).schemas
    return any(s.get("type") == "string" and "enum" not in s and "const" not in s for s in schemas)


def _domain(path: Loc, is_key: bool) -> Domain:
    names = [part for part in path if isinstance(part, str)]
    if names[0] in _OF_BOXES or names[-1] == _OF_SCENARIOS:
        return "box"
    if names[0] == "sections":
        return "section" if is_key and len(path) == _DEPTH_OF_THINGS else "word"
    if any(name in _SECTIONS for name in names):
        return "section"
    if "grids" in names and names[0] != "grids" and not is_key:
        return "section"
    return "any" if any(name in _OF_RULES for name in names) else "word"


def _declares(place: YamlPlace) -> bool:
    """Whether a thing of the box begins to be there by this."""
    match place.path:
        case (table, str()) if place.is_key:
            return table in (*_MENTIONING_TABLES, "sections")
        case (table, int()):
            return table in _LISTS
        case (_, _, "tags", int()):
            return True
    return False


Found = Iterator[tuple[Path, Mention]]


def mentions(workspace: Workspace, path: Path) -> Sequence[Mention]:
    """The names that a file mentions, by place."""
    return [each for each in _all_mentions(workspace, path) if each.domain != "composed"]


def _all_mentions(workspace: Workspace, path: Path) -> Sequence[Mention]:
    """The same, and the names that a table composes, where their parts are written."""
    if kind_of(path) == "rules":
        file = workspace.rules(path)
        return workspace.files.memoized(
            ("mentions", path), [file], lambda: mentions_in(file.declarations)
        )
    document, is_box = workspace.document(path), kind_of(path) == "box"
    if document is None or kind_of(path) is None:
        return ()
    if kind_of(path) == "texts":
        return [*translated_names(document)]
    return workspace.files.memoized(
        ("mentions", path), [document], lambda: data_mentions(document, shape_of(path), is_box)
    )


def mention_at(workspace: Workspace, path: Path, offset: int) -> Mention | None:
    """The name at a place, or one that ends there."""
    found = (m for m in mentions(workspace, path) if m.start <= offset <= m.end)
    return next(found, None)


def definition(workspace: Workspace, path: Path, offset: int) -> tuple[Place, ...]:
    """Where the name at a place is declared: in rules first, then in boxes."""
    wanted = mention_at(workspace, path, offset)
    if wanted is None:
        return ()
    found = [pair for pair in _of(workspace, path, wanted) if pair[1].is_declaration]
    found.sort(key=lambda pair: kind_of(pair[0]) != "rules")
    return tuple(_place_of(*pair) for pair in found)


def references(workspace: Workspace, path: Path, offset: int) -> tuple[Place, ...]:
    """Every place where the name at a place is mentioned, its declarations among them."""
    wanted = mention_at(workspace, path, offset)
    if wanted is None:
        return ()
    return tuple(_place_of(*pair) for pair in _of(workspace, path, wanted))


def _of(workspace: Workspace, path: Path, wanted: Mention) -> Found:
    """The mentions of what a mention in a file means; a local name is known in its file only."""
    files = [path] if wanted.domain == "local" else workspace.related(path)
    for file in files:
        if wanted.name not in workspace.text(file):
            continue  # many a scenario need not even be parsed
        for each in mentions(workspace, file):
            if each.is_of(wanted):
                yield file, each


def _place_of(path: Path, mention: Mention) -> Place:
    return Place(str(path), mention.start, mention.end)


# Other names


def prepare_rename(workspace: Workspace, path: Path, offset: int) -> Place:
    """Return the name at a place that can have another one. Raises Refused if it cannot."""
    return _place_of(path, _renamed(workspace, path, offset)[0])


def _renamed(
    workspace: Workspace, path: Path, offset: int
) -> tuple[Mention, list[tuple[Path, Mention]]]:
    """Return a name, and all that means the same. Raises Refused if it cannot have another."""
    wanted = mention_at(workspace, path, offset)
    if wanted is None:
        raise Refused("nothing that has a name of yours stands here")
    _check_composed(workspace, path, wanted)
    found = [*_of(workspace, path, wanted)]
    declared = [file for file, each in found if each.is_declaration]
    if not declared:
        raise Refused(f"`{wanted.name}` is a word of the language, or nothing declares it")
    for file in declared:
        if reading.is_shipped(file) and not workspace.holds(file):
            raise Refused(f"`{wanted.name}` comes with kbrules, and is declared outside of here")
    return wanted, found


def _check_composed(workspace: Workspace, path: Path, wanted: Mention) -> None:
    """Raises Refused if a table of rules makes this name, or makes another one of it."""
    for file in workspace.related(path) if wanted.domain != "local" else ():
        for each in _all_mentions(workspace, file):
            if each.domain == "composed" and f"_{wanted.name}_" in f"_{each.name}_":
                raise Refused(f"`{each.name}` is composed by a table of rules: rename it there")


def rename(workspace: Workspace, path: Path, offset: int, name: str) -> tuple[TextEdit, ...]:
    """The edits that give something another name wherever it is used. Raises Refused."""
    wanted, found = _renamed(workspace, path, offset)
    if name != wanted.name:
        _check_name(workspace, path, name)
    return tuple(TextEdit(_place_of(*pair), name) for pair in found)


def _check_name(workspace: Workspace, path: Path, name: str) -> None:
    """Raises Refused if a name cannot be given: it is none, or means something already."""
    read, findings = parse(Source("", f"define {name}: mine\n"))
    names = [each.name.text for each in read if isinstance(each, tree.Define)]
    if findings or names != [name] or len(read) != 1 or "{" in name:
        raise Refused(f"`{name}` is no name: small letters, digits and `_`, and no keyword")
    loaded = workspace.loaded(path)
    taken = {each.name.text for each in loaded.declarations}
    if loaded.checked is not None:
        scope, known = loaded.checked.scope, loaded.checked.scope.vocabulary
        taken.update(scope.known(), known.steps, known.events, known.kinds, known.norm_verbs())
    if name in taken:
        raise Refused(f"`{name}` already means something")


# What files declare: rules, words, examples, scenarios, things of boxes.


_KINDS = {
    tree.Rule: SymbolKind.RULE,
    tree.Define: SymbolKind.DEFINE,
    tree.Steps: SymbolKind.STEPS,
    tree.Option: SymbolKind.OPTION,
    tree.Memory: SymbolKind.MEMORY,
    tree.Broken: SymbolKind.RULE,
}
_TABLES = (
    "terrains", "places", "pieces", "tiles", "numbers", "grids", "marks", "sections", "setups",
    "memories", "rules",
)  # fmt: skip
_MOST = 2_000  # symbols of all files together


def document_symbols(workspace: Workspace, path: Path) -> tuple[Symbol, ...]:
    """What a file declares, from top to bottom, examples below their rules."""
    kind = kind_of(path)
    document = workspace.document(path) if kind not in ("rules", None) else None
    found: Iterable[Symbol] = ()
    if kind == "rules":
        found = _in_rules(workspace, path)
    elif document is not None and isinstance(document.root, YamlTable):
        within = _in_scenarios if kind == "scenario" else _in_box
        found = within(document.root, path)
    return tuple(sorted(found, key=lambda each: each.place.start))


def workspace_symbols(workspace: Workspace, query: str) -> tuple[Symbol, ...]:
    """What the rules and boxes of a workspace declare, whose names have the letters of a query.

    The letters must come in this order, others may stand between; names that begin so come first.
    """
    wanted, found = query.casefold(), list[Symbol]()
    for path in workspace.files_of_roots():
        if kind_of(path) in ("rules", "box") and len(found) < _MOST:
            every = (
                s for each in document_symbols(workspace, path) for s in (each, *each.children)
            )
            found += (s for s in every if s.kind is not SymbolKind.EXAMPLE and _has(s.name, wanted))
    return tuple(sorted(found, key=lambda each: (not each.name.startswith(wanted), each.name)))


def _has(name: str, letters: str) -> bool:
    rest = iter(name.casefold())
    return all(letter in rest for letter in letters)


def _in_rules(workspace: Workspace, path: Path) -> Iterator[Symbol]:
    for each in workspace.rules(path).declarations:
        name, whole = _written(each.name.span, each.span), _written(each.span, each.name.span)
        whole = whole.source.span(min(whole.start, name.start), max(whole.end, name.end))
        if name.text or each.name.text:
            detail, children = getattr(each, "wording", ""), tuple[Symbol, ...]()
            if isinstance(each, tree.Rule):
                detail = f"{each.kind.text} {each.title}".rstrip()
                children = tuple(_examples(each, path, whole))
            places = answers.place_in(path, whole), answers.place_in(path, name)
            yield Symbol(each.name.text, _KINDS[type(each)], *places, detail, children)


def _examples(rule: tree.Rule, path: Path, whole: Span) -> Iterator[Symbol]:
    for each in rule.examples:
        span = _written(each.span, each.span)
        if whole.holds(span):
            length = len(span.text.partition("\n")[0].rstrip())
            heading = span.source.span(span.start, span.start + length)
            places = answers.place_in(path, span), answers.place_in(path, heading)
            yield Symbol(each.title or "example", SymbolKind.EXAMPLE, *places)


def _written(span: Span, fallback: Span) -> Span:
    """A span where the author wrote it."""
    span = span if span.source.text else fallback
    start, end = span.source.written(span.start, span.end)
    return span.source.span(start, start + len(span.source.text[start:end].rstrip()))


# Data


def _in_box(root: YamlTable, path: Path) -> Iterator[Symbol]:
    for name in (name for name in (*_TABLES, *_LISTS) if name in root.entries):
        entry = root.entries[name]
        children = tuple(_things(entry.value, name, path))
        yield Symbol(name, SymbolKind.TABLE, *_places(entry, path), "", children)


def _places(entry: Entry, path: Path) -> tuple[Place, Place]:
    """Return the place of an entry, and that of its key."""
    start, end = entry.key.start, entry.key.end
    return Place(str(path), start, max(end, entry.value.end)), Place(str(path), start, end)


def _things(node: Node, name: str, path: Path) -> Iterator[Symbol]:
    if isinstance(node, YamlTable):
        for id, entry in node.entries.items():
            yield Symbol(id, SymbolKind.THING, *_places(entry, path), name)
    elif isinstance(node, YamlList):
        for item in node.items:
            if isinstance(item, Scalar):
                place = Place(str(path), item.start, item.end)
                yield Symbol(str(item.value), SymbolKind.THING, place, place, name)


def _in_scenarios(root: YamlTable, path: Path) -> Iterator[Symbol]:
    inner = root.entries["scenarios"].value if "scenarios" in root.entries else None
    for each in inner.items if isinstance(inner, YamlList) else (root,):
        title = each.entries.get("title") if isinstance(each, YamlTable) else None
        if title is not None and isinstance(value := title.value, Scalar):
            whole = Place(str(path), min(each.start, value.start), max(each.end, value.end))
            place = Place(str(path), value.start, value.end)
            yield Symbol(str(value.value), SymbolKind.SCENARIO, whole, place)
