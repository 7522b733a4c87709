"""Boxes: the data file of an expansion, where boxes are found, and their order."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, Label, did_you_mean, quoted
from kbrules.library import validation, yaml
from kbrules.library.boards.tables import BoardParts, DrawingSource
from kbrules.library.reading import MANIFEST, data_root, read_source
from kbrules.text import Source, Span, visible

if TYPE_CHECKING:
    from kbrules.library.models import Expansion, Need


# Who took a name first, and the finding about whoever takes it again.


@dataclass(frozen=True, slots=True)
class Claims:
    """The names taken so far, where each was taken, and what was wrong with that.

    `spans` has where a thing is declared, by the key of its list and its id.
    """

    spans: dict[tuple[str, str], Span] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    _taken: dict[tuple[str, str], Span] = field(default_factory=dict)
    _values: dict[str, tuple[object, Span]] = field(default_factory=dict)

    def id(self, table: str, noun: str, id: str, span: Span, help: str = "") -> bool:
        """Whether an id is the first of its kind; things of one noun share their ids."""
        if not self._first(noun, id, span, f"there is a {noun} {quoted(id)} already", help):
            return False
        self.spans[table, id] = span
        return True

    def ids(self, table: str) -> frozenset[str]:
        """The ids declared in the lists of that key."""
        return frozenset(id for key, id in self.spans if key == table)

    def letter(self, noun: str, letter: str, span: Span) -> bool:
        """Whether a letter is the first of its kind."""
        return self._first(
            f"letter of a {noun}", letter, span,
            f"the letter {quoted(letter)} draws another {noun} already",
        )  # fmt: skip

    def value(self, what: str, value: object, span: Span) -> None:
        """Note what a box says; a finding if an earlier box says something else."""
        before, first = self._values.setdefault(what, (value, span))
        if before != value:
            labels = (Label(first, "said here first"),)
            message = f"two boxes do not agree on {what}"
            self.found.append(Diagnostic("KB411", span, message, labels=labels))

    def _first(self, space: str, name: str, span: Span, message: str, help: str = "") -> bool:
        first = self._taken.setdefault((space, name), span)
        if first is not span:
            labels = (Label(first, "taken here"),)
            self.found.append(Diagnostic("KB411", span, message, help, labels))
        return first is span


# Boxes: an expansion's data file, read and checked by itself.
#
# What a box says about another box is checked where boxes are put together, in `union`.

# To read whole manifests only to find which are meant would take longer than to load most of them.
_APART = re.compile(r"^kind: *(edition|variant)\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Box:
    """What a data file says, where it says so, and the folder it lies in."""

    model: Expansion
    document: yaml.Document
    folder: Path
    _drawn: dict[yaml.Loc, DrawingSource] = field(default_factory=dict, compare=False, repr=False)

    @property
    def id(self) -> str:
        """The name of the box for programs and rules."""
        return self.model.id

    def span(self, *loc: str | int) -> Span:
        """Where the value of a key, or an entry of a list, is written."""
        return self.document.span_at(loc)

    def key(self, *loc: str | int) -> Span:
        """Where a key is written."""
        return self.document.span_at(loc, key=True)

    def drawn(self, *loc: str | int) -> DrawingSource:
        """A drawing in it, read once for all tables that it lies on."""
        if loc not in self._drawn:
            self._drawn[loc] = DrawingSource.at(self.document, loc)
        return self._drawn[loc]


def read_box(path: Path) -> tuple[Box | None, list[Diagnostic]]:
    """The box in a data file and all that is wrong with the file; no box if it is of no use."""
    return box_in(*read_source(path), path.parent)


def box_in(
    source: Source | None, found: list[Diagnostic], folder: Path
) -> tuple[Box | None, list[Diagnostic]]:
    """Return the box in the text of a data file, with what was found in reading it, and all else
    that is wrong with it."""
    from kbrules.library.models import Expansion  # slow to load, and not needed to play

    read, found = validation.read_model(source, found, Expansion)
    return (None if read is None else Box(*read, folder)), found


def shipped_boxes() -> list[str]:
    """The ids of the boxes that come with the engine, sorted."""
    names = os.listdir(data_root("expansions"))
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def usual_boxes() -> list[str]:
    """Return those of them that are used if none is named: no editions, no variants."""
    return [id for id in shipped_boxes() if not _APART.search(shipped_box(id).read_text("utf-8"))]


def shipped_in(file: Path) -> str:
    """The id of the shipped box that one of its files (data, rules, texts) belongs to; or empty."""
    is_data = file.suffix == ".yaml" and file.parent.name == "expansions"
    id = file.stem if is_data else file.parent.name
    return id if id in shipped_boxes() else ""


def shipped_box(id: str) -> Path:
    """The data file of a box that comes with the engine; KeyError if there is none of that id."""
    if id not in shipped_boxes():
        raise KeyError(id)
    return data_root("expansions") / f"{id}.yaml"


# Boxes of installed packages, found by their entry points.
#
# A package names the folder of its box in the group `kbrules.expansions`, as
# `orchard = "kbrules_orchard"`; further words, with dots, are folders in it. A box is data, so
# nothing of the package is imported: only its folder is looked up.

GROUP = "kbrules.expansions"
_ID = re.compile(r"^id: *[\"']?([a-z][a-z0-9_]*)", re.MULTILINE)
_VALUE = re.compile(r"([A-Za-z_]\w*(?:\.\w+)*)(?::(\w+(?:\.\w+)*))?")
_REPAIR = "install the package anew, or tell its authors"


@dataclass(frozen=True, slots=True)
class InstalledBox:
    """A box by the name of its entry point, its package and the folder it lies in.

    If it cannot be used there is no folder, and `problem` says why.
    """

    id: str
    package: str
    package_version: str
    folder: Path | None
    problem: Diagnostic | None = None


class _Unusable(Exception):
    """Carries what is wrong with an entry point."""


def installed_boxes() -> Mapping[str, InstalledBox]:
    """The boxes of installed packages by their names, sorted, those of no use among them."""
    shipped = {*shipped_boxes()}
    found: dict[str, list[InstalledBox]] = {}
    entries, unreadable = _entries()
    for entry in sorted(entries, key=lambda each: (each.name, _package(each)[0], each.value)):
        found.setdefault(entry.name, []).append(_box(entry))
    for box in unreadable:
        found.setdefault(box.id, [box])
    return {id: _single(boxes, id in shipped) for id, boxes in found.items()}


def _entries() -> tuple[list[EntryPoint], list[InstalledBox]]:
    """Return the entry points of the group, and packages whose own cannot be read.

    One that is found on two paths counts once.
    """
    entries: list[EntryPoint] = []
    unreadable: list[InstalledBox] = []
    try:
        entries += entry_points(group=GROUP)
    except Exception:  # one that cannot be read spoils them all
        for package in distributions():
            try:
                entries += package.entry_points.select(group=GROUP)
            except Exception as error:
                unreadable.append(_unreadable(package, error))
    single = {(each.name, each.value, *_package(each)): each for each in entries}
    return [*single.values()], unreadable


def _unreadable(package: Distribution, error: Exception) -> InstalledBox:
    """A package whose entry points cannot be read, in place of the boxes that it may have."""
    try:
        name, version = package.metadata["Name"] or "unknown", package.metadata["Version"] or ""
    except Exception:
        name, version = "unknown", ""
    place = visible(str(package.locate_file("")))
    message = f"the entry points of the package {quoted(name)} in `{place}` cannot be read: {error}"
    problem = Diagnostic("KB416", Span.none("installed packages"), message, _REPAIR)
    return InstalledBox(name, name, version, None, problem)


def known_boxes() -> list[str]:
    """The ids of the shipped boxes and of installed ones that can be used, sorted."""
    installed = (box.id for box in installed_boxes().values() if box.folder is not None)
    return sorted({*shipped_boxes(), *installed})


def box_file(id: str) -> Path:
    """The data file of a shipped or an installed box; KeyError if there is none of that id."""
    if id in shipped_boxes():
        return shipped_box(id)
    box = installed_boxes().get(id)
    if box is None or box.folder is None:
        raise KeyError(id)
    return box.folder / MANIFEST


def boxes_by_name(ids: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Of the boxes of a log or rule set, those known by name that lie in none of the folders."""
    shipped = {*shipped_boxes()}
    if shipped.issuperset(ids):
        return [*ids]
    own = {_id_in(folder / MANIFEST) for folder in folders}
    installed = {*known_boxes()} - own
    return [id for id in ids if id in shipped or id in installed]


