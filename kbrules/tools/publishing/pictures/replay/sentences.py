"""A game in plain sentences: who did what, where, by which rule, in the titles of the boxes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import MatchMove
from kbrules.game.board import NONE
from kbrules.game.events import (
    Built,
    Event,
    GameOver,
    Moved,
    Placed,
    Removed,
    Stored,
    Swapped,
    TurnEnded,
)
from kbrules.game.moves import CHANCE, Move
from kbrules.primitives.vocabulary import TILE_KINDS
from kbrules.tools.playing.narration import Narrator

_PREPOSITIONS = {
    "across",
    "along",
    "around",
    "by",
    "from",
    "over",
    "through",
    "under",
    "via",
    "with",
}
"""A title that begins with one of these goes on a sentence as it is."""
_VERBS = {
    "build": "builds", "choose": "chooses", "lift": "lifts", "mark": "marks", "stop": "stops",
    "use": "uses", "remove": "removes", "store": "stores", "place": "places", "swap": "swaps",
    "move": "moves", "end": "ends",
}  # fmt: skip
_END_VERB = "end"
_EMPTY_TURN = "A turn without a choice."


class _MoveSentence(NamedTuple):
    """A sentence in three parts: what is done, where, and how. Equal ones are joined."""

    what: str
    where: str = ""
    how: str = ""

    @property
    def is_lift(self) -> bool:
        """Whether a piece was lifted that goes elsewhere next."""
        return self.what.endswith(f" {_VERBS['lift']}")


class SentenceWriter:
    """Writes a sentence for each move; those of a turn are joined until it ends."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._narrator = Narrator(game)
        self._turn: list[_MoveSentence] = []
        self._outcomes: list[_MoveSentence] = []

    def add(self, played: MatchMove) -> tuple[str, str, bool]:
        """The sentence of a move, those of its turn so far, and whether the turn ended with it."""
        events = played.transition.events
        decisions, outcomes = (
            list(self._decision(played)),
            [_MoveSentence(text) for text in self._texts_of(events)],
        )
        if played.player != CHANCE:
            self._add_to_turn(decisions)
        self._outcomes += outcomes
        move = _joined([*decisions, *outcomes])
        turn = _joined(self._turn + self._outcomes) or move
        ended = any(isinstance(event, TurnEnded | GameOver) for event in events)
        if ended:
            self._turn, self._outcomes = [], []
        return move, turn or _EMPTY_TURN, ended

    def _add_to_turn(self, decisions: list[_MoveSentence]) -> None:
        """Add to the turn; a piece that goes somewhere was lifted, which need not be told too."""
        if decisions and self._turn and self._turn[-1].is_lift:
            self._turn.pop()
        self._turn += decisions

    def _texts_of(self, events: tuple[Event, ...]) -> Iterator[str]:
        for event in events:
            yield from self._narrator.event_texts(event)

    def _decision(self, played: MatchMove) -> Iterator[_MoveSentence]:
        """What was decided: by what came of it, or else by the move itself."""
        move = played.move
        if played.player == CHANCE:
            yield _MoveSentence(f"{self._game.board.catalog.card_title(move.hex)} is drawn")
            return
        changes = [sentence for e in played.transition.events for sentence in self._change(e, move)]
        who = player_name(played.player)
        if changes:
            yield from changes
        elif move.verb != _END_VERB:
            yield _MoveSentence(f"{who} {self._choice(move)}", *self._place(move))

    def _change(self, event: Event, move: Move) -> Iterator[_MoveSentence]:
        """A change of the board that a sentence tells."""
        how = self._how(move.rule)
        if isinstance(event, Built | Placed):
            yield _MoveSentence(f"{self._who(event)} builds{self._piece(event.piece)} on",
                        self._name(event.hex), how)  # fmt: skip
        elif isinstance(event, Moved):
            places = f"{self._name(event.origin)} to {self._name(event.hex)}"
            yield _MoveSentence(f"{self._who(event)} moves{self._piece(event.piece)}", places, how)
        elif isinstance(event, Swapped):
            places = f"{self._name(event.origin)} and {self._name(event.hex)}"
            yield _MoveSentence(f"{self._who(event)} swaps", places, how)
        elif isinstance(event, Removed | Stored):
            piece = self._piece(event.piece) or " a piece"
            yield _MoveSentence(f"{self._who(event)} takes{piece} from", self._name(event.hex), how)

    def _who(self, event: Built | Placed | Moved | Swapped | Removed | Stored) -> str:
        return player_name(event.player) if event.player >= 0 else "nobody"

    def _piece(self, piece: int) -> str:
        """A piece by its title, if it is none of the first kind, of which most are."""
        return f" a {self._game.board.catalog.pieces[piece].title}" if piece else ""

    def _choice(self, move: Move) -> str:
        """What was chosen without a change of the board."""
        verb = _VERBS.get(move.verb, f"{move.verb}s")
        return verb if move.hex != NONE else f"{verb} {self._title(move.rule)}"

    def _place(self, move: Move) -> tuple[str, str]:
        return (self._name(move.hex), self._how(move.rule)) if move.hex != NONE else ("", "")

    def _how(self, id: str) -> str:
        """By which rule: a tile by its title, a rule whose title says a way by that."""
        rule, title = self._game.ruleset.rule(id), self._title(id)
        if rule is not None and rule.kind in TILE_KINDS:
            return f"with {title}"
        word = title.split(" ")[0].lower()
        return word + title[len(word) :] if word in _PREPOSITIONS else ""

    def _title(self, id: str) -> str:
        """What players call a rule, a terrain or a tile; an id that is none of these as words."""
        rule = self._game.ruleset.rule(id)
        if rule is not None:
            return rule.title or rule.id
        catalog = self._game.board.catalog
        titles = {kind.id: kind.title for kind in catalog.hexes}
        titles |= {tile.id: tile.title for tile in catalog.tiles}
        return titles.get(id, id.replace("_", " "))

    def _name(self, hex: int) -> str:
        return self._game.board.grid.name(hex)


def _joined(sentences: list[_MoveSentence]) -> str:
    """Sentences in a row; those that differ in the place alone are one."""
    groups: list[tuple[_MoveSentence, list[str]]] = []
    for each in sentences:
        if groups and groups[-1][0][::2] == each[::2]:
            groups[-1][1].append(each.where)
        else:
            groups.append((each, [each.where]))
    parts = [_sentence(first, places) for first, places in groups]
    return f"{'; '.join(parts)}." if parts else ""


def _sentence(sentence: _MoveSentence, places: list[str]) -> str:
    """What was done at some places, or so many times at none."""
    times = f"({len(places)} times)" if not sentence.where and len(places) > 1 else ""
    return " ".join(filter(None, (sentence.what, _listed(places), sentence.how, times)))


def _listed(words: list[str]) -> str:
    """Words as a list in a sentence."""
    if len(words) < 2 or not words[0]:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"
