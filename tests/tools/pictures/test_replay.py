"""The sentences and marks of a replay: plain words, titles and not ids, nothing left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

import pytest

import kbrules
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import player_name
from kbrules.engine.matches import Match, MatchMove
from kbrules.engine.setup import new_game
from kbrules.game.events import Built, Moved, Removed
from kbrules.library.load import load
from kbrules.tools.bots import BOTS
from kbrules.tools.pictures.replay import (
    ARRIVED,
    LEFT,
    LIFTED,
    MOVED,
    SentenceWriter,
    Timeline,
    game_title,
    trail_of,
)


def game_of(*boxes: str, seed: int) -> tuple[Game, list[MatchMove]]:
    game = new_game(load(*boxes), 2, seed)
    return game, list(Match(game, seed, [BOTS["random"]] * 2))


@pytest.fixture(scope="module")
def played() -> tuple[Game, list[MatchMove]]:
    return game_of("base", "caves", "nomads", seed=4)


def told(game: Game, moves: Sequence[MatchMove]) -> list[tuple[str, str, bool]]:
    writer = SentenceWriter(game)
    return [writer.add(each) for each in moves]


def test_each_change_of_the_board_is_told_with_who_and_where(
    played: tuple[Game, list[MatchMove]],
) -> None:
    game, moves = played
    name, kinds = game.board.grid.name, set()
    for each, (sentence, turn, _) in zip(moves, told(game, moves), strict=True):
        for event in each.transition.events:
            if isinstance(event, Built):
                wanted = rf"\b{player_name(event.player)} builds\b.* on\b.*\b{name(event.hex)}\b"
            elif isinstance(event, Moved):
                way = f"{name(event.origin)} to {name(event.hex)}"
                wanted = rf"\b{player_name(event.player)} moves\b.*\b{way}\b"
            else:
                continue
            kinds.add(type(event))
            assert re.search(wanted, sentence), sentence
            assert re.search(wanted, turn), turn
    assert kinds == {Built, Moved}


def test_sentences_are_plain_and_never_empty(played: tuple[Game, list[MatchMove]]) -> None:
    game, moves = played
    titles = {r.id: r.title for r in game.ruleset.rules if r.title and r.title.lower() != r.id}
    for sentence, turn, _ in told(game, moves):
        assert turn.endswith(".")
        assert "_" not in sentence + turn
        assert not {word for word in re.findall(r"[a-z_]+", turn) if word in titles} - {"turn"}


def test_a_way_by_its_rule_goes_on_the_sentence_and_a_tile_is_named(
    played: tuple[Game, list[MatchMove]],
) -> None:
    game, moves = played
    text = " ".join(turn for _, turn, ended in told(game, moves) if ended)
    assert re.search(r"[ab] moves [a-t]\d+ to [a-t]\d+ through the caves", text)
    assert re.search(r" with [A-Z]\w+", text)
    assert " lifts " not in text


def test_a_turn_is_told_from_its_beginning(played: tuple[Game, list[MatchMove]]) -> None:
    game, moves = played
    story = told(game, moves)
    timeline = Timeline(game, game.start(), moves)
    assert [n for n, _ in timeline.turns()] == [n for n, (_, _, end) in enumerate(story, 1) if end]
    for _, turn in timeline.turns():
        deciders = {part[0] for part in turn.split("; ") if part[:2] in ("a ", "b ")}
        assert len(deciders) <= 1, turn


def test_equal_sentences_in_a_row_are_one() -> None:
    game, moves = game_of("base", seed=1)
    for _, turn, _ in told(game, moves):
        whats = [re.sub(r"[a-t]\d+|,| and", "", part).strip() for part in turn[:-1].split("; ")]
        assert all(len(list(group)) == 1 for _, group in groupby(whats)), turn


def test_marks_are_what_the_events_say(played: tuple[Game, list[MatchMove]]) -> None:
    _, moves = played
    seen = set()
    for each in moves:
        marks, events = list(trail_of(each)), each.transition.events
        came = [(event.hex,) for event in events if isinstance(event, Built)]
        went = [(event.origin, event.hex) for event in events if isinstance(event, Moved)]
        assert [hexes for sign, hexes in marks if sign == ARRIVED] == came
        assert [hexes for sign, hexes in marks if sign == MOVED] == went
        left = sum(event.hexes.bit_count() for event in events if isinstance(event, Removed))
        assert sum(sign == LEFT for sign, _ in marks) >= left
        lifted = [hexes for sign, hexes in marks if sign == LIFTED]
        assert lifted == ([(each.move.hex,)] if each.move.verb == "lift" else [])
        seen |= {sign for sign, _ in marks}
    assert {ARRIVED, MOVED, LIFTED} <= seen


def test_a_game_is_called_by_its_box_and_by_who_won(played: tuple[Game, list[MatchMove]]) -> None:
    game, moves = played
    end = moves[-1].transition.state
    winners = " and ".join(map(player_name, kbrules.Game.score(game, end).winners))
    assert game_title(game, game.start()) == "Kingdom Builder for 2"
    assert game_title(game, end) == f"Kingdom Builder for 2, won by {winners}"
