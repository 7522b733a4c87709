"""Games played on by the native program end as those that are played on by states."""

from __future__ import annotations

import pytest

from kbrules.kernel.native.memory import NativeMemory
from tests.equal.rollouts import compared
from tests.equal.settings import HOUSE_BOXES, OF_A_MIX, Mix, of_each_mix, setting_of
from tests.equal.unequal import Unequal

pytest.importorskip("numba", reason="the extra `fast` is not installed")
PLAIN = [Mix(("base",)), HOUSE_BOXES["hex"]]


@pytest.mark.parametrize("mix", PLAIN, ids=str)
def test_the_base_game_and_others_go_on_alike(mix: Mix) -> None:
    for seed in range(4):
        assert compared(setting_of(seed, mix))


@pytest.mark.slow
@pytest.mark.parametrize("mix", HOUSE_BOXES.values(), ids=str)
def test_other_games_go_on_alike(mix: Mix) -> None:
    for seed in range(4):
        assert compared(setting_of(seed, mix))


@pytest.mark.slow
@of_each_mix
def test_all_boxes_go_on_alike(mix: int) -> None:
    assert compared(setting_of(mix * OF_A_MIX), 12)


def test_a_draw_too_many_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = NativeMemory.stream

    def stream(memory: NativeMemory, at: int) -> int:
        return right(memory, at) + 0x9E3779B97F4A7C15 & 2**64 - 1

    monkeypatch.setattr(NativeMemory, "stream", stream)
    with pytest.raises(Unequal, match="place of the stream"):
        compared(setting_of(1, PLAIN[0]))


def test_another_draw_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    gone_to = NativeMemory.go_to
    monkeypatch.setattr(
        NativeMemory, "go_to", lambda memory, at, place: gone_to(memory, at, place ^ 1)
    )
    with pytest.raises(Unequal, match="leads"):
        compared(setting_of(1, PLAIN[0]))
