"""A small policy that learns the base game: `python learn.py --minutes 5`.

It needs numpy and `pip install 'kbrules[envs,fast]'`. Of every legal action it sees the planes on
its hex, on the hexes around it and on those two steps away, how much lies in its row, column and
quarter, and all numbers; a network with one hidden layer makes a score of these, and an action is
drawn by the softmax of the scores. PPO moves the scores towards what the margin grew by afterwards.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kbrules.engine.matches.match import Bot
from kbrules.engine.matches.outcome import outcome
from kbrules.envs.actions import actions_of
from kbrules.envs.features import features_of
from kbrules.envs.observation import observe
from kbrules.envs.tables import Tables
from kbrules.envs.vector import GameVectorEnv
from kbrules.game.moves import Move, MoveSet
from kbrules.tools.playing.bots import bot_named

GAMES, STEPS, ROLLOUTS = 256, 24, 10
HIDDEN, RATE, CLIP, ENTROPY, EPOCHS, PARTS = 32, 1e-3, 0.2, 0.01, 2, 12
DISCOUNT, TRACE = 0.97, 0.9
NEAR, FAR = 1, 2


class Inputs(NamedTuple):
    """The legal actions of many games: a row of inputs for each, in the order of the games.

    games: of which game each is; actions: its number; firsts: where each game begins. state: what
    is known of each game; context: 1, the cards that count, and how far the game is.
    """

    rows: Any
    games: Any
    actions: Any
    firsts: Any
    state: Any
    context: Any


class Encoder:
    """Makes inputs of observations, for all tables of the same rules."""

    def __init__(self, game: Any) -> None:
        self.actions, features = actions_of(game), features_of(game)
        self.cells = np.array([r * features.columns + c for r, c in features.cells])
        self.rows, self.columns = features.rows, features.columns
        self.rings = [_ring(features.rows, features.columns, steps) for steps in (NEAR, FAR)]
        self.own = features.plane("seat 0 piece settlement")
        self.scale = np.ones(len(features.numbers), np.float32)
        for at, feature in enumerate(features.numbers):
            many = ("turn", "round", "supply", "gold")
            self.scale[at] = 0.05 if any(word in feature.name for word in many) else 0.5
        cards = [at for at, feature in enumerate(features.numbers) if feature.name[:5] == "card "]
        self.context = [
            *cards,
            features.number("round"),
            features.number("seat 0 supply settlement"),
        ]
        self.size = 3 * (features.shape[0] - 1) + 6 + len(self.actions.kinds)

    def __call__(self, seen: dict[str, Any]) -> Inputs:
        """The inputs of all legal actions of what is seen of many games."""
        games, actions = seen["action_mask"].view(bool).nonzero()
        size, most = len(self.cells), self.actions.with_hex * len(self.cells)
        has_hex = actions < most
        kinds = np.where(has_hex, actions // size, actions - most + self.actions.with_hex)
        cells = np.where(has_hex, self.cells[actions % size], self.rows * self.columns)
        planes = seen["observation"][:, 1:].reshape(
            len(seen["numbers"]), -1, self.rows * self.columns
        )
        state = seen["numbers"].astype(np.float32) * self.scale
        parts = [
            *self._around(planes, games, cells),
            self._lines(planes, games, cells),
            np.eye(len(self.actions.kinds), dtype=np.float32)[kinds],
        ]
        firsts = np.searchsorted(games, np.arange(len(state)))
        context = np.ones((len(state), 1 + len(self.context)), np.float32)
        context[:, 1:] = state[:, self.context]
        rows = np.concatenate(parts, 1, dtype=np.float32)
        return Inputs(rows, games, actions, firsts, state, context)

    def _around(self, planes: Any, games: Any, cells: Any) -> Iterator[Any]:
        """The planes on the hex itself, and their sums one step and two steps away."""
        padded = np.zeros((len(planes), planes.shape[2] + 1, planes.shape[1]), np.int8)
        padded[:, :-1] = planes.transpose(0, 2, 1)
        yield padded[games, cells]
        for ring in self.rings:
            near = ring[cells]
            found = padded[games[:, None], near]
            yield found.sum(1, dtype=np.int8).astype(np.float32) / ring.shape[1]

    def _lines(self, planes: Any, games: Any, cells: Any) -> Any:
        """How many own and other pieces lie in the row, the column and the quarter of the hex."""
        found = []
        row, column = np.divmod(np.minimum(cells, self.rows * self.columns - 1), self.columns)
        for plane in (self.own, self.own + 1):
            board = planes[:, plane - 1].reshape(-1, self.rows, self.columns)
            quarters = board.reshape(len(board), 2, self.rows // 2, 2, self.columns // 2)
            found.append(board.sum(2, dtype=np.float32)[games, row] / 4)
            found.append(board.sum(1, dtype=np.float32)[games, column] / 4)
            both = quarters.sum((2, 4), dtype=np.float32)
            found.append(both[games, row * 2 // self.rows, column * 2 // self.columns] / 8)
        return np.stack(found, 1)


def _ring(rows: int, columns: int, steps: int) -> Any:
    """The cells so many steps from each cell; off the board the number behind all cells."""
    nobody = rows * columns
    near = np.full((nobody + 1, 6), nobody)
    for row in range(rows):
        for column in range(columns):
            side = row % 2
            around = [(row, column - 1), (row, column + 1)]
            around += [(row + up, column - 1 + side + by) for up in (-1, 1) for by in (0, 1)]
            for at, (r, c) in enumerate(around):
                if 0 <= r < rows and 0 <= c < columns:
                    near[row * columns + column, at] = r * columns + c
    if steps == 1:
        return near
    far = np.full((nobody + 1, 12), nobody)
    for cell in range(nobody):
        found = sorted({int(c) for c in near[near[cell]].ravel()} - {cell, *near[cell].tolist()})
        found = [c for c in found if c != nobody][:12]
        far[cell, : len(found)] = found
    return far


class Policy:
    """Scores of actions by a network with one hidden layer, and the value of a game by a line.

    Inputs and hidden layer have a weight for each card that counts: what is wanted depends on them.
    """

    def __init__(self, inputs: int, states: int, contexts: int, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        sizes = (inputs, states)
        first = [random.normal(0, n**-0.5, (n, HIDDEN)).astype(np.float32) for n in sizes]
        last = [np.zeros((n, contexts), np.float32) for n in (inputs, HIDDEN)]
        self.weights = [*first, np.zeros(HIDDEN, np.float32), *last]
        self.value = np.zeros(states + 1)
        self._means = [np.zeros_like(each) for each in self.weights]
        self._squares = [np.zeros_like(each) for each in self.weights]
        self._time = 0

    def scores(self, given: Inputs) -> tuple[Any, Any]:
        """The score of each action, and the hidden layer."""
        of_action, of_game, bias, plain, last = self.weights
        hidden = np.tanh(given.rows @ of_action + (given.state @ of_game + bias)[given.games])
        wanted = given.rows @ plain + hidden @ last
        return (wanted * given.context[given.games]).sum(1), hidden

    def odds(self, given: Inputs) -> Any:
        """How likely each action is, within its game."""
        return softmax(self.scores(given)[0], given)

    def values(self, state: Any) -> Any:
        """How much the margin will still grow, as a line of what is known."""
        return state @ self.value[:-1] + self.value[-1]

    def best(self, given: Inputs) -> Any:
        """The action of each game with the highest score."""
        scores = self.scores(given)[0]
        order = np.lexsort((-scores, given.games))
        return given.actions[order[given.firsts]]

    def descend(self, slopes: list[Any]) -> None:
        """A step of Adam."""
        self._time += 1
        for at, slope in enumerate(slopes):
            self._means[at] += 0.1 * (slope - self._means[at])
            self._squares[at] += 0.001 * (slope**2 - self._squares[at])
            mean = self._means[at] / (1 - 0.9**self._time)
            square = self._squares[at] / (1 - 0.999**self._time)
            self.weights[at] -= (RATE * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def save(self, file: Path) -> None:
        """Write the weights to a file of numpy."""
        np.savez(file, *self.weights, value=self.value)

    @classmethod
    def read(cls, file: Path) -> Policy:
        """The policy that was written to a file."""
        kept = np.load(file)
        policy = cls(len(kept["arr_0"]), len(kept["arr_1"]), kept["arr_4"].shape[1])
        policy.weights = [kept[f"arr_{at}"] for at in range(5)]
        policy.value = kept["value"]
        return policy


def softmax(scores: Any, given: Inputs) -> Any:
    """The odds of the actions of each game by their scores."""
    raised = np.exp(scores - np.maximum.reduceat(scores, given.firsts)[given.games])
    return raised / np.add.reduceat(raised, given.firsts)[given.games]


class Rollout(NamedTuple):
    """Some steps of all games: of each step the inputs, which rows were taken, and what was paid.

    new: where a game was over, so that the action was ignored.
    """

    inputs: list[Inputs]
    taken: list[Any]
    odds: list[Any]
    paid: list[Any]
    new: list[Any]
    ended: list[Any]


class Learner:
    """Plays on the tables of an environment and improves a policy."""

    def __init__(self, policy: Policy, encode: Encoder, seed: int) -> None:
        self.policy, self.encode = policy, encode
        self.random = np.random.default_rng(seed)

    def play(self, env: GameVectorEnv, seen: dict[str, Any]) -> tuple[Rollout, dict[str, Any]]:
        """Some steps of all games, and what is seen after them."""
        rollout = Rollout([], [], [], [], [], [])
        over = np.zeros(env.num_envs, bool)
        for _ in range(STEPS):
            given = self.encode(_playable(seen))
            odds = self.policy.odds(given)
            row = self._drawn(odds, given)
            seen, paid, ended, _, _ = env.step(given.actions[row])
            for kept, value in zip(
                rollout, (given, row, odds[row], paid, over, ended), strict=True
            ):
                kept.append(value)
            over = ended
        return rollout, seen

    def _drawn(self, odds: Any, given: Inputs) -> Any:
        """A row for each game, drawn by its odds."""
        ends = np.append(given.firsts[1:], len(odds)) - 1
        sums = np.cumsum(odds)
        before = sums[given.firsts] - odds[given.firsts]
        wanted = before + self.random.random(len(ends)) * (sums[ends] - before)
        return np.clip(np.searchsorted(sums, wanted), given.firsts, ends)

    def improve(self, rollout: Rollout, last: Any) -> None:
        """Some epochs of PPO on the steps of a rollout."""
        gains, targets = self._gains(rollout, last)
        states = np.concatenate([given.state for given in rollout.inputs])
        keep = ~np.concatenate(rollout.new)
        wide = np.append(states, np.ones((len(states), 1)), 1)[keep]
        ridge = wide.T @ wide + np.eye(wide.shape[1])
        fitted = np.linalg.solve(ridge, wide.T @ np.concatenate(targets)[keep])
        self.policy.value += 0.3 * (fitted - self.policy.value)
        flat = np.concatenate(gains)[keep]
        gains = [
            (gain - flat.mean()) / (flat.std() + 1e-8) * ~new
            for gain, new in zip(gains, rollout.new, strict=True)
        ]
        for _ in range(EPOCHS):
            for steps in np.array_split(self.random.permutation(STEPS), PARTS):
                self.policy.descend(self._slopes(rollout, gains, steps))

    def _gains(self, rollout: Rollout, last: Any) -> tuple[list[Any], list[Any]]:
        """By how much each step was better than expected, and what its value should have been."""
        after, gain, gains, targets = self.policy.values(last), 0.0, [], []
        for at in reversed(range(STEPS)):
            value, goes_on = self.policy.values(rollout.inputs[at].state), ~rollout.ended[at]
            surprise = rollout.paid[at] + DISCOUNT * after * goes_on - value
            gain = surprise + DISCOUNT * TRACE * goes_on * gain
            gains.append(gain)
            targets.append(gain + value)
            after = value
            gain = np.where(rollout.new[at], 0.0, gain)
        return gains[::-1], targets[::-1]

    def _slopes(self, rollout: Rollout, gains: list[Any], steps: Any) -> list[Any]:
        """The gradient of the loss over some steps."""
        sums = [np.zeros_like(each) for each in self.policy.weights]
        for at in steps:
            given, row = rollout.inputs[at], rollout.taken[at]
            scores, hidden = self.policy.scores(given)
            odds = softmax(scores, given)
            ratio, gain = odds[row] / rollout.odds[at], gains[at]
            clipped = ((ratio > 1 + CLIP) & (gain > 0)) | ((ratio < 1 - CLIP) & (gain < 0))
            pull = np.where(clipped, 0.0, ratio * gain).astype(np.float32)
            slope = odds * pull[given.games]
            slope[row] -= pull
            logs = np.log(odds + 1e-12)
            mean = np.add.reduceat(odds * logs, given.firsts)[given.games]
            slope += ENTROPY * odds * (logs - mean) * ~rollout.new[at][given.games]
            slope = (slope / (len(steps) * len(row))).astype(np.float32)
            outer = slope[:, None] * given.context[given.games]
            back = outer @ self.policy.weights[-1].T * (1 - hidden**2)
            of_games = given.state.T @ np.add.reduceat(back, given.firsts)
            parts = [given.rows.T @ back, of_games, back.sum(0), given.rows.T @ outer]
            parts.append(hidden.T @ outer)
            for total, part in zip(sums, parts, strict=True):
                total += part
        return sums


def _playable(seen: dict[str, Any]) -> dict[str, Any]:
    """What is seen, with any action for games that are over: it is ignored."""
    mask = seen["action_mask"]
    mask[~mask.any(1), -1] = 1
    return seen


class Asked(NamedTuple):
    """What is trained: minutes of CPU time, the set-up, on how many tables at once, and a seed."""

    minutes: float = 5.0
    setup: str = "first-game"
    tables: int = 1
    seed: int = 0


def learn(asked: Asked) -> Iterator[tuple[float, int, Policy]]:
    """Train; now and then the minutes, the steps and the policy as it is then."""
    game = Tables(setup=asked.setup).game(0)
    encode = Encoder(game)
    policy = Policy(encode.size, len(encode.scale), 1 + len(encode.context), asked.seed)
    learner = Learner(policy, encode, asked.seed)
    began, steps, block = time.process_time(), 0, 0
    while (spent := (time.process_time() - began) / 60) < asked.minutes:
        yield spent, steps, policy
        first = 1000 + asked.tables * block
        setup = {"setup": asked.setup, "tables": asked.tables, "table_seed": first}
        env = GameVectorEnv(GAMES, reward="growth", **setup)
        seen, _ = env.reset(seed=asked.seed * 10**6 + block * GAMES * 10)
        for _ in range(ROLLOUTS):
            rollout, seen = learner.play(env, seen)
            learner.improve(rollout, seen["numbers"] * encode.scale)
            steps += GAMES * STEPS
        block += 1
    yield spent, steps, policy


def bot_of(policy: Policy, encode: Encoder) -> Bot:
    """The policy as a bot, which takes the action with the highest score."""

    def bot(game: Any, state: Any, moves: MoveSet, random: Any) -> Move:
        seen = observe(game, state, moves.player, moves)
        given = encode(
            {
                "observation": seen["planes"][None],
                "numbers": seen["numbers"][None],
                "action_mask": encode.actions.mask(moves)[None],
            }
        )
        return encode.actions.move(int(policy.best(given)[0]))

    return bot


def match(policy: Policy, other: str, setup: str, pairs: int) -> tuple[float, float, float]:
    """Wins of 100 games against a bot, half an interval of 95 %, and the gold ahead.

    Each deal is played twice, with seats changed; a shared win is half a win. Tables are new.
    """
    wins, gold = [], []
    for seed in range(pairs):
        game = Tables(setup=setup).game(500_000 + seed)
        own, bots = bot_of(policy, Encoder(game)), bot_named(other)
        for seat in (0, 1):
            came = outcome(game, seed, (own, bots) if seat == 0 else (bots, own))
            wins.append((seat in came.winners) / max(1, len(came.winners)))
            gold.append(came.totals[seat] - came.totals[1 - seat])
    means = np.array(wins).reshape(-1, 2).mean(1)
    half = 1.96 * means.std(ddof=1) / np.sqrt(len(means))
    return 100 * float(means.mean()), 100 * float(half), float(np.mean(gold))


def main() -> None:
    """Train a policy, say now and then how strong it is, and write it to a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in Asked._field_defaults.items():
        parser.add_argument(f"--{name}", type=type(usual), default=usual)
    parser.add_argument("--every", type=float, default=1.0, help="minutes between matches")
    parser.add_argument("--pairs", type=int, default=50, help="deals of a match, each played twice")
    parser.add_argument("--file", type=Path, default=Path("policy.npz"))
    given = vars(parser.parse_args())
    asked, due = Asked(*(given[name] for name in Asked._fields)), 0.0
    for spent, steps, policy in learn(asked):
        if spent >= due or spent >= asked.minutes:
            due += given["every"]
            policy.save(given["file"])
            print(f"{spent:.1f} minutes, {steps:,} steps", flush=True)
            for other in ("random", "greedy"):
                wins, half, gold = match(policy, other, asked.setup, given["pairs"])
                print(f"  {other}: {wins:.0f} +- {half:.0f} of 100, {gold:+.1f} gold", flush=True)


if __name__ == "__main__":
    main()
