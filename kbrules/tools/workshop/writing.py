"""The files on the page: texts tried before they are saved, and what is asked about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

from kbrules.engine.logs.writing import write_bytes_atomically
from kbrules.library.box import known_boxes
from kbrules.library.discovery import discover
from kbrules.library.reading import RULES, SCENARIO, data_root, real_path
from kbrules.tools.editors.highlight import CLOSING, OPENING, token_patterns
from kbrules.tools.language_service.answers import (
    BrowserUnits,
    Finding,
    Refused,
    from_browser,
    text_of,
    value_of,
)
from kbrules.tools.language_service.service import Service, never
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.workshop.rules import Answer, Methods, Params, answer_request

# An author's folder with the texts that are typed in the place of those on disk.


MAX_BYTES, MAX_FILES = 1_000_000, 500
_MARK = b"\xef\xbb\xbf"


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
    """The files of a folder as they are typed. Nothing is written into it before `save`.

    Raises Refused for a folder of more than 500 files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = real_path(folder)
        self.typed: dict[str, str] = {}
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
        self._saved[name], self._current[name] = data, set()

    @property
    def names(self) -> list[str]:
        """The files, by their paths in the folder, sorted."""
        return sorted(self._saved)

    def path(self, name: str) -> Path:
        """Return where a file of the folder is, or one of a shipped box, which can only be read.

        Raises Refused if there is none of the name.
        """
        if name in self._saved:
            return self.folder / name
        if self.is_shipped(name):
            return _shipped()[name]
        raise Refused(f"there is no file `{name}` here", "open one of the list", "KB001")

    def name(self, file: str) -> str:
        """Return what the page calls a file; empty for one that it does not show."""
        path, shipped = Path(file), data_root("rules")
        for root, before in ((self.folder, ""), (shipped, "rules/")):
            if path.is_relative_to(root):
                name = before + path.relative_to(root).as_posix()
                return name if name in self._saved or (before and self.is_shipped(name)) else ""
        return ""

    def is_shipped(self, name: str) -> bool:
        """Return whether it is a file of the shipped rules, and none of the folder."""
        return name not in self._saved and name in _shipped()

    def text(self, name: str) -> str:
        """Return a file as it is typed; what is no UTF-8 shows as signs that stand for it."""
        if name in self.typed:
            return self.typed[name]
        path = self.path(name)
        return _plain(self._saved[name] if name in self._saved else path.read_bytes())

    def texts(self) -> dict[str, str]:
        """Return all files of the folder as they are typed; any thread may ask."""
        plain = {name: _plain(data) for name, data in {**self._saved}.items()}
        return plain | self.typed

    def read(self, name: str, reader: str) -> str:
        """Return the text for a reader, who knows it from now on."""
        text = self.text(name)
        for known in (self._readers, self._current):
            known.setdefault(name, set()).add(reader)
        return text

    def stale(self, reader: str) -> list[str]:
        """Return the files that have other texts than when the reader read them."""
        return sorted(
            name
            for name in self._saved
            if reader in self._readers.get(name, ()) and reader not in self._current.get(name, ())
        )

    def write(self, name: str, text: str, writer: str = "") -> bool:
        """Try another text, and return whether it is one; whatever the encoding of the file.

        Raises Refused if it has changed since the writer, who has a name, read it.
        """
        if text == self.text(name):
            return False
        self._refuse_shipped(name)
        if writer and writer not in self._current[name]:
            remedy = "take its text, or keep yours"
            raise Refused(f"`{name}` was changed in another tab", remedy, "KB008")
        self._current[name] = {writer}
        self.typed[name] = text
        if text == _plain(self._saved[name]):
            del self.typed[name]
        return True

    def _refuse_shipped(self, name: str) -> None:
        if self.is_shipped(name):
            raise Refused(f"`{name}` is of a shipped box", "copy its text into a file of yours")

    def is_changed(self, name: str) -> bool:
        """Return whether a file is not as it was saved."""
        return name in self.typed

    def save(self, name: str) -> None:
        """Write a file into the folder, whole or not at all.

        Raises Refused if it was changed there meanwhile, and OSError.
        """
        self._refuse_shipped(name)
        target = self.path(name)
        if real_path(target) != target or not target.is_file():
            self._refuse_changed(name)
        if target.read_bytes() != self._saved[name]:
            self._refuse_changed(name)
        if name in self.typed:
            data = _encoded(self.typed[name], self._saved[name])
            write_bytes_atomically(target, data)
            self._saved[name] = data
            del self.typed[name]

    def _refuse_changed(self, name: str) -> None:
        message = f"`{name}` was changed or taken away on disk meanwhile"
        raise Refused(message, "copy your text, and open the page anew", "KB008")

    def reload(self) -> list[str]:
        """Take what was changed on disk and is not typed; the names of those files."""
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
                taken.append(name)
        return sorted(taken)


def _plain(data: bytes) -> str:
    """Return a file as text with line feeds and without a byte order mark."""
    return data.removeprefix(_MARK).decode("utf-8", "replace").replace("\r\n", "\n")


