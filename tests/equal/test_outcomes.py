"""Playouts by the kernel: they end as the same games played move by move by the reference."""

from __future__ import annotations

from time import process_time

import pytest

from tests.equal.outcomes import SEEDS, compared, compared_natively
from tests.equal.settings import HOUSE_BOXES, OF_A_MIX, Mix, of_each_mix, setting_of

OF_EACH = 1
PLAIN = [Mix(("base",)), *HOUSE_BOXES.values()]
"""What is played with more seeds."""
LONG, PARTS, SECONDS = 2_000, 8, 400


@of_each_mix
def test_a_game_at_a_stretch_ends_as_move_by_move(mix: int) -> None:
    for seed in range(mix * OF_A_MIX, mix * OF_A_MIX + OF_EACH):
        assert compared(setting_of(seed)) == 0, "all that the boxes need is written out"


@pytest.mark.parametrize("mix", PLAIN, ids=str)
def test_the_base_game_and_others_are_played_to_the_end(mix: Mix) -> None:
    assert sum(compared(setting_of(seed, mix)) for seed in range(4)) == 0


@pytest.mark.slow
@of_each_mix
def test_a_native_game_ends_as_move_by_move(mix: int) -> None:
    pytest.importorskip("numba", reason="the extra `fast` is not installed")
    compared_natively(setting_of(mix * OF_A_MIX))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_many_more_games_at_a_stretch_end_so(part: int) -> None:
    played, until = 0, process_time() + SECONDS / PARTS
    for seed in range(10_000 + part, 10_000 + LONG * OF_A_MIX, OF_A_MIX * PARTS // 5):
        if process_time() > until:
            break
        compared(setting_of(seed))
        played += len(SEEDS)
    assert played > 100
