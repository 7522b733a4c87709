"""The story of a game, and its score sheets row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import MatchMove
from kbrules.engine.scoring import Sheet
from kbrules.game.events import (
    AnotherFinish,
    AnotherTurn,
    CutOff,
    Entered,
    Event,
    Gained,
    GameOver,
    LastRound,
    Lost,
    PutBeside,
    Received,
    Retired,
    Took,
    TurnEnded,
    TurnLeft,
)
from kbrules.game.moves import CHANCE
from kbrules.game.state import State
from kbrules.plan.plan import CUT_OFF

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


_CARD_EVENTS = {Entered: "comes into play", PutBeside: "is put beside", Retired: "leaves the game"}
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
            if isinstance(event, TurnEnded) or (isinstance(event, GameOver) and self._head):
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

    def event_texts(self, event: Event) -> Iterator[str]:
        """What players hear of an event: tiles, gold, cards, the course of the game."""
        tiles = self._game.board.catalog.tiles
        who = player_name(event.player) if event.player >= 0 else ""
        if isinstance(event, Took | Received):
            yield f"{who} takes {tiles[event.kind].title}"
        elif isinstance(event, Lost):
            yield f"{who} loses {tiles[event.kind].title}"
        elif isinstance(event, Gained):
            title = self._title(event.rule)
            by = f" ({title})" if title else ""
            yield f"{who} {'gains' if event.gold >= 0 else 'pays'} {abs(event.gold)} gold{by}"
        elif isinstance(event, CutOff):
            title = self._title(event.rule)
            yield f"cut off: {CUT_OFF[event.limit]}{f' ({title})' if title else ''}"
        elif isinstance(event, Entered | PutBeside | Retired):
            title = self._title(self._game.board.catalog.cards[event.card])
            yield f"{title} {_CARD_EVENTS[type(event)]}"
        elif isinstance(event, TurnLeft):
            yield "the turn ends"
        elif isinstance(event, AnotherTurn):
            yield f"{who} takes another turn after this one"
        elif isinstance(event, AnotherFinish):
            yield "all players finish the game once more"
        elif isinstance(event, LastRound):
            yield "the last round"

    def _title(self, rule: str) -> str:
        """The title of a rule; empty if there is none of that name."""
        found = self._game.ruleset.rule(rule)
        return "" if found is None else found.title or found.id

    def _line(self) -> str:
        done = [" ".join([what, *hexes]) for what, hexes in self._actions]
        head = self._head or "a turn without a choice"
        return f"{head} " + "; ".join([*done, *self._event_texts])
