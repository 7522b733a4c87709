"""Players that need no person: each is a function of game, state, moves and chance to a move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbrules.engine.game import Game
from kbrules.engine.match import Bot
from kbrules.game.moves import Group, Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State

__all__ = ["BOTS", "bot_named", "chance", "greedy"]

LOOKS = 150  # moves that the greedy bot tries at most
DEEPER = 5  # ways to go on that it tries after a move that is only half of one
HALVES = 12  # and how many such half moves it tries at most
DEEPEST = 3  # parts of one move that it thinks through
ENDING = ("end", "stop")

# What decides who wins, of which gold is the usual: one's own, and the lead over the best of the
# others; then the same of gold.
Worth = tuple[int, int, int, int]


def chance(game: Game, state: State, moves: MoveSet, random: Random) -> Move:
    """Any legal move, all as likely."""
    return moves.sample(random)


def greedy(game: Game, state: State, moves: MoveSet, random: Random) -> Move:
    """The move after which the bot would have most if the game ended; ties by lead, then lot.

    Most of what decides who wins, and of gold if that is level. It does anything that costs it
    nothing rather than end its turn.
    """
    ending = [move for move in moves if move.verb in ENDING]
    choices = [move for group in moves.groups for move in _tried(game, state, group, random)]
    if len(choices) + len(ending) == 1:
        return (choices + ending)[0]
    choices = random.sample(choices, min(len(choices), LOOKS))
    best, worth = _best(game, state, choices, moves.player, random)
    if best is None or (ending and worth[0] < _worth(game, state, moves.player)[0]):
        return ending[0]
    return best


def _tried(game: Game, state: State, group: Group, random: Random) -> list[Move]:
    """The moves of a group that are worth a look: a few if each is only half a move."""
    if group.verb in ENDING:
        return []
    moves = group.moves()
    limit = HALVES if _is_half(state, game.apply(state, moves[0])) else LOOKS
    return random.sample(moves, min(len(moves), limit))


def _best(
    game: Game, state: State, moves: Sequence[Move], me: int, random: Random, depth: int = 1
) -> tuple[Move | None, Worth]:
    """The best of some moves in random order, the first of equals; none of none."""
    best: Move | None = None
    most: Worth = (0, 0, 0, 0)
    for move in moves:
        worth = _after(game, state, move, me, random, depth)
        if best is None or worth > most:
            best, most = move, worth
    return best, most


def _after(game: Game, state: State, move: Move, me: int, random: Random, depth: int) -> Worth:
    """What a move is worth; of a half move, what the best of a few ways to go on is worth."""
    after = game.apply(state, move)
    moves = game.legal_moves(after)
    if depth < DEEPEST and moves.player == me and _is_half(state, after):
        further = list(moves)
        tried = random.sample(further, min(len(further), DEEPER))
        return _best(game, after, tried, me, random, depth + 1)[1]
    return _worth(game, after, me)


def _is_half(before: State, after: State) -> bool:
    """Whether nothing has come to lie otherwise yet: a piece is chosen, its hex is not."""
    return all(one.pieces == two.pieces for one, two in zip(before.seats, after.seats, strict=True))


def _worth(game: Game, state: State, me: int) -> Worth:
    sheet = game.score(state)
    totals = sheet.totals
    return *_lead(sheet.worths or totals, me), *_lead(totals, me)


def _lead(values: Sequence[int], me: int) -> tuple[int, int]:
    others = [value for player, value in enumerate(values) if player != me]
    return values[me], values[me] - max(others, default=0)


BOTS: Mapping[str, Bot] = {"random": chance, "greedy": greedy}


def bot_named(name: str) -> Bot:
    """The bot of a name; KeyError if there is none."""
    return BOTS[name]
