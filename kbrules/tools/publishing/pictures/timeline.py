"""A game move by move: what is seen after each move, written as what has changed since the last.

What is seen is a flat table. Its keys are `h` and the number of a hex for what stands there, `t`
and the number of a place for the tiles left, `s`, `l`, `n` and `g` and a player for the supply,
the tiles, the numbers kept and the gold, and words for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.logs.writer import player_name
from kbrules.engine.matches.match import Played
from kbrules.engine.scoring.sheet import Sheet, counts
from kbrules.game.moves import CHANCE
from kbrules.game.notation import write_move
from kbrules.game.state import FRESH, READY, USED, State
from kbrules.hex.masks import bits
from kbrules.library.boards.positions import NOBODY
from kbrules.scenario.report import marked_hexes, visible_pieces
from kbrules.tools.playing.narration import Narrator

__all__ = ["STATUSES", "Frame", "Timeline", "changes"]

Frame = Mapping[str, Any]
STATUSES = (READY, USED, FRESH)
_GAINED, _TOTAL = "gained in play", "total"
_STAGES = {"setup": "set-up", "finish": "after the last round", "over": "the end"}


@dataclass(eq=False)
class Timeline:
    """A game from its start, move by move."""

    game: Game
    start: State
    played: Sequence[Played]

    @cached_property
    def states(self) -> list[State]:
        """The state at the start and after each move."""
        return [self.start, *(each.transition.state for each in self.played)]

    @cached_property
    def score_history(self) -> ScoreHistory:
        """The score sheets of all states, each as if the game ended there."""
        return ScoreHistory([self.game.score(state) for state in self.states])

    @cached_property
    def hexes(self) -> list[int]:
        """The hexes by their number in the timeline."""
        return list(bits(self.game.board.grid.full))

    @cached_property
    def piece_kinds(self) -> list[tuple[int, int]]:
        """Everything that can stand on a hex, as (player, piece), by its number in the timeline."""
        pieces = list(enumerate(self.game.board.catalog.pieces))
        players = range(self.game.players)
        owned = [(player, i) for player in players for i, piece in pieces if not piece.neutral]
        return owned + [(NOBODY, i) for i, piece in pieces if piece.neutral]

    @cached_property
    def own_counts(self) -> list[str]:
        """The titles of the numbers that rules keep for each player to see."""
        return [each.title for each in counts(self.game.ruleset, self.start) if not each.is_shared]

    @property
    def mark_titles(self) -> list[str]:
        """What is said below the board: the marks of the boxes, then the numbers of the table."""
        kept = counts(self.game.ruleset, self.start)
        shared = [each.title for each in kept if each.is_shared]
        return [*self.game.ruleset.parts.marks.values(), *shared]

    def frames(self) -> Iterator[Frame]:
        """What is seen at the start and after each move."""
        texts = ["", *self._lines()]
        moves = ["", *(self._move(each) for each in self.played)]
        columns = self.score_history.columns()
        for state, text, move, gold in zip(self.states, texts, moves, columns, strict=True):
            words = {"text": text or move, "move": move, "when": self._round(state)}
            sums = {f"g{player}": rows for player, rows in enumerate(gold)}
            yield {**self._board(state), **self._table(state), **sums, **words}

    def turns(self) -> Iterator[tuple[int, str]]:
        """For each turn that was ended its last move and its line."""
        story = Narrator(self.game)
        for each in self.played:
            if line := story.add(each):
                yield each.number, line

    def _lines(self) -> Iterator[str]:
        """The line of the turn as far as it got, after each move."""
        story = Narrator(self.game)
        for each in self.played:
            yield story.add(each) or story.so_far

    def _move(self, played: Played) -> str:
        text = write_move(played.move, self.game.board)
        return text if played.player == CHANCE else f"{player_name(played.player)}: {text}"

    def _round(self, state: State) -> str:
        stage, number = state.stage
        if stage in _STAGES:
            return _STAGES[stage]
        last = ", the last" if state.ending else ""
        return f"round {number // self.game.players + 1}{last}"

    def _board(self, state: State) -> dict[str, Any]:
        codes = {kind: code for code, kind in enumerate(self.piece_kinds)}
        on = {
            hex: codes[kind] for kind, mask in visible_pieces(state).items() for hex in bits(mask)
        }
        seen = {f"h{number}": on[hex] for number, hex in enumerate(self.hexes) if hex in on}
        return seen | {f"t{number}": len(tiles) for number, tiles in enumerate(state.stock)}

    def _table(self, state: State) -> dict[str, Any]:
        """Whose turn it is, the cards face up, the marks of the boxes, what the players hold."""
        seen: dict[str, Any] = {
            "who": state.active,
            "cards": ", ".join(map(self._card, state.shown)),
            "won": list(self.game.score(state).winners) if state.is_over else [],
            "marks": [self.game.board.names(mask) for _, mask in marked_hexes(self.game, state)],
        }
        kept = counts(self.game.ruleset, state)
        seen["marks"] += [[str(each.values[0])] for each in kept if each.is_shared]
        for player, seat in enumerate(state.seats):
            if self.own_counts:
                seen[f"n{player}"] = [each.values[player] for each in kept if not each.is_shared]
            seen[f"s{player}"] = list(seat.supply)
            seen[f"l{player}"] = [[tile.kind, STATUSES.index(tile.status)] for tile in seat.tiles]
        return seen

    def _card(self, card: int) -> str:
        catalog = self.game.board.catalog
        return " or ".join(catalog.hexes[terrain].title for terrain in catalog.deck[card].terrains)


def changes(frames: Iterator[Frame]) -> Iterator[dict[str, Any]]:
    """The first frame whole, then of each what is not as in the one before; None if it is gone."""
    before: Frame = {}
    for frame in frames:
        gone = {key: None for key in before if key not in frame}
        yield gone | {
            key: value for key, value in frame.items() if key not in before or before[key] != value
        }
        before = frame


@dataclass(eq=False)
class ScoreHistory:
    """The score sheets of a whole game, row by row.

    Rows for all sheets: rules and cards, then what is gained, the total, what decides.
    """

    sheets: Sequence[Sheet]

    @property
    def titles(self) -> list[str]:
        """The title of each row."""
        return [title for title, _ in self._rows(self.sheets[0])]

    def columns(self) -> Iterator[list[list[int]]]:
        """For each sheet, for each player, what stands in each row."""
        for sheet in self.sheets:
            rows = [cells for _, cells in self._rows(sheet)]
            yield [list(column) for column in zip(*rows, strict=True)]

    def _rows(self, sheet: Sheet) -> Iterator[tuple[str, Sequence[int]]]:
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
