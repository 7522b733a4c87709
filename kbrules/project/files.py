"""The files of a project: what some paths select, what each contains, and whose it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library import discovery, reading
from kbrules.scenario.unread import unread_files


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a project.

    `path` is the address by which somebody named it, or the folder that it is in; `real` is where
    it is with all links followed. `home` is the folder of the author's box that it is in. A file
    that git ignores is checked, but not written; one that is typed has a text that need not be
    on disk.
    """

    path: Path
    real: Path
    kind: discovery.Kind | None
    home: Path | None
    is_shipped: bool = False
    is_ignored: bool = False
    is_typed: bool = False


@dataclass(frozen=True, slots=True)
class BoxFolder:
    """An author's box: its id, which is empty if its data cannot be read, and its folder."""

    id: str
    folder: Path

    @property
    def manifest(self) -> Path:
        """The data file of the box."""
        return self.folder / reading.MANIFEST


@dataclass(frozen=True, slots=True)
class Selected:
    """The files that paths select, each once, and what is wrong with the paths.

    `unread` are findings about files that were named though nothing reads them; they may be
    formatted all the same.
    """

    files: tuple[SourceFile, ...] = ()
    problems: tuple[Diagnostic, ...] = ()
    unread: tuple[Diagnostic, ...] = ()


def source_file(path: Path, typed: Mapping[Path, Path]) -> SourceFile:
    """Return what is known of any file by its name. typed: texts, by real paths."""
    real, is_shipped = reading.real_path(path), reading.is_shipped(path)
    manifests = {each for each in typed if each.name == reading.MANIFEST}
    home = None if is_shipped else reading.author_folder(path, manifests)
    return SourceFile(
        path, real, discovery.kind_of(path, manifests), home, is_shipped, is_typed=real in typed
    )


def select(roots: Sequence[Path], typed: Mapping[Path, Path], is_named: bool = True) -> Selected:
    """Return the files that paths name, or all files of a known kind below folders.

    typed: the addresses of files with a text, by real paths; they are there even if they are not
    on disk. A path that somebody named is never ignored.
    """
    named = {reading.real_path(root) for root in roots} if is_named else set()
    selection = _Selection(typed, named)
    for root in roots:
        selection.add(root)
    files = tuple(selection.files.values())
    return Selected(files, tuple(selection.problems), tuple(selection.unread))


_NO_FAULT_OF_TESTS = {"KB001", "KB007", "KB202"}  # these are about checks, or are told below


def unusable(
    roots: Sequence[Path], selected: Selected, typed: Mapping[Path, Path]
) -> tuple[Diagnostic, ...]:
    """Return findings about roots in which nothing can be run, and files that nothing reads."""
    names = {*map(reading.shown_name, roots)}
    others = (
        each
        for each in (*selected.problems, *selected.unread)
        if each.code not in _NO_FAULT_OF_TESTS and each.span.source.name not in names
    )
    return (*filter(None, (_unusable(root, typed) for root in roots)), *others)


def _unusable(root: Path, typed: Mapping[Path, Path]) -> Diagnostic | None:
    is_there = root.exists() or reading.real_path(root) in typed
    if root.is_dir() or (is_there and discovery.kind_of(root) in ("scenario", "rules")):
        return None
    code = "KB006" if is_there else "KB001"
    why = "is of no kind that can be run" if is_there else "does not exist"
    help = f"scenarios end in {quoted(reading.SCENARIO)}, rules in {quoted(reading.RULES)}"
    return reading.file_finding(reading.shown_name(root), code, why, help)


@dataclass(slots=True)
class _Selection:
    """Files by their real paths, and what is wrong with paths."""

    typed: Mapping[Path, Path]
    named: Collection[Path]
    files: dict[Path, SourceFile] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    unread: list[Diagnostic] = field(default_factory=list)

    def add(self, path: Path) -> None:
        """Take a file, or all files of a known kind below a folder."""
        real = reading.real_path(path)
        if path.is_dir():
            self._add_folder(path, real)
        elif not path.exists() and real not in self.typed:
            self._refuse("KB001", path, "does not exist", reading.SLIP)
        elif not self._add_file(path):
            help = (
                f"rules end in {quoted(reading.RULES)}, scenarios in {quoted(reading.SCENARIO)}, "
            )
            help += f"and the data of a box is called {quoted(reading.MANIFEST)}"
            self._refuse("KB006", path, "is of no kind that can be checked", help)
        else:
            self.unread += unread_files([path])

    def _add_folder(self, path: Path, real: Path) -> None:
        found = discovery.discover(path)
        are_known = [self._add_file(file, file in found.ignored) for file in found.files]
        are_known += [self._add_file(file) for file in self._typed_below(real)]
        self.problems += [*found.findings, *unread_files(found.files)]
        if not any(are_known):
            self._refuse("KB007", path, "holds nothing that can be checked", reading.SLIP)

    def _typed_below(self, root: Path) -> Iterator[Path]:
        """Yield the files below a folder that have a text and are not on disk."""
        for real, path in self.typed.items():
            is_new = real.is_relative_to(root) and not real.exists()
            if is_new and not any(map(discovery.is_hidden, real.relative_to(root).parts)):
                yield path

    def _add_file(self, path: Path, is_ignored: bool = False) -> bool:
        """Take a file, and return whether it is of a kind that can be checked."""
        file = source_file(path, self.typed)
        if file.kind is not None:
            is_ignored = is_ignored and file.real not in self.named
            self.files.setdefault(file.real, replace(file, is_ignored=is_ignored))
        return file.kind is not None

    def _refuse(self, code: str, path: Path, why: str, help: str) -> None:
        self.problems.append(reading.file_finding(reading.shown_name(path), code, why, help))
