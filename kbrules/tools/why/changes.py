"""The smallest change of a position that makes a move legal, found by trying."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from time import monotonic

from kbrules.engine.game import Game
from kbrules.game.events import give, put_piece, set_tiles, take_piece
from kbrules.game.moves import Move
from kbrules.game.state import READY, Draft, State, Tile, draft_of
from kbrules.game.view import is_open, terrain_played, terrains
from kbrules.hex.sets import bits
from kbrules.tools.why.questions import player_text

# Small changes of a position: another card, a tile, pieces added, taken away or moved.
#
# They are made on a draft of the position; whether one may be made in play does not matter.


_MAX_MOVED = 4  # pieces of one's own that are moved

Edit = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class PositionChange:
    """One change in words, how far from the hex it is, and how it is carried out.

    `kind` is what is changed: of several that help, one of each kind is named.
    """

    kind: str
    text: str
    distance: int
    edit: Edit


def changes_about(game: Game, state: State, move: Move) -> list[PositionChange]:
    """All changes that may matter to a move of whoever decides, the nearest to its hex first."""
    return sorted(_ChangeFinder(game, state, move).all(), key=lambda change: change.distance)


class _ChangeFinder:
    def __init__(self, game: Game, state: State, move: Move) -> None:
        self._game, self._state, self._move = game, state, move
        self._me = game.legal_moves(state).player
        grid = game.board.grid
        distances = (
            (hex, grid.distance(move.hex, hex)) for hex in bits(grid.full) if move.hex >= 0
        )
        self._distances = {hex: distance for hex, distance in distances if distance is not None}

    def all(self) -> Iterator[PositionChange]:
        """Every change, in no order."""
        yield from self._cards()
        yield from self._tiles()
        yield from self._supplies()
        yield from self._actions()
        if self._move.hex >= 0:
            yield from self._pieces()

    def _cards(self) -> Iterator[PositionChange]:
        """Another card face up for each terrain, and the terrains to choose from."""
        board, state = self._game.board, self._state
        played = terrain_played(state, board)
        shown = set()
        for terrain in terrains(state, board) if is_open(state, board) else ():
            shown.add(terrain)
            text = f"choose {board.catalog.hexes[terrain].id}"
            yield PositionChange("card", text, 0, _show_card(state.shown, terrain))
        for card in sorted(
            range(len(board.terrains_of_card)), key=lambda card: len(board.terrains_of_card[card])
        ):
            for terrain in board.terrains_of_card[card]:
                if terrain in shown or terrain == played:
                    continue
                shown.add(terrain)
                text = f"show the card {board.catalog.card_name(card)} instead"
                if len(board.terrains_of_card[card]) > 1:
                    text += f" and choose {board.catalog.hexes[terrain].id}"
                yield PositionChange("card", text, 0, _show_card((card,), terrain))

    def _tiles(self) -> Iterator[PositionChange]:
        """The tile that the move is made by, and tiles that only change what is allowed."""
        plan, me = self._game.plan, self._me
        tiles = self._state.seats[me].tiles
        offers = plan.offers.values()
        used_tiles = {o.owner.tile for o in offers if o.owner.rule.id == self._move.rule}
        norm_tiles = {o.tile for o in self._game.ruleset.owners.values() if o.rule.norms}
        for kind in sorted((used_tiles | norm_tiles) - {-1}):
            id = self._game.board.catalog.tiles[kind].id
            held = [tile for tile in tiles if tile.kind == kind]
            ready = any(tile.status == READY for tile in held)
            if not held:
                yield PositionChange(
                    "tile", f"give {player_text(me)} the tile {id}", 2, self._give_tile(kind)
                )
            elif not ready:
                yield PositionChange("tile", f"make the tile {id} ready", 0, self._make_ready(kind))

    def _give_tile(self, kind: int) -> Edit:
        places = [hex for hex, tile in self._game.board.tiles.items() if tile == kind]
        origin = places[0] if places else self._game.board.grid.full.bit_length()
        me = self._me

        def edit(draft: Draft) -> None:
            set_tiles(draft, me, (*draft.seats[me].tiles, Tile(kind, origin, READY)))

        return edit

    def _make_ready(self, kind: int) -> Edit:
        me = self._me

        def edit(draft: Draft) -> None:
            tiles = draft.seats[me].tiles
            set_tiles(
                draft, me, tuple(t._replace(status=READY) if t.kind == kind else t for t in tiles)
            )

        return edit

    def _supplies(self) -> Iterator[PositionChange]:
        """A piece more where there is none left."""
        for piece, left in enumerate(self._state.seats[self._me].supply):
            kind = self._game.board.catalog.pieces[piece]
            if not left and not kind.neutral:
                text = f"put a {kind.title.lower()} back into the supply of {player_text(self._me)}"
                yield PositionChange("supply", text, 0, _return_piece(self._me, piece))

    def _actions(self) -> Iterator[PositionChange]:
        for path in self._state.used:
            offer = self._game.plan.offers.get(path)
            if offer is not None and offer.owner.rule.id == self._move.rule:
                text = f"let {offer.owner.rule.id} be still to be done in this turn"
                yield PositionChange("action", text, 0, _mark_unused(path))

    def _pieces(self) -> Iterator[PositionChange]:
        """Pieces taken away, added, or moved from elsewhere."""
        yield from self._removals()
        yield from self._additions(self._me, self._distances)
        close = [hex for hex, distance in self._distances.items() if distance <= 1]
        for player in range(self._game.players):
            if player != self._me:
                yield from self._additions(player, close)
        yield from self._moves(close)

    def _removals(self) -> Iterator[PositionChange]:
        board = self._game.board
        chosen = {hex for frame in self._state.stack for hex in frame.chosen}
        for player, piece, hex in self._pieces_on_board():
            if (
                hex in self._distances
                and hex not in chosen
                and board.catalog.pieces[piece].size == 1
            ):
                text = f"remove {self._piece_text(player, piece)} from {board.grid.name(hex)}"
                yield PositionChange(
                    "remove", text, self._distances[hex], _remove_piece(player, piece, hex)
                )

    def _additions(self, player: int, hexes: Iterable[int]) -> Iterator[PositionChange]:
        main = self._main_piece()
        for hex in hexes if main >= 0 else ():
            if not self._state.occupied >> hex & 1:
                where = self._game.board.grid.name(hex)
                text = f"add {self._piece_text(player, main)} on {where}"
                kind = "add" if player == self._me else "add another's"
                yield PositionChange(
                    kind, text, self._distances[hex], _add_piece(player, main, hex)
                )

    def _moves(self, hexes: Iterable[int]) -> Iterator[PositionChange]:
        """The player's own pieces nearest to the hex, moved beside it."""
        grid, main = self._game.board.grid, self._main_piece()
        pieces = [(p, hex) for player, p, hex in self._pieces_on_board() if player == self._me]
        free_hexes = [hex for hex in hexes if not self._state.occupied >> hex & 1]
        movable = (pair for pair in pieces if pair[0] == main and pair[1] in self._distances)
        for piece, old in sorted(movable, key=lambda pair: self._distances[pair[1]])[:_MAX_MOVED]:
            for new in free_hexes:
                piece_text = self._piece_text(self._me, piece)
                text = f"move {piece_text} from {grid.name(old)} to {grid.name(new)}"
                edit = _move_piece(self._me, piece, old, new)
                yield PositionChange("move", text, max(1, self._distances[new]), edit)

    def _piece_text(self, player: int, piece: int) -> str:
        owner = player_text(player) if player >= 0 else "nobody"
        return f"a {self._game.board.catalog.pieces[piece].title.lower()} of {owner}"

    def _main_piece(self) -> int:
        """The kind of piece that the player has most of."""
        seat, kinds = self._state.seats[self._me], self._game.board.catalog.pieces
        counts = {
            piece: seat.supply[piece] + seat.pieces[piece].bit_count()
            for piece, kind in enumerate(kinds)
            if not kind.neutral and kind.size == 1
        }
        return max(counts, key=lambda piece: counts[piece], default=-1)

    def _pieces_on_board(self) -> Iterator[tuple[int, int, int]]:
        for player, seat in enumerate(self._state.seats):
            for piece, mask in enumerate(seat.pieces):
                yield from ((player, piece, hex) for hex in bits(mask))
        for piece, mask in enumerate(self._state.neutral):
            yield from ((-1, piece, hex) for hex in bits(mask))


