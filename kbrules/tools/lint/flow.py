"""Steps that are done for ever, never, or another number of times than it seems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.lang import typed as core
from kbrules.lang.checker.statements import first_line
from kbrules.lang.evaluation import INTERSECTION
from kbrules.lang.typed import Sort
from kbrules.library.load import Loaded
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import Plan
from kbrules.primitives.steps import MAIN
from kbrules.primitives.vocabulary import implementations, step_words
from kbrules.text import Span
from kbrules.tools.lint.algebra import Key, is_subset, key, necessary_conditions
from kbrules.tools.lint.boards import targets_of
from kbrules.tools.lint.subject import Subject, lint

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
    for step in _steps(*core.walk_blocks(block)):
        changed |= _CHANGED_BY_STEP.get(step.name, set() if step.name in _MEMORIES else EVERYTHING)
        changed |= _memories_in(step)
    return frozenset(changed)


def _memories_in(step: core.Step) -> frozenset[str]:
    memories = (each for each in step.arguments if isinstance(each, core.Lit))
    return frozenset(f"memory {each.value}" for each in memories if each.sort is Sort.MEMORY)


def _steps(*blocks: core.Block) -> Iterator[core.Step]:
    for block in blocks:
        yield from (step for step in block.steps if isinstance(step, core.Step))


def may_interfere(read: frozenset[str], changed: frozenset[str]) -> bool:
    """Whether what is read may be among what is changed."""
    return bool(read & changed) or (read | changed >= EVERYTHING and bool(read and changed))


_EVENTS = {"build", "place", "move", "remove", "take", "lose"}
"""The steps that bring about an event, which has their name, and do nothing else."""


_END_STEPS = ("end_game", "end_turn")


@lint("KB712")
def after_the_end(subject: Subject) -> Iterator[Diagnostic]:
    """Steps below `end game` or `end turn`, in the same block."""
    for rule in subject.rules:
        for block in rule.blocks():
            for end, later in pairwise(block.steps):
                if isinstance(end, core.Step) and end.name in _END_STEPS:
                    what = end.span.text.split()[-1]
                    labels = (Label(end.span, f"the {what} ends here"),)
                    message = f"this comes after the end of the {what}"
                    help_ = f"put it above `end {what}`"
                    yield Diagnostic("KB712", first_line(later.span), message, help_, labels)
                    break


_OWN_EVENTS_ONLY = "this follows the player's own events only"


@lint("KB759")
def own_events(subject: Subject) -> Iterator[Diagnostic]:
    """What can only be of others, in a trigger that follows events of the player's own."""
    for rule in subject.rules:
        for trigger in (each for each in rule.triggers if each.who == "me"):
            if match := next(
                filter(None, map(_finder_of_others(trigger), core.nodes_in(trigger))), None
            ):
                help_ = "say whose events: `when ... by others` or `when ... by anyone`"
                yield Diagnostic("KB759", match[0], f"{_OWN_EVENTS_ONLY}, {match[1]}", help_)


def _finder_of_others(trigger: core.Trigger) -> Callable[[object], tuple[Span, str] | None]:
    """Finds where a part of a trigger can only be of others, and why."""
    has_own_piece = {"build", "move", "place"}.issuperset(trigger.events)

    def match(node: object) -> tuple[Span, str] | None:
        if isinstance(node, core.Var) and node.name == "actor":
            return node.span, "so that `actor` is the player"
        if has_own_piece and isinstance(node, core.Call) and _excludes_own_piece(node):
            return node.span, "so that the player's own piece is `here`, and no other"
        return None

    return match


def _excludes_own_piece(call: core.Call) -> bool:
    """Whether it asks for the hex of the event only if no piece of the player is there."""
    if call.word != INTERSECTION:
        return False
    within, without = necessary_conditions(call)
    is_here = any(isinstance(each, core.Var) and each.name == "here" for each in within)
    return is_here and any(
        isinstance(each, core.Call) and each.word == "mine()" for each in without
    )


@lint("KB726")
def endless_trigger(subject: Subject) -> Iterator[Diagnostic]:
    """Triggers without a condition that bring each other about."""
    triggers = [(each, rule) for rule in subject.ruleset.rules for each in rule.triggers]
    consequences = _consequences([trigger for trigger, _ in triggers])
    for trigger, rule in triggers:
        repeated = sorted(event for event in trigger.events if _causes(event, event, consequences))
        causes = [s for s in _event_steps(trigger.body) if s.name in consequences]
        if _is_unconditional(trigger) and repeated and causes and subject.concerns(rule.span):
            message = f"this brings about another {quoted(repeated[0])}, which it follows again"
            help_ = "give it a condition, such as `if required`"
            labels = (Label(first_line(causes[0].span), "here"),)
            yield Diagnostic("KB726", first_line(trigger.span), message, help_, labels)


