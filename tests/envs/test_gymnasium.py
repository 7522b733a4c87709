"""The environments for Gymnasium: held by its own checker, and by one another."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from kbrules.envs import gymnasium as environments
from kbrules.envs.gymnasium import GameEnv, GameVectorEnv
from kbrules.envs.session import IllegalAction
from kbrules.game.moves import Move, MoveSet
from kbrules.tools.bots import UnknownBot
from tests.envs.peers import BOXES, MIXES, seatings

Observation = dict[str, Any]


def some_action(observation: Observation, number: int) -> int:
    """A legal action: the one with a number, counted round."""
    legal = observation["action_mask"].nonzero()[0]
    return int(legal[number % len(legal)])


def checked(env: GameEnv) -> None:
    """Gymnasium's checker finds nothing wrong, and does not even warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for excused in (".*different from the unwrapped version", "The environment.*spec"):
            warnings.filterwarnings("ignore", message=excused)
        check_env(env, skip_render_check=True)


def test_the_checker_finds_nothing() -> None:
    checked(GameEnv())


@pytest.mark.parametrize("boxes", BOXES, ids="+".join)
def test_the_checker_finds_nothing_for_every_box(boxes: tuple[str, ...]) -> None:
    for players in seatings(boxes):
        checked(GameEnv(boxes, players, seat=None))


@pytest.mark.parametrize("boxes", MIXES, ids="+".join)
def test_the_checker_finds_nothing_for_mixes(boxes: tuple[str, ...]) -> None:
    for players in seatings(boxes):
        checked(GameEnv(boxes, players))


def played(env: GameEnv, seed: int) -> tuple[float, Observation]:
    """A whole game: its reward and the last info."""
    observation, _ = env.reset(seed=seed)
    for number in range(2000):
        observation, reward, over, truncated, info = env.step(some_action(observation, number))
        assert not truncated and (reward == 0 or over)
        if over:
            return reward, info
    raise AssertionError("the game does not end")


def test_any_bot_is_an_opponent() -> None:
    deciders = []

    def first(game: Any, state: Any, moves: MoveSet, random: Any) -> Move:
        deciders.append(moves.player)
        return moves[0]

    for opponents in ("greedy", first, ["greedy", first]):
        several = 3 if isinstance(opponents, list) else 2
        reward, info = played(GameEnv(players=several, opponents=opponents, reward="margin"), 5)
        totals = info["totals"]
        assert reward == pytest.approx((totals[0] - max(totals[1:])) / 100)
    assert set(deciders) == {1, 2}


def test_the_seat_changes_with_the_game() -> None:
    env = GameEnv(seat=None)
    assert [env.reset(seed=seed)[1]["seat"] for seed in range(4)] == [0, 1, 0, 1]


def test_an_illegal_action_ends_the_episode_with_a_penalty() -> None:
    env = GameEnv()
    env.reset(seed=1)
    _, reward, over, _, info = env.step(env.action_space.n - 1)  # type: ignore[attr-defined]
    assert (reward, over, info["illegal"]) == (-1, True, True)
    with pytest.raises(ResetNeeded):
        env.step(0)


@pytest.mark.parametrize("action", [-1, 10**9, 1.5, "first", None])
def test_what_is_no_action_is_refused_and_changes_nothing(action: Any) -> None:
    env = GameEnv()
    observation, _ = env.reset(seed=1)
    with pytest.raises(IllegalAction, match="is not in Discrete"):
        env.step(action)
    assert env.step(some_action(observation, 0))[2] is False


def test_it_must_be_reset_first_and_after_the_end() -> None:
    env = GameEnv(render_mode="ansi")
    for use in (lambda: env.step(0), env.render):
        with pytest.raises(ResetNeeded):
            use()
    played(env, 1)
    with pytest.raises(ResetNeeded):
        env.step(0)
    assert "settlement" in env.render()


def test_wrong_settings_are_said_at_once() -> None:
    with pytest.raises(UnknownBot):
        GameEnv(opponents="greedi")
    with pytest.raises(ValueError, match="need 2 opponents, not 1"):
        GameEnv(players=3, opponents=["random"])
    with pytest.raises(ValueError, match="1 to 4 tables"):
        GameVectorEnv(4, tables=5)
    with pytest.raises(ValueError, match="not 'greedy'"):
        GameVectorEnv(4, opponents="greedy")


def test_gymnasium_makes_them() -> None:
    environments.register()
    try:
        env = gymnasium.make("kbrules-v0", opponents="random", disable_env_checker=True)
        assert env.reset(seed=1)[1]["seat"] == 0
        several = gymnasium.make_vec(
            "kbrules-v0", num_envs=3, vectorization_mode="vector_entry_point"
        )
        assert isinstance(several.unwrapped, GameVectorEnv) and several.num_envs == 3
    finally:
        del gymnasium.registry["kbrules-v0"]


def alike(one: Observation, other: Observation, at: int) -> bool:
    return all((one[name] == other[name][at]).all() for name in one)


