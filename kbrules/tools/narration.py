"""Tables and games as text for people: boards, hands, score sheets, and the story of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from textwrap import wrap

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import MatchMove
from kbrules.engine.scoring import Sheet, counts
from kbrules.game import events
from kbrules.game.board import Board
from kbrules.game.moves import CHANCE
from kbrules.game.state import State, Tile
from kbrules.hex.sets import Mask
from kbrules.library.boards.positions import draw_framed, drawn_tiles, legend_of
from kbrules.plan.plan import CUT_OFF
from kbrules.scenario.report import marked_hexes, visible_pieces
from kbrules.tools.reports.data import Data, Part
from kbrules.tools.reports.report import Lines, Report

# The score sheets of a whole game, row by row.


_GAINED, _TOTAL = "gained in play", "total"


@dataclass(eq=False)
class ScoreHistory:
    """The score sheets of a whole game, row by row.

    Rows for all sheets: rules and cards, then what is gained, the total, what decides.
    """

    sheets: Sequence[Sheet]

    @property
    def titles(self) -> list[str]:
        """The title of each row."""
        return [title for title, _ in self.rows(self.sheets[0])]

    def columns(self) -> Iterator[list[list[int]]]:
        """For each sheet, for each player, what stands in each row."""
        for sheet in self.sheets:
            rows = [cells for _, cells in self.rows(sheet)]
            yield [list(column) for column in zip(*rows, strict=True)]

    def rows(self, sheet: Sheet) -> Iterator[tuple[str, Sequence[int]]]:
        """The rows of a sheet: a title, and a number for each player."""
        for lines in sheet.rows:
            yield lines[0].title, [line.gold for line in lines]
        if self._gains:
            yield _GAINED, sheet.gained
        if self._has_gold or not sheet.decided_by:
            yield _TOTAL, sheet.totals
        if self._has_win_values:
            yield sheet.decided_by, sheet.win_values

    @cached_property
    def _gains(self) -> bool:
        return any(any(sheet.gained) for sheet in self.sheets)

    @cached_property
    def _has_gold(self) -> bool:
        return self._gains or bool(self.sheets[0].rows)

    @cached_property
    def _has_win_values(self) -> bool:
        """Whether something else than the totals decides, in any of the sheets."""
        if not self.sheets[0].decided_by:
            return False
        return not self._has_gold or any(s.win_values != s.totals for s in self.sheets)


# The story of a game: a line for each turn, made from what was decided and what happened.


_CARD_EVENTS = {
    events.Entered: "comes into play",
    events.PutBeside: "is put beside",
    events.Retired: "leaves the game",
}
"""What is said of a scoring card."""


class Narrator:
    """Collects the moves of the turn under way; `add` returns a line when it has ended."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._clear()

    def _clear(self) -> None:
        self._head = ""
        self._player = CHANCE
        self._actions: list[tuple[str, list[str]]] = []
        self._event_texts: list[str] = []

    def add(self, played: MatchMove) -> str | None:
        """Take note of a move; the line of its turn if the turn is over with it."""
        if played.player != CHANCE:
            self._add_move(played)
        ended = False
        for event in played.transition.events:
            self._event_texts += self.event_texts(event)
            # A rule may end the game in the middle of a turn; after the last one there may be more.
            if isinstance(event, events.TurnEnded) or (
                isinstance(event, events.GameOver) and self._head
            ):
                ended = True
        if not ended:
            return None
        line = self._line()
        self._clear()
        return line

    @property
    def so_far(self) -> str:
        """The line of the turn under way, as far as it got; empty while nobody has decided."""
        return self._line() if self._head or self._event_texts else ""

    def _add_move(self, played: MatchMove) -> None:
        state, move = played.before, played.move
        if not self._head:
            self._head, self._player = self._heading(state), state.active
        who = "" if played.player == self._player else f"{player_name(played.player)} "
        if move.verb == "end":
            return
        words = (move.verb, move.rule) if move.verb == "choose" else (move.rule, move.verb)
        what = who + " ".join(words)
        if not self._actions or self._actions[-1][0] != what:
            self._actions.append((what, []))
        if move.hex >= 0:
            self._actions[-1][1].append(self._game.board.grid.name(move.hex))

    def _heading(self, state: State) -> str:
        """When it is, whose turn, and the cards face up."""
        stage, turn = state.stage
        when = stage if stage == "finish" else f"round {turn // self._game.players + 1:>2}"
        shown = ", ".join(map(self._game.board.catalog.card_title, state.shown))
        return "  ".join(filter(None, (when, player_name(state.active), shown))) + ":"

    def event_texts(self, event: events.Event) -> Iterator[str]:
        """What players hear of an event: tiles, gold, cards, the course of the game."""
        tiles = self._game.board.catalog.tiles
        who = player_name(event.player) if event.player >= 0 else ""
        if isinstance(event, events.Took | events.Received):
            yield f"{who} takes {tiles[event.kind].title}"
        elif isinstance(event, events.Lost):
            yield f"{who} loses {tiles[event.kind].title}"
        elif isinstance(event, events.Gained):
            title = self._title(event.rule)
            by = f" ({title})" if title else ""
            yield f"{who} {'gains' if event.gold >= 0 else 'pays'} {abs(event.gold)} gold{by}"
        elif isinstance(event, events.CutOff):
            title = self._title(event.rule)
            yield f"cut off: {CUT_OFF[event.limit]}{f' ({title})' if title else ''}"
        elif isinstance(event, events.Entered | events.PutBeside | events.Retired):
            title = self._title(self._game.board.catalog.cards[event.card])
            yield f"{title} {_CARD_EVENTS[type(event)]}"
        elif isinstance(event, events.TurnLeft):
            yield "the turn ends"
        elif isinstance(event, events.AnotherTurn):
            yield f"{who} takes another turn after this one"
        elif isinstance(event, events.AnotherFinish):
            yield "all players finish the game once more"
        elif isinstance(event, events.LastRound):
            yield "the last round"

    def _title(self, rule: str) -> str:
        """The title of a rule; empty if there is none of that name."""
        found = self._game.ruleset.rule(rule)
        return "" if found is None else found.title or found.id

    def _line(self) -> str:
        done = [" ".join([what, *hexes]) for what, hexes in self._actions]
        head = self._head or "a turn without a choice"
        return f"{head} " + "; ".join([*done, *self._event_texts])


