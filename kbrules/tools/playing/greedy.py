"""The greedy bot: it looks at the score after each of its moves, and no further."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kbrules.engine.configuration import GameLike
from kbrules.game.moves import Move, MoveGroup, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import State, UpToLoop
from kbrules.lang.evaluation import WORK, OutOfWork

MAX_MOVES = 150  # moves that the greedy bot tries at most
CONTINUATIONS = 5  # ways to go on that it tries after a move that is only half of one
MAX_PARTIAL_MOVES = 12  # and how many such half moves it tries at most
MAX_DEPTH = 3  # parts of one move that it thinks through
MAX_WORK = 300_000  # steps of expressions for its first decision; it takes some thousand
ENDING = ("end", "stop")

# What decides who wins, of which gold is the usual: one's own, and the lead over the best of the
# others; then the same of gold.
Value = tuple[int, int, int, int]


def greedy(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
    """The move after which the bot would have most if the game ended; ties by lead, then lot.

    Most of what decides who wins, and of gold if that is level. It does anything that costs it
    nothing rather than end its turn.
    """
    return decide_within(
        MAX_WORK, state, moves, random, lambda: _decide(game, state, moves, random)
    )


def decide_within(
    work: int, state: State, moves: MoveSet, random: Random, decide: Callable[[], Move]
) -> Move:
    """Return the move that `decide` finds, if it does so within so many steps of expressions.

    Otherwise end the turn, or make any move where that is impossible. The more a player has done in
    a turn, the fewer steps there are for one more decision, so that every turn ends soon.
    """
    rounds = sum(frame.loop.done for frame in state.stack if isinstance(frame.loop, UpToLoop))
    try:
        with WORK.limited(work // (1 + len(state.used) + rounds)):
            return decide()
    except OutOfWork:
        ending = [move for move in moves if move.verb in ENDING]
        return ending[0] if ending else moves.sample(random)


def _decide(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
    ending = [move for move in moves if move.verb in ENDING]
    choices = [move for group in moves.groups for move in moves_to_try(game, state, group, random)]
    if len(choices) + len(ending) == 1:
        return (choices + ending)[0]
    choices = random.sample(choices, min(len(choices), MAX_MOVES))
    best, value = _best(game, state, choices, moves.player, random)
    if best is None or (ending and value[0] < value_of(game, state, moves.player)[0]):
        return ending[0]
    return best


def moves_to_try(game: GameLike, state: State, group: MoveGroup, random: Random) -> list[Move]:
    """The moves of a group that are worth a look: a few if each is only half a move."""
    if group.verb in ENDING:
        return []
    moves = group.moves()
    limit = MAX_PARTIAL_MOVES if _is_partial(state, game.apply(state, moves[0])) else MAX_MOVES
    return random.sample(moves, min(len(moves), limit))


def _best(
    game: GameLike, state: State, moves: Sequence[Move], me: int, random: Random, depth: int = 1
) -> tuple[Move | None, Value]:
    """The best of some moves in random order, the first of equals; none of none."""
    best: Move | None = None
    best_value: Value = (0, 0, 0, 0)
    for move in moves:
        value = value_after(game, state, move, me, random, depth)
        if best is None or value > best_value:
            best, best_value = move, value
    return best, best_value


def value_after(
    game: GameLike, state: State, move: Move, me: int, random: Random, depth: int
) -> Value:
    """What a move is worth; of a half move, what the best of a few ways to go on is worth."""
    after = game.apply(state, move)
    moves = game.legal_moves(after)
    if depth < MAX_DEPTH and moves.player == me and _is_partial(state, after):
        next_moves = list(moves)
        sample = random.sample(next_moves, min(len(next_moves), CONTINUATIONS))
        return _best(game, after, sample, me, random, depth + 1)[1]
    return value_of(game, after, me)


def _is_partial(before: State, after: State) -> bool:
    """Whether nothing has come to lie otherwise yet: a piece is chosen, its hex is not."""
    return all(one.pieces == two.pieces for one, two in zip(before.seats, after.seats, strict=True))


def value_of(game: GameLike, state: State, me: int) -> Value:
    """What a player has if the game ends in a state."""
    totals = game.totals(state)
    lead = _lead(totals, me)
    values = game.scoring.win_values(state, totals) or totals
    return *(lead if values is totals else _lead(values, me)), *lead


def _lead(values: Sequence[int], me: int) -> tuple[int, int]:
    others = [value for player, value in enumerate(values) if player != me]
    return values[me], values[me] - max(others, default=0)
