"""Files as they were read, and what is made of them: each value once, by what it is made of."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from time import time
from typing import Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.board import Catalog
from kbrules.hooks import OnProgress, silent
from kbrules.lang.syntax import split, tree
from kbrules.lang.tables import parse_with_tables, syntax_findings
from kbrules.library import discovery, reading, texts as box_texts, union
from kbrules.library.boards.tables import BoardParts
from kbrules.library.box import Box, box_in
from kbrules.text import Source, Span

Read = TypeVar("Read")
Made = TypeVar("Made")
Merged = tuple[Catalog, BoardParts, list[Diagnostic]]
ReadSource = tuple[Source | None, list[Diagnostic]]


# The store: values under keys that say all that they are made of, so that none is ever out of date.

Key = tuple[Hashable, ...]
"""What a value is made of: the digests of texts, or values of the store themselves."""


class Same:
    """A value as a part of a key: equal to itself alone."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class _Making:
    """A value that is made, or was; its maker holds the lock meanwhile."""

    __slots__ = ("is_made", "lock", "value")

    def __init__(self) -> None:
        self.lock, self.is_made, self.value = Lock(), False, None


_LIMITS = {"loaded": (32, 2), "rule sets": (32, 2), "merged": (1, 16)}
"""The most slots of a kind that are kept, and the most values of each."""
_LIMIT = (20_000, 2)
_MOST_TYPED = 16  # files of which declarations are known one by one


Stamp = tuple[int, int, int, int]
"""What the disk tells of a file without reading it: two times, its size and its number."""
_STEP = 2.0  # seconds in which a disk may count


class FileText(NamedTuple):
    """What a file says, and errors in reading it; without them the source is there.

    `key` has its name and the digest of its bytes, or why it cannot be read.
    """

    key: Key
    source: Source | None
    findings: tuple[Diagnostic, ...]


@dataclass(slots=True, eq=False)
class _Typed:
    """The declarations of a file that changes; the lock is for whoever reads it."""

    declarations: split.KnownDeclarations = field(default_factory=split.KnownDeclarations)
    lock: Lock = field(default_factory=Lock)


@dataclass(slots=True, eq=False)
class Store:
    """Makes each value once, and keeps the newest of them.

    A value has a slot, such as the path of a file, and a key in it; a slot keeps its two newest
    values. A value that is in use anywhere is found as well, so that equal keys give the very same
    thing. Several threads may use it: those that want the value that another one makes wait for
    it, and nobody else does.
    """

    _slots: dict[str, dict[Hashable, dict[Key, _Making]]] = field(default_factory=dict)
    _in_use: WeakValueDictionary[Key, Any] = field(default_factory=WeakValueDictionary)
    _on_disk: dict[tuple[str, str], tuple[Stamp, FileText]] = field(default_factory=dict)
    _typed: dict[str, _Typed] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def value(self, kind: str, slot: Hashable, key: Key, make: Callable[[], Made]) -> Made:
        """Return the value of a kind that is made of what the key says.

        What `make` raises is raised; then the next one who asks makes it.
        """
        while True:
            with self._lock:
                making, is_ours = self._find(kind, slot, key)
                if is_ours:
                    making.lock.acquire()
            if is_ours:
                return self._make(making, kind, slot, key, make)
            if not making.is_made:
                making.lock.acquire()
                making.lock.release()
            if making.is_made:
                made: Made = making.value  # type: ignore[assignment]  # of its kind by its key
                return made

    def count(self) -> int:
        """Return how many values are kept."""
        rows = [row for slots in self._slots.values() for row in slots.values()]
        return sum(map(len, rows)) + len(self._on_disk) + len(self._typed)

    def _row(self, kind: str, slot: Hashable) -> dict[Key, _Making]:
        return self._slots.get(kind, {}).get(slot, {})

    def _find(self, kind: str, slot: Hashable, key: Key) -> tuple[_Making, bool]:
        """Return the value of a key, as the newest one, and whether we are to make it."""
        most, slots = _LIMITS.get(kind, _LIMIT), self._slots.setdefault(kind, {})
        row = slots[slot] = slots.pop(slot, {})
        making = row.pop(key, None)
        is_new = making is None
        if making is None:
            making = _Making()
            with suppress(KeyError):
                making.value = self._in_use[kind, slot, key]
                making.is_made = True
        row[key] = making
        _trim(row, most[1])
        _trim(slots, most[0])
        return making, is_new and not making.is_made

    def _make(
        self, making: _Making, kind: str, slot: Hashable, key: Key, make: Callable[[], Made]
    ) -> Made:
        try:
            made = make()
        except BaseException:
            with self._lock:
                row = self._row(kind, slot)
                if row.get(key) is making:
                    del row[key]
            raise
        else:
            with self._lock, suppress(TypeError):  # of a value that cannot be looked for in use
                made = self._in_use.setdefault((kind, slot, key), made)
            making.value, making.is_made = made, True  # type: ignore[assignment]
            return made
        finally:
            making.lock.release()

    # Texts of files

    def file(self, path: Path) -> FileText:
        """Return what a file on disk says now; one that is as it was need not be read."""
        address = str(path), reading.shown_name(path)
        now, stamp = time(), _stamp(path)
        known = self._on_disk.get(address)
        if known is not None and known[0] == stamp:
            return known[1]
        data, problem = reading.file_bytes(path)
        if problem is not None:
            why = problem.span.source.name, problem.code, problem.message, problem.help
            return FileText(("unreadable", *why), None, (problem,))
        found = self.text(*address, data)
        with self._lock:
            self._on_disk.pop(address, None)
            # A later change has another stamp only if this one is older than a step of the disk.
            if stamp is not None and max(stamp[:2]) < (now - _STEP) * 1e9:
                self._on_disk[address] = stamp, found
                _trim(self._on_disk, _LIMIT[0])
        return found

    def text(self, path: str, name: str, data: bytes) -> FileText:
        """Return what a file says that has a name and this content."""
        key = name, blake2b(data, digest_size=16).hexdigest()
        return self.value("text", path, key, lambda: self._decoded(name, key, data))

    def _decoded(self, name: str, key: Key, data: bytes) -> FileText:
        source, findings = reading.source_of(name, data)
        if source is not None:
            with self._lock:
                source = self._in_use.setdefault(("source", *key), source)
        return FileText(key, source, tuple(findings))

    def typed(self, path: str, is_typed: bool) -> _Typed | None:
        """Return the declarations that are known of a file which is typed or has changed."""
        with self._lock:
            if not is_typed and path not in self._typed and len(self._row("text", path)) < 2:
                return None
            known = self._typed.pop(path) if path in self._typed else _Typed()
            self._typed[path] = known
            _trim(self._typed, _MOST_TYPED)
        return known


