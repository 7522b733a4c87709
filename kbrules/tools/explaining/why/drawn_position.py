"""A board drawn in a file, with what is to be so beside it, as a position of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from kbrules.diagnostics import Diagnostic, did_you_mean, quoted
from kbrules.engine.game import Game
from kbrules.game.state import State
from kbrules.library.boards.positions import Position, parse_position
from kbrules.library.reading import read_source
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import MAX_FIRINGS
from kbrules.scenario.position import (
    enter_stage,
    has_actions,
    place_all_pieces,
    show_cards,
)
from kbrules.text import Source, Span

_FEWEST = 2
_LETTERS = re.compile(r"^ +a( +[a-z]{1,2})* *$")
_NUMBERED = re.compile(r"^ {0,1}(\d{1,2} )(?=.)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DrawnTurn:
    """What a drawing cannot say: the card played, the scoring cards, the player to move."""

    played: str = ""
    cards: tuple[str, ...] = ()
    player: int = 0


GameAndState = tuple[Game, State]


def drawn_position(
    ruleset: Ruleset, file: Path, turn: DrawnTurn
) -> tuple[GameAndState | None, list[Diagnostic]]:
    """The game and the state that a file draws, at the actions of a player's turn."""
    source, findings = read_source(file)
    if source is None:
        return None, findings
    position, findings = parse_position(ruleset.catalog, _without_frame(source))
    findings += _unknown_names(ruleset, turn)
    if position is None or findings:
        return None, findings
    return _set_up(ruleset, position, turn), []


def _without_frame(source: Source) -> Span | str:
    """The drawing; without the column letters and row numbers that `play` prints round a board."""
    first, _, rest = source.text.partition("\n")
    if not _LETTERS.match(first):
        return source.whole()
    return _NUMBERED.sub(lambda match: " " * len(match[0]), rest)


def _unknown_names(ruleset: Ruleset, turn: DrawnTurn) -> list[Diagnostic]:
    findings = []
    for card in turn.cards:
        if card not in ruleset.catalog.cards:
            findings.append(_unknown_name("card", card, ruleset.catalog.cards))
    if turn.played and ruleset.catalog.card_named(turn.played) is None:
        findings.append(_unknown_name("terrain card", turn.played, ruleset.move_words.cards))
    return findings


def _unknown_name(noun: str, name: str, known: tuple[str, ...]) -> Diagnostic:
    help = did_you_mean(name, known, "there is " + ", ".join(sorted(known)))
    message = f"there is no {noun} {quoted(name)}"
    return Diagnostic("KB413", Span.none("command line"), message, help)


def _set_up(ruleset: Ruleset, position: Position, turn: DrawnTurn) -> GameAndState:
    owners = [owner for owner, _ in position.pieces]
    fewest = max(ruleset.parts.players[0], _FEWEST)
    players = max([fewest, turn.player + 1, *(owner + 1 for owner in owners)])
    game = Game(ruleset, position.board, players, turn.cards)
    draft = game.empty()
    place_all_pieces(draft, game.board, position.pieces)
    card = ruleset.catalog.card_named(turn.played) if turn.played else None
    show_cards(draft, () if card is None else (card,))
    stage = "actions" if has_actions(ruleset) else "start"
    enter_stage(draft, ruleset, stage, turn.player)
    draft.firings = MAX_FIRINGS + 1  # nothing shall change what is drawn
    return game, game.run_to_decision(draft)
