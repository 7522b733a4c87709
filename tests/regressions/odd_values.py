"""Everything public called with odd values: `python -m tests.regressions.odd_values`.

It is run in a process of its own, for a fault of machine code would end it. It prints the calls
that raised what no page promises.
"""

from __future__ import annotations

import faulthandler
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from pathlib import Path
from typing import Any

import numpy

import kbrules
from kbrules.diagnostics import CodedError
from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup
from kbrules.envs.actions import actions_of
from kbrules.envs.batch import GameBatch
from kbrules.envs.observation import features_of, observe
from kbrules.envs.session import GameSession
from kbrules.game.moves import CHANCE, Move, MoveGroup, MoveSet
from kbrules.text import Source

HOUSE = Path(__file__).parents[1] / "house" / "dale"
MOVES = 12
NAN = float("nan")
ALLOWED = (
    TypeError, ValueError, CodedError, kbrules.IllegalMove, kbrules.InvalidMove,
    kbrules.AmbiguousMove, kbrules.RulesError,
)  # fmt: skip
"""What any call may raise; `INDEXED` where an index or a name is given as well."""
INDEXED = (*ALLOWED, IndexError, KeyError)


@dataclass(frozen=True)
class Call:
    """A public function with arguments that fit; each is replaced by odd values in turn.

    every: how many of them; 3 for every third, where a call takes long.
    """

    name: str
    function: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    allowed: tuple[type[BaseException], ...] = ALLOWED
    every: int = 1


class Falls:
    """A value of which nothing can be asked."""

    def __repr__(self) -> str:
        raise ValueError("no text")

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@lru_cache(maxsize=16)
def rules(box: str) -> kbrules.Ruleset:
    return kbrules.load(box) if box else kbrules.load(folders=[HOUSE])


@lru_cache(maxsize=16)
def table(players: int = 2, seed: int = 1, box: str = "base", engine: str = REFERENCE) -> Game:
    return kbrules.new_game(rules(box), players, seed, engine=engine)


@lru_cache(maxsize=16)
def played(players: int = 2, seed: int = 1, box: str = "base", engine: str = PYTHON) -> Any:
    play, random = table(players, seed, box).playthrough(3, engine), kbrules.Random(1, "way")
    while play.moves_made < MOVES:
        play.choose(random.below(play.count))
    return play


def arrays() -> Iterator[Any]:
    """Arrays of other types, shapes and strides."""
    yield from (numpy.zeros(2), numpy.zeros(0), numpy.zeros((2, 2), int), numpy.array(1))
    yield from (numpy.zeros(2, bool), numpy.array([NAN, 0.5]), numpy.zeros(2, "M8[s]"))
    yield from (numpy.array([0, 2**63], numpy.uint64), numpy.full(2, -(2**63)), numpy.zeros(4, int))
    yield from (numpy.array([None, 0]), numpy.array(["0", "1"]), numpy.zeros(2, "i4,f8"))
    read_only = numpy.zeros(9, int)[::4]
    read_only.flags.writeable = False
    yield from (read_only, numpy.zeros(6, ">i4")[::3], numpy.int64(1), numpy.float32("nan"))


def foreign() -> Iterator[Any]:
    """What belongs to other tables."""
    for players, seed, box in ((3, 1, "base"), (2, 2, "base"), (2, 2, "")):
        game, play = table(players, seed, box), played(players, seed, box)
        yield from (game, game.board, game.ruleset, game.start(), play.state, game.empty())
        yield from (play.moves, play.moves[0], play.save(), play, game.score(play.state))
        yield played(players, seed, box, NATIVE).save()


def forged() -> Iterator[Any]:
    """Saves that were changed."""
    for engine in (PYTHON, NATIVE):
        saved = played(engine=engine).save()
        yield from (saved.row, tuple(saved), saved._replace(row=saved.row[:40]))
        head = b"\xff" if engine == NATIVE else (10**9,)
        yield saved._replace(row=head * 40 + saved.row[len(head * 40) :])
        yield type(saved)(saved.row[::-1], 3, saved.origin)


