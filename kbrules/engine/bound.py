"""Programs of whole games with the constants of a board: made once per rules, bound per table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from kbrules.compile.running import Source, function_of
from kbrules.compile.whole.manners import Asking, Drawing, Manner
from kbrules.compile.whole.program import Written, written
from kbrules.compile.whole.running import Over, Rare, has, held, tell, tell_asked
from kbrules.compile.whole.table import Play
from kbrules.engine.evaluators import generated
from kbrules.engine.whole import plan_of
from kbrules.engine.works import MOST_KEPT, works_of
from kbrules.game.events import TRIGGERS
from kbrules.game.moves import new_group
from kbrules.game.random import Random
from kbrules.game.view import View
from kbrules.hex.floods import flooded
from kbrules.hex.masks import bits, nth

_PLAIN = (nth, flooded, Rare, Over, has, held, tell, max, len, sum, any, range, min, enumerate)
DRAWN: Mapping[str, Any] = {"fromkeys": dict.fromkeys} | {each.__name__: each for each in _PLAIN}
"""The functions that a program may use by their own names."""

ASKED: Mapping[str, Any] = {**DRAWN, "tell": tell_asked, "group": new_group, "tuple": tuple}
"""The same where players are asked."""

_OF_GRID = ("board", "full", "stride", "stride_less", "nearby")
USUAL = {*ASKED, *_OF_GRID}
DRAWING, ASKING = Drawing(), Asking()


def whole_of(game: Any, manner: Manner = DRAWING) -> Written:
    """The program of a game's rules, made once for all boards."""
    options = tuple(sorted(game.options.items()))
    acting = game.program.cards
    key = game.players, acting, options, manner
    kept: dict[Any, Written] = game.ruleset.kept.setdefault(Written, {})
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST_KEPT:
            kept.clear()
        works = works_of(game.ruleset, game.players, acting, game.options, generated)
        found = kept[key] = written(plan_of(works, game.players), manner, USUAL)
    return found


class Bound:
    """A program with the constants of a board."""

    def __init__(self, program: Written, game: Any, usual: Mapping[str, Any] = DRAWN) -> None:
        self._game = game
        self._start = game.empty()
        names = {**usual, **program.known, **_of_grid(game.board)}
        view = game.view(self._start, 0, {})
        names |= {name: node.value(view) for name, node in program.of_board.items()}
        made = function_of(Source(program.text, {}, program.places, "whole games"))
        self.run, by_name = made(**{name: names[name] for name in program.takes})
        self._told = {kind: by_name[name] for kind, name in TRIGGERS.items() if name in by_name}
        self._rules = view.rules

    def play(self, seed: int) -> Play:
        """The table at the end of the game of a seed; `Rare` if it must be played by steps."""
        randoms = [Random(seed, f"bot {player}") for player in range(self._game.players)]
        table = self.table(seed, randoms)
        with suppress(Over):
            self.run(table)
        table.views.clear()  # they point back: without them the table goes as it is let go
        return table

    def table(self, seed: int, randoms: Sequence[Random] = ()) -> Play:
        """The table of the game of a seed, before anything happened.

        randoms: the streams of the players, where they draw.
        """
        game, players = self._game, range(self._game.players)
        chance = Random(seed, "deck")
        table = Play(self._start, game.board, game.ruleset.memories, self._told, chance, randoms)
        state: Any = table
        table.views = [View(game.board, state, p, self._rules, {}) for p in players]
        return table


def _of_grid(board: Any) -> dict[str, Any]:
    """What the text calls by a name of its own."""
    grid = board.grid
    return {
        "board": board,
        "full": grid.full,
        "stride": grid.stride,
        "stride_less": grid.stride - 1,
        "nearby": _nearby(grid),
    }


def _nearby(grid: Any) -> list[int]:
    """The neighbours of each hex, by its index."""
    found = [0] * grid.full.bit_length()
    for hex in bits(grid.full):
        found[hex] = grid.neighbours(1 << hex)
    return found
