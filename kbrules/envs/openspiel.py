"""A game for OpenSpiel: once `register` was called, `pyspiel.load_game("kbrules")` loads it.

Draws of cards are chance nodes. The board and the cards in play are fixed by the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.envs.actions import actions_of
from kbrules.envs.observation import features_of, observe
from kbrules.envs.session import EnvTables, reward_named
from kbrules.game.moves import CHANCE, Move, write_move
from kbrules.game.state import State
from kbrules.tools.narration import players_text, state_board_text
from kbrules.tools.processes import MissingExtra

try:
    import numpy
    import pyspiel
except ImportError as error:
    raise MissingExtra("openspiel", f"there is no `{error.name}`") from None

NAME = "kbrules"
MOST_PLAYERS = 10
LONGEST = 10_000
"""Decisions of a game; no known one needs a tenth of them."""
PARAMETERS = {
    "boxes": "base", "players": 2, "seed": 0, "setup": "random", "cards": "", "reward": "win",
    "engine": PYTHON,
}  # fmt: skip
"""Boxes and cards are joined by `+`; seed: of the table; for the rest see `EnvTables`."""
UTILITIES = {
    "win": (pyspiel.GameType.Utility.ZERO_SUM, -1.0, 1.0, 0.0),
    "share": (pyspiel.GameType.Utility.CONSTANT_SUM, 0.0, 1.0, 1.0),
    "margin": (pyspiel.GameType.Utility.GENERAL_SUM, -10.0, 10.0, None),
}
"""Of each reward: its kind, the least, the most and the sum."""


def _type_of(reward: str) -> Any:
    return pyspiel.GameType(
        short_name=NAME,
        long_name="kbrules",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=UTILITIES[reward][0],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MOST_PLAYERS,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=PARAMETERS,
        default_loadable=True,
    )


def register() -> None:
    """Make the game known to OpenSpiel; once is enough, more often does no harm."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(_type_of("win"), SpielGame)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A table; its parameters are those of `PARAMETERS`."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.reward = reward_named(given["reward"])
        self.table = _Shared(tuple(sorted(given.items())))
        game = self.table.game
        self.cards, self.hexes = len(game.board.catalog.deck), len(actions_of(game).hexes)
        _, least, most, whole = UTILITIES[given["reward"]]
        info = pyspiel.GameInfo(
            num_distinct_actions=len(actions_of(game)),
            max_chance_outcomes=self.cards + self.hexes,
            num_players=game.players,
            min_utility=least,
            max_utility=most,
            utility_sum=whole,
            max_game_length=LONGEST,
        )
        super().__init__(_type_of(given["reward"]), info, dict(params or {}))

    def new_initial_state(self) -> SpielState:
        """The first decision, as a rule the first draw of a card."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> SpielObserver | None:
        """What shows a state to a player; None where it should remember all that was seen."""
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        return None if kind.perfect_recall else SpielObserver(self.table.game, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """No more than there are decisions."""
        return LONGEST


class _Shared:
    """The table of some parameters; all states of a game share it, and copies of them."""

    def __init__(self, given: tuple[tuple[str, Any], ...]) -> None:
        self.given, self.game = given, _table(given)

    def __deepcopy__(self, _memo: object) -> _Shared:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Shared, (self.given,)


@lru_cache(maxsize=32)
def _table(parameters: tuple[tuple[str, Any], ...]) -> Game:
    given = dict(parameters)
    boxes, cards = (tuple(filter(None, given[name].split("+"))) for name in ("boxes", "cards"))
    tables = EnvTables(boxes, given["players"], given["setup"], cards, table_seed=given["seed"])
    return tables.game(0).with_engine(given["engine"])


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of the game, as OpenSpiel plays on it.

    Chance draws cards, by their number, or hexes, by their number behind all cards.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.shared, self.reward, self.cards = game.table, game.reward, game.cards
        self.position: State = self.table.start()

    @property
    def table(self) -> Game:
        """The table that it is a state of."""
        return self.shared.game

    def current_player(self) -> int:
        """Who decides: a player, chance, or nobody when the game is over."""
        moves = self.table.legal_moves(self.position)
        if not moves:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if moves.player == CHANCE else moves.player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.table.legal_moves(self.position)

    def _legal_actions(self, player: int) -> list[int]:
        moves = self.table.legal_moves(self.position)
        return actions_of(self.table).legal(moves) if moves.player == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may be drawn, or the hexes, with their probabilities."""
        moves = self.table.legal_moves(self.position)
        if moves.weights:
            whole = sum(moves.weights)
            return [(card, w / whole) for card, w in enumerate(moves.weights) if w]
        actions = actions_of(self.table)
        places = [self.cards + actions.hexes.index(move.hex) for move in moves]
        return [(place, 1 / len(places)) for place in places]

    def _apply_action(self, action: int) -> None:
        self.position = self.table.apply(self.position, self._move(action))

    def _move(self, action: int) -> Move:
        """The move of an action of whoever decides."""
        moves, actions = self.table.legal_moves(self.position), actions_of(self.table)
        if moves.player != CHANCE:
            return actions.move(action)
        if moves.weights:
            return Move("draw", "", action)
        (group,) = moves.groups
        return Move(group.verb, group.rule, actions.hexes[action - self.cards])

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return actions_of(self.table).name(action)
        if action < self.cards:
            return write_move(Move("draw", "", action), self.table.board)
        return self.table.board.grid.name(actions_of(self.table).hexes[action - self.cards])

    def returns(self) -> list[float]:
        """What the game was worth to each player; 0 for all while it goes on."""
        if not self.is_terminal():
            return [0.0] * self.table.players
        sheet = self.table.score(self.position)
        return self.reward(sheet.winners, sheet.totals)

    def __str__(self) -> str:
        """The board and what players have."""
        board = state_board_text(self.table, self.position)
        return f"{board}\n{players_text(self.table, self.position)}"


