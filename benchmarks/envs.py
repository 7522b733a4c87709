"""`python -m benchmarks.envs [--json]`: steps per second of environments, compared with peers.

Each loop takes random legal actions and reads what a learner would be given.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

from benchmarks.measurement import Absent, Row, Workload, bench_report, measure_in_turns
from benchmarks.peers import MissingPeer, sample_quickly
from kbrules.tools.reports.report import as_text

STEPS, SIDE_BY_SIDE = 150, 256
PAIRS = (
    ("PettingZoo, native", "PettingZoo chess"),
    ("PettingZoo, python", "PettingZoo chess"),
    ("OpenSpiel, native", "OpenSpiel hex 11 x 11"),
    ("OpenSpiel, native", "OpenSpiel go 9 x 9"),
    ("OpenSpiel, native", "OpenSpiel chess"),
    ("Gymnasium, one game", "CartPole, one"),
    ("Gymnasium, many games", "CartPole, many"),
    ("Gymnasium, many games", "Pgx hex 11 x 11"),
)
"""What is measured, and the peer to compare with."""


def pettingzoo_steps(make: Callable[[], Any]) -> int:
    """Step agents, each with what it sees; return the steps."""
    env, chance, made = make(), random.Random(1), 0
    while made < STEPS:
        env.reset(seed=made)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated or made >= STEPS:
                break
            env.step(int(chance.choice(observation["action_mask"].nonzero()[0])))
            made += 1
    return made


def openspiel_steps(name: str) -> int:
    """Make moves of players and of chance, through the Python interface; return the moves."""
    import pyspiel

    from kbrules.envs.openspiel import register

    register()
    game, chance, made = pyspiel.load_game(name), random.Random(1), 0
    while made < STEPS:
        state = game.new_initial_state()
        while not state.is_terminal() and made < STEPS:
            state.apply_action(chance.choice(state.legal_actions()))
            made += 1
    return made


def gymnasium_steps(make: Callable[[], Any]) -> int:
    """Step one environment, by legal actions where there is a mask; return the steps."""
    env, chance, made = make(), random.Random(1), 0
    while made < STEPS:
        observation, _ = env.reset(seed=made)
        terminated = False
        while not terminated and made < STEPS:
            masked = isinstance(observation, dict)
            legal = observation["action_mask"].nonzero()[0] if masked else range(env.action_space.n)
            observation, _, terminated, truncated, _ = env.step(int(chance.choice(legal)))
            terminated = terminated or truncated
            made += 1
    return made


def vector_steps(env: Any, first: list[Any]) -> int:
    """Step many games side by side, in each by the first legal action; return the steps."""
    if not first:
        first.append(env.reset(seed=1)[0])
    for _ in range(20):
        observation = first[0]
        masked = isinstance(observation, dict)
        actions = observation["action_mask"].argmax(1) if masked else env.action_space.sample()
        first[0] = env.step(actions)[0]
    return 20 * int(env.num_envs)


def pgx_steps() -> Workload:
    """Return a workload of many games of Hex, as one compiled program; MissingPeer without Pgx."""
    if not find_spec("pgx"):
        raise MissingPeer("pip install 'kbrules[bench-jax]'")
    import jax
    import pgx

    env, number = pgx.make("hex"), 20

    def stepped(_: int, now: tuple[Any, Any]) -> tuple[Any, Any]:
        states, key = now
        key, chance = jax.random.split(key)
        return jax.vmap(env.step)(states, sample_quickly(chance, states.legal_action_mask)), key

    def played(key: Any) -> Any:
        begun = jax.vmap(env.init)(jax.random.split(key, SIDE_BY_SIDE))
        return jax.lax.fori_loop(0, number, stepped, (begun, key))[0].observation.sum()

    play = jax.jit(played)

    def work() -> int:
        play(jax.random.PRNGKey(1)).block_until_ready()
        return number * SIDE_BY_SIDE

    return work


def _pettingzoo() -> Iterator[tuple[str, Workload]]:
    from pettingzoo.classic.chess import chess

    from kbrules.envs.pettingzoo import raw_env

    for engine in ("native", "python"):
        make = partial(raw_env, table_seed=1, engine=engine)
        yield f"PettingZoo, {engine}", partial(pettingzoo_steps, make)
    yield "PettingZoo chess", partial(pettingzoo_steps, chess.raw_env)


def _openspiel() -> Iterator[tuple[str, Workload]]:
    yield "OpenSpiel, native", partial(openspiel_steps, "kbrules(engine=native)")
    yield "OpenSpiel hex 11 x 11", partial(openspiel_steps, "hex(board_size=11)")
    yield "OpenSpiel go 9 x 9", partial(openspiel_steps, "go(board_size=9)")
    yield "OpenSpiel chess", partial(openspiel_steps, "chess")


def _gymnasium() -> Iterator[tuple[str, Workload]]:
    import gymnasium

    from kbrules.envs.gymnasium import GameEnv, GameVectorEnv

    yield "Gymnasium, one game", partial(gymnasium_steps, partial(GameEnv, engine="native"))
    make = partial(gymnasium.make, "CartPole-v1")
    yield "CartPole, one", partial(gymnasium_steps, make)
    yield "Gymnasium, many games", partial(vector_steps, GameVectorEnv(SIDE_BY_SIDE), [])
    many = gymnasium.make_vec("CartPole-v1", SIDE_BY_SIDE, vectorization_mode="vector_entry_point")
    yield "CartPole, many", partial(vector_steps, many, [])


def loops() -> tuple[dict[str, Workload], dict[str, str]]:
    """Return the loops that can be run here, and why the others cannot."""
    found: dict[str, Workload] = {}
    absent: dict[str, str] = {}
    for group in (_pettingzoo, _openspiel, _gymnasium):
        try:
            found.update(group())
        except ImportError as error:
            absent[group.__name__] = f"there is no `{error.name}`"
    try:
        found["Pgx hex 11 x 11"] = pgx_steps()
    except MissingPeer as missing:
        absent["Pgx hex 11 x 11"] = str(missing)
    return found, absent


def rows(rounds: int = 7) -> Iterator[Row | Absent]:
    """Yield each environment, compared with its peer."""
    found, absent = loops()
    rates = measure_in_turns(found, rounds)
    for name, peer in PAIRS:
        if name in found and peer in found:
            ratio = rates.ratio(name, peer)
            yield Row(f"{name}", rates.rate(name), "steps/s", None, ratio, peer)
        else:
            yield Absent(f"{name} beside {peer}", "; ".join(absent.values()))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.envs", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print data")
    wanted = parser.parse_args()
    report = bench_report("environments", [*rows()])
    print(json.dumps(report.data, indent=1) if wanted.json else as_text(report))


if __name__ == "__main__":
    main()
