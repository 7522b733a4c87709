"""Rules that would go on for ever: each comes to an end by itself, and so does the game."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.engine.matches.match import play_to_end
from kbrules.lang.core import MAX_ROUNDS
from kbrules.tools.playing.bots import BOTS

MANIFEST = "format: 1\nid: fen\ntitle: The Fen\nneeds: [base]\n"
ENDLESS = {
    "a move that brings about the next": "    when move: move 1 from mine to buildable freely\n"
    "    action: move 1 from mine to buildable freely\n",
    "two that bring each other about": "    when place: remove 1 settlement from mine\n"
    "    when remove: place 1 settlement on buildable freely\n"
    "    action: remove 1 settlement from mine\n",
    "players who answer each other": "    action when build by others:\n"
    "        build 1 on buildable freely\n",
    "what always holds": "    whenever any(board): gain 1\n",
    "more rounds than can be": "    when build:\n"
    "        repeat count(board) * count(board) * count(board) times: gain 1\n",
}


BUSY = "    action:\n        repeat count(board) * count(board) times:\n            gain 1\n"


def _rules(folder: Path, body: str) -> kbrules.Ruleset:
    home = folder / "fen"
    (home / "rules").mkdir(parents=True)
    (home / "expansion.yaml").write_text(MANIFEST)
    (home / "rules" / "fen.kb").write_text(f'rule restless "Restless":\n    "On and on."\n{body}')
    return kbrules.load(folders=[home])


@pytest.mark.parametrize("body", ENDLESS.values(), ids=list(ENDLESS))
def test_what_would_go_on_for_ever_ends(tmp_path: Path, body: str) -> None:
    rules = _rules(tmp_path, body)
    game = kbrules.new_game(rules, players=2, seed=7, setup="first-game")
    assert play_to_end(game, 7, [BOTS["random"]] * 2).is_over


def test_a_computed_number_of_rounds_is_cut(tmp_path: Path) -> None:
    rules = _rules(tmp_path, BUSY)
    game = kbrules.new_game(rules, players=2, seed=7, setup="first-game")
    state, random = game.start(), kbrules.Random(7, "mine")
    while not (begun := [m for m in game.legal_moves(state) if m.rule == "restless"]):
        state = game.apply(state, game.legal_moves(state).sample(random))
    after = game.apply(state, begun[0])
    assert after.seats[state.active].gold - state.seats[state.active].gold == MAX_ROUNDS
