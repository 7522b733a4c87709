"""What players see: filled natively as from states, and nothing of what is hidden."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy
import pytest
from hypothesis import given, settings, strategies as st

from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.engine.setup import new_game
from kbrules.envs.actions import actions_of
from kbrules.envs.batch import GameBatch
from kbrules.envs.gymnasium import observation_space
from kbrules.envs.observation import features_of, observe
from kbrules.game.random import Random
from kbrules.game.state import State, draft_of
from kbrules.library.load import load
from kbrules.text import Source
from tests.envs.peers import BOXES, seatings
from tests.equal.settings import HOUSE_BOXES, mix_of, setting_of


def unlike(one: dict[str, Any], other: dict[str, Any], game: Game) -> list[str]:
    """The names of planes and numbers that differ."""
    features = features_of(game)
    planes = (one["planes"] != other["planes"]).any((1, 2)).nonzero()[0]
    numbers = (one["numbers"] != other["numbers"]).nonzero()[0]
    assert one["planes"].dtype == other["planes"].dtype == numpy.int8
    assert one["numbers"].dtype == other["numbers"].dtype == numpy.int64
    return [features.planes[i].name for i in planes] + [features.numbers[i].name for i in numbers]


def twins(game: Game, seed: int, moves: int = 400, every: int = 5) -> int:
    """Play three games natively and by the Python kernel; how many views were compared."""
    seeds = [seed, seed + 1, seed + 2]
    batch = GameBatch(game, seeds)
    plays = [game.playthrough(each, PYTHON) for each in seeds]
    random, actions, compared = Random(seed, "mover"), actions_of(game), 0
    for move in range(moves):
        if not any(play.count for play in plays):
            break
        if move % every == 0:
            for ahead in range(game.players):
                viewers = [(play.player + ahead) % game.players for play in plays]
                observation = batch.observe(viewers)
                for at, play in enumerate(plays):
                    one = {name: observation[name][at] for name in ("planes", "numbers")}
                    other = observe(game, play.state, viewers[at], play.moves)
                    assert unlike(one, other, game) == []
                    legal = actions.mask(play.moves) if viewers[at] == play.player else 0
                    assert (observation["mask"][at] == legal).all()
                    compared += 1
        chosen = []
        for play in plays:
            index = random.below(play.count) if play.count else 0
            chosen.append(actions.number(play.moves[index]) if play.count else 0)
            if play.count:
                play.apply(play.moves[index])
        batch.act(chosen)
    return compared


def test_the_native_fill_is_that_of_states() -> None:
    assert twins(new_game(load("base"), 2, seed=1), 1) > 50


@pytest.mark.slow
@pytest.mark.parametrize("boxes", BOXES, ids="+".join)
def test_the_native_fill_is_that_of_states_at_every_table(boxes: tuple[str, ...]) -> None:
    for players in seatings(boxes):
        assert twins(new_game(load(*boxes), players, seed=players), players, every=11) > 30


def test_the_native_fill_is_that_of_states_for_a_mix() -> None:
    twins(setting_of(0, mix_of(0)).game(PYTHON), 0, every=23)


@pytest.mark.slow
@pytest.mark.parametrize("mix", [0, 2, 5, 8, 11])
def test_the_native_fill_is_that_of_states_for_mixes(mix: int) -> None:
    for seed in range(25 * mix, 25 * mix + 10, 5):
        twins(setting_of(seed, mix_of(25 * mix)).game(PYTHON), seed, every=7)


@pytest.mark.parametrize("house", HOUSE_BOXES)
def test_the_native_fill_is_that_of_states_for_other_rules(house: str) -> None:
    twins(setting_of(0, HOUSE_BOXES[house]).game(PYTHON), 0)


def test_gold_beyond_32_bits_is_seen() -> None:
    text = (
        'rule much "Much":\n    "Much."\n    when build:\n        repeat 400 times: gain 999999\n'
    )
    game = new_game(load("base", texts=[Source("much.kb", text)]), players=2, seed=1)
    twins(game, 0, moves=90, every=30)
    state = position(game, 0, 90)
    assert state.seats[0].gold > 2**31
    seen = observe(game, state, 0, game.legal_moves(state))["numbers"]
    assert state.seats[0].gold in seen
    space = observation_space(game)["numbers"]
    assert space.contains(seen) and space.contains(space.sample())


def position(game: Game, seed: int, moves: int) -> State:
    """A position of a random game after so many moves, or the last one before its end."""
    random, play = Random(seed, "mover"), game.playthrough(seed, PYTHON)
    state = play.state
    while play.count and play.moves_made < moves:
        state = play.state
        play.choose(random.below(play.count))
    return state


def dealt_anew(state: State, viewer: int, seed: int) -> State:
    """The same position, but what the viewer has not seen is dealt in another way."""
    deck, *others = state.piles
    hands = [() if at == viewer else seat.hand for at, seat in enumerate(state.seats)]
    unseen = [card for card, number in enumerate(deck) for _ in range(number)]
    unseen += [card for hand in hands for card in hand]
    drawn = Random(seed, "deal").sample(unseen, len(unseen))
    draft, seats = draft_of(state), []
    for seat, hand in zip(state.seats, hands, strict=True):
        mine, drawn = drawn[: len(hand)], drawn[len(hand) :]
        seats.append(seat._replace(hand=tuple(mine)) if hand else seat)
    left = Counter(drawn)
    draft.seats = tuple(seats)
    draft.piles = (tuple(left[card] for card in range(len(deck))), *others)
    return draft.seal()


GAMES = {boxes: new_game(load("base", *boxes), 3, seed=5) for boxes in ((), ("crossroads",))}


@settings(deadline=None, max_examples=40)
@given(
    st.sampled_from([*GAMES]), st.integers(0, 50), st.integers(0, 120), st.integers(0, 2),
    st.integers(0, 99),
)  # fmt: skip
def test_what_is_hidden_does_not_show(
    boxes: tuple[str, ...], seed: int, moves: int, viewer: int, deal: int
) -> None:
    game = GAMES[boxes]
    state = position(game, seed, moves)
    other = dealt_anew(state, viewer, deal)
    views = [observe(game, each, viewer, game.legal_moves(each)) for each in (state, other)]
    assert unlike(*views, game) == []


def test_positions_dealt_anew_differ_and_own_cards_show() -> None:
    game = GAMES[()]
    state = position(game, 1, 40)
    others = [dealt_anew(state, 0, deal) for deal in range(20)]
    assert len({other.hash() for other in others}) > 2
    moves, shown = game.legal_moves(state), set()
    for other in others:
        own = observe(game, other, 1, moves)
        shown |= set(unlike(observe(game, state, 1, moves), own, game))
    assert shown and all(name.startswith(("hand ", "unseen ")) for name in shown)


def test_every_plane_and_number_has_a_name_of_its_own_and_says_what_it_is() -> None:
    for game in GAMES.values():
        features = features_of(game)
        for group in (features.planes, features.numbers):
            assert len({feature.name for feature in group}) == len(group)
            assert all(feature.meaning for feature in group)
        assert features.plane("legal") == len(features.planes) - 1
        assert features.number("seat") == 0
        with pytest.raises(KeyError):
            features.plane("deck")


def test_other_grids_are_below_the_table() -> None:
    game = new_game(load("base", "island"), 2, seed=1)
    features = features_of(game)
    assert (features.rows, features.columns) == (22 + 5, 20)
    planes = observe(game, game.start(), 0, game.legal_moves(game.start()))["planes"]
    board = planes[features.plane("board")]
    assert board.sum() == 400 + 28 and not board[20:22].any()


def test_neighbours_on_a_plane_are_neighbours_on_the_board() -> None:
    game = new_game(load("base", "island"), 2, seed=1)
    features, grid = features_of(game), game.board.grid
    for hex, (row, column) in features.cell_of.items():
        right = row % 2
        next_to = {(row, column - 1), (row, column + 1)}
        for other in (row - 1, row + 1):
            next_to |= {(other, column - 1 + right), (other, column + right)}
        near = {features.cell_of[h] for h in features.cell_of if grid.distance(hex, h) == 1}
        assert near == {cell for cell in next_to if cell in features.cell_of.values()}
