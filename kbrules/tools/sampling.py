"""Positions by seed, and the smallest position that still shows something, as a scenario."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from time import monotonic
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, choose_table, game_at, with_cards
from kbrules.game.board import NONE, Catalog
from kbrules.game.moves import CHANCE, Move, write_move
from kbrules.game.random import Random
from kbrules.game.state import READY, USED, Draft, State, Tile, draft_of
from kbrules.hex.grid import HOLE, hex_name, render
from kbrules.hex.sets import Address, Mask, bits, mask_of, nth
from kbrules.library.boards.positions import drawn_tiles, legend_of
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.scenario.models import MidgameModel
from kbrules.scenario.position import add_tile, enter_stage, has_actions, lay, place_pieces
from kbrules.scenario.reader import PLAYERS, position_in
from kbrules.scenario.report import visible_pieces
from kbrules.scenario.setup import RulesetCache

# Positions by seed: decisions of random games, and the same tables with scattered pieces.


PLAYED, SCATTERED = "played", "scattered"
PLAYED_POSITIONS = 4  # positions taken from one game
MAX_MOVES = 3000  # moves; a game that goes on longer is left
_UNLIMITED = 1 << 62
_GROUPS_PER_EVENT = 8  # of moves that are offered cost as much as an event
PIECE_COUNTS = (0, 1, 3, 8, 15, 25, 40)
"""How many pieces a player has on a scattered position."""
FREE_PART = 4
"""The part of the hexes that stays free; where nobody can move, turns go by for a long time."""
ADJACENT_PERCENT = (0, 50, 90)
"""How many of a hundred of them are put beside others, or beside a place."""


@dataclass(slots=True)
class Budget:
    """How much may still happen in games played for samples, in events and offers."""

    left: int

    @property
    def is_spent(self) -> bool:
        return self.left < 0


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A position, the table it is on, and where it comes from: `PLAYED` or `SCATTERED`."""

    seed: int
    table: TableSetup
    game: Game
    state: State
    kind: str


def samples(
    ruleset: Ruleset,
    count: int,
    seed: int = 0,
    cards: Sequence[str] = (),
    options: Mapping[str, bool | int] | None = None,
    linking: LinkerFactory = default_linker,
    tiles: Sequence[str] = (),
    max_moves: int = MAX_MOVES,
    budget: Budget | None = None,
) -> Iterator[Sample]:
    """`count` positions of a rule set, half of them from play, half of them scattered.

    cards: those that lie on every table, before the ones that are drawn. tiles: those that
    everybody has one of, ready to be used, in scattered positions. max_moves: after these a game
    is left. budget: fewer positions come once it is spent. SetupError if no table can be
    laid from the boxes.
    """
    yielded, table_seed = 0, seed
    player = _GamePlayer(max_moves, budget or Budget(_UNLIMITED))
    while yielded < count:
        table = drawn_table(ruleset, table_seed, cards, options)
        for sample in _samples_of_game(
            table_seed, table, game_at(ruleset, table, linking), tiles, player
        ):
            if yielded == count or player.budget.is_spent:
                return
            yielded += 1
            yield sample
        table_seed += 1


def drawn_table(
    ruleset: Ruleset,
    seed: int,
    cards: Sequence[str] = (),
    options: Mapping[str, bool | int] | None = None,
) -> TableSetup:
    """The table of a seed: each number of players in turn, the cards wanted before those drawn."""
    least, most = ruleset.parts.players
    table = choose_table(ruleset, least + seed % (most - least + 1), seed, options=options)
    return with_cards(ruleset, table, cards)


def _samples_of_game(
    seed: int, table: TableSetup, game: Game, tiles: Sequence[str], player: _GamePlayer
) -> Iterator[Sample]:
    """The decisions of one game in turn with scattered positions that begin from them."""
    random = Random(seed, "sampling")
    for state in _played_positions(game, random, player):
        yield Sample(seed, table, game, state, PLAYED)
        if has_actions(game.ruleset):
            scattered = _scattered_position(game, state, random, tiles)
            yield Sample(seed, table, game, scattered, SCATTERED)


