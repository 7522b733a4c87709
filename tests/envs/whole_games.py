"""Whole games as OpenSpiel writes them down: `python -m tests.envs.whole_games`.

Lines that are too long to read are kept as digests.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).parent / "playthroughs"
GAMES = {
    "base": "kbrules(players=2,seed=3)",
    "crossroads": "kbrules(boxes=base+crossroads,players=3,reward=share,seed=4)",
    "island": "kbrules(boxes=base+island,players=2,reward=margin,seed=5)",
}
SEED = 7
LONGEST = 160


def file_of(name: str) -> Path:
    """Where a game is kept."""
    return FOLDER / f"{name}.txt"


def played(name: str) -> str:
    """A game, its long lines shortened."""
    from open_spiel.python.algorithms.generate_playthrough import playthrough

    from kbrules.envs.openspiel import register

    register()
    return "".join(_shortened(playthrough(GAMES[name], [], seed=SEED)))


def _shortened(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if len(line) > LONGEST:
            head, _, rest = line.partition(" = ")
            line = f"{head} = sha256 {sha256(rest.encode()).hexdigest()[:16]}"
        yield line.rstrip() + "\n"


def main() -> None:
    """Write all games anew."""
    FOLDER.mkdir(exist_ok=True)
    for name in GAMES:
        file_of(name).write_text(played(name), encoding="utf-8")


if __name__ == "__main__":
    main()
