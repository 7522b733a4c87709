"""Sampled positions: repeatable, of both kinds, possible to play on from, of any game."""

from __future__ import annotations

import pytest

from kbrules.engine.matches import Match, random_bot
from kbrules.game.state import State
from kbrules.library.load import load
from kbrules.tools.sampling import PLAYED, SCATTERED, Sample, samples
from tests.source_tree import HEX


def seen(sample: Sample) -> tuple[int, str, str]:
    return sample.seed, sample.kind, sample.state.hash()


def in_order(state: State) -> bool:
    """No hex holds two pieces, and `occupied` says which hold one."""
    masks = [mask for seat in state.seats for mask in seat.pieces] + [*state.neutral]
    union = 0
    for mask in masks:
        if union & mask:
            return False
        union |= mask
    return union == state.occupied


def test_the_same_seed_gives_the_same_positions() -> None:
    ruleset = load("base")
    first = [seen(sample) for sample in samples(ruleset, 24, seed=5)]
    assert first == [seen(sample) for sample in samples(load("base"), 24, seed=5)]
    assert len(set(first)) > 20
    assert first != [seen(sample) for sample in samples(ruleset, 24, seed=50)]
    assert first[:10] == [seen(sample) for sample in samples(ruleset, 10, seed=5)]


@pytest.mark.parametrize("boxes", [("base",), ()])
def test_positions_are_in_order_and_of_both_kinds(boxes: tuple[str, ...]) -> None:
    found = list(samples(load(*boxes), 64, seed=3))
    assert {sample.kind for sample in found} == {PLAYED, SCATTERED}
    assert all(in_order(sample.state) for sample in found)
    assert any(sample.state.is_over for sample in found)
    assert any(not sample.state.is_over for sample in found)
    least, most = load(*boxes).parts.players
    assert {sample.game.players for sample in found} == set(range(least, most + 1))


def test_the_game_goes_on_from_every_scattered_position() -> None:
    for sample in samples(load(), 24, seed=8):
        match = Match(sample.game, 1, [random_bot] * sample.game.players)
        match.state = sample.state
        for played in match:
            if played.number > 40:
                break
        assert in_order(match.state)


def test_cards_that_are_wanted_lie_on_every_table() -> None:
    ruleset = load("base")
    wanted = ruleset.catalog.scoring[3]
    found = [sample.table.cards for sample in samples(ruleset, 80, cards=(wanted,))]
    assert all(cards[0] == wanted and cards.count(wanted) == 1 for cards in found)
    assert {len(cards) for cards in found} == {ruleset.catalog.numbers["cards_in_play"]}


def test_any_game_can_be_sampled() -> None:
    found = list(samples(load(folders=[HEX]), 12))
    assert len(found) == 12
    assert all(in_order(sample.state) for sample in found)