def _played_positions(game: Game, random: Random, player: _GamePlayer) -> list[State]:
    """Decisions of a random game and its end, in order."""
    states = list(player.decisions(game, random))
    *before, last = states
    chosen = random.sample(range(len(before)), min(PLAYED_POSITIONS - 1, len(before)))
    return [*(before[index] for index in sorted(chosen)), last]


@dataclass(frozen=True, slots=True)
class _GamePlayer:
    """Plays random games. max_moves: the moves after which one is left, as when the budget is."""

    max_moves: int
    budget: Budget

    def decisions(self, game: Game, random: Random) -> Iterator[State]:
        """The decisions of the players in a random game, then its last state."""
        state = game.start()
        for _ in range(self.max_moves):
            moves = game.legal_moves(state)
            if not moves or self.budget.is_spent:
                break
            if moves.player != CHANCE:
                yield state
            step = game.play(state, moves.sample(random))
            self.budget.left -= len(step.events) + len(moves.groups) // _GROUPS_PER_EVENT
            state = step.state
        yield state


def _scattered_position(game: Game, state: State, random: Random, tiles: Sequence[str]) -> State:
    """The table of a state with more pieces and tiles, somebody being at their actions."""
    draft = draft_of(state)
    player = random.below(game.players)
    for seat in range(game.players):
        _scatter(game, draft, seat, random)
        _give_random_tiles(game, draft, seat, random)
        _give_requested_tile(game, draft, seat, random, tiles)
    draft.used = ()
    _draw_cards(game, draft, random)
    enter_stage(draft, game.ruleset, "actions", player)
    return game.run_to_decision(draft)


def _draw_cards(game: Game, draft: Draft, random: Random) -> None:
    """A card face up, if there are cards and none is."""
    deck = game.ruleset.catalog.deck
    if deck and not draft.shown:
        draft.shown = (random.below(len(deck)),)


def _scatter(game: Game, draft: Draft, seat: int, random: Random) -> None:
    """Pieces of a player, from the supply, on free hexes that are no places."""
    pieces = game.ruleset.catalog.pieces
    adjacent_percent = random.choice(ADJACENT_PERCENT)
    for _ in range(random.choice(PIECE_COUNTS)):
        supply = draft.seats[seat].supply
        kinds = [i for i, number in enumerate(supply) if number > 0 and not pieces[i].neutral]
        if not kinds:
            return
        piece = random.choice(kinds) if random.below(5) == 0 else max(kinds, key=supply.__getitem__)
        free = _free_hexes(game, draft, piece)
        if free.bit_count() * FREE_PART < game.board.grid.full.bit_count():
            return
        beside = free & _beside(game, draft, seat)
        candidates = beside if beside and random.below(100) < adjacent_percent else free
        if candidates:
            hex = nth(candidates, random.below(candidates.bit_count()))
            covered = game.board.covered(piece, 1 << hex)
            place_pieces(draft, seat, piece, covered, pieces[piece].size)


def _free_hexes(game: Game, draft: Draft, piece: int) -> Mask:
    """Where a piece could lie: never on places or on others."""
    board, catalog = game.board, game.ruleset.catalog
    free = board.grid.full & ~draft.occupied
    for kind, mask in zip(catalog.hexes, board.kinds, strict=True):
        free &= ~mask if kind.is_place else -1
    if catalog.pieces[piece].size == 1:
        return free
    return mask_of(hex for hex in bits(free) if _fits(game, piece, hex, free))


def _fits(game: Game, piece: int, hex: int, free: Mask) -> bool:
    """Whether a piece around a hex lies on free hexes alone and does not reach beyond the board."""
    hexes = game.board.covered(piece, 1 << hex)
    return not hexes & ~free and hexes.bit_count() == game.ruleset.catalog.pieces[piece].size


