"""The files that the paths of a command select: rule files, boxes and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.reading import SLIP, file_finding, shown_name, within
from kbrules.library.resources import (
    MANIFEST,
    RULES,
    author_folder,
    data_root,
    files_below,
    real_path,
)
from kbrules.library.texts.files import TEXTS
from kbrules.scenario.format.reader import SUFFIX
from kbrules.scenario.running.unread import folders_of_one_id, unread_files

__all__ = ["FileSelection", "holds_texts", "is_shipped", "select_files"]


@dataclass(slots=True)
class FileSelection:
    """Files by their real paths, each with the path it was named by, and paths of no use."""

    rules: dict[Path, Path] = field(default_factory=dict)
    boxes: dict[Path, Path] = field(default_factory=dict)
    scenarios: dict[Path, Path] = field(default_factory=dict)
    texts: dict[Path, Path] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def all(self) -> dict[Path, Path]:
        """All files."""
        return {**self.rules, **self.boxes, **self.scenarios, **self.texts}

    def add(self, path: Path) -> None:
        """Take a file, or all files of a known kind below a folder."""
        if path.is_dir():
            files = list(files_below(path))
            are_known = [self._add_file(file) for file in files]
            self.problems += unread_files(files)
            for link in (file for file in files if file.is_dir()):
                self.problems += within(path, link)
            if not any(are_known):
                self._refuse("KB007", path, "holds nothing that can be checked", SLIP)
        elif not path.exists():
            self._refuse("KB001", path, "does not exist", SLIP)
        elif not self._add_file(path):
            help_ = f"rules end in {quoted(RULES)}, scenarios in {quoted(SUFFIX)}, and the "
            help_ += f"data of a box is called {quoted(MANIFEST)}"
            self._refuse("KB006", path, "is of no kind that can be checked", help_)

    def _add_file(self, file: Path) -> bool:
        if file.suffix == RULES:
            self.rules.setdefault(real_path(file), file)
        elif file.name.endswith(SUFFIX):
            self.scenarios.setdefault(real_path(file), file)
        elif holds_texts(file):
            self.texts.setdefault(real_path(file), file)
        elif file.name == MANIFEST or (file.suffix == ".yaml" and is_shipped(file)):
            self.boxes.setdefault(real_path(file), file)
        else:
            return False
        return True

    def _refuse(self, code: str, path: Path, why: str, help_: str) -> None:
        self.problems.append(file_finding(shown_name(path), code, why, help_))


def holds_texts(file: Path) -> bool:
    """Whether a file holds the texts of a box in a language."""
    if file.suffix != ".yaml" or file.name == MANIFEST:
        return False
    box_folder = author_folder(file)
    if box_folder is not None:
        return file.absolute().parent == (box_folder / TEXTS).absolute()
    return file.parent.parent.name == TEXTS and is_shipped(file)


def select_files(paths: Sequence[Path], folders: Sequence[Path] = ()) -> FileSelection:
    """The files that paths name; without one, all there is, the author's folder, and `folders`."""
    selection = FileSelection()
    for path in paths or (*_default_paths(), *folders):
        selection.add(path)
    selection.problems += folders_of_one_id(selection.boxes.values())
    return selection


def _default_paths() -> Iterator[Path]:
    yield data_root("rules")
    yield data_root("expansions")
    if Path(MANIFEST).is_file():
        yield Path()


def is_shipped(file: Path) -> bool:
    """Whether a file comes with the engine."""
    real = real_path(file)
    roots = (_resolved(data_root("rules")), _resolved(data_root("expansions")))
    return any(real.is_relative_to(root) for root in roots)


@cache
def _resolved(root: Path) -> Path:
    """Where a folder that comes with the engine really lies."""
    return root.resolve()
