"""Which files are an author's: one search for every command, editor and test.

A search does not enter hidden folders, folders of installed packages, virtual environments, caches
and what a build made, and skips what git ignores. A path that is named is always taken. Rule files
and texts of a box that is found belong to it even if git ignores them, since they are loaded with
it; whoever writes files leaves those alone.
"""

from __future__ import annotations

import codecs
import os
import re
import string
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library import reading

Kind = Literal["rules", "box", "scenario", "texts"]

MOST_ENTRIES = 20_000  # files and folders below one root
MOST_MATCHES = 3_000_000  # comparisons of a name with a pattern below one root
_INSTALLED = frozenset({"__pycache__", "node_modules", "site-packages", "dist-packages"})
_BUILT = frozenset({"build", "dist"})
_MARKS = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})
_PACKAGE = ".dist-info"


def kind_of(path: Path, typed: Collection[Path] = ()) -> Kind | None:
    """Return what a file contains, by its name; None if nothing reads such a file.

    typed: real paths of data files that count although they are not on disk.
    """
    if path.suffix == reading.RULES:
        return "rules"
    if path.name.endswith(reading.SCENARIO):
        return "scenario"
    if path.suffix != ".yaml":
        return None
    if path.name == reading.MANIFEST:
        return "box"
    home = reading.author_folder(path, typed)
    if home is None:
        is_shipped = reading.is_shipped(path)
        holds_texts = is_shipped and path.parent.parent.name == reading.TEXTS
        return "texts" if holds_texts else "box" if is_shipped else None
    if path.absolute().parent == home.absolute() / reading.TEXTS:
        return "texts"
    return "box" if reading.is_shipped(path) else None


def is_hidden(name: str) -> bool:
    """Return whether a name belongs to an editor or the system, such as `.#x.kb` or `._x.kb`."""
    return name.startswith(".")


# The files of a box


def files_in(folder: Path, suffix: str) -> list[Path]:
    """Return the files of a folder whose name has an ending, sorted, without hidden ones."""
    return [folder / e.name for e in _entries(folder) if e.name.endswith(suffix)]


def rule_files(folder: Path) -> list[Path]:
    """Return the rule files of an author's folder: next to its data file, and below `rules`.

    A folder with a data file of its own is another box.
    """
    found, waiting = files_in(folder, reading.RULES), [(folder / "rules", 1)]
    while waiting:
        place, depth = waiting.pop()
        entries = _entries(place)
        if depth < reading.DEEPEST and all(each.name != reading.MANIFEST for each in entries):
            found += [place / each.name for each in entries if each.name.endswith(reading.RULES)]
            waiting += [(place / each.name, depth + 1) for each in entries if _is_folder(each)]
    return sorted(found)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what a folder contains, sorted, without hidden names; empty if it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            visible = [each for each in entries if not is_hidden(each.name)]
    except (OSError, ValueError):
        return []
    return sorted(visible, key=lambda each: each.name)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


# The search


@dataclass(slots=True)
class Discovered:
    """The files below a folder, and why others were not looked at.

    `ignored` are those that git ignores although a box is loaded with them.
    """

    files: list[Path] = field(default_factory=list)
    ignored: set[Path] = field(default_factory=set)
    findings: list[Diagnostic] = field(default_factory=list)

    def of(self, *kinds: Kind) -> Iterator[Path]:
        """Yield the files of some kinds."""
        return (file for file in self.files if kind_of(file) in kinds)

    def homes(self) -> list[Path]:
        """Return the folders of the boxes among them."""
        return [file.parent for file in self.files if file.name == reading.MANIFEST]


def discover(root: Path) -> Discovered:
    """Return the files below a folder that somebody named.

    It is searched even if it is hidden or ignored itself. A link to a folder is not followed, and
    reported if it leads outside.
    """
    return _Search(root).run()


def boxes_at(folder: Path) -> list[Path]:
    """Return the folders of the boxes that a folder means: itself if it is one, or those below."""
    if os.path.isfile(folder / reading.MANIFEST):
        return [folder]
    return discover(folder).homes()


class _Place(NamedTuple):
    """A folder to be searched: where it is, which ignore files apply, the box it is in."""

    path: str
    ignoring: tuple[_IgnoreFile, ...]
    depth_in_box: int | None