def _beside(game: Game, draft: Draft, seat: int) -> Mask:
    """The hexes beside a player's pieces and beside the places."""
    board = game.board
    places = mask_of(board.places)
    return board.grid.neighbours(draft.seats[seat].all | places)


def _give_random_tiles(game: Game, draft: Draft, seat: int, random: Random) -> None:
    """A few tiles of any kinds, most of them ready to be used."""
    kinds = len(game.ruleset.catalog.tiles)
    for _ in range(random.choice((0, 1, 3, 5)) if kinds else 0):
        kind = random.below(kinds)
        status = USED if random.below(4) == 0 else READY
        add_tile(draft, seat, Tile(kind, _origin(game, kind, random), status))


def _give_requested_tile(
    game: Game, draft: Draft, seat: int, random: Random, tiles: Sequence[str]
) -> None:
    """One of the tiles that are wanted."""
    if tiles:
        kind = game.ruleset.catalog.tile_index(random.choice(tiles))
        add_tile(draft, seat, Tile(kind, _origin(game, kind, random), READY))


def _origin(game: Game, kind: int, random: Random) -> int:
    """A place where such tiles lie; beyond the board if there is none."""
    origins = [hex for hex, tile in game.board.tiles.items() if tile == kind]
    return random.choice(origins or [game.board.grid.full.bit_length()])


# A position by names alone, so that it can be laid out by any rules, made smaller and written.
#
# Hexes keep the addresses they had where the position was taken; what they are called follows
# from what of the board is still there.


OwnedPiece = tuple[int, str]
"""Whose piece (a seat, -1 for nobody), and which."""
MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class HeldTile:
    """A tile in a player's hands; without an origin if that is not on the board any more."""

    tile: str
    origin: Address | None
    status: str


@dataclass(frozen=True, slots=True)
class SeatData:
    """What a player has beside the pieces on the board; `supply` where that does not follow."""

    supply: Mapping[str, int] = field(default_factory=dict)
    hand: tuple[str, ...] = ()
    tiles: tuple[HeldTile, ...] = ()
    gold: int = 0


@dataclass(frozen=True, slots=True)
class PositionData:
    """A position at somebody's actions, and moves made from there on.

    kinds: the id of the kind of each hex. tiles: the tile of each place that has one. left: how
    many tiles lie there. chance: the places whose tile was drawn. rules: those whose action was
    done this turn.
    """

    players: int
    kinds: Mapping[Address, str]
    pieces: Mapping[Address, OwnedPiece]
    seats: tuple[SeatData, ...]
    tiles: Mapping[Address, str] = field(default_factory=dict)
    left: Mapping[Address, int] = field(default_factory=dict)
    chance: frozenset[Address] = frozenset()
    sector: tuple[int, int] | None = None
    cards: tuple[str, ...] = ()
    options: Mapping[str, bool | int] = field(default_factory=dict)
    shown: tuple[str, ...] = ()
    player: int = 0
    rules: tuple[str, ...] = ()
    ending: bool = False
    moves: tuple[tuple[Move, Address | None], ...] = ()

    @property
    def size(self) -> tuple[int, int, int]:
        """How much there is to look at: pieces and moves, things in hands, hexes."""
        held = sum(len(seat.tiles) + len(seat.hand) + bool(seat.gold) for seat in self.seats)
        return len(self.pieces) + len(self.moves), held + len(self.cards), len(self.kinds)

    def within(self, hexes: frozenset[Address]) -> PositionData:
        """The same of a part of the board; what lay elsewhere is gone, tiles from there stay."""
        seats = tuple(replace(s, tiles=tuple(_with_origins_on(s.tiles, hexes))) for s in self.seats)
        return replace(
            self,
            kinds={at: kind for at, kind in self.kinds.items() if at in hexes},
            pieces={at: piece for at, piece in self.pieces.items() if at in hexes},
            tiles={at: tile for at, tile in self.tiles.items() if at in hexes},
            left={at: count for at, count in self.left.items() if at in hexes},
            seats=seats,
        )


