"""The generated module of one configuration: each function is written once play wants it often."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol
from weakref import WeakSet

from kbrules.compile.running import Module
from kbrules.compile.steps import blocks, doings, offering, turns
from kbrules.compile.steps.doings import PARAMETERS, RESUMED, Spot
from kbrules.compile.steps.names import Names
from kbrules.compile.steps.plan import Asked, Offered, Plan
from kbrules.compile.steps.scribe import Scribe
from kbrules.compile.steps.special import SPECIAL
from kbrules.compile.steps.words import KNOWN, passed_on, taken_over
from kbrules.text import Span

Function = Callable[..., Any]
Write = Callable[[Scribe], None]
OFTEN = 6
"""Writing and compiling a function costs as much as the machine's work for so many moves."""


class Table(Protocol):
    """The constants of a table, as far as they come from here."""

    def fix(self, masks: Iterable[str]) -> None:
        """Work out what the board alone decides."""


@dataclass(slots=True)
class Part:
    """The functions of a block: for each step one that runs it, and one that resumes it.

    masks: the names of what a board alone decides and they ask, as far as they are written.
    """

    runs: list[Function] = field(default_factory=list)
    resumes: list[Function] = field(default_factory=list)
    masks: list[str] = field(default_factory=list)


class Steps:
    """The functions of one configuration, with or without telling what happens.

    offerings: where actions are offered. tables: those in play, which have what is asked there.
    """

    def __init__(self, plan: Plan, tells: bool) -> None:
        known: dict[str, Any] = dict(KNOWN)
        self.plan = plan
        self.names = Names(plan, known)
        self.module = Module(known, "moves and events" if tells else "moves")
        self.offerings: set[tuple[str, int]] = set()
        self.tables: WeakSet[Any] = WeakSet()
        self.turns = Part()
        self._tells = tells
        self._parts: dict[str, Part] = {}
        self._beginnings: dict[str, Part] = {}
        self._offers = {offer.path: offer for offer in plan.offers}
        self._late(self.turns, self.turns.runs, "next_stage", turns.next_stage, "K, t, d")
        known["next_stage"] = self.turns.runs[0]

    def part(self, path: str) -> Part:
        """The functions of the block at an address."""
        found = self._parts.get(path)
        if found is None:
            found = self._parts[path] = self._of_block(path)
        return found

    def beginning(self, path: str) -> Part:
        """The function that begins an action, as if it resumed the action's first step."""
        found = self._beginnings.get(path)
        if found is None:
            found = self._beginnings[path] = self._of_offer(path)
        return found

    def all_written(self) -> str:
        """All there is to write, as it is compiled."""
        for path in self.plan.ruleset.blocks:
            self.part(path)
        for path in self._offers:
            self.beginning(path)
        for part in (self.turns, *self._parts.values(), *self._beginnings.values()):
            for function in (*part.runs, *part.resumes):
                if isinstance(function, Stub):
                    function.write()
        return self.module.text

    def _of_block(self, path: str) -> Part:
        part, block = Part(), self.plan.block(path)
        number = len(self._parts)
        for spot in () if block is None else doings.steps_of(self.plan, block):
            step = doings.step_at(spot)
            if step is None:
                write, resume = blocks.nesting(spot, spot.block.steps[spot.pc]), None
            else:
                write, resume = self._writers(spot, self.plan.asked(step))
            place = spot.block.steps[spot.pc].span
            write, resume = _placed(write, place), _placed(resume, place)
            names = (f"run_{number}_{spot.pc}", f"resume_{number}_{spot.pc}")
            self._late(part, part.runs, names[0], write, PARAMETERS, path)
            self._late(part, part.resumes, names[1], resume, RESUMED, path)
        end = None if block is None else blocks.ending(self.plan, block)
        self._late(part, part.runs, f"end_{number}", end, PARAMETERS, path)
        part.runs.append(passed_on)
        part.resumes += (taken_over, taken_over)
        return part

    def _writers(self, spot: Spot, asked: Asked) -> tuple[Write | None, Write | None]:
        """What writes the function that runs a step, and the one that resumes it."""
        if asked.word.is_offers:
            self.offerings.add((spot.block.path, spot.pc))
            return (
                lambda pen: offering.offering(pen, spot),
                lambda pen: offering.begun(pen, spot),
            )
        if asked.word.is_reuse or (asked.word.asks and not doings.is_written(asked)):
            return None, None
        if asked.word.asks:
            return (
                lambda pen: doings.choosing(pen, spot, asked),
                lambda pen: doings.resumed(pen, spot, asked),
            )
        if asked.word.outcomes is None:
            return lambda pen: doings.happening(pen, spot), None
        is_drawing = asked.step.name == "draw"
        resume = (lambda pen: doings.drawn(pen, spot, asked)) if is_drawing else None
        return lambda pen: doings.drawing(pen, spot, asked), resume

    def _of_offer(self, path: str) -> Part:
        part, offer = Part(), self._offers.get(path)
        name = f"begin_{len(self._beginnings)}"
        write = None if offer is None else self._beginner(offer)
        self._late(part, part.resumes, name, write, RESUMED, path)
        return part

    def _beginner(self, offer: Offered) -> Write | None:
        if offer.asked is None or not doings.is_written(offer.asked):
            return None
        spot = Spot(offer.action.body, 0, self.plan.is_loop(offer.path))
        return _placed(lambda pen: offering.beginning(pen, spot, offer), offer.action.span)

    def _late(
        self,
        part: Part,
        place: list[Function],
        name: str,
        write: Write | None,
        parameters: str,
        path: str = "",
    ) -> None:
        """Add a function that is written later; until then, or if there is none, the machine."""
        otherwise = taken_over if parameters == RESUMED else passed_on
        if write is None:
            place.append(otherwise)
            return
        index, writes = len(place), write

        def made() -> Function:
            place[index] = function = self._added(part, name, writes, parameters, path)
            return function

        place.append(Stub(made, otherwise))

    def _added(
        self, part: Part, name: str, write: Write, parameters: str, path: str
    ) -> Function:
        pen = Scribe(self.plan, self.names, SPECIAL, self._tells)
        pen.required = self.plan.required(path)
        write(pen)
        part.masks += self.names.wanted()
        for table in self.tables:
            table.fix(part.masks)
        return self.module.add(name, *pen.written(f"def {name}({parameters}):"))


def _placed(write: Write | None, place: Span) -> Write | None:
    """What writes the same as lines that come from a place in the rules."""
    if write is None:
        return None
    inner = write

    def writes(pen: Scribe) -> None:
        with pen.at(place):
            inner(pen)

    return writes


class Stub:
    """Stands for a function until that is wanted often."""

    __slots__ = ("_asked", "_otherwise", "write")

    def __init__(self, write: Callable[[], Function], otherwise: Function) -> None:
        self.write = write
        self._otherwise = otherwise
        self._asked = 0

    def __call__(self, *given: Any) -> Any:
        self._asked += 1
        return (self._otherwise if self._asked < OFTEN else self.write())(*given)


class Late(dict[str, Any]):
    """A mapping whose values are found when they are first asked for."""

    def __init__(self, find: Callable[[str], Any]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: str) -> Any:
        self[key] = value = self._find(key)
        return value
