"""What a bot would do in a position, and why: how it decides, and what the move pays at once."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.scoring import Sheet
from kbrules.game.moves import Move, MoveSet, write_move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.bots import DESCRIPTIONS, bot_named

MAX_COMPARED = 150  # legal moves that a hint compares


def hint_text(game: Game, state: State, name: str) -> str:
    """What the bot of a name would do where somebody must decide; UnknownBot if there is none.

    The bot draws from a stream of its own: who asks for a hint does not change the game.
    """
    bot, moves = bot_named(name), game.legal_moves(state)
    move = bot(game, state, moves, Random(0, "hint"))
    written = write_move(move, game.board)
    how, _ = DESCRIPTIONS[name.partition(":")[0]]
    lines = [f"{name} would do `{written}`. How it decides: {how}."]
    return "\n".join([*lines, *_gold_lines(game, state, moves, move)])


def _gold_lines(game: Game, state: State, moves: MoveSet, move: Move) -> Iterator[str]:
    me = moves.player
    before, after = game.score(state), game.score(game.apply(state, move))
    parts = ", ".join(_changes(before, after, me)) or "no card pays more or less"
    yield f"  {player_name(me)} has {after.totals[me]} gold then, now {before.totals[me]}: {parts}"
    sampled = Random(0, "hint").sample(list(moves), min(len(moves), MAX_COMPARED))
    golds = [game.totals(game.apply(state, each))[me] for each in sampled]
    less, more = (sum(each < after.totals[me] for each in golds),
                  sum(each > after.totals[me] for each in golds))  # fmt: skip
    yield f"  of {len(sampled)} legal moves {less} pay less at once, and {more} more"


def _changes(before: Sheet, after: Sheet, me: int) -> Iterator[str]:
    """By how much each line of a player's sheet changes."""
    gold_before = {row[me].rule: row[me].gold for row in before.rows}
    for row in after.rows:
        if change := row[me].gold - gold_before.get(row[me].rule, 0):
            yield f"{row[me].title} {change:+}"
    if change := after.gained[me] - before.gained[me]:
        yield f"in play {change:+}"
