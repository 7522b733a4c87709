"""A file that breaks a law made small: lines left out, then tokens, as long as it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

MOST_TRIES = 600
_TOKEN = re.compile(rb"\w+|[ \t]+|[\s\S]")


def shrunk(data: bytes, breaks: Callable[[bytes], bool], tries: int = MOST_TRIES) -> bytes:
    """The least part of some bytes that was found to break a law; `breaks` says whether it does."""
    left = [tries]

    def asked(parts: Sequence[bytes]) -> bool:
        left[0] -= 1
        return left[0] >= 0 and breaks(b"".join(parts))

    while True:
        before = data
        data = b"".join(_without(data.splitlines(keepends=True), asked))
        data = b"".join(_without(_TOKEN.findall(data), asked))
        if data == before or left[0] < 0:
            return data


def _without(parts: list[bytes], breaks: Callable[[Sequence[bytes]], bool]) -> list[bytes]:
    """The parts without stretches that are not needed: halves first, single ones last."""
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