class SpielObserver:
    """Shows states to players: `planes` and `numbers`, as far as the type of observation says.

    Of what is public nothing depends on who looks but the order of the seats. What only the viewer
    knows is the `hand`, and `unseen`, what is left for the deck and other hands.
    """

    def __init__(self, game: Game, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observation has no parameters; given were {params}")
        features = features_of(game)
        names = [feature.name for feature in features.numbers]
        is_own = numpy.array([name.startswith(("hand ", "unseen ")) for name in names])
        self._names = names
        self._columns: dict[str, Any] = {}
        sizes: dict[str, tuple[int, ...]] = {}
        if kind.public_info:
            self._columns["numbers"] = numpy.flatnonzero(~is_own)
            sizes["planes"] = features.shape
        if kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            self._columns["own"] = numpy.flatnonzero(is_own)
        sizes |= {name: (len(columns),) for name, columns in self._columns.items()}
        self.tensor = numpy.zeros(sum(int(numpy.prod(s)) for s in sizes.values()), numpy.float32)
        self.dict, at = {}, 0
        for name, shape in sizes.items():
            size = int(numpy.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill the arrays with what a player sees of a state."""
        moves = state.table.legal_moves(state.position)
        observation = observe(state.table, state.position, player, moves)
        if "planes" in self.dict:
            self.dict["planes"][:] = observation["planes"]
        for name, columns in self._columns.items():
            self.dict[name][:] = observation["numbers"][columns]

    def string_from(self, state: SpielState, player: int) -> str:
        """The same in words: the board, and all numbers that are not 0."""
        moves = state.table.legal_moves(state.position)
        numbers = observe(state.table, state.position, player, moves)["numbers"]
        lines = [state_board_text(state.table, state.position)] if "planes" in self.dict else []
        for columns in self._columns.values():
            lines += [f"{self._names[at]}: {numbers[at]}" for at in columns if numbers[at]]
        return "\n".join(lines)
