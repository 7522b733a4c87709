"""What may be written in rules: headings, sentences, and the words within them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from kbrules.lang.checker.expressions import Scope
from kbrules.lang.checker.rules import SCOPES, WHO
from kbrules.lang.checker.statements import RANKS
from kbrules.lang.syntax import tree
from kbrules.lang.syntax.grammar import words_after
from kbrules.lang.typed import SORT_NAMES, Sort, StepSignature
from kbrules.library.load import Loaded
from kbrules.library.rules.vocabulary import tables_of
from kbrules.messages import CODES
from kbrules.primitives.vocabulary import EXAMPLE_WORDS, GRAMMAR_WORDS, TILE_KINDS
from kbrules.scenario.example_lines import LINES
from kbrules.tools.language_service.answers import Completion, CompletionKind
from kbrules.tools.language_service.completing.candidates import Candidate, candidates, ranked
from kbrules.tools.language_service.completing.rule_place import RulePlace, first_word
from kbrules.tools.language_service.completing.snippets import (
    BELOW_DECLARATION,
    DECLARATIONS,
    indented,
)
from kbrules.tools.language_service.probing import Probe, probe
from kbrules.tools.language_service.showing.pages import code_markdown, entry_markdown
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lint.run import warnings
from kbrules.tools.lookup import LookupEntry

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
                code, CompletionKind.VALUE, place.word, code, CODES[code].title,
                code_markdown(CODES[code]),
            )  # fmt: skip


def heading_words(place: RulePlace) -> Iterator[Completion]:
    """What begins a declaration: each as a whole to be filled in, and its word alone."""
    for name, text in DECLARATIONS.items():
        usage, page = GRAMMAR_WORDS[name]
        markdown = entry_markdown([LookupEntry(name, "", usage, page)])
        body = indented(text, 0)
        yield Completion(
            name, CompletionKind.SNIPPET, place.word, body, usage, markdown, is_snippet=True
        )
        yield Completion(name, CompletionKind.KEYWORD, place.word, name, usage, markdown)


def sentence_words(workspace: Workspace, path: Path, place: RulePlace) -> Iterator[Completion]:
    """What begins a sentence: by the declaration or block that it stands in."""
    holder = first_word(place.above[0]) if place.above else ""
    if holder == "example":
        numbers = workspace.last_loaded(path).catalog.numbers
        yield from (_keyword(place, name) for name in (*sorted(LINES), *numbers))
    elif place.kind in _NOTES:
        yield from (_keyword(place, name) for name in _NOTES[place.kind])
    elif place.kind == "define":
        yield from words_within(workspace, path, place)
    elif len(place.above) == 1 and place.kind != "steps":
        yield from _sentences(place, _OF_DECLARATION)
    else:
        yield from _steps(place, workspace.last_loaded(path))
        yield from _sentences(place, (*_OF_BLOCK, "gold") if holder == "for" else _OF_BLOCK)


def _sentences(place: RulePlace, names: Iterable[str]) -> Iterator[Completion]:
    for name in names:
        usage, page = _usage(name)
        markdown = entry_markdown([LookupEntry(name, "", usage, page)])
        yield Completion(name, CompletionKind.KEYWORD, place.word, name, usage, markdown)
        if name in BELOW_DECLARATION:
            text = indented(BELOW_DECLARATION[name], place.indent)
            yield Completion(
                name, CompletionKind.SNIPPET, place.word, text, usage, markdown, is_snippet=True
            )


def _usage(name: str) -> tuple[str, str]:
    """How a keyword is written, and what it means; of several words the first has the page."""
    words = (*(n for n in (name, name.split()[0]) if n in GRAMMAR_WORDS), "")
    return GRAMMAR_WORDS.get(words[0]) or EXAMPLE_WORDS.get(name, ("", ""))


def _keyword(place: RulePlace, name: str) -> Completion:
    usage, page = EXAMPLE_WORDS.get(name) or _usage(name)
    markdown = entry_markdown([LookupEntry(name, "", usage, page)])
    return Completion(name, CompletionKind.KEYWORD, place.word, name, usage, markdown)


def _steps(place: RulePlace, loaded: Loaded) -> Iterator[Completion]:
    scope = loaded.checked.scope if loaded.checked is not None else None
    for verb, found in scope.vocabulary.steps.items() if scope is not None else ():
        for step in found:
            markdown = entry_markdown(
                [LookupEntry(verb, "a step", step.pattern, step.page, step.example)]
            )
            yield Completion(verb, CompletionKind.STEP, place.word, verb, step.pattern, markdown)


# Within a sentence


def words_within(workspace: Workspace, path: Path, place: RulePlace) -> Iterator[Completion]:
    """What may stand within a sentence: names by their sort, and keywords as the grammar says."""
    loaded = workspace.last_loaded(path)
    if loaded.checked is None:
        return
    scope = loaded.checked.scope
    found = probe(place.source, place.word, scope)
    if found is None or found.is_expression:
        yield from _variables(place, found)
        yield from _words(workspace, path, place, found, scope)
    else:
        yield from _parts(place, found, loaded, scope)
    steps = _step_words(found, scope) if found is not None else _OF_STEPS
    for name in words_after(place.before, GRAMMAR_WORDS):
        if name not in _OF_STEPS or name in steps:
            yield _keyword(place, name)


def _variables(place: RulePlace, found: Probe | None) -> Iterator[Completion]:
    """The bound names, those of a wanted sort first."""
    bound = found.variables.items() if found is not None else ()
    wanted = found.sorts if found is not None else frozenset()
    for name, sort in sorted(bound, key=lambda each: (each[1] not in wanted, each[0])):
        yield Completion(name, CompletionKind.VARIABLE, place.word, name, f"{name}: {sort}")


def _words(
    workspace: Workspace, path: Path, place: RulePlace, found: Probe | None, scope: Scope
) -> Iterator[Completion]:
    """The words that fit; nothing where not even the grammar could tell what stands there."""
    if found is None:
        return
    words = candidates(workspace, path)
    if len(found.path) > 1 and found.path[-2][1] == "operand":
        yield from _nouns(place, found, scope)
        if not any(p.kind == "operand" for s in _signatures(found, scope) for p in s.parameters):
            return
    fitting = ranked(words, found.sorts, scope.vocabulary.coercions)
    for _, each in sorted(fitting, key=lambda pair: (pair[0], pair[1].name)):
        yield _proposed(place, each)


def _proposed(place: RulePlace, word: Candidate) -> Completion:
    return Completion(
        word.name, word.kind, place.word, word.snippet, word.detail, word.markdown,
        is_snippet=bool(word.parameters),
    )  # fmt: skip


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


def _nouns(place: RulePlace, found: Probe, scope: Scope) -> Iterator[Completion]:
    """The words that stand for what a step does: `tile`, or the names of steps behind `do`."""
    step = found.around(tree.Step)
    if step is not None and isinstance(step[0], tree.Step) and step[0].verb.text == "do":
        for name, steps in scope.names.named_steps.declared.items():
            yield Completion(name, CompletionKind.DECLARED, place.word, name, steps.wording)
    for signature in _signatures(found, scope):
        for noun in (noun for each in signature.parameters for noun in each.nouns):
            yield Completion(noun, CompletionKind.KEYWORD, place.word, noun, signature.pattern)


def _parts(place: RulePlace, found: Probe, loaded: Loaded, scope: Scope) -> Iterator[Completion]:
    """What may stand where no expression does: verbs, events, sorts and other closed lists."""
    owner, name = found.path[-2] if len(found.path) > 1 else (found.declaration, "")
    match owner, name:
        case tree.Norm(), "verbs":
            yield from _plain(place, sorted(scope.vocabulary.norm_verbs()), CompletionKind.STEP)
        case ((tree.When() | tree.Section()), "events"):
            for event in scope.vocabulary.events.values():
                binds = ", ".join(word for word, _ in event.binds)
                yield Completion(
                    event.name, CompletionKind.EVENT, place.word, event.name, binds, event.page
                )
        case ((tree.When() | tree.Section()), "who"):
            yield from _plain(place, WHO, CompletionKind.KEYWORD)
        case tree.Change(), "quantity":
            quantities = sorted(scope.vocabulary.quantities)
            yield from _plain(place, quantities, CompletionKind.THING)
        case tree.Rank(), "place":
            yield from _plain(place, RANKS, CompletionKind.KEYWORD)
        case ((tree.Per() | tree.Each() | tree.Fold()), "variable"):
            yield from _plain(place, ("hex", *_LOOPS), CompletionKind.VARIABLE)
        case tree.StepArgument(), _:
            words = sorted(_step_words(found, scope) - _OF_STEPS)
            yield from _plain(place, words, CompletionKind.KEYWORD)
        case _:
            yield from _parts_of_headings(place, found, loaded)


def _parts_of_headings(place: RulePlace, found: Probe, loaded: Loaded) -> Iterator[Completion]:
    """The same of headings: names that are still to be declared, sorts, scopes."""
    owner, name = found.path[-2] if len(found.path) > 1 else (found.declaration, "")
    before = place.before.rstrip()
    match owner, name:
        case tree.Rule(), "replaces":
            rules = [d for d in loaded.declarations if isinstance(d, tree.Rule)]
            names = sorted(
                {rule.name.text for rule in rules if rule.kind.text == first_word(before)}
            )
            yield from _plain(place, names, CompletionKind.DECLARED)
        case tree.Rule(), "name":
            names = _undeclared(loaded, before.partition(" ")[0])
            yield from _plain(place, names, CompletionKind.THING)
        case tree.Memory(), "scope":
            yield from _plain(place, SCOPES, CompletionKind.KEYWORD)
        case tree.Memory(), "sort":
            yield from _plain(place, ("hexes", "number"), CompletionKind.SORT)
        case ((tree.Define() | tree.Steps()), "parameters") if before.endswith(":"):
            for sort in _SORTS:
                yield Completion(
                    sort.value, CompletionKind.SORT, place.word, sort.value, SORT_NAMES[sort]
                )


def _undeclared(loaded: Loaded, kind: str) -> list[str]:
    """The things of the boxes that still need a rule of a kind."""
    declared = {d.name.text for d in loaded.declarations}
    tables = dict(tables_of(loaded.catalog))
    listed = {"card": tables["cards"], "task": tables["tasks"]}.get(kind, [])
    if kind in TILE_KINDS:
        listed = [tile.id for tile in loaded.catalog.tiles]
    return [id for id in listed if id not in declared]


def _plain(place: RulePlace, names: Iterable[str], kind: CompletionKind) -> Iterator[Completion]:
    for name in names:
        yield Completion(name, kind, place.word, name)
