"""How a block begins: found without doing it, as the machine does on a copy of the table.

Until it asks for something a block may do steps that change nothing, go past those that cannot be
done, and into branches. All that can be first is known when a program is written; which of that
is first, and with which hexes, is what the functions written here answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kbrules.compile.whole.around import MAX_FIRINGS, rule_of
from kbrules.compile.whole.asked import first_hexes, parts_of, rare, values
from kbrules.compile.whole.plan import Asked, Plan
from kbrules.compile.whole.running import happens
from kbrules.compile.whole.scribe import Scribe
from kbrules.lang.core import Block, Doing, Each, Either, Expr, If, Lit, Repeat, Step
from kbrules.primitives.hexes import spread

if TYPE_CHECKING:
    from kbrules.compile.whole.blocks import Writer

USE = "use"
"""What beginning a block is called that asks for no hex at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """One way in which a block may begin: with a hex for one of its steps, or without.

    step: what the hex is for, None without one. verb: what choosing that is called. direct:
    whether nothing comes before it. branch: the number of the body that is gone into first, or
    -1; inner: how that begins.
    """

    verb: str
    step: Step | None
    direct: bool
    branch: int = -1
    inner: Start | None = None


def starts(plan: Plan, block: Block) -> tuple[Start, ...]:
    """All ways in which a block may begin, in the order in which they are offered."""
    known = plan.kept.setdefault(Start, {})
    if block.path not in known:
        found = tuple(_of_steps(plan, block.steps, True))
        uses = [start for start in found if start.step is None]
        known[block.path] = (*uses[:1], *(start for start in found if start.step is not None))
    answer: tuple[Start, ...] = known[block.path]
    return answer


def _of_steps(plan: Plan, steps: Sequence[Doing], direct: bool) -> Iterator[Start]:
    for doing in steps:
        yield from _of(plan, doing, direct)
        if direct and isinstance(doing, Step) and is_sure(plan.asked(doing)):
            return
        direct = False


def _of(plan: Plan, doing: Doing, direct: bool) -> Iterator[Start]:
    match doing:
        case Step():
            asked = plan.asked(doing)
            if asked.word.asks and not asked.at_random:
                yield Start(asked.names[0], doing, direct)
            else:
                yield Start(USE, None, False)
        case If(body=body, other=other):
            yield from _of_steps(plan, body.steps, direct)
            yield from _of_steps(plan, other.steps if other is not None else (), False)
        case Repeat(body=body):
            yield from _of_steps(plan, body.steps, direct)
        case Each(body=body):
            yield from _of_steps(plan, body.steps, False)
        case Either(bodies=bodies):
            for number, body in enumerate(bodies):
                for inner in starts(plan, body):
                    yield Start(inner.verb, inner.step, False, number, inner)


def is_sure(asked: Asked) -> bool:
    """Whether a step asks the player for a hex at every table and in every state."""
    is_asked = bool(asked.word.asks) and not asked.at_random
    return is_asked and isinstance(asked.count, Lit) and asked.count.value > 0


def is_plain(plan: Plan, block: Block) -> bool:
    """Whether it begins with a hex of its first step or not at all, as most do."""
    found = starts(plan, block)
    return len(found) == 1 and found[0].direct and found[0].step is not None


def is_instant(asked: Asked) -> bool:
    """Whether a step asks nobody and no card."""
    word = asked.word
    return not (word.asks or word.outcomes is not None or word.is_offers or word.is_reuse)


