"""Matches: the same seed is the same game, a person is waited for, and moments come back."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kbrules.engine.configuration import IllegalMove
from kbrules.engine.matches import Match, play_to_end
from kbrules.game.moves import CHANCE, Move
from kbrules.game.random import Random
from tests.engine.games import any_move, table_of

seeds = st.integers(0, 10_000)
players = st.integers(2, 4)


def moves_of(match: Match) -> list[tuple[int, Move]]:
    return [(played.player, played.move) for played in match]


@given(seeds, players)
def test_a_match_is_over_when_it_stops_and_the_seed_decides_it(seed: int, players: int) -> None:
    _, game = table_of(seed % 10, players)
    one, other = (Match(game, seed, [any_move] * players) for _ in range(2))
    assert moves_of(one) == moves_of(other)
    assert one.state.is_over and not one.waits
    assert one.state.hash() == play_to_end(game, seed, [any_move] * players).hash()


def test_another_seed_is_another_game() -> None:
    _, game = table_of(3)
    hashes = {play_to_end(game, seed, [any_move] * 2).hash() for seed in range(20)}
    assert len(hashes) == 20


def test_numbers_players_and_states_of_what_was_played() -> None:
    _, game = table_of(5, 3)
    match = Match(game, 5, [any_move] * 3)
    before = match.state
    for number, played in enumerate(match, 1):
        assert played.number == match.number == number
        assert played.before is before
        assert played.player == game.legal_moves(before).player
        assert played.transition.state is match.state
        assert game.apply(before, played.move) == match.state
        before = match.state
    assert number > 100


def test_draws_come_from_the_stream_of_the_deck_and_each_bot_has_its_own() -> None:
    _, game = table_of(6, 3)
    seen = []

    def spy(game, state, moves, random):  # type: ignore[no-untyped-def]
        seen.append((moves.player, random))
        return moves.sample(random)

    match = Match(game, 6, [spy] * 3)
    deck = Random(6, "deck")
    bots = [Random(6, f"bot {player}") for player in range(3)]
    for played in match:
        moves = game.legal_moves(played.before)
        expected = moves.sample(deck if played.player == CHANCE else bots[played.player])
        assert played.move == expected
    assert {player: id(random) for player, random in seen} == dict(
        {(player, id(random)) for player, random in seen}
    )


def test_a_person_is_waited_for() -> None:
    _, game = table_of(7)
    match = Match(game, 7, [None, any_move])
    while match.moves:
        for played in match:
            assert played.player != 0
        if match.waits:
            assert match.moves.player == 0
            assert list(match) == []
            match.play(next(iter(match.moves)))
    assert match.state.is_over


def test_an_illegal_move_changes_nothing() -> None:
    _, game = table_of(7)
    match = Match(game, 7, [None, None])
    list(match)
    state, number = match.state, match.number
    with pytest.raises(IllegalMove):
        match.play(Move("end", "turn"))
    assert match.state is state and match.number == number
    match.play(next(iter(match.moves)))
    assert match.number == number + 1


@given(seeds, st.integers(0, 60))
def test_a_moment_comes_back_with_its_chance_as_often_as_one_likes(seed: int, count: int) -> None:
    _, game = table_of(seed % 10)
    match = Match(game, seed, [any_move] * 2)
    for _ in zip(range(count), match, strict=False):
        pass
    moment = match.checkpoint()
    hash = match.state.hash()
    rest = moves_of(match)
    for _ in range(2):
        match.restore(moment)
        assert (match.state.hash(), match.number) == (hash, moment.number)
        assert moves_of(match) == rest


def test_there_must_be_a_bot_per_player() -> None:
    _, game = table_of(7)
    with pytest.raises(ValueError, match="2 players need as many bots, not 3"):
        Match(game, 7, [any_move] * 3)


@given(seeds, st.integers(1, 90))
def test_a_match_that_is_repeated_has_the_same_chance_after_it(seed: int, count: int) -> None:
    """With bots that take the first move, chance alone decides how a match goes on."""
    _, game = table_of(seed % 10)

    def first_move(game, state, moves, random):  # type: ignore[no-untyped-def]
        return next(iter(moves))

    whole, again = (Match(game, seed, [first_move] * 2) for _ in range(2))
    moves = moves_of(whole)
    for _, move in moves[:count]:
        again.repeat(move)
    assert again.number == min(count, len(moves))
    assert moves_of(again) == moves[count:]
    assert again.state == whole.state


def test_bots_of_a_repeated_match_draw_what_its_length_decides() -> None:
    _, game = table_of(3)
    moves = [move for _, move in moves_of(Match(game, 3, [any_move] * 2))]
    ends = []
    for _ in range(2):
        match = Match(game, 3, [any_move] * 2)
        for move in moves[:30]:
            match.repeat(move)
        ends.append(moves_of(match))
    assert ends[0] == ends[1] != moves_of(Match(game, 3, [any_move] * 2))[30:]
