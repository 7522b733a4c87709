"""Words for numbers, truths and players."""

from __future__ import annotations

from typing import Any

from kbrules.diagnostics import Diagnostic, RulesError
from kbrules.game.board import NONE, Board
from kbrules.game.state import FRESH, READY, ZONES, place_in_round
from kbrules.game.view import REPEATED, View, terrain_played
from kbrules.hex.sets import LARGEST
from kbrules.lang.evaluation import WORK
from kbrules.primitives.registry import (
    Card,
    Groups,
    Hexes,
    Number,
    PieceKind,
    Player,
    Terrain,
    TileKind,
    Truth,
    Verb,
    Zone,
    word,
)
from kbrules.text import Span


@word("count(mine & adjacent(lake))", steady=True)
def count(view: View, of: Hexes) -> Number:
    """How many hexes are in the set."""
    if view.counted_sets is not None:
        view.counted_sets.append(of)
    return of.bit_count()


@word("count(groups(mine))", steady=True)
def count_(view: View, of: Groups) -> Number:
    """How many groups there are."""
    if view.counted_sets is not None:
        view.counted_sets.extend(of)
    return len(of)


@word("any(mine & sector)")
def any_(board: Board, of: Hexes) -> Truth:
    """Whether there is a hex in the set."""
    return of != 0


@word("none(open(build))")
def none(board: Board, of: Hexes) -> Truth:
    """Whether there is no hex in the set."""
    return of == 0


@word("span(group)", work=80)
def span(board: Board, of: Hexes) -> Number:
    """The number of hexes on the way between the two that are farthest apart, ends included."""
    return board.grid.diameter(of) + 1 if of else 0


@word("longest_way(mine) >= 10", may_fail=True, work=60)
def longest_way(board: Board, of: Hexes) -> Number:
    """The most hexes on a way within the set that goes from neighbour to neighbour, none twice.

    The number is exact; a connected group of more than 40 hexes is an error (KB513).
    """
    groups = board.grid.groups(of)
    if any(group.bit_count() > LARGEST for group in groups):
        raise RulesError([too_large_group()])
    longest = 0
    for group in groups:
        hexes, work = board.grid.longest_way(group)
        longest = max(longest, hexes)
        WORK.steps += work
        WORK.check()
    return longest


TOO_LARGE_HELP = "ask for less, such as what lies of `mine` in each sector"


def too_large_group() -> Diagnostic:
    """Return the finding about a group that `longest_way` is asked of and does not answer for."""
    message = f"`longest_way` was asked of a connected group of more than {LARGEST} hexes"
    return Diagnostic("KB513", Span.none("longest_way"), message, TOO_LARGE_HELP)


@word("gold >= 3", steady=True)
def gold(view: View) -> Number:
    """How much gold the player got in play and still has; what awards pay is not among it."""
    return view.state.seats[view.me].gold


@word("gold(player) > gold(me)", steady=True)
def gold_(view: View, of: Player) -> Number:
    """How much gold a player got in play and still has."""
    return view.state.seats[of].gold


@word("distance(here, mound)")
def distance(board: Board, one: Hexes, other: Hexes) -> Number:
    """How many steps lead from a set to another, whatever lies between.

    0 if they have a hex in common; also if one is empty, or no steps lead there.
    """
    return board.grid.separation(one, other)


@word("most(count(mine), count(theirs), 3)", chained=True)
def most(one: Number, other: Number) -> Number:
    """The largest of two numbers or more."""
    return max(one, other)


@word("least(supply(hut), count(mine & edge))", chained=True)
def least(one: Number, other: Number) -> Number:
    """The smallest of two numbers or more."""
    return min(one, other)


@word("remainder(round, 3) = 0")
def remainder(one: Number, other: Number) -> Number:
    """What is left of a number when it is divided by another, rounded down; by 0 it gives 0.

    It is never farther from 0 than the second number, and on the same side.
    """
    return one % other if other else 0


@word("supply(hut) = 0", steady=True)
def supply(view: View, of: PieceKind) -> Number:
    """How many pieces of a kind the player still has beside the board."""
    return view.state.seats[view.me].supply[of]


@word("cards(deck) = 0", steady=True)
def cards(view: View, of: Zone) -> Number:
    """How many cards lie in a pile: `deck`, `discards`, `removed`, or face up, `shown`."""
    if of in ZONES:
        return sum(view.state.piles[ZONES.index(of)])
    return len(view.state.shown)


@word("drawing and cards(deck) = 0", steady=True)
def drawing(view: View) -> Truth:
    """Whether a card is about to be drawn."""
    return bool(view.env.get("drawing", False))


@word("terrain(played)", steady=True)
def played(view: View) -> Terrain:
    """The terrain played this turn; none while no card is shown, or several to choose from."""
    return terrain_played(view.state, view.board)


