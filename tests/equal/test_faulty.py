"""Rules with a fault planted in them: all ways to play still agree."""

from __future__ import annotations

from time import process_time

import pytest

from tests.equal.faulty import RULES, compared, trial_of

FEW = RULES[-1:]
"""The house rules with odd actions, and of the base game."""
LONG, PARTS, SECONDS = 4_000, 8, 400


def test_faults_are_planted() -> None:
    trials = [trial_of(seed, FEW) for seed in range(40)]
    assert len({trial.fault.kind for trial in trials}) > 4
    assert sum(trial.ruleset is not None for trial in trials) > 20


@pytest.mark.parametrize("part", range(2))
def test_rules_with_a_fault_are_played_alike(part: int) -> None:
    assert sum(compared(seed, FEW) for seed in range(part, 8, 2)) > 1


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_more_faults_are_played_alike(part: int) -> None:
    played, until = 0, process_time() + SECONDS / PARTS
    for seed in range(10_000 + part, 10_000 + LONG, PARTS):
        if process_time() > until:
            break
        played += compared(seed)
    assert played > 20
