"""Settings of environments: wrong ones and missing libraries are refused by name."""

from __future__ import annotations

import sys
from copy import deepcopy
from importlib.util import find_spec, module_from_spec
from typing import Any

import numpy
import pytest

from kbrules.envs.gymnasium import GameEnv, GameVectorEnv
from kbrules.envs.pettingzoo import raw_env
from kbrules.tools.processes import MissingExtra

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"boxes": "base"}, "`boxes` is a sequence of texts, not 'base'"),
    ({"boxes": [1]}, "`boxes` is a sequence of texts"),
    ({"cards": "lords"}, "`cards` is a sequence of texts"),
    ({"cards": None}, "`cards` is a sequence of texts"),
    ({"folders": "mine"}, "`folders` is a sequence of texts"),
    ({"options": ["dawn"]}, "`options` maps names to values"),
    ({"players": "2"}, "`players` is a whole number, not '2'"),
    ({"players": 2.0}, "`players` is a whole number, not 2.0"),
    ({"players": -1}, "`players` is 0 or more"),
    ({"table_seed": -1}, "`table_seed` is 0 or more"),
    ({"table_seed": "1"}, "`table_seed` is a whole number"),
]
RENDERED: list[tuple[dict[str, Any], str]] = [
    ({"render_mode": "gif"}, "`render_mode` is one of human, ansi, rgb_array, not 'gif'"),
    ({"engine": "quick"}, "`engine` is one of python, native, not 'quick'"),
    ({"engine": "reference"}, "`engine` is one of python, native"),
]
SEATS: list[tuple[dict[str, Any], str]] = [
    ({"seat": 2}, "`seat` is 0 to 1 of 2 players, not 2"),
    ({"seat": -1}, "`seat` is 0 or more, not -1"),
    ({"seat": "first"}, "`seat` is a whole number"),
]


@pytest.mark.parametrize("environment", [raw_env, GameEnv, GameVectorEnv])
@pytest.mark.parametrize(("given", "message"), WRONG, ids=str)
def test_settings_of_the_table(environment: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        environment(**given)


@pytest.mark.parametrize("environment", [raw_env, GameEnv])
@pytest.mark.parametrize(("given", "message"), RENDERED, ids=str)
def test_engines_and_ways_to_render(environment: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        environment(**given)


@pytest.mark.parametrize("environment", [GameEnv, GameVectorEnv])
@pytest.mark.parametrize(("given", "message"), SEATS, ids=str)
def test_seats(environment: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        environment(**given)


@pytest.mark.parametrize("opponents", [3, [3], None, {"random"}], ids=str)
def test_opponents(opponents: Any) -> None:
    for environment in (GameEnv, GameVectorEnv):
        with pytest.raises(ValueError, match="opponent"):
            environment(opponents=opponents)


@pytest.mark.parametrize("given", [{"num_envs": 0}, {"tables": 0}, {"num_envs": 1.5}], ids=str)
def test_numbers_of_games(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"`{next(iter(given))}` is"):
        GameVectorEnv(**given)


def test_numbers_of_numpy_are_numbers() -> None:
    env = GameEnv(players=numpy.int64(3), seat=numpy.int8(2), table_seed=numpy.int64(4))
    assert env.reset(seed=1)[1]["seat"] == 2


def test_a_card_named_twice_lies_on_the_table_once() -> None:
    cards = GameEnv().tables.game(0).cards
    assert GameEnv(cards=(cards[1], cards[1])).tables.game(0).cards == (
        cards[1],
        cards[0],
        cards[2],
    )


@pytest.mark.parametrize("seed", [-5, 1.5, "first"], ids=str)
def test_seeds_of_pettingzoo(seed: Any) -> None:
    with pytest.raises(ValueError, match="`seed` is"):
        raw_env().reset(seed=seed)


def test_pettingzoo_without_its_wrappers_says_what_is_missing() -> None:
    game = raw_env()
    for use in (lambda: game.step(0), game.last):
        with pytest.raises(RuntimeError, match="reset the environment"):
            use()
    game.reset(seed=1)
    for agent in game.agent_iter():
        over = game.terminations[agent]
        game.step(None if over else int(game.infos[agent]["action_mask"].argmax()))
    with pytest.raises(RuntimeError, match="the game is over"):
        game.step(0)


@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_copy_plays_on_by_itself(engine: str) -> None:
    env = GameEnv(engine=engine)
    observation, _ = env.reset(seed=1)
    other = deepcopy(env)
    first, last = observation["action_mask"].nonzero()[0][[0, -1]]
    seen = env.step(int(first))[0]
    different = other.step(int(last))[0]
    assert not (seen["observation"] == different["observation"]).all()
    again = deepcopy(GameEnv(engine=engine))
    again.reset(seed=1)
    assert all((seen[name] == again.step(int(first))[0][name]).all() for name in ["observation"])


def test_the_mode_for_people_prints_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    single, several = GameEnv(render_mode="human"), raw_env(render_mode="human")
    single.reset(seed=1)
    assert capsys.readouterr().out
    several.reset(seed=1)
    assert capsys.readouterr().out
    several.step(int(several.infos[several.agent_selection]["action_mask"].argmax()))
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("gymnasium", "gymnasium", "envs"),
        ("pettingzoo", "pettingzoo", "envs"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_a_library_that_is_missing_is_named(
    name: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = find_spec(f"kbrules.envs.{name}")
    assert spec is not None and spec.loader is not None
    for known in [library, *(name for name in sys.modules if name.startswith(f"{library}."))]:
        monkeypatch.setitem(sys.modules, known, None)
    with pytest.raises(
        MissingExtra, match=f"the extra `{extra}` of kbrules: .*`{library}"
    ) as missing:
        spec.loader.exec_module(module_from_spec(spec))
    assert missing.value.code == "KB045" and missing.value.help == f"pip install 'kbrules[{extra}]'"
