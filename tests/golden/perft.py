"""1,000 positions with how many sequences of 1, 2 and 3 moves begin there: `docs/perft.csv`.

A line is `kbrules perft --with BOXES --players PLAYERS --seed SEED --at AT`, and what it counts.
`python -m tests.golden.perft` counts all anew by the native kernel; when to, the package says.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import NamedTuple

import kbrules
from kbrules.engine.matches import Match, random_bot
from kbrules.tools.perft import perft
from tests.golden.settings import box_mixes
from tests.source_tree import ROOT

FILE = ROOT / "docs" / "perft.csv"
HEADS = ["boxes", "players", "seed", "at", "depth 1", "depth 2", "depth 3"]
POSITIONS, GAMES_OF_A_MIX, TRIED = 1_000, 9, 12
LATEST = 240
"""After at most so many moves a position is looked for."""
MOST = 20_000, 1_500
"""The most sequences of three moves, and of two, so that every engine can count them soon."""
FIRST_SEED = 5_000


class Line(NamedTuple):
    """A position, and its counts at depths 1, 2 and 3."""

    boxes: str
    players: int
    seed: int
    at: int
    counts: tuple[int, ...]


@lru_cache(maxsize=1)
def rules_of(boxes: str) -> kbrules.Ruleset:
    """The rules of boxes, as `--with` names them."""
    return kbrules.load(*sorted(boxes.split(",")))


def lines() -> list[Line]:
    """The published positions."""
    with FILE.open(encoding="ascii", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [Line(row[0], *map(int, row[1:4]), tuple(map(int, row[4:]))) for row in rows]


def positions(group: Sequence[Line]) -> Iterator[tuple[Line, kbrules.Game, kbrules.State]]:
    """The positions of lines of one game, in their order."""
    boxes, players, seed, _, _ = group[0]
    ruleset = rules_of(boxes)
    game = kbrules.game_at(ruleset, kbrules.choose_table(ruleset, players, seed))
    match = Match(game, seed, [random_bot] * players)
    for line in group:
        while match.number < line.at and match.moves:
            next(iter(match))
        if match.number == line.at and match.moves:
            yield line, game, match.state


def counted(game: kbrules.Game, state: kbrules.State, engine: str) -> tuple[int, ...]:
    """The counts of a position by an engine; fewer if there are too many sequences."""
    kernel = game.with_engine(engine)
    found = perft(kernel, state, 1), perft(kernel, state, 2)
    return (*found, perft(kernel, state, 3)) if found[1] <= MOST[1] else found


def recorded() -> Iterator[Line]:
    """All lines anew; what a game has too few of, the next has more of."""
    mixes = [",".join(boxes) for boxes in box_mixes()]
    games = GAMES_OF_A_MIX * len(mixes)
    wanted = 0
    for number in range(games):
        wanted += POSITIONS // games + (number % games < POSITIONS % games)
        found = list(islice(_of_game(mixes[number // GAMES_OF_A_MIX], number), wanted))
        wanted -= len(found)
        yield from found


def _of_game(mix: str, number: int) -> Iterator[Line]:
    """Positions of a game that are soon counted."""
    least, most = rules_of(mix).parts.players
    seed = FIRST_SEED + number
    tried = sorted(kbrules.Random(seed, "positions").sample(range(LATEST), TRIED))
    players = least + number % (most - least + 1)
    for line, game, state in positions([Line(mix, players, seed, at, ()) for at in tried]):
        counts = counted(game, state, "native")
        if len(counts) == 3 and 0 < counts[-1] <= MOST[0]:
            yield line._replace(counts=counts)


def main() -> None:
    """Write the file."""
    with FILE.open("w", encoding="ascii", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADS)
        for mix, group in groupby(recorded(), lambda line: line.boxes):
            rows = [[*line[:4], *line.counts] for line in group]
            writer.writerows(rows)
            print(mix, len(rows), flush=True)


if __name__ == "__main__":
    main()