class _Search:
    """One walk below a root, with what it has counted so far."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found = Discovered()
        self._homes: dict[Path, None] = {}
        self._entries = self._matches = 0

    def run(self) -> Discovered:
        """Return what is below the root."""
        home = reading.author_folder(self._root / reading.MANIFEST)
        depth = None
        if home is not None:
            self._homes[home] = None
            depth = len(_absolute(self._root).relative_to(_absolute(home)).parts)
        base = self._ignoring_above(_absolute(self._root))
        waiting = [_Place(str(self._root), base, depth)]
        while waiting and not self._is_exhausted:
            waiting += reversed(list(self._search(waiting.pop())))
        if self._is_exhausted:
            why = f"contains more than {MOST_ENTRIES:,} files and folders; the rest was not read"
            help = "name a smaller folder, or list what is not yours in `.gitignore`"
            self._refuse("KB010", self._root, why, help)
        self._add_loaded_files()
        return self._found

    @property
    def _is_exhausted(self) -> bool:
        return self._entries > MOST_ENTRIES or self._matches > MOST_MATCHES

    def _refuse(self, code: str, path: Path, why: str, help: str) -> None:
        self._found.findings.append(reading.file_finding(reading.shown_name(path), code, why, help))

    def _search(self, place: _Place) -> Iterator[_Place]:
        """Take the files of a folder, and yield the folders in it that are to be searched."""
        folder = Path(place.path)
        try:
            with os.scandir(folder) as opened:
                entries = sorted(opened, key=lambda each: each.name)
        except OSError:
            return
        names = {each.name for each in entries}
        if folder != self._root and _has_mark(names):
            return
        ignoring = self._ignoring_in(folder, names, place.ignoring)
        if ignoring is None:
            return
        depth = place.depth_in_box
        if reading.MANIFEST in names:
            self._homes[folder], depth = None, 0
        for entry in (each for each in entries if not is_hidden(each.name)):
            path, is_folder = folder / entry.name, _is_folder(entry)
            self._entries += 1
            if self._is_exhausted:
                return
            if self._is_ignored(path, is_folder, ignoring):
                continue
            if not is_folder:
                self._take(path)
            elif not _is_foreign_name(entry.name, depth):
                yield _Place(str(path), ignoring, None if depth is None else depth + 1)

    def _take(self, path: Path) -> None:
        """Take a file; a link to a folder is not followed, and reported if it leads outside."""
        if not os.path.isdir(path):
            self._found.files.append(path)
        elif not _is_foreign_name(path.name, None) and not _has_mark(
            each.name for each in _entries(path)
        ):
            self._found.findings += reading.within(self._root, path)

    # What git ignores

    def _ignoring_above(self, folder: Path) -> tuple[_IgnoreFile, ...]:
        """Return the ignore files from the repository's root to the parent of a folder.

        If they ignore the folder itself, they say nothing about what is in it.
        """
        above = [folder, *folder.parents]
        top = next((each for each in above if os.path.lexists(each / ".git")), folder)
        ignoring: tuple[_IgnoreFile, ...] = ()
        if reading.is_shipped(
            folder
        ):  # what comes with the engine is read wherever it is installed
            return ignoring
        inner = folder.relative_to(top).parts
        for number in range(len(inner)):
            place = top.joinpath(*inner[:number])
            names = {".gitignore", *([".git"] if number == 0 else [])}
            ignoring = self._ignoring_in(place, names, ignoring) or ()
            if self._is_ignored(place / inner[number], True, ignoring):
                return ()
        return ignoring

    def _ignoring_in(
        self, folder: Path, names: set[str], above: tuple[_IgnoreFile, ...]
    ) -> tuple[_IgnoreFile, ...] | None:
        """Return the ignore files that count in a folder, inner ones last.

        None if one of them cannot be read: then it is not known what is ours.
        """
        files = []
        if ".git" in names:
            above = ()
            files.append(_exclude_file(folder / ".git"))
        if ".gitignore" in names:
            files.append(folder / ".gitignore")
        for file in files:
            patterns = self._patterns(file)
            if patterns is None:
                return None
            above = (*above, _IgnoreFile(os.path.abspath(folder), patterns))
        return above

    def _patterns(self, file: Path) -> tuple[_Pattern, ...] | None:
        """Return the patterns in an ignore file; none from a link, which git does not read."""
        try:
            status = os.lstat(file)
            if not os.path.isfile(file) or os.path.islink(file):
                return ()
            if status.st_size > reading.LIMIT:
                raise ValueError(f"is larger than {reading.LIMIT // 1024} KiB")
            return _patterns_in(os.path.abspath(file), status.st_mtime_ns, status.st_size)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None)
            reason = f"cannot be read: {why.lower()}" if why else str(error)
            help = f"nothing in {quoted(reading.shown_name(file.parent))} was read; fix the file"
            self._refuse("KB011", file, reason, help)
            return None

    def _is_ignored(self, path: Path, is_folder: bool, ignoring: Sequence[_IgnoreFile]) -> bool:
        """Return whether the last pattern that matches an entry, in the innermost file, is one
        that ignores it."""
        if not ignoring:
            return False
        whole = os.path.abspath(path)
        for file in reversed(ignoring):
            inner = os.fsencode(whole[len(file.folder) :].strip(os.sep)).decode("latin-1")
            name = inner.replace(os.sep, "/")  # git matches byte by byte
            for pattern in reversed(file.patterns):
                self._matches += 1
                if (is_folder or not pattern.only_folders) and pattern.path.fullmatch(name):
                    return pattern.ignores
        return False

    def _add_loaded_files(self) -> None:
        """Add what boxes are loaded with although git ignores it."""
        known, root = set(self._found.files), _absolute(self._root)
        for home in self._homes:
            for file in [*rule_files(home), *files_in(home / reading.TEXTS, ".yaml")]:
                whole = _absolute(file)
                if not whole.is_relative_to(root):
                    continue
                shown = self._root / whole.relative_to(root)
                if shown not in known:
                    known.add(shown)
                    self._found.files.append(shown)
                    self._found.ignored.add(shown)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _is_foreign_name(name: str, depth_in_box: int | None) -> bool:
    """Return whether a folder contains what was installed or built, by its name.

    Deeper in a box than beside its data file, `build` and `dist` are names like any other.
    """
    return name in _INSTALLED or (name in _BUILT and not depth_in_box)


def _has_mark(names: Iterable[str]) -> bool:
    """Return whether a folder of these entries is an environment, a cache or holds packages."""
    return any(name in _MARKS or name.endswith(_PACKAGE) for name in names)


# Ignore files


class _IgnoreFile(NamedTuple):
    """The patterns of one file, and the folder that they count from."""

    folder: str
    patterns: tuple[_Pattern, ...]


class _Pattern(NamedTuple):
    """A line of an ignore file.

    An entry is matched by itself: what is in an ignored folder is never looked at.
    """

    path: re.Pattern[str]
    ignores: bool
    only_folders: bool


_ESCAPED = re.compile(r"\\.")
_NAMED_SET = re.compile(r"\[:([^]]*):\]")
_ASCII = "".join(map(chr, range(128)))
_NAMED_SETS = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "blank": " \t",
    "cntrl": "".join(each for each in _ASCII if not each.isprintable()),
    "digit": string.digits,
    "graph": string.ascii_letters + string.digits + string.punctuation,
    "lower": string.ascii_lowercase,
    "print": string.ascii_letters + string.digits + string.punctuation + " ",
    "punct": string.punctuation,
    "space": string.whitespace,
    "upper": string.ascii_uppercase,
    "xdigit": string.hexdigits,
}


@lru_cache(maxsize=256)
def _patterns_in(file: str, changed: int, size: int) -> tuple[_Pattern, ...]:
    """Return the patterns in a file, read again when its time or size changes."""
    with open(file, "rb") as opened:
        text = opened.read(reading.LIMIT).removeprefix(codecs.BOM_UTF8).decode("latin-1")
    lines = text.split("\n")
    return tuple(filter(None, map(_pattern, lines)))


def _pattern(line: str) -> _Pattern | None:
    """Return the pattern in a line, in git's sense; None for comments and what git discards."""
    line = _without_spaces_at_end(line.removesuffix("\r"))
    if not line or line.startswith("#"):
        return None
    ignores = not line.startswith("!")
    line = line if ignores else line[1:]
    only_folders = line.endswith("/")
    line = line.removesuffix("/")
    if not line:
        return None
    if "/" not in line:
        line = f"**/{line}"
    line = _ESCAPED.sub(lambda pair: pair[0].replace("\\/", "/"), line.removeprefix("/"))
    try:
        return _Pattern(re.compile(_path(line.split("/"))), ignores, only_folders)
    except (ValueError, KeyError):
        return None


