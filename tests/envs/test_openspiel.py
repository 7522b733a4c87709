"""The game for OpenSpiel, held by OpenSpiel's own tests."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy
import pyspiel
import pytest

from kbrules.engine.setup import SetupError
from kbrules.envs.openspiel import NAME, SpielGame, SpielState, register
from kbrules.game.random import Random
from tests.envs.peers import BOXES, MIXES, one_seating, seatings
from tests.envs.whole_games import GAMES, file_of, played

register()
REWARDS = ("win", "share", "margin")


def game_of(boxes: tuple[str, ...], players: int, seed: int = 0) -> Any:
    """A table of some boxes; rewards take their turns."""
    reward = REWARDS[players % 3]
    text = f"boxes={'+'.join(boxes)},players={players},reward={reward},seed={seed}"
    return pyspiel.load_game(f"{NAME}({text})")


def after(game: Any, seed: int, moves: int) -> Any:
    """A state of a random game after so many moves."""
    state, random = game.new_initial_state(), Random(seed, "mover")
    for _ in range(moves):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        state.apply_action(actions[random.below(len(actions))])
    return state


def simulate(boxes: tuple[str, ...], players: int, serialize: bool) -> None:
    """What OpenSpiel tries with each of its games, which raises or ends the process."""
    game = game_of(boxes, players, players)
    pyspiel.random_sim_test(game, num_sims=1, serialize=serialize, verbose=False)


@pytest.mark.parametrize("boxes", (BOXES + MIXES)[::2], ids="+".join)
def test_random_games_pass(boxes: tuple[str, ...]) -> None:
    players = one_seating(boxes)
    simulate(boxes, players, players % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("serialize", [False, True])
@pytest.mark.parametrize("boxes", BOXES + MIXES, ids="+".join)
def test_random_games_pass_at_every_table(boxes: tuple[str, ...], serialize: bool) -> None:
    for players in seatings(boxes):
        simulate(boxes, players, serialize)


def test_a_playthrough_is_what_it_was() -> None:
    unchanged("base")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in GAMES if name != "base"])
def test_playthroughs_are_what_they_were(name: str) -> None:
    unchanged(name)


def unchanged(name: str) -> None:
    """Compare a game with how it is kept."""
    written = file_of(name).read_text(encoding="utf-8")
    assert played(name) == written, "run `python -m tests.envs.whole_games` if that is meant"


def enforced(game: Any) -> list[str]:
    """What OpenSpiel's tests of partial trees have against a game."""
    import unittest

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # their imports warn of libraries of others
        from open_spiel.integration_tests import api_test
    names = {"game_name": NAME, "game": game}
    case = type("OfOurGame", (api_test.EnforceAPIOnPartialTreeBase,), names)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun > 3
    return [text for _, text in (*result.errors, *result.failures)]


@pytest.mark.parametrize("players", [2, 5])
def test_their_tests_of_the_api_pass(players: int) -> None:
    assert enforced(game_of(("base", "crossroads"), players)) == []


def test_their_mcts_plays_it() -> None:
    """The one in Python: that in C++ ends the process for every game written in Python."""
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game(f"{NAME}(reward=margin)")
    random = numpy.random.RandomState(3)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = mcts.MCTSBot(game, 2.0, 3, evaluator, random_state=random)
    state, steps = game.new_initial_state(), 0
    while steps < 4:
        if state.is_chance_node():
            cards, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(cards, p=odds)))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            steps += 1


def test_states_are_kept_and_read_back() -> None:
    game = game_of(("base",), 2, 5)
    state = after(game, 1, 60)
    for twin in (
        state.clone(),
        game.deserialize_state(state.serialize()),
        pickle.loads(pickle.dumps(state)),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
    ):
        assert twin.position == state.position and twin.history() == state.history()
        twin.apply_action(twin.legal_actions()[0])
        assert twin.position != state.position


def test_what_is_seen_is_public_or_the_players_own() -> None:
    game = game_of(("base",), 2, 5)
    state = after(game, 2, 30)
    kinds = {
        "all": pyspiel.IIGObservationType(perfect_recall=False),
        "public": pyspiel.IIGObservationType(
            perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.NONE
        ),
        "own": pyspiel.IIGObservationType(
            perfect_recall=False,
            public_info=False,
            private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
        ),
    }
    observers = {name: game.make_py_observer(kind) for name, kind in kinds.items()}
    for observer in observers.values():
        observer.set_from(state, 1)
    assert (
        observers["all"].tensor.size
        == observers["public"].tensor.size + observers["own"].tensor.size
    )
    assert (observers["all"].dict["own"] == observers["own"].dict["own"]).all()
    assert "hand" not in observers["public"].string_from(state, 1).replace(" hand:", "")
    assert "unseen" in observers["own"].string_from(state, 1)


def test_actions_have_names_and_the_end_has_returns() -> None:
    game = game_of(("base",), 3, 2)
    state = after(game, 4, 5)
    player = state.current_player()
    names = [state.action_to_string(player, action) for action in state.legal_actions()]
    assert all(name.startswith("mandatory: build ") for name in names)
    over = after(game, 4, 5000)
    assert over.is_terminal() and sum(over.returns()) == pytest.approx(0)
    assert max(over.returns()) > 0


def test_wrong_parameters_and_actions_are_refused_as_openspiel_does() -> None:
    with pytest.raises((RuntimeError, pyspiel.SpielError), match="pieces"):
        pyspiel.load_game(f"{NAME}(pieces=3)")
    for parameters, kind in (
        ({"players": 9}, SetupError),
        ({"reward": "gold"}, ValueError),
        ({"setup": "nowhere"}, SetupError),
        ({"engine": "steam"}, ValueError),
    ):
        with pytest.raises(kind):
            SpielGame(parameters)
    state = after(game_of(("base",), 2), 1, 4)
    assert isinstance(state, SpielState)
    for action in (4805, 10**6, -1):
        with pytest.raises((RuntimeError, pyspiel.SpielError, ValueError, IndexError)):
            state.apply_action_with_legality_check(action)