def unusable(id: str) -> Diagnostic | None:
    """Why the installed box of a name cannot be used; None if it can, or if there is none."""
    box = None if id in shipped_boxes() else installed_boxes().get(id)
    return None if box is None else box.problem


def _single(boxes: list[InstalledBox], is_shipped: bool) -> InstalledBox:
    """Return the box of a name, which no other package may have."""
    first, *others = boxes
    if not others and not is_shipped:
        return first
    places = ["it comes with kbrules"] if is_shipped else []
    for box in boxes:
        where = f" in `{visible(str(box.folder))}`" if box.folder is not None else ""
        places.append(f"{quoted(box.package)} has one{where}")
    message = f"there are several boxes {quoted(first.id)}: {', '.join(places)}"
    help = "uninstall all but one of the packages"
    if is_shipped:
        help = f"the one that comes with kbrules is used; uninstall {quoted(first.package)}"
    problem = Diagnostic("KB417", Span.none("installed packages"), message, help)
    return InstalledBox(first.id, first.package, first.package_version, None, problem)


def _box(entry: EntryPoint) -> InstalledBox:
    package, version = _package(entry)
    try:
        return InstalledBox(entry.name, package, version, _folder(entry))
    except _Unusable as error:
        message = f"the box {quoted(entry.name)} of {quoted(package)} cannot be used: {error}"
        problem = Diagnostic("KB416", Span.none("installed packages"), message, _REPAIR)
        return InstalledBox(entry.name, package, version, None, problem)


