"""Every word and step of the registry at its edges, as each engine has it.

A word is written from its signature, so that a new one is asked as well; a sort that has no
values here is a `KeyError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import Any

from kbrules.diagnostics import RulesError
from kbrules.engine.game import Game
from kbrules.engine.simulation.kernels import kernel_cards
from kbrules.game.board import Board as Table
from kbrules.game.moves import CHANCE
from kbrules.game.random import Random as Chance
from kbrules.game.state import ZONES, State, draft_of
from kbrules.hex.sets import Mask, Part, bits
from kbrules.kernel.layout import Int64Cells
from kbrules.kernel.native.memory import NativeMemory
from kbrules.kernel.states import MemoryImage, StateCodec
from kbrules.lang.typed import ELEMENT, LISTS, Expr, Sort, StepParameter
from kbrules.library.load import load
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan
from kbrules.primitives.registry import FOLDS, OPERATORS, STEPS, WORDS, StepWord, Word
from kbrules.text import Source
from tests.equal.questions import Answering, Asking
from tests.hex.boards import Board, board
from tests.kernel.asked import width_of
from tests.primitives.probe import VALE, expression, vale
from tests.primitives.worlds import PLAYERS, random_state

NUMBERS = (-(2**33), -400, -1, 0, 1, 2, 6, 7, 99, 100, 399, 400, 401, 999_999, 2**31, 2**40)
SLOTS = 5
"""So many names of each sort may be bound."""
LETTERS = {
    Sort.HEXES: "h", Sort.GROUPS: "g", Sort.NUMBER: "n", Sort.TRUTH: "t", Sort.PLAYER: "p",
    Sort.TERRAIN: "ground", Sort.PLACE: "site", Sort.PIECE: "piece", Sort.TILE: "tile",
    Sort.CARD: "card",
}  # fmt: skip
VARIABLES = {f"{letter}{i}x": sort for sort, letter in LETTERS.items() for i in range(SLOTS)}
VERBS = ("build", "place", "move", "swap", "mark")
INFIX = {"&", "|", "-", "+", "*", "/", "=", "!=", "<", "<=", ">", ">=", "and", "or"}
BODIES = {
    Sort.NUMBER: "n0x + count({0} & h0x)", Sort.TRUTH: "count({0} & h0x) >= n0x",
    Sort.HEXES: "{0} - h0x",
}  # fmt: skip

HOLED = Part("", frozenset((r, c) for r in range(6) for c in range(7)) - {(2, 3), (3, 3), (5, 0)})
RING = Part("isle", frozenset((r, c) for r in range(3) for c in range(3)) - {(1, 1)})
TABLES = {
    "one hex": (Part.rectangle(1, 1),),
    "a strip": (Part.rectangle(1, 420),),
    "holes and grids": (HOLED, RING, Part.rectangle(1, 1, "rock")),
}


# what is asked


@dataclass(frozen=True, slots=True)
class Asked:
    """A word by its key, a text that asks it, and the names that it needs bound."""

    word: str
    text: str
    names: tuple[str, ...]

    @property
    def expr(self) -> Expr:
        return expression(self.text, VARIABLES)


def asked() -> list[Asked]:
    """Every word, operator and fold, written with names for its arguments."""
    found = [each for word in (*WORDS, *OPERATORS) for each in _of_word(word)]
    return found + [each for word in FOLDS for each in _of_fold(word)]


def _of_word(word: Word) -> Iterator[Asked]:
    signature = word.signature
    if signature.result is Sort.RANGE:  # an argument of others, see `_arguments`
        return
    used: dict[Sort, int] = {}
    ways = [_arguments(parameter.sort, used) for parameter in signature.parameters]
    for texts in product(*ways):
        yield _whole(word, _written(signature.name, texts))


def _whole(word: Word, text: str) -> Asked:
    """An expression that can be asked; of a list, how often each thing is in it."""
    sort = word.signature.result
    if sort in ELEMENT and sort not in (Sort.HEXES, Sort.GROUPS):
        name = f"{LETTERS[ELEMENT[sort]]}0x"
        text = f"count(each_of = {name} for each_of in {text})"
    return Asked(word.signature.key, text, tuple(name for name in VARIABLES if name in text))


def _written(name: str, texts: Sequence[str]) -> str:
    if name in INFIX and len(texts) == 2:
        return f"({texts[0]} {name} {texts[1]})"
    if name in ("-", "not"):
        return f"({name} {texts[0]})"
    return f"{name}({', '.join(texts)})" if texts else name


def _arguments(sort: Sort, used: dict[Sort, int]) -> list[str]:
    """How an argument of a sort may be written."""
    if sort is Sort.ZONE:
        return [*ZONES, "shown"]
    if sort is Sort.VERB:
        return [*VERBS]
    if sort is Sort.PLAYERS:
        return ["players", "others", "(others if t0x)"]
    if sort in LISTS:
        lists = [w.signature.name for w in WORDS if w.signature.result is sort]
        return [*lists, f"({lists[0]} if t0x)"]
    if sort is Sort.RANGE:
        name = _name(Sort.NUMBER, used)
        return [f"{word.signature.name} {name}" for word in OPERATORS
                if word.signature.result is Sort.RANGE]  # fmt: skip
    return [_name(sort, used)]


def _name(sort: Sort, used: dict[Sort, int]) -> str:
    used[sort] = used.get(sort, -1) + 1
    return f"{LETTERS[sort]}{used[sort]}x"


def _of_fold(word: Word) -> Iterator[Asked]:
    """A word over each of some groups, and over none."""
    (taken,) = word.signature.parameters
    for domain in ("g0x", "(g0x if t0x)"):
        body = BODIES[taken.sort].format("each_of")
        text = f"{word.signature.name}({body} for each_of in {domain})"
        yield _whole(word, text)


# where


def position(name: str, ruleset: Ruleset | None = None) -> tuple[Game, State]:
    """A game on one of the boards, and a state with all kinds of things on it, much gold too."""
    its, random = board(*TABLES[name]), Random(name)
    game = Game(ruleset or vale(), _table(its), PLAYERS, ("rowers",))
    pieces = {
        place: random.choice([(0, "settlement"), (1, "hut"), (0, "hut"), (-1, "fence")])
        for place in sorted(its.twin.hexes) if random.random() < 0.4
    }  # fmt: skip
    draft = draft_of(random_state(game, its, pieces, random))
    gold = (2**40, -7, 0)
    draft.seats = tuple(
        seat._replace(gold=much) for seat, much in zip(draft.seats, gold, strict=True)
    )
    draft.stage = ("turn", 0)
    return game, draft.seal()


def _table(its: Board) -> Table:
    catalog, hexes = vale().catalog, bits(its.grid.full)
    kinds = [0] * len(catalog.hexes)
    lying = {}
    mill, mound = catalog.tile_index("mill"), catalog.hex_index("mound")
    for number, hex in enumerate(hexes):
        ground = ("lake", "ridge", "grass")[number % 3]
        kind = mound if number % 9 == 8 else catalog.hex_index(ground)
        kinds[kind] |= 1 << hex
        if kind == mound:
            lying[hex] = mill
    half = sum(1 << hex for hex in hexes[::2])
    return Table(catalog, its.grid, tuple(kinds), (half, its.grid.full & ~half), lying)


class Values:
    """The values of each sort at one table, the edges among them."""

    def __init__(self, game: Game, state: State) -> None:
        catalog, kinds = game.ruleset.catalog, game.ruleset.catalog.hexes
        self._sets = _sets(game, state)
        self._of: Mapping[Sort, Sequence[Any]] = {
            Sort.HEXES: self._sets,
            Sort.GROUPS: self._groups(game),
            Sort.NUMBER: NUMBERS,
            Sort.TRUTH: (False, True),
            Sort.PLAYER: range(PLAYERS),
            Sort.TERRAIN: [-1, *(i for i, kind in enumerate(kinds) if not kind.is_place)],
            Sort.PLACE: [i for i, kind in enumerate(kinds) if kind.is_place],
            Sort.PIECE: range(len(catalog.pieces)),
            Sort.TILE: range(len(catalog.tiles)),
            Sort.CARD: range(len(catalog.cards)),
        }

    def _groups(self, game: Game) -> list[tuple[Mask, ...]]:
        full, singles = game.board.grid.full, [1 << hex for hex in bits(game.board.grid.full)]
        return [(), (0,), (0, 0), (full,), (full, full, 0), tuple(singles[:40]), (*self._sets,)]

    def bound(self, names: Sequence[str], most: int) -> Iterator[dict[str, Any]]:
        """All ways to bind some names, or so many of them, by a seed that the names give."""
        sorts = [self._of[VARIABLES[name]] for name in names]
        if prod(map(len, sorts)) <= most:
            yield from (dict(zip(names, values, strict=True)) for values in product(*sorts))
            return
        random = Random("".join(names))
        for _ in range(most):
            yield {name: random.choice(values) for name, values in zip(names, sorts, strict=True)}


def _sets(game: Game, state: State) -> list[Mask]:
    """No hex, one at either end of each grid, a row of each, two grids, few and many, all."""
    grid = game.board.grid
    parts = [grid.part(part.name) for part in grid.parts]
    ends = [mask for part in parts for mask in (part & -part, 1 << part.bit_length() - 1)]
    odd = sum(1 << hex for hex in bits(grid.full)[::3])
    found = [0, grid.full, *ends, ends[0] | ends[-1], *grid.rows()[:2], odd, grid.full & ~odd]
    return list(dict.fromkeys([*found, state.seats[0].all]))


# steps

EDGE_NUMBERS = (-(2**33), -1, 0, 1, 2, 3, 399, 400, 2**31, 2**40)
HEAD = """\
memory edge_step: number of table "Which step can be done."
memory edge_number: number of player "What it is given."
memory edge_hexes: hexes of player "Where."

