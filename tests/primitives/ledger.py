"""Everything on a table in lists and dictionaries, and one try of a step upon it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random

from kbrules.game.state import READY, USED, Draft
from tests.hex.twin import Hex, neighbours_in_words
from tests.primitives.worlds import World

PILES = ("deck", "discards", "removed")


@dataclass
class Ledger:
    """Everything on a table, in lists and dictionaries."""

    pieces: dict[Hex, tuple[int, str]]
    supply: list[dict[str, int]]
    tiles: list[list[tuple[str, Hex | None, str]]]
    stock: dict[Hex, list[str]]
    piles: dict[str, Counter[int]]
    hands: list[list[int]]
    shown: list[int]
    aside: list[int]
    choice: int
    revealed: int
    gold: list[int]
    memory: dict[tuple[str, int], int]
    ending: bool
    over: bool
    beside: set[int]
    retired: set[int]


def ledger(w: World, draft: Draft) -> Ledger:
    """What a draft holds; memories of the table belong to player -1."""
    catalog, table = w.game.ruleset.catalog, w.game.ruleset.memories
    at = {w.order(place): place for place in w.twin.hexes}
    piece = [each.id for each in catalog.pieces]
    tile = [each.id for each in catalog.tiles]
    masks = [(-1, draft.neutral), *((i, seat.pieces) for i, seat in enumerate(draft.seats))]
    memory = {}
    for name, (scope, slot) in table.items():
        if scope == "table":
            memory[name, -1] = draft.memory[slot]
        else:
            memory |= {(name, i): seat.memory[slot] for i, seat in enumerate(draft.seats)}
    return Ledger(
        {
            place: (owner, kind)
            for owner, each in masks
            for kind, mask in zip(piece, each, strict=True)
            for place in w.board.places(mask)
        },
        [dict(zip(piece, seat.supply, strict=True)) for seat in draft.seats],
        [[(tile[t.kind], at.get(t.origin), t.status) for t in seat.tiles] for seat in draft.seats],
        {at[h]: [tile[t] for t in s] for h, s in zip(w.table.places, draft.stock, strict=True)},
        {n: +Counter(dict(enumerate(p))) for n, p in zip(PILES, draft.piles, strict=True)},
        [list(seat.hand) for seat in draft.seats],
        list(draft.shown),
        list(draft.aside),
        draft.choice,
        draft.revealed,
        [seat.gold for seat in draft.seats],
        memory,
        draft.ending,
        draft.stage[0] == "over",
        {card for card in range(len(catalog.cards)) if draft.beside // 2**card % 2},
        {card for card in range(len(catalog.cards)) if draft.retired // 2**card % 2},
    )


@dataclass
class Try:
    """One use of a step: its arguments for the engine, and what the ledger should say after."""

    w: World
    now: Ledger
    random: Random

    @property
    def me(self) -> int:
        return self.w.me

    @property
    def piece(self) -> str:
        return str(self.w.game.ruleset.catalog.pieces[self.w.kind_of_piece].id)

    @property
    def tile(self) -> str:
        return str(self.w.game.ruleset.catalog.tiles[self.w.tile].id)

    def free(self) -> Hex | None:
        return self._any(self.w.twin.hexes - set(self.now.pieces))

    def wide(self) -> Hex | None:
        """A hex around which nothing stands and nothing of the board is missing."""
        free = self.w.twin.hexes - set(self.now.pieces)
        return self._any({each for each in free if neighbours_in_words(each) <= free})

    def taken(self) -> Hex | None:
        return self._any(set(self.now.pieces))

    def single(self) -> Hex | None:
        """A hex with a piece that covers no other."""
        return self._any({each for each, (_, piece) in self.now.pieces.items() if piece != "camp"})

    def _any(self, places: AbstractSet[Hex]) -> Hex | None:
        return self.random.choice(sorted(places)) if places else None

    def bit(self, place: Hex) -> int:
        return self.w.order(place)

    def keep_uses(self, before: list[tuple[str, Hex | None, str]], kind: str) -> None:
        """Of the uses a kind had before, as many are left as there are tiles to use."""
        held = self.now.tiles[self.me]
        uses = [status for each, _, status in before if each == kind].count(READY)
        for index, (each, origin, status) in enumerate(held):
            ready = [tile[::2] for tile in held].count((kind, READY))
            if (each, status) == (kind, USED) and ready < uses:
                held[index] = each, origin, READY

    def remember(self, name: str, value: int) -> None:
        scope = self.w.game.ruleset.memories[name][0]
        self.now.memory[name, -1 if scope == "table" else self.me] = value
