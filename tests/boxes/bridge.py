"""The engine in the words of the twins: positions go in, questions and scores come out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, game_at
from kbrules.game.state import Draft, Seat, State, Tile
from kbrules.library.boards.tables import Layout
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.scenario.position import enter_stage
from tests.boxes.ground import BOXES
from tests.boxes.scattered import Scattered
from tests.boxes.scene import NOBODY, Held, Scene
from tests.boxes.scores import TASKS
from tests.oracle.geometry import Cell
from tests.oracle.seen import addresses, cells, mask_of
from tests.oracle.twin_scores import SCORES

CARDS = tuple(card for card in SCORES if card != "castles")


@lru_cache(maxsize=1)
def rules() -> Ruleset:
    """All the boxes together."""
    return load(*BOXES)


def game_of(scattered: Scattered) -> Game:
    """The game of a position, with every scoring card and task and some of the red cards."""
    scene = scattered.scene
    tiles = {_name(cell): tile for cell, tile in scene.nomads.items()}
    cards = (*CARDS, *TASKS, *scene.cards)
    layout = Layout(scattered.rows, (("island", scattered.side),))
    return game_at(rules(), TableSetup(scene.players, layout, cards, scene.options, tiles))


def _name(cell: Cell) -> str:
    """How people call a hex: column letter, row number."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


def state_of(game: Game, scene: Scene) -> State:
    """The state of a turn whose card is shown and whose actions are still to come."""
    draft = game.empty()
    begun = set_up(game, scene)
    draft.memory = begun.memory
    draft.seats = tuple(_seat(game, scene, player, begun) for player in range(scene.players))
    draft.neutral = _masks(game, scene, NOBODY)
    draft.occupied = mask_of(game.board.grid, scene.pieces)
    draft.stock = _stock(game, scene)
    _deal(game, scene, draft)
    enter_stage(draft, game.ruleset, "actions", scene.mover)
    return game.run_to_decision(draft)


def set_up(game: Game, scene: Scene) -> State:
    """The state at the first draw, the capitols being where the scene has them."""
    state = game.start()
    wanted = mask_of(game.board.grid, [*scene.capitols, *scene.caves])
    while not game.legal_moves(state).weights:
        moves = list(game.legal_moves(state))
        chosen = [move for move in moves if move.hex >= 0 and wanted >> move.hex & 1]
        state = game.apply(state, (chosen or moves)[0])
    return state


def _seat(game: Game, scene: Scene, player: int, begun: State) -> Seat:
    catalog, grid = game.ruleset.catalog, game.board.grid
    slot, hand = game.ruleset.memories["visited"][1], scene.hands[player]
    memory = list(begun.seats[player].memory)
    memory[slot] = mask_of(grid, scene.visited[player])
    return (
        game.empty()
        .seats[player]
        ._replace(
            pieces=_masks(game, scene, player),
            all=mask_of(grid, scene.own(player)),
            hand=tuple(catalog.card_named(card) for card in hand),
            supply=tuple(scene.supply[player][piece.id] for piece in catalog.pieces),
            tiles=tuple(_tile(game, held) for held in scene.held[player]),
            memory=tuple(memory),
        )
    )


def _masks(game: Game, scene: Scene, owner: int) -> tuple[int, ...]:
    """One mask for each kind of piece."""
    return tuple(
        mask_of(game.board.grid, [c for c, p in scene.pieces.items() if p == (owner, piece.id)])
        for piece in game.ruleset.catalog.pieces
    )


def _tile(game: Game, held: Held) -> Tile:
    bit = addresses(game.board.grid)[1]
    return Tile(game.ruleset.catalog.tile_index(held.kind), bit[held.origin], held.status)


def _stock(game: Game, scene: Scene) -> tuple[tuple[int, ...], ...]:
    cell = addresses(game.board.grid)[0]
    return tuple(
        (game.board.tiles[place],) * scene.stock[cell[place]] for place in game.board.places
    )


def _deal(game: Game, scene: Scene, draft: Draft) -> None:
    """The cards in play and in the piles."""
    catalog = game.ruleset.catalog
    names = [catalog.card_name(card) for card in range(len(catalog.deck))]
    piles = (scene.deck, scene.discards, scene.removed)
    draft.piles = tuple(tuple(pile[name] for name in names) for pile in piles)
    draft.shown = tuple(names.index(card) for card in scene.shown)
    draft.aside = tuple(names.index(card) for card in scene.aside)
    if scene.chosen:
        draft.choice = catalog.hex_index(scene.chosen)
    draft.ending = scene.ending


def cards(game: Game, state: State) -> dict[str, Counter[str]]:
    """Where all terrain cards lie, and in whose hands."""
    catalog = game.ruleset.catalog
    names = [catalog.card_name(card) for card in range(len(catalog.deck))]
    lists = {"shown": state.shown, "aside": state.aside}
    lists |= {f"hand of {player}": seat.hand for player, seat in enumerate(state.seats)}
    found = {where: Counter(names[card] for card in cards) for where, cards in lists.items()}
    for where, pile in zip(("deck", "discards", "removed"), state.piles, strict=True):
        found[where] = +Counter(dict(zip(names, pile, strict=True)))
    return found


def pieces(game: Game, state: State) -> dict[Cell, tuple[int, str]]:
    """Whose and what stands on each hex."""
    found: dict[Cell, tuple[int, str]] = {}
    seats: Iterable[tuple[int, tuple[int, ...]]] = enumerate(seat.pieces for seat in state.seats)
    for owner, masks in (*seats, (NOBODY, state.neutral)):
        for piece, mask in zip(game.ruleset.catalog.pieces, masks, strict=True):
            found |= dict.fromkeys(cells(game.board.grid, mask), (owner, piece.id))
    return found


def tiles(game: Game, state: State) -> list[list[tuple[str, Cell]]]:
    """What everybody holds and where it came from."""
    cell, catalog = addresses(game.board.grid)[0], game.ruleset.catalog
    return [
        sorted((catalog.tiles[tile.kind].id, cell[tile.origin]) for tile in seat.tiles)
        for seat in state.seats
    ]


def supplies(game: Game, state: State) -> list[dict[str, int]]:
    """What everybody has left, by the kind of piece."""
    kinds = [piece.id for piece in game.ruleset.catalog.pieces]
    each = [dict(zip(kinds, seat.supply, strict=True)) for seat in state.seats]
    return [{kind: count for kind, count in supply.items() if count} for supply in each]
