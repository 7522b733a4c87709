"""A game in an address: its table, seats, moves and rules, compressed, in letters of addresses."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from kbrules.tools.workshop.requests import Refused

MAX_FRAGMENT, MAX_DATA = 60_000, 2_000_000
_REMEDY = "copy the whole address"


def to_fragment(data: dict[str, Any]) -> str:
    """Values of JSON as a fragment. Raises Refused if they are too many for an address."""
    raw = json.dumps(data, separators=(",", ":"), sort_keys=True).encode()
    text = urlsafe_b64encode(zlib.compress(raw, 9)).decode().rstrip("=")
    if len(text) > MAX_FRAGMENT:
        raise Refused(
            f"the game and its rules need {len(text)} letters, more than {MAX_FRAGMENT}",
            "save the log, and send your folder with it",
        )
    return text


def from_fragment(fragment: str) -> dict[str, Any]:
    """The values of a fragment. Raises Refused if it is cut off, changed, or too large."""
    if len(fragment) > MAX_FRAGMENT:
        raise Refused("the address is too long", _REMEDY)
    try:
        pad = "=" * (-len(fragment) % 4)
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(urlsafe_b64decode(fragment + pad), MAX_DATA)
        data = json.loads(raw)
    except (ValueError, zlib.error, RecursionError):
        raise Refused("the address holds no game", _REMEDY) from None
    if not isinstance(data, dict) or not unpacker.eof:
        raise Refused("the address holds no game", _REMEDY)
    return data
