"""What `play` and `replay` tell programs of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from kbrules.engine.game import Game
    from kbrules.game.state import State


def show_game_json(
    game: Game, state: State, moves: int, log: Path | None, findings: tuple[str, ...] = ()
) -> None:
    """Print where a game stands as JSON: its score sheet, who has won, and its log."""
    from kbrules.engine.logs.writing import player_name
    from kbrules.tools.reports.output_models import GameOutput, LineOutput, as_json

    sheet = game.score(state)
    lines = (
        LineOutput(rule=row[0].rule, title=row[0].title, gold=tuple(line.gold for line in row))
        for row in sheet.rows
    )
    output = GameOutput(
        players=game.players,
        moves=moves,
        over=state.is_over,
        lines=tuple(lines),
        totals=sheet.totals,
        winners=tuple(map(player_name, sheet.winners)) if state.is_over else (),
        log=log.as_posix() if log is not None else "",
        findings=findings,
    )
    typer.echo(as_json(output))
