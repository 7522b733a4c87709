"""Rules that act `whenever` and whose condition can never stop holding: an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang.checker.statements import first_line
from kbrules.lang.typed import core
from kbrules.library.load import Loaded
from kbrules.tools.authoring.lint.dependencies import changed_by, may_interfere, read_by

__all__ = ["unbounded_whenever_findings"]

_END_GAME = "end_game"
_HELP = "remember in a memory that it was done and ask for that, or use `when`"


def unbounded_whenever_findings(
    loaded: Loaded, is_selected: Callable[[str], bool]
) -> Iterator[Diagnostic]:
    """Conditions in some files that nothing can change that is done `whenever`."""
    if loaded.ruleset is None:
        return
    whenevers = [each for rule in loaded.ruleset.rules for each in rule.whenevers]
    changed = frozenset().union(*(changed_by(each.body) for each in whenevers))
    ends = any(map(_may_end_game, whenevers))
    for whenever in whenevers:
        condition = whenever.condition
        if not is_selected(condition.span.source.name) or ends or _is_never_true(condition):
            continue
        if not may_interfere(read_by(condition), changed):
            text = quoted(condition.span.one_line)
            message = f"nothing that is done here can make {text} false: it would never rest"
            yield Diagnostic("KB213", first_line(condition.span), message, _HELP)


def _may_end_game(whenever: core.Whenever) -> bool:
    """Whether it may end the game, which brings everything to rest."""
    blocks = core.walk_blocks(whenever.body)
    return any(isinstance(s, core.Step) and s.name == _END_GAME for b in blocks for s in b.steps)


def _is_never_true(condition: core.Expr) -> bool:
    """Whether it says itself that it never holds."""
    return isinstance(condition, core.Lit) and not condition.value
