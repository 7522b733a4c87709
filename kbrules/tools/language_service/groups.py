"""Which files are checked together: the box of a file, the boxes it needs, those that need it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.discovery import files_below
from kbrules.library.file_cache import FileCache
from kbrules.library.reading import (
    MANIFEST,
    RULES,
    SCENARIO,
    author_folder,
    data_root,
    is_shipped,
)

_SUFFIXES = frozenset({RULES, ".yaml", ".toml"})  # of files, never of folders


def may_hold_boxes(path: Path) -> bool:
    """Whether a path that is new or gone may be that of a box, or of a folder of boxes."""
    return path.name == MANIFEST or path.suffix not in _SUFFIXES


@dataclass(frozen=True, slots=True)
class FileGroup:
    """Files that are checked together: all below `paths`, with the boxes in `folders`.

    `home` is the author's folder that they lie in; None for shipped files and for single ones.
    """

    paths: tuple[Path, ...]
    home: Path | None = None
    folders: tuple[Path, ...] = ()


@dataclass(slots=True)
class FileGroups:
    """The boxes of a workspace, and what depends on what."""

    roots: Sequence[Path]
    files: FileCache
    _homes: dict[Path, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rescan()

    def rescan(self, opened: Iterable[Path] = ()) -> None:
        """Look again for boxes below the roots, and around open texts."""
        self._homes.clear()
        manifests = (file for file in self.files_below_roots() if file.name == MANIFEST)
        for file in (*manifests, *opened):
            self.note(file)

    def note(self, path: Path) -> None:
        """Learn of the box that a file lies in."""
        if (home := author_folder(path)) is not None:
            self._homes[home.absolute()] = None

    @property
    def homes(self) -> list[Path]:
        """The folders of boxes that are there, sorted."""
        return sorted(home for home in self._homes if (home / MANIFEST).is_file())

    def of(self, path: Path) -> FileGroup:
        """The group of a file."""
        if is_shipped(path):
            return FileGroup((data_root("rules"), data_root("expansions")))
        home = author_folder(path)
        if home is None:
            return FileGroup((path,))
        return FileGroup((home,), home, tuple(self._needed(home.absolute())))

    def affected(self, path: Path) -> list[FileGroup]:
        """The group of a file, and the groups that need its box."""
        own = self.of(path)
        if own.home is None:
            return [own]
        here = own.home.absolute()
        others = (self.of(home / MANIFEST) for home in self.homes if home != here)
        return [own, *(group for group in others if here in group.folders)]

    def scenarios(self) -> Iterator[Path]:
        """The scenarios below the roots that lie in no box."""
        for file in self.files_below_roots():
            if file.name.endswith(SCENARIO) and author_folder(file) is None:
                yield file

    def files_below_roots(self) -> Iterator[Path]:
        """The files below the roots; of a very large folder the first."""
        yield from files_below(self.roots)

    def _needed(self, home: Path) -> Iterator[Path]:
        """The folders of other boxes that a box needs, each once; of two of one id the first."""
        by_id: dict[str, Path] = {}
        shipped = shipped_boxes()
        for each in self.homes:
            by_id.setdefault(self._id(each), each)
        seen, waiting = {home}, [*self._needs(home)]
        while waiting:
            other = by_id.get(id := waiting.pop(0))
            if other is not None and id not in shipped and other not in seen:
                seen.add(other)
                waiting += self._needs(other)
                yield other

    def _id(self, home: Path) -> str:
        box, _ = self.files.box(home / MANIFEST)
        return box.id if box is not None else ""

    def _needs(self, home: Path) -> Iterable[str]:
        box, _ = self.files.box(home / MANIFEST)
        return box.model.needs if box is not None else ()
