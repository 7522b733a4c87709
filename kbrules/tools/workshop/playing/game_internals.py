"""What a game looks like inside: its state fact by fact, half-done rules, events, the deck."""

from __future__ import annotations

import json
from typing import Any

from kbrules.engine.logs.writing import player_name
from kbrules.game.state import Frame, State
from kbrules.tools.workshop.playing.table import GameInProgress

_SHOWN_APART = {"cache", "seats", "stack"}
MAX_EVENTS = 40  # the last ones


def game_internals(play: GameInProgress) -> dict[str, Any]:
    """All of it in values of JSON, read from the one state of the game."""
    state = play.match.state
    return {
        "seed": play.seating.seed,
        "state": [[name, str(getattr(state, name))] for name in _facts(state)],
        "seats": [[player_name(at), str(seat)] for at, seat in enumerate(state.seats)],
        "stack": [_frame(frame) for frame in state.stack],
        "events": _events(play),
        "cards": _cards(play),
    }


def _facts(state: State) -> list[str]:
    return [name for name in state.__slots__ if name not in _SHOWN_APART]


def _frame(frame: Frame) -> str:
    """A half-done rule: where it is, and what it has bound."""
    parts = [f"{frame.block}, statement {frame.pc}, of {player_name(frame.me)}"]
    parts += [f"{name} = {value}" for name, value in frame.env.items()]
    parts += [str(frame.loop)] if frame.loop is not None else []
    return "; ".join(parts)


def _events(play: GameInProgress) -> list[str]:
    """The last events, the newest first, each behind its move."""
    rows = [json.loads(line) for line in play.lines[1:]][-MAX_EVENTS:]
    lines = [
        f"{row['number']} {row['move']}: {json.dumps(event)}"
        for row in rows
        for event in row["events"]
    ]
    return lines[::-1][:MAX_EVENTS]


def _cards(play: GameInProgress) -> list[str]:
    catalog = play.game.board.catalog
    return [catalog.card_name(card) for card in range(len(catalog.deck))]