def _trim(table: dict[Any, Any], most: int) -> None:
    """Forget the oldest values of a table."""
    while len(table) > most:
        del table[next(iter(table))]


def _stamp(path: Path) -> Stamp | None:
    # A file that is written in place has another time or size, and `changed` counts even where a
    # tool sets the time back; one that takes its place has another number.
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


# Files: the texts of a moment, on disk or typed, and what they say.


@dataclass(frozen=True, slots=True, weakref_slot=True)
class RuleFile:
    """What a rule file says and what is wrong with it; no source if it could not be read."""

    source: Source | None
    declarations: tuple[tree.Declaration, ...]
    findings: tuple[Diagnostic, ...]


def parsed(source: Source, known: split.KnownDeclarations | None = None) -> RuleFile:
    """Return the declarations of a rule text, with those that its tables make.

    known: declarations that need not be read again.
    """
    source, declarations, findings = parse_with_tables(source, known)
    return RuleFile(source, tuple(declarations), tuple(findings))


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """Files as they are on disk, but for those with an override; a store keeps what they say.

    Boxes and rules have the titles and wordings of a language, as far as they have texts in it.
    on_progress: told how far a long job with them is, as of files that are read one after another.
    """

    language: str = ""
    on_progress: OnProgress = silent
    store: Store = field(default_factory=Store)
    overrides: Mapping[Path, bytes] = field(default_factory=dict)

    def edited(self, texts: Mapping[Path, str | None]) -> Files:
        """Return the files where some, by their real paths, have other texts; with None, those
        on disk again."""
        overrides = dict(self.overrides)
        for real, text in texts.items():
            overrides.pop(real, None)
            if text is not None:
                overrides[real] = text.encode("utf-8", "surrogatepass")  # refused when it is read
        return replace(self, overrides=overrides)

    def is_there(self, path: Path) -> bool:
        """Return whether a file is on disk, or has a text all the same."""
        return path.exists() or self._override_of(path) is not None

    def _override_of(self, path: Path) -> bytes | None:
        return self.overrides.get(reading.real_path(path)) if self.overrides else None

    def text(self, path: Path) -> FileText:
        """Return what any file says."""
        override = self._override_of(path)
        if override is None:
            return self.store.file(path)
        return self.store.text(str(path), reading.shown_name(path), override)

    def source(self, path: Path) -> ReadSource:
        """Return the text of any file and what is wrong with it; no text when anything is."""
        text = self.text(path)
        return text.source, [*text.findings]

    def rules(self, path: Path) -> RuleFile:
        """Return what a rule file says."""
        text = self.text(path)
        read = self.store.value("rules", str(path), text.key, partial(self._rules_in, path, text))
        texts = self._texts(box_texts.folder_of_file(path)) if self.language else None
        if texts is None:
            return read
        name = "translated rules", self.language, path
        return self.memoized(name, (read, texts), lambda: _translated(read, texts))

    def _rules_in(self, path: Path, text: FileText) -> RuleFile:
        """Return what a text says; of one that changes, only other declarations are read again."""
        if text.source is None:
            return RuleFile(None, (), text.findings)
        typed = self._typed(path)
        if typed is None:
            return parsed(text.source)
        with typed.lock:
            typed.declarations.turn()
            return parsed(text.source, typed.declarations)

    def syntax(self, path: Path) -> tuple[Diagnostic, ...]:
        """Return the findings of a rule file; while it is typed sooner than by `rules`."""
        text = self.text(path)
        typed = self._typed(path)
        if text.source is None or typed is None:
            return self.rules(path).findings
        make = partial(_syntax_of, text.source, typed)
        return self.store.value("syntax", str(path), text.key, make)

    def _typed(self, path: Path) -> _Typed | None:
        return self.store.typed(str(path), self._override_of(path) is not None)

    def unsaved_rules(self, folder: Path) -> Iterator[Path]:
        """Yield the rule files of an author's folder that have a text and are not on disk."""
        if not self.overrides:
            return
        root = reading.real_path(folder)
        for real in self.overrides:
            if real.suffix == reading.RULES and real.is_relative_to(root) and not real.exists():
                inner = real.relative_to(root)
                is_ours = not any(map(discovery.is_hidden, inner.parts))
                if is_ours and (len(inner.parts) == 1 or inner.parts[0] == "rules"):
                    yield folder / inner

    def box(self, path: Path) -> tuple[Box | None, list[Diagnostic]]:
        """Return the data file of a box."""
        outside = reading.within(path.parent, path) if path.name == reading.MANIFEST else []
        if outside:
            return None, outside
        read = self._read("box", path, lambda source, found: box_in(source, found, path.parent))
        box, found = read
        texts = None if box is None else self._texts(box_texts.texts_folder(box))
        if texts is None or box is None:
            return read
        make, name = partial(box_texts.box_in_language, box, texts.model), ("translated box", path)
        return self.memoized((*name, self.language), (read, texts), lambda: (make(), found))

    def texts(self, path: Path) -> tuple[box_texts.Texts | None, list[Diagnostic]]:
        """Return a file of texts."""
        outside = reading.within(path.parent.parent, path)
        return (None, outside) if outside else self._read("texts", path, box_texts.texts_of)

    def _read(
        self, kind: str, path: Path, make: Callable[[Source | None, list[Diagnostic]], Read]
    ) -> Read:
        """Return what is made of a file as it was read."""
        text = self.text(path)
        return self.store.value(
            kind, str(path), text.key, lambda: make(text.source, [*text.findings])
        )

    def _texts(self, folder: Path | None) -> box_texts.Texts | None:
        """The texts of the language in a folder, without their findings."""
        if folder is None or not box_texts.is_language(self.language):
            return None
        path = folder / f"{self.language}.yaml"
        return self.texts(path)[0] if path.is_file() else None

    def language_findings(self, boxes: Iterable[Box]) -> list[Diagnostic]:
        """Return what is wrong with the texts of boxes in the language, or that there are none."""
        if not self.language:
            return []
        paths = [path for box in boxes for path in box_texts.texts_in(box)]
        findings = [self.texts(path)[1] for path in paths if path.stem == self.language]
        if findings:
            return [each for of_file in findings for each in of_file]
        languages = ", ".join(map(quoted, sorted({path.stem for path in paths})))
        help = f"there is {languages}" if languages else "they have no texts at all"
        message = f"the boxes have no texts in the language {quoted(self.language)}"
        return [Diagnostic("KB420", Span.none("language"), message, help)]

    def memoized(
        self, name: tuple[str, *tuple[Hashable, ...]], of: Iterable[object],
        make: Callable[[], Made],
    ) -> Made:  # fmt: skip
        """Return what is made of values, made again if one of them is not the very thing it was."""
        kind, *slot = name
        return self.store.value(kind, tuple(slot), tuple(map(Same, of)), make)

    def merged(self, boxes: list[Box]) -> Merged:
        """Return the things and parts of all boxes together, and what does not fit together."""
        catalog, parts, findings = self.memoized(("merged",), boxes, lambda: union.merge(boxes))
        return catalog, parts, [*findings]


def _syntax_of(source: Source, typed: _Typed) -> tuple[Diagnostic, ...]:
    with typed.lock:
        typed.declarations.turn()
        return tuple(syntax_findings(source, typed.declarations))


def _translated(read: RuleFile, texts: box_texts.Texts) -> RuleFile:
    in_language = box_texts.declaration_in_language
    translated = tuple(in_language(each, texts.model) for each in read.declarations)
    return replace(read, declarations=translated)