@pytest.mark.parametrize("players", [2, 3])
def test_many_side_by_side_are_the_same_games_as_one_by_one(players: int) -> None:
    """Against random bots, seat by seat, on two tables, through the ends of games."""
    several = GameVectorEnv(4, players=players, tables=2, table_seed=7, reward="share")
    seats = [at % players for at in range(4)]
    alone = [
        GameEnv(players=players, seat=seats[at], table_seed=7 + at // 2, reward="share")
        for at in range(4)
    ]
    observation, infos = several.reset(seed=100)
    assert infos["seat"].tolist() == seats
    ones = [env.reset(seed=100 + at)[0] for at, env in enumerate(alone)]
    over, next_seed, ends = [False] * 4, 104, 0
    for number in range(260):
        assert all(alike(ones[at], observation, at) for at in range(4))
        actions = [0 if over[at] else some_action(ones[at], number) for at in range(4)]
        observation, rewards, terminated, truncated, infos = several.step(numpy.array(actions))
        for at, env in enumerate(alone):
            reward = 0.0
            if over[at]:
                ones[at], over[at] = env.reset(seed=next_seed)[0], False
                next_seed += 1
            else:
                ones[at], reward, over[at], _, info = env.step(actions[at])
                if over[at]:
                    assert infos["_totals"][at] and tuple(infos["totals"][at]) == info["totals"]
                    ends += 1
            assert (rewards[at], terminated[at], truncated[at]) == (reward, over[at], False)
    assert ends > 3


def test_the_spaces_hold_what_is_seen() -> None:
    env = GameVectorEnv(3)
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space and env.action_space.sample() in env.action_space
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP
    for seat in range(3):
        own = {name: array[seat] for name, array in observation.items()}
        assert own in env.single_observation_space


def test_a_policy_takes_the_other_seats() -> None:
    def first(observation: Observation) -> Any:
        assert observation["action_mask"].any(1).all() and (observation["numbers"][:, 1] == 1).all()
        return observation["action_mask"].argmax(1)

    env = GameVectorEnv(6, players=3, opponents=first, reward="margin")
    observation, infos = env.reset(seed=1)
    ends = 0
    for _ in range(400):
        assert (observation["numbers"][:, 0] == infos["seat"]).all()
        observation, rewards, over, _, infos = env.step(first_of(observation))
        ends += int(over.sum())
        if over.any():
            totals = infos["totals"][over]
            own = totals[numpy.arange(len(totals)), infos["seat"][over]]
            others = numpy.sort(totals, 1)
            best = numpy.where(own == others[:, -1], others[:, -2], others[:, -1])
            assert rewards[over] == pytest.approx((own - best) / 100)
    assert ends > 5


@pytest.mark.parametrize("chosen", [-1, 0.5, None], ids=str)
def test_a_policy_that_gives_no_actions_is_refused(chosen: Any) -> None:
    env = GameVectorEnv(4, opponents=lambda seen: numpy.array([chosen] * len(seen["numbers"])))
    with pytest.raises(IllegalAction, match="one whole number per game"):
        observation, _ = env.reset(seed=1)
        for _ in range(20):
            observation, *_ = env.step(first_of(observation))


def first_of(observation: Observation) -> Any:
    """The first legal action of each game; 0 in a game that is over."""
    return observation["action_mask"].argmax(1)


def test_every_seat_may_learn() -> None:
    env = GameVectorEnv(4, opponents="nobody")
    observation, infos = env.reset(seed=1)
    seats = set()
    for _ in range(300):
        seats |= {*infos["seat"].tolist()}
        assert (observation["numbers"][:, 0] == infos["seat"]).all()
        observation, rewards, over, _, infos = env.step(first_of(observation))
        assert (rewards[~over] == 0).all()
    assert seats == {0, 1}


def test_an_illegal_action_ends_only_its_own_game() -> None:
    env = GameVectorEnv(3)
    observation, _ = env.reset(seed=1)
    actions = first_of(observation)
    actions[1] = len(observation["action_mask"][1]) - 1
    observation, rewards, over, _, _ = env.step(actions)
    assert rewards.tolist() == [0, -1, 0] and over.tolist() == [False, True, False]
    observation, rewards, over, _, _ = env.step(first_of(observation))
    assert rewards.tolist() == [0, 0, 0] and not over.any()


@pytest.mark.parametrize(
    "actions", [[0, 0], [0, 0, -1], [0, 0, 10**9], [0.0, 0.0, 0.0], ["a", "b", "c"], None]
)
def test_what_are_no_actions_is_refused_before_anything_is_done(actions: Any) -> None:
    env = GameVectorEnv(3)
    observation, _ = env.reset(seed=1)
    with pytest.raises(IllegalAction):
        env.step(actions)
    legal = first_of(observation)
    assert not env.step(legal)[2].any()
    with pytest.raises(ResetNeeded):
        GameVectorEnv(3).step(legal)


def test_the_growth_of_the_margin_adds_up_to_it() -> None:
    env = GameVectorEnv(5, reward="growth")
    observation, _ = env.reset(seed=3)
    reward, ends, over = numpy.zeros(5), 0, numpy.zeros(5, bool)
    for _ in range(200):
        begun = over
        observation, rewards, over, _, infos = env.step(first_of(observation))
        assert (rewards[begun] == 0).all()
        reward = numpy.where(begun, 0, reward) + rewards
        for game in over.nonzero()[0]:
            own, seat = infos["totals"][game], infos["seat"][game]
            assert reward[game] == pytest.approx((own[seat] - own[1 - seat]) / 100)
            ends += 1
    assert ends > 5
    with pytest.raises(ValueError, match="growth"):
        GameVectorEnv(2, opponents="nobody", reward="growth")
