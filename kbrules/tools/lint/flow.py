"""Steps that are done for ever, never, or another number of times than it seems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.lang import evaluation, typed as core
from kbrules.lang.checker.statements import first_line
from kbrules.lang.typed import Sort
from kbrules.primitives import steps, vocabulary
from kbrules.tools.lint.algebra import Key, is_subset, key, necessary_conditions
from kbrules.tools.lint.boards import targets_of
from kbrules.tools.lint.subject import Subject, lint

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


@lint("KB759")
def own_events(subject: Subject) -> Iterator[Diagnostic]:
    """What can only be of others, in a trigger that follows events of the player's own."""
    for rule in subject.rules:
        for trigger in (each for each in rule.triggers if each.who == "me"):
            has_own_piece = {"build", "move", "place"}.issuperset(trigger.events)
            whys = ((each, _why_of_others(each, has_own_piece)) for each in core.nodes_in(trigger))
            node, why = next((found for found in whys if found[1]), (None, ""))
            if node is not None:
                message = f"this follows the player's own events only, {why}"
                help_ = "say whose events: `when ... by others` or `when ... by anyone`"
                yield Diagnostic("KB759", node.span, message, help_)


def _why_of_others(node: object, has_own_piece: bool) -> str:
    """Return why a part of a trigger can only be of others; nothing if it need not be."""
    if isinstance(node, core.Var) and node.name == "actor":
        return "so that `actor` is the player"
    if has_own_piece and isinstance(node, core.Call) and _excludes_own_piece(node):
        return "so that the player's own piece is `here`, and no other"
    return ""


def _excludes_own_piece(call: core.Call) -> bool:
    """Whether it asks for the hex of the event only if no piece of the player is there."""
    if call.word != evaluation.INTERSECTION:
        return False
    within, without = necessary_conditions(call)
    is_here = ("var", "here") in map(key, within)
    return is_here and ("mine()",) in map(key, without)


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
    found, new = set[str](), {event}
    while new:
        new = {each for event in new for each in consequences.get(event, ())} - found
        found |= new
    return target in found


@lint("KB758")
def terrain_card_by_number(subject: Subject) -> Iterator[Diagnostic]:
    """A terrain card taken away by a number that is written out."""
    for rule in subject.rules:
        for step in core.all_in(rule, core.Step):
            numbers = [each for each in step.arguments if each is not None]
            if step.name == "remove_card" and all(isinstance(n, core.Lit) for n in numbers):
                message = "this takes a terrain card that lies face up out of the game"
                help_ = "scoring cards have names; of terrain cards say which, as by `dead(build)`"
                yield Diagnostic("KB758", first_line(step.span), message, help_)


@lint("KB727")
def recounted_while_changed(subject: Subject) -> Iterator[Diagnostic]:
    """A number of times that the step itself changes: it is counted anew before each."""
    words = vocabulary.step_words()
    for rule in subject.rules:
        for step in core.all_in(rule, core.Step):
            word, times = words[step.name], next(iter(step.arguments), None)
            calls = (each for each in core.nodes_in(times) if isinstance(each, core.Call))
            changes = (word.asks or word.outcomes) and any(_changes_value(c, step) for c in calls)
            if times is not None and changes:
                counted, verb = times.span.one_line, step.verb
                message = f"{quoted(counted)} is counted anew before each, and `{verb}` changes it"
                help_ = f"to count once, write `repeat {counted} times: {verb} 1 ...`"
                yield Diagnostic("KB727", times.span, message, help_)


def _changes_value(call: core.Call, step: core.Step) -> bool:
    """Whether a count is another number each time the step was done, for certain."""
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
    added = [each for each in required if isinstance(each, core.Call) and _adds_to_set(step, each)]
    others = [each for each in required if each not in added]
    targets = [*targets_of(step)]
    is_inside = all(is_subset(target, other) for target in targets for other in others)
    return bool(added) and not excluded and (not others or (bool(targets) and is_inside))


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
    return ("lit", Sort.PIECE, steps.MAIN) if named is None else key(named)
