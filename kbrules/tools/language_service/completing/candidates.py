"""Every word that an expression may use, with its sort and its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules.lang.checker.expressions import Names, Scope
from kbrules.lang.typed import Parameter, Signature, Sort
from kbrules.tools.language_service.answers import CompletionKind
from kbrules.tools.language_service.showing.pages import entry_markdown, pages_of
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lookup import LookupEntry

_BEGINNINGS = frozenset({Sort.TRUTH})
"""Sorts whose expressions most often begin with one of another sort: `count(mine) > 2`."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word: how it is written, what it takes, and the sort of what it gives."""

    name: str
    kind: CompletionKind
    sort: Sort
    parameters: tuple[str, ...] = ()
    detail: str = ""
    markdown: str = ""

    @property
    def snippet(self) -> str:
        """The word with a place to fill in for each argument."""
        inside = ", ".join(f"${{{n}:{name}}}" for n, name in enumerate(self.parameters, 1))
        return f"{self.name}({inside})" if inside else self.name


def candidates(workspace: Workspace, path: Path) -> Sequence[Candidate]:
    """The words of the language, of the boxes and of the files, for the box of a file."""
    loaded = workspace.last_loaded(path)
    if loaded.checked is None:
        return ()
    scope, pages = loaded.checked.scope, pages_of(workspace, path)
    return workspace.files.memoized(
        ("candidates", path), [loaded], lambda: tuple(_all(scope, pages))
    )


def ranked(
    words: Sequence[Candidate], wanted: frozenset[Sort], coercions: Mapping[tuple[Sort, Sort], str]
) -> Iterator[tuple[int, Candidate]]:
    """The words that fit where some sorts are wanted, with a rank that is 0 for the best."""
    for each in words:
        if not wanted or each.sort in wanted or each.sort is Sort.HOLE:
            yield 0, each
        elif any((each.sort, sort) in coercions for sort in wanted):
            yield 1, each
        elif wanted & _BEGINNINGS:
            yield 2, each


def _all(scope: Scope, pages: Mapping[str, tuple[LookupEntry, ...]]) -> Iterator[Candidate]:
    vocabulary = scope.vocabulary
    for found in vocabulary.words.values():
        yield from map(_of_signature, found)
    for name, folds in vocabulary.folds.items():
        for fold in folds:
            usage = f"{name}({fold.parameters[0].sort} for name in groups): {fold.result}"
            yield Candidate(
                name, CompletionKind.WORD, fold.result, ("count(mine & row) for row in rows",),
                usage, entry_markdown(pages.get(name, ())),
            )  # fmt: skip
    for name, constant in vocabulary.constants.items():
        page = entry_markdown(pages.get(name, ()))
        yield Candidate(name, CompletionKind.THING, constant.sort, (), constant.sort, page)
    for name in vocabulary.quantities:
        page = entry_markdown(pages.get(name, ()))
        yield Candidate(name, CompletionKind.THING, Sort.NUMBER, (), Sort.NUMBER, page)
    yield from _declared(scope.names, pages)


def _of_signature(signature: Signature) -> Candidate:
    entry = LookupEntry(signature.name, "", f"{signature}: {signature.result}", signature.page)
    names = tuple(each.name for each in signature.parameters if not each.optional)
    detail = f"{signature}: {signature.result}"
    markdown = entry_markdown([entry])
    return Candidate(signature.name, CompletionKind.WORD, signature.result, names, detail, markdown)


def _declared(names: Names, pages: Mapping[str, tuple[LookupEntry, ...]]) -> Iterator[Candidate]:
    for name, definition in names.definitions.items():
        yield _of_declared(name, definition.body.sort, definition.parameters, pages)
    for name, sort in (*names.options.items(), *names.memories.items()):
        yield _of_declared(name, sort, (), pages)


def _of_declared(
    name: str,
    sort: Sort,
    parameters: tuple[Parameter, ...],
    pages: Mapping[str, tuple[LookupEntry, ...]],
) -> Candidate:
    inside = ", ".join(f"{each.name}: {each.sort}" for each in parameters)
    detail = f"{name}({inside}): {sort}" if inside else f"{name}: {sort}"
    taken = tuple(each.name for each in parameters)
    page = entry_markdown(pages.get(name, ()))
    return Candidate(name, CompletionKind.DECLARED, sort, taken, detail, page)
