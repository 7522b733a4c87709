"""A first expansion as a project whose package, once installed, brings the box by its name."""

from __future__ import annotations

from pathlib import Path

from kbrules import __version__
from kbrules.tools.authoring.scaffold import expansion_texts, fill, new_folder, refuse_box_name

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
    return f"{opening}\n{table}\n{fill(_README, values)}"


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

_README = """\
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