def _show_card(cards: tuple[int, ...], terrain: int) -> Edit:
    def edit(draft: Draft) -> None:
        draft.shown, draft.choice = cards, terrain

    return edit


def _return_piece(player: int, piece: int) -> Edit:
    return lambda draft: give(draft, player, piece, 1)


def _mark_unused(path: str) -> Edit:
    def edit(draft: Draft) -> None:
        draft.used = tuple(other for other in draft.used if other != path)

    return edit


def _remove_piece(player: int, piece: int, hex: int) -> Edit:
    def edit(draft: Draft) -> None:
        take_piece(draft, player, piece, hex)
        give(draft, player, piece, 1)

    return edit


def _add_piece(player: int, piece: int, hex: int) -> Edit:
    def edit(draft: Draft) -> None:
        put_piece(draft, player, piece, hex, 1 if draft.seats[player].supply[piece] else 0)

    return edit


def _move_piece(player: int, piece: int, old: int, new: int) -> Edit:
    def edit(draft: Draft) -> None:
        take_piece(draft, player, piece, old)
        put_piece(draft, player, piece, new, 0)

    return edit


# The smallest change of a position that makes a move legal, found by trying.
#
# Changes are tried one at a time, those near the hex first, then several together; each one
# named was made on a copy of the position, and the engine judged it.