def _without_spaces_at_end(line: str) -> str:
    """Return a line without the spaces that git drops: those at its end, if not escaped."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    return stripped + " " if backslashes % 2 and len(stripped) < len(line) else stripped


def _path(parts: Iterable[str]) -> str:
    """Return the expression for a path of some parts. ValueError if nothing fits.

    What is between two `**` is looked for only once, at the first place where it fits, or the time
    would grow with the power of their number.
    """
    runs: list[list[str]] = [[]]
    for part in parts:
        if len(part) < 2 or part.strip("*"):
            runs[-1].append(_part(part))
        elif runs[-1] or len(runs) == 1:
            runs.append([])
    first, *rest = runs
    if not rest:
        return "/".join(first)
    begin = "".join(f"{part}/" for part in first)
    for run in rest[:-1]:
        begin += f"(?>(?:[^/]+/)*?{''.join(f'{part}/' for part in run)})"
    return f"{begin}(?:[^/]+/)*{'/'.join(rest[-1])}" if rest[-1] else f"{begin}(?s:.+)"


def _part(text: str) -> str:
    """Return the expression for one part of a path. ValueError if nothing fits.

    Each star but the last is made to take as little as it can and never more, or a stranger's
    `*a*a*a*a*z` would take minutes.
    """
    runs: list[list[str]] = [[]]
    for each in _expressions(text):
        if each is None:
            runs.append([])
        else:
            runs[-1].append(each)
    first, *rest = map("".join, runs)
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{each})" for each in rest[:-1] if each)
    return f"{first}{middle}[^/]*{rest[-1]}"


def _expressions(text: str) -> Iterator[str | None]:
    """Yield an expression for each byte that a part asks for; None for a star."""
    at = 0
    while at < len(text):
        sign, at = text[at], at + 1
        if sign == "*":
            yield None
        elif sign == "?":
            yield "[^/]"
        elif sign == "[":
            expression, at = _set(text, at)
            yield expression
        else:
            literal, at = _literal(text, at - 1)
            yield re.escape(literal)


def _literal(text: str, at: int) -> tuple[str, int]:
    """Return the byte that stands at a place, after a backslash if there is one, and the next."""
    at += text.startswith("\\", at)
    if at >= len(text):
        raise ValueError(text)
    return text[at], at + 1


def _set(text: str, at: int) -> tuple[str, int]:
    """Return the expression for a set such as `[!a-c[:digit:]]`, and the place after it."""
    is_negated = text.startswith(("!", "^"), at)
    at += is_negated
    members, before, begin = "", "", at
    while at == begin or not text.startswith("]", at):
        named = _NAMED_SET.match(text, at)
        if named:
            members, before, at = members + _NAMED_SETS[named[1]], "", named.end()
        elif before and text.startswith("-", at) and not text.startswith("]", at + 1):
            last, at = _literal(text, at + 1)
            members, before = members + "".join(map(chr, range(ord(before), ord(last) + 1))), ""
        else:
            before, at = _literal(text, at)
            members += before
    signs = "".join(re.escape(each) for each in sorted(set(members) - {"/"}))
    if is_negated:
        return f"[^/{signs}]", at + 1
    return f"[{signs}]" if signs else "(?!)", at + 1


def _exclude_file(git: Path) -> Path:
    """Return where a repository lists what is ignored on this machine only.

    `.git` is a file in a worktree: it names a folder, which may name that of the repository.
    """
    folder = git
    if git.is_file():
        folder = git.parent / _first_line(git).removeprefix("gitdir:").strip()
    common = _first_line(folder / "commondir")
    return (folder / common if common else folder) / "info" / "exclude"


def _first_line(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(4096).decode("utf-8", "replace").partition("\n")[0].strip()
    except (OSError, ValueError):
        return ""
