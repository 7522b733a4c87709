"""Games of mixed boxes: which boxes, at which table, and players who want something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.hex.sets import Mask, bits
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


AIMS = (
    "side", "sides", "coming and going", "diagonal", "around a place", "around a hex", "area",
    "coming and going", "nothing",
)  # fmt: skip
Aim = tuple[Mask, Mask, Mask]
"""Where pieces are wanted to come, which ones are taken away, and where those are put."""


def aim_of(game: Game, what: str, random: Random) -> Mask:
    """Hexes that somebody may want to fill."""
    grid, board = game.board.grid, game.board
    free = grid.full & ~board.tagged["special"]
    inner = [hex for hex in bits(free) if grid.neighbours(1 << hex).bit_count() == 6]
    match what:
        case "side":
            return random.choice(grid.edges())
        case "sides":
            return grid.edge()
        case "diagonal":
            long = [line for axis in grid.diagonals() for line in axis if line.bit_count() >= 12]
            return random.choice(long)
        case "around a place":
            return grid.neighbours(1 << random.choice(list(bits(board.tagged["special"]))))
        case "around a hex":
            hex = 1 << random.choice(inner)
            return hex | grid.neighbours(hex)
        case "area":
            areas = [area for kind in board.kinds for area in grid.groups(kind & free)]
            return min(areas, key=lambda area: (abs(area.bit_count() - 5), area))
    return 0


def seeker(game: Game, seed: int) -> Player:
    """A player for all seats, each with aims of its own; what does not help is done at random."""
    random = Random(seed, "aims")
    whats = [AIMS[(seed + seat) % len(AIMS)] for seat in range(game.players)]
    aims = [aim_of(game, what, random) for what in whats]

    def choose(state: State, moves: MoveSet, random: Random) -> Move:
        player = moves.player
        is_going = whats[player] == "coming and going"
        aim = _going(game, state, player) if is_going else _coming(game, aims[player])
        wanted = [_towards(group, aim) for group in moves.groups]
        helping = [group for group in wanted if group.hexes]
        going = [group for group in helping if is_going and group.verb in ("lift", "store")]
        helping = going or helping
        if helping and random.below(8):
            return random.choice(random.choice(helping).moves())
        return any_kind(state, moves, random)

    return choose


def _coming(game: Game, aim: Mask) -> Aim:
    return aim, game.board.grid.full & ~aim, aim


def _going(game: Game, state: State, player: int) -> Aim:
    """One piece at each place, and away with those that alone keep a tile."""
    grid, special = game.board.grid, game.board.tagged["special"]
    mine = state.seats[player].all
    visited = grid.neighbours(grid.neighbours(mine) & special)
    origins = [tile.origin for tile in state.seats[player].tiles if tile.origin >= 0]
    near = [grid.neighbours(1 << origin) & mine for origin in origins]
    alone = sum({pieces for pieces in near if pieces.bit_count() == 1})
    return grid.neighbours(special) & ~visited, alone, grid.full & ~grid.neighbours(special)


def _towards(group: MoveGroup, aim: Aim) -> MoveGroup:
    """The moves of a group that put a piece where it is wanted, or take one away."""
    wanted, unwanted, elsewhere = aim
    if group.verb in ("lift", "store"):
        return group._replace(hexes=group.hexes & unwanted)
    if group.verb == "move":
        return group._replace(hexes=group.hexes & elsewhere)
    return group._replace(hexes=group.hexes & wanted if group.verb in ("build", "place") else 0)