def _with_origins_on(tiles: tuple[HeldTile, ...], hexes: frozenset[Address]) -> Iterator[HeldTile]:
    for tile in tiles:
        yield tile if tile.origin in hexes else replace(tile, origin=None)


def position_data(game: Game, state: State, sector: tuple[int, int] | None = None) -> PositionData:
    """The position of a state, as if nothing of what is half done had been begun.

    sector: the height and width of a sector of the table.
    """
    board, catalog = game.board, game.ruleset.catalog
    address = board.grid.address
    kinds = {
        address(hex): kind.id
        for kind, mask in zip(catalog.hexes, board.kinds, strict=True)
        for hex in bits(mask)
    }
    pieces = {
        address(hex): (player, catalog.pieces[piece].id)
        for (player, piece), mask in visible_pieces(state).items()
        for hex in bits(mask)
    }
    legend = set(list(legend_of(board).values())[:MAX_DIGITS])
    chance = {address(hex) for hex in drawn_tiles(board)}
    tiles = {address(hex): catalog.tiles[kind].id for hex, kind in board.tiles.items()}
    stock = zip(board.places, state.stock, strict=True)
    return PositionData(
        players=game.players,
        kinds=kinds,
        pieces=pieces,
        seats=tuple(_seats(game, state)),
        tiles={at: tile for at, tile in tiles.items() if at in chance or tile in legend},
        left={address(hex): len(left) for hex, left in stock},
        chance=frozenset(chance),
        sector=sector,
        cards=game.cards,
        options=game.options,
        shown=tuple(catalog.card_name(card) for card in state.shown),
        player=state.active,
        rules=tuple(_used_rules(game, state)),
        ending=state.ending,
    )


def _seats(game: Game, state: State) -> Iterator[SeatData]:
    catalog, grid = game.ruleset.catalog, game.board.grid
    for seat in state.seats:
        kinds = zip(catalog.pieces, seat.supply, seat.pieces, strict=True)
        supply = {
            piece.id: count
            for piece, count, mask in kinds
            if not piece.neutral and count + mask.bit_count() // piece.size != piece.supply
        }
        tiles = tuple(
            HeldTile(
                catalog.tiles[tile.kind].id,
                grid.address(tile.origin)
                if tile.origin >= 0 and grid.full >> tile.origin & 1
                else None,
                tile.status,
            )
            for tile in seat.tiles
        )
        hand = tuple(catalog.card_name(card) for card in seat.hand if card != NONE)
        yield SeatData(supply, hand, tiles, seat.gold)


def _used_rules(game: Game, state: State) -> Iterator[str]:
    """The rules, not of tiles, whose action was done this turn."""
    for path in state.used:
        offer = game.plan.offers.get(path)
        if offer is not None and offer.owner.tile < 0:
            yield offer.owner.rule.id


# Position data as the text of a scenario, and prepared as that scenario would be.


_NOTHING = {"turn": "a"}
"""Expected where it only matters that the scenario can be laid out."""


@dataclass(frozen=True, slots=True)
class PreparedPosition:
    """A position on the table of a rule set, its moves still to be made."""

    game: Game
    state: State
    moves: tuple[Move, ...]


