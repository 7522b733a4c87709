"""Text files from outside, read with limits, and where those lie that come with the engine."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import islice
from pathlib import Path
from typing import Literal

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.text import Source, Span, escape, unseen, visible

# Where files lie: those that come with the engine, in a wheel or a checkout, and authors' own.

MANIFEST = "expansion.yaml"
"""What the data file in an author's folder is called."""
RULES = ".kb"
"""How the name of a rule file ends."""
SCENARIO = ".scenario.yaml"
"""How the name of a file of scenarios ends."""
TEXTS = "texts"
"""The folder of an author's box that has its texts; shipped boxes have theirs below one."""
DEEPEST = 16
"""How many folders above a file may be its author's, the one that it is in among them."""

Kind = Literal["rules", "expansions", "schemas"]


def data_root(kind: Kind) -> Path:
    """The folder of that kind which belongs to this very installation.

    Raises `FileNotFoundError` naming the places searched. That is a broken installation,
    never an author's mistake.
    """
    searched = list(_places(kind))
    for place in searched:
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"kbrules is not completely installed: no folder `{kind}` at "
        + " or ".join(f"`{place}`" for place in searched)
    )


def _places(kind: Kind) -> Iterator[Path]:
    package = _package(files)
    checkout = package.parent
    yield package / "_data" / kind
    # In somebody's site-packages a neighbour called `rules` is a stranger.
    if (checkout / "pyproject.toml").is_file():
        yield checkout / kind


@cache
def _package(find: Callable[[str], Traversable]) -> Path:
    """Our own folder, found once: to find it is slow, and it is needed often."""
    return Path(str(find("kbrules")))


def author_folder(file: Path, typed: Collection[Path] = ()) -> Path | None:
    """Return the folder of the box that a file is in, as it is named from the current folder.

    That is the nearest with a data file; None if there is none.
    typed: real paths of data files that count although they are not on disk.
    """
    for folder in islice(folders_above(file), DEEPEST):
        manifest = folder / MANIFEST
        if os.path.isfile(manifest) or (typed and real_path(manifest) in typed):
            return Path(shown_name(folder))
    return None


def folders_above(file: Path) -> Iterator[Path]:
    """Yield the folders that a file is in, the innermost first, as absolute paths.

    Those below a `..` of the path are named as it names them.
    """
    for folder in file.absolute().parents:
        yield folder
        if folder.name == "..":
            yield from Path(os.path.abspath(folder)).parents
            return


def real_path(path: Path) -> Path:
    """Where a file really lies, all links followed; of a ring of links, the path itself."""
    return Path(os.path.realpath(path))


def is_shipped(file: Path) -> bool:
    """Return whether a file comes with the engine."""
    real = real_path(file)
    roots = (_resolved(data_root("rules")), _resolved(data_root("expansions")))
    return any(real.is_relative_to(root) for root in roots)


@cache
def _resolved(root: Path) -> Path:
    """Return where a folder that comes with the engine really is."""
    return real_path(root)


# Text files from outside: read with limits, or refused with a finding; never an exception.

LIMIT = 256 * 1024  # bytes of one file
_SHOWN = 10  # forbidden characters reported of one file
_BOM = "\ufeff"
_YAML = (".yaml", ".yml")


def read_source(path: Path) -> tuple[Source | None, list[Diagnostic]]:
    """Return the text of a file and what is wrong with it; no text when anything is."""
    data, problem = file_bytes(path)
    return (None, [problem]) if problem is not None else source_of(shown_name(path), data)


def file_bytes(path: Path) -> tuple[bytes, Diagnostic | None]:
    """Return the bytes of a plain file, up to one more than `LIMIT`, or why there are none."""
    try:
        data, message = _bytes(path)
    except (OSError, ValueError) as error:
        data, message = b"", unreadable(error)
    if not message:
        return data, None
    help = _renaming_advice(path) or SLIP
    return b"", file_finding(shown_name(path), "KB001", message, help)


SLIP = "look for a slip in the path"
"""What to do about a path that names nothing."""