def tried(writer: Writer, scribe: Scribe, block: Block, start: Start) -> str:
    """A text for the hexes with which a block begins in some way, 0 if it does not.

    For a way without a hex it is 1 if it does.
    """
    variables = sorted(scribe.variables)
    names = {variable: f"e{number}" for number, variable in enumerate(variables)}

    def write(inner: Scribe) -> None:
        with inner.binding(names):
            _Trial(writer, inner, block, start).steps(block.steps, _Spot(direct=True))
        inner.line("return 0")

    takes = "".join(f", {name}" for name in names.values())
    number = starts(writer.plan, block).index(start)
    key = "try", f"{block.path} {number} {' '.join(variables)}"
    name = writer.function(key, f", me{takes}", write)
    given = "".join(f", {scribe.variables[variable]}" for variable in variables)
    return f"{name}(t, me{given})"


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where something stands that is tried.

    direct: whether nothing comes before it; last: whether nothing comes after it. leave: what is
    done where it asks and has nothing to offer, "" to go on.
    """

    direct: bool = False
    last: bool = True
    leave: str = ""


class _Trial:
    """Writes the function that tells whether a block begins in one way."""

    def __init__(self, writer: Writer, scribe: Scribe, block: Block, start: Start) -> None:
        self._writer = writer
        self._block = block
        self._scribe = scribe
        self._start = start
        self._plan = writer.plan

    def steps(self, steps: Sequence[Doing], spot: _Spot) -> None:
        """Steps one after another."""
        for index, doing in enumerate(steps):
            is_last = spot.last and index == len(steps) - 1
            self._doing(doing, replace(spot, last=is_last))
            if spot.direct and isinstance(doing, Step) and is_sure(self._plan.asked(doing)):
                return
            spot = replace(spot, direct=False, leave="")

    def _doing(self, doing: Doing, spot: _Spot) -> None:
        scribe = self._scribe
        match doing:
            case Step():
                self._step(doing, spot)
            case If(condition=condition, body=body, other=other):
                with scribe.under(f"if {self._asked(condition)}:"):
                    self._body(body.steps, replace(spot, leave=""))
                if other is not None:
                    with scribe.under("else:"):
                        self._body(other.steps, _Spot(last=spot.last))
            case Repeat(times=times, body=body, may_stop=may_stop):
                # A round in which nothing happens is like the next one.
                with scribe.under(f"for _ in range(min(1, {self._asked(times)})):"):
                    self._body(body.steps, replace(spot, leave="break" if may_stop else ""))
            case Each():
                self._each(doing)
            case Either():
                self._either(doing, spot)

    def _body(self, steps: Sequence[Doing], spot: _Spot) -> None:
        self.steps(steps, spot)
        self._scribe.line("pass")

    def _asked(self, expr: Expr) -> str:
        folded = self._plan.folded(expr)
        self._scribe.share([folded])
        return self._scribe.text(folded)

    def _each(self, doing: Each) -> None:
        scribe, item = self._scribe, self._scribe.new()
        domain = self._asked(doing.domain)
        if doing.domain.sort.name == "HEXES":
            domain = f"{scribe.names.of(spread)}({domain})"
        with scribe.under(f"for {item} in {domain}:"), scribe.binding({doing.variable: item}):
            scribe.forget()
            if doing.guard is not None:
                scribe.line(f"if not {self._asked(doing.guard)}: continue")
            self._body(doing.body.steps, _Spot(last=False))

    def _either(self, doing: Either, spot: _Spot) -> None:
        """It begins in this way, or in another one, or there is none and it is passed over."""
        scribe = self._scribe
        pairs = [(body, inner) for body in doing.bodies for inner in starts(self._plan, body)]
        for body, inner in pairs:
            if self._is_this(inner):
                mask = scribe.new()
                scribe.line(f"{mask} = {self._tried(body, inner)}")
                scribe.line(f"if {mask}: return {mask}")
        if spot.last:
            return
        if any(self._plan.needs_terrain(body) for body in doing.bodies):
            with scribe.under("if t.split:"):
                rare(scribe, "a choice between terrains before other steps")
        for body, inner in pairs:
            if not self._is_this(inner):
                scribe.line(f"if {self._tried(body, inner)}: return 0")
        if spot.leave:
            scribe.line(spot.leave)

    def _tried(self, body: Block, inner: Start) -> str:
        """A text for the hexes of a branch; a terrain would have to be chosen before others."""
        text = tried(self._writer, self._scribe, body, inner)
        return f"(0 if t.split else {text})" if self._plan.needs_terrain(body) else text

    def _is_this(self, inner: Start) -> bool:
        """Whether a branch that begins so makes the block begin in the way that is asked."""
        return inner is self._start.inner or inner.step is self._start.step is None

    # steps

    def _step(self, step: Step, spot: _Spot) -> None:
        asked = self._plan.asked(step)
        with self._scribe.at(step.span):
            if asked.word.is_offers:
                rare(self._scribe, "an action that begins with others")
            elif asked.word.is_reuse:
                self._reusing(asked)
            elif asked.word.asks:
                self._choosing(asked, spot)
            elif asked.word.outcomes is not None:
                self._drawing(asked)
            else:
                self._instant(asked)

    def _answer(self, is_it: bool, value: str) -> str:
        return f"return {value if is_it else 0}"

    def _choosing(self, asked: Asked, spot: _Spot) -> None:
        scribe = self._scribe
        if isinstance(asked.count, Lit):
            if asked.count.value > 0:
                self._hexes(asked, spot)
            return
        assert asked.count is not None
        with scribe.under(f"if {self._asked(asked.count)} > 0:"):
            self._hexes(asked, spot)

    def _hexes(self, asked: Asked, spot: _Spot) -> None:
        scribe, is_it = self._scribe, self._start.step is asked.step
        if spot.direct and not asked.at_random and not is_it:
            scribe.line("return 0")
            return
        if asked.needs_terrain:
            with scribe.under("if t.split:"):
                rare(scribe, "a choice between terrains")
        scribe.share(parts_of(asked))
        mask = first_hexes(scribe, asked)
        if asked.at_random:
            scribe.line(f"if {mask}: {self._answer(self._start.step is None, '1')}")
        elif spot.direct:
            scribe.line(f"return {mask}")
            return
        else:
            scribe.line(f"if {mask}: {self._answer(is_it, mask)}")
        if spot.leave:
            scribe.line(spot.leave)

    def _reusing(self, asked: Asked) -> None:
        """It begins a block if there is something to reuse, or a terrain to choose for that."""
        from kbrules.compile.whole.reusing import reusable

        scribe = self._scribe
        if self._plan.needs_terrain(self._block):
            with scribe.under("if t.split:"):
                rare(scribe, "a choice between terrains before an action is reused")
        test = reusable(self._writer, scribe, asked, rule_of(self._block))
        scribe.line(f"if {test}: {self._answer(self._start.step is None, '1')}")

    def _drawing(self, asked: Asked) -> None:
        """Drawing begins a block if there are cards, or if there will be."""
        scribe = self._scribe
        assert asked.count is not None and asked.word.outcomes is not None
        with scribe.under(f"if {self._asked(asked.count)} > 0:"):
            weights = scribe.applied(asked.word.outcomes, ["view"])
            scribe.line(f"if any({weights}): {self._answer(self._start.step is None, '1')}")
            for standing in self._plan.draws:
                assert standing.guard is not None
                test = f"{self._asked(standing.guard)} and t.firings < {MAX_FIRINGS}"
                with scribe.under(f"if {test}:"):
                    self._interrupted(standing.block)

    def _interrupted(self, block: Block) -> None:
        """What is done before a draw, if it is one thing that happens at once."""
        only = block.steps[0] if len(block.steps) == 1 else None
        if isinstance(only, Step) and is_instant(self._plan.asked(only)):
            self._instant(self._plan.asked(only))
        rare(self._scribe, "an action that begins with a draw")

    def _instant(self, asked: Asked) -> None:
        scribe = self._scribe
        code, given = scribe.names.of(asked.word.code), values(scribe, asked)
        test = f"{scribe.names.of(happens)}({', '.join(['t', code, 'me', *given])})"
        scribe.line(f"if {test}: {self._answer(self._start.step is None, '1')}")