# A table as text for people: the board, what players hold, the score sheet, the wordings.


WIDTH = 78
LEGAL = "+"  # on a hex that may be chosen
_NONE = "-"


def state_board_text(game: Game, state: State, legal: Mask = 0, width: int = WIDTH) -> str:
    """The board with column letters, row numbers and the pieces of players `a`, `b` and so on.

    Hexes that are legal have a `+`. Those with pieces have none if lines would be longer than width
    with it.
    """
    board, pieces = game.board, visible_pieces(state)
    text = draw_framed(board, pieces, {LEGAL: legal} if legal else {})
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
    lines = [
        f"{each.title}: {each.values[0]}" for each in counts(game.ruleset, state) if each.is_shared
    ]
    for title, mask in marked_hexes(game, state):
        lines += _wrap(f"{title}: ", game.board.names(mask) or [_NONE], " ")
    return "\n".join(lines)


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
    stocks = dict(zip(board.places, state.stock, strict=True))
    for digit, id in legend_of(board).items():
        kind = kinds[id]
        left = [str(each.count(kind)) for hex, each in stocks.items() if board.tiles[hex] == kind]
        yield f"{digit} {board.catalog.tiles[kind].title} ({'+'.join(left)} left)"
    for hex, kind in drawn_tiles(board).items():
        what = board.catalog.tiles[kind].title if stocks[hex] else _NONE
        yield f"{board.grid.name(hex)} {what}"


def players_text(game: Game, state: State) -> str:
    """A line per player: supply, tiles, gold gained in play, numbers kept. Hands stay hidden.

    There is no line for a player who has nothing of it.
    """
    parts_by_name = ((player_name(p), holdings(game, state, p)) for p in range(game.players))
    return "\n".join(f"{name}: {'; '.join(parts)}" for name, parts in parts_by_name if parts)


def holdings(game: Game, state: State, player: int) -> list[str]:
    """Return what a player has that all may see, in parts of a line."""
    catalog, seat = game.board.catalog, state.seats[player]
    pairs = zip(catalog.pieces, seat.supply, strict=True)
    own_pieces = ((p, count) for p, count in pairs if p.supply and not p.neutral)
    parts = [f"{piece.title} {count} left" for piece, count in own_pieces]
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
    lines = [
        title.ljust(room) + "".join(f"{cell!s:>{column}}" for cell in cells)
        for title, cells in [("", names), *rows]
    ]
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
    board, lines, indent = game.board, list[str](), "  "
    on_board = {board.tiles[hex] for hex in board.places}
    tiles = [tile.id for kind, tile in enumerate(board.catalog.tiles) if kind in on_board]
    for id in (*game.cards, *tiles):
        rule = game.ruleset.rule(id)
        if rule is not None:
            lines.append(rule.title or rule.id)
            lines += wrap(rule.wording, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return "\n".join(lines)


# The report of a game: what it came to.


class ScoreLineData(Part):
    """A line of the score sheet."""

    rule: str
    title: str
    gold: tuple[int, ...]
    """What it pays each player, the first player first."""


class GameData(Data):
    """The game that `kbrules replay` or `kbrules play` came to."""

    players: int
    moves: int
    """Decisions and draws."""
    over: bool
    """Whether the game is over."""
    lines: tuple[ScoreLineData, ...]
    totals: tuple[int, ...]
    """The gold of each player."""
    winners: tuple[str, ...]
    """The players who have won: `a`, `b` ..."""
    log: str = ""
    """The file of its log; empty if none was kept."""
    findings: tuple[str, ...] = ()
    """What differs from the log, in lines."""


def game_report(
    game: Game, state: State, moves: int, log: str = "", findings: tuple[str, ...] = ()
) -> Report:
    """Return the report of a game after some moves: its score sheet, who has won, and its log."""
    sheet = game.score(state)
    data = GameData(
        players=game.players,
        moves=moves,
        over=state.is_over,
        lines=tuple(
            ScoreLineData.from_value(row[0], gold=[line.gold for line in row]) for row in sheet.rows
        ),
        totals=sheet.totals,
        winners=tuple(map(player_name, sheet.winners)) if state.is_over else (),
        log=log,
        findings=findings,
    )
    return Report("Game", [Lines((sheet_text(game, sheet),))], data)
