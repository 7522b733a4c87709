"""Moves, and the lazy sets of them that a decision offers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import index as as_index
from typing import Any, NamedTuple

from kbrules.display import html_of
from kbrules.game.random import Random
from kbrules.hex.masks import Mask, bits, nth_unchecked

CHANCE = -1


class Move(NamedTuple):
    """What somebody chose: a verb, the rule it belongs to, and a hex (bit index) or -1.

    For a draw by chance `rule` is empty and `hex` is the card's index.
    """

    verb: str
    rule: str
    hex: int = -1


class MoveGroup(NamedTuple):
    """All moves that differ only in their hex; `hexes` is 0 for one move without a hex.

    `path` is the address of the action or alternative that the move begins, or "".
    """

    verb: str
    rule: str
    hexes: Mask = 0
    path: str = ""

    def moves(self) -> list[Move]:
        """The moves, in board order."""
        if not self.hexes:
            return [Move(self.verb, self.rule)]
        return [Move(self.verb, self.rule, hex) for hex in bits(self.hexes)]


class Offered(NamedTuple):
    """A group of moves in names: the rule, the verb and the hexes as `c4`, in board order.

    A move without a hex has none; for a draw by chance the rule is empty as well.
    """

    rule: str
    verb: str
    hexes: tuple[str, ...] = ()


# Made at every decision; this is twice as fast as calling the classes.
new_move: Callable[[tuple[Any, ...]], Move] = partial(tuple.__new__, Move)
new_group: Callable[[tuple[Any, ...]], MoveGroup] = partial(tuple.__new__, MoveGroup)


class MoveSet:
    """The legal moves of a decision: counting and membership are bit operations.

    `player` is who decides, `CHANCE` for what is drawn; of cards `weights` counts each kind.
    """

    __slots__ = ("groups", "player", "weights")

    def __init__(
        self, player: int, groups: tuple[MoveGroup, ...], weights: tuple[int, ...] = ()
    ) -> None:
        self.player = player
        self.groups = groups
        self.weights = weights

    def __repr__(self) -> str:
        return f"MoveSet({self.player}, {self.groups}, {self.weights})"

    def _repr_html_(self) -> str | None:
        """The groups of moves as a notebook shows it."""
        return html_of(self)

    def __eq__(self, other: object) -> bool:
        mine = (self.player, self.groups, self.weights)
        return isinstance(other, MoveSet) and mine == (other.player, other.groups, other.weights)

    def __hash__(self) -> int:
        return hash((self.player, self.groups, self.weights))

    def __bool__(self) -> bool:
        return bool(self.groups)

    def __len__(self) -> int:
        if self.weights:
            return sum(1 for weight in self.weights if weight)
        size = 0
        for group in self.groups:
            size += group.hexes.bit_count() or 1
        return size

    def __iter__(self) -> Iterator[Move]:
        if self.weights:
            return iter([Move("draw", "", i) for i, w in enumerate(self.weights) if w])
        return (move for group in self.groups for move in group.moves())

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self.group_of(move) is not None

    def group_of(self, move: Move) -> MoveGroup | None:
        """The group a move belongs to, or None if the move is not legal; TypeError for no move."""
        verb, rule, hex = move
        if type(hex) is not int:
            hex = as_index(hex)
        if self.weights:
            legal = verb == "draw" and 0 <= hex < len(self.weights)
            return self.groups[0] if legal and self.weights[hex] else None
        for group in self.groups:
            its_verb, its_rule, hexes, _ = group
            fits = hexes >> hex & 1 if hex >= 0 else hex == -1 and not hexes
            if fits and its_rule == rule and its_verb == verb:
                return group
        return None

    def __getitem__(self, index: int) -> Move:
        """The move with an index, 0 for the first; IndexError if there are not so many."""
        if type(index) is not int:
            index = as_index(index)
        if not 0 <= index < len(self):
            raise IndexError(index)
        if self.weights:
            return list(self)[index]
        at = index
        for verb, rule, hexes, _ in self.groups:
            size = hexes.bit_count() or 1
            if at < size:
                return new_move((verb, rule, nth_unchecked(hexes, at) if hexes else -1))
            at -= size
        raise IndexError(index)

    def index_of(self, move: Move) -> int | None:
        """The index of a move; None if it is not legal."""
        if self.weights:
            return next((index for index, each in enumerate(self) if each == move), None)
        verb, rule, hex = move
        if type(hex) is not int:
            hex = as_index(hex)
        before = 0
        for its_verb, its_rule, hexes, _ in self.groups:
            fits = hexes >> hex & 1 if hex >= 0 else hex == -1 and not hexes
            if fits and its_rule == rule and its_verb == verb:
                return before + (hexes & (1 << hex) - 1 if hexes else 0).bit_count()
            before += hexes.bit_count() or 1
        return None

    def sample(self, random: Random) -> Move:
        """A move chosen evenly; a draw is weighted by the cards left."""
        if not hasattr(random, "below"):
            raise TypeError("a move is drawn by a `Random`")
        if self.weights:
            return new_move(("draw", "", random.weighted(self.weights)))
        if not self.groups:
            raise IndexError("there is no legal move to choose from")
        return self[random.below(len(self))]  # a choice of one uses up a number as well
