"""A board drawn in a file, with what is to be so beside it, as a position of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kbrules.diagnostics import Diagnostic, quoted, suggest
from kbrules.engine.game import Game
from kbrules.game.state import State
from kbrules.library.boards.positions import Position, parse_position
from kbrules.library.reading import read_source
from kbrules.library.ruleset import Ruleset
from kbrules.plan.limits import MAX_FIRINGS
from kbrules.scenario.setup.position_edits import (
    enter_stage,
    has_actions,
    place_all_pieces,
    show_cards,
)
from kbrules.text import Source, Span

__all__ = ["DrawnTurn", "drawn_position"]

_FEWEST = 2
_LETTERS = re.compile(r"^ +a( +[a-z]{1,2})* *$")
_NUMBERED = re.compile(r"^ {0,1}(\d{1,2} )(?=.)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DrawnTurn:
    """What a drawing cannot say: the card played, the scoring cards, the player to move."""

    played: str = ""
    cards: tuple[str, ...] = ()
    player: int = 0


Laid = tuple[Game, State]


def drawn_position(
    ruleset: Ruleset, file: Path, wish: DrawnTurn
) -> tuple[Laid | None, list[Diagnostic]]:
    """The game and the state that a file draws, at the actions of a player's turn."""
    source, found = read_source(file)
    if source is None:
        return None, found
    position, found = parse_position(ruleset.catalog, _unframed(source))
    found += _unknown(ruleset, wish)
    if position is None or found:
        return None, found
    return _laid(ruleset, position, wish), []


def _unframed(source: Source) -> Span | str:
    """The drawing; without the column letters and row numbers that `play` prints round a board."""
    first, _, rest = source.text.partition("\n")
    if not _LETTERS.match(first):
        return source.whole()
    return _NUMBERED.sub(lambda match: " " * len(match[0]), rest)


def _unknown(ruleset: Ruleset, wish: DrawnTurn) -> list[Diagnostic]:
    found = []
    for card in wish.cards:
        if card not in ruleset.catalog.cards:
            found.append(_unheard("card", card, ruleset.catalog.cards))
    if wish.played and ruleset.catalog.card_named(wish.played) is None:
        found.append(_unheard("terrain card", wish.played, ruleset.move_words.cards))
    return found


def _unheard(noun: str, name: str, known: tuple[str, ...]) -> Diagnostic:
    near = suggest(name, known)
    help = f"did you mean {quoted(near)}?" if near else "there is " + ", ".join(sorted(known))
    message = f"there is no {noun} {quoted(name)}"
    return Diagnostic("KB413", Span.none("command line"), message, help)


def _laid(ruleset: Ruleset, position: Position, wish: DrawnTurn) -> Laid:
    owners = [owner for owner, _ in position.pieces]
    least = max(ruleset.parts.players[0], _FEWEST)
    players = max([least, wish.player + 1, *(owner + 1 for owner in owners)])
    game = Game(ruleset, position.board, players, wish.cards)
    draft = game.empty()
    place_all_pieces(draft, game.board, position.pieces)
    card = ruleset.catalog.card_named(wish.played) if wish.played else None
    show_cards(draft, () if card is None else (card,))
    stage = "actions" if has_actions(ruleset) else "start"
    enter_stage(draft, ruleset, stage, wish.player)
    draft.firings = MAX_FIRINGS + 1  # nothing shall change what is drawn
    return game, game.run_to_decision(draft)
