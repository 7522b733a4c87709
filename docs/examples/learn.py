"""A small policy that learns the base game: `python learn.py --minutes 5`.

Of every legal action it sees the planes on its hex and on those one and two steps away, and how
much lies in its row, column and quarter. A network with one hidden layer makes a score of these,
with weights of its own for each card that counts; an action is drawn by the softmax of the scores.
PPO moves the scores towards what the margin grew by afterwards.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from kbrules.envs.actions import actions_of
from kbrules.envs.gymnasium import GameEnv, GameVectorEnv
from kbrules.envs.observation import Features, features_of
from kbrules.hex.sets import bits

GAMES, STEPS, ROLLOUTS = 256, 24, 10
HIDDEN, RATE, CLIP, ENTROPY, EPOCHS, PARTS = 32, 1e-3, 0.2, 0.01, 2, 12
DISCOUNT, TRACE = 0.97, 0.9
Observation = dict[str, Any]


class Inputs(NamedTuple):
    """The legal actions of many games: a row of inputs for each, in the order of the games.

    games: of which game each is; actions: its number; firsts: where each game begins. context: of
    each game 1, the cards that count, and how far the game is.
    """

    rows: Any
    games: Any
    actions: Any
    firsts: Any
    context: Any


class Encoder:
    """Makes inputs of what is observed, for all tables of the same rules."""

    def __init__(self, game: Any) -> None:
        self.actions, features = actions_of(game), features_of(game)
        self.rows, self.columns = features.rows, features.columns
        self.cells = np.array([features.cell_number(hex) for hex in self.actions.hexes])
        self.rings = [_ring(features, steps) for steps in (0, 1, 2)]
        self.own = features.plane("seat 0 piece settlement")
        cards = {f"card {card}": 0.5 for card in features.catalog.cards}
        scales = {**cards, "round": 0.05, "seat 0 supply settlement": 0.05}
        self.numbers, self.scales = [features.number(name) for name in scales], [*scales.values()]
        self.size = 3 * features.shape[0] + 12 + len(self.actions.kinds)

    def __call__(self, observation: Observation) -> Inputs:
        """The inputs of all legal actions of many games; of a game that is over, any action."""
        mask = observation["action_mask"]
        mask[~mask.any(1), -1] = 1
        games, actions = np.divmod(np.flatnonzero(mask), mask.shape[1])
        hexes, with_hex = len(self.cells), self.actions.with_hex
        has_hex = actions < with_hex * hexes
        kinds = np.where(has_hex, actions // hexes, actions - with_hex * (hexes - 1))
        cells = np.where(has_hex, self.cells[actions % hexes], self.rows * self.columns)
        planes = observation["observation"].reshape(*observation["observation"].shape[:2], -1)
        lines = self._lines(planes, games, np.where(has_hex, cells, 0))
        around, kind = self._around(planes, games, cells), np.eye(len(self.actions.kinds))[kinds]
        rows = np.concatenate((*around, lines, lines == 0, kind), 1, dtype=np.float32)
        context = np.insert(observation["numbers"][:, self.numbers] * self.scales, 0, 1, axis=1)
        return Inputs(rows, games, actions, np.searchsorted(games, np.arange(len(mask))), context)

    def _around(self, planes: Any, games: Any, cells: Any) -> Iterator[Any]:
        """The means of the planes on the hex itself, one step away and two steps away."""
        padded = np.zeros((len(planes), planes.shape[2] + 1, planes.shape[1]), np.int8)
        padded[:, :-1] = planes.transpose(0, 2, 1)
        for ring in self.rings:
            found = padded[games[:, None], ring[cells]].sum(1, dtype=np.int8)
            yield found.astype(np.float32) / ring.shape[1]

    def _lines(self, planes: Any, games: Any, cells: Any) -> Any:
        """How many own and other pieces lie in the row, the column and the quarter of a hex."""
        row, column = np.divmod(cells, self.columns)
        high, wide, found = self.rows // 2, self.columns // 2, []
        for plane in (self.own, self.own + 1):
            board = planes[:, plane].reshape(-1, self.rows, self.columns).astype(np.float32)
            quarters = board.reshape(-1, 2, high, 2, wide).sum((2, 4)) / 2
            found += [board.sum(2)[games, row], board.sum(1)[games, column]]
            found += [quarters[games, row // high, column // wide]]
        return np.stack(found, 1) / 4


def _ring(features: Features, steps: int) -> Any:
    """The cells so many steps from each cell; off the board the number behind all cells."""
    within, nowhere = features.grid.within, features.rows * features.columns
    ring = np.full((nowhere + 1, 6 * steps or 1), nowhere)
    for hex in features.cell_of:
        near = within(1 << hex, steps) ^ (within(1 << hex, steps - 1) if steps else 0)
        cells = [features.cell_number(other) for other in bits(near)]
        ring[features.cell_number(hex), : len(cells)] = cells
    return ring


class Step(NamedTuple):
    """A step of all games: what was seen, which rows were taken with which odds, what that paid.

    new: where a game was over, so that the action was ignored; ended: where it is over now.
    """

    given: Inputs
    taken: Any
    odds: Any
    paid: Any
    new: Any
    ended: Any


class Policy:
    """Takes actions by their scores, and improves by what that pays.

    weights: from inputs to the hidden layer, and from both to a score, by context. value: from a
    context to how much the margin will still grow.
    """

    def __init__(self, encode: Encoder, seed: int = 0) -> None:
        self.encode, self.random = encode, np.random.default_rng(seed)
        first = self.random.normal(0, encode.size**-0.5, (encode.size, HIDDEN))
        last = np.zeros((encode.size + HIDDEN, 1 + len(encode.numbers)))
        self.weights, self.value = [first, last], last[0] * 0
        self._means, self._squares = ([w * 0 for w in self.weights] for _ in range(2))

    def odds(self, given: Inputs) -> tuple[Any, Any]:
        """How likely each action is within its game, and what the last layer sees."""
        first, last = (weights.astype(np.float32) for weights in self.weights)
        layer = np.concatenate((given.rows, np.tanh(given.rows @ first)), 1)
        scores = ((layer @ last) * given.context[given.games]).sum(1)
        raised = np.exp(scores - np.maximum.reduceat(scores, given.firsts)[given.games])
        return raised / np.add.reduceat(raised, given.firsts)[given.games], layer

    def play(self, env: GameVectorEnv, observation: Observation) -> tuple[list[Step], Observation]:
        """Some steps of all games, and what is seen after them."""
        steps, games, terminated = [], np.arange(GAMES), np.zeros(GAMES, bool)
        for _ in range(STEPS):
            given = self.encode(observation)
            odds, _ = self.odds(given)
            drawn = np.searchsorted(np.cumsum(odds), games + self.random.random(len(games)))
            row = np.clip(drawn, given.firsts, np.append(given.firsts[1:], len(odds)) - 1)
            observation, paid, ended, _, _ = env.step(given.actions[row])
            steps.append(Step(given, row, odds[row], paid, terminated, ended))
            terminated = ended
        return steps, observation

    def improve(self, steps: list[Step], last: Any) -> None:
        """Some epochs of PPO on the steps; last: the context after them."""
        valid = ~np.array([step.new for step in steps])
        contexts = np.array([step.given.context for step in steps])
        gains = self._gains(steps, contexts @ self.value, last @ self.value)
        known = contexts[valid]
        spread = known.T @ known + np.eye(known.shape[1])
        self.value += 0.3 * np.linalg.solve(spread, known.T @ gains[valid])
        gains = (gains - gains[valid].mean()) / (gains[valid].std() + 1e-8) * valid
        for part in np.array_split(self.random.permutation(EPOCHS * STEPS) % STEPS, EPOCHS * PARTS):
            slopes = zip(*(self.slopes(steps[at], gains[at]) for at in part), strict=True)
            for at, slope in enumerate(slopes):  # one step of Adam
                self._means[at] += 0.1 * (sum(slope) / len(part) - self._means[at])
                self._squares[at] += 0.01 * ((sum(slope) / len(part)) ** 2 - self._squares[at])
                self.weights[at] -= RATE * self._means[at] / (np.sqrt(self._squares[at]) + 1e-8)

    def _gains(self, steps: list[Step], values: Any, after: Any) -> Any:
        """By how much each step was better than its value (GAE)."""
        gain, gains = np.zeros(len(after)), np.zeros_like(values)
        for at in reversed(range(len(steps))):
            goes_on = ~steps[at].ended
            surprise = steps[at].paid + DISCOUNT * after * goes_on - values[at]
            gains[at] = surprise + DISCOUNT * TRACE * goes_on * gain
            after, gain = values[at], np.where(steps[at].new, 0.0, gains[at])
        return gains

    def slopes(self, step: Step, gains: Any) -> list[Any]:
        """The gradient of the loss: the clipped gains to be expected, and the entropy."""
        given, row = step.given, step.taken
        odds, layer = self.odds(given)
        ratio, logs = odds[row] / step.odds, np.log(odds + 1e-12)
        clipped = ((ratio > 1 + CLIP) & (gains > 0)) | ((ratio < 1 - CLIP) & (gains < 0))
        pull = np.where(clipped, 0.0, ratio * gains)
        spread = logs - np.add.reduceat(odds * logs, given.firsts)[given.games]
        slope = odds * (pull[given.games] + ENTROPY * spread * ~step.new[given.games])
        slope[row] -= pull
        outer = (slope[:, None] * given.context[given.games] / len(row)).astype(np.float32)
        back = outer @ self.weights[1][-HIDDEN:].T * (1 - layer[:, -HIDDEN:] ** 2)
        return [given.rows.T @ back, layer.T @ outer]


def learn(minutes: float, setup: str, tables: int) -> Iterator[tuple[float, int, Policy]]:
    """Train for so much CPU time; now and then the minutes, the decisions, and the policy."""
    policy = Policy(Encoder(GameVectorEnv(1, setup=setup).games[0]))
    began, decisions, block = time.process_time(), 0, 0
    while (spent := (time.process_time() - began) / 60) < minutes:
        yield spent, decisions, policy
        first = 1000 + tables * block
        env = GameVectorEnv(GAMES, setup=setup, tables=tables, table_seed=first, reward="growth")
        observation, _ = env.reset(seed=block * GAMES * 10)
        for _ in range(ROLLOUTS):
            steps, observation = policy.play(env, observation)
            policy.improve(steps, policy.encode(observation).context)
        decisions, block = decisions + ROLLOUTS * GAMES * STEPS, block + 1
    yield spent, decisions, policy


def match(policy: Policy, other: str, setup: str, pairs: int) -> tuple[float, float, float]:
    """Wins of 100 games against a bot, half an interval of 95 %, and the gold ahead.

    Each deal is played twice, with seats changed; a tie is half a win. Tables are new.
    """
    ahead = np.zeros((pairs, 2))
    for deal, seat in np.ndindex(pairs, 2):
        env = GameEnv(opponents=other, seat=seat, setup=setup, engine="native")
        (observation, info), terminated = env.reset(seed=1_000_000 + deal), False
        while not terminated:
            given = policy.encode({name: array[None] for name, array in observation.items()})
            action = given.actions[policy.odds(given)[0].argmax()]
            observation, _, terminated, _, info = env.step(action)
        ahead[deal, seat] = info["totals"][seat] - info["totals"][1 - seat]
    wins = ((1 + np.sign(ahead)) / 2).mean(1)
    half = 1.96 * wins.std(ddof=1) / np.sqrt(pairs)
    return 100 * float(wins.mean()), 100 * float(half), float(ahead.mean())


def main() -> None:
    """Train a policy, print now and then how strong it is, and write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    usual = {"minutes": 5.0, "every": 1.0, "setup": "first-game", "tables": 1, "pairs": 50}
    for name, value in usual.items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    given, due = parser.parse_args(), 0.0
    for spent, decisions, policy in learn(given.minutes, given.setup, given.tables):
        if spent < min(due, given.minutes):
            continue
        due += given.every
        np.savez("policy.npz", *policy.weights)
        for other in ("random", "greedy"):
            wins, half, gold = match(policy, other, given.setup, given.pairs)
            found = f"{wins:.0f} ± {half:.0f} wins of 100 against {other}, {gold:+.1f} gold"
            print(f"{spent:.1f} minutes, {decisions:,} decisions: {found}", flush=True)


if __name__ == "__main__":
    main()
