"""Writing out awards: a round for each player, and then what goes by rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Protocol

from kbrules.compile.awards import (
    NO_NAMES,
    asked,
    by,
    by_rank,
    by_ranks,
    open_names,
    ranked_in,
    singles,
)
from kbrules.compile.bodies import Body, quiet_body_of
from kbrules.compile.folds import condition
from kbrules.compile.running import NAME, Source
from kbrules.compile.shortcuts import best_size
from kbrules.compile.writing import Writer, all_parts, identity
from kbrules.game.view import View
from kbrules.lang.core import Award, Call, Expr, Fold, Lit, Var, parts_of
from kbrules.lang.evaluate import Evaluator
from kbrules.lang.nodes import Node
from kbrules.lang.sorts import Sort
from kbrules.primitives import hexes

Payers = Sequence[Sequence[Award]]
"""The awards of each rule that pays."""
Fixing = Callable[[View], Any]
"""What a board decides, given a view of the board alone."""
MEMORY = "memory"
_AT_HAND = (
    ("view.state.seats[view.me]", "seat"),
    ("view.state", "state"),
    ("view.board", "board"),
    ("view.rules", "rules"),
    ("view.me", "me"),
)
"""What the function has names for, of what words look up in a view."""
_OF_GRID = ("_stride_less", "stride", "full")


class House(Protocol):
    """What is the same for all awards of a rule set."""

    evaluator: Evaluator
    memories: Mapping[str, tuple[str, int]]

    def fixed(self, expr: Expr) -> Node:
        """The node of what a board alone decides."""


@dataclass(frozen=True, slots=True)
class _Ranked:
    """What goes by rank: which rule pays, and the text of what each player gets."""

    index: int
    golds: str


class Paying(Writer):
    """Writes what rules pay; `fixings` say what the names are that stand for a board's own."""

    def __init__(self, payers: Payers, house: House) -> None:
        exprs = [expr for awards in payers for award in awards for expr in asked(award)]
        super().__init__(exprs, house.evaluator.implementations, house.fixed)
        self._payers = payers
        self._house = house
        self._ranked: list[_Ranked] = []
        self._gathered_lists: list[str] = []
        self._constants: dict[Any, str] = {}
        self.fixings: list[Fixing] = []

    @property
    def is_regular(self) -> bool:
        """Whether what players are ranked in is the same for all of them."""
        ranks = (award for awards in self._payers for award in awards if award.rank is not None)
        return all(self._is_shared(award) for award in ranks)

    def _is_shared(self, award: Award) -> bool:
        names = {variable for variable, _, _ in award.loops}
        return all(self._is_of_board(domain, names) for _, domain, _ in award.loops)

    # the function

    def source(self) -> Source:
        """The whole function: a row for each player, then what goes by rank."""
        with self.under(f"for me, seat in {self.bound(enumerate)}(state.seats):"):
            self._share()
            golds = [self._paid(index, awards) for index, awards in enumerate(self._payers)]
            self._row(golds)
        for paid in self._ranked:
            with self.under(f"for row, gold in {self.bound(zip)}(rows, {paid.golds}):"):
                self.line(f"row[{paid.index}] += gold")
        made = f"[*{self.bound(map)}({self.bound(tuple)}, rows)]" if self._ranked else "rows"
        self.line(f"return {made}")
        text, places = self._marks.taken_out(list(self._whole()))
        return Source(text, self._known, places, "gold")

    def _row(self, golds: Sequence[str]) -> None:
        """What each rule pays a player: a line for each, with the place of the rule."""
        opens, closes = "[]" if self._ranked else "()"
        self.line(f"rows.append({opens}")
        for gold, awards in zip(golds, self._payers, strict=True):
            with self.at(awards[0].span):
                self.line(f"    {gold},")
        self.line(f"{closes})")

    def _whole(self) -> Iterator[str]:
        """The lines, with short names for what is at hand."""
        loop, *rest = self._lines
        body = "\n".join(rest)
        for long, short in _AT_HAND:
            body = body.replace(long, short)
        yield f"def {NAME}(board, rules, fixed, state):"
        if self._constants:
            yield f"    {', '.join(self._constants.values())}, = fixed"
        yield "    rows = []"
        yield from (f"    {name} = []" for name in self._gathered_lists)
        yield loop
        if re.search(r"\bview\b", body):
            made = f"{self.bound(View)}(board, state, me, rules, {self.bound(NO_NAMES)})"
            yield f"        view = {made}"
        yield body

    # what is worked out beforehand

    def _share(self) -> None:
        """Work out what several awards ask, and what stays the same in all rounds of a loop."""
        for awards in self._payers:
            for award in awards:
                for expr in asked(award):
                    is_asked_often = expr is award.guard and award.domain is not None
                    self._share_parts(expr, bool(award.loops) or is_asked_often)

    def _share_parts(self, expr: Expr, is_looped: bool) -> None:
        if isinstance(expr, Lit) or self._is_of_board(expr):
            return
        if not open_names(expr) and (is_looped or identity(expr) in self._repeated):
            with self.at(expr.span):
                self._kept[identity(expr)] = self.keep(self.text(expr))
            return
        for part in parts_of(expr):
            self._share_parts(part, is_looped or isinstance(expr, Fold))

    def _is_of_board(self, expr: Expr, known: Set[str] = frozenset()) -> bool:
        """Whether a board decides an expression, given the values of some names."""
        words = (part.word for part in all_parts(expr) if isinstance(part, Call))
        is_seen = any(self.implementations[word].first == "view" for word in words)
        return not is_seen and open_names(expr) <= known

    def _constant(self, key: Any, fixing: Fixing) -> str:
        """The name of what is worked out once for a board."""
        if key not in self._constants:
            self._constants[key] = f"c{len(self._constants)}"
            self.fixings.append(fixing)
        return self._constants[key]

    # expressions

    def _fresh(self, expr: Expr) -> str:
        if self._is_of_board(expr):
            return self._constant(identity(expr), self._house.fixed(expr).value)
        if isinstance(expr, Call) and expr.word == MEMORY:
            return self._memory(expr)
        return super()._fresh(expr)

    def may_stop(self, fold: Fold) -> bool:
        return True

    def looped(self, fold: Fold) -> AbstractContextManager[None]:
        inside = [fold.body] if fold.condition is None else [fold.body, fold.condition]
        return self._running(fold.variable, fold.domain, inside)

    def _memory(self, call: Call) -> str:
        (name,) = call.arguments
        assert isinstance(name, Lit)
        scope, slot = self._house.memories[name.value]
        return f"{'state' if scope == 'table' else 'seat'}.memory[{int(slot)}]"

    def _body(self, code: Callable[..., Any]) -> Body | None:
        return quiet_body_of(code)

    def applied(self, code: Callable[..., Any], texts: list[str]) -> str:
        return self._beside(texts[1]) if code is hexes.adjacent else super().applied(code, texts)

    def _beside(self, text: str) -> str:
        """What `Grid.neighbours` answers, on the spot."""
        names = (self._constant(name, attrgetter(f"board.grid.{name}")) for name in _OF_GRID)
        less, stride, full = names
        one = self.keep(text)
        two = self.keep(f"{one} | {one} << 1")
        return f"(({one} << 1 | {one} >> 1 | {two} << {less} | {two} >> {stride}) & {full})"

    # loops

    def _items(self, domain: Expr) -> str:
        """What a loop runs over: of a set its hexes one by one."""
        text = self.text(domain)
        return f"{self.bound(singles)}({text})" if domain.sort is Sort.HEXES else text

    @contextmanager
    def _running(self, variable: str, domain: Expr, inside: Sequence[Expr]) -> Iterator[None]:
        """A loop; what a board decides about an item is looked up beside the item."""
        if not self._is_of_board(domain):
            with self._each(variable, self._items(domain)):
                yield
            return
        parts = {identity(part): part for expr in inside for part in self._of_item(expr, variable)}
        names = [self.new() for _ in parts]
        key = ("items", identity(domain), variable, *parts)
        table = self._constant(key, self._table(variable, domain, tuple(parts.values())))
        with self._each(variable, table, names):
            self._kept.update(zip(parts, names, strict=True))
            yield

    def _of_item(self, expr: Expr, variable: str) -> Iterator[Expr]:
        """The largest parts of an expression that a board and an item decide."""
        if isinstance(expr, Var | Lit):
            return
        if open_names(expr) == {variable} and self._is_of_board(expr, {variable}):
            yield expr
            return
        for part in parts_of(expr):
            yield from self._of_item(part, variable)

    def _table(self, variable: str, domain: Expr, parts: tuple[Expr, ...]) -> Fixing:
        """For each item of a loop the item, and what a board decides about it."""
        linked = self._house.evaluator.linked
        found, nodes = self._house.fixed(domain), [linked(part) for part in parts]
        is_set = domain.sort is Sort.HEXES

        def worked_out(view: View) -> tuple[Any, ...]:
            items = singles(found.value(view)) if is_set else found.value(view)
            seen = ((item, view.bound(variable, item)) for item in items)
            return tuple((item, *(node.value(each) for node in nodes)) for item, each in seen)

        def plain(view: View) -> tuple[Any, ...]:
            return singles(found.value(view)) if is_set else tuple(found.value(view))

        return worked_out if parts else plain

    # what a rule pays

    def _paid(self, index: int, awards: Sequence[Award]) -> str:
        """The gold of a rule, a text; what goes by rank is gathered for later."""
        alike: dict[Any, list[Award]] = {}
        texts = []
        for award in awards:
            if award.rank is not None:
                alike.setdefault(ranked_in(award), []).append(award)
                continue
            with self.at(award.span):
                texts.append(self._summed(award) if award.loops else self._amount(award))
        for ranked in alike.values():
            with self.at(ranked[0].span):
                self._gather(index, ranked)
        return " + ".join(texts) or "0"

    def _summed(self, award: Award) -> str:
        """What an award pays in all rounds of its loops."""
        total = self.new()
        self.line(f"{total} = 0")
        body = partial(self._add, total, award)
        self._rounds(award, body, asked(award))
        return total

    def _add(self, total: str, award: Award) -> None:
        self.line(f"{total} += {self._amount(award)}")

    def _rounds(
        self, award: Award, body: Callable[[], None], said: Sequence[Expr], depth: int = 0
    ) -> None:
        """The loops of an award, one in the other, and what is done in all of them."""
        if depth == len(award.loops):
            body()
            return
        variable, domain, guard = award.loops[depth]
        with ExitStack() as around:
            around.enter_context(self._running(variable, domain, said))
            if guard is not None:
                around.enter_context(self.under(f"if {condition(self, guard)}:"))
            self._rounds(award, body, said, depth + 1)

    def _gather(self, index: int, awards: Sequence[Award]) -> None:
        """What a player has, and would get by each rank, in the rounds that awards share.

        Who gets nothing is ranked as well.
        """
        first, pays = awards[0], self._pays(awards)
        written = [] if pays else awards
        values, *gains = (self.new() for _ in range(1 + len(written)))
        all_values, *all_gains = (self.new() for _ in range(1 + len(written)))
        self._gathered_lists += (all_values, *all_gains)
        self.line("; ".join(f"{name} = []" for name in (values, *gains)))

        def body() -> None:
            for award, name in zip(written, gains, strict=True):
                gain = self._amount(award)
                for _variable, _domain, guard in award.loops:
                    gain = self._if_holds(guard, gain)
                self.line(f"{name}.append({gain})")
            self.line(f"{values}.append({self.text(by(first))})")

        loops = tuple((variable, domain, None) for variable, domain, _guard in first.loops)
        said = [expr for award in awards for expr in asked(award)]
        self._rounds(replace(first, loops=loops), body, said)
        self.line(f"{all_values}.append({values})")
        if pays:
            self._ranked.append(_Ranked(index, f"{self.bound(by_ranks)}({pays}, {all_values})"))
        for award, name, all_of in zip(written, gains, all_gains, strict=True):
            self.line(f"{all_of}.append({name})")
            text = f"{self.bound(by_rank)}({award.rank}, {all_values}, {all_of})"
            self._ranked.append(_Ranked(index, text))

    def _pays(self, awards: Sequence[Award]) -> str:
        """Pairs of rank and gold, a text; empty unless all awards pay a number, come what may."""
        pairs = []
        for award in awards:
            guards = [award.guard, *(guard for _variable, _domain, guard in award.loops)]
            is_sure = all(_is_sure(guard) for guard in guards)
            if not is_sure or award.domain is not None or not isinstance(award.amount, Lit):
                return ""
            assert award.rank is not None
            pairs.append(f"({int(award.rank)}, {int(award.amount.value)})")
        return f"({', '.join(pairs)},)"

    def _amount(self, award: Award) -> str:
        """What an award pays in one round, a text."""
        if award.domain is None:
            return self._if_holds(award.guard, self.text(award.amount))
        if award.domain.sort is Sort.HEXES:
            return self._if_holds(award.guard, self._times(award, self._size(award.domain)))
        if award.guard is None:
            return self._times(award, f"{self.bound(len)}({self.text(award.domain)})")
        count = self.new()
        self.line(f"{count} = 0")
        with self._running(award.variable, award.domain, (award.guard,)):
            self.line(f"if {condition(self, award.guard)}: {count} += 1")
        return self._times(award, count)

    def _size(self, domain: Expr) -> str:
        """How many hexes a set has; of the best among parts of a set only that is worked out."""
        best = best_size(self, domain)
        if best is not None:
            return best
        text = self.text(domain)
        return f"{text}.bit_count()" if text[0].isalpha() else f"({text}).bit_count()"

    def _times(self, award: Award, items: str) -> str:
        """The amount for each so many items."""
        items = items if award.every == 1 else f"({items} // {int(award.every)})"
        is_one = isinstance(award.amount, Lit) and award.amount.value == 1
        return items if is_one else f"{self.text(award.amount)} * {items}"

    def _if_holds(self, guard: Expr | None, text: str) -> str:
        if _is_sure(guard):
            return text
        assert guard is not None
        return f"(({text}) if {condition(self, guard)} else 0)"


def _is_sure(guard: Expr | None) -> bool:
    """Whether it holds whatever happens."""
    return guard is None or (isinstance(guard, Lit) and bool(guard.value))
