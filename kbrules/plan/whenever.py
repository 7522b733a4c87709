"""What is done `whenever` and whose condition can never stop being true: an error of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.lang import typed as core
from kbrules.lang.checker.statements import first_line
from kbrules.lang.typed import Sort
from kbrules.library.load import Loaded
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan
from kbrules.primitives.vocabulary import implementations

# Which parts of a position expressions read and steps change, at most.
#
# A part is a word of ours (`cards`, `tiles`, ...) or `memory NAME`. What is not known reads
# everything and changes everything; so does every step that rules may follow with `when`.

EVERYTHING = frozenset({"everything"})
_NOTHING: frozenset[str] = frozenset()


def _by_name(names_by_part: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """The part of each of the names; no part where they are named for none."""
    pairs = ((part, name) for part, names in names_by_part.items() for name in names.split())
    return {name: frozenset((part,) if part else ()) for part, name in pairs}


_READ_BY_WORD = _by_name({
    "": "count option in_play me players others",
    "gold": "gold",
    "supply": "supply",
    "turn": "my_turn finishing turn_to_come round",
    "tiles": "held usable fresh_from stocked",
    "board": "mine pieces occupied neutral",
    "cards": "cards drawing played revealed revealed_terrains shown_terrains in_hand",
})  # fmt: skip
_CHANGED_BY_STEP = _by_name({
    "gold": "gain pay_gold",
    "supply": "restore pay",
    "turn": "last_round end_turn",
    "tiles": "ready spend receive",
    "cards": "draw reveal play choose keep discard remove_cards remove_card reshuffle",
})  # fmt: skip
_MEMORIES = {"add", "mark", "count", "clear"}


def read_by(expr: core.Expr) -> frozenset[str]:
    """What an expression asks about."""
    read: set[str] = set()
    for each in core.nodes_in(expr):
        if isinstance(each, core.Call):
            read |= _read_by_call(each)
        elif isinstance(each, core.Var):
            read.add("names")
    return frozenset(read)


def _read_by_call(call: core.Call) -> frozenset[str]:
    name = call.word.partition("(")[0]
    if name == "memory" and isinstance(call.arguments[0], core.Lit):
        return frozenset({f"memory {call.arguments[0].value}"})
    if name in _READ_BY_WORD:
        return _READ_BY_WORD[name]
    implementation = implementations().get(call.word)
    is_plain = implementation is not None and implementation.first != "view"
    return _NOTHING if call.fixed or is_plain else EVERYTHING


def changed_by(block: core.Block) -> frozenset[str]:
    """What the steps of a block change, those that others follow changing everything."""
    changed: set[str] = set()
    for step in core.all_in(block, core.Step):
        changed |= _CHANGED_BY_STEP.get(step.name, set() if step.name in _MEMORIES else EVERYTHING)
        changed |= _memories_in(step)
    return frozenset(changed)


def _memories_in(step: core.Step) -> frozenset[str]:
    memories = (each for each in step.arguments if isinstance(each, core.Lit))
    return frozenset(f"memory {each.value}" for each in memories if each.sort is Sort.MEMORY)


def may_interfere(read: frozenset[str], changed: frozenset[str]) -> bool:
    """Whether what is read may be among what is changed."""
    return bool(read & changed) or (read | changed >= EVERYTHING and bool(read and changed))


# The findings.

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
    return any(step.name == "end_game" for step in core.all_in(whenever.body, core.Step))


def _is_never_true(condition: core.Expr) -> bool:
    """Whether it says itself that it never holds."""
    return isinstance(condition, core.Lit) and not condition.value
