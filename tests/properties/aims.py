"""Players who want something, so that what hardly ever happens by chance happens as well."""

from __future__ import annotations

from kbrules.engine.game import Game
from kbrules.game.moves import Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.hex.sets import Mask, bits
from tests.properties.mixes import Player, any_kind

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