@word("dead(build) > 0", steady=True)
def dead(view: View, verb: Verb) -> Number:
    """Which card face up is the first with no hex open for a verb: 1, 2 ...; 0 if none is."""
    if not view.state.shown or view.rules.open(view, verb):
        return 0
    state, board = view.state, view.board
    if terrain_played(state, board) != NONE:
        return 1
    for at, card in enumerate(state.shown, 1):
        seen = (view.with_terrain(terrain) for terrain in board.terrains_of_card[card])
        if not any(view.rules.open(each, verb) for each in seen):
            return at
    return 0


@word("stuck(build)", steady=True)
def stuck(view: View, verb: Verb) -> Truth:
    """Whether the terrain chosen has no hex open for a verb, but another of the same card has."""
    state, board = view.state, view.board
    if state.choice == NONE or view.rules.open(view, verb):
        return False
    others = (
        view.with_terrain(t) for t in board.terrains_of_card[state.shown[0]] if t != state.choice
    )
    return any(view.rules.open(each, verb) for each in others)


@word("in_hand < 3", steady=True)
def in_hand(view: View) -> Number:
    """How many terrain cards the player holds; those that lie face up are not among them."""
    return len(view.state.seats[view.me].hand)


@word("held(mill) >= 2", steady=True)
def held(view: View, of: TileKind) -> Number:
    """How many tiles of a kind the player holds."""
    return sum(tile.kind == of for tile in view.state.seats[view.me].tiles)


@word("usable(mill) > 0", steady=True)
def usable(view: View, of: TileKind) -> Number:
    """How many tiles of a kind the player holds and may still use this turn."""
    tiles = view.state.seats[view.me].tiles
    return sum(tile.kind == of and tile.status == READY for tile in tiles)


@word("board - fresh_from", steady=True)
def fresh_from(view: View) -> Hexes:
    """The places that gave the player a tile which cannot be used yet."""
    found = 0
    for tile in view.state.seats[view.me].tiles:
        if tile.status == FRESH and tile.origin >= 0:
            found |= 1 << tile.origin
    return found


@word("required and none(built)")
def required(view: View) -> Truth:
    """Whether a required action is being carried out, in the player's own turn."""
    return view.me == view.state.active and view.rules.in_required(view)


@word("repeated", steady=True)
def repeated(view: View) -> Truth:
    """Whether an action is carried out, or judged, because another tile lets it be reused."""
    return REPEATED in view.env


@word("finishing", steady=True)
def finishing(view: View) -> Truth:
    """Whether the last round is over and only what is done to finish the game is left."""
    return view.state.stage[0] == "finish"


@word("round >= 10", steady=True)
def round_(view: View) -> Number:
    """Which round it is, counted from 1; 0 before the first turn and after the last one."""
    stage, index = view.state.stage
    return index // len(view.state.seats) + 1 if stage in ("turn", "turn over") else 0


@word("turn_to_come", steady=True)
def turn_to_come(view: View) -> Truth:
    """Whether the player's turn of this round is still to come, in the turn of another player."""
    stage, index = view.state.stage
    players = len(view.state.seats)
    place = place_in_round(view.me, index, players, view.rules.start_passes)
    return stage == "turn" and place > index % players


@word("in_play(rowers)", steady=True)
def in_play(view: View, of: Card) -> Truth:
    """Whether a card is in play."""
    return view.rules.is_in_play(of, view.state)


@word("pieces(me)", steady=True)
def me(view: View) -> Player:
    """The player the rule is evaluated for."""
    return view.me


@word("my_turn", steady=True)
def my_turn(view: View) -> Truth:
    """Whether the player the rule is evaluated for has the turn."""
    return view.me == view.state.active


def option(view: View, name: str) -> Any:
    """The value of an option; reached by its own name, not as a word."""
    return view.rules.option(name)


def quantity(view: View, name: str) -> int:
    """The value of a quantity; reached by its own name, not as a word."""
    return view.rules.quantity(view, name)


def memory(view: View, name: str) -> int:
    """The value of a memory; reached by its own name, not as a word."""
    return view.rules.memory_value(view, name)


def tagged(board: Board, name: str) -> int:
    """The hexes of all kinds with a tag; reached by the tag's own name, not as a word."""
    return board.tagged.get(name, 0)


def tagged_pieces(view: View, name: str) -> int:
    """The hexes with a piece that has a tag; reached by the tag's own name, not as a word."""
    found = 0
    for index, piece in enumerate(view.board.catalog.pieces):
        if name in piece.tags:
            found |= view.state.neutral[index]
            for seat in view.state.seats:
                found |= seat.pieces[index]
    return found