class _PositionWriter:
    """Names and the drawing of a position, by the letters of a catalog."""

    def __init__(self, position: PositionData, catalog: Catalog) -> None:
        self.position = position
        self._letters = {kind.id: kind.letter for kind in catalog.hexes}
        self._pieces = {piece.id: piece for piece in catalog.pieces}
        first_pieces = {p.neutral: p.id for p in reversed(catalog.pieces)}
        self._default_pieces = frozenset(first_pieces.values())
        kinds = sorted({tile for at, tile in position.tiles.items() if at not in position.chance})
        self.legend = {tile: str(number) for number, tile in enumerate(kinds, 1)}
        self._corner = {
            part: (
                _even_row(min(at.row for at in position.kinds if at.part == part)),
                min(at.column for at in position.kinds if at.part == part),
            )
            for part in {at.part for at in position.kinds}
        }

    def address(self, at: Address) -> Address:
        """Where a hex lies on the board as it is drawn."""
        top, left = self._corner[at.part]
        return Address(at.part, at.row - top, at.column - left)

    def name(self, at: Address) -> str:
        """What a hex is called on the board as it is drawn."""
        return hex_name(self.address(at))

    def drawing(self) -> str:
        """The board with its pieces."""
        lines: list[str] = []
        for part in sorted(self._corner):
            words = {(self.address(at).row, self.address(at).column): self._word(at)
                     for at in self.position.kinds if at.part == part}  # fmt: skip
            height, width = (max(at[axis] for at in words) + 1 for axis in (0, 1))
            rows = [[words.get((r, c), HOLE) for c in range(width)] for r in range(height)]
            drawing = render(rows)
            lines += [f"{part}:", _with_bars(drawing)] if part else [drawing]
        return "\n".join(lines) + "\n"

    def _word(self, at: Address) -> str:
        tile = self.position.tiles.get(at)
        digit = self.legend.get(tile, "") if tile and at not in self.position.chance else ""
        piece = self.position.pieces.get(at)
        sign = "" if piece is None else self._sign(*piece)
        return (digit or self._letters[self.position.kinds[at]]) + sign

    def _sign(self, player: int, piece: str) -> str:
        owner = "#" if player < 0 else PLAYERS[player]
        return owner + ("" if piece in self._default_pieces else self._pieces[piece].letter)

    def seat(self, player: int) -> dict[str, Any]:
        """What a player has, as far as it is not as usual."""
        seat = self.position.seats[player]
        entries: dict[str, Any] = {}
        if seat.tiles:
            entries["tiles"] = [self._tile_entry(tile) for tile in seat.tiles]
        if seat.supply:
            entries["supply"] = dict(seat.supply)
        if seat.hand:
            entries["hand"] = list(seat.hand)
        if seat.gold:
            entries["gold"] = seat.gold
        return entries

    def _tile_entry(self, tile: HeldTile) -> str | dict[str, str]:
        if tile.origin is None and tile.status == READY:
            return tile.tile
        entries = {"tile": tile.tile}
        if tile.origin is not None:
            entries["from"] = self.name(tile.origin)
        return entries if tile.status == READY else {**entries, "status": tile.status}


def _even_row(row: int) -> int:
    return row - row % 2


def _with_bars(drawing: str) -> str:
    """A drawing whose indentation is kept by bars."""
    return "\n".join(f"| {line}" for line in drawing.split("\n"))


def scenario_text(
    position: PositionData,
    cache: RulesetCache,
    title: str,
    expect: Mapping[str, Any] | None = None,
    boxes: Sequence[str] = (),
) -> str:
    """The text of a scenario file: a position, its moves, and what is expected after them.

    boxes: those to be named under `with`.
    """
    writer = _PositionWriter(position, cache.ruleset.catalog)
    data = dict(_keys(writer, title, boxes))
    if position.moves:
        game = _game_of(position, cache)
        data["steps"] = [_step(writer, move, at, game) for move, at in position.moves]
    data["expect"] = dict(expect or _NOTHING)
    return _yaml(data)


def position_keys(position: PositionData, catalog: Catalog, boxes: Sequence[str]) -> dict[str, Any]:
    """A position in the keys of a scenario, from `with` to `turn`."""
    keys = dict(_keys(_PositionWriter(position, catalog), "it", boxes))
    return {key: value for key, value in keys.items() if key not in ("format", "title")}


def _keys(writer: _PositionWriter, title: str, boxes: Sequence[str]) -> Iterator[tuple[str, Any]]:
    position = writer.position
    yield "format", 1
    yield "title", title
    if boxes:
        yield "with", list(boxes)
    yield "players", position.players
    if position.options:
        yield "options", {id: _option_value(value) for id, value in position.options.items()}
    if position.cards:
        yield "cards", list(position.cards)
    yield "board", dict(_board(writer))
    yield "unchecked", True
    yield "position", dict(_position(writer))
    yield "turn", dict(_turn(position))


