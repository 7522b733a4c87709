"""The peer in JAX: Pgx plays Hex 11 x 11 side by side on one core, as one compiled program."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from kbrules.tools.measuring.bench.peers import Missing
from kbrules.tools.measuring.bench.timing import Work

__all__ = ["drawn_as_told", "drawn_quickly", "hex_games"]

SIDE_BY_SIDE = 1024
"""More do not make it any faster."""
ALONE = {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
Draw = Callable[[Any, Any], Any]
"""Draws a move for each game, of a key and of what is legal in each."""


def drawn_as_told(key: Any, legal: Any) -> Any:
    """The way of its documentation: a random number for each move, and the best of them."""
    from pgx.experimental import act_randomly

    return act_randomly(key, legal)


def drawn_quickly(key: Any, legal: Any) -> Any:
    """The same by one random number for each game."""
    import jax

    so_far = legal.cumsum(axis=-1)
    place = (jax.random.uniform(key, legal.shape[:1]) * so_far[:, -1]).astype(int)
    return (so_far > place[:, None]).argmax(axis=-1)


def hex_games(draw: Draw) -> Work:
    """Whole random games; Missing without the extra `bench-jax`."""
    if not find_spec("pgx"):
        raise Missing("pip install 'kbrules[bench-jax]'")
    os.environ.update(ALONE)  # it is read when jax is first imported
    import jax

    play, keys = jax.jit(_whole_games(draw)), iter(range(1, 1 << 30))

    def work() -> int:
        return int(play(jax.random.PRNGKey(next(keys))))

    return work


def _whole_games(draw: Draw) -> Callable[[Any], Any]:
    """What JAX is to compile: games until all are over; how many that are."""
    import jax
    import pgx

    env = pgx.make("hex")

    def step(now: tuple[Any, Any]) -> tuple[Any, Any]:
        states, key = now
        key, chance = jax.random.split(key)
        return jax.vmap(env.step)(states, draw(chance, states.legal_action_mask)), key

    def games(key: Any) -> Any:
        begun = jax.vmap(env.init)(jax.random.split(key, SIDE_BY_SIDE)), key
        states, _ = jax.lax.while_loop(lambda now: ~now[0].terminated.all(), step, begun)
        return states.terminated.sum()

    return games
