"""Expressions lowered each to a function of its own, asked one by one of a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.simulation.kernels import kernel_cards
from kbrules.game.state import State
from kbrules.kernel.layout import IntCells
from kbrules.kernel.lowering.kernel_text import KernelText, Lowering
from kbrules.kernel.lowering.writing import REQUIRED, Name
from kbrules.kernel.python import PythonKernel as InPython
from kbrules.kernel.python import PythonMemory
from kbrules.kernel.states import DoesNotFit, MemoryImage, StateEncoder
from kbrules.lang.typed import Expr, Sort
from kbrules.plan.plan import Plan


class Asking(Lowering):
    """A kernel with a function for each of some expressions. names: what each of them is given."""

    def __init__(
        self, program: Plan, full: int, stride: int, exprs: Sequence[Expr], width: int = 1
    ) -> None:
        super().__init__(
            program, width, full.bit_length() + 1 if width == 1 else 64 * width, stride
        )
        self.names: list[list[Name]] = []
        self._exprs = exprs

    def lowered(self) -> KernelText:
        expressions = self.expressions
        for number, expr in enumerate(self._exprs):
            linked = self.plan.folded(expr)
            names = sorted(expressions.free_names.of_expr(linked))
            fn, scope = expressions.begin_function(f"answer_{number}", names)
            fn.line(f"return {expressions.lower(linked, scope)}")
            expressions.functions.append(fn)
            self.names.append(names)
        return super().kernel_text()


@dataclass(frozen=True, slots=True)
class Questions:
    """What was lowered, and the functions."""

    exprs: Sequence[Expr]
    names: Sequence[Sequence[Name]]
    lowered: KernelText
    program: InPython


def questions(
    game: Game, exprs: Callable[[], Sequence[Expr]], known: dict[object, Questions]
) -> Questions:
    """The questions about some expressions at a table; tables with the same rules share them."""
    grid, cards = game.board.grid, kernel_cards(game)
    key = cards, grid.stride, grid.full.bit_length(), game.plan.cards
    if key not in known:
        asked = exprs()
        program = Plan(game.ruleset, cards, game.options)
        lowering = Asking(program, grid.full, grid.stride, asked)
        lowered = lowering.lowered()
        known[key] = Questions(asked, lowering.names, lowered, InPython(lowered.text))
    return known[key]


class Answering:
    """Answers at one table."""

    def __init__(self, questions: Questions, game: Game) -> None:
        self.exprs, self.game = questions.exprs, game
        self._questions, self._layout = questions, questions.lowered.layout
        image = MemoryImage(questions.lowered, IntCells())
        self._memory = PythonMemory(image, questions.program)
        self._memory.lay(image.table_image(game))
        self._positions = StateEncoder(
            questions.lowered, game, self._memory.cells, self._memory.number
        )
        self._cells = self._memory._numbers

    def sees(self, state: State) -> bool:
        """Whether there is room for a state; the next answers are about it."""
        try:
            self._memory.put(self._layout["STATE"], self._positions.encode(state))
        except DoesNotFit:
            return False
        return True

    def answer(self, asked: int, me: int, env: Mapping[str, Any]) -> Any:
        """What a player is answered, with names bound."""
        floor = self._cells[self._layout["SCRATCH_FLOOR"]]
        self._cells[self._layout["SCRATCH"]] = floor
        given = [self._given(name, env) for name in self._questions.names[asked]]
        found = self._questions.program[f"answer_{asked}"](self._cells, me, *given)
        if self.exprs[asked].sort is Sort.GROUPS:
            at, number = found
            return tuple(self._cells[at : at + number])
        return found

    def _given(self, name: Name, env: Mapping[str, Any]) -> Any:
        if name == REQUIRED:
            return self._questions.program["required"](self._cells)
        value = env.get(name[0], 0)
        return self._laid(value) if name[1] is Sort.GROUPS else value

    def _laid(self, groups: Sequence[int]) -> tuple[int, int]:
        """Where some groups lie, and how many they are."""
        at = self._cells[self._layout["SCRATCH"]]
        self._cells[at : at + len(groups)] = groups
        self._cells[self._layout["SCRATCH"]] += len(groups)
        return at, len(groups)
