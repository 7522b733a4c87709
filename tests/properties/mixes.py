"""Games of mixed boxes: which boxes, at which table, and how somebody plays who knows nothing.

Everything is drawn from one seed, so that a game that breaks a law can be played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.moves import CHANCE, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.box import usual_boxes
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset

BOXES = tuple(id for id in usual_boxes() if id != "base")
"""Every box that is played where none is named."""
DRAWN = (6, 5, 4, 3, 2)
"""How many mixes there are of two boxes, of three, and so on."""


def _mixes() -> Iterator[tuple[str, ...]]:
    """None, each box alone, some mixes of every size drawn by chance, and all boxes."""
    yield ()
    yield from ((box,) for box in BOXES)
    for size, number in enumerate(DRAWN, start=2):
        yield from sorted(Random(size, "mixes").sample([*combinations(BOXES, size)], number))
    yield BOXES


MIXES = tuple(_mixes())
LONGEST = 4_000

Player = Callable[[State, MoveSet, Random], Move]
Step = tuple[State, Move, Transition]


@lru_cache(maxsize=len(MIXES))
def rules(boxes: tuple[str, ...]) -> Ruleset:
    """The base game with some boxes."""
    return load("base", *boxes)


def table_of(ruleset: Ruleset, seed: int) -> TableSetup:
    """A table on which players, sections, cards and options are drawn by chance."""
    random = Random(seed, "table")
    least, most = ruleset.parts.players
    players = least + random.below(most - least + 1)
    options = {
        name: not default if isinstance(default, bool) else default + random.below(2)
        for name, default in ruleset.options.items()
        if random.below(4) == 0
    }
    return choose_table(ruleset, players, seed, options=options)


def game_of(boxes: tuple[str, ...], seed: int) -> Game:
    """The game of a seed."""
    return game_at(rules(boxes), table_of(rules(boxes), seed))


def any_move(state: State, moves: MoveSet, random: Random) -> Move:
    """All moves alike; the many hexes of a build are most of them."""
    return moves.sample(random)


def any_kind(state: State, moves: MoveSet, random: Random) -> Move:
    """All kinds of moves alike, and then all hexes."""
    return random.choice(random.choice(moves.groups).moves())


def table_for_five(seed: int) -> Game:
    """The game that `kbrules play --with all --players 5` plays with this seed."""
    return game_at(rules(BOXES), choose_table(rules(BOXES), 5, seed))


def player_of(seed: int) -> Player:
    """How a seed is played."""
    return any_kind if seed % 2 else any_move


def played(game: Game, seed: int, player: Player | None = None) -> Iterator[Step]:
    """A whole game, move by move: the state before, the move and what came of it."""
    chance, random = Random(seed, "deck"), Random(seed, "moves")
    player = player or player_of(seed)
    state = game.start()
    for _ in range(LONGEST):
        moves = game.legal_moves(state)
        if not moves:
            return
        by_chance = moves.player == CHANCE
        move = moves.sample(chance) if by_chance else player(state, moves, random)
        step = game.play(state, move)
        yield state, move, step
        state = step.state
    raise AssertionError(f"the game goes on after {LONGEST} moves")
