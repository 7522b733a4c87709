"""One game under way for learners: its table, settings, rewards, and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index as as_index
from pathlib import Path
from typing import Any, SupportsIndex

from kbrules.engine.configuration import NATIVE, PYTHON, whole_number
from kbrules.engine.game import Game
from kbrules.engine.matches import Bot
from kbrules.engine.setup import choose_table, game_at, with_cards
from kbrules.engine.simulation.playthrough import acquire_memory
from kbrules.envs.actions import Actions, actions_of
from kbrules.envs.observation import check_viewer, features_of, observe, views_of
from kbrules.kernel.states import NOBODY
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.tools import bots, narration
from kbrules.tools.pictures import drawings, replay
from kbrules.tools.pictures.board import board_svg

# What a game was worth to each player, in the ways that a learner may be paid.


Reward = Callable[[Sequence[int], Sequence[int]], list[float]]
"""From the winners and the total gold of each player to what each of them is paid."""


def win(winners: Sequence[int], totals: Sequence[int]) -> list[float]:
    """1 shared among the winners and -1 among the others; 0 for all if there is no one else."""
    losers = [player for player in range(len(totals)) if player not in winners]
    if not winners or not losers:
        return [0.0] * len(totals)
    return [
        1 / len(winners) if player in winners else -1 / len(losers)
        for player in range(len(totals))
    ]  # fmt: skip


def share(winners: Sequence[int], totals: Sequence[int]) -> list[float]:
    """The player's part of all gold, 0 to 1; of no gold all have the same."""
    rewards = [max(0, gold) for gold in totals]
    whole = sum(rewards)
    return [gold / whole if whole else 1 / len(rewards) for gold in rewards]


def margin(winners: Sequence[int], totals: Sequence[int]) -> list[float]:
    """By how much gold the player is ahead of the best of the others, in hundreds."""
    rewards: list[float] = []
    for player, gold in enumerate(totals):
        others = [other for at, other in enumerate(totals) if at != player]
        rewards.append((gold - max(others, default=0)) / 100)
    return rewards


REWARDS: Mapping[str, Reward] = {"win": win, "share": share, "margin": margin}
"""The rewards by name; each is paid once, when the game is over."""


def reward_named(name: str) -> Reward:
    """The reward of a name; ValueError if there is none."""
    if name not in REWARDS:
        raise ValueError(f"no reward is called {name!r}: {', '.join(REWARDS)}")
    return REWARDS[name]


# One game under way, with numbers for its actions and arrays for what players see.


class IllegalAction(ValueError):
    """A number that is no action, or is one that is not legal now."""


class GameSession:
    """A game of a seed that is played by numbers of actions, each player's turn as it comes.

    engine: `python` or `native`, as `Game.playthrough` takes it.
    """

    def __init__(self, game: Game, seed: int, engine: str = PYTHON) -> None:
        self.game, self.seed = game, seed
        self.actions: Actions = actions_of(game)
        self.features = features_of(game)
        self.play = game.playthrough(seed, engine)

    def is_legal(self, action: int) -> bool:
        """Whether a number is that of an action which is legal now."""
        action = whole_number(action, "an action is a number of the catalogue")
        return 0 <= action < len(self.actions) and self.actions.move(action) in self.play.moves

    def act(self, action: int) -> None:
        """Carry out an action; IllegalAction, and nothing changed, if it is not legal."""
        if not self.is_legal(action):
            raise IllegalAction(self._why_not(action))
        self.play.apply(self.actions.move(action))

    def _why_not(self, action: int) -> str:
        if self.play.is_over:
            return "the game is over: nothing is legal"
        if not 0 <= action < len(self.actions):
            return f"there is no action {action}: they are numbered 0 to {len(self.actions) - 1}"
        return f"action {action} (`{self.actions.name(action)}`) is not legal now"

    def mask(self, viewer: int) -> Any:
        """Which actions the viewer may take: 1 or 0 for each; all 0 if others decide."""
        viewer = check_viewer(self.game, viewer)
        return self.actions.mask(self.play.moves if viewer == self.play.player else NOBODY)

    def observe(self, viewer: int) -> dict[str, Any]:
        """What a player sees: `planes`, `numbers` and `mask`, natively if that is the engine."""
        viewer = check_viewer(self.game, viewer)
        if self.play.engine == NATIVE:
            return self._observe_natively(viewer)
        observation = observe(self.game, self.play.state, viewer, self.play.moves)
        return {**observation, "mask": self.mask(viewer)}

    def _observe_natively(self, viewer: int) -> dict[str, Any]:
        import numpy

        row = numpy.frombuffer(self.play.save().row, numpy.int64)
        pooled = acquire_memory(self.game, NATIVE)
        observation = views_of(self.game).observe(pooled.memory, row, (viewer,))
        pooled.release()
        return {name: array[0] for name, array in observation.items()}

    def rewards(self, reward: Reward) -> list[float]:
        """What the game was worth to each player; ValueError if it is not over."""
        outcome = self.play.outcome()
        return reward(outcome.winners, outcome.totals)


# A game under way as text and as pixels.