@lru_cache(maxsize=1)
def odd_values() -> tuple[Any, ...]:
    numbers = (True, 0, -1, 7, 2**31, 2**63, -(2**63), 2**64, 10**30, -(10**30), 10**5000)
    floats = (0.5, -0.0, NAN, float("inf"), 1e300, 1j)
    texts = ("", "x", "build a1", "\ud800", "a\0b", "x" * 100_000, b"", b"\0" * 64, bytearray(8))
    moves = (("build",), (), ("build", "mandatory", 0.5), (1, 2, 3), Move("draw", "", 10**30),
             Move("build", "mandatory", -7), Move("end", "turn", NAN))  # type: ignore[arg-type]  # fmt: skip
    others = (None, [], {}, {"a": 1}, set(), [[]], [None], [0.5], [2**70], ["x"])
    things = (
        object(),
        Falls(),
        int,
        Move,
        len,
        ...,
        Path("nowhere"),
        Source("x", "rule"),
        iter(()),
    )
    some = numbers, floats, texts, moves, others, things
    made = arrays(), foreign(), forged()
    return tuple(value for group in (*some, *made) for value in group)


def calls() -> Iterator[Call]:
    """Every public call."""
    for engine in (REFERENCE, PYTHON, NATIVE):
        yield from of_states(engine)
    for engine in (PYTHON, NATIVE):
        yield from of_games_in_place(engine)
    yield from of_batches()
    yield from of_values()
    yield from of_the_front()
    yield from of_environments()


def of_the_front() -> Iterator[Call]:
    game, rules = table(), table().ruleset
    board, moves = game.board, game.legal_moves(played().state)
    setup = kbrules.choose_table(rules, 2, 1)
    new = (rules, 2, 1, "random", {}, {}, REFERENCE)
    yield Call("load folders", lambda f, t, n: kbrules.load("none", folders=f, texts=t, language=n),
               lambda: ((), (), ""))  # fmt: skip
    yield Call("check_all", kbrules.check_all, lambda: (("none",), (), ()))
    yield Call("new_game", kbrules.new_game, lambda: new, every=3)
    yield Call("choose_table", kbrules.choose_table, lambda: new[:6], every=2)
    yield Call("game_at", lambda r, t, e: kbrules.game_at(r, t, engine=e),
               lambda: (rules, setup, REFERENCE))  # fmt: skip
    parts = setup.players, setup.layout, setup.cards, setup.options, setup.tiles
    yield Call("TableSetup", lambda *p: kbrules.game_at(rules, TableSetup(*p)), lambda: parts)
    yield Call("Game", kbrules.Game, lambda: (rules, board, 2, game.cards, {}, REFERENCE), INDEXED)
    yield Call("read_position", kbrules.read_position, lambda: ("board: {}", ()))
    yield Call("read_move", kbrules.read_move, lambda: ("end", board, moves, rules.move_words))
    yield Call("write_move", kbrules.write_move, lambda: (moves[0], board))
    yield Call("read_log", kbrules.read_log, lambda: (Path("nowhere"),))
    yield Call("replay", kbrules.replay, lambda: (rules, None, None))
    made = (), board.catalog, rules.parts, rules.rules, {}, {}, rules.evaluate, "", ()
    yield Call("Ruleset", kbrules.Ruleset, lambda: made)
    yield Call("rule", rules.rule, lambda: ("knights",))


def of_states(engine: str) -> Iterator[Call]:
    game, state = table(engine=engine), played().state
    move = game.legal_moves(state)[0]
    given = {
        "legal_moves": (state,), "offered": (state,), "score": (state,), "totals": (state,),
        "apply": (state, move), "play": (state, move, None), "explain": (state, move),
        "after_events": (state, ()), "run_to_decision": (game.empty(), True),
        "view": (state, 0, {}), "with_engine": (engine,),
    }  # fmt: skip
    for name, arguments in given.items():
        yield Call(f"{engine} {name}", getattr(game, name), lambda a=arguments: a)
    seed_and_engine = 4, engine
    yield Call(f"{engine} playout", game.playout, lambda: seed_and_engine)
    yield Call(f"{engine} playouts", lambda s, e: [*game.playouts(s, e)],
               lambda: ([4], engine))  # fmt: skip


