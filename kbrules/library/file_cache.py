"""A cache of rule files and boxes as read, valid until they change on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, TypeVar

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.game.board import Catalog
from kbrules.hooks import OnProgress, silent
from kbrules.lang.syntax.split import KnownDeclarations
from kbrules.lang.syntax.tree import Declaration
from kbrules.lang.tables import parse_with_tables, syntax_findings
from kbrules.library import reading, texts as box_texts
from kbrules.library.boards.tables import BoardParts
from kbrules.library.box import Box, box_in
from kbrules.library.discovery import is_hidden
from kbrules.library.union import merge
from kbrules.text import Source, Span

Read = TypeVar("Read")
Made = TypeVar("Made")
Stamp = tuple[int, int, int]
Merged = tuple[Catalog, BoardParts, list[Diagnostic]]
ReadSource = tuple[Source | None, list[Diagnostic]]
_MERGED = 16  # sets of boxes that are cached; each edit of a manifest makes a new one


@dataclass(frozen=True, slots=True)
class RuleFile:
    """What a rule file says and what is wrong with it; no source if it could not be read."""

    source: Source | None
    declarations: tuple[Declaration, ...]
    findings: tuple[Diagnostic, ...]


def parsed(source: Source) -> RuleFile:
    """The declarations of a rule text, with those that its tables make."""
    return _rule_file(parse_with_tables(source))


def _rule_file(read: tuple[Source, list[Declaration], list[Diagnostic]]) -> RuleFile:
    source, declarations, findings = read
    return RuleFile(source, tuple(declarations), tuple(findings))


@dataclass(frozen=True, slots=True, eq=False)
class FileCache:
    """Reads files; one that has the same time, size and number as before is not read again.

    Boxes and rules have the titles and wordings of a language, as far as they have texts in it.
    What is made of the same files again is the same thing as before. Several threads may use it.
    on_progress: told how far a long job with them is, as of files that are read one after another.
    """

    language: str = ""
    on_progress: OnProgress = silent
    _files: dict[tuple[str, str, str], tuple[object, Any]] = field(default_factory=dict)
    _derived: dict[object, tuple[tuple[object, ...], Any]] = field(default_factory=dict)
    _merged: dict[tuple[int, ...], tuple[list[Box], Merged]] = field(default_factory=dict)
    _overrides: dict[Path, str] = field(default_factory=dict)
    _known: dict[Path, KnownDeclarations] = field(default_factory=dict)
    _lock: RLock = field(default_factory=RLock, repr=False)

    def override_text(self, real: Path, text: str | None) -> None:
        """From now on a file, by its real path, has this text; with None, its own again."""
        with self._lock:
            if text is None:
                self._overrides.pop(real, None)
                self._known.clear()
            else:
                self._overrides[real] = text

    def is_there(self, path: Path) -> bool:
        """Whether a file is on disk, or has a text all the same."""
        return path.exists() or self._override_of(path) is not None

    def _override_of(self, path: Path) -> str | None:
        return self._overrides.get(reading.real_path(path)) if self._overrides else None

    def copy(self) -> FileCache:
        """One that has read the same; what it reads from now on, and its overrides, are its own."""
        with self._lock:
            copies = (dict(self._files), dict(self._derived), dict(self._merged))
            return FileCache(self.language, self.on_progress, *copies, dict(self._overrides))

    def source(self, path: Path) -> ReadSource:
        """The text of any file and what is wrong with it; no text when anything is."""
        return self._cached("source", path, lambda read: read)

    def rules(self, path: Path) -> RuleFile:
        """A rule file."""
        is_typed = self._override_of(path) is not None
        make = partial(self._again, path) if is_typed else _rules_in
        read = self._cached("rules", path, make)
        texts = self._texts(box_texts.folder_of_file(path)) if self.language else None
        if texts is None:
            return read
        return self.memoized(("rules", path), (read, texts), lambda: _translated(read, texts))

    def syntax(self, path: Path) -> tuple[Diagnostic, ...]:
        """The findings of a rule file; while its text is typed they take less time than `rules`."""
        if self._override_of(path) is None:
            return self.rules(path).findings
        return self._cached("syntax", path, partial(self._syntax, path))

    def _syntax(self, path: Path, read: ReadSource) -> tuple[Diagnostic, ...]:
        source, findings = read
        found = findings if source is None else syntax_findings(source, self._turned(path))
        return tuple(found)

    def _again(self, path: Path, read: ReadSource) -> RuleFile:
        """A rule file whose text is typed: only the declarations that change are read again."""
        return _rules_in(read, self._turned(path))

    def _turned(self, path: Path) -> KnownDeclarations:
        known = self._known.setdefault(path, KnownDeclarations())
        known.turn()
        return known

    def unsaved_rules(self, folder: Path) -> Iterator[Path]:
        """The rule files of an author's folder that have a text and are not on disk."""
        if not self._overrides:
            return
        root = reading.real_path(folder)
        for real in [*self._overrides]:
            if real.suffix == reading.RULES and real.is_relative_to(root) and not real.exists():
                inner = real.relative_to(root)
                is_ours = not any(map(is_hidden, inner.parts))
                if is_ours and (len(inner.parts) == 1 or inner.parts[0] == "rules"):
                    yield folder / inner

    def box(self, path: Path) -> tuple[Box | None, list[Diagnostic]]:
        """The data file of a box."""
        outside = reading.within(path.parent, path) if path.name == reading.MANIFEST else []
        if outside:
            return None, outside
        read = self._cached("box", path, lambda read: box_in(*read, path.parent))
        box, found = read
        texts = (
            self._texts(box_texts.texts_folder(box)) if self.language and box is not None else None
        )
        if texts is None or box is None:
            return read
        make = partial(box_texts.box_in_language, box, texts.model)
        return self.memoized(("box", path), (read, texts), lambda: (make(), found))

    def texts(self, path: Path) -> tuple[box_texts.Texts | None, list[Diagnostic]]:
        """A file of texts."""
        outside = reading.within(path.parent.parent, path)
        if outside:
            return None, outside
        return self._cached("texts", path, lambda read: box_texts.texts_of(*read))

    def _texts(self, folder: Path | None) -> box_texts.Texts | None:
        """The texts of the language in a folder, without their findings."""
        if folder is None or not box_texts.is_language(self.language):
            return None
        path = folder / f"{self.language}.yaml"
        return self.texts(path)[0] if path.is_file() else None

    def language_findings(self, boxes: Iterable[Box]) -> list[Diagnostic]:
        """What is wrong with the texts of boxes in the language, or that there are none."""
        if not self.language:
            return []
        paths = [path for box in boxes for path in box_texts.texts_in(box_texts.texts_folder(box))]
        findings = [self.texts(path)[1] for path in paths if path.stem == self.language]
        if findings:
            return [each for of_file in findings for each in of_file]
        languages = ", ".join(map(quoted, sorted({path.stem for path in paths})))
        help = f"there is {languages}" if languages else "they have no texts at all"
        message = f"the boxes have no texts in the language {quoted(self.language)}"
        return [Diagnostic("KB420", Span.none("language"), message, help)]

    def memoized(self, name: object, of: Iterable[object], make: Callable[[], Made]) -> Made:
        """What is made of things, made again if one of them is not the very thing it was."""
        inputs = tuple(of)
        with self._lock:
            cached = self._derived.get(name)
            if cached is None or [*map(id, cached[0])] != [*map(id, inputs)]:
                cached = self._derived[name] = inputs, make()
        value: Made = cached[1]
        return value

    def merged(self, boxes: list[Box]) -> Merged:
        """The things and parts of all boxes together, and what does not fit together."""
        key = tuple(map(id, boxes))
        with self._lock:
            if key not in self._merged:
                if len(self._merged) >= _MERGED:
                    del self._merged[next(iter(self._merged))]
                self._merged[key] = [*boxes], merge(boxes)  # held, so that no other takes their ids
            catalog, parts, findings = self._merged[key][1]
        return catalog, parts, [*findings]

    def _cached(self, kind: str, path: Path, make: Callable[[ReadSource], Read]) -> Read:
        """What is made of a file as it was read, or of the text that it has instead."""
        name = reading.shown_name(path)
        key = kind, str(path), name  # another name where we are somewhere else
        with self._lock:
            text = self._override_of(path)
            stamp: object = _stamp(path) if text is None else text
            known = self._files.get(key)
            if known is not None and stamp is not None and known[0] == stamp:
                found: Read = known[1]
                return found
            found = make(reading.read_source(path) if text is None else _source_of(name, text))
            if stamp is not None:
                self._files[key] = stamp, found
            return found


def _source_of(name: str, text: str) -> ReadSource:
    """A text as if it had been read; what UTF-8 cannot hold is refused as it would be there."""
    return reading.source_of(name, text.encode("utf-8", "surrogatepass"))


def _rules_in(read: ReadSource, known: KnownDeclarations | None = None) -> RuleFile:
    source, findings = read
    if source is None:
        return RuleFile(None, (), tuple(findings))
    return parsed(source) if known is None else _rule_file(parse_with_tables(source, known))


def _translated(read: RuleFile, texts: box_texts.Texts) -> RuleFile:
    return replace(
        read, declarations=box_texts.declarations_in_language(read.declarations, texts.model)
    )


def _stamp(path: Path) -> Stamp | None:
    # A file that is written in place has another time or size; one that takes its place has another
    # number, even if tools that copy files keep the time.
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
