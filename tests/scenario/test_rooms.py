"""The rooms of `kbrules.scenario` by rank: each imports only rooms before it, and itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.source_tree import Module, imports, modules

PACKAGE = "kbrules.scenario"
RANKS = {"report": 0, "format": 0, "setup": 1, "checks": 2, "examples": 3, "running": 4}


def room_of(name: str) -> str:
    """The room of a module or of a name in it; empty for all other names."""
    return name.removeprefix(f"{PACKAGE}.").split(".")[0] if name.startswith(f"{PACKAGE}.") else ""


def climbs(module: Module) -> Iterator[str]:
    """Imports of a room that is not before the module's own."""
    here = room_of(module.name)
    for wanted in imports(module):
        there = room_of(wanted.name)
        if there and there != here and RANKS.get(here, -1) <= RANKS[there]:
            yield f"{module.path}:{wanted.line}: {here} may not import {wanted.name}"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("kbrules/scenario/setup/game.py", "from kbrules.scenario.checks.check import failures"),
        ("kbrules/scenario/format/reader.py", "def f():\n    from kbrules.scenario import report"),
        ("kbrules/scenario/report.py", "from kbrules.scenario.format.reader import Scenario"),
    ],
)
def test_an_import_of_a_later_room_is_seen(path: str, text: str) -> None:
    assert list(climbs(Module(path, text)))


def test_rooms_import_only_those_before_them() -> None:
    house = [module for module in modules() if module.name.startswith(f"{PACKAGE}.")]
    assert {room_of(module.name) for module in house} == set(RANKS)
    assert [found for module in house for found in climbs(module)] == []
