"""Positions laid down by hand, which play may never reach."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from kbrules.engine.game import Game
from kbrules.game.state import Draft, Frame, Seat, State, Tile
from kbrules.lang.typed import Step
from tests.oracle.geometry import Cell
from tests.oracle.seen import addresses, mask_of

SUPPLY = 40


@dataclass
class Wanted:
    """What a position should hold: pieces and tiles by player, cards by where they are.

    tiles: (player, kind of tile, its place, status). hands and shown: names of terrains;
    what is in no hand and not named in `removed` or `discards` is in the deck. supply: where
    it is not 40 less what is on the board.
    """

    pieces: dict[Cell, int] = field(default_factory=dict)
    tiles: list[tuple[int, str, Cell, str]] = field(default_factory=list)
    visited: list[tuple[int, Cell]] = field(default_factory=list)
    taken: list[Cell] = field(default_factory=list)
    active: int = 0
    round: int = 0
    shown: str | None = "grass"
    hands: dict[int, str] = field(default_factory=dict)
    discards: Counter[str] = field(default_factory=Counter)
    removed: Counter[str] = field(default_factory=Counter)
    supply: dict[int, int] = field(default_factory=dict)
    ending: bool | None = None


def stand(game: Game, wanted: Wanted) -> State:
    """The state of a turn whose cards are shown and whose actions are still to come."""
    return game.run_to_decision(lay_out(game, wanted))


def lay_out(game: Game, wanted: Wanted) -> Draft:
    """The same before the rules have looked at it: its card may be a dead one."""
    draft = game.empty()
    seats = tuple(_seat(game, wanted, i, seat) for i, seat in enumerate(draft.seats))
    draft.seats = seats
    draft.occupied = mask_of(game.board.grid, wanted.pieces)
    draft.stock = _stock(game, wanted, draft)
    draft.piles = _piles(game, wanted)
    draft.shown = (_cards(game)[wanted.shown],) if wanted.shown else ()
    draft.active = wanted.active
    draft.stage = ("turn", wanted.round * game.players + wanted.active)
    finished = any(seat.supply[0] == 0 for seat in seats)
    draft.ending = finished if wanted.ending is None else wanted.ending
    draft.stack = (_at_actions(game, wanted.active),)
    return draft


def _cards(game: Game) -> dict[str, int]:
    catalog = game.ruleset.catalog
    return {catalog.card_name(card): card for card in range(len(catalog.deck))}


def _seat(game: Game, wanted: Wanted, player: int, seat: Seat) -> Seat:
    grid = game.board.grid
    own = mask_of(grid, [cell for cell, owner in wanted.pieces.items() if owner == player])
    seen = {cell for owner, _, cell, _ in wanted.tiles if owner == player}
    seen |= {cell for owner, cell in wanted.visited if owner == player}
    slot = game.ruleset.memories["visited"][1]
    return seat._replace(
        pieces=(own, *seat.pieces[1:]),
        all=own,
        supply=(wanted.supply.get(player, SUPPLY - own.bit_count()), *seat.supply[1:]),
        hand=(_cards(game)[wanted.hands[player]],) if player in wanted.hands else (),
        tiles=_tiles(game, wanted, player),
        memory=tuple(mask_of(grid, seen) if i == slot else 0 for i in range(len(seat.memory))),
    )


def _tiles(game: Game, wanted: Wanted, player: int) -> tuple[Tile, ...]:
    bit = addresses(game.board.grid)[1]
    return tuple(
        Tile(game.ruleset.catalog.tile_index(kind), bit[place], status)
        for owner, kind, place, status in wanted.tiles
        if owner == player
    )


def _stock(game: Game, wanted: Wanted, draft: Draft) -> tuple[tuple[int, ...], ...]:
    bit = addresses(game.board.grid)[1]
    gone = Counter(bit[place] for place in wanted.taken)
    gone.update(bit[place] for _, _, place, _ in wanted.tiles)
    pairs = zip(game.board.places, draft.stock, strict=True)
    return tuple(tiles[gone[place] :] for place, tiles in pairs)


def _piles(game: Game, wanted: Wanted) -> tuple[tuple[int, ...], ...]:
    catalog = game.ruleset.catalog
    names = [catalog.card_name(i) for i in range(len(catalog.deck))]
    out = Counter([*wanted.hands.values(), *([wanted.shown] if wanted.shown else [])])
    out += wanted.discards + wanted.removed
    deck = tuple(c.count - out[n] for n, c in zip(names, catalog.deck, strict=True))
    assert min(deck) >= 0, "no terrain has so many cards"
    return deck, tuple(wanted.discards[n] for n in names), tuple(wanted.removed[n] for n in names)


def _at_actions(game: Game, player: int) -> Frame:
    """The frame of a turn that has come to the players' own actions."""
    for phase, _ in game.ruleset.phases("turn"):
        for pc, doing in enumerate(phase.body.steps):
            if isinstance(doing, Step) and doing.name == "actions":
                return Frame(phase.body.path, pc, player, {})
    raise AssertionError("a turn has actions")