"""
RULE = """\
rule edge_{0} "A step":
    "A step is done, given anything."
    action if edge_step = {0}: {1}

"""
OF_SORT = {
    Sort.PIECE: "hut", Sort.TILE: "mill", Sort.CARD: "rowers", Sort.TERRAIN: "lake",
    Sort.ZONE: "discards", Sort.PLAYER: "me", Sort.HEXES: "edge_hexes",
}  # fmt: skip


def steps() -> list[str]:
    """Every step, with all that it can be given and with as little, the numbers also written."""
    texts = [_step_text(step, is_long) for step in STEPS for is_long in (False, True)]
    written = [text.replace("edge_number", number) for text in texts for number in ("0", "400")]
    return list(dict.fromkeys([*texts, *written]))


def _step_text(step: StepWord, is_long: bool) -> str:
    signature = step.signature
    parts = [signature.verb]
    for each in signature.parameters:
        if is_long or not each.optional:
            parts += [each.name] if each.kind in ("phrase", "adverb") else []
            parts += [_given(each, signature.example)] if each.kind != "adverb" else []
    return " ".join(parts)


def _given(parameter: StepParameter, example: str) -> str:
    if parameter.kind == "noun":
        return parameter.nouns[-1]
    if parameter.sort is Sort.MEMORY:
        return next(name for name in ("stored", "closed", "built", "visited") if name in example)
    return "edge_number" if parameter.sort is Sort.NUMBER else OF_SORT[parameter.sort]


@lru_cache(maxsize=1)
def rules_of_steps() -> Ruleset:
    """The rules of the vale, and a rule for each step."""
    rules = "".join(RULE.format(number, text) for number, text in enumerate(steps()))
    return load("base", folders=[VALE], texts=[Source("edges.kb", HEAD + rules)])


def position_in_turn(name: str) -> tuple[Game, State]:
    """The same on the first turn of a game, where the player may use actions."""
    game, state = position(name, rules_of_steps())
    begun, chance = game.start(), Chance(1, "deck")
    while (moves := game.legal_moves(begun)).player == CHANCE:
        begun = game.apply(begun, moves.sample(chance))
    draft = draft_of(begun)
    for each in ("neutral", "occupied", "stock", "piles", "beside", "retired"):
        setattr(draft, each, getattr(state, each))
    seats = zip(draft.seats, state.seats, strict=True)
    draft.seats = tuple(seat._replace(memory=old.memory) for old, seat in seats)
    return game, draft.seal()


def given(game: Game, state: State, step: int, number: int, hexes: Mask) -> State:
    """The state in which one of the steps can be done, given a number and hexes."""
    memories, draft = game.ruleset.memories, draft_of(state)
    draft.memory = _with(draft.memory, memories["edge_step"][1], step)
    draft.seats = tuple(
        seat._replace(
            memory=_with(
                _with(seat.memory, memories["edge_number"][1], number),
                memories["edge_hexes"][1], hexes,
            )
        )
        for seat in draft.seats
    )  # fmt: skip
    return draft.seal()


def _with(memory: tuple[int, ...], slot: int, value: int) -> tuple[int, ...]:
    return (*memory[:slot], value, *memory[slot + 1 :])


# the engines

FAILED = "it failed"


def by_reference(game: Game, state: State, me: int, expr: Expr, env: Mapping[str, Any]) -> Any:
    """What the reference answers; `FAILED` for an error of the rules."""
    try:
        return game.plan.link(expr).value(game.view(state, me, env))
    except RulesError:
        return FAILED


class ByPython(Answering):
    """The python kernel."""

    def answer(self, asked: int, me: int, env: Mapping[str, Any]) -> Any:
        self._cells[self._layout["FAULT"]] = 0
        found = super().answer(asked, me, env)
        return FAILED if self._cells[self._layout["FAULT"]] else found


class ByNative:
    """The native kernel, compiled with a function more, which answers by number."""

    def __init__(self, game: Game, exprs: Sequence[Expr]) -> None:
        from kbrules.kernel.native.jit import compile_kernel

        grid = game.board.grid
        width = width_of(grid)
        plan = Plan(game.ruleset, kernel_cards(game), game.options)
        lowered = Asking(plan, grid.full, grid.stride, exprs, width)
        self._exprs, self._names, self._layout = exprs, lowered.names, lowered.layout
        image = MemoryImage(lowered, Int64Cells(width))
        text = _with_answers(lowered.text, exprs, lowered.names, width)
        self._memory = NativeMemory(
            self._layout, Int64Cells(width), image.blank(), compile_kernel(text)
        )
        self._memory.lay(image.table_image(game))
        self._encoder = StateCodec(lowered, game, self._memory.cells, self._memory)
        self._out = self._memory.room(width + 1)

    def sees(self, state: State) -> bool:
        """Take a state, for which there is room."""
        self._memory.put(self._layout["STATE"], self._encoder.encode(state))
        return True

    def answer(self, asked: int, me: int, env: Mapping[str, Any]) -> Any:
        """What a player is answered, with names bound."""
        memory, layout = self._memory, self._layout
        memory.put(layout["FAULT"], [0])
        memory.put(layout["SCRATCH"], [memory.number(layout["SCRATCH_FLOOR"])])
        given = [me]
        for name in self._names[asked]:
            given += self._given(name[1], env.get(name[0], 0))
        memory.call(ANSWER, asked, given, self._out)
        return FAILED if memory.number(layout["FAULT"]) else self._read(self._exprs[asked].sort)

    def _given(self, sort: Sort, value: Any) -> list[int]:
        width = self._memory.cells.width
        if sort is Sort.HEXES:
            return [*self._memory.cells.of_sets([value])]
        if sort is Sort.GROUPS:
            at = self._memory.number(self._layout["SCRATCH"])
            self._memory.put(at, self._memory.cells.of_sets(value))
            self._memory.put(self._layout["SCRATCH"], [at + len(value) * width])
            return [at, len(value)]
        return [int(value)]

    def _read(self, sort: Sort) -> Any:
        numbers, width = self._out.tolist(), self._memory.cells.width
        if sort is Sort.HEXES:
            return int.from_bytes(self._out[:width].tobytes(), "little")
        if sort is Sort.GROUPS:
            return tuple(self._memory.set_at(numbers[0] + i * width) for i in range(numbers[1]))
        return bool(numbers[0]) if sort is Sort.TRUTH else numbers[0]


ANSWER = 999


def _with_answers(text: str, exprs: Sequence[Expr], names: Any, width: int) -> str:
    """The text of a kernel of which the entry answers, too."""
    head = "def kernel(M: Memory, what: int, number: int, seeds: Memory, out: Memory) -> int:"
    lines = [text.replace(head, head.replace("kernel", "whole_kernel")), "", "@native", head]
    lines.append(f"    if what != {ANSWER}:")
    lines.append("        return whole_kernel(M, what, number, seeds, out)")
    for number, (expr, taken) in enumerate(zip(exprs, names, strict=True)):
        call = f"answer_{number}({', '.join(['M', 'seeds[0]', *_read_values(taken, width)])})"
        line = {
            Sort.HEXES: f"store(out, 0, {call})", Sort.GROUPS: f"out[0], out[1] = {call}",
            Sort.TRUTH: f"out[0] = int({call})",
        }.get(expr.sort, f"out[0] = {call}")  # fmt: skip
        lines += [f"    if number == {number}:", f"        {line}"]
    return "\n".join([*lines, "    return 0", ""])


def _read_values(names: Sequence[tuple[str, Sort]], width: int) -> Iterator[str]:
    at = 1
    for _, sort in names:
        if sort is Sort.HEXES:
            yield f"load(seeds, {at})"
        elif sort is Sort.GROUPS:
            yield f"(seeds[{at}], seeds[{at + 1}])"
        else:
            yield f"seeds[{at}] != 0" if sort is Sort.TRUTH else f"seeds[{at}]"
        at += {Sort.HEXES: width, Sort.GROUPS: 2}.get(sort, 1)