def _package(entry: EntryPoint) -> tuple[str, str]:
    """The name and the version of the package of an entry point, as far as they are known."""
    if entry.dist is None:
        return "unknown", ""
    metadata = entry.dist.metadata
    return (metadata["Name"] or "unknown"), (metadata["Version"] or "")


def _folder(entry: EntryPoint) -> Path:
    """The folder that an entry point names, with a data file of its name; or `_Unusable`."""
    value = _VALUE.fullmatch(entry.value.strip())
    if value is None:
        raise _Unusable(f"its entry point {quoted(entry.value)} names no package")
    top, *parts = value[1].split(".")
    parts += value[2].split(".") if value[2] else []
    places = [Path(place).joinpath(*parts) for place in _places(top)]
    for place in places:
        if (place / MANIFEST).is_file():
            id = _id_in(place / MANIFEST)
            if id not in ("", entry.name):
                named = f"its entry point is called {quoted(entry.name)}"
                raise _Unusable(f"{named}, but the box in it {quoted(id)}")
            return place
    raise _Unusable(_why_no_folder(places))


def _places(top: str) -> list[str]:
    """Where a package lies."""
    try:
        spec = find_spec(top)
    except Exception as error:  # finders are strangers' code
        message = f"looking for the package {quoted(top)} raised {type(error).__name__}: {error}"
        raise _Unusable(message) from None
    if spec is None:
        raise _Unusable(f"there is no package {quoted(top)}")
    if not spec.submodule_search_locations:
        raise _Unusable(f"{quoted(top)} is a single module, not a package")
    return [*spec.submodule_search_locations]


def _why_no_folder(places: list[Path]) -> str:
    for place in places:
        archive = next((above for above in place.parents if above.is_file()), None)
        if archive is not None:
            return f"it lies in the archive `{visible(str(archive))}`, and a box must be files"
    place = places[0]
    if not place.is_dir():
        return f"there is no folder `{visible(str(place))}`"
    return f"the folder `{visible(str(place))}` has no {quoted(MANIFEST)}"


def _id_in(manifest: Path) -> str:
    """The id that a data file says; empty if it says none."""
    source, _ = read_source(manifest)
    match = None if source is None else _ID.search(source.text)
    return match[1] if match is not None else ""


# The order of boxes: what a box needs comes before it, and ids decide the rest.
#
# It depends on the boxes only, never on the order in which they were named.


