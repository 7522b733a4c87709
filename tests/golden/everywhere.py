"""10,000 random games in one hash, which is the same wherever and however they are played.

    python -m tests.golden.everywhere                       by the kernel in Python
    python -m tests.golden.everywhere --engine native --jobs 2 --games 200

Each game is hashed by itself: its table, every move, and the gold. `everywhere.json` names the
boxes and keeps the hashes of the first 40 games, of 200, 2,000 and all.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from platform import python_version
from time import perf_counter
from typing import Any

import kbrules
from kbrules.engine.matches import Match, random_bot
from kbrules.engine.simulation.playouts import Playouts
from kbrules.tools.processes import Parallel, WorkerPool
from tests.golden.compare import table_text
from tests.kernel.traces import traced

FILE = Path(__file__).with_name("everywhere.json")
KEPT: dict[str, Any] = json.loads(FILE.read_text(encoding="ascii"))
MIXES: list[list[str]] = KEPT["mixes"]
LENGTHS = 40, 200, 2_000, 10_000
OF_A_TABLE = 5
"""Games in a row on one table."""

Digests = list[tuple[int, bytes]]


def hashes(games: int, engine: str, jobs: int = 1) -> dict[int, str]:
    """The hash of the first games, and of fewer of them, by their number.

    engine: `python`, `native` or `reference`. jobs: processes; the hashes are the same.
    """
    tables = -(-games // OF_A_TABLE)
    pool = Parallel(jobs, prepared, engine) if jobs > 1 else WorkerPool(prepared(engine))
    try:
        parts = [range(mix, tables, len(MIXES)) for mix in range(min(tables, len(MIXES)))]
        found = dict(pair for digests in pool.run(parts) for pair in digests)
    finally:
        pool.close()
    lengths = sorted({*(length for length in LENGTHS if length < games), games})
    return {
        length: sha256(b"".join(found[game] for game in range(length))).hexdigest()
        for length in lengths
    }


def prepared(engine: str) -> Any:
    """What plays the tables of a mix in a worker."""
    return partial(digests_of, engine)


def digests_of(engine: str, tables: range) -> Digests:
    """The digests of the games on some tables of the same boxes, with their numbers."""
    ruleset = kbrules.load(*MIXES[tables.start])
    return [pair for table in tables for pair in _of_table(ruleset, engine, table)]


def _of_table(ruleset: kbrules.Ruleset, engine: str, number: int) -> Iterator[tuple[int, bytes]]:
    least, most = ruleset.parts.players
    players = least + number // len(MIXES) % (most - least + 1)
    table = kbrules.choose_table(ruleset, players, number)
    game = kbrules.game_at(ruleset, table)
    head = [players, table_text(table)]
    is_kernel = engine != "reference"
    play = partial(traced, Playouts(game, engine)) if is_kernel else partial(_walked, game)
    for seed in range(number * OF_A_TABLE, (number + 1) * OF_A_TABLE):
        outcome, moves = play(seed)
        told = json.dumps([*head, seed, moves, outcome.totals], separators=(",", ":"))
        yield seed, sha256(told.encode("ascii")).digest()


def _walked(game: kbrules.Game, seed: int) -> Any:
    """A game by states of the reference."""
    match = Match(game, seed, [random_bot] * game.players)
    moves = [(each.player, *each.move) for each in match]
    return game.score(match.state), moves


def main() -> None:
    """Play, and print the hash and how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", default="python", choices=["python", "native", "reference"])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=1)
    wanted, began = parser.parse_args(), perf_counter()
    for length, found in hashes(wanted.games, wanted.engine, wanted.jobs).items():
        print(found, f"{length} games")
    print(f"Python {python_version()}, {wanted.engine}, {perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
