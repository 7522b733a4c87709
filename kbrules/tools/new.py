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
from kbrules.library.boards.tables import BLANK, BoardParts
from kbrules.library.box import Box, shipped_box, shipped_boxes
from kbrules.library.load import check_all, load, needed
from kbrules.library.reading import MANIFEST, author_folder, data_root, shown_name
from kbrules.library.ruleset import Ruleset
from kbrules.library.store import Files
from kbrules.library.union import STAND_IN
from kbrules.library.yaml import YamlTable, read_yaml
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
    project = Project([folder])
    found = [*project.selected.problems, *project.errors(project.files())]
    findings = [each for each in found if each.code not in expected]
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
    files = Files()
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


# A first expansion as a project whose package, once installed, brings the box by its name.


_FIRST = "0.1.0"


def folder_of(name: str) -> str:
    """What the folder of the project of an expansion is called, which is what pip installs."""
    return f"kbrules-{name.replace('_', '-')}"


def new_package(name: str, into: Path) -> list[Path]:
    """Write the project of the expansion `name` into a folder of its own; the files, sorted.

    Raises `CannotCreate`, and leaves nothing behind, if the name or the place cannot be used.
    """
    refuse_box_name(name)
    package = f"kbrules_{name}"
    box = expansion_texts(name)
    readme = box.pop("README.md")
    box["expansion.yaml"] = _add_version(box["expansion.yaml"])
    texts = {f"{package}/{file}": text for file, text in box.items()}
    values = {"name": name, "package": package, "project": folder_of(name), "ours": __version__}
    for file, text in _PROJECT.items():
        texts[fill(file, values)] = fill(text, values)
    texts["README.md"] = _readme(readme.partition("\n    kbrules")[0], values)
    return new_folder(into / folder_of(name), texts, box=package)


def _add_version(manifest: str) -> str:
    before, title, after = manifest.partition("\ntitle: ")
    line, _, rest = after.partition("\n")
    return f'{before}{title}{line}\nversion: "{_FIRST}"\n{rest}'


def _readme(opening: str, values: dict[str, str]) -> str:
    """The page of the project: what it is, what can be done with it, and what is still open."""
    commands = {fill(command, values): why for command, why in _COMMANDS.items()}
    width = max(map(len, commands))
    table = "".join(f"    {command:<{width}}   {why}\n" for command, why in commands.items())
    return f"{opening}\n{table}\n{fill(_PACKAGE_README, values)}"


_PYPROJECT = """\
[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"

[project]
name = "<project>"
dynamic = ["version"]
description = "An expansion for kbrules"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["kbrules>=<ours>"]
# Which licence? As long as none is named, nobody else may copy or change this.
# license = "MIT"

[project.optional-dependencies]
test = ["pytest>=8.4"]

# What makes `kbrules play --with <name>` find the box once this is installed.
[project.entry-points."kbrules.expansions"]
<name> = "<package>"

# The version is that of the box; it stands there and nowhere else.
[tool.hatch.version]
path = "<package>/expansion.yaml"
pattern = '(?m)^version: "(?P<version>[^"]+)"'

[tool.hatch.build.targets.wheel]
packages = ["<package>"]
exclude = [".schemas"]

[tool.pytest.ini_options]
testpaths = ["<package>", "tests"]
"""

_TEST = '''\
"""The box is found by its name and played; pytest runs the scenarios beside it as well."""

import kbrules


def test_all_is_in_order():
    _, findings = kbrules.check_all(["<name>"])
    assert findings == []


def test_a_game_is_played_to_its_end():
    ruleset = kbrules.load("<name>")
    game = kbrules.new_game(ruleset, players=2, seed=1)
    state, chance = game.start(), kbrules.Random(1, "moves")
    while not state.is_over:
        moves = list(game.legal_moves(state))
        state = game.play(state, moves[chance.below(len(moves))]).state
    assert len(game.score(state).totals) == 2
'''

_WORKFLOW = """\
name: check
on: [push, pull_request]
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {python-version: "3.11"}
      - run: python -m pip install -e ".[test]"
      - run: kbrules fmt --check <package>
      - run: kbrules check <package> --output-format github
      - run: kbrules test <package> --output-format github
      - run: pytest
"""

_IGNORED = """\
__pycache__/
.pytest_cache/
.venv/
build/
dist/
*.kblog
"""

_COMMANDS = {
    'python -m pip install -e ".[test]"': "install it from here: the box is known by its name",
    "kbrules boxes": "it is among them",
    "kbrules check <package>": "everything that is wrong, each mistake at its place",
    "kbrules test <package>": "the examples in rules/ and the scenarios, played",
    "pytest": "the scenarios, and a game",
    "kbrules play --with <name>": "a game with it",
    "python -m build": "the files to publish, in dist/",
}

_PACKAGE_README = """\
The box lies in <package>/: data and rules, no program. Whoever installs the package can write
`--with <name>`, and other boxes can say `needs: ["<name> >=0.1"]`.

No licence is chosen yet. Name one in pyproject.toml, and add its text as LICENSE, before you
publish anything.
"""

_PROJECT = {
    "pyproject.toml": _PYPROJECT,
    "tests/test_box.py": _TEST,
    ".github/workflows/check.yml": _WORKFLOW,
    ".gitignore": _IGNORED,
    "<package>/__init__.py": '"""A box of kbrules: data and rules, no program."""\n',
}


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
    return new_folder(into / name, {MANIFEST: blank.manifest()}, _UNFINISHED)


def _stand_in_box(name: str) -> Box | None:
    """The shipped box that has a section of that name, if it is a stand-in."""
    files = Files()
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
        files = Files()
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
    box, _ = Files().box(path)
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