SECONDS = 2.0
MAX_TRIALS = 6_000
MAX_SHOWN = 3
_MAX_DISTANCE = 3  # how far from the hex the second of two changes may be
_PER_REASONS = 2  # sets of changes that leave the same reasons ...
_MAX_PREFIXES = 10  # ... and go on at all, before one more is tried with each
_PER_PREFIX = 2  # of those that begin alike this many are named

MAX_CHANGES = 3
"""How many changes are tried together."""

Changes = tuple[PositionChange, ...]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The smallest changes found, each in words; how many were tried, and whether all were.

    `size` is the number of changes of those found, or up to which some were tried together.
    """

    found: tuple[tuple[str, ...], ...]
    size: int
    tried: int
    complete: bool


class _BudgetSpent(Exception):
    """The time or the number of trials is used up."""


def smallest_change(game: Game, state: State, move: Move) -> SearchResult:
    """The smallest changes of a position that make a move legal, at most three of one size."""
    return _ChangeSearch(game, state, move).search()


class _ChangeSearch:
    def __init__(self, game: Game, state: State, move: Move) -> None:
        self._game, self._state, self._move = game, state, move
        self._me = game.legal_moves(state).player
        self._until = monotonic() + SECONDS
        self._tried = 0
        self._initial_reasons = self._reasons(state)

    def search(self) -> SearchResult:
        if self._me < 0 or self._move.verb == "draw":
            return SearchResult((), 0, 0, True)
        size = 1
        try:
            changes = changes_about(self._game, self._state, self._move)
            found = self._single_changes(changes)
            nearby = [change for change in changes if change.distance <= _MAX_DISTANCE]
            prefixes = [] if found else self._promising([()], changes)
            while not found and size < MAX_CHANGES and prefixes:
                size += 1
                found = self._extensions(prefixes, nearby)
                prefixes = [] if found or size == MAX_CHANGES else self._promising(prefixes, nearby)
        except _BudgetSpent:
            return SearchResult((), size - 1, self._tried, False)
        texts = [tuple(change.text for change in each) for each in found]
        return SearchResult(tuple(texts), size, self._tried, size == 1)

    def _single_changes(self, changes: list[PositionChange]) -> list[Changes]:
        found: dict[str, Changes] = {}
        try:
            for change in changes:
                if change.kind not in found and self._makes_legal((change,)):
                    found[change.kind] = (change,)
                if len(found) == MAX_SHOWN:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())

    def _extensions(self, prefixes: list[Changes], nearby: list[PositionChange]) -> list[Changes]:
        """One change more after others that leave less against the move; a few of each."""
        found: dict[frozenset[PositionChange], Changes] = {}
        try:
            for prefix in prefixes:
                more = ((*prefix, change) for change in nearby if change not in prefix)
                for changes in islice(filter(self._makes_legal, more), _PER_PREFIX):
                    found.setdefault(frozenset(changes), changes)
                if len(found) >= MAX_SHOWN:
                    break
        except _BudgetSpent:
            if not found:
                raise
        return list(found.values())[:MAX_SHOWN]

    def _promising(self, prefixes: list[Changes], changes: list[PositionChange]) -> list[Changes]:
        """Changes that leave other reasons against the move, those that leave few first."""
        by_reasons: dict[frozenset[str], dict[frozenset[PositionChange], Changes]] = {}
        for prefix in prefixes:
            for change in changes:
                if change in prefix:
                    continue
                state_after = self._state_after((*prefix, change))
                reasons = (
                    self._initial_reasons if state_after is None else self._reasons(state_after)
                )
                same_reasons = by_reasons.setdefault(reasons, {})
                if reasons != self._initial_reasons and len(same_reasons) < _PER_REASONS:
                    same_reasons.setdefault(frozenset((*prefix, change)), (*prefix, change))
        found = [
            each for reasons in sorted(by_reasons, key=len) for each in by_reasons[reasons].values()
        ]
        return found[:_MAX_PREFIXES]

    def _reasons(self, state: State) -> frozenset[str]:
        reasons = self._game.explain(state, self._move).reasons
        return frozenset(f"{each.rule} {each.text}" for each in reasons)

    # trying

    def _makes_legal(self, changes: Changes) -> bool:
        state_after = self._state_after(changes)
        return state_after is not None and self._move in self._game.legal_moves(state_after)

    def _state_after(self, changes: Changes) -> State | None:
        """The position with some changes, if the same player is to decide there."""
        self._tried += 1
        if self._tried > MAX_TRIALS or monotonic() > self._until:
            raise _BudgetSpent
        draft = draft_of(self._state)
        for change in changes:
            change.edit(draft)
        state_after = self._game.run_to_decision(draft)
        return state_after if self._game.legal_moves(state_after).player == self._me else None
