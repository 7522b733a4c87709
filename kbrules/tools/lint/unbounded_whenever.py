"""Rules that act `whenever` and whose condition can never stop holding: an error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang import typed as core
from kbrules.lang.checker.statements import first_line
from kbrules.library.load import Loaded
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan
from kbrules.tools.lint.flow import changed_by, may_interfere, read_by

_END_GAME = "end_game"
_HELP = "remember in a memory that it was done and ask for that, or use `when`"


def unbounded_whenever_findings(
    loaded: Loaded, is_selected: Callable[[str], bool]
) -> Iterator[Diagnostic]:
    """Conditions in some files that nothing can change that is done `whenever`."""
    if loaded.ruleset is None:
        return
    whenevers = [each for rule in loaded.ruleset.rules for each in rule.whenevers]
    selected = [each for each in whenevers if is_selected(each.condition.span.source.name)]
    active = _active_by_default(loaded.ruleset, whenevers) if selected else []
    changed = frozenset().union(*(changed_by(each.body) for each in active))
    ends = any(map(_may_end_game, whenevers))
    for whenever in selected:
        condition = whenever.condition
        if ends or _is_never_true(condition):
            continue
        if not may_interfere(read_by(condition), changed | changed_by(whenever.body)):
            text = quoted(condition.span.one_line)
            message = f"nothing that is done here can make {text} false: it would never rest"
            yield Diagnostic("KB213", first_line(condition.span), message, _HELP)


def _active_by_default(ruleset: Ruleset, whenevers: Iterable[core.Whenever]) -> list[core.Whenever]:
    """Return those whose condition the defaults of options do not rule out."""
    plan = Plan(ruleset, tuple(range(len(ruleset.catalog.cards))), {})
    return [each for each in whenevers if not _is_never_true(plan.folded(each.condition))]


def _may_end_game(whenever: core.Whenever) -> bool:
    """Whether it may end the game, which brings everything to rest."""
    blocks = core.walk_blocks(whenever.body)
    return any(isinstance(s, core.Step) and s.name == _END_GAME for b in blocks for s in b.steps)


def _is_never_true(condition: core.Expr) -> bool:
    """Whether it says itself that it never holds."""
    return isinstance(condition, core.Lit) and not condition.value
