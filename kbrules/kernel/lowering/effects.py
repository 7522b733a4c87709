"""What steps do, as calls of the machine of a kernel."""

from __future__ import annotations

from inspect import signature

from kbrules.game.state import SHOWN, ZONES
from kbrules.kernel.errors import NotLowered
from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.lowering.scope import Scope
from kbrules.kernel.runtime import cards, machine, pieces
from kbrules.lang.typed import Expr, Lit, Sort
from kbrules.plan.steps import LinkedStep

EFFECTS = {
    name.removeprefix("do_"): [*signature(effect).parameters][1:]
    for module in (pieces, cards, machine)
    for name, effect in vars(module).items()
    if name.startswith("do_")
}
"""What the functions `do_STEP` of the runtime take after the memory, by the name of the step.

`me` is the player, `hex` or `card` what was decided, `origin` what was decided before it, `rule`
the number of the rule among those that give gold; others are the arguments of the step, in order.
"""
LEFT_OUT = {Sort.HEXES: "~nothing()", Sort.TRUTH: "False"}


class EffectLowering:
    """Writes what happens when a step is carried out."""

    def __init__(self, expressions: ExpressionLowering) -> None:
        self._expressions = expressions
        self.gaining_rules: list[str] = []

    def values(self, linked: LinkedStep, scope: Scope) -> list[str]:
        """Names for the values that a step takes, worked out now."""
        sorts = {parameter.name: parameter.sort for parameter in linked.word.signature.parameters}
        phrases = ((name, linked.argument_exprs.get(name)) for name in linked.argument_names)
        return [self._value(phrase, sorts[name], scope) for name, phrase in phrases]

    def _value(self, phrase: Expr | None, sort: Sort, scope: Scope) -> str:
        if phrase is None:
            return scope.me if sort is Sort.PLAYER else LEFT_OUT.get(sort, "0")
        if isinstance(phrase, Lit) and sort is Sort.ZONE:
            return str((*ZONES, SHOWN).index(str(phrase.value)))
        if isinstance(phrase, Lit) and sort is Sort.MEMORY:
            return self._expressions.place_of(str(phrase.value), scope.me)
        text = self._expressions.fold_and_lower(phrase, scope)
        return text if text.isdigit() or text in ("True", "False") else scope.fn.new_local(text)

    def carry_out(self, linked: LinkedStep, values: list[str], rule: str, scope: Scope) -> None:
        """What a step does; `hex` is what was decided, if anything, `first` what was before."""
        name, line = linked.step.name, scope.fn.line
        if name == "clear" and self._holds_hexes(linked):
            line(f"remember_hexes(M, {values[0]}, nothing())")
        elif name == "remove_cards" and linked.argument_names[0] in linked.argument_exprs:
            line(f"do_strike(M, {scope.me}, {values[0]})")
        else:
            self._call(linked, values, rule, scope)

    def _call(self, linked: LinkedStep, values: list[str], rule: str, scope: Scope) -> None:
        """A call of what a step does."""
        name = linked.step.name.rstrip("_")
        if name not in EFFECTS:
            raise NotLowered(f"the step `{linked.step.verb}`", linked.step.span)
        known = {"me": scope.me, "hex": "hex", "card": "hex", "origin": "first"}
        left = iter(values)
        arguments = [
            str(self._gaining(rule)) if taken == "rule" else known.get(taken) or next(left)
            for taken in EFFECTS[name]
        ]
        scope.fn.line(f"do_{name}({', '.join(['M', *arguments])})")

    def _gaining(self, rule: str) -> int:
        """The number of a rule among those that give gold in play."""
        if rule not in self.gaining_rules:
            self.gaining_rules.append(rule)
        return self.gaining_rules.index(rule)

    def _holds_hexes(self, linked: LinkedStep) -> bool:
        name = linked.argument_exprs[linked.argument_names[0]]
        return isinstance(name, Lit) and str(name.value) in self._expressions.hexes_memories
