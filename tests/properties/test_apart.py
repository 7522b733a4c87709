"""Whole games of the editions and variants, by the laws of all games and by their own."""

from __future__ import annotations

import pytest

from kbrules.game.state import State
from kbrules.library.box import shipped_boxes, usual_boxes
from tests.properties.mixed_laws import Laws
from tests.properties.mixes import game_of, rules
from tests.properties.test_mixes import play_by_the_laws

GAMES, EARLY = 30, 12
"""Games of each mix, and how many of them `make test` plays."""


class Returning(Laws):
    """A tile that is lost lies on its place again, whoever stands there by then."""

    def tile_was_taken(self, player: int, place: int) -> None:
        return

    def end(self, state: State) -> None:
        super().end(state)
        place, tiles = self.ledger.tiles, self.game.board.tiles
        gone = {hex for hex, number in self.ledger.gone.items() if number}
        assert {place[tiles[hex]].place for hex in gone} <= {"nomad"}, "a tile left the game"


class Casual(Laws):
    """Three cards are held, and four scoring cards are in play."""

    def end(self, state: State) -> None:
        super().end(state)
        assert len(self.game.cards) == 4
        assert all(len(seat.hand) <= 3 for seat in state.seats)


class SixSections(Laws):
    """Twice three sections make a table, and none lies there twice."""

    def end(self, state: State) -> None:
        super().end(state)
        grid = self.game.board.grid
        assert len(self.game.board.sectors) == 6
        assert (grid.full.bit_count(), grid.name(max(self.ledger.ground.near))) == (600, "t30")


class NewEdition(Laws):
    """Each sector has tiles of one kind, no other has them, and castle tiles lie in two sectors."""

    def end(self, state: State) -> None:
        super().end(state)
        board, option = self.game.board, self.game.options.get("beautiful_castles", False)
        there = [{k for hex, k in board.tiles.items() if s >> hex & 1} for s in board.sectors]
        assert [len(kinds) for kinds in there] == [1, 1, 1, 1]
        assert len(set.union(*there)) == 4
        assert len(board.stand_ins) == 4 and len({id[:6] for id in board.stand_ins}) == 1
        castles = state.memory[self.game.ruleset.memories["castle_tiles"][1]]
        assert castles.bit_count() == 2 * option
        assert sum(bool(castles & sector) for sector in board.sectors) == 2 * option
        for player in range(self.game.players):
            near = self.ledger.ground.around(state.seats[player].all)
            line = self.game.score(state).line("castle_gold", player)
            assert line is not None and line.gold == 3 * (near & castles).bit_count()


LAWS: dict[tuple[str, ...], type[Laws]] = {
    ("casual",): Casual,
    ("five_players",): Laws,
    ("returning_tiles",): Returning,
    ("settled_lords",): Laws,
    ("six_sections",): SixSections,
    ("new_edition",): NewEdition,
    ("capitol", "caves", "nomads", "new_edition"): Laws,
    ("island", "new_edition"): Laws,
    ("casual", "nomads", "returning_tiles", "settled_lords", "six_sections"): Returning,
}


@pytest.mark.parametrize("boxes", LAWS, ids="+".join)
def test_every_law_holds_in_every_game(boxes: tuple[str, ...]) -> None:
    """And all of them can be played together with base."""
    occurred = _play(boxes, range(EARLY))
    assert occurred >= {tile.id for tile in rules(()).catalog.tiles}


@pytest.mark.slow
@pytest.mark.parametrize("boxes", LAWS, ids="+".join)
def test_every_law_holds_in_later_games(boxes: tuple[str, ...]) -> None:
    _play(boxes, range(EARLY, GAMES))


def _play(boxes: tuple[str, ...], seeds: range) -> set[str]:
    """Play some games by the laws; what occurred in them."""
    occurred: set[str] = set()
    for seed in seeds:
        try:
            occurred |= play_by_the_laws(game_of(boxes, seed), seed, LAWS[boxes])
        except Exception as error:
            error.add_note(f"the game of {boxes} with seed {seed}")
            raise
    return occurred


def test_no_box_apart_is_passed_over() -> None:
    assert {id for boxes in LAWS for id in boxes} - {*usual_boxes()} == {*shipped_boxes()} - {
        *usual_boxes()
    }


def test_games_of_the_other_boxes_do_not_know_of_them() -> None:
    game = game_of((), 1)
    assert game.ruleset.boxes == ("base",)
    assert not any(board.startswith("side") for board in game.board.stand_ins)
