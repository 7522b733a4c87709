"""The files on the page: texts tried before they are saved, findings, examples, drawings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from kbrules.diagnostics import Diagnostic, Edit
from kbrules.engine.logs.writing import write_bytes_atomically
from kbrules.game.board import Catalog
from kbrules.hex.grid import column_letters
from kbrules.library.boards.positions import FIRST, MARKS, OWNERS
from kbrules.library.boards.tables import DrawingSource, DrawnWord
from kbrules.library.box import known_boxes
from kbrules.library.discovery import discover
from kbrules.library.reading import RULES, SCENARIO, data_root, real_path
from kbrules.library.store import Files
from kbrules.scenario.collection import collect
from kbrules.scenario.examples import RuleExample
from kbrules.scenario.running import Case
from kbrules.scenario.setup import RulesetCaches
from kbrules.text import Source, Span
from kbrules.tools.check import FileChecker
from kbrules.tools.editors.highlight import CLOSING, OPENING, token_patterns
from kbrules.tools.fmt import formatted_text
from kbrules.tools.language_service.completing import complete
from kbrules.tools.language_service.editing import code_actions
from kbrules.tools.language_service.showing import hover
from kbrules.tools.language_service.workspace import Workspace
from kbrules.tools.lint.settings import LintSettings
from kbrules.tools.pictures.board import board_svg
from kbrules.tools.pictures.replay import scene_of_item
from kbrules.tools.workshop.rules import (
    Answer,
    Methods,
    Params,
    RequestError,
    from_browser,
    offsets_of,
    text_of,
    value_of,
)

# A copy of an author's folder in which texts are tried before they are saved.


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

    Nothing is written into `folder` before `save`. Raises RequestError for a folder of more than
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
                raise RequestError(f"there are more than {MAX_FILES} files in the folder", remedy)

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

        Raises RequestError if there is none of the name.
        """
        if name in self._saved:
            return self.root / name
        if self.is_shipped(name):
            return _shipped()[name]
        raise RequestError(f"there is no file `{name}` here", "open one of the list", "KB001")

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

        Raises RequestError if it has changed since the writer, who has a name, read it.
        """
        path = self.path(name)
        if text == self.text(name):
            return
        self._refuse_shipped(name)
        if writer and writer not in self._current[name]:
            remedy = "take its text, or keep yours"
            raise RequestError(f"`{name}` was changed in another tab", remedy, "KB008")
        self._current[name] = {writer}
        ends = "\r\n" if b"\r\n" in self._saved[name] else "\n"
        path.write_bytes(text.replace("\n", ends).encode())

    def _refuse_shipped(self, name: str) -> None:
        if self.is_shipped(name):
            raise RequestError(
                f"`{name}` is of a shipped box", "copy its text into a file of yours"
            )

    def is_changed(self, name: str) -> bool:
        """Whether a file is not as it was saved."""
        return name in self._saved and self.path(name).read_bytes() != self._saved[name]

    def save(self, name: str) -> None:
        """Write a file into the folder, whole or not at all.

        Raises RequestError if it was changed there meanwhile, and OSError.
        """
        self._refuse_shipped(name)
        data, target = self.path(name).read_bytes(), self.folder / name
        inside = real_path(target) == real_path(self.folder) / name
        if not inside or not target.is_file() or target.read_bytes() != self._saved[name]:
            message = f"`{name}` was changed or taken away on disk meanwhile"
            raise RequestError(message, "copy your text, and open the page anew", "KB008")
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


# What is wrong with the files of a working copy, for the page.


Entry = dict[str, Any]


class CopyChecker:
    """Checks a working copy, and reads again only what has changed."""

    def __init__(self, copy: WorkingCopy, files: Files) -> None:
        self._copy = copy
        self._checker = FileChecker(files)

    def findings(self) -> dict[str, list[Entry]]:
        """The findings of each file, by its name; those of files elsewhere under the first."""
        lints = LintSettings(is_quick=True, place=self._copy.place)
        return by_file(self._copy, self._checker.check([self._copy.root], lints=lints).all)


def by_file(copy: WorkingCopy, findings: Iterable[Diagnostic]) -> dict[str, list[Entry]]:
    """Findings as entries under the names of their files."""
    found: dict[str, list[Entry]] = {name: [] for name in copy.names}
    for each in findings:
        name = _name(copy, each.span)
        entry = _entry(each, copy)
        if name not in found:
            entry |= {"from": 0, "to": 0, "message": f"{each.message} ({each.span.source.name})"}
        found.setdefault(name if name in found else next(iter(copy.names), ""), []).append(entry)
    return found


def _name(copy: WorkingCopy, span: Span) -> str:
    path = real_path(Path(span.source.name))
    return path.relative_to(copy.root).as_posix() if path.is_relative_to(copy.root) else ""


def _entry(finding: Diagnostic, copy: WorkingCopy) -> Entry:
    """A finding with its place, as a browser counts it, and what mends it."""
    start, end = offsets_of(finding.span)
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "help": finding.help,
        "from": start,
        "to": end,
        "fix": [
            {"path": _name(copy, edit.span), "text": edit.text}
            | dict(zip(("from", "to"), offsets_of(edit.span), strict=True))
            for edit in finding.fix
        ],
    }


# Drawings changed by the mouse: what is put on a hex becomes an edit of the text.


CLEAR = "-"
"""Takes away what stands on a hex, and its mark."""
_NAME = re.compile(r"([a-z]{1,2})([0-9]{1,3})")
_SEATS = 2  # players whose pieces are offered; more are typed


class TextChange(NamedTuple):
    """Characters of the text that others take the place of."""

    start: int
    end: int
    text: str


def palette(catalog: Catalog) -> list[dict[str, str]]:
    """What can be put on a hex: its sign, and what it is."""
    kinds = [{"sign": kind.letter, "title": kind.title} for kind in catalog.hexes if kind.letter]
    pieces = [
        {"sign": owner + piece.letter, "title": f"{piece.title} of {owner}"}
        for owner in OWNERS[:_SEATS]
        for piece in catalog.pieces
        if not piece.neutral
    ]
    others = [{"sign": FIRST, "title": "any terrain"}, {"sign": "+", "title": "offered"}]
    return [*kinds, *others, *pieces, {"sign": CLEAR, "title": "nothing"}]


def put_sign(drawing: DrawingSource, hex: str, sign: str, catalog: Catalog) -> TextChange:
    """The edit that puts a sign of the palette on a hex.

    Columns of the drawing stay where blanks leave room. Raises RequestError for a hex or a sign
    that there is not.
    """
    if sign not in {each["sign"] for each in palette(catalog)}:
        raise RequestError("that cannot be drawn", "choose something of the palette")
    word = _word(drawing, hex)
    return _edit(word, _with_sign(word.text, sign, catalog))


def move_piece(drawing: DrawingSource, origin: str, hex: str) -> list[TextChange]:
    """The edits that move the piece of a hex to another; without a piece, its terrain is copied."""
    source, target = _word(drawing, origin), _word(drawing, hex)
    if source == target:
        return []
    ground, piece, mark = _parts(source.text)
    target_ground, target_piece, target_mark = _parts(target.text)
    if not piece:
        return [_edit(target, ground + target_piece + target_mark)]
    return [_edit(source, ground + mark), _edit(target, target_ground + piece + target_mark)]


def _edit(word: DrawnWord, text: str) -> TextChange:
    source, end = word.span.source.text, word.span.end
    blanks_after = len(source[end:]) - len(source[end:].lstrip(" "))
    is_last = source[end + blanks_after : end + blanks_after + 1] in ("", "\n", "\r")
    growth = len(text) - len(word.text)
    if growth > 0:
        end += min(growth, blanks_after if is_last else max(0, blanks_after - 1))
    blanks = "" if is_last else " " * -growth
    return TextChange(word.span.start, end, text + blanks)


def _word(drawing: DrawingSource, hex: str) -> DrawnWord:
    """The word of a hex of the table; islands are typed."""
    address = _NAME.fullmatch(hex)
    rows = drawing.rows()
    if address and not any(word.text.endswith(":") for row in rows for word in row):
        number = int(address[2]) - 1
        row = rows[number] if 0 <= number < len(rows) else ()
        for column, word in enumerate(row):
            if column_letters(column) == address[1]:
                return word
    raise RequestError(f"`{hex[:20]}` is not drawn here", "choose a hex of the picture")


def _parts(word: str) -> tuple[str, str, str]:
    """The kind of a cell, its piece and its mark."""
    mark = word[-1] if len(word) > 1 and word[-1] in MARKS else ""
    return word[0], word[1 : len(word) - len(mark)], mark


def _with_sign(word: str, sign: str, catalog: Catalog) -> str:
    """The word of a cell with something put on it."""
    kind, piece, mark = _parts(word)
    if sign == CLEAR:
        return kind
    if sign in MARKS:
        return kind + piece + ("" if mark == sign else sign)
    if sign[0] in OWNERS:
        first = next(each.letter for each in catalog.pieces if not each.neutral)
        return kind + (sign[0] if sign[1:] == first else sign) + mark
    return sign + piece + mark


# The examples of the declaration at a place in a file: drawn, run, and what came of each.


class Examples:
    """Runs the examples and scenarios of a working copy, with rule sets kept while they hold."""

    def __init__(self, copy: WorkingCopy, files: Files) -> None:
        self._copy = copy
        self._caches = RulesetCaches(_files=files)

    def near(self, name: str, at: int) -> dict[str, Any]:
        """The examples of the rule around a place, or the scenario there; pictures and outcomes."""
        path = self._copy.path(name)
        self._caches.invalidate()
        cases = [case for case in collect([path], caches=self._caches).cases if _is_in(case, path)]
        before = [case for case in cases if _begin(case) <= at]
        owner = _owner(before[-1]) if before else None
        shown = [case for case in cases if owner is not None and _owner(case) == owner] or cases[:1]
        return {
            "title": owner if isinstance(owner, str) else "",
            "examples": [_example_entry(case) for case in shown],
        }

    def drawn(self, name: str, begin: int) -> tuple[DrawingSource, Catalog]:
        """The drawing of the example that begins at a place, and what may stand in it."""
        path = self._copy.path(name)
        self._caches.invalidate()
        for case in collect([path], caches=self._caches).cases:
            it = case.definition
            if not isinstance(it, RuleExample) or it.example.drawing is None:
                continue
            if _is_in(case, path) and offsets_of(case.span)[0] == begin:
                return DrawingSource.of(it.example.drawing), case.cache.ruleset.catalog
        raise RequestError("no example with a drawing begins there", "put the cursor on a card")


def _is_in(case: Case, path: Path) -> bool:
    return real_path(Path(case.span.source.name)) == real_path(path)


def _begin(case: Case) -> int:
    """Where the declaration or scenario begins."""
    it = case.definition
    return offsets_of(it.rule.span if isinstance(it, RuleExample) else case.span)[0]


def _owner(case: Case) -> str:
    it = case.definition
    return it.rule.id if isinstance(it, RuleExample) else case.title


def _example_entry(case: Case) -> dict[str, Any]:
    scene, _ = scene_of_item(case)
    outcome = case.run()
    start, end = offsets_of(case.span)
    return {
        "title": case.title,
        "from": start,
        "to": end,
        "svg": "" if scene is None else board_svg(scene.picture),
        "holds": outcome.passed,
        "says": "holds" if outcome.passed else "\n".join(map(_sentence, outcome.diagnostics)),
        "palette": palette(case.cache.ruleset.catalog) if _is_drawn(case) else [],
        "found": "\n\n".join(filter(None, outcome.pictures)),
    }


def _is_drawn(case: Case) -> bool:
    it = case.definition
    return isinstance(it, RuleExample) and it.example.drawing is not None


def _sentence(finding: Diagnostic) -> str:
    return finding.message + (f" ({finding.help})" if finding.help else "")


# What the language service knows of a place, as the page shows it.


MAX_PROPOSALS = 200  # proposals


class Language:
    """Hover, completion and actions in the files of a working copy. files: read once for all."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._workspace = Workspace([copy.root])
        self.files = self._workspace.files

    def changed(self, names: Iterable[str]) -> None:
        """Files have other texts now."""
        self._workspace.changed_on_disk([self._copy.root / name for name in names])

    def hover(self, name: str, at: int) -> Entry:
        """What is known of the word at a place, in Markdown; empty if nothing is."""
        path = self._copy.path(name)
        found = hover(self._workspace, path, self._offset(name, at))
        if found is None:
            return {}
        start, end = offsets_of(found.span)
        return {"from": start, "to": end, "markdown": found.markdown}

    def complete(self, name: str, at: int) -> Entry:
        """What may be written at a place, best first; all of it takes the place of one word."""
        path = self._copy.path(name)
        proposals_ = complete(self._workspace, path, self._offset(name, at))
        if not proposals_:
            return {"from": at, "proposals": []}
        place = offsets_of(proposals_[0].span)
        at_place = [each for each in proposals_ if offsets_of(each.span) == place][:MAX_PROPOSALS]
        proposals = [
            {
                "label": each.label,
                "kind": each.kind,
                "text": each.text,
                "detail": each.detail,
                "markdown": each.markdown,
            }
            for each in at_place
        ]
        return {"from": place[0], "proposals": proposals}

    def actions(self, name: str, at: int) -> list[Entry]:
        """What can be done at a place, each with its edits by file."""
        offset = self._offset(name, at)
        return [
            {"title": each.title, "edits": [*self._edits(each.edits.values())]}
            for each in code_actions(self._workspace, self._copy.path(name), offset, offset)
        ]

    def syntax(self, name: str) -> list[Any]:
        """What is wrong with a file by itself."""
        return list(self._workspace.syntax(self._copy.path(name)))

    def _edits(self, all_edits: Iterable[Iterable[Edit]]) -> Iterable[Entry]:
        for edits in all_edits:
            for edit in edits:
                path = self._workspace.path_of(edit.span)
                if not path.is_relative_to(self._copy.root):
                    continue
                start, end = offsets_of(edit.span)
                name = path.relative_to(self._copy.root).as_posix()
                yield {"path": name, "from": start, "to": end, "text": edit.text}

    def _offset(self, name: str, at: int) -> int:
        return from_browser(self._workspace.text(self._copy.path(name)), at)


