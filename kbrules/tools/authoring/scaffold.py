"""A first expansion for an author: a small folder that works, made whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from pathlib import Path

from kbrules.diagnostics import CodedError, quoted
from kbrules.engine.logs.writing import temporary_folder
from kbrules.game.board import Catalog
from kbrules.lang.syntax.syntax_errors import plain
from kbrules.library.boxes.box import shipped_boxes
from kbrules.library.file_cache import FileCache
from kbrules.library.load import load, needed
from kbrules.library.reading import data_root
from kbrules.library.ruleset import Ruleset
from kbrules.tools.authoring.check import FileChecker

_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
_DEVICE_NAMES = re.compile("con|prn|aux|nul|com[1-9]|lpt[1-9]")
SCHEMAS = ".schemas"
_AUTHOR_SCHEMAS = tuple(
    f"{kind}.schema.json" for kind in ("expansion", "mutants", "scenario", "texts")
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
    return new_folder(into / name, expansion_texts(name))


def new_folder(
    target: Path, texts: Mapping[str, str], expected: Collection[str] = (), box: str = "."
) -> list[Path]:
    """A folder with these texts and the schemas, whole or not at all; its files, sorted.

    box: the folder in it that holds the expansion.
    Raises `CannotCreate` if it cannot be written or `check` finds anything but the expected codes.
    """
    into = target.parent
    _refuse_place(into, target)
    try:
        temporary = temporary_folder(target)
    except OSError as error:
        raise cannot_write(into, error) from None
    try:
        _write(temporary, texts, box)
        _refuse_findings(temporary, expected)
        _move_into_place(temporary, target)
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


def _refuse_place(into: Path, target: Path) -> None:
    if not into.is_dir():
        raise CannotCreate("KB008", f"there is no folder {quoted(str(into))}", "make it first")
    if os.path.lexists(target):
        message = f"{quoted(str(target))} is there already"
        raise CannotCreate("KB008", message, "choose another name, or take it away first")


def cannot_write(path: Path, error: OSError) -> CannotCreate:
    """The refusal to write somewhere, from what the system says."""
    reason = (error.strerror or str(error)).lower()
    return CannotCreate("KB008", f"{quoted(str(path))} cannot be written: {reason}")


def _refuse_findings(folder: Path, expected: Collection[str]) -> None:
    """What we write is right, so what is wrong with it is its name."""
    findings = [each for each in FileChecker().check([folder]).all if each.code not in expected]
    if findings:
        message = f"the name cannot be used: {findings[0].message}"
        raise CannotCreate("KB009", message, "choose another name")


def _move_into_place(temporary: Path, target: Path) -> None:
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o777 & ~mask)  # a temporary folder is for its owner only
    temporary.rename(target)


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
    files = FileCache()
    return next(box for box in shipped_boxes() if needed(files, [box], []) == [box])


def fill(text: str, values: Mapping[str, str]) -> str:
    """A text with values in the place of `<their names>`; braces of YAML stay what they are."""
    for key, value in values.items():
        text = text.replace(f"<{key}>", value)
    return text


def expansion_texts(name: str) -> dict[str, str]:
    """The files of a first expansion, by their paths in its folder."""
    ruleset = load(root_box())
    values = _placeholders(name, ruleset)
    sections = _map(ruleset.catalog, ruleset.parts.section_size)
    return {
        "expansion.yaml": fill(_MANIFEST, values) + sections,
        f"rules/{name}.kb": fill(_RULES, values),
        "scenarios/first.scenario.yaml": fill(_SCENARIO, values),
        "README.md": fill(_README, values),
    }


def _placeholders(name: str, ruleset: Ruleset) -> dict[str, str]:
    """The values for an expansion of that name, taken from the box it builds on."""
    hex, tile = ruleset.catalog.hexes[0], ruleset.catalog.tiles[0]
    return {
        "box": ruleset.boxes[0],
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "kind": tile.kind,
        "place": tile.place,
        "letter": hex.letter,
        "terrain": hex.id,
        "ground": hex.tags[0] if hex.tags else "board",
    }


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


_MANIFEST = """\
# yaml-language-server: $schema=.schemas/expansion.schema.json
# What is in the box. What it does stands in rules/<name>.kb.
format: 1
id: <name>
title: <title>
needs: [<box>]

tiles:
  <name>: {kind: <kind>, place: <place>, each: 2, title: <title>}

cards: [<name>_keeper]

sections:
  <name>:
    places: {"1": <name>}
    rows: |
"""

_RULES = """\
# What the tile and the card of this expansion do. Change a word, then: kbrules check .

<kind> <name> "<title>":
    "Build one piece on a hex that touches at least two of your own."
    action:
        build 1 on <ground> & touching(mine, at least 2)
    example "above and below a pair":
        | .  .+ .
        |  .a .a .
        | .  .+ .
        offers

card <name>_keeper "Keeper of <title>":
    "Three gold for each of your pieces that touches no other of yours."
    gold 3 per hex in mine - adjacent(mine)
    example "the pair pays nothing":
        | .a .a .  .
        |  .  .  .a .
        gives 3
"""

_SCENARIO = """\
# yaml-language-server: $schema=../.schemas/scenario.schema.json
format: 1
title: A pair makes room for a third piece
board:
  legend: {"1": <name>}
  drawing: |
    <letter>  <letter>+ <letter>
     <letter>a <letter>a <letter>
    1  <letter>+ <letter>
position:
  a: {tiles: [<name>]}
turn: {player: a, played: <terrain>}
cards: [<name>_keeper]
steps:
  - expect: {offered: {<name>: marked}}
  - "<name>: build b1"
  - expect: {gold: {a: {<name>_keeper: 0}}}
"""

_README = """\
# <title>

A small expansion to begin with: one tile with its map, one card, one scenario.

    kbrules check .          everything that is wrong, each mistake at its place
    kbrules test .           the examples in rules/ and the scenarios in scenarios/, played
    kbrules play --with .    a game with it

`kbrules show word` and `kbrules show step` list what rules can say, and `kbrules explain` what
the codes of mistakes mean. The schemas in .schemas/ help editors to complete the YAML files.
"""
