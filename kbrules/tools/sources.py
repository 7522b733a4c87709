"""The generated source of a configuration: all that becomes code when its game is played.

Lines that come from a rule say which, by file and line; that is told beside the source, for
nothing that an author wrote stands in it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from typing import Any

from kbrules.compile.late import OFTEN, Late
from kbrules.compile.places import Places, listing
from kbrules.compile.running import Source, heard
from kbrules.engine.game import Game
from kbrules.engine.kernels import PYTHON, kernel_of
from kbrules.engine.match import play_out
from kbrules.engine.setup import Table, game_at
from kbrules.engine.works import written_for
from kbrules.lang.core import Expr, Rule, Step
from kbrules.library.ruleset import Ruleset
from kbrules.text import Span
from kbrules.tools.bots import chance

__all__ = ["Listed", "sources_of"]

_SEED = 1


@dataclass(frozen=True, slots=True)
class Listed:
    """A source, or a function of it: what it is for, and its text with the places of rules."""

    title: str
    text: str

    def __str__(self) -> str:
        """The text under its title."""
        count = self.text.count("\n")
        return f"# {self.title}, {count} lines\n\n{self.text}"


Tell = Callable[[Listed], object]
"""Takes what is told, piece by piece."""


def sources_of(ruleset: Ruleset, table: Table, tell: Tell, rule: Rule | None = None) -> None:
    """Tell what is generated when a table is played at, piece by piece as it becomes code.

    Of a rule only the functions in which something comes from it, and all it asks by itself.
    Nothing of the rule set may have been played before: what is code already is not told again.
    """
    extent = None if rule is None else _extent(ruleset, rule)
    told: set[Listed] = set()

    def hear(source: Source) -> None:
        for piece in [_whole(source)] if extent is None else _about(source, extent):
            if piece not in told:
                told.add(piece)
                tell(piece)

    with heard(hear):
        game = _played(ruleset, table)
        if rule is not None:
            _ask(game, rule)


def _played(ruleset: Ruleset, table: Table) -> Game:
    """A game of chance at the table, and what it pays, as often as it takes until all is code."""
    game = game_at(ruleset, table)
    cards = tuple(map(ruleset.catalog.cards.index, table.cards))
    works = written_for(ruleset, table.players, cards, game.options)
    for steps in (works.steps, works.telling):
        steps.all_written()
    state = play_out(game, _SEED, [chance] * game.players)
    for _ in range(OFTEN):
        game_at(ruleset, table).totals(state)
    program = kernel_of(game, PYTHON).program
    assert program is not None
    program.make_all()
    return game


# what a rule asks by itself


def _ask(game: Game, rule: Rule) -> None:
    """Generate every expression of a rule, as it is asked where rules are asked one by one."""
    asked: list[Any] = [game.program.link(expr) for expr in _expressions(rule)]
    for block in rule.blocks():
        steps = (step for step in block.steps if isinstance(step, Step))
        asked += [node for step in steps for node in _of_step(game, step)]
    for node in asked:
        if isinstance(node, Late):
            node.generate()


def _of_step(game: Game, step: Step) -> Iterator[Any]:
    asking = game.choices.asking(step)
    yield from (asking.legal, asking.strict)


def _expressions(item: Any) -> Iterator[Expr]:
    """The expressions of a rule, each as a whole."""
    if isinstance(item, Expr):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from _expressions(part)
    elif is_dataclass(item) and not isinstance(item, Span):
        for field in fields(item):
            if field.name != "examples":
                yield from _expressions(getattr(item, field.name))


# what is shown


def _whole(source: Source) -> Listed:
    return Listed(source.title, listing(source.text, source.places))


def _extent(ruleset: Ruleset, rule: Rule) -> Span:
    """A rule from its first line to its last."""
    found = (declaration.span for declaration in ruleset.declarations)
    return next(span for span in found if span.holds(rule.span))


def _about(source: Source, whole: Span) -> Iterator[Listed]:
    """The functions of a source in which something comes from a rule."""
    lines = source.text.splitlines()
    starts = [node.lineno for node in ast.parse(source.text).body]
    for first, after in pairwise([*starts, len(lines) + 1]):
        places = {
            number - first + 1: span
            for number, span in source.places.items()
            if first <= number < after
        }
        if any(whole.holds(span) for span in places.values()):
            yield _part(source, lines[first - 1 : after - 1], places)


def _part(source: Source, lines: Sequence[str], places: Places) -> Listed:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return Listed(source.title, listing("\n".join(lines), places))
