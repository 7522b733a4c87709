"""Sets of which the board alone decides, looked at on the boards that the sections can form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.evaluation import INTERSECTION, UNION
from kbrules.lang.typed import Call, Expr, Lit, Rule, Sort, is_fixed
from kbrules.tools.authoring.lint.registry import lint
from kbrules.tools.authoring.lint.relations import Key, key
from kbrules.tools.authoring.lint.sampled.places import expressions_of, in_force, is_about_options
from kbrules.tools.authoring.lint.subject import Subject
from kbrules.tools.tracing.operands import Operand, Places, operands_of, operator_kind, operators_of

if TYPE_CHECKING:
    from kbrules.tools.authoring.lint.boards.formed_boards import Boards

Values = Sequence[Sequence[int]]
"""For each of some operands the set that is left by it, on each of the boards."""


def formed_boards(subject: Subject) -> Boards | None:
    """The boards to look at; None if there is no section to form one of, or none is wanted."""
    from kbrules.tools.authoring.lint.boards.formed_boards import (
        Boards,  # slow to load, and seldom needed
    )

    ruleset = subject.ruleset
    rows, columns = ruleset.parts.table
    on_table = [each for each in ruleset.parts.sections.values() if not each.grid]
    if not in_force(subject) or len(on_table) < rows * columns:
        return None
    boards = Boards(ruleset, subject.samples, subject.check_cancelled)
    return boards if boards.views else None


@lint("KB737", needs="boards")
def empty_on_boards(subject: Subject) -> Iterator[Diagnostic]:
    """Hexes there are none of, on whatever board."""
    boards = subject.shared(formed_boards)
    for rule in in_force(subject) if boards is not None else ():
        assert boards is not None
        for call, parts in _operands(subject, rule, INTERSECTION):
            values = [_values(subject, part, boards) for part in parts]
            core = _empty_core(values)
            if core:
                yield _empty_finding(call, [parts[index] for index in core], boards)


def _operands(subject: Subject, rule: Rule, kind: str) -> Iterator[tuple[Call, list[Operand]]]:
    """The operands of which the board alone decides, of each expression that joins some."""
    inner_ids: set[int] = set()
    places = subject.shared(_operator_places)
    for expr in expressions_of(rule):
        if (
            isinstance(expr, Call)
            and operator_kind(expr.word) == kind
            and id(expr) not in inner_ids
        ):
            parts = [*operands_of(expr, places)]
            inner_ids |= _inner_operators(expr, kind)
            fixed_parts = [part for part in parts if _depends_on_board_only(part.expr)]
            if fixed_parts:
                yield expr, fixed_parts


def _operator_places(subject: Subject) -> Places:
    return operators_of(subject.ruleset.declarations)


def _inner_operators(call: Call, kind: str) -> set[int]:
    """The expressions inside that join the same operands."""
    calls = [each for each in call.arguments if isinstance(each, Call)]
    inside = [each for each in calls if operator_kind(each.word) == kind]
    ids = {id(each) for each in inside}
    for each in inside:
        ids |= _inner_operators(each, kind)
    return ids


def _depends_on_board_only(expr: Expr) -> bool:
    if isinstance(expr, Lit) or is_about_options(expr) or expr.sort is not Sort.HEXES:
        return False
    return is_fixed(expr)


def _values(subject: Subject, part: Operand, boards: Boards) -> list[int]:
    """What is left by an operand, on each board."""
    known_values = subject.shared(_known_values)
    values = known_values.get(expr_key := key(part.expr))
    if values is None:
        node = subject.ruleset.evaluate.linked(part.expr)
        values = known_values[expr_key] = [node.value(view) for view in boards.views]
    full = [view.board.grid.full for view in boards.views]
    if not part.is_taken_away:
        return values
    return [board & ~value for board, value in zip(full, values, strict=True)]


def _known_values(_subject: Subject) -> dict[Key, list[int]]:
    """What was worked out of expressions; those that say the same are one."""
    return {}


def _empty_core(values: Values) -> list[int]:
    """Operands, as few as can be, that leave nothing on any board; none if something is left."""
    core = list(range(len(values)))
    if not _is_empty(values, core):
        return []
    for index in list(core):
        fewer = [other for other in core if other != index]
        if fewer and _is_empty(values, fewer):
            core = fewer
    return core


def _is_empty(values: Values, core: Sequence[int]) -> bool:
    return not any(reduce(and_, each) for each in zip(*(values[i] for i in core), strict=True))


def _empty_finding(call: Expr, core: Sequence[Operand], boards: Boards) -> Diagnostic:
    texts = [("no " if part.is_taken_away else "") + quoted(part.expr.span.text) for part in core]
    why = f"none is {texts[0]}" if len(texts) == 1 else f"no hex is {' and '.join(texts)}"
    message = f"{quoted(call.span.text)} is empty on {boards.description}: {why}"
    help_ = "draw such a hex on some map, or say it otherwise"
    return Diagnostic("KB737", call.span, message, help_, claim=boards.claim)


@lint("KB738", needs="boards")
def idle_on_boards(subject: Subject) -> Iterator[Diagnostic]:
    """An operand that another one makes needless on every board."""
    boards = subject.shared(formed_boards)
    for rule in in_force(subject) if boards is not None else ():
        assert boards is not None
        for kind, join in ((INTERSECTION, and_), (UNION, or_)):
            for _, parts in _operands(subject, rule, kind):
                values = [_values(subject, part, boards) for part in parts]
                if _empty_core(values):
                    continue  # where nothing is left, everything is needless
                for index in _idle(values, join):
                    yield _idle_finding(parts, index, boards)
                    break  # two that say the same: one of them is needed


def _idle(values: Values, join: Callable[[int, int], int]) -> Iterator[int]:
    """The operands without which the others come to the same, on every board."""
    for index in range(len(values)) if len(values) > 1 else ():
        others = [each for other, each in enumerate(values) if other != index]
        rest = [reduce(join, each) for each in zip(*others, strict=True)]
        if all(join(a, b) == b for a, b in zip(values[index], rest, strict=True)):
            yield index


def _idle_finding(parts: Sequence[Operand], index: int, boards: Boards) -> Diagnostic:
    part = parts[index]
    others = " and ".join(quoted(p.expr.span.text) for p in parts if p is not part)
    message = (
        f"{quoted(part.expr.span.text)} makes no difference beside {others} on {boards.description}"
    )
    return Diagnostic("KB738", part.expr.span, message, "leave it out", claim=boards.claim)
