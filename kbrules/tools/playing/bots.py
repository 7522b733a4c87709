"""Players that need no person: each is a function of game, state, moves and chance to a move."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from kbrules.diagnostics import CodedError, quoted, suggest
from kbrules.engine.configuration import GameLike
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import Bot
from kbrules.engine.scoring import Sheet
from kbrules.game.moves import Move, MoveSet, write_move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.tools.playing.careful import careful
from kbrules.tools.playing.greedy import greedy
from kbrules.tools.playing.montecarlo import monte_carlo, native_monte_carlo
from kbrules.tools.playing.tree_search import native_tree_search, tree_search

# Players that need no person: each is a function of game, state, moves and chance to a move.
#
# They are asked for by name: `random`, `greedy`, `careful` or `careful:2` with its margin, `mc` or
# `mc:200` and `uct` or `uct:5000` with its games for each decision. A bot draws from the stream
# that it is given and from nothing else, so that a game is a function of its seed.


RANDOM = "random"
_NAME = re.compile(r"(?P<kind>[a-z]+)(?::(?P<number>[0-9]{1,6}))?", re.ASCII)
_MARGIN, _PLAYOUTS, _SEARCHED = 1, 100, 2000
_BOTS_HELP = "; `kbrules play --bots help` tells how each decides, and its strength"


class UnknownBot(CodedError, ValueError):
    """A name that is no bot's; `help` says what could have been meant."""


def random_bot(game: GameLike, state: State, moves: MoveSet, random: Random) -> Move:
    """Any legal move, all as likely."""
    return moves.sample(random)


BOTS: Mapping[str, Bot] = {RANDOM: random_bot, "greedy": greedy}
_BotFactories = Mapping[str, tuple[Callable[[int], Bot], int, int]]
"""Bots with a number: how one is made, the usual number, and the least."""
_FACTORIES: _BotFactories = {
    "careful": (careful, _MARGIN, 0),
    "mc": (monte_carlo, _PLAYOUTS, 1),
    "uct": (tree_search, _SEARCHED, 1),
}
_NATIVE_FACTORIES: _BotFactories = {
    **_FACTORIES,
    "mc": (native_monte_carlo, _PLAYOUTS, 1),
    "uct": (native_tree_search, _SEARCHED, 1),
}
NAMES = (*BOTS, *(f"{name}:{usual}" for name, (_, usual, _) in _FACTORIES.items()))
"""The names there are, those of bots with a number with the one that is usual."""

DESCRIPTIONS: Mapping[str, tuple[str, str]] = {
    RANDOM: ("any legal move, all as likely", "the weakest; at once"),
    "greedy": (
        "the most gold after each of its moves, and no further",
        "wins 93 of 100 games against `random`; at once",
    ),
    "careful": (
        "looks one decision of its own further among moves within N gold of the best",
        "wins 63 of 100 games against `greedy`; a second or so a turn",
    ),
    "mc": (
        "plays N games on by chance and takes the move after which it leads by most",
        "stronger with more games, and slower in proportion",
    ),
    "uct": (
        "searches a tree with N games played on, most of them from the moves that look best",
        "wins 81 of 100 games against `greedy` at 2000; with the extra `fast` soon done",
    ),
}
"""How each kind of bot decides, and how strong and quick it is; N is its number."""


def bots_text() -> str:
    """The bots by strength: a line with how each decides, and one with how strong it is."""
    return "\n".join(
        f"{name}{':N' if name in _FACTORIES else '':<{12 - len(name)}}{how}\n{'':12}{strength}"
        for name, (how, strength) in DESCRIPTIONS.items()
    )


@lru_cache(maxsize=64)
def bot_named(name: str) -> Bot:
    """The bot of a name; UnknownBot if there is none."""
    return _named(name, _FACTORIES)


@lru_cache(maxsize=64)
def native_bot_named(name: str) -> Bot:
    """The same bot; if it plays games on, it does so by the native kernel.

    It needs the extra `fast`, and says so when it decides: see `Game.playouts`.
    """
    return _named(name, _NATIVE_FACTORIES)


def has_native_bot(name: str) -> bool:
    """Whether the native kernel makes the bot of a name decide any faster."""
    kind = name.partition(":")[0]
    return _NATIVE_FACTORIES.get(kind) != _FACTORIES.get(kind)


def _named(name: str, factories: _BotFactories) -> Bot:
    match = _NAME.fullmatch(name)
    kind, number = (match["kind"], match["number"]) if match else (name, None)
    if kind in BOTS and number is None:
        return BOTS[kind]
    if kind not in factories:
        nearest = suggest(kind, [*BOTS, *factories])
        guess = f"did you mean {quoted(nearest)}? " if nearest else ""
        raise UnknownBot(
            f"there is no bot {quoted(name)}", f"{guess}there are {_names_text()}{_BOTS_HELP}"
        )
    make, default, minimum = factories[kind]
    argument = default if number is None else int(number)
    if argument < minimum:
        raise UnknownBot(f"{quoted(name)} can decide nothing", f"the least is `{kind}:{minimum}`")
    return make(argument)


def _names_text() -> str:
    return ", ".join(NAMES)


# What a bot would do in a position, and why: how it decides, and what the move pays at once.


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
