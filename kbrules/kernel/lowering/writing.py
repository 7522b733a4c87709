"""Writing the functions of a kernel: names that are bound, numbers for texts, limits, scopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from kbrules.diagnostics import CodedError
from kbrules.game.state import LIMITS
from kbrules.lang import typed as core
from kbrules.primitives.vocabulary import EVENTS
from kbrules.text import Span


class NotLowered(CodedError, ValueError):
    """Rules that no kernel can be made of; code KB065. `construct` says of what, `span` where."""

    code = "KB065"
    help = "play these rules by states, or by the engine `reference`"

    def __init__(self, construct: str, span: Span | None = None) -> None:
        super().__init__(f"no kernel can be made of these rules: {construct}")
        self.construct = construct
        self.span = span


# Numbers for the verbs and rules of moves.


class StringTable:
    """Each text once, in the order of their first use."""

    def __init__(self) -> None:
        self.verbs = ["end", "stop", "choose", "use"]
        self.rules = ["turn"]

    def verb(self, text: str) -> int:
        """The number of a verb."""
        return _number(self.verbs, text)

    def rule(self, text: str) -> int:
        """The number of a rule; those after `TERRAIN_RULES` are terrains."""
        return _number(self.rules, text)

    @property
    def constants(self) -> dict[str, int]:
        """The numbers by their names in a kernel's text."""
        verbs = {f"VERB_{verb.upper()}": i for i, verb in enumerate(self.verbs[:4])}
        return {**verbs, "RULE_TURN": 0, "TERRAIN_RULES": len(self.rules)}


def _number(known: list[str], text: str) -> int:
    if text not in known:
        known.append(text)
    return known.index(text)


# Writing the functions of a kernel, line by line. Names are numbered, never a user's.


