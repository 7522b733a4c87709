"""Games for Gymnasium: one player learns, the others are bots; one game, or many side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kbrules.engine import configuration, matches
from kbrules.engine.simulation import kernels, playouts
from kbrules.envs import session as sessions
from kbrules.envs.actions import actions_of
from kbrules.envs.batch import Batches, action_array
from kbrules.envs.observation import features_of
from kbrules.game.moves import CHANCE
from kbrules.game.random import Random
from kbrules.tools.processes import MissingExtra

try:
    import gymnasium
    import numpy
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise MissingExtra("envs", f"there is no `{error.name}`") from None

# The spaces of actions and observations, in the words of Gymnasium.

MOST_ON_A_PLACE = 127
MOST_GOLD = 2**62
"""Gold can be larger than 32 bits hold. A space samples one more than its bound, in 64 bits."""


def action_space(game: configuration.Table) -> Any:
    """A discrete space of the actions of a table."""
    return spaces.Discrete(len(actions_of(game)))


def observation_space(game: configuration.Table) -> Any:
    """A dict: `observation` (planes, int8), `numbers` (int64) and `action_mask` (int8, 0 or 1)."""
    features = features_of(game)
    numbers = len(features.numbers)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, MOST_ON_A_PLACE, features.shape, numpy.int8),
            "numbers": spaces.Box(-MOST_GOLD, MOST_GOLD, (numbers,), numpy.int64),
            "action_mask": spaces.Box(0, 1, (len(actions_of(game)),), numpy.int8),
        }
    )


def observation_of(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a player sees by the names of `observation_space`."""
    return {
        "observation": arrays["planes"],
        "numbers": arrays["numbers"],
        "action_mask": arrays["mask"],
    }


# Games for Gymnasium: one player learns, the others are bots.
#
# `GameEnv` plays one game, against any bot; `GameVectorEnv` plays many side by side.
# `register` lets `gymnasium.make("kbrules-v0", ...)` and `gymnasium.make_vec` make them.


ILLEGAL_REWARD = -1.0
SEEDS = 2**31
"""`reset` without a seed draws one below this."""


