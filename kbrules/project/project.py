"""A folder of work as an immutable value: its files, by which rules each is judged, what is loaded.

Typing, saving, and trying a fix each make another project over the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from kbrules.diagnostics import Diagnostic, distinct
from kbrules.library import discovery, reading, store, yaml
from kbrules.library.box import shipped_boxes, shipped_in, usual_boxes
from kbrules.library.load import Loaded, load_all, needed
from kbrules.project import files as project_files, findings as project_findings
from kbrules.project.files import BoxFolder, Selected, SourceFile
from kbrules.scenario.unread import folders_of_one_id
from kbrules.text import Source

if TYPE_CHECKING:
    from kbrules.plan.plan import LinkerFactory
    from kbrules.project.cases import Judge
    from kbrules.scenario.collection import Collection
    from kbrules.scenario.setup import RulesetCache

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Context:
    """By which rules a file is judged: boxes by name, folders of boxes, and single rule files.

    Nothing else has a part in it: files of the same context mean the same in every command.
    """

    boxes: tuple[str, ...] = ()
    folders: tuple[Path, ...] = ()
    loose: tuple[Path, ...] = ()


class Project:
    """The files below some roots, with what they need, as they are on disk or typed.

    boxes, folders: further boxes that everything is judged with, by name and by folder.
    base: the folder that paths count from; the current folder if none is given.
    linking: how games evaluate expressions; that of the reference if none is given.
    """

    def __init__(
        self,
        roots: Sequence[Path] = (),
        boxes: Sequence[str] = (),
        folders: Sequence[Path] = (),
        *,
        base: Path | None = None,
        linking: LinkerFactory | None = None,
        files: store.Files | None = None,
        is_named: bool = True,
    ) -> None:
        self.roots, self.with_boxes, self.with_folders = (*roots,), (*boxes,), (*folders,)
        self.base = base or Path.cwd()
        self.is_named = is_named
        self._linking = linking
        self.texts = files or store.Files()
        self._typed: dict[Path, Path] = {real: real for real in self.texts.overrides}
        self._made: dict[Hashable, object] = {}
        self._looked: dict[Hashable, object] = {}  # which files there are, whatever they say

    @classmethod
    def here(
        cls, boxes: Sequence[str] = (), folders: Sequence[Path] = (), **more: object
    ) -> Project:
        """Return what a command means that names no path: all shipped files, the box that we are
        in, and the folders given."""
        home = reading.author_folder(Path.cwd() / reading.MANIFEST)
        own = [] if home is None else [home]
        roots = [reading.data_root("rules"), reading.data_root("expansions"), *own, *folders]
        return cls(roots, boxes, folders, is_named=False, **more)  # type: ignore[arg-type]

    @classmethod
    def to_test(
        cls,
        paths: Sequence[Path] = (),
        boxes: Sequence[str] = (),
        folders: Sequence[Path] = (),
        **more: object,
    ) -> Project:
        """Return what a command means that runs what is in some paths, or names none.

        The data file of a box stands for its folder.
        """
        roots = [path.parent if path.name == reading.MANIFEST else path for path in paths]
        if not roots:
            return cls.here(boxes, folders, **more)
        return cls(roots, boxes, folders, **more)  # type: ignore[arg-type]

    # Other projects

    def edited(self, texts: Mapping[Path, str | None]) -> Project:
        """Return the project in which files have other texts; with None, those on disk again.

        It is the same project if nothing differs.
        """
        other = self.refreshed()
        other.texts = self.texts.edited({reading.real_path(p): text for p, text in texts.items()})
        for path, text in texts.items():
            real = reading.real_path(path)
            if text is None:
                other._typed.pop(real, None)
            else:
                other._typed[real] = path
        if other._typed == self._typed:
            other._looked = self._looked
        return self if other.texts.overrides == self.texts.overrides else other

    def refreshed(self) -> Project:
        """Return the project as it is on disk now; what has not changed is not read again."""
        other = Project(
            self.roots, self.with_boxes, self.with_folders, base=self.base, linking=self._linking,
            files=self.texts, is_named=self.is_named,
        )  # fmt: skip
        other._typed = dict(self._typed)
        return other

    # What there is

    @property
    def selected(self) -> Selected:
        """The files below the roots, and what is wrong with the roots."""
        make = project_files.select
        return self._seen("selected", lambda: make(self.roots, self._typed, self.is_named))

    def files(self, *kinds: discovery.Kind) -> tuple[SourceFile, ...]:
        """Return the files below the roots, in the order of the roots; of some kinds, or of all."""
        return tuple(f for f in self.selected.files if not kinds or f.kind in kinds)

    def file(self, path: Path) -> SourceFile:
        """Return any file: selected, typed, shipped or none of these."""
        known = self._seen("by path", lambda: {each.real: each for each in self.selected.files})
        real = reading.real_path(path)
        return known.get(real) or self._seen(
            ("file", path), lambda: project_files.source_file(path, self._typed)
        )

    def boxes(self) -> tuple[BoxFolder, ...]:
        """Return the authors' boxes that the selected files are in."""
        homes = {f.home: None for f in self.selected.files if f.home is not None}
        return tuple(self._once("boxes", lambda: [*self._as_boxes(homes)]))

    def source(self, file: SourceFile | Path) -> Source | None:
        """Return the text of a file; None if it cannot be read."""
        path = file.path if isinstance(file, SourceFile) else file
        return self.texts.source(path)[0]

    def _as_boxes(self, homes: Iterable[Path]) -> Iterator[BoxFolder]:
        """Yield boxes by their folders, each once, whatever links lead to it."""
        found = {reading.real_path(home): home for home in reversed([*homes])}
        for home in reversed(found.values()):
            box, _ = self.texts.box(home / reading.MANIFEST)
            yield BoxFolder("" if box is None else box.id, home)

    # By which rules a file is judged

    def context(self, file: SourceFile | Path, named: Sequence[str] | None = None) -> Context:
        """Return by which rules a file is judged. named: the boxes that a scenario in it names, if
        not those that the file names for all.

        Scenarios outside of boxes that name none are judged by the boxes that need no other,
        drawings of boards by the usual ones.
        """
        file = self._known(file)
        key = "context", file.home or (file.path if not file.is_shipped else shipped_in(file.path))
        ids = None if named is None else (*named,)
        return self._once((*key, ids), lambda: self._context(file, ids))

    @property
    def further(self) -> Context:
        """The boxes that everything is judged with; the usual ones if there are none."""
        ids = self.with_boxes if self.with_boxes or self.with_folders else usual_boxes()
        return self._with_needs(ids, [])

    def _context(self, file: SourceFile, named: Sequence[str] | None) -> Context:
        if named is None:
            named = [*self._named_in(file)] if file.kind == "scenario" else []
        ids = (*named, *self.with_boxes)
        if file.is_shipped:
            box, usual = shipped_in(file.path), usual_boxes()
            return self._with_needs([*(usual if box in ("", *usual) else [box]), *ids], [])
        if file.home is not None:
            return self._with_needs(ids, [file.home])
        if file.kind is None:  # a drawing of a board
            return self.further
        if file.kind != "scenario":
            return self._with_needs([*usual_boxes(), *ids], [], loose=(file.path,))
        if ids or self.with_folders:
            return self._with_needs(ids, [])
        return Context(tuple(id for id in usual_boxes() if needed(self.texts, [id], ()) == [id]))

    def _with_needs(
        self, ids: Sequence[str], homes: Sequence[Path], loose: tuple[Path, ...] = ()
    ) -> Context:
        """Return the context of boxes and folders, with the boxes that they need and with those
        that everything is judged with."""
        folders = list(self._with_neighbours([*homes, *self.with_folders]))
        return Context(tuple(needed(self.texts, dict.fromkeys(ids), folders)), (*folders,), loose)

    def _with_neighbours(self, homes: Iterable[Path]) -> Iterator[Path]:
        """Yield folders of boxes, each once, and those of other boxes nearby that they need."""
        shipped, waiting = {*shipped_boxes()}, [*homes]
        seen: set[Path] = set()
        while waiting:
            home = waiting.pop(0)
            if (real := reading.real_path(home)) in seen:
                continue
            seen.add(real)
            yield home
            needs = [id for id in self._needs(home) if id not in shipped]
            waiting += filter(None, (self._neighbour(home, id) for id in needs))

    def _needs(self, home: Path) -> Iterable[str]:
        box, _ = self.texts.box(home / reading.MANIFEST)
        return box.model.needs if box is not None else ()

    def _neighbour(self, home: Path, id: str) -> Path | None:
        """Return the folder of another box of the project, by its id: one below the roots, below
        the base, or next to the box that needs it."""
        for places in (self._below_roots, self._below_base, lambda: self._next_to(home)):
            for box in places():
                if box.id == id:
                    return box.folder
        return None

    def _below_roots(self) -> Sequence[BoxFolder]:
        homes = (each.parent for each in self._typed.values() if each.name == reading.MANIFEST)
        return [*self.boxes(), *self._once("typed", lambda: [*self._as_boxes(homes)])]

    def _below_base(self) -> Sequence[BoxFolder]:
        return self._once(
            "below base", lambda: [*self._as_boxes(discovery.discover(self.base).homes())]
        )

    def _next_to(self, home: Path) -> Sequence[BoxFolder]:
        def find() -> list[BoxFolder]:
            homes = sorted(manifest.parent for manifest in place.glob(f"*/{reading.MANIFEST}"))
            return [*self._as_boxes(home for home in homes if not discovery.is_hidden(home.name))]

        place = reading.real_path(home).parent
        return self._once(("next to", place), find)

    def _named_in(self, file: SourceFile) -> Iterator[str]:
        """Yield the shipped boxes that a file of scenarios names."""
        source = self.source(file)
        if source is None:
            return
        name = "yaml", file.path
        document, _ = self.texts.memoized(name, [source], lambda: yaml.read_yaml(source))
        data = None if document is None else document.data
        named = data.get("with") if isinstance(data, dict) else None
        shipped = shipped_boxes()
        yield from (id for id in named if id in shipped) if isinstance(named, list) else ()

    # What it means

    def loaded(self, of: SourceFile | Path | Context) -> Loaded:
        """Return everything that the rules say by which a file is judged."""
        context = of if isinstance(of, Context) else self.context(of)
        return self._once(("loaded", context), lambda: self._load(context))

    def _load(self, context: Context) -> Loaded:
        loose = [self.texts.rules(path) for path in context.loose]
        return load_all(context.boxes, context.folders, loose, self.texts)

    def rules(self, of: SourceFile | Path | Context) -> RulesetCache | None:
        """Return the rule set by which a file is judged, with its boards and games.

        Cards and tiles with mistakes are left out; None if there is nothing without them.
        """
        from kbrules.plan.plan import default_linker
        from kbrules.scenario.setup import cache_of  # slow to load, and a check needs neither

        loaded, linking = self.loaded(of), self._linking or default_linker
        context = of if isinstance(of, Context) else self.context(of)
        return self.texts.memoized(
            ("rule sets", context, linking), [loaded], lambda: cache_of(loaded, linking)
        )

    # What is wrong

    def errors(self, files: Iterable[SourceFile]) -> list[Diagnostic]:
        """Return all errors in some files, each once, by place; with those that keep them from
        being judged."""
        judged = [*files]
        is_judged = self._is_among(judged)
        found: list[Diagnostic] = []
        for context, of in self.by_context(judged).items():
            blocking = {id(each) for each in self.loaded(context).blocking}
            errors = self.errors_of(context, of)
            found += (e for e in errors if id(e) in blocking or _is_about(e, is_judged))
        clashes = self._once(
            "clashes", lambda: [*folders_of_one_id(box.manifest for box in self.boxes())]
        )
        found += (each for each in clashes if _is_about(each, is_judged))
        scenarios = [file for file in judged if file.kind == "scenario"]
        found += self.cases(scenarios).findings if scenarios else ()
        return sorted(distinct(once(found)))

    def by_context(self, files: Iterable[SourceFile]) -> dict[Context, tuple[SourceFile, ...]]:
        """Return files of rules, data and texts by the rules by which they are judged."""
        groups: dict[Context, list[SourceFile]] = {}
        for file in files:
            if file.kind != "scenario":
                groups.setdefault(self.context(file), []).append(file)
        return {context: tuple(of) for context, of in groups.items()}

    def errors_of(self, context: Context, files: Sequence[SourceFile]) -> Sequence[Diagnostic]:
        """Return the errors in all that is loaded for a context, and those in the examples and
        texts of some files."""

        def find() -> list[Diagnostic]:
            loaded = self.loaded(context)
            return project_findings.errors_in(self.texts, loaded, self._is_among(files))

        return self._once(("errors", context, *(file.real for file in files)), find)

    def _is_among(self, files: Iterable[SourceFile]) -> Callable[[str], bool]:
        """Return whether a file is one of some, by the name it has in messages."""
        real = {file.real for file in files}
        return lambda name: self._real(name) in real

    def _real(self, name: str) -> Path:
        return self._once(("real", name), lambda: reading.real_path(Path(name)))

    # What can be run

    def cases(self, files: Iterable[SourceFile] | None = None) -> Collection:
        """Return the scenarios and examples in some files, or in all that the roots select.

        Those that cannot be run are listed with the mistake that is in their way. For the roots,
        the findings say as well which of them are of no use.
        """
        from kbrules.project.cases import cases_in  # slow to load, and a check of rules needs none

        chosen = self.files() if files is None else tuple(files)
        key = "cases", *(file.real for file in chosen)
        found = self._once(key, lambda: cases_in(chosen, self.texts, self._judge))
        if files is not None:
            return found
        return replace(found, findings=sorted({*found.findings, *self.unusable}))

    def _judge(self, file: SourceFile, named: Sequence[str] | None) -> Judge:
        from kbrules.project.cases import Judge

        contexts = [self.context(file, named), *self._apart(file)]
        usable = (context for context in contexts if self.rules(context) is not None)
        context = next(usable, contexts[0])
        return Judge(context, self.loaded(context), self.rules(context))

    def _apart(self, file: SourceFile) -> Iterator[Context]:
        """Yield contexts in which examples run where further boxes make no game with the usual
        ones: without the usual boxes, and without the further ones."""
        if file.home is None and file.kind == "rules" and (self.with_boxes or self.with_folders):
            if not file.is_shipped:
                yield self._with_needs(self.with_boxes, [], (file.path,))
            yield Project(base=self.base, linking=self._linking, files=self.texts).context(file)

    @property
    def unusable(self) -> tuple[Diagnostic, ...]:
        """Findings about roots in which nothing can be run, and files that nothing reads."""
        return project_files.unusable(self.roots, self.selected, self._typed)

    # What belongs together

    def around(self, file: SourceFile | Path) -> Selected:
        """Return the files whose findings a change of a file may change: those of its box, and of
        the boxes that need it; with what is wrong with the folders that they are in."""
        file = self._known(file)
        if file.is_shipped:
            roots = reading.data_root("rules"), reading.data_root("expansions")
            return self._below("shipped", roots)
        if file.home is None:
            return Selected((file,))
        home = reading.real_path(file.home)
        boxes = [BoxFolder("", file.home), *self._below_roots()]
        needing = {
            reading.real_path(box.folder): box.folder
            for box in boxes
            if home in map(reading.real_path, self.context(box.manifest).folders)
        }
        found = [self._below(place, (place,)) for place in needing.values()]
        files = {each.real: each for each in (file, *(f for of in found for f in of.files))}
        return Selected(tuple(files.values()), tuple(p for of in found for p in of.problems))

    def related(self, file: SourceFile | Path) -> tuple[SourceFile, ...]:
        """Return the files that may mention what a file declares, or declare what it mentions.

        These are those of its box, of the boxes that it needs and of those that need it; with a
        shipped box the scenarios of the project that are in no box.
        """
        file = self._known(file)
        found = {each.real: each for each in self.around(file).files}
        for context in dict.fromkeys(map(self.context, [*found.values()])):
            sources = (Path(source.name) for source in self.loaded(context).sources)
            found |= {each.real: each for each in map(self.file, sources) if each.real not in found}
        if file.is_shipped:
            loose = (each for each in self.files("scenario") if each.home is None)
            found |= {each.real: each for each in loose}
        return tuple(found.values())

    def _below(self, key: Hashable, roots: Sequence[Path]) -> Selected:
        make = project_files.select
        return self._seen(("below", key), lambda: make(roots, self._typed))

    def _known(self, file: SourceFile | Path) -> SourceFile:
        return file if isinstance(file, SourceFile) else self.file(file)

    def _once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        return _known_or_made(self._made, key, make)

    def _seen(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what the disk shows of folders, which is looked at again when it is refreshed."""
        return _known_or_made(self._looked, key, make)


def _is_about(finding: Diagnostic, is_judged: Callable[[str], bool]) -> bool:
    """Return whether a finding is in a file that is judged, or names one."""
    places = [finding.span, *(label.span for label in finding.labels)]
    return any(is_judged(place.source.name) for place in places)


def once(findings: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """Return findings but for those that say the same of the same place."""
    return {(f.span.source.name, f.code, f.span.start, f.message): f for f in findings}.values()


def _known_or_made(known: dict[Hashable, object], key: Hashable, make: Callable[[], Made]) -> Made:
    if key not in known:
        known[key] = make()
    made: Made = known[key]  # type: ignore[assignment]  # of this key it is always of this kind
    return made
