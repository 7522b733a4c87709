"""What may be written or drawn at a place, best first."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from kbrules.game.board import Catalog
from kbrules.lang.checker.expressions import Scope
from kbrules.lang.checker.rules import SCOPES, WHO
from kbrules.lang.checker.statements import RANKS
from kbrules.lang.syntax import grammar, tree
from kbrules.lang.typed import SORT_NAMES, Sort, StepSignature
from kbrules.library import discovery, load, reading, validation
from kbrules.library.boards.positions import FIRST, OWNERS
from kbrules.library.box import shipped_boxes
from kbrules.library.texts import originals, texts_folder
from kbrules.library.vocabulary import tables_of
from kbrules.library.yaml import Loc, read_yaml
from kbrules.messages import CODES
from kbrules.primitives import vocabulary
from kbrules.scenario.example_lines import LINES
from kbrules.text import Source, Span
from kbrules.tools.language_service import answers, showing
from kbrules.tools.language_service.answers import Completion, CompletionKind as Kind, Completions
from kbrules.tools.language_service.probing import Probe, places_in, probe, shape_of
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lint.run import warnings
from kbrules.tools.show import LookupEntry

# A place in a rule text where something is typed, and the lines it stands in.


_FIRST = re.compile(r"[a-z_]+")


@dataclass(frozen=True, slots=True)
class RulePlace:
    """The part of a word before a place, and the first words of the lines that it belongs to.

    `above` are these lines, innermost first: each stands further left than the one before it. The
    last is the heading.
    """

    source: Source
    word: Span
    above: tuple[str, ...]

    @classmethod
    def at(cls, source: Source, offset: int) -> RulePlace:
        """The place at an offset."""
        word = _begun(source, offset)
        return cls(source, word, tuple(_above(source, word.start)))

    @property
    def indent(self) -> int:
        """How many characters stand before the first word of the line."""
        line = self.source.line_text(self.word.line)
        return len(line) - len(line.lstrip(" \t"))

    @property
    def before(self) -> str:
        """The declaration up to the word."""
        around = answers.declaration_at(self.source, self.word.start)
        return around.text[: self.word.start - around.start]

    @property
    def kind(self) -> str:
        """The word that begins the declaration."""
        return first_word(self.above[-1]) if self.above else ""


def _begun(source: Source, offset: int) -> Span:
    """Return the part of a word before a place."""
    word = answers.word_at(source, offset)
    return source.span(word.start, min(offset, word.end))


def first_word(line: str) -> str:
    """The first word of a line; empty if something else stands there."""
    found = _FIRST.match(line.lstrip())
    return found[0] if found else ""


def _above(source: Source, offset: int) -> Iterator[str]:
    line = source.position(offset)[0]
    before = answers.line_before(source, offset)
    width = len(before) - len(before.lstrip(" \t")) if before.strip() else len(before)
    while line > 1 and width > 0:
        line -= 1
        text = source.line_text(line)
        indent = len(text) - len(text.lstrip(" \t"))
        if text.strip() and not text.lstrip().startswith("#") and indent < width:
            yield text
            width = indent


# Every word that an expression may use, with its sort and its page.


_BEGINNINGS = frozenset({Sort.TRUTH})
"""Sorts whose expressions most often begin with one of another sort: `count(mine) > 2`."""


Candidate = tuple[Sort, Completion]
"""A word, and the sort of what it gives."""


def candidates(workspace: Workspace, path: Path) -> Sequence[Candidate]:
    """Return the words of the language, of the boxes and of the files, for the box of a file."""
    loaded = workspace.last_loaded(path)
    if loaded.checked is None:
        return ()
    scope, pages = loaded.checked.scope, showing.pages_of(workspace, path)
    return workspace.files.memoized(
        ("candidates", path), [loaded], lambda: tuple(_all(scope, pages))
    )


def _rank(sort: Sort, wanted: frozenset[Sort], scope: Scope) -> int | None:
    """Return how well a word fits where some sorts are wanted: 0 is best, None not at all."""
    if not wanted or sort in wanted or sort is Sort.HOLE:
        return 0
    if any((sort, each) in scope.vocabulary.coercions for each in wanted):
        return 1
    return 2 if wanted & _BEGINNINGS else None


def _all(scope: Scope, pages: Mapping[str, tuple[LookupEntry, ...]]) -> Iterator[Candidate]:
    def page(name: str) -> str:
        return showing.entry_markdown(pages.get(name, ()))

    known, names = scope.vocabulary, scope.names
    for each in itertools.chain.from_iterable(known.words.values()):
        detail = f"{each}: {each.result}"
        taken = [parameter.name for parameter in each.parameters if not parameter.optional]
        markdown = _markdown(detail, each.page)
        yield each.result, _called(each.name, Kind.WORD, taken, detail, markdown)
    for name, folds in known.folds.items():
        for fold in folds:
            detail = f"{name}({fold.parameters[0].sort} for name in groups): {fold.result}"
            taken = ["count(mine & row) for row in rows"]
            yield fold.result, _called(name, Kind.WORD, taken, detail, page(name))
    things = {name: constant.sort for name, constant in known.constants.items()}
    for name, sort in (*things.items(), *((name, Sort.NUMBER) for name in known.quantities)):
        yield sort, Completion(name, Kind.THING, name, sort, page(name))
    for name, definition in names.definitions.items():
        inside = ", ".join(f"{each.name}: {each.sort}" for each in definition.parameters)
        sort, taken = definition.body.sort, [each.name for each in definition.parameters]
        detail = f"{name}({inside}): {sort}" if inside else f"{name}: {sort}"
        yield sort, _called(name, Kind.DECLARED, taken, detail, page(name))
    for name, sort in (*names.options.items(), *names.memories.items()):
        yield sort, Completion(name, Kind.DECLARED, name, f"{name}: {sort}", page(name))


def _called(
    name: str, kind: Kind, parameters: Sequence[str], detail: str, markdown: str
) -> Completion:
    """Return a word with a place to fill in for each argument."""
    inside = ", ".join(f"${{{n}:{each}}}" for n, each in enumerate(parameters, 1))
    text = f"{name}({inside})" if inside else name
    return Completion(name, kind, text, detail, markdown, is_snippet=bool(inside))


def _markdown(usage: str, page: str, kind: str = "", example: str = "") -> str:
    return showing.entry_markdown([LookupEntry("", kind, usage, page, example)])


# Texts with places to fill in: declarations, examples and scenarios to begin with.


_EXAMPLE = """    example:
        | .a .a .
        |  .  .  .
        {claim}
