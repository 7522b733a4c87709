"""Every expression of a rule set, lowered to a function of its own and asked of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from kbrules.engine.game import Game
from kbrules.engine.simulation.kernels import kernel_cards
from kbrules.game.random import Random
from kbrules.game.state import State
from kbrules.hex.sets import Mask, bits
from kbrules.kernel.layout import DoesNotFit, IntCells, KernelMemory
from kbrules.kernel.lowering.kernel_text import KernelText
from kbrules.kernel.lowering.writing import REQUIRED, Name
from kbrules.kernel.python import PythonKernel as InPython
from kbrules.kernel.states import MemoryImage, StateCodec
from kbrules.lang.typed import Expr, Fold, Sort, Step, Var, identity, parts_of
from kbrules.plan.plan import Plan
from kbrules.text import Span


class Asking(KernelText):
    """A kernel with a function for each of some expressions. names: what each of them is given."""

    def __init__(
        self, program: Plan, full: int, stride: int, exprs: Sequence[Expr], width: int = 1
    ) -> None:
        self.names: list[list[Name]] = []
        self._exprs = exprs
        hexes = full.bit_length() + 1 if width == 1 else 64 * width
        super().__init__(program, width, hexes, stride)

    def write(self) -> None:
        for number, expr in enumerate(self._exprs):
            fn = self.expressions.function(self.plan.folded(expr), f"answer_{number}")
            self.names.append([*fn.asked])
        super().write()


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
        lowered = Asking(program, grid.full, grid.stride, asked)
        known[key] = Questions(asked, lowered.names, lowered, InPython(lowered.text))
    return known[key]


class Answering:
    """Answers at one table."""

    def __init__(self, questions: Questions, game: Game) -> None:
        self.exprs, self.game = questions.exprs, game
        self._questions, self._layout = questions, questions.lowered.layout
        image = MemoryImage(questions.lowered, IntCells())
        self._memory = KernelMemory(
            self._layout, IntCells(), image.blank(), questions.program["kernel"]
        )
        self._memory.lay(image.table_image(game))
        self._positions = StateCodec(questions.lowered, game, self._memory.cells, self._memory)
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


VALUES = (Sort.HEXES, Sort.GROUPS, Sort.NUMBER, Sort.TRUTH, Sort.PLAYER, Sort.TERRAIN)
"""What an answer may be; the others are said within expressions only."""


def said(item: Any) -> Iterator[Expr]:
    """The expressions of a rule, or of a part of one, each with all that it is made of."""
    if isinstance(item, Expr):
        yield item
        for part in parts_of(item):
            yield from said(part)
    elif isinstance(item, tuple):
        for part in item:
            yield from said(part)
    elif is_dataclass(item) and not isinstance(item, Span):
        for field in fields(item):
            if field.name != "examples":
                yield from said(getattr(item, field.name))


def expressions(game: Game) -> list[Expr]:
    """All that a game may ask and that is not known beforehand, each once."""
    program, choices = game.plan, game.choices
    found = [expr for rule in game.ruleset.rules for expr in said(rule)]
    steps = [s for block in game.ruleset.blocks.values() for s in block.steps]
    askings = [choices.linked(step) for step in steps if isinstance(step, Step)]
    found += [e for linked in askings for e in (linked.legal_expr, linked.expr_without_waivers)]
    verbs = {linked.verb for linked in askings} - {""}
    for norms in map(program.norms, sorted(verbs)):
        stages = norms.stages(None, freely=False)
        found += [stages.open, stages.legal]
    asked = (expr for expr in found if expr.sort in VALUES and not program.link(expr).is_constant)
    return list({(expr.sort, identity(expr)): expr for expr in asked}.values())


def open_names(expr: Expr) -> Mapping[str, Sort]:
    """The variables that are bound outside of an expression."""
    return {var.name: var.sort for var in _open(expr, frozenset())}


def _open(expr: Expr, bound: frozenset[str]) -> Iterator[Var]:
    if isinstance(expr, Var) and expr.name not in bound:
        yield expr
    if isinstance(expr, Fold):
        yield from _open(expr.domain, bound)
        bound |= {expr.variable}
    for part in parts_of(expr):
        yield from _open(part, bound)


class Values:
    """What names may stand for at one table: values of any sort, drawn by chance."""

    def __init__(self, game: Game, random: Random) -> None:
        catalog = game.ruleset.catalog
        kinds = range(len(catalog.hexes))
        self._things = {
            Sort.TERRAIN: [kind for kind in kinds if not catalog.hexes[kind].is_place],
            Sort.PLACE: [kind for kind in kinds if catalog.hexes[kind].is_place],
            Sort.PIECE: range(len(catalog.pieces)),
            Sort.TILE: range(len(catalog.tiles)),
            Sort.CARD: range(len(catalog.cards)),
        }
        self._hexes = list(bits(game.board.grid.full))
        self._players = game.players
        self._random = random

    def of(self, sort: Sort) -> Any:
        """A value of a sort."""
        random = self._random
        match sort:
            case Sort.HEXES:
                return self._set()
            case Sort.PLAYER:
                return random.below(self._players)
            case Sort.TRUTH:
                return bool(random.below(2))
            case Sort.NUMBER:
                return random.below(5)
            case sort if sort in self._things:
                return random.choice(self._things[sort])
        raise AssertionError(f"nothing binds a variable of sort {sort}")

    def _set(self) -> Mask:
        """One hex, as `here` and `origin` mostly are, or any number of them, or none."""
        random = self._random
        number = random.choice((1, 1, 1, 0, 2, 5, 20, 60))
        found = 0
        for _ in range(number):
            found |= 1 << random.choice(self._hexes)
        return found