# What the page asks of the files: texts, findings, examples, drawings.


class Writing:
    """One author's folder, as the editor sees it."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy
        self._language = Language(copy)
        self._checking = CopyChecker(copy, self._language.files)
        self._examples = Examples(copy, self._language.files)
        self.methods: Methods = {
            "open": self._open, "changes": self._changes, "text": self._text, "edit": self._edit,
            "save": self._save, "format": self._format, "tokens": self._tokens,
            "examples": self._near, "draw": self._draw, "write": self._write, "hover": self._hover,
            "complete": self._complete, "actions": self._actions, "syntax": self._syntax,
        }  # fmt: skip

    def _open(self, _: Params) -> Answer:
        names = self._copy.names
        rules = [name for name in names if kind_of(name) == "rules"]
        return {
            "title": real_path(self._copy.folder).name,
            "files": [{"path": name, "kind": kind_of(name)} for name in names],
            "start": (rules or names or [""])[0],
            "boxes": known_boxes(),
        }

    def _changes(self, params: Params) -> Answer:
        """The files taken from disk, those changed since the tab read them, and all there are."""
        names = self._copy.reload()
        self._language.changed(names)
        stale = self._copy.stale(text_of(params, "tab"))
        return {"taken": names, "files": stale, "names": self._copy.names}

    def _text(self, params: Params) -> Answer:
        name = text_of(params, "path")
        text = self._copy.read(name, text_of(params, "tab"))
        own = {"changed": self._copy.is_changed(name), "shipped": self._copy.is_shipped(name)}
        return {"text": text, **own}

    def _edit(self, params: Params) -> Answer:
        if "text" in params:
            self._write(params)
        return {"findings": self._checking.findings()}

    def _write(self, params: Params) -> Answer:
        """Try another text, and look for nothing."""
        name = text_of(params, "path")
        self._copy.write(name, text_of(params, "text"), text_of(params, "tab"))
        self._language.changed([name])
        return {}

    def _syntax(self, params: Params) -> Answer:
        """What is wrong with a text by itself: at once, where `edit` looks at all files."""
        self._write(params)
        name = text_of(params, "path")
        return {"findings": by_file(self._copy, self._language.syntax(name))[name]}

    def _complete(self, params: Params) -> Answer:
        return self._language.complete(text_of(params, "path"), value_of(params, "at", int, 0))

    def _actions(self, params: Params) -> Answer:
        found = self._language.actions(text_of(params, "path"), value_of(params, "at", int, 0))
        return {"actions": found}

    def _hover(self, params: Params) -> Answer:
        return self._language.hover(text_of(params, "path"), value_of(params, "at", int, 0))

    def _save(self, params: Params) -> Answer:
        self._copy.save(text_of(params, "path"))
        return {}

    def _format(self, params: Params) -> Answer:
        name = text_of(params, "path")
        if kind_of(name) != "rules":
            raise RequestError(f"`{name}` is no rule file", "only those have one style")
        file = formatted_text(Source(name, self._copy.text(name)), Path(name))
        if file.findings:
            raise RequestError("what cannot be read has no style yet", "mend what is marked first")
        return {"text": file.after}

    def _near(self, params: Params) -> Answer:
        name = text_of(params, "path")
        at = from_browser(self._copy.text(name), value_of(params, "at", int, 0))
        return self._examples.near(name, at)

    def _draw(self, params: Params) -> Answer:
        name = text_of(params, "path")
        drawing, catalog = self._examples.drawn(name, value_of(params, "example", int, 0))
        hex, origin = text_of(params, "hex"), text_of(params, "origin")
        if origin:
            changes = move_piece(drawing, origin, hex)
        else:
            changes = [put_sign(drawing, hex, text_of(params, "sign"), catalog)]
        source = drawing.spans[0].source
        places = [offsets_of(source.span(each.start, each.end)) for each in changes]
        return {
            "edits": [
                {"from": start, "to": end, "text": each.text}
                for (start, end), each in zip(places, changes, strict=True)
            ]
        }

    def _tokens(self, _: Params) -> Answer:
        table = token_patterns()
        return {
            "outside": [[each.pattern, *each.kinds] for each in table.outside],
            "inside": [[each.pattern, *each.kinds] for each in table.inside],
            "opening": OPENING,
            "closing": CLOSING,
        }
