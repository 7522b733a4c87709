"""The catalogue of actions: complete, stable, with names both ways."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest

from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.engine.setup import choose_table, game_at, new_game
from kbrules.envs.actions import ActionKind, Actions, actions_of
from kbrules.game.moves import Move
from kbrules.game.random import Random
from kbrules.library.box import shipped_boxes
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from tests.equal.settings import HOUSE_BOXES, Mix, mix_of, of_each_mix, rules_of, setting_of

MOVES = 1500


@cache
def ruleset_of(*boxes: str) -> Ruleset:
    return load(*boxes)


def strangers(game: Game, seed: int, most: int = MOVES) -> set[tuple[str, str, bool]]:
    """The kinds of moves of a random game that have no number."""
    actions, random = actions_of(game), Random(seed, "mover")
    known, found = set(actions.kinds), set()
    play = game.playthrough(seed, PYTHON)
    while play.count and play.moves_made < most:
        for verb, rule, hexes, _ in play.moves.groups:
            kind = ActionKind(verb, rule, bool(hexes))
            if kind not in known:
                found.add(kind)
        play.choose(random.below(play.count))
    return found


@pytest.mark.parametrize("box", shipped_boxes())
def test_games_of_a_box_offer_nothing_else(box: str) -> None:
    boxes = dict.fromkeys(["base", box])
    ruleset = ruleset_of(*boxes)
    least, most = ruleset.parts.players
    for players in range(least, most + 1):
        game = new_game(ruleset, players, seed=players)
        assert strangers(game, players) == set()


@of_each_mix
def test_games_of_a_mix_offer_nothing_else(mix: int) -> None:
    for seed in range(25 * mix, 25 * mix + 25, 12):
        assert strangers(setting_of(seed, mix_of(25 * mix)).game(PYTHON), seed) == set()


@pytest.mark.parametrize("house", HOUSE_BOXES)
def test_games_of_other_rules_offer_nothing_else(house: str) -> None:
    for seed in range(3):
        game = setting_of(seed, HOUSE_BOXES[house]).game(PYTHON)
        assert strangers(game, seed) == set()


@pytest.mark.parametrize("mix", [Mix(("base",)), mix_of(75), HOUSE_BOXES["market"]], ids=str)
def test_numbers_names_moves_and_factors_are_one_to_one(mix: Mix) -> None:
    ruleset = rules_of(mix)
    actions = actions_of(new_game(ruleset, ruleset.parts.players[0], seed=1))
    numbers = range(len(actions))
    assert [actions.number(actions.move(n)) for n in numbers] == [*numbers]
    assert [actions.join(*actions.factors(n)) for n in numbers] == [*numbers]
    assert [actions.named(actions.name(n)) for n in numbers] == [*numbers]
    assert len({actions.name(n) for n in numbers}) == len(actions)


def test_cards_tiles_and_boards_do_not_change_the_numbers() -> None:
    ruleset = ruleset_of("base", "crossroads")
    catalogues = {id(actions_of(new_game(ruleset, 2, seed))) for seed in range(5)}
    assert len(catalogues) == 1
    again = load("base", "crossroads")
    assert again.digest == ruleset.digest
    assert actions_of(new_game(again, 3, 9)).kinds == actions_of(new_game(ruleset, 2, 0)).kinds


def test_it_is_the_same_whatever_the_order_of_hashes() -> None:
    program = (
        "import kbrules; from kbrules.envs.actions import actions_of; "
        "print(actions_of(kbrules.new_game(kbrules.load('base'))).kinds)"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_what_cannot_be_offered_has_no_number() -> None:
    game = new_game(ruleset_of("base"), 2, seed=1)
    actions = actions_of(game)
    for number in (-1, len(actions)):
        with pytest.raises(IndexError):
            actions.move(number)
    for move in (Move("build", "nobody", 0), Move("end", "turn", 3), Move("build", "mandatory")):
        with pytest.raises(KeyError):
            actions.number(move)
    with pytest.raises(KeyError):
        actions.named("nobody: build a1")
    for kind, place in ((0, len(actions.hexes)), (len(actions.kinds) - 1, 0), (-1, 0)):
        with pytest.raises(IndexError):
            actions.join(kind, place)


def test_a_mask_has_what_is_offered() -> None:
    game = game_at(ruleset_of("base"), choose_table(ruleset_of("base"), 2, 4))
    play = game.playthrough(4)
    actions = actions_of(game)
    mask = actions.mask(play.moves)
    assert mask.sum() == play.count
    assert {actions.move(number) for number in mask.nonzero()[0]} == {*play.moves}


def test_a_kind_that_is_left_out_is_missed() -> None:
    game = new_game(ruleset_of("base"), 2, seed=1)
    whole = actions_of(game)
    fewer = Actions([kind for kind in whole.kinds if kind.verb != "end"], game.board)
    key = next(key for key, each in game.ruleset.derived.items() if each is whole)
    game.ruleset.derived[key] = fewer
    try:
        assert strangers(game, 1) == {("end", "turn", False)}
    finally:
        game.ruleset.derived[key] = whole
