"""Make a file that breaks a law small: leave out lines, then tokens, then single bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

MOST_TRIES = 600
_TOKEN = re.compile(rb"\w+|[ \t]+|[\s\S]")


def shrunk(data: bytes, breaks: Callable[[bytes], bool], tries: int = MOST_TRIES) -> bytes:
    """Return a part of some bytes that still breaks a law; without any one byte it would not.

    breaks: whether some bytes break it. tries: how often that may be asked; once they are used
    up, the smallest part so far is returned.
    """
    left = [tries]

    def asked(parts: Sequence[bytes]) -> bool:
        left[0] -= 1
        return left[0] >= 0 and breaks(b"".join(parts))

    while True:
        before = data
        data = b"".join(_without(data.splitlines(keepends=True), asked))
        data = b"".join(_without(_TOKEN.findall(data), asked))
        data = b"".join(_without([bytes([each]) for each in data], asked))
        if data == before or left[0] < 0:
            return data


def _without(parts: list[bytes], breaks: Callable[[Sequence[bytes]], bool]) -> list[bytes]:
    """Return the parts without stretches that are not needed: halves first, single ones last."""
    size = len(parts) // 2
    while size:
        at = 0
        while at < len(parts):
            fewer = parts[:at] + parts[at + size :]
            if breaks(fewer):
                parts = fewer
            else:
                at += size
        size //= 2
    return parts