def _encoded(text: str, before: bytes) -> bytes:
    """Return a text as a file with the line ends and the mark that it had before."""
    ends = "\r\n" if b"\r\n" in before else "\n"
    return (_MARK if before.startswith(_MARK) else b"") + text.replace("\n", ends).encode()


# What the page asks of the files. What is none of its own is a request to the language service.


_OWN = ("open", "close", "changed")  # of the service, which are told of texts here
_OFFSETS = ("at", "start", "end", "example")


class Writing:
    """One author's folder, as the editor sees it. `version` is another after each change."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._service = Service(Workspace([copy.folder]))
        self._units = BrowserUnits(lambda file: copy.text(copy.name(file)), copy.name)
        self.version = 0
        self.methods: Methods = {
            "open": self._open, "changes": self._changes, "text": self._text, "write": self._write,
            "save": self._save, "patterns": self._patterns,
            "names": partial(self._found, "names"), "findings": partial(self._found, "findings"),
        }  # fmt: skip

    def handle(self, method: str, params: Params, cancelled: Callable[[], bool] = never) -> Answer:
        """Return the answer to a request: of the page itself, or of the language service."""
        passed = {
            name: lambda given, name=name: self._ask(name, given, cancelled)
            for name in self._service.methods - {*_OWN, *self.methods}
        }
        return answer_request(passed | self.methods, method, params)

    def _ask(self, method: str, params: Params, cancelled: Callable[[], bool]) -> Any:
        """Return the answer of the service; files and places are named as the page does."""
        if "text" in params:
            self._write(params)
        name = text_of(params, "path")
        given: dict[str, Any] = {**params, "file": str(self._copy.path(name))}
        for offset in {*_OFFSETS} & given.keys():
            at = value_of(params, offset, int, 0)
            given[offset] = from_browser(self._copy.text(name), at)
        found = self._service.answer(method, given, cancelled)
        return self._by_name(found, method) if method == "lints" else self._units.table(found)

    def _open(self, _: Params) -> Answer:
        names = self._copy.names
        rules = [name for name in names if kind_of(name) == "rules"]
        return {
            "title": self._copy.folder.name,
            "files": [{"path": name, "kind": kind_of(name)} for name in names],
            "start": (rules or names or [""])[0],
            "boxes": known_boxes(),
        }

    def _changes(self, params: Params) -> Answer:
        """The files taken from disk, those changed since the tab read them, and all there are."""
        names = self._copy.reload()
        if names:
            self.version += 1
            self._service.answer("changed", {"files": [str(self._copy.folder / n) for n in names]})
        stale = self._copy.stale(text_of(params, "tab"))
        return {"taken": names, "files": stale, "names": self._copy.names}

    def _text(self, params: Params) -> Answer:
        name = text_of(params, "path")
        text = self._copy.read(name, text_of(params, "tab"))
        own = {"changed": self._copy.is_changed(name), "shipped": self._copy.is_shipped(name)}
        return {"text": text, **own}

    def _write(self, params: Params) -> Answer:
        """Try another text."""
        name = text_of(params, "path")
        if self._copy.write(name, text_of(params, "text"), text_of(params, "tab")):
            self._hand_over(name)
        return {}

    def _save(self, params: Params) -> Answer:
        name = text_of(params, "path")
        self._copy.save(name)
        self._hand_over(name)
        return {}

    def _hand_over(self, name: str) -> None:
        """Let the service have a file as it is typed or saved."""
        self.version += 1
        file, text = str(self._copy.path(name)), self._copy.typed.get(name)
        if text is None:
            self._service.answer("close", {"file": file})
        else:
            self._service.answer("open", {"file": file, "text": text})

    def _found(self, method: str, params: Params) -> Answer:
        """What is wrong with all files, or all but scenarios; one may have another text."""
        if "text" in params:
            self._write(params)
        files = [str(self._copy.folder / name) for name in self._copy.names]
        return self._by_name(self._service.answer(method, {"files": files}), method)

    def _by_name(self, found: Mapping[str, Iterable[Finding]], method: str) -> Answer:
        """Findings by the names of files; those of files elsewhere are under the first."""
        names = self._copy.names
        if method == "names":
            names = [name for name in names if kind_of(name) != "scenario"]
        shown: dict[str, list[Any]] = {name: [] for name in names}
        first = next(iter(shown), "")
        for file, of in found.items():
            own = name if (name := self._copy.name(file)) in shown else ""
            for each in of:
                entry = self._units.table(each)
                if not own:
                    entry["message"] += f" ({file})"
                shown.setdefault(own or first, []).append(entry)
        return shown

    def _patterns(self, _: Params) -> Answer:
        table = token_patterns()
        return {
            "outside": [[each.pattern, *each.kinds] for each in table.outside],
            "inside": [[each.pattern, *each.kinds] for each in table.inside],
            "opening": OPENING,
            "closing": CLOSING,
        }