class FunctionWriter:
    """A function in the making. places: of its lines, from 1, where in the rules they come from.

    returns: what the runtime calls the type of its value, if that is no number.
    asked: the names that it was found to read, each with the parameter that stands for it.
    """

    def __init__(self, name: str, parameters: str, returns: str = "", mark: str = "native") -> None:
        self.name = name
        self._returns = f" -> {returns}" if returns else ""
        self.asked: dict[Name, str] = {}
        self._parameters = parameters
        self._lines = [f"@{mark}", ""]
        self._depth = 1
        self._names = 0
        self._place: Span | None = None
        self.places: dict[int, Span] = {}

    def line(self, text: str) -> None:
        """One more line."""
        self._lines.append("    " * self._depth + text)
        if self._place is not None:
            self.places[len(self._lines)] = self._place

    def lines(self, texts: Iterable[str]) -> None:
        """Lines, one after another."""
        for text in texts:
            self.line(text)

    def put(self, at: str, value: str, is_set: bool) -> None:
        """A line that writes a number or a set to a place in the memory."""
        self.line(f"store(M, {at}, {value})" if is_set else f"M[{at}] = {value}")

    def new_local(self, text: str | None = None) -> str:
        """A new local name, for what a text says if there is one."""
        self._names += 1
        name = f"t{self._names}"
        if text is not None:
            self.line(f"{name} = {text}")
        return name

    def local(self, text: str) -> str:
        """A local name for what a text says, if it is not one already."""
        return text if text.isidentifier() else self.new_local(text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A block."""
        self.line(head)
        self._depth += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self.line("pass")
        self._depth -= 1

    def when(self, *tests: str) -> AbstractContextManager[None]:
        """A block that is run if all of some conditions are true."""
        needed = [test for test in tests if test != "True"]
        return self.block(f"if {' and '.join(needed) or 'True'}:")

    @contextmanager
    def at_place(self, place: Span) -> Iterator[None]:
        """Note of the lines written meanwhile which place in the rules they come from.

        It is kept beside the text, and never in it: what authors write stays out of it.
        """
        before = self._place
        if place.source.text:
            self._place = place
        yield
        self._place = before

    @property
    def text(self) -> str:
        """The whole function."""
        parameters = ", ".join([self._parameters, *self.asked.values()])
        lines = self._lines[2:] or ["    return"]
        return (
            "\n".join([self._lines[0], f"def {self.name}({parameters}){self._returns}:", *lines])
            + "\n"
        )


def dispatcher(
    name: str, parameters: str, by: str, numbers: Iterable[int], call: str, last: str
) -> FunctionWriter:
    """A function that calls one of many by its number. last: what it returns for another one."""
    fn = FunctionWriter(name, parameters, mark="dispatching")
    for number in numbers:
        with fn.block(f"if {by} == {number}:"):
            fn.line(f"return {call.format(number)}" if last else call.format(number))
            if not last:
                fn.line("return")
    fn.line(f"return {last}".rstrip())
    return fn


# Where a kernel is cut off, and how it tells so.


LIMIT_BITS = {limit: 1 << number for number, limit in enumerate(LIMITS)}
"""The bit of each limit in `State.cut`."""


def rounds(times: str, fn: FunctionWriter) -> str:
    """A local name for how often a block is done, given the text of the number."""
    number = fn.new_local(times)
    if not times.isdigit() or int(times) > core.MAX_ROUNDS:
        with fn.block(f"if {number} > {core.MAX_ROUNDS}:"):
            fn.line(f"{number} = {core.MAX_ROUNDS}")
            fn.line(f"cut_off(M, {LIMIT_BITS['rounds']})")
    return number


Name = tuple[str, core.Sort]

REPEATED = ("repeated", core.Sort.TRUTH)
REQUIRED = ("required", core.Sort.TRUTH)


# The names that events bind for blocks, so that a frame can be read as well as written.


BINDING: Name = ("_binding", core.Sort.NUMBER)
"""Which of `BINDINGS` a frame has; no name of an author begins so."""


def bound_by(event: str) -> tuple[Name, ...]:
    """The names that an event binds for the rules that follow it."""
    return EVENTS[event].binds


BINDINGS: tuple[tuple[Name, ...], ...] = tuple(
    dict.fromkeys([(), *(event.binds for event in EVENTS.values())])
)
"""What events bind; first of all nothing, as where no event is followed."""


def binding_of(env: Mapping[str, Any]) -> int:
    """Which of `BINDINGS` an environment has: the largest that is all there, 0 for none."""
    sizes = [len(names) if all(name in env for name, _ in names) else -1 for names in BINDINGS]
    return sizes.index(max(sizes))


# The scope of an expression in a kernel's text: its player and the values of names.


EMPTY = {core.Sort.HEXES: "nothing()", core.Sort.TRUTH: "False", core.Sort.GROUPS: "(0, 0)"}
"""How it is written that a name is not bound, for sorts that are no numbers."""


@dataclass(frozen=True, slots=True)
class KernelScope:
    """Where an expression stands: the function, the player it is of, what is bound there.

    required: whether a required action is under way, if that is known; else read from the stack.
    is_laid: whether the memory has what the board decides; not where that is worked out.
    asks: whether a name that is not bound there is asked of the caller of the function.
    """

    fn: FunctionWriter
    me: str
    names: dict[str, str] = field(default_factory=dict)
    required: str = "required(M)"
    is_laid: bool = True
    asks: bool = False

    def bound(self, **names: str) -> KernelScope:
        """The same with further names."""
        return replace(self, names={**self.names, **names})

    def of(self, me: str) -> KernelScope:
        """The same for another player."""
        return replace(self, me=me)

    def value(self, name: Name) -> str:
        """What a name stands for, nothing if it is not bound."""
        if name[0] in self.names:
            return self.names[name[0]]
        if self.asks:
            return self.fn.asked.setdefault(name, f"n_{len(self.fn.asked)}")
        return self.required if name == REQUIRED else EMPTY.get(name[1], "0")

    def call(self, fn: FunctionWriter, *given: str) -> str:
        """A call of a function, with the values of the names that it asks for."""
        return f"{fn.name}({', '.join([*given, *map(self.value, fn.asked)])})"
