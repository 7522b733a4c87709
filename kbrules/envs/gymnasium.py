"""Games for Gymnasium: one player learns, the others are bots.

`GameEnv` plays one game, against any bot; `vector.GameVectorEnv` plays many side by side.
`register` lets `gymnasium.make("kbrules-v0", ...)` and `gymnasium.make_vec` make them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kbrules.engine.configuration import PYTHON
from kbrules.engine.matches import Bot
from kbrules.envs.rendering import HUMAN, RENDER_MODES, rendered
from kbrules.envs.rewards import reward_named
from kbrules.envs.session import GameSession, IllegalAction
from kbrules.envs.settings import bots_of, engine_of, render_mode_of, seat_of, whole_number
from kbrules.envs.spaces import action_space, observation_of, observation_space
from kbrules.envs.tables import Tables
from kbrules.game.moves import CHANCE
from kbrules.game.random import Random
from kbrules.tools.processes import MissingExtra

try:
    import gymnasium
    from gymnasium.error import ResetNeeded
except ImportError as error:
    raise MissingExtra("envs", f"there is no `{error.name}`") from None

ILLEGAL_REWARD = -1.0
SEEDS = 2**31
"""`reset` without a seed draws one below this."""


class GameEnv(gymnasium.Env[dict[str, Any], int]):
    """One seat of a game; bots take the others.

    opponents: a bot or the name of one (`random`, `greedy`, `mc:50`), or one for each other seat in
    turn order. seat: which seat learns, from 0; None: another one with each game. boxes, players,
    setup, cards, options, folders, table_seed: see `Tables`. reward: `win`, `share` or `margin`.
    An action that is not legal ends the episode with a reward of -1, and `info` has `illegal`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        boxes: Sequence[str] = ("base",),
        players: int = 2,
        opponents: str | Bot | Sequence[str | Bot] = "random",
        seat: int | None = 0,
        *,
        setup: str = "random",
        cards: Sequence[str] = (),
        options: Mapping[str, bool | int] | None = None,
        folders: Sequence[str | Path] = (),
        table_seed: int | None = None,
        reward: str = "win",
        render_mode: str | None = None,
        engine: str = PYTHON,
    ) -> None:
        self.tables = Tables.of(boxes, players, setup, cards, options, folders, table_seed)
        self.render_mode, self._engine = render_mode_of(render_mode), engine_of(engine)
        self._reward, self._seat = reward_named(reward), seat_of(seat, self.tables.players)
        self._bots = bots_of(opponents, self.tables.players)
        game = self.tables.game(0)
        self.observation_space = observation_space(game)
        self.action_space = action_space(game)
        self.session: GameSession | None = None
        self.seat, self._done = self._seat or 0, True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the game of a seed, or of one that is drawn; others move until the seat decides.

        ValueError for a seed that is no whole number from 0 on.
        """
        seed = seed if seed is None else whole_number("seed", seed)
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(SEEDS)) if seed is None else seed
        players = self.tables.players
        self.seat = chosen % players if self._seat is None else self._seat
        self.session = GameSession(self.tables.game(chosen), chosen, self._engine)
        self._randoms = [Random(chosen, f"bot {seat}") for seat in range(players)]
        self._done = False
        self._let_bots_move(self.session)
        return self._seen(self.session)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out an action, and those of the bots behind it.

        IllegalAction, a ValueError, for what is no number of an action; ResetNeeded behind the end.
        """
        session = self.session
        if session is None or self._done:
            raise ResetNeeded("call `reset` before `step`, and again when an episode is over")
        if not self.action_space.contains(action):
            raise IllegalAction(f"{action!r} is not in {self.action_space}")
        reward, is_legal = 0.0, session.is_legal(int(action))
        if is_legal:
            session.act(int(action))
            self._let_bots_move(session)
            self._done = session.is_over
            reward = session.rewards(self._reward)[self.seat] if self._done else 0.0
        else:
            self._done, reward = True, ILLEGAL_REWARD
        observation, info = self._seen(session)
        if not is_legal:
            info["illegal"] = True
        return observation, reward, self._done, False, info

    def _let_bots_move(self, session: GameSession) -> None:
        while session.player not in (self.seat, CHANCE):
            player, play = session.player, session.play
            bot = self._bots[(player - self.seat) % self.tables.players - 1]
            play.apply(bot(session.game, play.state, play.moves, self._randoms[player]))

    def _seen(self, session: GameSession) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is observed and said of the game; the mode for people also prints it."""
        if self.render_mode == HUMAN:
            self.render()
        observation = observation_of(session, self.seat)
        return observation, self._info(session, observation)

    def _info(self, session: GameSession, observation: dict[str, Any]) -> dict[str, Any]:
        """The mask once more, for those who look for it here; at the end the gold of all."""
        info: dict[str, Any] = {"action_mask": observation["action_mask"], "seat": self.seat}
        if session.is_over:
            info["totals"] = session.play.outcome().totals
        return info

    def render(self) -> Any:
        """The game as `render_mode` says; see `rendering`."""
        if self.session is None:
            raise ResetNeeded("call `reset` before `render`")
        return rendered(self.session, self.render_mode) if self.render_mode else None


def register() -> None:
    """Let Gymnasium make `kbrules-v0`: `GameEnv`, and `GameVectorEnv` by `make_vec`."""
    gymnasium.register(
        id="kbrules-v0",
        entry_point="kbrules.envs.gymnasium:GameEnv",
        vector_entry_point="kbrules.envs.vector:GameVectorEnv",
    )
