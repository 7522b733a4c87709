"""The greedy bot: it looks at the score after each of its moves, and no further."""

from __future__ import annotations

from collections.abc import Sequence

from kbrules.engine.interface import GameLike
from kbrules.game.moves import Group, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

__all__ = ["ENDING", "LOOKS", "Worth", "after", "greedy", "tried", "worth_of"]

LOOKS = 150  # moves that the greedy bot tries at most
DEEPER = 5  # ways to go on that it tries after a move that is only half of one
HALVES = 12  # and how many such half moves it tries at most
DEEPEST = 3  # parts of one move that it thinks through
ENDING = ("end", "stop")

# What decides who wins, of which gold is the usual: one's own, and the lead over the best of the
# others; then the same of gold.
Worth = tuple[int, int, int, int]


def greedy(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
    """The move after which the bot would have most if the game ended; ties by lead, then lot.

    Most of what decides who wins, and of gold if that is level. It does anything that costs it
    nothing rather than end its turn.
    """
    ending = [move for move in moves if move.verb in ENDING]
    choices = [move for group in moves.groups for move in tried(game, state, group, random)]
    if len(choices) + len(ending) == 1:
        return (choices + ending)[0]
    choices = random.sample(choices, min(len(choices), LOOKS))
    best, worth = _best(game, state, choices, moves.player, random)
    if best is None or (ending and worth[0] < worth_of(game, state, moves.player)[0]):
        return ending[0]
    return best


def tried(game: GameLike, state: State, group: Group, random: Random) -> list[Move]:
    """The moves of a group that are worth a look: a few if each is only half a move."""
    if group.verb in ENDING:
        return []
    moves = group.moves()
    limit = HALVES if _is_half(state, game.apply(state, moves[0])) else LOOKS
    return random.sample(moves, min(len(moves), limit))


def _best(
    game: GameLike, state: State, moves: Sequence[Move], me: int, random: Random, depth: int = 1
) -> tuple[Move | None, Worth]:
    """The best of some moves in random order, the first of equals; none of none."""
    best: Move | None = None
    most: Worth = (0, 0, 0, 0)
    for move in moves:
        worth = after(game, state, move, me, random, depth)
        if best is None or worth > most:
            best, most = move, worth
    return best, most


def after(game: GameLike, state: State, move: Move, me: int, random: Random, depth: int) -> Worth:
    """What a move is worth; of a half move, what the best of a few ways to go on is worth."""
    then = game.apply(state, move)
    moves = game.legal_moves(then)
    if depth < DEEPEST and moves.player == me and _is_half(state, then):
        further = list(moves)
        some = random.sample(further, min(len(further), DEEPER))
        return _best(game, then, some, me, random, depth + 1)[1]
    return worth_of(game, then, me)


def _is_half(before: State, after: State) -> bool:
    """Whether nothing has come to lie otherwise yet: a piece is chosen, its hex is not."""
    return all(one.pieces == two.pieces for one, two in zip(before.seats, after.seats, strict=True))


def worth_of(game: GameLike, state: State, me: int) -> Worth:
    """What a player has if the game ends in a state."""
    totals = game.totals(state)
    lead = _lead(totals, me)
    values = game.scoring.win_values(state, totals) or totals
    return *(lead if values is totals else _lead(values, me)), *lead


def _lead(values: Sequence[int], me: int) -> tuple[int, int]:
    others = [value for player, value in enumerate(values) if player != me]
    return values[me], values[me] - max(others, default=0)
