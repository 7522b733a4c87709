"""A copy of an author's folder in which texts are tried before they are saved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kbrules.engine.logs.writing import write_bytes_atomically
from kbrules.library.discovery import discover
from kbrules.library.reading import RULES, SCENARIO, data_root, real_path
from kbrules.tools.workshop.requests import Refused

MAX_BYTES, MAX_FILES = 1_000_000, 500


def kind_of(name: str) -> str:
    """Return what the page shows a file as, by its path in the folder; empty if it does not."""
    if not name.endswith(".yaml"):
        return "rules" if name.endswith(RULES) else ""
    return "scenario" if name.endswith(SCENARIO) else "box"


@cache
def _shipped() -> dict[str, Path]:
    """The shipped rule files by the names that the pages of declarations give them."""
    root = data_root("rules")
    return {
        f"rules/{path.relative_to(root).as_posix()}": path for path in discover(root).of("rules")
    }


class WorkingCopy:
    """The files of a folder as they are typed. `root`: where they lie while they are tried.

    Nothing is written into `folder` before `save`. Raises Refused for a folder of more than
    500 files.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder, self.root = folder, real_path(root)
        self._saved: dict[str, bytes] = {}
        self._readers: dict[str, set[str]] = {}
        self._current: dict[str, set[str]] = {}
        for path, name in self._on_disk():
            self._store(name, path.read_bytes())
            if len(self._saved) > MAX_FILES:
                remedy = "open the folder of one expansion"
                raise Refused(f"there are more than {MAX_FILES} files in the folder", remedy)

    def _on_disk(self) -> Iterator[tuple[Path, str]]:
        for path in discover(self.folder).files:
            name = path.relative_to(self.folder).as_posix()
            whole = path.is_file() and not path.is_symlink()
            if whole and kind_of(name) and path.stat().st_size <= MAX_BYTES:
                yield path, name

    def _store(self, name: str, data: bytes) -> None:
        self._saved[name] = data
        self._current[name] = set()
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    @property
    def names(self) -> list[str]:
        """The files, by their paths in the folder, sorted."""
        return sorted(self._saved)

    def path(self, name: str) -> Path:
        """Where a file is tried, or one of a shipped box lies, which can be read alone.

        Raises Refused if there is none of the name.
        """
        if name in self._saved:
            return self.root / name
        if self.is_shipped(name):
            return _shipped()[name]
        raise Refused(f"there is no file `{name}` here", "open one of the list", "KB001")

    def place(self, file: Path) -> Path:
        """Return where a file of the copy is in the folder."""
        real = real_path(file)
        return self.folder / real.relative_to(self.root) if real.is_relative_to(self.root) else file

    def is_shipped(self, name: str) -> bool:
        """Whether it is a file of the shipped rules, and none of the folder."""
        return name not in self._saved and name in _shipped()

    def text(self, name: str) -> str:
        """A file as it is typed; what is no UTF-8 shows as signs that stand for it."""
        return self.path(name).read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")

    def read(self, name: str, reader: str) -> str:
        """The text for a reader, who knows it from now on."""
        text = self.text(name)
        for known in (self._readers, self._current):
            known.setdefault(name, set()).add(reader)
        return text

    def stale(self, reader: str) -> list[str]:
        """The files that have other texts than when the reader read them."""
        return sorted(
            name
            for name in self._saved
            if reader in self._readers.get(name, ()) and reader not in self._current.get(name, ())
        )

    def write(self, name: str, text: str, writer: str = "") -> None:
        """Try another text; the one that is there changes nothing, whatever its encoding.

        Raises Refused if it has changed since the writer, who has a name, read it.
        """
        path = self.path(name)
        if text == self.text(name):
            return
        self._refuse_shipped(name)
        if writer and writer not in self._current[name]:
            remedy = "take its text, or keep yours"
            raise Refused(f"`{name}` was changed in another tab", remedy, "KB008")
        self._current[name] = {writer}
        ends = "\r\n" if b"\r\n" in self._saved[name] else "\n"
        path.write_bytes(text.replace("\n", ends).encode())

    def _refuse_shipped(self, name: str) -> None:
        if self.is_shipped(name):
            raise Refused(f"`{name}` is of a shipped box", "copy its text into a file of yours")

    def is_changed(self, name: str) -> bool:
        """Whether a file is not as it was saved."""
        return name in self._saved and self.path(name).read_bytes() != self._saved[name]

    def save(self, name: str) -> None:
        """Write a file into the folder, whole or not at all.

        Raises Refused if it was changed there meanwhile, and OSError.
        """
        self._refuse_shipped(name)
        data, target = self.path(name).read_bytes(), self.folder / name
        inside = real_path(target) == real_path(self.folder) / name
        if not inside or not target.is_file() or target.read_bytes() != self._saved[name]:
            message = f"`{name}` was changed or taken away on disk meanwhile"
            raise Refused(message, "copy your text, and open the page anew", "KB008")
        write_bytes_atomically(target, data)
        self._saved[name] = data

    def reload(self) -> list[str]:
        """Take what was changed on disk and is as it was saved here; the names of those files."""
        taken, on_disk = [], set()
        for path, name in self._on_disk():
            on_disk.add(name)
            data, is_new = path.read_bytes(), name not in self._saved
            if is_new and len(self._saved) >= MAX_FILES:
                continue
            if is_new or (data != self._saved[name] and not self.is_changed(name)):
                self._store(name, data)
                taken.append(name)
        for name in self._saved.keys() - on_disk:
            if not self.is_changed(name):
                del self._saved[name]
                (self.root / name).unlink()
                taken.append(name)
        return sorted(taken)
