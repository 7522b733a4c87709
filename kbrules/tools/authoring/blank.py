"""A blank map for an author to fill in: in a folder of its own, or in the one that is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from kbrules.diagnostics import quoted
from kbrules.engine.logs.writing import write_atomically
from kbrules.game.board import Catalog
from kbrules.hex.drawing import HOLE
from kbrules.library.boards.sections import BLANK
from kbrules.library.boards.tables import BoardParts
from kbrules.library.boxes.box import Box, shipped_box, shipped_boxes
from kbrules.library.boxes.union import STAND_IN
from kbrules.library.file_cache import FileCache
from kbrules.library.load import needed
from kbrules.library.reading import MANIFEST
from kbrules.library.yaml import YamlTable, read_yaml
from kbrules.text import Source
from kbrules.tools.authoring.scaffold import (
    SCHEMAS,
    CannotCreate,
    cannot_write,
    new_folder,
    refuse_name,
    root_box,
)

WIDTH = 90
_UNFINISHED = ("KB403", "KB415")  # what `check` says of a blank: a digit, and hexes to be drawn


def new_section(name: str, into: Path) -> list[Path]:
    """Write a blank map into the expansion whose folder that is, or else into a folder `name`.

    The files that were written, sorted. If a box has a stand-in of that name, the blank is made
    to replace it. Raises `CannotCreate`, and changes nothing, if it cannot be done.
    """
    refuse_name(name, "a section")
    if (into / MANIFEST).is_file():
        return [_add_to_box(name, into)]
    if name in shipped_boxes():
        raise CannotCreate("KB009", f"there is a box {quoted(name)} already", "choose another name")
    stand_in_box = _stand_in_box(name)
    blank = _BlankSection.of(name, [stand_in_box.id if stand_in_box else root_box()], None)
    return new_folder(into / name, {MANIFEST: blank.manifest()}, _UNFINISHED)


def _stand_in_box(name: str) -> Box | None:
    """The shipped box that has a section of that name, if it is a stand-in."""
    files = FileCache()
    for box in (files.box(shipped_box(id))[0] for id in shipped_boxes()):
        if box is not None and name in box.model.sections:
            return _require_stand_in(name, box)
    return None


def _require_stand_in(name: str, box: Box) -> Box:
    if box.model.sections[name].map != STAND_IN:
        message = f"there is a section {quoted(name)} already, and its map is no {STAND_IN}"
        raise CannotCreate("KB411", message, "choose another name")
    return box


@dataclass(frozen=True, slots=True)
class _BlankSection:
    """A section to be drawn: its name, what can stand in it, and the box that has a stand-in."""

    name: str
    catalog: Catalog
    parts: BoardParts
    needs: Sequence[str]
    stand_in_box: Box | None

    @classmethod
    def of(cls, name: str, needs: Sequence[str], own: Box | None) -> _BlankSection:
        """The blank beside boxes and all they need."""
        files = FileCache()
        loaded = (files.box(shipped_box(id))[0] for id in needed(files, needs, []))
        boxes = [box for box in (*loaded, own) if box is not None]
        catalog, parts, _ = files.merged(boxes)
        stand_in_box = next((box for box in boxes if name in box.model.sections), None)
        if stand_in_box is not None:
            stand_in_box = _require_stand_in(name, stand_in_box)
        return cls(name, catalog, parts, needs, stand_in_box)

    def manifest(self) -> str:
        """The data file of a box that holds this map and nothing else."""
        title = self.name.replace("_", " ").capitalize()
        return (
            f"# yaml-language-server: $schema={SCHEMAS}/expansion.schema.json\n"
            f"format: 1\nid: {self.name}\ntitle: {title}\n"
            f"needs: [{', '.join(self.needs)}]\n\nsections:\n{self.entry(2, self.name)}"
        )

    def entry(self, indent: int, folder: str) -> str:
        """The lines under `sections:`, so far indented."""
        lines = [f"{self.name}:", *(f"  # {line}" for line in self._comments(folder))]
        lines += [f"  {line}" for line in self._further_keys()]
        lines += ["  rows: |", *(f"    {' ' * (n % 2)}{row}" for n, row in enumerate(self._rows()))]
        return "".join(f"{' ' * indent}{line}\n" for line in lines)

    def _comments(self, folder: str) -> Iterator[str]:
        yield f"Put a letter in place of each {BLANK}, row by row; every second row lies half a"
        yield f"hex to the right. What is missing still: kbrules check {folder}"
        letters = [f"{kind.letter} {kind.title}" for kind in self.catalog.hexes]
        yield from _wrap_list("The letters:", [*letters, f"{HOLE} a hole"])
        if self.stand_in_box is None:
            tile = next((tile.id for tile in self.catalog.tiles if tile.place), "")
            if tile:
                yield "A digit is a place where tiles lie, such as:"
                yield f'places: {{"1": {tile}}}'
        else:
            counts = [f"{n} of {sign}" for sign, n in self._counts()]
            yield from _wrap_list(f"The {STAND_IN} has, for comparison:", counts)

    def _template_rows(self) -> Sequence[str]:
        """The rows of the stand-in, or as many of holes and blanks as a section has."""
        if self.name in self.parts.sections:
            return self.parts.sections[self.name].rows
        height, width = self.parts.section_size
        return [BLANK * width] * height

    def _counts(self) -> Iterator[tuple[str, int]]:
        rows = "".join(self._template_rows())
        signs = [*sorted({each for each in rows if each.isdecimal()})]
        for sign in (*signs, *(kind.letter for kind in self.catalog.hexes)):
            if sign in rows:
                yield sign, rows.count(sign)

    def _rows(self) -> Iterator[str]:
        for row in self._template_rows():
            yield " ".join(HOLE if sign == HOLE else BLANK for sign in row)

    def _further_keys(self) -> Iterator[str]:
        """That a stand-in is replaced, and its other attributes: its digits, perhaps more."""
        if self.stand_in_box is None:
            return
        yield f"replaces: {STAND_IN}"
        model = self.stand_in_box.model.sections[self.name]
        for key, value in model.model_dump(mode="json", exclude_unset=True).items():
            if key not in ("map", "rows", "replaces"):
                yield f"{key}: {_flow_style(value)}"


def _wrap_list(head: str, parts: Sequence[str]) -> list[str]:
    """A list in lines of a fair width; no part of it is broken."""
    text = ", ".join(part.replace(" ", "\xa0") for part in parts)
    return [line.replace("\xa0", " ") for line in wrap(f"{head} {text}", WIDTH)]


def _flow_style(value: object) -> str:
    if isinstance(value, Mapping):
        pairs = ", ".join(f'"{key}": {_flow_style(inner)}' for key, inner in value.items())
        return f"{{{pairs}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow_style, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


# Into a box that is there


def _add_to_box(name: str, folder: Path) -> Path:
    """Add the blank to the data file of a folder, which else stays as it is."""
    path = folder / MANIFEST
    box, _ = FileCache().box(path)
    if box is None:
        help_ = f"look at: kbrules check {folder}"
        raise CannotCreate("KB008", f"{quoted(str(path))} is not in order yet", help_)
    if name in box.model.sections:
        raise CannotCreate(
            "KB008", f"there is a section {quoted(name)} in {quoted(str(path))} already"
        )
    stand_in_box = _stand_in_box(name)
    blank = _BlankSection.of(name, [need.id for need in box.model.needed], box)
    if stand_in_box is not None and blank.stand_in_box is None:
        help_ = f"add {quoted(stand_in_box.id)} to `needs`"
        raise CannotCreate(
            "KB413", f"the {STAND_IN} {quoted(name)} is in a box not needed here", help_
        )
    try:
        write_atomically(path, [_with_entry(path, box, blank)])
    except OSError as error:
        raise cannot_write(path, error) from None
    return path


def _with_entry(path: Path, box: Box, blank: _BlankSection) -> str:
    """The text of a data file with one more section, before those that are there."""
    text = path.read_bytes().decode("utf-8-sig")
    line_end = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n")
    node = box.document.place(("sections",)).node
    if "sections" not in box.model.model_fields_set:
        new = f"{text.rstrip()}\n\nsections:\n{blank.entry(2, '.')}"
    elif isinstance(node, YamlTable) and node.entries and text[node.start] != "{":
        at = text.rindex("\n", 0, node.start) + 1
        new = text[:at] + blank.entry(node.start - at, ".") + text[at:]
    else:
        help_ = "write them as a block, one below the other"
        raise CannotCreate(
            "KB008", f"no section can be put into those of {quoted(str(path))}", help_
        )
    _require_unchanged(path, box, new)
    return new.replace("\n", line_end)


def _require_unchanged(path: Path, box: Box, text: str) -> None:
    """Raise `CannotCreate` if a value that was there before would be lost."""
    document, findings = read_yaml(Source(path.name, text))
    before = {"sections": {}, **box.document.data}
    after = {} if document is None else document.data
    unchanged = {key: after.get(key) for key in before if key != "sections"}
    sections = after.get("sections", {})
    if (
        findings
        or unchanged | {"sections": before["sections"]} != before
        or not (before["sections"].items() <= sections.items())
    ):
        raise CannotCreate("KB008", f"no section can be added to {quoted(str(path))} by program")