def unreadable(error: OSError | ValueError) -> str:
    """Why a file cannot be read; a `ValueError` is of a name that no file can have."""
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    reason = getattr(error, "strerror", None) or "the name cannot be used"
    return f"cannot be read: {reason.lower()}"


def _renaming_advice(path: Path) -> str:
    """What to do if a data file beside a missing one is most likely meant; empty if none is."""
    if path.suffix not in _YAML:
        return ""
    try:
        names = sorted(each.name for each in path.parent.iterdir() if each.suffix.lower() in _YAML)
    except (OSError, ValueError):  # no folder, one closed to us, or gone since a moment ago
        return ""
    near = suggest(path.name, names)
    return f"there is {quoted(near)}: call it {quoted(path.name)}" if near else ""


def source_of(name: str, data: bytes) -> tuple[Source | None, list[Diagnostic]]:
    """Return the text of a file and what is wrong with it, from its bytes up to one above `LIMIT`.

    A leading byte order mark is dropped and line ends become line feeds.
    """
    if len(data) > LIMIT:
        message = f"is larger than {LIMIT // 1024} KiB"
        return None, [file_finding(name, "KB003", message, "split it into several files")]
    try:
        text = _lines(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return None, [_not_utf8(name, data, error.start)]
    source = Source(name, text.removeprefix(_BOM))
    found = unseen_characters(source)
    return (None, found) if found else (source, [])


def file_finding(name: str, code: str, message: str, help: str = "") -> Diagnostic:
    """A finding about a file or folder as a whole; the message goes on after its name."""
    return Diagnostic(code, Span.none(name), f"{quoted(name)} {message}", help)


def _bytes(path: Path) -> tuple[bytes, str]:
    """Return the bytes of a plain file, or why not; a pipe or device is never opened."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        is_folder = stat.S_ISDIR(status.st_mode)
        return b"", "is a folder, not a file" if is_folder else "is not a plain file"
    with path.open("rb") as file:
        # Read one byte more than allowed: a file can grow, and some tell no size.
        return file.read(LIMIT + 1), ""


def _lines(text: str) -> str:
    return re.sub("\r\n?", "\n", text)


def _not_utf8(name: str, data: bytes, at: int) -> Diagnostic:
    source = Source(name, _lines(data.decode("utf-8", "replace")))
    start = len(_lines(data[:at].decode("utf-8")))
    message = f"byte {data[at]:#04x} cannot be read as UTF-8"
    return Diagnostic("KB002", source.span(start, start + 1), message, "save the file as UTF-8")


def unseen_characters(source: Source) -> list[Diagnostic]:
    """A finding for each of the first few control and bidi characters of a text."""
    return [
        Diagnostic(
            "KB004",
            source.span(offset, offset + 1),
            f"the invisible character {character_name(source.text[offset])} is not allowed",
            "delete it",
        )
        for offset in islice(unseen(source.text), _SHOWN)
    ]


def character_name(character: str) -> str:
    """How we speak of a character that is not seen: its escape and, if it has one, its name."""
    name = unicodedata.name(character, "").lower()
    return f"`{escape(character)}`" + (f" ({name})" if name else "")


def shown_name(path: Path) -> str:
    """The name of a file in messages: relative to the current folder when it lies inside."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def place_of(span: Span) -> str:
    """File and line for people; a shipped file is named from the folder that holds them all."""
    path, shipped = Path(span.source.name), data_root("rules").parent
    name = path.relative_to(shipped) if path.is_relative_to(shipped) else path
    return f"{visible(name.as_posix())}:{span.line}"


def within(root: Path, path: Path) -> list[Diagnostic]:
    """A finding when `path`, all links followed, lies outside of the folder `root`."""
    try:
        inside = real_path(path).is_relative_to(real_path(root))
    except (OSError, ValueError, RuntimeError):  # a ring of links, a name no file can have
        inside = False
    if inside:
        return []
    message = f"lies outside of the folder {quoted(shown_name(root))}"
    return [file_finding(shown_name(path), "KB005", message, "move it into the folder")]
