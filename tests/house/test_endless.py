"""Rules that would go on for ever: each comes to an end by itself, and so does the game."""

from __future__ import annotations

from pathlib import Path

import pytest

import kbrules
from kbrules.engine.configuration import NATIVE, PYTHON, REFERENCE
from kbrules.engine.game import Game
from kbrules.engine.matches import Match, play_to_end
from kbrules.engine.setup import new_game
from kbrules.game.events import CutOff, Died
from kbrules.lang.typed import MAX_ROUNDS
from kbrules.plan.plan import CUT_OFF
from kbrules.tools.bots import BOTS
from kbrules.tools.narration import Narrator, sheet_text
from kbrules.tools.why.questions import AboutGold
from kbrules.tools.why.report import answer, gold_lines
from tests.equal.games import Pair, Tally

MANIFEST = "format: 1\nid: fen\ntitle: The Fen\nneeds: [base]\n"
ENDLESS = {
    "a move that brings about the next": "    when move: move 1 from mine to buildable freely\n"
    "    action: move 1 from mine to buildable freely\n",
    "two that bring each other about": "    when place: remove 1 settlement from mine\n"
    "    when remove: place 1 settlement on buildable freely\n"
    "    action: remove 1 settlement from mine\n",
    "players who answer each other": "    action when build by others:\n"
    "        build 1 on buildable freely\n",
    "what always holds": "    whenever cards(deck) >= 0: gain 1\n",
    "no card that could be used": "    forbid build on board if count(mine) > 2\n",
    "more rounds than can be": "    when build:\n"
    "        repeat count(board) * count(board) * count(board) times: gain 1\n",
}
LIMITS = {
    "a move that brings about the next": "nesting",
    "two that bring each other about": "nesting",
    "players who answer each other": "nesting",
    "what always holds": "firings",
    "no card that could be used": "redraw",
    "more rounds than can be": "rounds",
}
"""The limit that each of them meets."""
EACH = pytest.mark.parametrize("name", ENDLESS)

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


def _played(game: Game) -> Match:
    return Match(game, 7, [BOTS["random"]] * 2)


@EACH
def test_a_limit_that_is_met_is_told_in_the_log_the_story_why_and_the_sheet(
    tmp_path: Path, name: str
) -> None:
    rules = _rules(tmp_path, ENDLESS[name])
    game = kbrules.new_game(rules, players=2, seed=7, setup="first-game")
    story = Narrator(game)
    lines, met = [], []
    for played in _played(game):
        met += [event for event in played.transition.events if isinstance(event, CutOff)]
        lines.append(story.add(played) or "")
        if met:
            break
    told, state = CUT_OFF[LIMITS[name]], played.transition.state
    assert {event.limit for event in met} == {LIMITS[name]}
    assert told in "\n".join([*lines, story.so_far])
    assert f"cut off: {told}" in sheet_text(game, game.score(state)).replace("\n", " ")
    assert told in "\n".join(gold_lines(answer(game, state, AboutGold(0, None))))


@EACH
@pytest.mark.parametrize("engine", [PYTHON, pytest.param(NATIVE, marks=pytest.mark.slow)])
def test_engines_agree_on_what_is_cut_off(tmp_path: Path, name: str, engine: str) -> None:
    if engine == NATIVE:
        pytest.importorskip("numba", reason="the extra `fast` is not installed")
    rules = _rules(tmp_path, ENDLESS[name])
    games = [new_game(rules, 2, 7, "first-game", engine=each) for each in (engine, REFERENCE)]
    pair = Pair(*games, 8, Tally())
    while not pair.after.cut and not pair.after.is_over:
        pair.play(pair.number + 60)
    assert pair.after.cut


def test_a_redraw_never_throws_the_deck_away(tmp_path: Path) -> None:
    rules = _rules(tmp_path, ENDLESS["no card that could be used"])
    game = kbrules.new_game(rules, players=2, seed=7, setup="first-game")
    for number, played in enumerate(_played(game)):
        state = played.transition.state
        assert not any(isinstance(event, Died) for event in played.transition.events)
        assert sum(state.piles[2]) == 0
        if number == 60:
            return


def test_nothing_is_cut_off_in_a_game_of_the_shipped_rules() -> None:
    game = kbrules.new_game(kbrules.load("base"), players=2, seed=7)
    assert play_to_end(game, 7, [BOTS["random"]] * 2).cut == 0
