"""Tiny games of other kinds: one player and no piece, three players and two kinds of pieces."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.engine.matches import play_to_end
from kbrules.tools.bots import BOTS
from kbrules.tools.narration import evidence_text, legend, players_text, sheet_text

WALK = """\
format: 1
id: walk
title: The walk
players: {least: 1, most: 1}
table: {rows: 1, columns: 1}
section: {rows: 3, columns: 3}
terrains: {heath: {letter: H}}
sections:
  moor:
    rows: |
      H H H
       H H -
      H H H
"""
WALK_RULES = """\
memory walked: hexes of table "Where one has been."

rule turn "The walk":
    "Walk from hex to hex; it is over when no new hex lies beside the old ones."
    turn:
        mark 1 on board - walked as walked if none(walked)
        mark 1 on adjacent(walked) - walked as walked
        end game if none(adjacent(walked) - walked)
    win by count(walked)
"""
CROWD = """\
format: 1
id: crowd
title: The crowd
players: {least: 3, most: 3}
table: {rows: 1, columns: 2}
section: {rows: 3, columns: 3}
terrains: {heath: {letter: H}}
pieces:
  hut: {letter: h, title: hut, supply: 1}
  tent: {letter: t, title: tent, supply: 9}
sections:
  moor:
    rows: |
      H H H
       H H -
      H H H
  fell:
    rows: |
      H H H
       H H -
      - H H
"""
CROWD_RULES = """\
rule turn "The crowd":
    "Pitch a tent beside nobody else's; it is over when no hex is left."
    permit build on empty
    forbid build on adjacent(theirs)
    turn:
        build 1 tent
    when turn_end if none(empty - adjacent(occupied)): end game
    win by count(mine)
"""
GAMES = {"walk": (WALK, WALK_RULES), "crowd": (CROWD, CROWD_RULES)}


def folder(tmp_path: Path, name: str) -> Path:
    data, rules = GAMES[name]
    (tmp_path / "expansion.yaml").write_text(data)
    (tmp_path / f"{name}.kb").write_text(rules)
    return tmp_path


@pytest.mark.parametrize("bot", sorted(BOTS))
@pytest.mark.parametrize("name", sorted(GAMES))
def test_it_is_played_to_its_own_end(tmp_path: Path, name: str, bot: str) -> None:
    ruleset = kbrules.load(folders=[folder(tmp_path, name)])
    assert ruleset.boxes == (name,)
    players = ruleset.parts.players[0]
    for seed in range(6):
        game = kbrules.new_game(ruleset, players, seed)
        state = play_to_end(game, seed, [BOTS[bot]] * players)
        assert state.is_over and state.stage == ("over", 0)
        sheet = game.score(state)
        assert sheet.winners and sheet.totals == (0,) * players
        if name == "walk":
            assert sheet.win_values == (game.board.grid.size,)
        else:
            assert sheet.win_values == tuple(seat.all.bit_count() for seat in state.seats)


def test_a_player_without_anything_is_not_listed(tmp_path: Path) -> None:
    game = kbrules.new_game(kbrules.load(folders=[folder(tmp_path, "walk")]), 1, 1)
    state = game.start()
    assert (players_text(game, state), legend(game, state)) == ("", "H heath")
    sheet = game.score(state)
    assert sheet_text(game, sheet) == "             a\nThe walk     0\nahead: a"
    assert evidence_text(game, sheet) == ""
