"""A game: rules, board and players, without history. States go in, states come out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from kbrules.engine.configuration import PYTHON, REFERENCE, Refusal, Table, move_of
from kbrules.engine.derivation import derive
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.hooks import html_of, svg_of

if TYPE_CHECKING:
    from kbrules.engine.matches import Outcome
    from kbrules.engine.simulation.playouts import Batch
    from kbrules.engine.simulation.playthrough import Playthrough, StateStepper


class Game(Table):
    """A table to be played at; see `Table` for what it is made of.

    `legal_moves`, `apply` and `totals` are answered by its `engine`, `reference` unless another
    was requested. Whatever explains is answered by the reference: `play` with its events, `score`
    with its lines, `explain`. All of them raise TableMismatch for a state of another table, and
    TypeError for what is no state or no move.
    """

    def __repr__(self) -> str:
        """The table in one line, with its engine if it is not the usual one."""
        cards = ", ".join(self.cards) or "no cards"
        by = "" if self.engine == REFERENCE else f", states by {self.engine}"
        return f"<Game of {self.players} with {cards}{by}>"

    def _repr_svg_(self) -> str | None:
        """The board as a notebook shows it."""
        return svg_of(self)

    def _repr_html_(self) -> str | None:
        """The table as a notebook shows it."""
        return html_of(self)

    @cached_property
    def _stepper(self) -> StateStepper | None:
        """The kernel that answers for states; None where the reference does."""
        if self.engine == REFERENCE:
            return None
        from kbrules.engine.simulation.playthrough import StateStepper

        return StateStepper(self, self.engine)

    def with_engine(self, engine: str) -> Game:
        """The same table, its states answered by another engine."""
        more = self.players, self.cards, self.options, engine, self.plan.linking
        return Game(self.ruleset, self.board, *more)

    def playout(self, seed: int, engine: str = PYTHON) -> Outcome:
        """What came of the game of a seed between players who choose evenly.

        It is the game that `outcome` plays with such players, several times as fast. engine: see
        `playouts`.
        """
        return next(self.playouts([seed], engine))

    def playouts(self, seeds: Sequence[int], engine: str = PYTHON) -> Iterator[Outcome]:
        """What came of the games of some seeds, in their order, as `playout` says it.

        engine: `python`, or `native`, which is many times as fast, takes seconds to be made for
        new rules and needs the extra `fast` (else MissingNumba). NotLowered for rules of which no
        kernel can be made, OutOfRoom after the last game before one that needs more room than a
        kernel has; `reference` plays them all, by states.
        """
        from kbrules.engine.simulation.playouts import Playouts, reference_playouts, seeds_of

        seeds = seeds_of(seeds)
        if isinstance(engine, str) and engine == REFERENCE:
            return reference_playouts(self, seeds)
        found = self.cache.get((Playouts, engine)) if isinstance(engine, str) else None
        if found is None:
            found = self.cache[Playouts, engine] = Playouts(self, engine)
        return found.outcomes(seeds)

    def playthrough(self, seed: int, engine: str = PYTHON) -> Playthrough:
        """The game of a seed, to be played move by move and changed in place.

        It offers the moves that `legal_moves` offers, and is the quickest way to make them.
        engine: as for `playouts`.
        """
        from kbrules.engine.simulation.playthrough import Playthrough

        return Playthrough(self, seed, engine)

    def batch(self, seeds: Sequence[int]) -> Batch:
        """The games of some seeds side by side, stepped together with arrays of numpy.

        They are those of `playthrough`, by the native kernel: it needs the extra `fast`.
        """
        from kbrules.engine.simulation.playouts import Batch

        return Batch(self, seeds)

    def explain(self, state: State, move: Move) -> Refusal:
        """Why a move is not legal now: the clauses that stand against it."""
        return derive(self, state, move_of(move)).refusal()