def _consequences(triggers: list[core.Trigger]) -> Mapping[str, set[str]]:
    """For each event, those that always follow it."""
    consequences: dict[str, set[str]] = {}
    for trigger in triggers:
        if _is_unconditional(trigger):
            brought = {step.name for step in _event_steps(trigger.body)}
            for event in trigger.events:
                consequences.setdefault(event, set()).update(brought)
    return consequences


def _is_unconditional(trigger: core.Trigger) -> bool:
    """Whether it happens each time, to whoever has caused it, wanted or not."""
    return trigger.guard is None and not trigger.offered and trigger.who in ("", "me")


def _event_steps(block: core.Block) -> list[core.Step]:
    """The steps that bring about an event whenever a block is done."""
    return [s for s in block.steps if isinstance(s, core.Step) and s.name in _EVENTS]


def _causes(event: str, target: str, consequences: Mapping[str, set[str]]) -> bool:
    visited: set[str] = set()
    queue = [*consequences.get(event, ())]
    while queue:
        each = queue.pop()
        if each == target:
            return True
        if each not in visited:
            visited.add(each)
            queue += consequences.get(each, ())
    return False


@lint("KB758")
def terrain_card_by_number(subject: Subject) -> Iterator[Diagnostic]:
    """A terrain card taken away by a number that is written out."""
    for rule in subject.rules:
        for step in _steps(*rule.blocks()):
            numbers = [each for each in step.arguments if each is not None]
            if step.name == "remove_card" and all(isinstance(n, core.Lit) for n in numbers):
                message = "this takes a terrain card that lies face up out of the game"
                help_ = "scoring cards have names; of terrain cards say which, as by `dead(build)`"
                yield Diagnostic("KB758", first_line(step.span), message, help_)


@lint("KB727")
def recounted_while_changed(subject: Subject) -> Iterator[Diagnostic]:
    """A number of times that the step itself changes: it is counted anew before each."""
    words = step_words()
    for rule in subject.rules:
        for step in _steps(*rule.blocks()):
            word, times = words[step.name], next(iter(step.arguments), None)
            if times is not None and (word.asks or word.outcomes) and _changes_count(step, times):
                counted, verb = times.span.one_line, step.verb
                message = f"{quoted(counted)} is counted anew before each, and `{verb}` changes it"
                help_ = f"to count once, write `repeat {counted} times: {verb} 1 ...`"
                yield Diagnostic("KB727", times.span, message, help_)


def _changes_count(step: core.Step, times: core.Expr) -> bool:
    """Whether what is counted is another number each time the step was done, for certain."""
    return any(
        _changes_value(call, step) for call in core.nodes_in(times) if isinstance(call, core.Call)
    )


def _changes_value(call: core.Call, step: core.Step) -> bool:
    match call.word, step.name:
        case "in_hand()", "draw":
            return True
        case "supply(piece)", "build" | "place":
            return key(call.arguments[0]) == _piece(step)
        case "count(hexes)", "remove" | "store":
            return all(is_subset(target, call.arguments[0]) for target in targets_of(step))
        case "count(hexes)", "build" | "place":
            return _adds_to_count(call.arguments[0], step)
    return False


def _adds_to_count(counted: core.Expr, step: core.Step) -> bool:
    """Whether every hex that a step may choose is one more among those that are counted."""
    required, excluded = necessary_conditions(counted)
    added = [
        condition
        for condition in required
        if isinstance(condition, core.Call) and _adds_to_set(step, condition)
    ]
    others = [condition for condition in required if condition not in added]
    targets = [*targets_of(step)]
    is_inside = bool(targets) and all(
        is_subset(target, other) for target in targets for other in others
    )
    return bool(added) and not excluded and (is_inside or not others)


def _adds_to_set(step: core.Step, condition: core.Call) -> bool:
    """Whether a hex that a step chose is then in a set that it was not in before."""
    match condition.word, step.name:
        case ("mine()", "build") | ("occupied()", "build" | "place"):
            return True
        case ("mine(piece)", "build") | ("pieces(piece)", "build" | "place"):
            return key(condition.arguments[0]) == _piece(step)
    return False


def _piece(step: core.Step) -> Key:
    """The piece that is built or placed; the main one if none is named."""
    named = next((a for a in step.arguments[1:] if a is not None and a.sort is Sort.PIECE), None)
    return ("lit", Sort.PIECE, MAIN) if named is None else key(named)


# What is done `whenever` and whose condition can never stop holding: an error.

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
    return any(step.name == "end_game" for step in _steps(*core.walk_blocks(whenever.body)))


def _is_never_true(condition: core.Expr) -> bool:
    """Whether it says itself that it never holds."""
    return isinstance(condition, core.Lit) and not condition.value
