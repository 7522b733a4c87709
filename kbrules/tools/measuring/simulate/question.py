"""The question that many games answer: by what rules, on which tables, by whom, from which seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from kbrules.engine.setup import RANDOM
from kbrules.library.boards.positions import OWNERS


@dataclass(frozen=True, slots=True)
class Side:
    """Rules and cards that the games are played with.

    boxes: ids of shipped ones. folders: an author's own. cards: those that lie on every table.
    options: rulings that differ from their defaults.
    """

    boxes: tuple[str, ...]
    folders: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    options: Mapping[str, bool | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where: the bots asked for together, turned on by so many seats."""

    party: str
    turned: int
    bots: tuple[str, ...]


class Deal(NamedTuple):
    """One draw of chance: its number from 0, the seed of its games, and that of its table."""

    number: int
    seed: int
    table: int


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that decides what the games of a simulation are; how many are played does not.

    sides: one, or two that are compared on the same tables, with the same cards beside their own
    and the same luck. parties: the bots that play each other, one for each seat; every deal is
    played by every party on every side, once for each way to turn them round the table. seed: of
    the first deal. per_table: how many deals in a row have the same table.
    """

    sides: tuple[Side, ...]
    players: int
    parties: tuple[tuple[str, ...], ...]
    seed: int = 0
    setup: str = RANDOM
    grids: Mapping[str, str] = field(default_factory=dict)
    per_table: int = 1

    def deal(self, number: int) -> Deal:
        """The deal of a number. That of seed 7 is the game of `kbrules play --seed 7`."""
        first = number - number % self.per_table
        return Deal(number, self.seed + number, self.seed + first)

    @property
    def seatings(self) -> tuple[Seating, ...]:
        """All ways in which a deal is played: each party, turned until it would repeat itself."""
        return tuple(
            Seating(party_name(bots), turned, bots[turned:] + bots[:turned])
            for bots in self.parties
            for turned in range(_ways(bots))
        )

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @property
    def is_possible(self) -> bool:
        """Whether tables can be laid for it: of one read in a file, nobody knows."""
        seats = {len(bots) for bots in self.parties}
        is_even = seats == {self.players} and 0 < self.players <= len(OWNERS)
        return is_even and 0 < len(self.sides) <= 2 and self.per_table > 0


def party_name(bots: tuple[str, ...]) -> str:
    """What a party is called: the bot, or the bots one by one if they differ."""
    return bots[0] if len({*bots}) == 1 else ",".join(bots)


def _ways(bots: tuple[str, ...]) -> int:
    """How many turns round the table seat a party in different ways."""
    return len({bots[turned:] + bots[:turned] for turned in range(len(bots))})
