"""Games for PettingZoo: agents take their turns one after another (AEC).

`env` is the environment with PettingZoo's usual wrappers: an illegal action ends the game with a
reward of -1 for who took it. `raw_env` is the environment alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_index
from typing import Any

from kbrules.engine.configuration import PYTHON
from kbrules.engine.simulation.kernels import ENGINES
from kbrules.envs import session as sessions
from kbrules.envs.gymnasium import action_space, observation_of, observation_space
from kbrules.tools.processes import MissingExtra

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise MissingExtra("envs", f"there is no `{error.name}`") from None

ILLEGAL_REWARD = -1


def env(**options: Any) -> Any:
    """The environment with the wrappers that PettingZoo's own games have; see `raw_env`."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(**options), ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv):  # type: ignore[misc]  # the name is PettingZoo's
    """A game of `players` agents, `player_0` and so on in the order of the seats.

    boxes, players, setup, cards, options, folders, table_seed: see `EnvTables`. reward: `win`,
    `share` or `margin`, see `session`. render_mode: `human`, `ansi` or `rgb_array`. engine: what
    plays, `python` or `native`. `reset` without a seed plays the game of the next seed.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - so the class of PettingZoo has it
        "name": "kbrules_v0",
        "render_modes": sessions.RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        boxes: Sequence[str] = ("base",),
        players: int = 2,
        *,
        reward: str = "win",
        render_mode: str | None = None,
        engine: str = PYTHON,
        **tables: Any,
    ) -> None:
        super().__init__()
        self.tables = sessions.EnvTables(boxes, players, **tables)
        self.render_mode = sessions.render_mode_of(render_mode)
        self.engine = sessions.one_of("engine", engine, ENGINES)
        self._reward, self._seed = sessions.reward_named(reward), -1
        game = self.tables.game(0)
        self.possible_agents = [f"player_{seat}" for seat in range(self.tables.players)]
        self.agents = [*self.possible_agents]
        self.observation_spaces = {name: observation_space(game) for name in self.agents}
        self.action_spaces = {name: action_space(game) for name in self.agents}
        self.agent_selection = self.agents[0]
        self.session: sessions.GameSession | None = None

    def __repr__(self) -> str:
        boxes = "+".join(self.tables.boxes)
        return f"kbrules_v0({boxes}, {len(self.possible_agents)} players)"

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the game of a seed, 0 or above; without one that of the seed after the last."""
        self._seed = self._seed + 1 if seed is None else sessions.checked_number("seed", seed)
        self.session = sessions.GameSession(self.tables.game(self._seed), self._seed, self.engine)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._pass_on()
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know now, with the mask of its legal actions."""
        return observation_of(self._session().observe(self.possible_agents.index(agent)))

    def step(self, action: int | None) -> None:
        """Carry out an action of the selected agent; None if that agent is done.

        IllegalAction, a ValueError, and nothing changed, if it is not legal; `env` wraps that.
        """
        session, agent = self._session(), self.agent_selection
        if not self.agents:
            raise RuntimeError("the game is over: reset the environment")
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            number = as_index(action)  # type: ignore[arg-type]  # None is refused below
        except TypeError:
            message = "an agent that is not done must take the number of an action"
            raise sessions.IllegalAction(f"{message}, not {action!r}") from None
        session.act(number)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._pass_on()
        self._accumulate_rewards()
        self._show()

    def _pass_on(self) -> None:
        """Select who decides next; when the game is over all agents are done and paid."""
        session = self._session()
        if session.play.is_over:
            rewards = session.rewards(self._reward)
            self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[session.play.player]
        for seat, agent in enumerate(self.possible_agents):
            self.infos[agent] = {"action_mask": session.mask(seat)}

    def _session(self) -> sessions.GameSession:
        if self.session is None:
            raise RuntimeError("reset the environment before it is used")
        return self.session

    def render(self) -> Any:
        """The game as `render_mode` says; see `session`."""
        if self.render_mode is None:
            return None
        return sessions.rendered(self._session(), self.render_mode)

    def _show(self) -> None:
        """Print the game in the mode for people, who need not ask for it."""
        if self.render_mode == sessions.HUMAN:
            self.render()

    def close(self) -> None:
        """Let the game go."""
        self.session = None