"""
_CARD = """{kind} ${{1:name}} "${{2:Title}}":
    "${{3:What it pays, in your own words.}}"
    gold ${{4:1}} per hex in ${{5:mine}}
""" + _EXAMPLE.format(claim="gives ${{6:2}}")
_TILE = """{kind} ${{1:name}} "${{2:Title}}":
    "${{3:What it lets a player do, in your own words.}}"
    action:
        build 1 on ${{4:empty & buildable & adjacent(mine)}}
    example:
        | .a .+ .
        |  .+ .  .
        offers
"""
_RULE = """rule ${1:name} "${2:Title}":
    "${3:What holds, in your own words.}"
    permit build on ${4:empty}
"""

DECLARATIONS: Mapping[str, str] = {
    **{kind: _CARD.format(kind=kind) for kind in sorted(vocabulary.CARD_KINDS)},
    **{kind: _TILE.format(kind=kind) for kind in sorted(vocabulary.TILE_KINDS)},
    **dict.fromkeys(
        sorted(vocabulary.KINDS - vocabulary.CARD_KINDS - vocabulary.TILE_KINDS), _RULE
    ),
    "define": 'define ${1:name} "${2:What it means.}":\n    ${3:mine}\n',
    "steps": 'steps ${1:name} "${2:What is done.}":\n    ${3:build 1}\n',
    "option": 'option ${1:name} = ${2:yes} "${3:What holds then.}"\n',
    "memory": 'memory ${1:name}: ${2:hexes} of ${3:player} "${4:What is remembered.}"\n',
}
"""What begins a declaration, by its first word."""
BELOW_DECLARATION: Mapping[str, str] = {
    "example": 'example "${1:what it shows}":\n    | .a .a .\n    |  .  .  .\n    ${2:gives 2}\n',
    "action": "action:\n    ${1:build 1}\n",
    "when": "when ${1:build}:\n    ${2:gain 1}\n",
    "for": "for ${1:row} in ${2:rows}:\n    ${3:gold 1}\n",
    "if": "if ${1:any(mine)}:\n    ${2:gain 1}\n",
    "repeat": "repeat ${1:2} times:\n    ${2:build 1}\n",
    "up to": "up to ${1:2} times:\n    ${2:build 1}\n",
    "either": "either:\n    ${1:build 1}\nor:\n    ${2:gain 1}\n",
    "may": "may:\n    ${1:build 1}\n",
}
"""What begins a block inside of a declaration, by its first word."""
SCENARIO = """title: ${1:what it shows}
board:
  drawing: |
    . . .
     . . .
