"""A first expansion, package or map for an author: a folder made whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from shlex import quote
from textwrap import wrap

from kbrules import __version__
from kbrules.diagnostics import CodedError, quoted
from kbrules.engine.logs.writing import temporary_folder, write_atomically
from kbrules.game.board import Catalog
from kbrules.hex.grid import HOLE
from kbrules.lang.syntax.syntax_errors import plain
from kbrules.library import store, union, yaml
from kbrules.library.boards.tables import BLANK, BoardParts
from kbrules.library.box import Box, shipped_box, shipped_boxes
from kbrules.library.load import check_all, load, needed
from kbrules.library.reading import MANIFEST, author_folder, data_root, shown_name
from kbrules.project.project import Project
from kbrules.text import Source, visible

# What can be done next in a folder: with the expansions that lie there, and with logs of games.


MAX_LISTED = 3
"""So many expansions, and so many logs, are spoken of at most."""


@dataclass(frozen=True, slots=True)
class NextStep:
    """A command, without `kbrules`, and why to give it."""

    command: str
    why: str


def typed_name(path: Path) -> str:
    """The name of a file or folder as one types it in a shell, without what cannot be seen."""
    return quote(visible(shown_name(path)))


def expansions_in(folder: Path) -> list[Path]:
    """The expansion that a folder lies in, or those right below it, named from there."""
    box_folder = author_folder(folder / MANIFEST)
    if box_folder is not None:
        return [box_folder]
    below = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}") if path.is_file())
    return [path.relative_to(folder) for path in below[:MAX_LISTED]]


def next_steps(folder: Path) -> Iterator[NextStep]:
    """What to do with each expansion and log of a folder."""
    for box in expansions_in(folder):
        yield _step_for(box)
    for log in sorted(folder.glob("*.kblog"))[:MAX_LISTED]:
        yield NextStep(f"replay {typed_name(log)}", "a game that was played here")


def _step_for(box: Path) -> NextStep:
    """Check what is wrong; test what is not."""
    _, findings = check_all(folders=[box])
    if not findings:
        return NextStep(
            f"test {typed_name(box)}", "all can be read; its scenarios and examples come next"
        )
    first = findings[0]
    number = "1 finding" if len(findings) == 1 else f"{len(findings)} findings, the first one"
    name = visible(Path(first.span.source.name).name)
    return NextStep(f"check {typed_name(box)}", f"{number} {first.code} in {name}")


_TEMPLATES = Path(__file__).parents[1] / "templates"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
_DEVICE_NAMES = re.compile("con|prn|aux|nul|com[1-9]|lpt[1-9]")
SCHEMAS = ".schemas"
_AUTHOR_SCHEMAS = tuple(
    f"{kind}.schema.json" for kind in ("expansion", "mutants", "position", "scenario", "texts")
)


class CannotCreate(CodedError):
    """Nothing was written; `code` says which kind of reason there is."""

    def __init__(self, code: str, message: str, help: str = "") -> None:
        super().__init__(message, help)
        self.code = code


def new_expansion(name: str, into: Path) -> list[Path]:
    """Write the expansion `name` into a folder of that name; the files, sorted.

    Raises `CannotCreate`, and leaves nothing behind, if the name or the place cannot be used.
    """
    refuse_box_name(name)
    return _new_folder(into / name, _expansion_texts(name))


def _new_folder(
    target: Path, texts: Mapping[str, str], expected: Collection[str] = (), box: str = "."
) -> list[Path]:
    """A folder with these texts and the schemas, whole or not at all; its files, sorted.

    box: the folder in it that holds the expansion.
    Raises `CannotCreate` if it cannot be written or `check` finds anything but the expected codes.
    """
    into = target.parent
    if not into.is_dir():
        raise CannotCreate("KB008", f"there is no folder {quoted(str(into))}", "make it first")
    if os.path.lexists(target):
        message = f"{quoted(str(target))} is there already"
        raise CannotCreate("KB008", message, "choose another name, or take it away first")
    try:
        temporary = temporary_folder(target)
    except OSError as error:
        raise cannot_write(into, error) from None
    try:
        _write(temporary, texts, box)
        _refuse_findings(temporary, expected)
        temporary.rename(target)
    except OSError as error:
        raise cannot_write(target, error) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return sorted(path for path in target.rglob("*") if path.is_file())


def refuse_box_name(name: str) -> None:
    """Raise `CannotCreate` if no expansion can have the name."""
    refuse_name(name, "an expansion")
    if name in shipped_boxes():
        message = f"{quoted(name)} is a box that comes with kbrules"
        raise CannotCreate("KB009", message, "choose another name")


def refuse_name(name: str, noun: str) -> None:
    """Raise `CannotCreate` if nothing of that kind can have the name."""
    if _DEVICE_NAMES.fullmatch(name):
        message = f"{quoted(name)} cannot be the name of a folder on Windows"
        raise CannotCreate("KB009", message, "choose another name")
    if _NAME.fullmatch(name):
        return
    help_ = "small letters, digits and `_`, a letter first, 30 at most"
    folder, _, last = name.rpartition("/")
    if folder and _NAME.fullmatch(last):
        help_ = f"the folder it goes into is said apart: `{last} --into {folder}`"
    elif _NAME.fullmatch(plain(name)):
        help_ = f"{help_}: `{plain(name)}`"
    raise CannotCreate("KB009", f"{quoted(name)} cannot be the name of {noun}", help_)


def cannot_write(path: Path, error: OSError) -> CannotCreate:
    """The refusal to write somewhere, from what the system says."""
    reason = (error.strerror or str(error)).lower()
    return CannotCreate("KB008", f"{quoted(str(path))} cannot be written: {reason}")


def _refuse_findings(folder: Path, expected: Collection[str]) -> None:
    """What we write is right, so what is wrong with it is its name."""
    project = Project([folder])
    found = [*project.selected.problems, *project.errors(project.files())]
    findings = [each for each in found if each.code not in expected]
    if findings:
        message = f"the name cannot be used: {findings[0].message}"
        raise CannotCreate("KB009", message, "choose another name")


def _write(folder: Path, texts: Mapping[str, str], box: str) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    for name in _AUTHOR_SCHEMAS:
        path = folder / box / SCHEMAS / name
        path.parent.mkdir(exist_ok=True)
        shutil.copyfile(data_root("schemas") / name, path)


def root_box() -> str:
    """The first shipped box that needs no other."""
    files = store.Files()
    return next(box for box in shipped_boxes() if needed(files, [box], []) == [box])


def _filled(kind: str, values: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a folder of templates, with values in place of `<their names>`.

    In the names of files, which cannot have these signs, they stand in braces.
    """
    folder, texts = _TEMPLATES / kind, {}
    for path in sorted(folder.rglob("*.txt")):
        text = path.read_text(encoding="utf-8")
        for key, value in values.items():
            text = text.replace(f"<{key}>", value)
        name = path.relative_to(folder).as_posix().removesuffix(".txt")
        texts[name.format(**values)] = text
    return texts


