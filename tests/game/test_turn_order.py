"""Who has which turn, beside rounds that are written out as lists."""

from __future__ import annotations

import pytest

import kbrules
from kbrules.game.events import CutOff, TurnStarted
from kbrules.game.state import LIMITS, MAX_FURTHER, place_in_round, player_of
from kbrules.text import Source
from tests.equal.settings import HOUSE_RULES


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
