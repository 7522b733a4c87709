"""Games for tests of the engine: small drawn tables, and base games played by chance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from kbrules.engine.configuration import IllegalMove, Refusal
from kbrules.engine.game import Game
from kbrules.engine.logs.writing import MatchInfo, Recorder
from kbrules.engine.matches import Match, MatchMove
from kbrules.engine.setup import TableSetup, choose_table, game_at
from kbrules.game.moves import CHANCE, Move, Move as AnyMove, MoveSet, read_move, write_move
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.library.boards.positions import parse_position
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from tests.oracle.positions import Wanted, stand
from tests.oracle.seen import addresses, cells, rules


@lru_cache(maxsize=1)
def base() -> Ruleset:
    return load("base")


@lru_cache(maxsize=64)
def table_of(seed: int, players: int = 2) -> tuple[TableSetup, Game]:
    table = choose_table(base(), players, seed)
    return table, game_at(base(), table)


def any_move(game: Game, state: State, moves: MoveSet, random: Random) -> AnyMove:
    return moves.sample(random)


@dataclass(frozen=True)
class Logged:
    game: Game
    start: State
    played: tuple[MatchMove, ...]
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.lines)


@lru_cache(maxsize=64)
def logged(seed: int, players: int = 2) -> Logged:
    """A whole game and its log."""
    table, game = table_of(seed, players)
    recorder = Recorder(game, game.start(), MatchInfo(table, seed, ("any",) * players))
    match = Match(game, seed, [any_move] * players, recorder.watch)
    start = match.state
    played = []
    for each in match:
        recorder.add(each.player, each.move, each.transition)
        played.append(each)
    recorder.close(match.state)
    return Logged(game, start, tuple(played), tuple(recorder.lines))


LEGEND = {
    "1": "oracle", "2": "farm", "3": "oasis", "4": "tower", "5": "tavern", "6": "barn",
    "7": "harbor", "8": "paddock",
}  # fmt: skip


class Scene:
    """A game that has come to a state; moves and hexes are written as players write them."""

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state

    @property
    def player(self) -> int:
        return self.game.legal_moves(self.state).player

    def do(self, *texts: str) -> Scene:
        """The scene after some moves."""
        state = self.state
        for text in texts:
            moves = self.game.legal_moves(state)
            state = self.game.apply(state, read_move(text, self.game.board, moves))
        return Scene(self.game, state)

    def offered(self, rule: str) -> set[str]:
        """The hexes that a rule offers now."""
        moves = self.game.legal_moves(self.state)
        groups = [group for group in moves.groups if group.rule == rule]
        return {name for group in groups for name in self.game.board.names(group.hexes)}

    def rules_offered(self) -> set[str]:
        """The rules that offer something now; `turn` stands for the end of it."""
        moves = self.game.legal_moves(self.state)
        assert moves.player != CHANCE, "a card is due"
        return {group.rule for group in moves.groups}

    def draws(self) -> dict[str, int]:
        """The cards that may be drawn now, and how many there are of each; empty if none is due."""
        weights = self.game.legal_moves(self.state).weights
        name = self.game.ruleset.catalog.card_name
        return {name(card): weight for card, weight in enumerate(weights) if weight}

    def held(self, player: int) -> list[tuple[str, str]]:
        """The tiles of a player: kind and status."""
        tiles = self.game.ruleset.catalog.tiles
        return [(tiles[tile.kind].id, tile.status) for tile in self.state.seats[player].tiles]

    def pieces(self, player: int) -> set[str]:
        return set(self.game.board.names(self.state.seats[player].all))

    def stock(self, hex: str) -> int:
        index = self.game.board.places.index(self.game.board.grid.index(hex))
        return len(self.state.stock[index])

    def cards(self, zone: str) -> int:
        """How many cards lie in a pile, or are shown."""
        if zone == "shown":
            return len(self.state.shown)
        return sum(self.state.piles[("deck", "discards", "removed").index(zone)])

    def refused(self, text: str) -> Refusal:
        """The refusal of a full move, `tower: build a5`; fails if it is legal."""
        move = _move(self.game, text)
        assert write_move(move, self.game.board) == text
        try:
            self.game.apply(self.state, move)
        except IllegalMove as refused:
            assert str(refused) == str(refused.refusal)
            assert refused.refusal == self.game.explain(self.state, move)
            return refused.refusal
        raise AssertionError(f"`{text}` is legal")


def _move(game: Game, text: str) -> Move:
    """The move of a full text, legal or not."""
    if text == "end turn":
        return Move("end", "turn")
    rule, _, rest = text.partition(": ")
    verb, _, hex = rest.partition(" ")
    return Move(verb, rule, game.board.grid.index(hex) if hex else -1)


def scene(
    drawing: str, wanted: Wanted | None = None, *tiles: str, players: int = 2, **options: bool
) -> Scene:
    """A turn on a drawn board; `tiles` are written `a tower at b2`, perhaps with `used` or `fresh`.

    Every other player holds a card.
    """
    position, found = parse_position(rules().catalog, drawing, legend=LEGEND)
    assert position is not None, found
    game = Game(rules(), position.board, players, (), options)
    grid = position.board.grid
    by_bit = addresses(grid)[0]
    wanted = replace(wanted or Wanted())
    wanted.pieces = {
        cell: owner for (owner, _), mask in position.pieces.items() for cell in cells(grid, mask)
    }
    wanted.tiles = []
    for text in tiles:
        owner, kind, _, hex, *status = text.split()
        place = by_bit[grid.index(hex)]
        wanted.tiles.append(("abcdef".index(owner), kind, place, "".join(status) or "ready"))
    if not wanted.hands:
        others = [player for player in range(players) if player != wanted.active]
        wanted.hands = dict.fromkeys(others, "canyon")
    return Scene(game, stand(game, wanted))