HUMAN = "human"
"""The mode for people: each step is printed, without a call of `render`."""
RENDER_MODES = [HUMAN, "ansi", "rgb_array"]
WIDTH = 640


def rendered(session: GameSession, mode: str) -> Any:
    """A game as `mode` says: text for `ansi`, height x width x 3 bytes for `rgb_array`.

    `human` prints the text. MissingExtra without the extra `pictures` for pixels.
    """
    state = session.play.state
    if mode == "rgb_array":
        picture = replay.picture_of_state(session.game, state, "Board")
        return drawings.pixels_of(board_svg(picture), WIDTH)
    legal = 0
    for group in session.play.moves.groups:
        legal |= group.hexes
    board = narration.state_board_text(session.game, state, legal)
    text = f"{board}\n{narration.players_text(session.game, state)}\n"
    if mode == "ansi":
        return text
    print(text, flush=True)
    return None


# Checks of what an environment is made with: a wrong setting is refused at once, by its name.
#
# Each raises ValueError, which says the setting, what it takes, and what was given.


def checked_number(name: str, value: SupportsIndex, least: int = 0) -> int:
    """A whole number from `least` on, also one of numpy."""
    try:
        number = as_index(value)
    except TypeError:
        raise ValueError(f"`{name}` is a whole number, not {value!r}") from None
    if number < least:
        raise ValueError(f"`{name}` is {least} or more, not {number}")
    return number


def seat_of(value: SupportsIndex | None, players: int) -> int | None:
    """A seat, from 0; None where it is left open."""
    if value is None:
        return None
    seat = checked_number("seat", value)
    if seat >= players:
        raise ValueError(f"`seat` is 0 to {players - 1} of {players} players, not {seat}")
    return seat


def render_mode_of(mode: str | None) -> str | None:
    """The name of a way to render; None for none."""
    return mode if mode is None else one_of("render_mode", mode, RENDER_MODES)


def one_of(name: str, value: str, known: Sequence[str]) -> str:
    """Return a name that must be one of some."""
    if value not in known:
        raise ValueError(f"`{name}` is one of {', '.join(known)}, not {value!r}")
    return value


def names_of(name: str, values: Sequence[str | Path]) -> tuple[str, ...]:
    """Names or paths; one text alone would be read letter by letter."""
    wrong = isinstance(values, str) or not isinstance(values, Iterable)
    if wrong or not all(isinstance(value, str | Path) for value in values):
        raise ValueError(f"`{name}` is a sequence of texts, not {values!r}")
    return tuple(str(value) for value in values)


def bots_of(opponents: str | Bot | Sequence[str | Bot], players: int) -> list[Bot]:
    """A bot for each other seat; UnknownBot, a ValueError, for a name that no bot has."""
    if isinstance(opponents, str) or callable(opponents):
        opponents = [opponents] * (players - 1)
    if not isinstance(opponents, Sequence):
        raise ValueError(f"`opponents` are bots or names of bots, not {opponents!r}")
    if len(opponents) != players - 1:
        raise ValueError(f"{players} players need {players - 1} opponents, not {len(opponents)}")
    for bot in opponents:
        if not isinstance(bot, str) and not callable(bot):
            raise ValueError(f"an opponent is a bot or the name of one, not {bot!r}")
    return [bots.bot_named(bot) if isinstance(bot, str) else bot for bot in opponents]


# Which table an environment plays on: boxes, players and set-up, or a game that is given.


@lru_cache(maxsize=8)
def _rules(boxes: tuple[str, ...], folders: tuple[str, ...]) -> Ruleset:
    return load(*boxes, folders=[Path(folder) for folder in folders])


@dataclass(frozen=True, slots=True)
class EnvTables:
    """The tables of an environment, one for each seed; all have the same actions and observations.

    boxes, folders: as `load` takes them. players: how many. setup: `random`, or the name of a
    set-up. cards: those that are in play whatever the seed draws. options: those that differ from
    their defaults. table_seed: if it is given, all games are played on the table of that seed.
    ValueError for a setting that is wrong.
    """

    boxes: Sequence[str] = ("base",)
    players: int = 2
    setup: str = "random"
    cards: Sequence[str] = ()
    options: Mapping[str, bool | int] | None = None
    folders: Sequence[str | Path] = ()
    table_seed: int | None = None

    def __post_init__(self) -> None:
        options, seed = self.options or {}, self.table_seed
        if not isinstance(options, Mapping):
            raise ValueError(f"`options` maps names to values, not {options!r}")
        checked = {
            "boxes": names_of("boxes", self.boxes),
            "players": checked_number("players", self.players),
            "cards": names_of("cards", self.cards),
            "options": options,
            "folders": names_of("folders", self.folders),
            "table_seed": seed if seed is None else checked_number("table_seed", seed),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def game(self, seed: int) -> Game:
        """The table of a seed; SetupError if it cannot be set up as asked."""
        ruleset = _rules(tuple(self.boxes), tuple(map(str, self.folders)))
        at = seed if self.table_seed is None else self.table_seed
        table = choose_table(ruleset, self.players, at, self.setup, self.options)
        return game_at(ruleset, with_cards(ruleset, table, self.cards) if self.cards else table)
