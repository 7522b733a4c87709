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
from kbrules.tools.measuring.bench.peers import MissingPeer

__all__ = ["SOURCE", "Program", "ProgramResult", "compile_program", "table_bytes"]

SOURCE = Path("tests/peers/limit.c")
"""The program, which only a checkout has."""
COMPILERS = "gcc", "cc"
FLAGS = "-O3", "-march=native"
BYTES = 64
"""So many for a set of hexes, and what lies in the file begins at multiples of so many."""
KINDS, PLACES = 8, 8
"""So many kinds of hexes and places it knows; the kinds behind them are places."""


class ProgramResult(NamedTuple):
    """What the program says of its games."""

    games: int
    decisions: int
    gold: int


class Program(NamedTuple):
    """The program and the file of its tables."""

    program: Path
    tables: Path

    def play(self, games_per_table: int) -> ProgramResult:
        """So many random games on each table, in a process of their own."""
        command = [str(self.program.absolute()), str(self.tables.absolute()), str(games_per_table)]
        output = subprocess.run(command, capture_output=True, check=True, text=True).stdout
        return ProgramResult(*map(int, output.split()))


def compile_program(games: Sequence[Game], folder: Path, flags: Sequence[str] = FLAGS) -> Program:
    """The program compiled into a folder, with some tables; MissingPeer if that cannot be done."""
    compiler = next(filter(None, map(which, COMPILERS)), None)
    if not SOURCE.is_file():
        raise MissingPeer("only a checkout has the program")
    if compiler is None:
        raise MissingPeer("there is no C compiler")
    program = Program(folder / SOURCE.stem, folder / "tables")
    command = [compiler, *flags, str(SOURCE), "-o", str(program.program)]
    environment = {**os.environ, "LC_ALL": "C"}
    process = subprocess.run(command, capture_output=True, check=False, env=environment, text=True)
    if process.returncode:
        raise MissingPeer(_first_error(process.stderr))
    program.tables.write_bytes(b"".join(map(table_bytes, games)))
    return program


def _first_error(output: str) -> str:
    errors = (line.partition("error: ")[2] for line in output.splitlines())
    return next(filter(None, errors), "the compiler failed").removeprefix("#error ")


def table_bytes(game: Game) -> bytes:
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