def _option_value(value: bool | int) -> str | int:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _board(writer: _PositionWriter) -> Iterator[tuple[str, Any]]:
    position = writer.position
    yield "drawing", writer.drawing()
    if writer.legend:
        yield "legend", {digit: tile for tile, digit in writer.legend.items()}
    drawing = {
        writer.name(at): position.tiles[at]
        for at in sorted(position.chance & position.tiles.keys())
    }
    if drawing:
        yield "tiles", drawing
    if position.sector:
        yield "sectors", {"rows": position.sector[0], "columns": position.sector[1]}


def _position(writer: _PositionWriter) -> Iterator[tuple[str, Any]]:
    for player in range(writer.position.players):
        if seat := writer.seat(player):
            yield PLAYERS[player], seat
    position = writer.position
    left = {writer.name(at): n for at, n in sorted(position.left.items()) if at in position.tiles}
    if left:
        yield "left", left


def _turn(position: PositionData) -> Iterator[tuple[str, Any]]:
    yield "player", PLAYERS[position.player]
    if position.shown:
        yield "played", position.shown[0] if len(position.shown) == 1 else list(position.shown)
    if position.rules:
        yield "done", list(position.rules)
    if position.ending:
        yield "last_round", True


def _game_of(position: PositionData, cache: RulesetCache) -> Game:
    """The game of a position without its moves, for the names that moves are written in."""
    prepared = prepare_position(replace(position, moves=()), cache)
    if prepared is None:
        raise ValueError("a position that cannot be laid has no moves")
    return prepared.game


def _step(writer: _PositionWriter, move: Move, at: Address | None, game: Game) -> Any:
    hex = move.hex if at is None else game.board.grid.index(writer.name(at))
    text = write_move(Move(move.verb, move.rule, hex), game.board)
    return {"draw": text.removeprefix("draw ")} if move.verb == "draw" else text


def prepare_position(position: PositionData, cache: RulesetCache) -> PreparedPosition | None:
    """A position laid out by a rule set; None if it cannot be, which is no fault of the rules."""
    writer = _PositionWriter(position, cache.ruleset.catalog)
    keys = json.dumps(position_keys(position, cache.ruleset.catalog, ()))
    start, _ = lay(position_in(MidgameModel.model_validate_json(keys)), cache)
    if start is None:
        return None
    grid = start.setup.game.board.grid
    moves = [
        move if at is None else Move(move.verb, move.rule, grid.index(writer.name(at)))
        for move, at in position.moves
    ]
    return PreparedPosition(start.setup.game, start.state, tuple(moves))


def _yaml(data: Mapping[str, Any]) -> str:
    board = dict(data["board"])
    board["drawing"] = LiteralScalarString(board["drawing"])
    yaml = YAML()
    yaml.default_flow_style = None
    yaml.width = 100
    out = StringIO()
    yaml.dump({**data, "board": board}, out)
    return out.getvalue()


# The smallest position that still shows something: whatever it does without is taken away.
#
# Big pieces first: half of the board, all pieces of a player; then less and less, until nothing
# more can go. Every step is tried, so what is left is needed, one by one.


SECONDS = 4.0
CHUNKS = (10, 6, 4, 2)
"""Rows or columns taken off at once: an even number keeps every second row where it stood."""

Predicate = Callable[[PositionData], bool]


def shrink(position: PositionData, predicate: Predicate, seconds: float = SECONDS) -> PositionData:
    """The smallest found of the positions that still show it, within some time.

    predicate: called with every smaller position; what it raises is not caught.
    """
    until = monotonic() + seconds
    previous = None
    while previous != position and monotonic() < until:
        previous = position
        for reductions in (_fewer_contents, _smaller_boards, _fewer_pieces):
            position = _reduce(position, reductions, predicate, until)
    return position


