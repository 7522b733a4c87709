"""A game move by move: what is seen after each move, written as what has changed since the last.

What is seen is a flat table. Its keys are `h` and the number of a hex for what stands there, `t`
and the number of a place for the tiles left, `s`, `l`, `n` and `g` and a player for the supply,
the tiles, the numbers kept and the gold, and words for the rest. A trail is what a move did to the
board, as a page marks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.matches import MatchMove
from kbrules.engine.scoring import counts
from kbrules.game.events import Built, Event, Moved, Placed, Removed, Stored, Swapped
from kbrules.game.state import FRESH, READY, USED, State
from kbrules.hex.sets import bits
from kbrules.library.boards.positions import NOBODY
from kbrules.scenario.report import marked_hexes, visible_pieces
from kbrules.tools.playing.score_history import ScoreHistory
from kbrules.tools.publishing.pictures.replay.sentences import SentenceWriter

Frame = Mapping[str, Any]
STATUSES = (READY, USED, FRESH)
_STAGES = {"setup": "set-up", "finish": "after the last round", "over": "the end"}


@dataclass(eq=False)
class Timeline:
    """A game from its start, move by move."""

    game: Game
    start: State
    played: Sequence[MatchMove]

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
        numbers = counts(self.game.ruleset, self.start)
        shared = [each.title for each in numbers if each.is_shared]
        return [*self.game.ruleset.parts.marks.values(), *shared]

    @cached_property
    def sentences(self) -> list[tuple[str, str, bool]]:
        """For each move its sentence, all of its turn so far, and whether the turn ended."""
        writer = SentenceWriter(self.game)
        return [writer.add(each) for each in self.played]

    @property
    def trails(self) -> list[list[list[str | int]]]:
        """What each move did to the board, hexes by their number in the timeline."""
        number = {hex: at for at, hex in enumerate(self.hexes)}
        return [
            [[sign, *(number[hex] for hex in hexes)] for sign, hexes in trail_of(each)]
            for each in self.played
        ]

    def frames(self) -> Iterator[Frame]:
        """What is seen at the start and after each move."""
        columns = self.score_history.columns()
        sentences = [("", "", False), *self.sentences]
        for state, (move, text, _), gold in zip(self.states, sentences, columns, strict=True):
            words = {"text": text, "move": move, "when": self._round(state)}
            sums = {f"g{player}": rows for player, rows in enumerate(gold)}
            yield {**self._board(state), **self._table(state), **sums, **words}

    def turns(self) -> Iterator[tuple[int, str]]:
        """For each turn that was ended its last move and its sentences."""
        for each, (_, text, ended) in zip(self.played, self.sentences, strict=True):
            if ended:
                yield each.number, text

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
        facts = {f"h{number}": on[hex] for number, hex in enumerate(self.hexes) if hex in on}
        return facts | {f"t{number}": len(tiles) for number, tiles in enumerate(state.stock)}

    def _table(self, state: State) -> dict[str, Any]:
        """Whose turn it is, the cards face up, the marks of the boxes, what the players hold."""
        facts: dict[str, Any] = {
            "who": state.active,
            "cards": ", ".join(map(self.game.board.catalog.card_title, state.shown)),
            "won": list(self.game.score(state).winners) if state.is_over else [],
            "marks": [self.game.board.names(mask) for _, mask in marked_hexes(self.game, state)],
        }
        numbers = counts(self.game.ruleset, state)
        facts["marks"] += [[str(each.values[0])] for each in numbers if each.is_shared]
        for player, seat in enumerate(state.seats):
            if self.own_counts:
                own = (each for each in numbers if not each.is_shared)
                facts[f"n{player}"] = [each.values[player] for each in own]
            facts[f"s{player}"] = list(seat.supply)
            facts[f"l{player}"] = [[tile.kind, STATUSES.index(tile.status)] for tile in seat.tiles]
        return facts


def changes(frames: Iterator[Frame]) -> Iterator[dict[str, Any]]:
    """The first frame whole, then of each what is not as in the one before; None if it is gone."""
    before: Frame = {}
    for frame in frames:
        removed = {key: None for key in before if key not in frame}
        yield removed | {
            key: value for key, value in frame.items() if key not in before or before[key] != value
        }
        before = frame


ARRIVED, LEFT, LIFTED, MOVED = "came", "left", "lifted", "went"
Trail = tuple[str, tuple[int, ...]]
"""A sign and its hexes: one, or of `MOVED` two, from where to where."""
_LIFT = "lift"  # the verb of the language by which a piece is chosen that goes elsewhere


def trail_of(played: MatchMove) -> Iterator[Trail]:
    """The marks of one move, in the order of its events."""
    move = played.move
    if move.verb == _LIFT and move.hex >= 0:
        yield LIFTED, (move.hex,)
    for event in played.transition.events:
        yield from _marks(event)


def _marks(event: Event) -> Iterator[Trail]:
    if isinstance(event, Built):
        yield ARRIVED, (event.hex,)
    elif isinstance(event, Placed):
        yield from ((ARRIVED, (hex,)) for hex in bits(event.hexes))
    elif isinstance(event, Moved):
        yield MOVED, (event.origin, event.hex)
    elif isinstance(event, Swapped):
        yield MOVED, (event.origin, event.hex)
        yield MOVED, (event.hex, event.origin)
    elif isinstance(event, Removed | Stored):
        yield from ((LEFT, (hex,)) for hex in bits(event.hexes))