def of_games_in_place(engine: str) -> Iterator[Call]:
    game = table()
    yield Call(f"{engine} playthrough", game.playthrough, lambda: (4, engine))
    yield Call(f"{engine} Playthrough", type(played()), lambda: (game, 4, engine))
    for name, allowed in (("choose", INDEXED), ("apply", ALLOWED), ("restore", ALLOWED)):
        yield Call(f"{engine} {name}", lambda v, n=name: on_copy(engine, n, v),
                   lambda n=name: (first_argument(engine, n),), allowed)  # fmt: skip


def first_argument(engine: str, name: str) -> Any:
    play = played(engine=engine)
    return {"choose": 0, "apply": play.moves[0], "restore": play.save()}[name]


def on_copy(engine: str, name: str, value: Any) -> None:
    """Call a method of a copy of a game; after an error it is what it was and plays on."""
    play = copy(played(engine=engine))
    try:
        getattr(play, name)(value)
    except Exception:
        assert play.moves == played(engine=engine).moves and play.moves_made == MOVES
        play.choose(0)
        raise


def of_batches() -> Iterator[Call]:
    game, many = table(), table().batch([1, 2])
    some, code = GameBatch(game, [1, 2]), int(many.codes()[0, 0])
    both = numpy.zeros(2, int)
    yield Call("batch", game.batch, lambda: ([1, 2],))
    yield Call("Batch", type(many), lambda: (game, [1, 2]))
    for name, argument in (("step", both), ("codes", 3), ("move", code)):
        yield Call(f"batch.{name}", lambda v, n=name: getattr(copy(many), n)(v),
                   lambda a=argument: (a,), INDEXED)  # fmt: skip
    yield Call("GameBatch", GameBatch, lambda: (game, [1, 2]))
    for name in ("act", "let_others_move", "observe", "outcomes_of"):
        yield Call(f"GameBatch.{name}", lambda v, n=name: getattr(copy(some), n)(v),
                   lambda: (both,), INDEXED)  # fmt: skip
    yield Call(
        "GameBatch.restart", lambda g, s: copy(some).restart(g, s), lambda: ([0], [5]), INDEXED
    )


def of_values() -> Iterator[Call]:
    game, play = table(), played()
    moves, random = play.moves, kbrules.Random(1, "x")
    board, state, sheet = game.board, play.state, game.score(play.state)
    yield Call("Random", kbrules.Random, lambda: (1, "x"))
    for name, arguments in {
        "below": (3,), "choice": ([1],), "shuffle": ([1, 2],), "sample": ([1, 2], 1),
        "weighted": ([1, 2],), "pick": (5,), "go_to": (5,),
    }.items():  # fmt: skip
        yield Call(f"Random.{name}", getattr(random, name), lambda a=arguments: a, INDEXED)
    yield Call("MoveSet", MoveSet, lambda: (0, moves.groups, ()))
    yield Call("MoveGroup", lambda *a: MoveGroup(*a), lambda: ("build", "x", 3, ""))
    yield Call("Move", lambda *a: Move(*a) in moves, lambda: ("build", "x", 3))
    for name in ("__contains__", "group_of", "index_of", "__eq__"):
        yield Call(f"moves.{name}", getattr(moves, name), lambda: (moves[0],))
    drawn = MoveSet(CHANCE, (MoveGroup("draw", ""),), (1, 2))
    for name in ("__contains__", "group_of", "index_of"):
        yield Call(f"drawn.{name}", getattr(drawn, name), lambda: (Move("draw", "", 0),))
    yield Call("moves[]", lambda i: moves[i], lambda: (0,), INDEXED)
    yield Call("drawn[]", lambda i: drawn[i], lambda: (0,), INDEXED)
    yield Call("moves.sample", moves.sample, lambda: (random,))
    yield Call("drawn.sample", drawn.sample, lambda: (random,))
    yield Call("State ==", state.__eq__, lambda: (state,))
    yield Call("State", kbrules.State, lambda: ())
    for name, argument in (("kind_at", 1), ("names", 3), ("mask", ["a1"])):
        yield Call(f"board.{name}", getattr(board, name), lambda a=argument: (a,), INDEXED)
    yield Call("board.covered", board.covered, lambda: (0, 3), INDEXED)
    yield Call("sheet.line", sheet.line, lambda: ("knights", 0), INDEXED)


