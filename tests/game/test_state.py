"""Changes of a draft and the order of turns, compared with plain lists and sets."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, strategies as st

import kbrules
from kbrules.game.events import (
    CutOff,
    Entered,
    PutBeside,
    Retired,
    Swapped,
    TurnStarted,
    first_of,
)
from kbrules.game.state import (
    FRESH,
    LIMITS,
    MAX_FURTHER,
    READY,
    USED,
    Tile,
    place_in_round,
    player_of,
)
from kbrules.reference.machine import is_reusable
from kbrules.text import Source
from tests.equal.settings import HOUSE_RULES

CARDS = st.integers(0, 12)
HEXES = st.integers(0, 400)


def mask(numbers: Any) -> int:
    return sum(1 << number for number in {*numbers})


@given(st.sets(CARDS), st.sets(CARDS), CARDS)
def test_cards_come_and_go_as_members_of_sets(beside: set[int], gone: set[int], card: int) -> None:
    for event, its, left in (
        (Entered, beside - {card}, gone),
        (Retired, beside - {card}, gone | {card}),
        (PutBeside, beside | {card}, gone),
    ):
        draft: Any = SimpleNamespace(beside=mask(beside), retired=mask(gone))
        event(0, card).fold(draft)
        assert (draft.beside, draft.retired) == (mask(its), mask(left))


@given(st.sets(HEXES), HEXES, HEXES)
def test_pieces_that_change_places_do_so_in_their_set(
    others: set[int], origin: int, hex: int
) -> None:
    own = (others | {origin}) - {hex}
    draft: Any = SimpleNamespace(neutral=(mask(own),))
    Swapped(-1, 0, origin, hex).fold(draft)
    expected = own if origin == hex else own - {origin} | {hex}
    assert draft.neutral == (mask(expected) if origin != hex else mask(own ^ {origin}),)


def test_a_use_marks_the_first_usable_tile_and_else_the_first_unused() -> None:
    for length in range(4):
        for kinds in product(((0, FRESH), (0, READY), (0, USED), (1, READY)), repeat=length):
            tiles = tuple(Tile(kind, -1, status) for kind, status in kinds)
            ready = [at for at, each in enumerate(kinds) if each == (0, READY)]
            fresh = [at for at, each in enumerate(kinds) if each == (0, FRESH)]
            assert first_of(tiles, 0) == [*ready, *fresh, -1][0]


@given(st.sets(HEXES), st.integers(-1, 400), st.sampled_from((FRESH, READY, USED)))
def test_tiles_of_some_places_are_used_again(places: set[int], origin: int, status: str) -> None:
    tile = Tile(0, origin, status)
    assert is_reusable(tile, mask(places)) == (status != FRESH and origin in places)


def rounds(players: int, passes: bool) -> list[list[int]]:
    """The players of thirty rounds, in order: a queue whose first goes to the end."""
    queue, found = list(range(players)), []
    for _ in range(30):
        found.append(list(queue))
        if passes:
            queue.append(queue.pop(0))
    return found


@pytest.mark.parametrize("passes", [False, True])
@pytest.mark.parametrize("players", range(1, 7))
def test_turns_are_those_of_rounds_written_out(players: int, passes: bool) -> None:
    written = rounds(players, passes)
    turns = range(players * len(written))
    flat = [player for order in written for player in order]
    assert [player_of(turn, players, passes) for turn in turns] == flat
    for turn in turns:
        order = written[turn // players]
        places = [place_in_round(player, turn, players, passes) for player in range(players)]
        assert places == [order.index(player) for player in range(players)]


def starts(ruleset: kbrules.Ruleset, players: int, seed: int) -> list[int]:
    """The players whose turns began in a random game."""
    game, random = kbrules.new_game(ruleset, players, seed), kbrules.Random(seed, "moves")
    opening = game.opening()
    events, state = [*opening.events], opening.state
    while not state.is_over:
        step = game.play(state, game.legal_moves(state).sample(random))
        events += step.events
        state = step.state
    return [event.player for event in events if isinstance(event, TurnStarted)]


def test_a_box_lets_the_start_player_pass_on() -> None:
    text = 'rule ten "Ten":\n    "Ten rounds."\n    when turn_start if round = 10: last round\n'
    plain = kbrules.load("base", texts=[Source("ten.kb", text)])
    folder = HOUSE_RULES / "turns"
    passing = kbrules.load("base", folders=[folder], texts=[Source("ten.kb", text)])
    once = starts(passing, 3, 5)
    assert starts(plain, 3, 5) == [0, 1, 2] * 10
    without_repeats = [p for n, p in enumerate(once) if n == 0 or once[n - 1] != p]
    assert without_repeats[:6] == [0, 1, 2, 1, 2, 0]


def test_who_would_go_on_for_ever_is_cut_off() -> None:
    text = 'rule ever "Ever":\n    "Ever."\n    when turn_start if round = 1: another turn\n'
    ruleset = kbrules.load("base", texts=[Source("ever.kb", text)])
    assert starts(ruleset, 2, 1)[: MAX_FURTHER + 2] == [0] * (MAX_FURTHER + 1) + [1]
    game, random = kbrules.new_game(ruleset, 2, 1), kbrules.Random(1, "moves")
    state, told = game.start(), []
    while not state.is_over:
        step = game.play(state, game.legal_moves(state).sample(random))
        told += [event.limit for event in step.events if isinstance(event, CutOff)]
        state = step.state
    assert told == ["further"] * 2, "of either player in the first round"


def finish_of(text: str, engine: str) -> tuple[kbrules.State, int]:
    """How a random game of two ends with a rule more, and its decisions after the last round."""
    ruleset = kbrules.load("base", texts=[Source("finish.kb", text)])
    game = kbrules.new_game(ruleset, 2, 1).with_engine(engine)
    state, random, late = game.start(), kbrules.Random(1, "moves"), 0
    while not state.is_over:
        late += state.stage[0] == "finish"
        state = game.apply(state, game.legal_moves(state).sample(random))
    return state, late


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_a_finish_is_done_as_often_as_players_ask_for_it(engine: str) -> None:
    """In three passes each of two players is asked, and gains two gold for it."""
    text = """rule passes "Passes":
    "After the last round everybody builds two more, one after another."
    when turn_start if round = 1: last round
    finish:
        build 1 on buildable freely
        gain 2
        another finish if count(mine) < 6
"""
    state, late = finish_of(text, engine)
    assert (late, [seat.gold for seat in state.seats]) == (6, [6, 6])


@pytest.mark.parametrize("engine", ["reference", "python"])
def test_a_finish_that_never_ends_is_cut_off(engine: str) -> None:
    text = """rule passes "Passes":
    "After the last round, for ever."
    when turn_start if round = 1: last round
    finish:
        gain 1
        another finish
"""
    state, late = finish_of(text, engine)
    assert [seat.gold for seat in state.seats] == [MAX_FURTHER + 1] * 2 and late == 0
    assert state.cut >> LIMITS.index("further") & 1
