"""The file of the recorded games: JSON lines, compressed, the same bytes for the same games."""

from __future__ import annotations

import json
import lzma
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("golden.jsonl.xz")
SHORT, LONG = 3, 8
"""Characters of a digest: of one in a chain, where the next differs as well, and of one alone."""

Record = dict[str, Any]


def save(games: Sequence[Record], file: Path = FILE) -> int:
    """Write the games; answers how many bytes they are."""
    lines = (json.dumps(game, separators=(",", ":"), sort_keys=True) + "\n" for game in games)
    data = lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)
    file.write_bytes(data)
    return len(data)


@cache
def games() -> tuple[Record, ...]:
    """The recorded games; none if nothing was recorded."""
    if not FILE.exists():
        return ()
    return tuple(map(json.loads, lzma.decompress(FILE.read_bytes()).decode().splitlines()))


def digest(text: str, length: int = LONG) -> str:
    """A text in a few characters."""
    return b64encode(blake2b(text.encode()).digest())[:length].decode()


class Chain:
    """A running digest: once it differs, it differs for ever."""

    def __init__(self) -> None:
        self._sum = blake2b()

    def add(self, *texts: str) -> str:
        """The digest of all that was added so far."""
        for text in texts:
            self._sum.update(text.encode())
            self._sum.update(b"\0")
        return b64encode(self._sum.digest())[:SHORT].decode()
