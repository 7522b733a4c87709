"""Whole random games in bulk: the kernel of a configuration, its memory, and what came of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter
from typing import Any

from kbrules.compile.native.missing import MissingNumba
from kbrules.engine.game import Game
from kbrules.engine.native.lowering import Lowered, lowered
from kbrules.engine.native.memory import Memory
from kbrules.engine.native.refused import NotLowered
from kbrules.engine.outcome import Outcome
from kbrules.library.ruleset import Ruleset

__all__ = ["NativePlayouts"]

AT_ONCE = 1024
"""So many games are played in one call; between calls one can be interrupted."""
WIDEST = 16
LARGEST = 2**63 - 1


def is_known(seed: int) -> bool:
    """Whether a kernel can tell the stream of a seed.

    Not of one that looks like a number and may be written in its own way, like True: streams are
    found by how their seed is written.
    """
    return type(seed) is int and -LARGEST <= seed <= LARGEST


def width_of(hexes: int) -> int:
    """How many 64-bit numbers hold a set of a grid: a power of two, with a bit to spare."""
    width = 1
    while 64 * width <= hexes.bit_length():
        width *= 2
    if width > WIDEST:
        raise NotLowered(f"a board with more than {64 * WIDEST} bits")
    return width


class NativePlayouts:
    """The random games of one table by seed: the games of `Game.playout`, many times as fast.

    NotLowered if no kernel can be made of the rules, MissingNumba without the extra `fast`. A game
    that needs more room than a kernel has is played by the plain engine; `faults` counts them.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lowered, self._native = kernel_of(game)
        self._memory = Memory(self._lowered, game)
        self._reader = Reader(self._lowered, game)
        self.faults = 0

    def __call__(self, seed: int) -> Outcome:
        """The outcome of the game of a seed."""
        return next(self.many([seed]))

    def many(self, seeds: Sequence[int]) -> Iterator[Outcome]:
        """The outcomes of the games of some seeds, in that order."""
        for start in range(0, len(seeds), AT_ONCE):
            part = seeds[start : start + AT_ONCE]
            if all(map(is_known, part)):
                yield from self._played(part)
            else:
                yield from map(self._plainly, part)

    def _played(self, seeds: Sequence[int]) -> Iterator[Outcome]:
        rows = self._memory.play(self._native, seeds, self._reader.size).tolist()
        for seed, row in zip(seeds, rows, strict=True):
            yield self._plainly(seed) if row[0] else self._reader.outcome(row)

    def _plainly(self, seed: int) -> Outcome:
        self.faults += 1
        return self._game.playout(seed)

    def raw(self, seeds: Sequence[int]) -> Any:
        """The outcomes as an array of numbers, a row for each seed, for whoever adds them up."""
        return self._memory.play(self._native, seeds, self._reader.size)

    def traced(self, seed: int) -> list[tuple[int, str, str, int]]:
        """The moves of the game of a seed: who, verb, rule and hex; chance is -1."""
        return self._memory.traced(self._native, seed, self._reader.size)

    def board(self) -> dict[str, list[int]]:
        """The masks of all pieces, by player and then of nobody, at the end of the last game."""
        return self._memory.pieces()


def kernel_of(game: Game) -> tuple[Lowered, Any]:
    """The kernel for a game's rules and options and boards like its own, kept with the rules."""
    ruleset, grid = game.ruleset, game.board.grid
    # A card that only pays, or only follows events, is in every kernel: the memory says if it is
    # in play. One that changes what is legal is in the kernels of its own tables only.
    cards = tuple(
        card for card in sorted(ruleset.acting_cards)
        if card in game.card_indexes or not _bears_on_others(ruleset, card)
    )
    options = tuple(sorted(game.options.items()))
    key = ("kernel", cards, options, width_of(grid.full), grid.stride)
    if key not in ruleset.kept:
        made = lowered(ruleset, cards, game.options, *key[3:])
        ruleset.kept[key] = made, _compiler()(made.text)
    found: tuple[Lowered, Any] = ruleset.kept[key]
    return found


def _bears_on_others(ruleset: Ruleset, card: int) -> bool:
    owner = next(owner for owner in ruleset.owners.values() if owner.card == card)
    rule = owner.rule
    return bool(rule.norms or rule.changes or rule.actions)


def _compiler() -> Callable[[str], Any]:
    try:
        from kbrules.compile.native.jit import compiled
    except ImportError as error:
        raise MissingNumba(str(error)) from None
    return compiled


class Reader:
    """Reads the rows of outcomes."""

    def __init__(self, lowered: Lowered, game: Game) -> None:
        players, paying = range(game.players), len(lowered.paying)
        kinds, gains = lowered.layout["TILE_KINDS"], lowered.layout["GAIN_RULES"]
        part = 2 + paying + 2 * kinds + gains
        starts = [3 + player * part for player in players]
        self.size = 3 + game.players * part
        ids = [rule.id for rule in game.scoring.rules]
        self._gold = [_picked([at + 2 + lowered.paying.index(id) for id in ids]) for at in starts]
        self._gained, self._decisions = _picked(starts), _picked([at + 1 for at in starts])
        self._used = [slice(at + 2 + paying, at + 2 + paying + kinds) for at in starts]
        self._taken = [slice(each.stop, each.stop + kinds) for each in self._used]
        rules = range(len(lowered.gains))
        order = sorted(rules, key=lowered.gains.__getitem__)
        self._gains = [[(lowered.gains[i], each.stop + i) for i in order] for each in self._taken]
        bits = range(1 << game.players)
        self._winners = [tuple([p for p in players if each >> p & 1]) for each in bits]

    def outcome(self, row: list[int]) -> Outcome:
        """The outcome that a row says."""
        return _outcome((
            tuple([picked(row) for picked in self._gold]),
            self._gained(row),
            self._winners[row[2]],
            row[1],
            self._decisions(row),
            tuple([tuple(row[part]) for part in self._used]),
            tuple([tuple(row[part]) for part in self._taken]),
            tuple([tuple([(id, row[i]) for id, i in gains if row[i]]) for gains in self._gains]),
        ))  # fmt: skip


# Made for every game; this is twice as fast as calling the class.
_outcome: Callable[[tuple[Any, ...]], Outcome] = partial(tuple.__new__, Outcome)


def _picked(places: Sequence[int]) -> Callable[[Sequence[int]], tuple[int, ...]]:
    """The numbers of some places of a row."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda row: tuple([row[place] for place in places])
