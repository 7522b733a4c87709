"""The smallest change of a position that makes a move legal, found by trying.

Changes are tried one at a time, those near the hex first, then several together; each told
was carried out on a copy of the position, and the engine was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from time import monotonic

from kbrules.engine.game import Game
from kbrules.game.folding import drop, give, lift, set_tiles
from kbrules.game.moves import Move
from kbrules.game.state import NONE, READY, Draft, State, Tile, draft_of
from kbrules.hex.masks import bits
from kbrules.tools.why.players import player_said

__all__ = ["Change", "Search", "smallest_change"]

SECONDS = 2.0
TRIED = 6_000
TOLD = 3
_NEAR = 3  # how far from the hex the second of two changes may be
_ALIKE = 2  # sets of changes kept that leave the same reasons ...
_BEGUN = 10  # ... and kept at all, before one more is tried with each
_EACH = 2  # of those that begin alike this many are told

MOST = 3
"""How many changes are tried together."""

Doing = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class Change:
    """One change in words, how far from the hex it is, and how it is carried out."""

    text: str
    distance: int
    do: Doing


Changes = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """The smallest changes found, each in words; how many were tried, and whether all were.

    `size` is the number of changes of those found, or up to which some were tried together.
    """

    found: tuple[tuple[str, ...], ...]
    size: int
    tried: int
    complete: bool


class _Spent(Exception):
    """The time or the number of trials is used up."""


def smallest_change(game: Game, state: State, move: Move) -> Search:
    """The smallest changes of a position that make a move legal, at most three of one size."""
    return _Searching(game, state, move).search()


class _Searching:
    def __init__(self, game: Game, state: State, move: Move) -> None:
        self._game, self._state, self._move = game, state, move
        self._me = game.legal_moves(state).player
        self._until = monotonic() + SECONDS
        self._tried = 0
        self._against = self._reasons(state)

    def search(self) -> Search:
        if self._me < 0:
            return Search((), 0, 0, True)
        size = 1
        try:
            changes = sorted(self._changes(), key=lambda change: change.distance)
            found = self._alone(changes)
            near = [change for change in changes if change.distance <= _NEAR]
            begun = [] if found else self._useful([()], changes)
            while not found and size < MOST and begun:
                size += 1
                found = self._after_others(begun, near)
                begun = [] if found or size == MOST else self._useful(begun, near)
        except _Spent:
            return Search((), size - 1, self._tried, False)
        texts = [tuple(change.text for change in each) for each in found]
        return Search(tuple(texts), size, self._tried, size == 1)

    def _alone(self, changes: list[Change]) -> list[Changes]:
        found: list[Changes] = []
        for change in changes:
            if len(found) == TOLD or (found and change.distance > found[0][0].distance + 2):
                break
            if self._helps((change,)):
                found.append((change,))
        return found

    def _after_others(self, begun: list[Changes], near: list[Change]) -> list[Changes]:
        """One change more after others that leave less against the move; a few of each."""
        found: dict[frozenset[Change], Changes] = {}
        for first in begun:
            more = ((*first, change) for change in near if change not in first)
            for changes in islice(filter(self._helps, more), _EACH):
                found.setdefault(frozenset(changes), changes)
            if len(found) >= TOLD:
                break
        return list(found.values())[:TOLD]

    def _useful(self, begun: list[Changes], changes: list[Change]) -> list[Changes]:
        """Changes that leave other reasons against the move, those that leave few first."""
        kept: dict[frozenset[str], dict[frozenset[Change], Changes]] = {}
        for first in begun:
            for change in changes:
                if change in first:
                    continue
                after = self._after((*first, change))
                left = self._against if after is None else self._reasons(after)
                alike = kept.setdefault(left, {})
                if left != self._against and len(alike) < _ALIKE:
                    alike.setdefault(frozenset((*first, change)), (*first, change))
        found = [each for left in sorted(kept, key=len) for each in kept[left].values()]
        return found[:_BEGUN]

    def _reasons(self, state: State) -> frozenset[str]:
        reasons = self._game.explain(state, self._move).reasons
        return frozenset(f"{each.rule} {each.text}" for each in reasons)

    # trying

    def _helps(self, changes: Changes) -> bool:
        after = self._after(changes)
        return after is not None and self._move in self._game.legal_moves(after)

    def _after(self, changes: Changes) -> State | None:
        """The position with some changes, if the same player is to decide there."""
        self._tried += 1
        if self._tried > TRIED or monotonic() > self._until:
            raise _Spent
        draft = draft_of(self._state)
        for change in changes:
            change.do(draft)
        after = self._game.settle(draft)
        return after if self._game.legal_moves(after).player == self._me else None

    # what can be changed

    def _changes(self) -> Iterator[Change]:
        yield from self._cards()
        yield from self._tiles()
        yield from self._supplies()
        yield from self._actions()
        if self._move.hex >= 0:
            yield from self._pieces()

    def _cards(self) -> Iterator[Change]:
        board = self._game.board
        for card in range(len(board.catalog.deck)):
            if self._state.shown != (card,):
                name = board.catalog.card_name(card)
                yield Change(f"show the card {name} instead", 0, _showing(card))

    def _tiles(self) -> Iterator[Change]:
        """The tile that the move is made by, and tiles that only change what is allowed."""
        program, me = self._game.program, self._me
        tiles = self._state.seats[me].tiles
        offers = program.offers.values()
        named = {o.owner.tile for o in offers if o.owner.rule.id == self._move.rule}
        norms = {o.tile for o in self._game.ruleset.owners.values() if o.rule.norms}
        for kind in sorted((named | norms) - {-1}):
            id = self._game.board.catalog.tiles[kind].id
            held = [tile for tile in tiles if tile.kind == kind]
            ready = any(tile.status == READY for tile in held)
            if not held:
                yield Change(f"give {player_said(me)} the tile {id}", 2, self._holding(kind))
            elif not ready:
                yield Change(f"make the tile {id} ready", 0, self._readying(kind))

    def _holding(self, kind: int) -> Doing:
        places = [hex for hex, tile in self._game.board.tiles.items() if tile == kind]
        origin = places[0] if places else self._game.board.grid.full.bit_length()
        me = self._me

        def do(draft: Draft) -> None:
            set_tiles(draft, me, (*draft.seats[me].tiles, Tile(kind, origin, READY)))

        return do

    def _readying(self, kind: int) -> Doing:
        me = self._me

        def do(draft: Draft) -> None:
            tiles = draft.seats[me].tiles
            set_tiles(
                draft, me, tuple(t._replace(status=READY) if t.kind == kind else t for t in tiles)
            )

        return do

    def _supplies(self) -> Iterator[Change]:
        """A piece more where there is none left."""
        for piece, left in enumerate(self._state.seats[self._me].supply):
            kind = self._game.board.catalog.pieces[piece]
            if not left and not kind.neutral:
                text = f"put a {kind.title.lower()} back into the supply of {player_said(self._me)}"
                yield Change(text, 0, _giving(self._me, piece))

    def _actions(self) -> Iterator[Change]:
        for path in self._state.used:
            offer = self._game.program.offers.get(path)
            if offer is not None and offer.owner.rule.id == self._move.rule:
                text = f"let {offer.owner.rule.id} be still to be done in this turn"
                yield Change(text, 0, _not_used(path))

    def _pieces(self) -> Iterator[Change]:
        """Pieces taken away, one of one's own added, or one of one's own moved there."""
        grid, board = self._game.board.grid, self._game.board
        chosen = {hex for frame in self._state.stack for hex in frame.chosen}
        far = ((hex, grid.distance(self._move.hex, hex)) for hex in bits(grid.full))
        near = {hex: distance for hex, distance in far if distance is not None}
        own = self._main()
        for player, piece, hex in self._standing():
            if hex in near and hex not in chosen and board.catalog.pieces[piece].size == 1:
                whose = player_said(player) if player >= 0 else "nobody"
                text = f"remove the {board.catalog.pieces[piece].title.lower()} of {whose} from "
                yield Change(text + grid.name(hex), near[hex], _removing(player, piece, hex))
        title = board.catalog.pieces[own].title.lower() if own >= 0 else ""
        for hex, distance in near.items():
            if own < 0 or self._state.occupied >> hex & 1:
                continue
            text = f"add a {title} of {player_said(self._me)} on {grid.name(hex)}"
            yield Change(text, distance, _adding(self._me, own, hex))

    def _main(self) -> int:
        """The kind of piece that the player has most of."""
        seat, kinds = self._state.seats[self._me], self._game.board.catalog.pieces
        counts = {
            piece: seat.supply[piece] + seat.pieces[piece].bit_count()
            for piece, kind in enumerate(kinds)
            if not kind.neutral and kind.size == 1
        }
        return max(counts, key=lambda piece: counts[piece], default=-1)

    def _standing(self) -> Iterator[tuple[int, int, int]]:
        for player, seat in enumerate(self._state.seats):
            for piece, mask in enumerate(seat.pieces):
                yield from ((player, piece, hex) for hex in bits(mask))
        for piece, mask in enumerate(self._state.neutral):
            yield from ((-1, piece, hex) for hex in bits(mask))


def _showing(card: int) -> Doing:
    def do(draft: Draft) -> None:
        draft.shown, draft.choice = (card,), NONE

    return do


def _giving(player: int, piece: int) -> Doing:
    return lambda draft: give(draft, player, piece, 1)


def _not_used(path: str) -> Doing:
    def do(draft: Draft) -> None:
        draft.used = tuple(other for other in draft.used if other != path)

    return do


def _removing(player: int, piece: int, hex: int) -> Doing:
    def do(draft: Draft) -> None:
        lift(draft, player, piece, hex)
        give(draft, player, piece, 1)

    return do


def _adding(player: int, piece: int, hex: int) -> Doing:
    def do(draft: Draft) -> None:
        drop(draft, player, piece, hex, 1 if draft.seats[player].supply[piece] else 0)

    return do
