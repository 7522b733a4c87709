"""The source of a configuration: the functions of a kernel that were written for its rules.

Lines that come from a rule say which, by file and line; that is shown beside the source, for
nothing that an author wrote stands in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kbrules.engine.configuration import PYTHON
from kbrules.engine.game import Game
from kbrules.engine.setup import TableSetup, game_at
from kbrules.engine.simulation.kernels import kernel_of
from kbrules.kernel.lowering.function_writer import FunctionWriter
from kbrules.lang.typed import Rule
from kbrules.library.reading import place_of
from kbrules.library.ruleset import Ruleset
from kbrules.text import Span

_FAR = 88
"""Comments begin no further to the right, where the line allows it."""


def source_texts(ruleset: Ruleset, table: TableSetup, rule: Rule | None = None) -> Iterator[str]:
    """The functions of a table's kernel, each below its length; a rule's own for one."""
    functions = _functions(game_at(ruleset, table))
    if rule is not None:
        declaration = _declaration_span(ruleset, rule)
        functions = [fn for fn in functions if any(map(declaration.holds, fn.places.values()))]
    for fn in functions:
        text = listing(fn.text, fn.places)
        yield f"# {text.count(chr(10))} lines\n\n{text}"


def _functions(game: Game) -> list[FunctionWriter]:
    """Those of a table's kernel, without the gold of cards that are not on the table."""
    lowered = kernel_of(game, PYTHON).lowered
    scoring = {rule.id for rule in game.scoring.rules}
    rules = enumerate(lowered.paying_rules)
    absent = {f"gold_{number}" for number, id in rules if id not in scoring}
    return [fn for fn in lowered.functions if fn.name not in absent]


def _declaration_span(ruleset: Ruleset, rule: Rule) -> Span:
    """A rule from its first line to its last."""
    spans = (declaration.span for declaration in ruleset.declarations)
    return next(span for span in spans if span.holds(rule.span))


def listing(text: str, places: Mapping[int, Span]) -> str:
    """A source with each place at the first only of the lines that it has in a row."""
    lines, last_place = text.splitlines(), ""
    width = min(_FAR, max(map(len, lines), default=0))
    for number, span in sorted(places.items()):
        place = place_of(span)
        if place != last_place:
            lines[number - 1] = f"{lines[number - 1]:<{width}}  # {place}"
            last_place = place
    return "\n".join(lines) + "\n"
