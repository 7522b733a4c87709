"""What was seen at each place of a text: a few bits per place, so that looking costs little."""

from __future__ import annotations

from collections.abc import Iterator

from kbrules.text import Span
from kbrules.tools.tracing.operands import Place, place_of

ASKED, YES, NO, KEPT, CUT = 1, 2, 4, 8, 16
"""Asked at all; held, was not empty, paid or changed something; did not; as a part of a set
that several words make up: let something through; kept something out."""


class OutcomeBits:
    """The bits of all places, and where the bits of each are kept."""

    def __init__(self) -> None:
        self.bits = bytearray()
        self._indexes: dict[Place, int] = {}

    def index(self, span: Span) -> int:
        """Where the bits of a place are."""
        place = place_of(span)
        found = self._indexes.get(place)
        if found is None:
            found = self._indexes[place] = len(self.bits)
            self.bits.append(0)
        return found

    def clear(self) -> None:
        """Forget everything seen."""
        self.bits[:] = bytes(len(self.bits))

    def seen(self) -> Iterator[tuple[Place, int]]:
        """The places with any bit set, and their bits."""
        bits = self.bits
        return ((place, bits[index]) for place, index in self._indexes.items() if bits[index])
