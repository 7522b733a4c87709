"""The corpus of mutation: the declarations of some rule files, and their tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kbrules.diagnostics import Diagnostic
from kbrules.lang.syntax import tree
from kbrules.library.boxes.box import shipped_in
from kbrules.library.load import Loaded
from kbrules.library.reading import author_folder, is_shipped, real_path
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.scenario.collection import collect
from kbrules.scenario.reader import Scenario
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCache, RulesetCaches
from kbrules.tools.authoring.paths import select_files
from kbrules.tools.checking.mutation.faults import Fault, faults_of, name_of
from kbrules.tools.checking.mutation.mutation_points import mutation_points
from kbrules.tools.checking.mutation.swaps import Swaps, swaps_of
from kbrules.tools.checking.testing import Request


@dataclass(frozen=True, slots=True, eq=False)
class MutatedDeclaration:
    """A declaration, the smallest cache it is on, and what its words may be taken for."""

    declaration: tree.Declaration
    cache: RulesetCache
    swaps: Swaps

    @property
    def name(self) -> str:
        """Its kind and its name."""
        return name_of(self.declaration)

    @property
    def file(self) -> str:
        """The file it stands in."""
        return self.declaration.span.source.name

    @property
    def id(self) -> str:
        """Its file and its name."""
        return f"{self.file}::{self.name}"

    def faults(self) -> list[Fault]:
        """The faults that can be planted in it."""
        return list(faults_of(self.declaration, self.swaps))


@dataclass(frozen=True, slots=True, eq=False)
class MutationCorpus:
    """The declarations in the order of files and lines, the tests, and what is wrong with them.

    `every` are all declarations that any test is played by, not only those that were chosen.
    """

    subjects: tuple[MutatedDeclaration, ...]
    cases: tuple[Case, ...]
    every: tuple[MutatedDeclaration, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    def cases_for(self, subject: MutatedDeclaration) -> list[Case]:
        """The tests with the boxes of a declaration, likely and cheap ones first."""
        in_cache: dict[int, bool] = {}
        cases = []
        for case in self.cases:
            key = id(case.cache)
            if key not in in_cache:
                in_cache[key] = _is_on(case.cache, subject.declaration)
            if in_cache[key]:
                cases.append(case)
        return sorted(cases, key=lambda case: _distance(case, subject.declaration))


def build_corpus(request: Request, linking: LinkerFactory = default_linker) -> MutationCorpus:
    """The declarations of the rule files below some paths, and all tests below them.

    request: `only` chooses declarations by their id. linking: how the tests evaluate expressions
    as long as there is no fault.
    """
    caches = RulesetCaches(linking)
    collection = collect(request.paths, request.boxes, request.folders, caches)
    selection = select_files(request.paths)
    file_caches = [_cache_for(file, caches, request) for file in selection.rules.values()]
    case_caches = [case.cache for case in collection.cases]
    by_id = {id(cache): cache for cache in (*file_caches, *case_caches) if cache is not None}
    every = tuple(_Subjects([*by_id.values()]).all())
    files = set(selection.rules)
    is_selected = {name: real_path(Path(name)) in files for name in {each.file for each in every}}
    subjects = tuple(each for each in every if is_selected[each.file] and request.matches(each.id))
    return MutationCorpus(subjects, tuple(collection.cases), every, tuple(collection.findings))


def _cache_for(file: Path, caches: RulesetCaches, request: Request) -> RulesetCache | None:
    """The cache of a file's box, or of its author's folder, with all that it needs."""
    folder = author_folder(file)
    if folder is not None:
        folders = tuple(dict.fromkeys((folder, *request.folders)))
        return caches.cache_for(caches.boxes_for(request.boxes, folders), folders)[0]
    if not is_shipped(file):
        return None
    box = shipped_in(file)
    return caches.cache_for(caches.boxes_for([box] if box else [], ()))[0]


class _Subjects:
    """The declarations of some caches."""

    def __init__(self, caches: Sequence[RulesetCache]) -> None:
        self._loaded = sorted(
            ((cache, cache.loaded) for cache in caches if cache.loaded is not None),
            key=lambda pair: len(pair[1].declarations),
        )
        self._swaps: dict[int, Swaps] = {}

    def all(self) -> Iterator[MutatedDeclaration]:
        """All of them by file and place, each on the smallest cache that has it."""
        by_place: dict[tuple[str, int], MutatedDeclaration] = {}
        for cache, loaded in self._loaded:
            for declaration in loaded.declarations:
                key = declaration.span.source.name, declaration.span.start
                if key not in by_place:
                    by_place[key] = MutatedDeclaration(declaration, cache, self._swaps_of(loaded))
        yield from (by_place[key] for key in sorted(by_place))

    def _swaps_of(self, loaded: Loaded) -> Swaps:
        if id(loaded) not in self._swaps:
            assert loaded.checked is not None
            self._swaps[id(loaded)] = swaps_of(loaded.checked.scope)
        return self._swaps[id(loaded)]


def words_in(declaration: tree.Declaration) -> Iterator[str]:
    """Every word that is written in a declaration."""
    for point in mutation_points(declaration):
        match point.node:
            case tree.Word(text=text) | tree.Name(text=text):
                yield text
            case tree.Call(name=name) | tree.Fold(name=name):
                yield name


def _is_on(cache: RulesetCache, declaration: tree.Declaration) -> bool:
    return cache.loaded is not None and any(
        each is declaration for each in cache.loaded.declarations
    )


def _distance(case: Case, declaration: tree.Declaration) -> tuple[int, int]:
    """How far a test is from a declaration: its own examples, files that name it, all others."""
    assert case.cache.loaded is not None
    size = len(case.cache.loaded.declarations)
    if isinstance(case.definition, Scenario):
        return (1 if declaration.name.text in case.span.source.text else 3), size
    span = case.definition.example.span
    file_caches = declaration.span
    if span.source is file_caches.source:
        return (0 if file_caches.start <= span.start < file_caches.end else 2), size
    return 3, size
