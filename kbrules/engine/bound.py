"""Programs of whole games with the constants of a board: made once per rules, bound per table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from kbrules.compile.running import Source, function_of
from kbrules.compile.whole.drawing import Drawing
from kbrules.compile.whole.manners import Manner
from kbrules.compile.whole.program import Part, Written
from kbrules.compile.whole.questions import Asking
from kbrules.compile.whole.running import Listing, Over, Rare, held, tell, tell_asked
from kbrules.compile.whole.table import Play
from kbrules.engine.evaluators import generated
from kbrules.engine.whole import plan_of
from kbrules.engine.works import MOST_KEPT, works_of
from kbrules.game.events import TRIGGERS
from kbrules.game.moves import new_group
from kbrules.game.random import Random
from kbrules.game.view import View
from kbrules.hex.floods import flooded
from kbrules.hex.masks import bits, member, no_order

_OWN = (member, flooded, Rare, Over, held, tell)
_PLAIN = (*_OWN, accumulate, bisect_right, zip, max, len, sum, any, range, min, enumerate)
DRAWN: Mapping[str, Any] = {"fromkeys": dict.fromkeys} | {each.__name__: each for each in _PLAIN}
"""The functions that a program may use by their own names."""

ASKED: Mapping[str, Any] = {
    **DRAWN,
    "tell": tell_asked,
    "group": new_group,
    "tuple": tuple,
}
"""The same where players are asked."""

_OF_BOARD = ("alone", "board", "full", "stride", "stride_less", "nearby")
USUAL = {*ASKED, *_OF_BOARD}
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
        found = kept[key] = Written(plan_of(works, game.players), manner, USUAL)
    return found


class Bound:
    """A program with the constants of a board."""

    def __init__(self, program: Written, game: Any, usual: Mapping[str, Any] = DRAWN) -> None:
        self._game = game
        self._start = game.empty()
        self._program = program
        self._view = game.view(self._start, 0, {})
        self._names: dict[str, Any] = {**usual, **_of_board(game.board)}
        self._made: dict[int, Any] = {}
        self.run, by_name = self.made(program.main)
        self._told = {kind: by_name[name] for kind, name in TRIGGERS.items() if name in by_name}
        self._rules = self._view.rules

    def all_made(self) -> None:
        """Make all that games may come to, for whoever wants to see it."""
        asked: set[str] = set()
        while left := [name for name in self._program.lists if name not in asked]:
            asked.update(left)  # what one tile lets do may lead to more
            for name in left:
                self._fixed(name).make_all()

    def made(self, part: Part) -> Any:
        """What a part is for; it is made once."""
        if id(part) not in self._made:
            made = function_of(Source(part.text, {}, part.places, "whole games"))
            taken = {name: self._fixed(name) for name in part.takes}
            self._made[id(part)], functions = made(**taken)
            self._names |= zip(part.gives, functions, strict=True)
        return self._made[id(part)]

    def forget(self) -> None:
        """Let the next game write a program of its own."""
        game: Any = self._game
        game.kept.pop(Bound, None)
        game.ruleset.kept.pop(Written, None)
        game._playouts = None

    def _fixed(self, name: str) -> Any:
        """The value of a name at this table."""
        program, names = self._program, self._names
        if name in names:
            return names[name]
        if name in program.known:
            names[name] = program.known[name]
        elif name in program.of_board:
            names[name] = program.of_board[name].value(self._view)
        elif name in program.lists:
            names[name] = _Made(self, program, name)
        else:
            self.made(program.giving(name))
        return names[name]

    def play(self, seed: int) -> Play:
        """The table at the end of the game of a seed; `Rare` if it must be played by steps."""
        order = no_order()
        randoms = [Random(seed, f"bot {player}", order) for player in range(self._game.players)]
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


class _Made(Listing):
    """What kinds of tiles offer at a table, made when it is first asked."""

    def __init__(self, bound: Bound, program: Written, name: str) -> None:
        self._bound = bound
        self._program = program
        self._name = name

    def __missing__(self, kind: int) -> Any:
        try:
            part = self._program.of_tile(self._name, kind)
            self[kind] = found = () if part is None else self._bound.made(part)
        except BaseException:
            # Ctrl-C, say: a program that is written by half would be so for every game to come.
            self._bound.forget()
            raise
        return found

    def make_all(self) -> None:
        """Ask of every kind."""
        for kind in list(self._program.lists[self._name]):
            self[kind]


def _of_board(board: Any) -> dict[str, Any]:
    """What the text calls by a name of its own."""
    grid = board.grid
    return {
        "alone": {(card,): (of, board.kinds[of]) for card, of in enumerate(board.sole) if of >= 0},
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
