"""The same configuration becomes the same text, once; and what is kept does not grow for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import pytest

from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.kernel import python
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools.show import source_texts
from tests.shipped import compile_anew
from tests.source_tree import ROOT

BOXES = ("base", "nomads", "harvest")
MANY = 120
PROGRAM = "from tests.equal.test_made_once import digest; print(digest())"


def table_of(ruleset: Ruleset, number: int = 3) -> TableSetup:
    return choose_table(ruleset, 3, number)


def digest() -> str:
    """A digest of all that becomes code for one configuration."""
    ruleset = load(*BOXES)
    texts = source_texts(ruleset, table_of(ruleset))
    return blake2b("\0".join(texts).encode(), digest_size=16).hexdigest()


def test_the_text_does_not_depend_on_the_process() -> None:
    """In another one sets and hashes have another order."""
    env = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that are compiled meanwhile."""
    texts: list[str] = []

    def compile_(text: str, *rest: Any) -> Any:
        texts.append(text)
        return compile(text, *rest)

    compile_anew(monkeypatch)
    python._code_of.cache_clear()  # other tests may have compiled the same
    monkeypatch.setattr(python, "compile", compile_, raising=False)
    yield texts


def _play(ruleset: Ruleset, table: TableSetup) -> None:
    game = game_at(ruleset, table)
    for seed in range(20):
        game.playout(seed)


def test_a_second_game_compiles_nothing(compiled: list[str]) -> None:
    ruleset = load("base")
    _play(ruleset, table_of(ruleset))
    assert compiled
    before = len(compiled)
    _play(ruleset, table_of(ruleset))
    assert len(compiled) == before


def test_another_board_compiles_nothing_that_was_compiled_before(compiled: list[str]) -> None:
    ruleset = load("base")
    table = table_of(ruleset)
    _play(ruleset, table)
    other = table_of(ruleset, 4)
    _play(ruleset, TableSetup(table.players, other.layout, table.cards, table.options, table.tiles))
    assert compiled
    assert len(compiled) == len(set(compiled))


def test_what_is_kept_of_many_configurations_has_an_end() -> None:
    ruleset = load("base")
    sizes = [_kept_after(ruleset, number) for number in range(MANY)]
    assert max(sizes[MANY // 2 :]) <= 1.2 * max(sizes[: MANY // 2])


def _kept_after(ruleset: Ruleset, number: int) -> int:
    """How many things are kept with a rule set after a game of one more configuration."""
    names = sorted(ruleset.options)
    options = {
        name: not ruleset.options[name] for bit, name in enumerate(names) if number >> bit & 1
    }
    game = game_at(ruleset, choose_table(ruleset, 2 + number % 3, number, options=options))
    game.legal_moves(game.start())
    if number % 20 == 0:
        game.playout(number)
    return _size(ruleset.derived)


def _size(value: Any, depth: int = 3) -> int:
    """How many things are in a container, and in those in it."""
    if depth and isinstance(value, dict):
        return sum(1 + _size(each, depth - 1) for each in value.values())
    inner = vars(value).values() if depth and hasattr(value, "__dict__") else ()
    return sum(len(each) for each in inner if isinstance(each, dict | list))