def in_order(boxes: Iterable[Box]) -> tuple[list[Box], list[Diagnostic]]:
    """Return the boxes in order, each id once, and what is wrong with their ids and needs."""
    by_id: dict[str, Box] = {}
    found: list[Diagnostic] = []
    for box in sorted(boxes, key=lambda box: (box.id, box.document.source.name)):
        if box.id in by_id:
            found.append(_twice(by_id[box.id], box))
        else:
            by_id[box.id] = box
    for box in by_id.values():
        found += _unmet(box, by_id)
    ordered: list[str] = []
    for id in by_id:
        found += _visit(id, by_id, ordered, ())
    return [by_id[id] for id in ordered], found


def _twice(first: Box, second: Box) -> Diagnostic:
    folders = (Path(box.span("id").source.name).parent for box in (first, second))
    names = [f"`{visible(str(folder))}`" for folder in folders]
    message = f"there are two boxes {quoted(second.id)}: in {' and in '.join(names)}"
    labels = (Label(first.span("id"), "the first is this"),)
    help_ = "give one of them another `id`, or load only one"
    return Diagnostic("KB411", second.span("id"), message, help_, labels)


def _unmet(box: Box, by_id: dict[str, Box]) -> Iterable[Diagnostic]:
    for index, need in enumerate(box.model.needed):
        id, span = need.id, box.span("needs", index)
        if id not in by_id:
            broken = unusable(id)
            install = "load its folder as well, or install its package"
            help = did_you_mean(id, by_id, broken.message if broken else install)
            message = f"the box {quoted(box.id)} needs the box {quoted(id)}, which is not loaded"
            yield Diagnostic("KB413", span, message, help)
        elif not need.holds(by_id[id].model.version):
            yield _other_version(box, need, by_id[id], span)


def _other_version(box: Box, need: Need, found: Box, span: Span) -> Diagnostic:
    version = found.model.version
    loaded = f"version {version} of it" if version else "a version of it that says no number"
    message = f"the box {quoted(box.id)} needs {quoted(need.id)} {need.range}; loaded is {loaded}"
    labels = (Label(found.key("version") if version else found.span("id"), "it is this box"),)
    help = "load another version of it, or change the range if this one will do"
    return Diagnostic("KB418", span, message, help, labels)


def _visit(
    id: str, by_id: dict[str, Box], ordered: list[str], above: tuple[str, ...]
) -> Iterable[Diagnostic]:
    """Put a box behind all that it needs; `above` are the boxes that wait for it."""
    if id in ordered or id not in by_id:
        return []
    if id in above:
        circle = ", ".join(quoted(each) for each in above[above.index(id) :])
        message = f"these boxes need each other in a circle: {circle}"
        return [Diagnostic("KB403", by_id[id].span("needs"), message)]
    needs = sorted(need.id for need in by_id[id].model.needed)
    found = [each for need in needs for each in _visit(need, by_id, ordered, (*above, id))]
    ordered.append(id)
    return found


# Seats: for how many players the boxes are, and with which boxes more may play.


def why_not_seated(parts: BoardParts, players: int) -> str:
    """Why so many cannot play, with the boxes that would let them; empty if they can."""
    least, most = parts.players
    if least <= players <= most:
        return ""
    seats = f"{least} to {most}" if least < most else str(least)
    box = parts.seated_by[players > most]
    who = f", as {quoted(box)} says" if box else ""
    more = boxes_with_seats(parts, players)
    remedy = f"; {players} play with the box {_either(more)}" if more else ""
    return f"the game is for {seats} players, not {players}{who}{remedy}"


def boxes_with_seats(parts: BoardParts, players: int) -> list[str]:
    """The shipped boxes with which so many may play, if these are too many without them.

    There are none where no shipped box is in play: that is another game.
    """
    shipped = shipped_boxes()
    if players <= parts.players[1] or not {*parts.boxes} & {*shipped}:
        return []
    return [id for id in shipped if _most(id) >= players]


def _most(id: str) -> int:
    box, _ = read_box(shipped_box(id))
    return box.model.players.most if box is not None else 0


def _either(ids: Sequence[str]) -> str:
    *others, last = map(quoted, ids)
    return f"{', '.join(others)} or {last}" if others else last
