"""Boxes of installed packages, found by their entry points.

A package names the folder of its box in the group `kbrules.expansions`, as
`orchard = "kbrules_orchard"`; further words, with dots, are folders in it. A box is data, so
nothing of the package is imported: only its folder is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, distributions, entry_points
from importlib.util import find_spec
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.library.boxes.box import shipped_box, shipped_boxes
from kbrules.library.reading import read_source
from kbrules.library.resources import MANIFEST
from kbrules.text import Span, visible

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
    """The entry points of the group, and packages whose own cannot be read.

    One that is found on two paths counts once.
    """
    try:
        entries = [*entry_points(group=GROUP)]
    except Exception:  # one that cannot be read spoils them all
        entries, unreadable = _entries_one_by_one()
    else:
        unreadable = []
    single = {(each.name, each.value, *_package(each)): each for each in entries}
    return [*single.values()], unreadable


def _entries_one_by_one() -> tuple[list[EntryPoint], list[InstalledBox]]:
    entries: list[EntryPoint] = []
    unreadable: list[InstalledBox] = []
    for package in distributions():
        try:
            entries += package.entry_points.select(group=GROUP)
        except Exception as error:
            unreadable.append(_unreadable(package, error))
    return entries, unreadable


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
    """The box of a name, which nobody else may have."""
    first, *others = boxes
    if not others and not is_shipped:
        return first
    places = ["it comes with kbrules"] if is_shipped else []
    places += [f"{quoted(box.package)} has one{_at(box.folder)}" for box in boxes]
    message = f"there are several boxes {quoted(first.id)}: {', '.join(places)}"
    help = "uninstall all but one of the packages"
    if is_shipped:
        help = f"the one that comes with kbrules is used; uninstall {quoted(first.package)}"
    problem = Diagnostic("KB417", Span.none("installed packages"), message, help)
    return InstalledBox(first.id, first.package, first.package_version, None, problem)


def _at(folder: Path | None) -> str:
    return "" if folder is None else f" in `{visible(str(folder))}`"


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
            _refuse_other_name(entry.name, place / MANIFEST)
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


def _refuse_other_name(name: str, manifest: Path) -> None:
    """Raise `_Unusable` if a data file that can be read says another id."""
    id_in_file = _id_in(manifest)
    if id_in_file not in ("", name):
        message = (
            f"its entry point is called {quoted(name)}, but the box in it {quoted(id_in_file)}"
        )
        raise _Unusable(message)


def _id_in(manifest: Path) -> str:
    """The id that a data file says; empty if it says none."""
    source, _ = read_source(manifest)
    match = None if source is None else _ID.search(source.text)
    return match[1] if match is not None else ""