class GameEnv(gymnasium.Env[dict[str, Any], int]):
    """One seat of a game; bots take the others.

    opponents: a bot or the name of one (`random`, `greedy`, `mc:50`), or one for each other seat in
    turn order. seat: which seat learns, from 0; None: another one with each game. boxes, players,
    setup, cards, options, folders, table_seed: see `EnvTables`. reward: `win`, `share` or `margin`.
    An action that is not legal ends the episode with a reward of -1, and `info` has `illegal`.
    """

    metadata: dict[str, Any] = {"render_modes": sessions.RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        boxes: Sequence[str] = ("base",),
        players: int = 2,
        opponents: str | matches.Bot | Sequence[str | matches.Bot] = "random",
        seat: int | None = 0,
        *,
        reward: str = "win",
        render_mode: str | None = None,
        engine: str = configuration.PYTHON,
        **tables: Any,
    ) -> None:
        self.tables = sessions.EnvTables(boxes, players, **tables)
        self.render_mode = sessions.render_mode_of(render_mode)
        self._engine = sessions.one_of("engine", engine, kernels.ENGINES)
        self._reward, self._seat = (
            sessions.reward_named(reward),
            sessions.seat_of(seat, self.tables.players),
        )
        self._bots = sessions.bots_of(opponents, self.tables.players)
        game = self.tables.game(0)
        self.observation_space = observation_space(game)
        self.action_space = action_space(game)
        self.session: sessions.GameSession | None = None
        self.seat, self._done = self._seat or 0, True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the game of a seed, or of one that is drawn; others move until the seat decides.

        ValueError for a seed that is no whole number from 0 on.
        """
        seed = seed if seed is None else sessions.checked_number("seed", seed)
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(SEEDS)) if seed is None else seed
        players = self.tables.players
        self.seat = chosen % players if self._seat is None else self._seat
        self.session = sessions.GameSession(self.tables.game(chosen), chosen, self._engine)
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
            raise sessions.IllegalAction(f"{action!r} is not in {self.action_space}")
        reward, is_legal = 0.0, session.is_legal(int(action))
        if is_legal:
            session.act(int(action))
            self._let_bots_move(session)
            self._done = session.play.is_over
            reward = session.rewards(self._reward)[self.seat] if self._done else 0.0
        else:
            self._done, reward = True, ILLEGAL_REWARD
        observation, info = self._seen(session)
        if not is_legal:
            info["illegal"] = True
        return observation, reward, self._done, False, info

    def _let_bots_move(self, session: sessions.GameSession) -> None:
        while session.play.player not in (self.seat, CHANCE):
            player, play = session.play.player, session.play
            bot = self._bots[(player - self.seat) % self.tables.players - 1]
            play.apply(bot(session.game, play.state, play.moves, self._randoms[player]))

    def _seen(self, session: sessions.GameSession) -> tuple[dict[str, Any], dict[str, Any]]:
        """What is observed and said of the game; the mode for people also prints it."""
        if self.render_mode == sessions.HUMAN:
            self.render()
        observation = observation_of(session.observe(self.seat))
        # The mask once more, for those who look for it here; at the end the gold of all.
        info: dict[str, Any] = {"action_mask": observation["action_mask"], "seat": self.seat}
        if session.play.is_over:
            info["totals"] = session.play.outcome().totals
        return observation, info

    def render(self) -> Any:
        """The game as `render_mode` says; see `session`."""
        if self.session is None:
            raise ResetNeeded("call `reset` before `render`")
        return sessions.rendered(self.session, self.render_mode) if self.render_mode else None


def register() -> None:
    """Let Gymnasium make `kbrules-v0`: `GameEnv`, and `GameVectorEnv` by `make_vec`."""
    gymnasium.register(
        id="kbrules-v0",
        entry_point="kbrules.envs.gymnasium:GameEnv",
        vector_entry_point="kbrules.envs.gymnasium:GameVectorEnv",
    )


# Many games side by side for Gymnasium, stepped and seen by the native kernel.
#
# `num_envs` games on one table are one call of the kernel for a move of each, and one for what
# each player sees.


Policy = Callable[[dict[str, Any]], Any]
"""From observations of many games to a legal action in each."""
RANDOM, NOBODY = "random", "nobody"
GROWTH = "growth"
"""The reward that is paid with every step: by how much the margin grew; all of it is `margin`."""


class GameVectorEnv(VectorEnv[dict[str, Any], Any, Any]):
    """`num_envs` games, each with one seat that learns.

    opponents: `random`, who moves natively; a `Policy` for all other seats; or `nobody`: every seat
    learns then, and what is observed and paid is that of whoever decides, or moved last. seat:
    which seat learns; None: game i has seat i modulo players. tables: on how many boards, with
    their cards, the games are played: those of the seeds from `table_seed` on, and each takes calls
    of its own. reward: as for `GameEnv`, or `growth`: each step pays by how much the margin grew,
    as if the game ended now; in sum that is `margin`. The rest is as for `GameEnv`.

    Autoreset is NEXT_STEP: when a game is over, the next step ignores its action, begins another
    game, and pays 0. An action that is not legal ends a game with a reward of -1. `infos` has
    `seat` and, of games that are over, `totals`. It needs the extra `fast`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 64,
        boxes: Sequence[str] = ("base",),
        players: int = 2,
        opponents: str | Policy = RANDOM,
        seat: int | None = None,
        *,
        tables: int = 1,
        table_seed: int = 0,
        reward: str = "win",
        **settings: Any,
    ) -> None:
        if opponents not in (RANDOM, NOBODY) and not callable(opponents):
            raise ValueError(f"opponents are {RANDOM!r}, {NOBODY!r} or a policy, not {opponents!r}")
        self.num_envs = num_envs = sessions.checked_number("num_envs", num_envs, 1)
        tables = sessions.checked_number("tables", tables, 1)
        if tables > num_envs:
            raise ValueError(f"{num_envs} games need 1 to {num_envs} tables, not {tables}")
        each = sessions.EnvTables(boxes, players, **settings)
        first = sessions.checked_number("table_seed", table_seed)
        self.games = [each.game(seed) for seed in range(first, first + tables)]
        self._grows = reward == GROWTH
        self._reward = sessions.reward_named("margin" if self._grows else reward)
        if self._grows and opponents == NOBODY:
            raise ValueError("`growth` is paid to one seat: let others be the opponents")
        self._opponents = opponents
        self.single_observation_space = observation_space(self.games[0])
        self.single_action_space = action_space(self.games[0])
        self._number = len(actions_of(self.games[0]))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        envs = numpy.arange(num_envs)
        players, seat = each.players, sessions.seat_of(seat, each.players)
        self._seats = envs % players if seat is None else numpy.full(num_envs, seat)
        self._batches: Batches | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin all games: game i has the seed + i; later ones have the seeds that follow.

        ValueError for a seed that is no whole number from 0 on.
        """
        seed = seed if seed is None else sessions.checked_number("seed", seed)
        super().reset(seed=seed)
        first = int(self.np_random.integers(SEEDS)) if seed is None else seed
        self._next_seed = first + self.num_envs
        self._batches = Batches(self.games, range(first, self._next_seed))
        self._over = numpy.zeros(self.num_envs, bool)
        self._moved = self._seats
        self._let_others_move(self._batches)
        self._margin = numpy.zeros(self.num_envs)
        return self._observations(self._batches), self._infos()

    @property
    def seats(self) -> Any:
        """Who observes and is paid in each game: the seat that learns, or whoever decides."""
        if self._batches is None or self._opponents != NOBODY:
            return self._seats
        deciders = self._batches.players
        return numpy.where(deciders == CHANCE, self._moved, deciders)

    def step(self, actions: Any) -> tuple[dict[str, Any], Any, Any, Any, dict[str, Any]]:
        """Carry out an action in each game, and let the others move.

        IllegalAction, a ValueError, and nothing done, for what is no array of numbers of actions.
        """
        batches = self._batches
        if batches is None:
            raise ResetNeeded("call `reset` before `step`")
        array = action_array(actions, self.num_envs)
        wrong = (array < 0) | (array >= self._number)
        if wrong.any():
            raise sessions.IllegalAction(f"{array[wrong][0]} is not in {self.single_action_space}")
        begun = self._over
        if begun.any():
            seeds = range(self._next_seed, self._next_seed + int(begun.sum()))
            self._next_seed = seeds.stop
            batches.restart(begun.nonzero()[0], seeds)
        self._moved = self.seats
        illegal = batches.act(numpy.where(begun, -1, array))
        self._let_others_move(batches)
        ended = batches.players == CHANCE
        rewards, infos = self._rewards(batches, ended & ~begun, illegal)
        self._over = ended | illegal
        truncated = numpy.zeros_like(ended)
        return self._observations(batches), rewards, self._over.copy(), truncated, infos

    def _let_others_move(self, batches: Batches) -> None:
        """Let all other seats move until the one that learns decides."""
        if self._opponents == RANDOM:
            batches.let_others_move(self._seats)
        elif callable(self._opponents):
            self._let_policy_move(batches, self._opponents)

    def _let_policy_move(self, batches: Batches, policy: Policy) -> None:
        """Let a policy move for the others; it sees all games in which it must decide."""
        while True:
            players = batches.players
            others = ((players != CHANCE) & (players != self._seats)).nonzero()[0]
            if not len(others):
                return
            viewers = numpy.where(players == CHANCE, 0, players)
            observation = observation_of(batches.observe(viewers))
            actions = numpy.full(self.num_envs, -1)
            seen = {name: array[others] for name, array in observation.items()}
            actions[others] = _actions_of(policy(seen), len(others))
            if batches.act(actions).any():
                raise sessions.IllegalAction(
                    "the policy of the opponents chose an action that is not legal"
                )

    def _rewards(self, batches: Batches, ended: Any, illegal: Any) -> tuple[Any, dict[str, Any]]:
        """The rewards of a step, and what is said of games that are over."""
        rewards, margins = numpy.zeros(self.num_envs), self._margins(batches)
        if self._grows:
            rewards = numpy.where(self._over, 0.0, margins - self._margin)
            self._margin = numpy.where(self._over, 0.0, margins)
        infos, games = self._infos(), ended.nonzero()[0]
        seats = infos["seat"]
        if len(games):
            totals = numpy.zeros((self.num_envs, self.games[0].players), numpy.int64)
            for game, outcome in zip(games, batches.outcomes_of(games), strict=True):
                totals[game] = outcome.totals
                if not self._grows:
                    rewards[game] = self._reward(outcome.winners, outcome.totals)[seats[game]]
            infos |= {"totals": totals, "_totals": ended}
        return numpy.where(illegal, ILLEGAL_REWARD, rewards), infos

    def _margins(self, batches: Batches) -> Any:
        """By how much the seat that learns is ahead, in hundreds; 0 if that is not paid."""
        if not self._grows:
            return numpy.zeros(self.num_envs)
        envs, totals = numpy.arange(self.num_envs), batches.scores()
        own = totals[envs, self._seats]
        totals[envs, self._seats] = totals.min() - 1
        return (own - totals.max(1)) / 100

    def _infos(self) -> dict[str, Any]:
        return {"seat": self.seats, "_seat": numpy.ones(self.num_envs, bool)}

    def _observations(self, batches: Batches) -> dict[str, Any]:
        return observation_of(batches.observe(self.seats))


def _actions_of(chosen: Any, games: int) -> Any:
    """What a policy chose, one number per game; below 0 the kernel would not move at all."""
    actions = playouts.array_of(chosen)
    if actions.shape != (games,) or actions.dtype.kind not in "iu" or (actions < 0).any():
        raise sessions.IllegalAction(
            "the policy of the opponents must give one whole number per game"
        )
    return actions