def _expansion_texts(name: str, version: str = "") -> dict[str, str]:
    """Return the files of a first expansion, built on the first shipped box.

    version: the line of its data file that says it, if one does.
    """
    ruleset = load(root_box())
    hex, tile = ruleset.catalog.hexes[0], ruleset.catalog.tiles[0]
    values = {
        "box": ruleset.boxes[0],
        "name": name,
        "title": _title(name),
        "version": version,
        "kind": tile.kind,
        "place": tile.place,
        "letter": hex.letter,
        "terrain": hex.id,
        "ground": hex.tags[0] if hex.tags else "board",
        "rows": _map(ruleset.catalog, ruleset.parts.section_size),
    }
    return _filled("expansion", values)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _map(catalog: Catalog, size: Sequence[int]) -> str:
    """A section of patches of every terrain, with two places near its corners."""
    letters = [kind.letter for kind in catalog.hexes if not kind.is_place]
    height, width = size
    rows = [[""] * width for _ in range(height)]
    for row, column in product(range(height), range(width)):
        patch = row // 3 * 2 + (column + row % 3) // 3
        rows[row][column] = letters[patch % len(letters)]
    for row, column in ((height // 4, width // 4), (height * 3 // 4, width * 3 // 4)):
        rows[row][column] = "1"
    return "".join(f"      {' ' * (n % 2)}{' '.join(row)}\n" for n, row in enumerate(rows))


# A first expansion as a project whose package, once installed, brings the box by its name.


def folder_of(name: str) -> str:
    """What the folder of the project of an expansion is called, which is what pip installs."""
    return f"kbrules-{name.replace('_', '-')}"


def new_package(name: str, into: Path) -> list[Path]:
    """Write the project of the expansion `name` into a folder of its own; the files, sorted.

    Raises `CannotCreate`, and leaves nothing behind, if the name or the place cannot be used.
    """
    refuse_box_name(name)
    package, project = f"kbrules_{name}", folder_of(name)
    box = _expansion_texts(name, 'version: "0.1.0"\n')
    values = {"name": name, "title": _title(name), "package": package, "project": project}
    texts = {f"{package}/{file}": text for file, text in box.items() if file != "README.md"}
    texts |= _filled("package", values | {"ours": __version__})
    texts["README.md"] = _aligned(texts["README.md"])
    return _new_folder(into / project, texts, box=package)


def _aligned(text: str) -> str:
    """Return a text in which what stands behind tabs begins in one column."""
    return text.expandtabs(max(line.find("\t") for line in text.splitlines()) + 3)


# A blank map for an author to fill in: in a folder of its own, or in the one that is there.


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
    return _new_folder(into / name, {MANIFEST: blank.manifest()}, _UNFINISHED)


def _stand_in_box(name: str) -> Box | None:
    """The shipped box that has a section of that name, if it is a stand-in."""
    files = store.Files()
    for box in (files.box(shipped_box(id))[0] for id in shipped_boxes()):
        if box is not None and name in box.model.sections:
            return _require_stand_in(name, box)
    return None


def _require_stand_in(name: str, box: Box) -> Box:
    if box.model.sections[name].map != union.STAND_IN:
        message = f"there is a section {quoted(name)} already, and its map is no {union.STAND_IN}"
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
        files = store.Files()
        loaded = (files.box(shipped_box(id))[0] for id in needed(files, needs, []))
        boxes = [box for box in (*loaded, own) if box is not None]
        catalog, parts, _ = files.merged(boxes)
        stand_in_box = next((box for box in boxes if name in box.model.sections), None)
        if stand_in_box is not None:
            stand_in_box = _require_stand_in(name, stand_in_box)
        return cls(name, catalog, parts, needs, stand_in_box)

    def manifest(self) -> str:
        """The data file of a box that holds this map and nothing else."""
        return (
            f"# yaml-language-server: $schema={SCHEMAS}/expansion.schema.json\n"
            f"format: 1\nid: {self.name}\ntitle: {_title(self.name)}\n"
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
            yield from _wrap_list(f"The {union.STAND_IN} has, for comparison:", counts)

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
        yield f"replaces: {union.STAND_IN}"
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
    box, _ = store.Files().box(path)
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
            "KB413", f"the {union.STAND_IN} {quoted(name)} is in a box not needed here", help_
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
    elif isinstance(node, yaml.YamlTable) and node.entries and text[node.start] != "{":
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
    document, findings = yaml.read_yaml(Source(path.name, text))
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
