"""The rooms of a package by rank: each imports only rooms before it, and itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.source_tree import Module, imports, modules

RANKS = {
    "kbrules.lang": {
        "syntax": 0, "tables": 1, "formatting": 1, "typed": 1, "evaluation": 2, "checker": 2,
    },
    "kbrules.scenario": {
        "models": 0, "report": 0, "example_lines": 1, "reader": 1, "unread": 2, "setup": 3,
        "consistency": 4, "position": 5, "checks": 6, "writing": 6, "examples": 7,
        "running": 8, "collection": 9,
    },
    "kbrules.project": {"files": 0, "findings": 0, "cases": 1, "project": 2},
    "kbrules.library": {
        "reading": 0, "models": 0, "discovery": 1, "yaml": 1, "boards": 2,
        "validation": 2, "box": 3, "locks": 3, "position": 3, "vocabulary": 3,
        "compose": 4, "ruleset": 4, "texts": 4, "union": 4, "store": 5, "load": 6,
    },
    "kbrules.tools.language_service": {
        "answers": 0, "workspace": 1, "probing": 2, "examples": 2, "navigating": 3,
        "showing": 4, "completing": 5, "editing": 5, "service": 6,
    },
    "kbrules.engine": {
        "scoring": 0, "configuration": 1, "derivation": 2, "matches": 2, "simulation": 3,
        "game": 4, "setup": 5, "logs": 6,
    },
}  # fmt: skip


def room_of(package: str, name: str) -> str:
    """The room of a module or of a name in it; empty for all other names."""
    return name.removeprefix(f"{package}.").split(".")[0] if name.startswith(f"{package}.") else ""


def climbs(package: str, module: Module) -> Iterator[str]:
    """Imports of a room that is not before the module's own."""
    ranks, here = RANKS[package], room_of(package, module.name)
    for wanted in imports(module):
        there = room_of(package, wanted.name)
        if there and there != here and ranks.get(here, -1) <= ranks[there]:
            yield f"{module.path}:{wanted.line}: {here} may not import {wanted.name}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("kbrules/lang/syntax/tree.py", "from kbrules.lang.typed import Expression"),
        ("kbrules/scenario/setup.py", "from kbrules.scenario.checks import failures"),
        ("kbrules/scenario/setup.py", "def f():\n    from kbrules.scenario import position"),
        ("kbrules/scenario/report.py", "from kbrules.scenario.running import Case"),
        ("kbrules/library/boards/tables.py", "from kbrules.library.box import Box"),
        ("kbrules/library/yaml.py", "from kbrules.library.boards import sections"),
        ("kbrules/library/ruleset.py", "def f():\n    from kbrules.library.load import load"),
        ("kbrules/engine/scoring.py", "from kbrules.engine.configuration import Transition"),
        ("kbrules/engine/matches.py", "from kbrules.engine.derivation import derive"),
        ("kbrules/engine/game.py", "def f():\n    from kbrules.engine.logs.replay import replay"),
    ],
)
def test_an_import_of_a_later_room_is_seen(path: str, text: str) -> None:
    module = Module(path, text)
    assert list(climbs(".".join(module.package[:2]), module))


@pytest.mark.parametrize("package", RANKS)
def test_rooms_import_only_those_before_them(package: str) -> None:
    inside = [module for module in modules() if module.name.startswith(f"{package}.")]
    assert {room_of(package, module.name) for module in inside} == set(RANKS[package])
    assert [found for module in inside for found in climbs(package, module)] == []
