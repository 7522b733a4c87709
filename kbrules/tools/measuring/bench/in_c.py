"""The peer in C: games of the base box written by hand, compiled where there is a compiler."""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from shutil import which
from typing import NamedTuple

from kbrules.engine.game import Game
from kbrules.tools.measuring.bench.peers import Missing

__all__ = ["SOURCE", "Played", "Program", "compiled", "written"]

SOURCE = Path("tests/peers/limit.c")
"""The program, which only a checkout has."""
COMPILERS = "gcc", "cc"
FLAGS = "-O3", "-march=native"
BYTES = 64
"""So many for a set of hexes, and what lies in the file begins at multiples of so many."""
KINDS, PLACES = 8, 8
"""So many kinds of hexes and places it knows; the kinds behind them are places."""


class Played(NamedTuple):
    """What the program says of its games."""

    games: int
    decisions: int
    gold: int


class Program(NamedTuple):
    """The program and the file of its tables."""

    program: Path
    tables: Path

    def play(self, each: int) -> Played:
        """So many random games on each table, in a process of their own."""
        command = [str(self.program.absolute()), str(self.tables.absolute()), str(each)]
        said = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        return Played(*map(int, said.split()))


def compiled(games: Sequence[Game], folder: Path, flags: Sequence[str] = FLAGS) -> Program:
    """The program compiled into a folder, with some tables; Missing if that cannot be done."""
    compiler = next(filter(None, map(which, COMPILERS)), None)
    if not SOURCE.is_file():
        raise Missing("only a checkout has the program")
    if compiler is None:
        raise Missing("there is no C compiler")
    made = Program(folder / SOURCE.stem, folder / "tables")
    command = [compiler, *flags, str(SOURCE), "-o", str(made.program)]
    plainly = {**os.environ, "LC_ALL": "C"}
    ran = subprocess.run(command, capture_output=True, check=False, env=plainly, text=True)
    if ran.returncode:
        raise Missing(_first_error(ran.stderr))
    made.tables.write_bytes(b"".join(map(written, games)))
    return made


def _first_error(said: str) -> str:
    errors = (line.partition("error: ")[2] for line in said.splitlines())
    return next(filter(None, errors), "the compiler failed").removeprefix("#error ")


def written(game: Game) -> bytes:
    """A table as the program reads it: sets of hexes, places with their tiles, cards."""
    board, grid = game.board, game.board.grid
    cards = list(game.ruleset.catalog.cards)
    sets = grid.full, *board.kinds[:KINDS], grid.edge(), *board.sectors, *grid.rows()
    places = [(place, board.tiles[place]) for place in board.places]
    free = [(-1, -1)] * (PLACES - len(places))
    numbers = len(places), *chain(*places, *free), *map(cards.index, game.cards)
    packed = struct.pack(f"<{len(numbers)}i", *numbers)
    return b"".join(mask.to_bytes(BYTES, "little") for mask in sets) + _padded(packed)


def _padded(packed: bytes) -> bytes:
    return packed + bytes(-len(packed) % BYTES)
