"""The small game of the codes in a folder, and a workspace over it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from kbrules.tools.language_service.answers import Place, TextEdit, edited
from kbrules.tools.language_service.workspace import Workspace
from tests.example_games import MOOR

SCENARIO = """\
format: 1
title: A mill at the lake
cards: [rowers]
board:
  drawing: |
    H  L  H
     Ha H  H
turn: {player: a}
expect:
  gold: {a: {rowers: 1}}
"""

FOLDER = {
    **MOOR,
    "rules/rowers.kb": MOOR["rules/rowers.kb"].replace("gives 1", "gives 2"),
    "scenarios/mill.scenario.yaml": SCENARIO,
}
Typing = Callable[[str, str], tuple[Path, int]]


def lay(folder: Path, texts: dict[str, str]) -> Path:
    """A folder with some files."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return folder


def written(place: Place) -> str:
    """What is written at a place of a file that is saved."""
    return Path(place.file).read_text(encoding="utf-8")[place.start : place.end]


def applied(workspace: Workspace, edits: Sequence[TextEdit]) -> None:
    """Let files have the texts that edits make."""
    for file in dict.fromkeys(each.place.file for each in edits):
        own = [each for each in edits if each.place.file == file]
        workspace.open_text(Path(file), edited(workspace.text(Path(file)), own))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of the game, with a scenario."""
    return lay(tmp_path / "moor", FOLDER)


@pytest.fixture
def workspace(home: Path) -> Workspace:
    """The workspace of that folder."""
    return Workspace([home])


@pytest.fixture
def typing(workspace: Workspace, home: Path) -> Typing:
    """Opens a text in which `^` says where the cursor is; the path, and the offset of the cursor.

    The text takes the place of the file, or with a leading `+` stands below what is there.
    """

    def type_(name: str, text: str) -> tuple[Path, int]:
        path = home / name
        before = workspace.text(path) + "\n" if text.startswith("+") else ""
        text = before + text.removeprefix("+")
        workspace.findings(path)  # what is known before the text is typed
        workspace.open_text(path, text.replace("^", "", 1))
        return path, text.index("^")

    return type_
