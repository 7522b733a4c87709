"""What a game was worth to each player, in the ways that a learner may be paid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

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
