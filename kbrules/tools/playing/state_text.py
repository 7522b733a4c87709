"""A table as text for people: the board, what players hold, the score sheet, the wordings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_
from textwrap import wrap

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.scoring import Count, Sheet, counts
from kbrules.game.board import Board
from kbrules.game.state import State, Tile
from kbrules.hex.sets import Mask
from kbrules.library.boards.positions import draw_framed, drawn_tiles, legend_of
from kbrules.scenario.report import marked_hexes, visible_pieces
from kbrules.tools.playing.narration import ScoreHistory

WIDTH = 78
LEGAL = "+"  # on a hex that may be chosen
_NONE = "-"


def state_board_text(game: Game, state: State, legal: Mask = 0, width: int = WIDTH) -> str:
    """The board with column letters, row numbers and the pieces of players `a`, `b` and so on.

    Hexes that are legal have a `+`. Those with pieces have none if lines would be longer than width
    with it.
    """
    board, pieces = game.board, visible_pieces(state)
    text = draw_framed(board.catalog, board, pieces, {LEGAL: legal} if legal else {})
    taken = reduce(or_, pieces.values(), 0)
    if legal & taken and max(map(len, text.splitlines())) > width:
        return state_board_text(game, state, legal & ~taken, width)
    return text


def legend(game: Game, state: State) -> str:
    """What the letters on a board mean, with the tiles left, and which maps are stand-ins."""
    board = game.board
    kinds = zip(board.catalog.hexes, board.kinds, strict=True)
    words = [f"{kind.letter} {kind.title}" for kind, mask in kinds if mask]
    lists = words, list(_pieces(board, state)), list(_tiles_left(board, state))
    lines = [line for each in lists for line in _wrap("", each)]
    lines += wrap(board.note, WIDTH)
    return "\n".join(lines)


def marks_text(game: Game, state: State) -> str:
    """A line per mark of the boxes with its hexes, or a dash, and per number of the table.

    It is empty if there is neither.
    """
    lines = [f"{each.title}: {each.values[0]}" for each in _shared(game, state)]
    for title, mask in marked_hexes(game, state):
        lines += _wrap(f"{title}: ", game.board.names(mask) or [_NONE], " ")
    return "\n".join(lines)


def _shared(game: Game, state: State) -> Iterator[Count]:
    return (each for each in counts(game.ruleset, state) if each.is_shared)


def _pieces(board: Board, state: State) -> Iterator[str]:
    """The signs of pieces; the first of players and the first of nobody need no letter."""
    kinds_listed: set[bool] = set()
    for index, piece in enumerate(board.catalog.pieces):
        letter = piece.letter if piece.neutral in kinds_listed else ""
        kinds_listed.add(piece.neutral)
        if piece.neutral:
            left = piece.supply - state.neutral[index].bit_count() // piece.size
            yield f"#{letter} {piece.title} ({left} left)"
        elif letter:
            yield f"{letter} {piece.title}"


def _tiles_left(board: Board, state: State) -> Iterator[str]:
    """Each tile that has a digit on the board, with how many are left on each of its places.

    Then each place whose tile was drawn by chance, with that tile, or a dash if it was taken.
    """
    kinds = {tile.id: index for index, tile in enumerate(board.catalog.tiles)}
    for digit, id in legend_of(board).items():
        kind = kinds[id]
        places = zip(board.places, state.stock, strict=True)
        left = [str(stock.count(kind)) for hex, stock in places if board.tiles[hex] == kind]
        yield f"{digit} {board.catalog.tiles[kind].title} ({'+'.join(left)} left)"
    stocks = dict(zip(board.places, state.stock, strict=True))
    for hex, kind in drawn_tiles(board).items():
        what = board.catalog.tiles[kind].title if stocks[hex] else _NONE
        yield f"{board.grid.name(hex)} {what}"


def players_text(game: Game, state: State) -> str:
    """A line per player: supply, tiles, gold gained in play, numbers kept. Hands stay hidden.

    There is no line for a player who has nothing of it.
    """
    parts_by_name = ((player_name(p), _player_parts(game, state, p)) for p in range(game.players))
    return "\n".join(f"{name}: {'; '.join(parts)}" for name, parts in parts_by_name if parts)


def _player_parts(game: Game, state: State, player: int) -> list[str]:
    catalog, seat = game.board.catalog, state.seats[player]
    pairs = zip(catalog.pieces, seat.supply, strict=True)
    parts = [
        f"{piece.title} {count} left"
        for piece, count in pairs
        if piece.supply and not piece.neutral
    ]
    if seat.tiles:
        parts.append("tiles " + ", ".join(_tile(game, tile) for tile in seat.tiles))
    if seat.gold:
        parts.append(f"{seat.gold} gold")
    own = (each for each in counts(game.ruleset, state) if not each.is_shared)
    parts += (f"{each.title} {each.values[player]}" for each in own)
    return parts


def _tile(game: Game, tile: Tile) -> str:
    title = game.board.catalog.tiles[tile.kind].title
    return title if tile.status == "ready" else f"{title} ({tile.status})"


# The score sheet


def sheet_text(game: Game, sheet: Sheet) -> str:
    """The score sheet: a row per rule or card, a column per player, totals and winners.

    There is a row for what decides who wins if that is something else than the totals, no totals in
    a game without gold, and a row for each number that players see. Below it stands what a limit
    has cut off. Of scores on stand-in maps the last line says so.
    """
    rows = list(_rows(sheet))
    names = [player_name(player) for player in range(game.players)]
    room = max(len(title) for title, _ in [*rows, ("total", ())])
    column = max([6, *(len(str(cell)) + 1 for _, cells in rows for cell in cells)])
    lines = [_row(title, cells, room, column) for title, cells in [("", names), *rows]]
    lines += [f"{each.title}: {each.values[0]}" for each in sheet.counts if each.is_shared]
    lines.append(_victory(sheet))
    lines += [line for text in sheet.cut_off for line in wrap(f"cut off: {text}", WIDTH)]
    lines += wrap(game.board.note, WIDTH)
    return "\n".join(lines)


def _victory(sheet: Sheet) -> str:
    """Who has won; in a game that goes on, who would."""
    winners = [player_name(player) for player in sheet.winners]
    if not winners:
        return "nobody wins"
    one, several = ("winner", "shared victory") if sheet.is_final else ("ahead", "level")
    return f"{one if len(winners) == 1 else several}: {', '.join(winners)}"


def _rows(sheet: Sheet) -> Iterator[tuple[str, Sequence[int]]]:
    yield from ScoreHistory([sheet]).rows(sheet)
    for each in sheet.counts:
        if not each.is_shared:
            yield each.title, each.values


def _row(title: str, cells: Sequence[object], room: int, column: int) -> str:
    return title.ljust(room) + "".join(f"{cell!s:>{column}}" for cell in cells)


def evidence_text(game: Game, sheet: Sheet) -> str:
    """For each rule or card and player the gold and the hexes that earned it."""
    lines: list[str] = []
    for each in sheet.rows:
        lines.append(each[0].title)
        for player, line in enumerate(each):
            names = game.board.names(line.hexes) if line.gold else []
            lines += _wrap(f"  {player_name(player)} {line.gold:>3}  ", names or [_NONE], " ")
    return "\n".join(lines)


def _wrap(head: str, words: Sequence[str], separator: str = "  ") -> list[str]:
    """Words in lines of a fair width, the first behind a head and the rest below it."""
    lines = [head]
    used = 0
    for word in words:
        if used and len(lines[-1]) + len(separator) + len(word) > WIDTH:
            lines.append(" " * len(head))
            used = 0
        lines[-1] += (separator if used else "") + word
        used += 1
    return [line for line in lines if line.strip()]


def wordings_text(game: Game) -> str:
    """The title and the wording of each card in play, then of each tile on the board."""
    return "\n".join(line for id in _ids(game) for line in _lines_of(game, id))


def _ids(game: Game) -> Iterator[str]:
    board = game.board
    yield from game.cards
    tiles_on_board = {board.tiles[hex] for hex in board.places}
    yield from (tile.id for kind, tile in enumerate(board.catalog.tiles) if kind in tiles_on_board)


def _lines_of(game: Game, id: str) -> Iterator[str]:
    rule = game.ruleset.rule(id)
    if rule is not None:
        indent = "  "
        yield rule.title or rule.id
        yield from wrap(rule.wording, WIDTH, initial_indent=indent, subsequent_indent=indent)
