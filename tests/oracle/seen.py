"""The engine in the words of the twin, and both side by side."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup
from kbrules.game.moves import Move, MoveSet
from kbrules.game.random import Random
from kbrules.game.state import READY, State
from kbrules.hex.grid import Grid
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from tests.oracle.geometry import ISLAND_TOP, Cell
from tests.oracle.ground import lay
from tests.oracle.picture import OPTIONS, Picture, Tile
from tests.oracle.twin_game import CHANCE, Question, Story


@lru_cache(maxsize=1)
def rules() -> Ruleset:
    """The base game as shipped."""
    return load("base")


@lru_cache(maxsize=64)
def addresses(grid: Grid) -> tuple[dict[int, Cell], dict[Cell, int]]:
    """Bit indexes to hexes, and back."""
    hexes = [bit for bit in range(grid.full.bit_length()) if grid.full >> bit & 1]
    spots = {bit: grid.address(bit) for bit in hexes}
    cells = {bit: (at.row + (ISLAND_TOP if at.part else 0), at.column) for bit, at in spots.items()}
    return cells, {cell: bit for bit, cell in cells.items()}


def cells(grid: Grid, mask: int) -> set[Cell]:
    """The hexes of a mask."""
    by_bit = addresses(grid)[0]
    return {by_bit[bit] for bit in range(mask.bit_length()) if mask >> bit & 1}


def mask_of(grid: Grid, places: Any) -> int:
    """The mask of some hexes."""
    by_cell = addresses(grid)[1]
    return sum(1 << by_cell[cell] for cell in places)


def picture_of(game: Game, table: TableSetup, state: State) -> Picture:
    """The position of a state."""
    catalog, grid = game.ruleset.catalog, game.board.grid
    by_bit = addresses(grid)[0]
    card_name = [catalog.card_name(card) for card in range(len(catalog.deck))]
    slot = game.ruleset.memories["visited"][1]
    seats = state.seats
    picture = Picture(
        lay(table.layout.rows),
        len(seats),
        {**OPTIONS, **{k: v for k, v in table.options.items() if isinstance(v, bool)}},
        supply=[seat.supply[0] for seat in seats],
        held=[
            [Tile(catalog.tiles[t.kind].id, by_bit[t.origin], t.status == "fresh") for t in s.tiles]
            for s in seats
        ],
        visited=[cells(grid, seat.memory[slot]) for seat in seats],
        stock={
            by_bit[hex]: len(tiles)
            for hex, tiles in zip(game.board.places, state.stock, strict=True)
        },
        hands=[card_name[seat.hand[0]] if seat.hand else None for seat in seats],
        card=card_name[state.shown[0]] if state.shown else None,
        ending=state.ending,
    )
    for player, seat in enumerate(seats):
        picture.pieces |= dict.fromkeys(cells(grid, seat.all), player)
    for name, pile in zip(("deck", "discards", "removed"), state.piles, strict=True):
        setattr(picture, name, Counter(dict(zip(card_name, pile, strict=True))))
    active = seats[state.active].tiles
    picture.uses_left = Counter(catalog.tiles[t.kind].id for t in active if t.status == READY)
    return picture


def same(one: Picture, other: Picture) -> None:
    """Fail unless two pictures show the same position."""
    for name in ("pieces", "supply", "visited", "stock", "hands", "card", "ending"):
        assert getattr(one, name) == getattr(other, name), name
    for name in ("deck", "discards", "removed"):
        assert +getattr(one, name) == +getattr(other, name), name
    for mine, theirs in zip(one.held, other.held, strict=True):
        assert sorted(map(str, mine)) == sorted(map(str, theirs))


def question_of(game: Game, moves: MoveSet) -> Question:
    """What the engine asks."""
    if moves.weights:
        names = map(game.ruleset.catalog.card_name, range(len(moves.weights)))
        cards = tuple(sorted((n, w) for n, w in zip(names, moves.weights, strict=True) if w))
        return Question(CHANCE, cards=cards)
    answers = [answer_of(game, move) for move in moves]
    assert len(answers) == len(set(answers)) == len(moves)
    return Question(moves.player, frozenset(answers))


def answer_of(game: Game, move: Move) -> Any:
    """A move as an answer to the twin."""
    if move.verb == "draw":
        return game.ruleset.catalog.card_name(move.hex)
    cell = addresses(game.board.grid)[0][move.hex] if move.hex >= 0 else None
    return move.verb, move.rule, cell


def follow(
    game: Game, table: TableSetup, state: State, twin: Picture, story: Story, random: Random,
    decisions: int = 100_000,
) -> State:  # fmt: skip
    """Play on at random, comparing what is offered at every decision and the table at every turn.

    Stops when the game is over, which both must say, or after so many decisions.
    """
    question = next(story, None)
    stage = state.stage
    for _ in range(decisions):
        moves = game.legal_moves(state)
        if question is None or state.is_over:
            assert question is None and state.is_over
            return state
        agree(question_of(game, moves), question)
        move = moves.sample(random)
        answer = answer_of(game, move)
        state = game.apply(state, move)
        try:
            question = story.send(answer)
        except StopIteration:
            question = None
        if state.stage != stage:
            stage = state.stage
            same(twin, picture_of(game, table, state))
    return state


def agree(asked: Question, expected: Question) -> None:
    """Fail, saying what is offered too much and what is missing, unless they are the same."""
    extra, missing = asked.answers - expected.answers, expected.answers - asked.answers
    assert (sorted(extra, key=str), sorted(missing, key=str)) == ([], [])
    assert asked == expected