def of_environments() -> Iterator[Call]:
    game, play = table(), played()
    actions, features = actions_of(game), features_of(game)
    yield Call("actions_of", actions_of, lambda: (game,))
    yield Call("features_of", features_of, lambda: (game,))
    for name, argument in {
        "number": play.moves[0], "move": 3, "factors": 3, "name": 3, "named": actions.name(3),
        "legal": play.moves, "mask": play.moves,
    }.items():  # fmt: skip
        yield Call(f"actions.{name}", getattr(actions, name), lambda a=argument: (a,), INDEXED)
    yield Call("actions.join", actions.join, lambda: (0, 0), INDEXED)
    yield Call("features.plane", features.plane, lambda: ("board",), INDEXED)
    yield Call("features.number", features.number, lambda: ("seat",), INDEXED)
    yield Call("observe", observe, lambda: (game, play.state, 0, play.moves), INDEXED)
    for engine in (PYTHON, NATIVE):
        yield Call("GameSession", GameSession, lambda e=engine: (game, 3, e))
        session = GameSession(game, 3, engine)
        for name in ("is_legal", "act", "mask", "observe"):
            number = actions.number(session.play.moves[0]) if name in ("is_legal", "act") else 0
            yield Call(f"{engine} session.{name}", getattr(GameSession(game, 3, engine), name),
                       lambda n=number: (n,), INDEXED)  # fmt: skip
    yield from of_gymnasium()


def of_gymnasium() -> Iterator[Call]:
    from gymnasium.error import ResetNeeded

    from kbrules.envs.gymnasium import GameEnv, GameVectorEnv
    from kbrules.envs.pettingzoo import raw_env

    allowed = *INDEXED, ResetNeeded, RuntimeError
    yield Call("GameEnv", GameEnv, lambda: (["base"], 2, "random", 0), every=9)
    for name in ("setup", "cards", "options", "folders", "table_seed", "reward", "render_mode"):
        for make in (GameEnv, raw_env):
            yield Call(f"{make.__name__} {name}", lambda v, n=name, m=make: m(**{n: v}),
                       lambda: (), every=9)  # fmt: skip
    one, agents = GameEnv(table_seed=1), raw_env(table_seed=1)
    many = GameVectorEnv(2)
    for env in (one, agents, many):
        env.reset(seed=1)
        yield Call(f"{type(env).__name__}.reset", lambda s, e=env: e.reset(seed=s), lambda: (1,))
        action = numpy.zeros(2, int) if env is many else 0
        yield Call(f"{type(env).__name__}.step", env.step, lambda a=action: (a,), allowed)
    yield Call("raw_env.observe", agents.observe, lambda: ("player_0",), allowed)
    yield Call("raw_env", raw_env, lambda: (["base"], 2), every=9)
    yield Call("GameVectorEnv", GameVectorEnv, lambda: (2, ["base"], 2, "random", None), every=9)


def faults(call: Call) -> Iterator[str]:
    """What a call raises that it may not, with each argument replaced by each odd value."""
    arguments = call.arguments() or (None,)
    for position in range(len(arguments)):
        for value in odd_values()[:: call.every]:
            given = list(arguments)
            given[position] = value
            try:
                with redirect_stdout(StringIO()):
                    call.function(*given)
            except call.allowed:
                pass
            except BaseException as error:
                yield f"{call.name}, argument {position}, {short(value)}: {error!r:.160}"


def short(value: Any) -> str:
    try:
        return f"{value!r:.80}"
    except Exception:
        return type(value).__name__


if __name__ == "__main__":
    faulthandler.enable()
    for call in calls():
        for fault in faults(call):
            print(fault, flush=True)
