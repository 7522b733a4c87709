"""Reactions: other players decide in another's turn, in order, and what they do comes first."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import islice

import pytest

from kbrules.engine.game import Game
from kbrules.engine.logs.replay import parse_log, replay
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match
from kbrules.engine.setup import choose_table, game_at
from kbrules.game.events import Used
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import State
from kbrules.library.boards.tables import Layout
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.text import Source
from tests.engine.games import any_move

ENVY = """\
memory envied: hexes of player "What was built out of envy."
memory due: hexes of player "What was built as required."

rule envy "Envy":
    "When another player builds at the rim, you may build there too, once for each."
    action when build by others if any(here & edge): build 1 on edge & buildable freely

rule census "Census":
    "It is counted what is built as required, and what is not."
    when build if required: add here to due
    when build if not required: add here to envied
"""


@lru_cache(maxsize=1)
def envious() -> Ruleset:
    return load("base", texts=[Source("envy.kb", ENVY)])


MARSHES = Layout(((("canoe", False), ("temple", False)), (("refuge", False), ("fountain", False))))


def begun(players: int, seed: int = 3) -> tuple[Game, State]:
    """A game that has come to the first player's mandatory action, with a hex of the rim."""
    for each in range(seed, 200):
        game = game_at(envious(), choose_table(envious(), players, each))
        state = game.start()
        while game.legal_moves(state).player == CHANCE:
            state = game.apply(state, next(iter(game.legal_moves(state))))
        if game.legal_moves(state).groups[0].hexes & game.board.grid.edge():
            return game, state
    raise AssertionError("no card shows the rim")


def at_the_rim(game: Game, state: State) -> State:
    """The state after whoever decides has built at the rim."""
    edge = game.board.grid.edge()
    move = next(m for m in game.legal_moves(state) if m.hex >= 0 and edge >> m.hex & 1)
    return game.apply(state, move)


def asked(game: Game, state: State) -> tuple[int, set[str]]:
    """Who decides, and of which rules."""
    moves = game.legal_moves(state)
    return moves.player, {group.rule for group in moves.groups}


def stopped(game: Game, state: State) -> State:
    return game.apply(state, Move("stop", "envy"))


def test_the_others_are_asked_in_turn_order_and_then_play_goes_on() -> None:
    game, state = begun(4)
    state = at_the_rim(game, state)
    for player in (1, 2, 3):
        assert asked(game, state) == (player, {"envy"})
        state = stopped(game, state)
    assert asked(game, state) == (0, {"mandatory"})


def test_what_a_reaction_brings_about_comes_before_those_who_wait() -> None:
    """A's build asks B, C; B's asks C, A before C's first is due; the active player comes last."""
    game, state = begun(3)
    state = at_the_rim(game, at_the_rim(game, state))
    order = []
    while asked(game, state)[1] == {"envy"}:
        order.append(asked(game, state)[0])
        state = stopped(game, state)
    assert order == [2, 0, 2]
    assert asked(game, state) == (0, {"mandatory"})


def test_a_reaction_without_a_tile_is_done_once_for_each_event() -> None:
    game, state = begun(2)
    state = at_the_rim(game, at_the_rim(game, state))
    assert asked(game, state) == (0, {"envy"})  # B's own build does not ask B again
    state = stopped(game, state)
    assert asked(game, state) == (0, {"mandatory"})


def test_a_reaction_is_no_part_of_the_required_action_that_gave_cause() -> None:
    game, state = begun(2)
    state = at_the_rim(game, at_the_rim(game, at_the_rim(game, state)))
    slots = game.ruleset.memories
    due, envied = slots["due"][1], slots["envied"][1]
    counts = [(s.memory[due].bit_count(), s.memory[envied].bit_count()) for s in state.seats]
    assert counts == [(1, 1), (0, 1)]


def test_nobody_else_may_do_anything_meanwhile() -> None:
    game, state = begun(2)
    state = at_the_rim(game, state)
    assert state.active == 0 and game.legal_moves(state).player == 1
    refusal = game.explain(state, Move("build", "mandatory", 0))
    assert [reason.rule for reason in refusal.reasons] == ["envy"]
    assert "used first" in str(refusal.reasons[0])


def test_a_reaction_nobody_gave_cause_for_is_refused_as_one() -> None:
    game, state = begun(2)
    refusal = game.explain(state, Move("build", "envy", 0))
    assert [reason.rule for reason in refusal.reasons] == ["envy"]
    assert "reaction" in str(refusal.reasons[0])


def test_why_a_hex_is_refused_in_a_reaction() -> None:
    game, state = begun(2)
    state = at_the_rim(game, state)
    inner = next(hex for hex in range(900) if game.board.grid.full >> hex & 1
                 and not game.board.grid.edge() >> hex & 1)  # fmt: skip
    (reason, *_) = game.explain(state, Move("build", "envy", inner)).reasons
    assert "edge" in reason.text


def test_a_state_that_waits_for_a_reaction_is_as_good_as_any() -> None:
    """It can be come back to, and says the same again."""
    game, state = begun(3)
    waiting = at_the_rim(game, state)
    before = waiting.hash()
    after = [stopped(game, waiting).hash(), at_the_rim(game, waiting).hash()]
    assert waiting.hash() == before
    assert [stopped(game, waiting).hash(), at_the_rim(game, waiting).hash()] == after


@pytest.mark.parametrize("seed", [2])
def test_a_game_with_reactions_is_logged_and_played_again(seed: int) -> None:
    rules = load("base", "marshlands")
    table = replace(choose_table(rules, 4, seed), layout=MARSHES)
    game = game_at(rules, table)
    recorder = Recorder(game, game.start(), MatchInfo(table, seed, ("any",) * 4))
    match = Match(game, seed, [any_move] * 4, recorder.watch)
    foreign = 0
    for each in islice(match, 4000):
        recorder.add(each.player, each.move, each.transition)
        uses = [event for event in each.transition.events if isinstance(event, Used)]
        foreign += any(event.player != each.before.active for event in uses)
    recorder.close(match.state)
    assert match.state.is_over
    log, findings = parse_log(Source("game.kblog", "".join(recorder.lines)))
    assert log is not None, findings
    again = replay(rules, log)
    assert (again.findings, again.moves) == ((), match.number)
    assert again.states[-1].hash() == match.state.hash()
    assert foreign > 0
