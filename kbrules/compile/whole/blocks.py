"""The course of rules written out: blocks, loops and branches as those of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import count

from kbrules.compile.whole import branching, choosing, offering, reusing
from kbrules.compile.whole.around import BOUND, MAX_FIRINGS, Around, placed, rule_of, usual
from kbrules.compile.whole.asked import values
from kbrules.compile.whole.manners import CALL, Manner
from kbrules.compile.whole.plan import Asked, Begin, Plan
from kbrules.compile.whole.scribe import Names, Scribe
from kbrules.compile.whole.steps import INSTANT
from kbrules.lang.core import MOST_ROUNDS, Block, Doing, Each, Either, If, Repeat, Step
from kbrules.primitives.hexes import spread


class Writer:
    """Writes the functions of a program, each block that begins by itself as one of its own.

    texts: the functions. lists: by name and kind of tile what writes what tiles offer. told:
    for an event, by the word for it, the function of what follows. begun: the functions that are
    begun from lists. numbers: by rule, of those that reuse actions. repeating: whether it writes
    what is done once more; base: the writer of what is not.
    """

    def __init__(self, plan: Plan, names: Names, manner: Manner) -> None:
        self.plan = plan
        self.names = names
        self.manner = manner
        self.texts: list[str] = []
        self.lists: dict[str, dict[int, Callable[[], str]]] = {}
        self.told: dict[str, str] = {}
        self.begun: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.repeating = False
        self.base = self
        self._free = count()
        self._done: dict[tuple[str, str], str] = {}

    @cached_property
    def again(self) -> Writer:
        """The writer of functions for what is done once more, because another tile allows it."""
        if self.repeating:
            return self
        twin = copy(self)
        twin.repeating, twin._done = True, {}
        return twin

    # functions

    def function(
        self, key: tuple[str, str], takes: str, write: Callable[[Scribe], None], note: str = ""
    ) -> str:
        """The name of a function, which is written when it is first asked for."""
        if key in self._done:
            return self._done[key]
        name = self._done[key] = f"f{next(self._free)}"
        scribe = Scribe(self.plan, self.names, self.manner)
        scribe.repeating, scribe.function = self.repeating, self.function
        write(scribe)
        head = f"def {name}(t{takes}):" + (f"  # {note}" if note else "")
        first = usual(scribe.lines, self.repeating) if ", me" in takes else []
        self.texts.append("\n".join([head, *first, *scribe.lines]) + "\n")
        return name

    def of_block(self, block: Block, around: Around, binds: bool = False) -> str:
        """The function of a block; `binds` if it follows an event."""

        def write(scribe: Scribe) -> None:
            names = {name: name for name in BOUND} if binds else {}
            with scribe.binding(names):
                self.block(scribe, block, around)

        takes = f", me, {', '.join(BOUND)}" if binds else ", me"
        return self.function(("block", block.path), takes, write, placed(block))

    def of_standing(self, standing: Begin) -> str:
        """The function of what is done `whenever`."""
        rule = rule_of(standing.block)
        return self.base.of_block(standing.block, Around(rule, active=True))

    # blocks

    def block(self, scribe: Scribe, block: Block, around: Around) -> None:
        """The steps of a block."""
        for doing in block.steps[:1]:
            self.doing(scribe, doing, replace(around, first=True))
        if around.loop:
            scribe.line(f"if {around.loop[1]}: break")
        self.steps(scribe, block.steps[1:], around)
        if not block.steps:
            scribe.line("pass")

    def steps(self, scribe: Scribe, steps: Sequence[Doing], around: Around) -> None:
        """Steps of a block after its first."""
        for doing in steps:
            self.doing(scribe, doing, replace(around, first=False, loop=None, given=""))

    def doing(self, scribe: Scribe, doing: Doing, around: Around) -> None:
        """One step."""
        with scribe.at(doing.span):
            match doing:
                case Step():
                    self.step(scribe, doing, around)
                case If():
                    self._if(scribe, doing, around)
                case Repeat():
                    self._repeat(scribe, doing, around)
                case Each():
                    self._each(scribe, doing, around)
                case Either():
                    branching.either(self, scribe, doing, around)

    def _if(self, scribe: Scribe, doing: If, around: Around) -> None:
        inner = replace(around, loop=None)
        condition = self.asked(scribe, doing.condition)
        with scribe.under(f"if {condition}:"):
            self.block(scribe, doing.body, inner)
        if doing.other is not None:
            with scribe.under("else:"):
                self.block(scribe, doing.other, replace(inner, given=""))
        scribe.forget()

    def asked(self, scribe: Scribe, expr: object) -> str:
        """The text of an expression of a rule, as options leave it."""
        folded = self.plan.folded(expr)  # type: ignore[arg-type]
        scribe.share([folded])
        return scribe.text(folded)

    def _repeat(self, scribe: Scribe, doing: Repeat, around: Around) -> None:
        times = scribe.new()
        scribe.line(f"{times} = min({self.asked(scribe, doing.times)}, {MOST_ROUNDS})")
        scribe.forget()
        rounds, stopped = scribe.new(), scribe.new()
        must_begin = around.first and self.is_action(doing)
        loop = (rounds, stopped, not must_begin) if doing.may_stop else None
        with scribe.under(f"for {rounds} in range({times}):"):
            if loop:
                scribe.line(f"{stopped} = False")
            self.block(scribe, doing.body, replace(around, loop=loop, again=True))
        scribe.forget()

    def is_action(self, doing: Repeat) -> bool:
        """Whether the block around a loop is an action as a whole."""
        outer = doing.body.path.rpartition(".")[0]
        offers = [*self.plan.offers, *(o for all_ in self.plan.tile_offers.values() for o in all_)]
        return any(offer.block.path == outer for offer in offers)

    def _each(self, scribe: Scribe, doing: Each, around: Around) -> None:
        domain = self.asked(scribe, doing.domain)
        if doing.domain.sort.name == "HEXES":
            domain = f"{scribe.names.of(spread)}({domain})"
        item = scribe.new()
        with scribe.under(f"for {item} in {domain}:"), scribe.binding({doing.variable: item}):
            scribe.forget()
            inner = replace(around, loop=None, again=True)
            if doing.guard is None:
                self.block(scribe, doing.body, inner)
            else:
                with scribe.under(f"if {self.asked(scribe, doing.guard)}:"):
                    self.block(scribe, doing.body, inner)
        scribe.forget()

    # steps

    def step(self, scribe: Scribe, step: Step, around: Around) -> None:
        """A step of any kind."""
        asked = self.plan.asked(step)
        if asked.word.is_offers:
            offering.offers(self, scribe, around)
        elif asked.word.is_reuse:
            reusing.reuse(self, scribe, asked, around)
        elif asked.word.asks:
            choosing.choosing(self, scribe, asked, around)
        elif asked.word.outcomes is not None:
            choosing.drawing(self, scribe, asked, around)
        else:
            INSTANT.get(step.name, plainly)(self, scribe, asked, around)
        scribe.forget()

    def whenever(self, scribe: Scribe, standings: Sequence[Begin], around: Around) -> None:
        """Rules that act before a decision; one that did begins the loop around anew."""
        if not standings:
            return
        if not around.active:
            done = scribe.new()
            scribe.line(f"{done} = {CALL}{self._whenever(standings)}(t, t.active)")
            scribe.line(f"if {done}: continue")
            return
        for standing in standings:
            self._stand(scribe, standing, "continue")

    def _stand(self, scribe: Scribe, standing: Begin, then: str) -> None:
        tests = [] if standing.guard is None else [scribe.text(standing.guard)]
        tests.append(f"t.firings < {MAX_FIRINGS}")
        if standing.tile >= 0:
            tests.append(f"{standing.tile} in seat.kinds")
        with scribe.under(f"if {' and '.join(tests)}:"):
            scribe.line("t.firings += 1")
            scribe.line(f"{CALL}{self.of_standing(standing)}(t, me)")
            scribe.line(then)

    def _whenever(self, standings: Sequence[Begin]) -> str:
        """The same as a function, for players other than the one who has the turn."""

        def write(scribe: Scribe) -> None:
            for standing in standings:
                self._stand(scribe, standing, "return True")
            scribe.line("return False")

        key = "whenever", "draws" if standings is self.plan.draws else ""
        return self.function(key, ", me", write)

    def tell(self, scribe: Scribe, around: Around) -> None:
        """Let the rules follow what a step led to; what follows an event waits for its turn."""
        self.hear(scribe, around)
        self.over(scribe, around)

    def hear(self, scribe: Scribe, around: Around) -> None:
        """Let the rules follow it, if any waits to be told."""
        if not around.telling:
            scribe.line(f"if t.news or t.later: {CALL}tell(t)")

    def over(self, scribe: Scribe, around: Around) -> None:
        """Go no further if what a step led to has ended the game."""
        if not around.telling and self.plan.kept.get("ends"):
            scribe.line("if t.over: raise Over")


def plainly(writer: Writer, scribe: Scribe, asked: Asked, around: Around) -> None:
    """A step that happens at once, by its own code."""
    given = values(scribe, asked)
    scribe.line(f"t.rule = {scribe.names.of(around.rule)}")
    code = scribe.names.of(asked.word.code)
    scribe.line(f"{code}(t, me{''.join(', ' + value for value in given)})")
    writer.tell(scribe, around)
