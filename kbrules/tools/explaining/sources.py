"""The source of a configuration: the functions of a kernel that were written for its rules.

Lines that come from a rule say which, by file and line; that is told beside the source, for
nothing that an author wrote stands in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, game_at
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.kernel.lowering.function_writer import FunctionWriter
from kbrules.lang.typed.core import Rule
from kbrules.library.reading import place_of
from kbrules.library.ruleset import Ruleset
from kbrules.text import Span

__all__ = ["Listing", "listing", "sources_of"]

_FAR = 88
"""Comments begin no further to the right, where the line allows it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A function: its text with the places of rules."""

    text: str

    def __str__(self) -> str:
        """The text under its length."""
        return f"# {self.text.count(chr(10))} lines\n\n{self.text}"


Tell = Callable[[Listing], object]
"""Takes what is told, piece by piece."""


def sources_of(ruleset: Ruleset, table: TableSetup, tell: Tell, rule: Rule | None = None) -> None:
    """Tell the functions of a table's kernel; of a rule those in which something comes from it."""
    functions: Iterable[FunctionWriter] = _functions(game_at(ruleset, table))
    if rule is not None:
        extent = _extent(ruleset, rule)
        functions = [fn for fn in functions if any(map(extent.holds, fn.places.values()))]
    for fn in functions:
        tell(Listing(listing(fn.text, fn.places)))


def _functions(game: Game) -> list[FunctionWriter]:
    """Those of a table's kernel, without the gold of cards that are not on the table."""
    lowered = kernel_of(game, PYTHON).lowered
    pays = {rule.id for rule in game.scoring.rules}
    absent = {f"gold_{number}" for number, id in enumerate(lowered.paying) if id not in pays}
    return [fn for fn in lowered.functions if fn.name not in absent]


def _extent(ruleset: Ruleset, rule: Rule) -> Span:
    """A rule from its first line to its last."""
    found = (declaration.span for declaration in ruleset.declarations)
    return next(span for span in found if span.holds(rule.span))


def listing(text: str, places: Mapping[int, Span]) -> str:
    """A source with each place at the first only of the lines that it has in a row."""
    lines, told = text.splitlines(), ""
    width = min(_FAR, max(map(len, lines), default=0))
    for number, span in sorted(places.items()):
        place = place_of(span)
        if place != told:
            lines[number - 1] = f"{lines[number - 1]:<{width}}  # {place}"
            told = place
    return "\n".join(lines) + "\n"