def _reduce(
    position: PositionData,
    reductions: Callable[[PositionData], Iterator[PositionData]],
    predicate: Predicate,
    until: float,
) -> PositionData:
    """A position made smaller in one kind of way, again and again."""
    while True:
        for smaller in reductions(position):
            if monotonic() > until:
                return position
            if predicate(smaller):
                position = smaller
                break
        else:
            return position


def _smaller_boards(position: PositionData) -> Iterator[PositionData]:
    """Without the rows or columns at one side, or without a whole grid beside the table."""
    needed = {at for _, at in position.moves if at is not None}
    for is_kept in _board_cuts(position):
        hexes = frozenset(filter(is_kept, position.kinds))
        if hexes and needed <= hexes and len(hexes) < len(position.kinds):
            yield position.within(hexes)


def _board_cuts(position: PositionData) -> Iterator[Callable[[Address], bool]]:
    """What may be taken off the board, most first: each says what stays."""
    parts = sorted({at.part for at in position.kinds})
    yield from (_KeptRange(part, "row", -1, -1) for part in parts if part)
    for part in parts:
        rows = sorted({at.row for at in position.kinds if at.part == part})
        columns = sorted({at.column for at in position.kinds if at.part == part})
        for chunk in (chunk for chunk in CHUNKS if chunk < len(rows)):
            yield _KeptRange(part, "row", rows[chunk], rows[-1])
            yield _KeptRange(part, "row", rows[0], rows[-chunk - 1])
        for chunk in (chunk for chunk in (*CHUNKS, 1) if chunk < len(columns)):
            yield _KeptRange(part, "column", columns[chunk], columns[-1])
            yield _KeptRange(part, "column", columns[0], columns[-chunk - 1])
        yield _KeptRange(part, "row", rows[0], rows[-1] - 1)


@dataclass(frozen=True, slots=True)
class _KeptRange:
    """Of one part of the board the hexes from one row or column to another, and all the rest."""

    part: str
    axis: str
    first: int
    last: int

    def __call__(self, at: Address) -> bool:
        return at.part != self.part or self.first <= getattr(at, self.axis) <= self.last


def _fewer_pieces(position: PositionData) -> Iterator[PositionData]:
    """Without all pieces of a player, without half of the pieces, without a few, without one."""
    hexes = sorted(position.pieces)
    for player in sorted({player for player, _ in position.pieces.values()}):
        yield _without(position, [at for at in hexes if position.pieces[at][0] == player])
    size = len(hexes) // 2
    while size >= 1:
        for start in range(0, len(hexes), size):
            yield _without(position, hexes[start : start + size])
        size //= 2


def _without(position: PositionData, hexes: Sequence[Address]) -> PositionData:
    """Without the pieces on some hexes; they are back in the supply."""
    removed = frozenset(hexes)
    return replace(
        position, pieces={at: who for at, who in position.pieces.items() if at not in removed}
    )


def _fewer_contents(position: PositionData) -> Iterator[PositionData]:
    """With fewer cards, tiles, options, gold and counts; with players who have nothing."""
    for card in position.cards:
        yield replace(position, cards=tuple(other for other in position.cards if other != card))
    for name in position.options:
        yield replace(position, options={k: v for k, v in position.options.items() if k != name})
    if position.ending:
        yield replace(position, ending=False)
    if position.sector:
        yield replace(position, sector=None)
    for player, seat in enumerate(position.seats):
        for smaller in _smaller_seats(seat):
            yield replace(
                position, seats=(*position.seats[:player], smaller, *position.seats[player + 1 :])
            )
    if position.rules:
        yield replace(position, rules=())
    if position.left:
        yield replace(position, left={})


def _smaller_seats(seat: SeatData) -> Iterator[SeatData]:
    if seat != SeatData():
        yield SeatData()
    if seat.supply:
        yield replace(seat, supply={})
    if seat.gold:
        yield replace(seat, gold=0)
    if seat.hand:
        yield replace(seat, hand=())
    for index in range(len(seat.tiles)):
        yield replace(seat, tiles=(*seat.tiles[:index], *seat.tiles[index + 1 :]))
