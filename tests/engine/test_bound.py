"""Programs of whole games come in parts: what a kind of tile lets do is written when it is used."""

from __future__ import annotations

from kbrules.compile.running import Source, heard
from kbrules.engine.bound import Bound, whole_of
from kbrules.engine.game import Game
from kbrules.engine.outcome import Outcome
from kbrules.engine.setup import choose_table, game_at
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset

BOXES = ("base", "nomads")
SEEDS = range(2)


def table(ruleset: Ruleset, seed: int) -> Game:
    return game_at(ruleset, choose_table(ruleset, 2, seed))


def played(game: Game) -> tuple[list[Outcome], int]:
    """Some games, and how many lines of programs became code for them."""
    found: list[Source] = []
    with heard(found.append):
        outcomes = [game.playout(seed) for seed in SEEDS]
    programs = [source.text for source in found if source.title == "whole games"]
    return outcomes, sum(text.count("\n") for text in programs)


def test_what_no_table_has_is_not_written() -> None:
    ruleset = load(*BOXES)
    _, lines = played(table(ruleset, 0))
    everything: list[Source] = []
    with heard(everything.append):
        Bound(whole_of(table(ruleset, 0)), table(ruleset, 0)).all_made()
    assert 0 < lines < 0.7 * sum(source.text.count("\n") for source in everything)


def test_games_do_not_depend_on_which_table_came_first() -> None:
    """Parts that an earlier table had written are put to use at a later one, in another order."""
    one = load(*BOXES)
    forth = {seed: played(table(one, seed))[0] for seed in range(4)}
    other = load(*BOXES)
    back = {seed: played(table(other, seed))[0] for seed in reversed(range(4))}
    assert forth == back


def test_what_was_made_is_not_made_again() -> None:
    ruleset = load(*BOXES)
    game = table(ruleset, 1)
    first, lines = played(game)
    assert lines
    assert played(game) == (first, 0)


def test_a_program_that_is_all_made_says_all_it_can() -> None:
    """Also what one tile lets do with another: a list that a part brings with it."""
    ruleset = load()
    game = table(ruleset, 0)
    bound = Bound(whole_of(game), game)
    bound.all_made()
    found: list[Source] = []
    with heard(found.append):
        bound.all_made()
    assert not found
