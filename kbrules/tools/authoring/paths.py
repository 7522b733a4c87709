"""The files that the paths of a command select: rule files, boxes and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.discovery import Kind, discover, kind_of
from kbrules.library.reading import (
    MANIFEST,
    RULES,
    SCENARIO,
    SLIP,
    data_root,
    file_finding,
    real_path,
    shown_name,
)
from kbrules.scenario.unread import folders_of_one_id, unread_files


@dataclass(slots=True)
class FileSelection:
    """Files by their real paths, each with the path it was named by, and paths of no use."""

    rules: dict[Path, Path] = field(default_factory=dict)
    boxes: dict[Path, Path] = field(default_factory=dict)
    scenarios: dict[Path, Path] = field(default_factory=dict)
    texts: dict[Path, Path] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    unread: list[Diagnostic] = field(default_factory=list)
    """Files that were named though nothing reads them; they may be formatted all the same."""
    ignored: set[Path] = field(default_factory=set)
    """Those that git ignores, by their real paths; they are checked, but not written."""

    def all(self) -> dict[Path, Path]:
        """All files."""
        return {**self.rules, **self.boxes, **self.scenarios, **self.texts}

    def add(self, path: Path) -> None:
        """Take a file, or all files of a known kind below a folder."""
        if path.is_dir():
            found = discover(path)
            are_known = [self.add_file(file) for file in found.files]
            self.problems += [*found.findings, *unread_files(found.files)]
            self.ignored |= {real_path(file) for file in found.ignored}
            if not any(are_known):
                self._refuse("KB007", path, "holds nothing that can be checked", SLIP)
        elif not path.exists():
            self._refuse("KB001", path, "does not exist", SLIP)
        elif not self.add_file(path):
            help_ = f"rules end in {quoted(RULES)}, scenarios in {quoted(SCENARIO)}, and the "
            help_ += f"data of a box is called {quoted(MANIFEST)}"
            self._refuse("KB006", path, "is of no kind that can be checked", help_)
        else:
            self.unread += unread_files([path])

    def add_file(self, file: Path) -> bool:
        """Take a file, and return whether it is of a kind that can be checked."""
        kind = kind_of(file)
        if kind is not None:
            self._of(kind).setdefault(real_path(file), file)
        return kind is not None

    def _of(self, kind: Kind) -> dict[Path, Path]:
        match kind:
            case "rules":
                return self.rules
            case "box":
                return self.boxes
            case "scenario":
                return self.scenarios
            case "texts":
                return self.texts

    def _refuse(self, code: str, path: Path, why: str, help_: str) -> None:
        self.problems.append(file_finding(shown_name(path), code, why, help_))


def select_files(paths: Sequence[Path], folders: Sequence[Path] = ()) -> FileSelection:
    """The files that paths name; without one, all there is, the author's folder, and `folders`."""
    selection = FileSelection()
    for path in paths or (*_default_paths(), *folders):
        selection.add(path)
    selection.ignored -= {real_path(path) for path in paths}
    selection.problems += folders_of_one_id(selection.boxes.values())
    return selection


def _default_paths() -> Iterator[Path]:
    yield data_root("rules")
    yield data_root("expansions")
    if Path(MANIFEST).is_file():
        yield Path()