expect:
  ${2:offers}: ${3:all}
"""


def indented(text: str, blanks: int) -> str:
    """A text whose lines but the first stand further right, without its last line end."""
    return text.rstrip("\n").replace("\n", "\n" + " " * blanks)


# What a file of texts can translate: the things and rules of its box, by their ids.


def ids_to_translate(
    workspace: Workspace, path: Path, loc: Loc, behind: str
) -> Iterator[Completion]:
    """The ids that may be keys in a table of a file of texts, each with what its box says."""
    loaded, folder = workspace.last_loaded(path), reading.real_path(path.parent)
    for box in (each for each in loaded.boxes if reading.real_path(texts_folder(each)) == folder):
        for each in originals(box, loaded.declarations).values():
            if loc == (each.table,) and each.id:
                yield Completion(each.id, Kind.THING, each.id + behind, each.title, each.wording)


# What may be written in rules: headings, sentences, and the words within them.


_OF_DECLARATION = (
    "permit", "forbid", "prefer", "waive", "deny", "increase", "decrease", "gold", "for", "win",
    "when", "whenever", "action", "required action", "before setup", "setup", "after setup", "turn",
    "finish", "example", "table",
)  # fmt: skip
_OF_BLOCK = ("if", "otherwise", "for", "repeat", "up to", "either", "or", "may", "do")
_NOTES = {"option": ("question", "source"), "memory": ("title",)}
_OF_STEPS = frozenset({"from", "into", "of", "with", "at", "as", "beside", "on", "to", "by"})
_LOOPS = {"row": "rows", "sector": "sectors", "player": "players", "group": "groups(mine)"}
_SORTS = tuple(sort for sort in Sort if sort not in (Sort.HOLE, Sort.WORD, Sort.MEMORY))


def codes_to_ignore(place: RulePlace) -> Iterator[Completion]:
    """The codes of warnings, in a comment that ignores some."""
    if "kb:" in place.source.line_text(place.word.line):
        for code in warnings():
            yield Completion(
                code, Kind.VALUE, code, CODES[code].title,
                showing.code_markdown(CODES[code]),
            )  # fmt: skip


def heading_words() -> Iterator[Completion]:
    """What begins a declaration: each as a whole to be filled in, and its word alone."""
    for name, text in DECLARATIONS.items():
        yield _snippet(name, text, 0)
        yield _keyword(name)


def sentence_words(workspace: Workspace, path: Path, place: RulePlace) -> Iterator[Completion]:
    """What begins a sentence: by the declaration or block that it stands in."""
    holder = first_word(place.above[0]) if place.above else ""
    if holder == "example":
        numbers = workspace.last_loaded(path).catalog.numbers
        yield from (_keyword(name) for name in (*sorted(LINES), *numbers))
    elif place.kind in _NOTES:
        yield from (_keyword(name) for name in _NOTES[place.kind])
    elif place.kind == "define":
        yield from words_within(workspace, path, place)
    elif len(place.above) == 1 and place.kind != "steps":
        yield from _sentences(place, _OF_DECLARATION)
    else:
        yield from _steps(workspace.last_loaded(path))
        yield from _sentences(place, (*_OF_BLOCK, "gold") if holder == "for" else _OF_BLOCK)


def _sentences(place: RulePlace, names: Iterable[str]) -> Iterator[Completion]:
    for name in names:
        yield _keyword(name)
        if name in BELOW_DECLARATION:
            yield _snippet(name, BELOW_DECLARATION[name], place.indent)


def _keyword(name: str) -> Completion:
    """Return a keyword with its page; of several words the first has the page."""
    words = (*(n for n in (name, name.split()[0]) if n in vocabulary.GRAMMAR_WORDS), "")
    usage, page = vocabulary.GRAMMAR_WORDS.get(words[0]) or vocabulary.EXAMPLE_WORDS.get(
        name, ("", "")
    )
    return Completion(name, Kind.KEYWORD, name, usage, _markdown(usage, page))


def _snippet(name: str, text: str, indent: int) -> Completion:
    """Return a keyword with what follows it, to be filled in."""
    word = _keyword(name)
    return replace(word, kind=Kind.SNIPPET, text=indented(text, indent), is_snippet=True)


def _steps(loaded: load.Loaded) -> Iterator[Completion]:
    scope = loaded.checked.scope if loaded.checked is not None else None
    for verb, found in scope.vocabulary.steps.items() if scope is not None else ():
        for step in found:
            markdown = _markdown(step.pattern, step.page, "a step", step.example)
            yield Completion(verb, Kind.STEP, verb, step.pattern, markdown)


# Within a sentence


def words_within(workspace: Workspace, path: Path, place: RulePlace) -> Iterator[Completion]:
    """What may stand within a sentence: names by their sort, and keywords as the grammar says."""
    loaded = workspace.last_loaded(path)
    if loaded.checked is None:
        return
    scope = loaded.checked.scope
    found = probe(place.source, place.word, scope)
    if found is None or found.is_expression:
        yield from _variables(found)
        yield from _words(workspace, path, place, found, scope)
    else:
        yield from _parts(place, found, loaded, scope)
    steps = _step_words(found, scope) if found is not None else _OF_STEPS
    for name in grammar.words_after(place.before, vocabulary.GRAMMAR_WORDS):
        if name not in _OF_STEPS or name in steps:
            yield _keyword(name)


def _variables(found: Probe | None) -> Iterator[Completion]:
    """The bound names, those of a wanted sort first."""
    bound = found.variables.items() if found is not None else ()
    wanted = found.sorts if found is not None else frozenset()
    for name, sort in sorted(bound, key=lambda each: (each[1] not in wanted, each[0])):
        yield Completion(name, Kind.VARIABLE, name, f"{name}: {sort}")


def _words(
    workspace: Workspace, path: Path, place: RulePlace, found: Probe | None, scope: Scope
) -> Iterator[Completion]:
    """The words that fit; nothing where not even the grammar could tell what stands there."""
    if found is None:
        return
    words = candidates(workspace, path)
    if len(found.path) > 1 and found.path[-2][1] == "operand":
        yield from _nouns(found, scope)
        if not any(p.kind == "operand" for s in _signatures(found, scope) for p in s.parameters):
            return
    ranks = ((_rank(sort, found.sorts, scope), each) for sort, each in words)
    fitting = [(rank, each) for rank, each in ranks if rank is not None]
    for _, each in sorted(fitting, key=lambda pair: (pair[0], pair[1].label)):
        yield each


def _signatures(found: Probe, scope: Scope) -> tuple[StepSignature, ...]:
    step = found.around(tree.Step)
    verb = step[0].verb.text if step is not None and isinstance(step[0], tree.Step) else ""
    return scope.vocabulary.steps.get(verb, ())


def _step_words(found: Probe, scope: Scope) -> set[str]:
    """The words that may stand in the step around a place, besides its verb."""
    return {
        word
        for step in _signatures(found, scope)
        for each in step.parameters
        for word in (each.name if each.kind in ("adverb", "phrase") else "", *each.nouns)
        if word
    }


def _nouns(found: Probe, scope: Scope) -> Iterator[Completion]:
    """The words that stand for what a step does: `tile`, or the names of steps behind `do`."""
    step = found.around(tree.Step)
    if step is not None and isinstance(step[0], tree.Step) and step[0].verb.text == "do":
        for name, steps in scope.names.named_steps.declared.items():
            yield Completion(name, Kind.DECLARED, name, steps.wording)
    for signature in _signatures(found, scope):
        for noun in (noun for each in signature.parameters for noun in each.nouns):
            yield Completion(noun, Kind.KEYWORD, noun, signature.pattern)


def _parts(
    place: RulePlace, found: Probe, loaded: load.Loaded, scope: Scope
) -> Iterator[Completion]:
    """What may stand where no expression does: verbs, events, sorts and other closed lists."""
    owner, name = found.path[-2] if len(found.path) > 1 else (found.declaration, "")
    match owner, name:
        case tree.Norm(), "verbs":
            yield from _plain(sorted(scope.vocabulary.norm_verbs()), Kind.STEP)
        case ((tree.When() | tree.Section()), "events"):
            for event in scope.vocabulary.events.values():
                binds = ", ".join(word for word, _ in event.binds)
                yield Completion(event.name, Kind.EVENT, event.name, binds, event.page)
        case ((tree.When() | tree.Section()), "who"):
            yield from _plain(WHO, Kind.KEYWORD)
        case tree.Change(), "quantity":
            yield from _plain(sorted(scope.vocabulary.quantities), Kind.THING)
        case tree.Rank(), "place":
            yield from _plain(RANKS, Kind.KEYWORD)
        case ((tree.Per() | tree.Each() | tree.Fold()), "variable"):
            yield from _plain(("hex", *_LOOPS), Kind.VARIABLE)
        case tree.StepArgument(), _:
            words = sorted(_step_words(found, scope) - _OF_STEPS)
            yield from _plain(words, Kind.KEYWORD)
        case _:
            yield from _parts_of_headings(owner, name, place.before.rstrip(), loaded)


def _parts_of_headings(
    owner: object, name: str, before: str, loaded: load.Loaded
) -> Iterator[Completion]:
    """The same of headings: names that are still to be declared, sorts, scopes."""
    match owner, name:
        case tree.Rule(), "replaces":
            rules, kind = showing.rules_in(loaded.declarations), first_word(before)
            names = sorted({rule.name.text for rule in rules if rule.kind.text == kind})
            yield from _plain(names, Kind.DECLARED)
        case tree.Rule(), "name":
            names = _undeclared(loaded, before.partition(" ")[0])
            yield from _plain(names, Kind.THING)
        case tree.Memory(), "scope":
            yield from _plain(SCOPES, Kind.KEYWORD)
        case tree.Memory(), "sort":
            yield from _plain(("hexes", "number"), Kind.SORT)
        case ((tree.Define() | tree.Steps()), "parameters") if before.endswith(":"):
            for sort in _SORTS:
                yield Completion(sort.value, Kind.SORT, sort.value, SORT_NAMES[sort])


def _undeclared(loaded: load.Loaded, kind: str) -> list[str]:
    """The things of the boxes that still need a rule of a kind."""
    declared = {d.name.text for d in loaded.declarations}
    tables = dict(tables_of(loaded.catalog))
    listed = {"card": tables["cards"], "task": tables["tasks"]}.get(kind, [])
    if kind in vocabulary.TILE_KINDS:
        listed = [tile.id for tile in loaded.catalog.tiles]
    return [id for id in listed if id not in declared]


def _plain(names: Iterable[str], kind: Kind) -> Iterator[Completion]:
    for name in names:
        yield Completion(name, kind, name)


# What may be written in data files and scenarios: keys and values as the models say, ids.


_PLACEHOLDER = "kb_placeholder"
_FREE = frozenset({"title", "colour", "rows", "drawing", "letter", "move"})
"""Keys whose values are free text."""


def yaml_completions(workspace: Workspace, path: Path, offset: int) -> Iterator[Completion]:
    """The keys that may stand at a place, or the values."""
    source = workspace.source(path)
    word = _begun(source, offset)
    if "#" in answers.line_before(source, offset):
        return
    is_new = discovery.kind_of(path) == "scenario" and not source.text.strip()
    if is_new:
        text = "format: 1\n" + indented(SCENARIO, 0)
        yield Completion("scenario", Kind.SNIPPET, text, is_snippet=True)
    found = _place(source, word)
    if found is None:
        return
    loc, is_key = found
    shape, data = shape_of(path), _data(source, word)
    if is_key:
        yield from _keys(shape.at(loc), _at(data, loc), word, source)
        ids = ids_to_translate if discovery.kind_of(path) == "texts" else _ids
        yield from ids(workspace, path, loc, ": ")
    elif discovery.kind_of(path) != "texts":
        yield from _values(shape.at(loc))
        yield from _ids(workspace, path, loc, "")


def _place(source: Source, word: Span) -> tuple[Loc, bool] | None:
    """The path to the table in which a key is typed, or to the value that is; True for a key."""
    for text in _attempts(source, word):
        document, _ = read_yaml(Source(source.name, text))
        for place in places_in(document) if document is not None else ():
            written = text[place.start : place.end]
            if _PLACEHOLDER in written:
                return (place.path[:-1], True) if place.is_key else (place.path, False)
    return None


def _attempts(source: Source, word: Span) -> Iterator[str]:
    """The text with a name in the place of the word; then without what follows."""
    before, after = source.text[: word.start], source.text[word.end :]
    line = before.rpartition("\n")[2]
    below = "\n" + after.partition("\n")[2]
    closing = "".join("]" if each == "[" else "}" for each in reversed(_open(line)))
    alone = not re.search(r":\s|[\[{,]", line + " ") or line.lstrip().startswith("- ")
    in_table = _open(line)[-1:] == ["{"] and not re.search(r":\s*$", line)
    endings = (f"{_PLACEHOLDER}: 0", _PLACEHOLDER) if alone or in_table else (_PLACEHOLDER,)
    for ending in endings:
        if not after.startswith(":"):
            yield before + ending + after
        yield before + ending + closing + below
        yield before + ending + closing


def _open(line: str) -> list[str]:
    """The brackets that are open at the end of a line."""
    found: list[str] = []
    for sign in line:
        if sign in "[{":
            found.append(sign)
        elif sign in "]}" and found:
            found.pop()
    return found


def _data(source: Source, word: Span) -> Any:
    """The data without the line that is typed, as far as it can be read."""
    line = source.position(word.start)[0]
    lines = source.text.split("\n")
    document, _ = read_yaml(Source("", "\n".join([*lines[: line - 1], *lines[line:]])))
    return document.data if document is not None else None


def _at(data: Any, loc: Loc) -> Mapping[str, Any]:
    """The table at a path; empty if there is none."""
    try:
        found = reduce(getitem, loc, data)
    except (LookupError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _keys(
    shape: validation.SchemaShape, there: Mapping[str, Any], word: Span, source: Source
) -> Iterator[Completion]:
    """The keys of the model that are not there yet, those that must be there first."""
    required = {key for each in shape.schemas for key in each.get("required", ())}
    is_last = not source.text[word.end :].startswith(":")
    for key in sorted(shape.keys(), key=lambda key: (key not in required, key)):
        if key not in there:
            inner = shape.at((key,))
            text = f"{key}: " if is_last else key
            yield Completion(key, Kind.KEY, text, inner.phrase(), inner.description())


def _values(shape: validation.SchemaShape) -> Iterator[Completion]:
    """The values that can be chosen."""
    for schema in shape.schemas:
        chosen: Sequence[Any] = schema.get("enum") or [schema[k] for k in ("const",) if k in schema]
        if schema.get("type") == "boolean":
            chosen = [True, False]
        for value in chosen:
            text = str(value).lower() if isinstance(value, bool) else str(value)
            yield Completion(text, Kind.VALUE, text, "", shape.description())


def _ids(workspace: Workspace, path: Path, loc: Loc, behind: str) -> Iterator[Completion]:
    """The ids that fit below some keys: the innermost that tells of which kind they are."""
    names = [part for part in loc if isinstance(part, str)]
    if names and names[-1] in _FREE:
        return
    shape = shape_of(path).at(loc)
    texts = [s for s in shape.schemas if s.get("type") == "string" and "enum" not in s]
    takes_ids = not shape.keys() if behind else bool(texts)
    found = _by_key(workspace, path)
    key = next((name for name in reversed(names) if name in found), "")
    if takes_ids and key and not (discovery.kind_of(path) == "box" and len(loc) == 1 and behind):
        for id in found[key]:
            yield Completion(id, Kind.THING, id + behind, key)


def _by_key(workspace: Workspace, path: Path) -> Mapping[str, Sequence[str]]:
    """The ids that are meant below a key of a box or scenario."""
    loaded = workspace.last_loaded(path)
    tables = dict(tables_of(loaded.catalog))
    written = [d for d in loaded.declarations if isinstance(d, tree.Rule | tree.Broken)]
    rules = [each.name.text for each in written]
    ruled = [each.name.text for each in written if each.kind.text == "card"]
    options = [d.name.text for d in loaded.declarations if isinstance(d, tree.Option)]
    terrains, tiles, cards = tables["terrains"], tables["tiles"], sorted({*tables["cards"], *ruled})
    return {
        "needs": shipped_boxes(), "with": shipped_boxes(), "options": options,
        "cards": cards, "tasks": tables["tasks"], "tiles": tiles,
        "legend": tiles, "tile": tiles, "terrains": terrains, "played": terrains,
        "draw": terrains, "hand": terrains, "place": tables["places"],
        "kind": sorted(vocabulary.KINDS), "pieces": tables["pieces"], "supply": tables["pieces"],
        "numbers": tables["numbers"], "places": tiles, "gold": cards,
        "offered": rules, "because": rules, "choices": rules, "done": rules,
    }  # fmt: skip


# What may be drawn on a hex.


_SEATS = 3  # players whose pieces are proposed; more are typed
_MARKS = {"+": "offered", "<": "lifted", "!": "built on"}


def signs_of_drawings(catalog: Catalog, source: Source, offset: int) -> Iterator[Completion]:
    """The signs that may follow what is drawn of a hex so far: its kind, a piece, a mark."""
    before = answers.line_before(source, offset).rpartition("|")[2]
    typed = before.split(" ")[-1]
    if not typed:
        for kind in catalog.hexes:
            if kind.letter:
                title = kind.title or kind.id
                yield Completion(kind.letter, Kind.HEX, kind.letter, title)
        yield Completion(FIRST, Kind.HEX, FIRST, "any terrain")
        return
    if len(typed) == 1:
        yield from _pieces(catalog, source, offset)
    for mark, meaning in _MARKS.items():
        yield Completion(typed + mark, Kind.HEX, mark, meaning)


def _pieces(catalog: Catalog, source: Source, offset: int) -> Iterator[Completion]:
    typed = source.text[offset - 1 : offset]
    owned = [piece for piece in catalog.pieces if not piece.neutral]
    for owner in OWNERS[:_SEATS]:
        for piece in owned:
            sign = owner if piece is owned[0] else owner + piece.letter
            title = f"{piece.title or piece.id} of player {owner}"
            yield Completion(typed + sign, Kind.HEX, sign, title)


def complete(workspace: Workspace, path: Path, offset: int) -> Completions:
    """The proposals at a place of a file, each label of a kind once; none where none can help."""
    source, kind = workspace.source(path), discovery.kind_of(path)
    word = _begun(source, offset)
    found: Iterator[Completion] = iter(())
    if kind == "rules":
        word, found = _in_rules(workspace, path, offset)
    elif kind is not None:
        found = yaml_completions(workspace, path, offset)
    unique: dict[tuple[str, str, str], Completion] = {}
    for each in found:
        unique.setdefault((each.label, each.kind, each.text), each)
    return Completions(answers.place_in(path, word), tuple(unique.values()))


def _in_rules(workspace: Workspace, path: Path, offset: int) -> tuple[Span, Iterator[Completion]]:
    """What is typed at a place of a rule text, and what may be in its place."""
    source = workspace.source(path)
    place = RulePlace.at(source, offset)
    match answers.zone_at(source, offset):
        case "comment":
            return place.word, codes_to_ignore(place)
        case "drawing":
            catalog = workspace.last_loaded(path).catalog
            return source.span(offset, offset), signs_of_drawings(catalog, source, offset)
        case "text":
            return place.word, iter(())
    before = answers.line_before(source, place.word.start)
    if not before:
        return place.word, heading_words()
    if not before.strip():
        return place.word, sentence_words(workspace, path, place)
    return place.word, words_within(workspace, path, place)
