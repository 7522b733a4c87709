"""What steps do, as calls of the machine of a kernel."""

from __future__ import annotations

from kbrules.game.state import ZONES
from kbrules.kernel.lowering.expressions import Expressions
from kbrules.kernel.lowering.kept import said
from kbrules.kernel.lowering.refused import NotLowered
from kbrules.kernel.lowering.scope import Scope
from kbrules.lang.nodes import Node
from kbrules.lang.sorts import Sort
from kbrules.plan.asking import Asking

ON_A_HEX = {
    "build": "do_build(M, {me}, hex, {0})",
    "place": "do_place(M, {me}, hex, {0})",
    "move": "do_move(M, {me}, first, hex)",
    "remove": "do_remove(M, {me}, hex)",
    "store": "do_store(M, {me}, hex)",
    "draw": "do_draw(M, {me}, hex)",
    "reveal": "do_reveal(M, {me}, hex)",
}
AT_ONCE = {
    "restore": "do_restore(M, {me}, {0}, {1})",
    "pay": "do_pay(M, {me}, {0}, {1})",
    "return_": "do_return(M, {me}, {0})",
    "take": "do_take(M, {me}, {0})",
    "lose": "do_lose(M, {me}, {0}, {1} != 0)",
    "spend": "do_spend(M, {me}, {0})",
    "receive": "do_receive(M, {me}, {0})",
    "drop": "do_drop(M, {me}, {0}, {1} != 0)",
    "last_round": "do_last_round(M, {me})",
    "end_game": "do_end_game(M, {me})",
    "play": "do_play(M, {me})",
    "discard": "do_discard(M, {me})",
    "keep": "do_keep(M, {me})",
    "remove_card": "do_remove_card(M, {me}, {0})",
    "choose": "do_choose(M, {me})",
    "withdraw": "do_withdraw(M, {me}, {0})",
    "restock": "do_restock(M, {me}, {0}, {1} != 0)",
}
SORTS = dict.fromkeys(("add", "take", "lose", "ready", "withdraw", "restock"), Sort.HEXES)
"""The sort of the first value where it is no number."""


class Facts:
    """Writes what happens when a step is carried out."""

    def __init__(self, expressions: Expressions) -> None:
        self._expressions = expressions
        self.gains: list[str] = []

    def values(self, asking: Asking, scope: Scope) -> list[str]:
        """Names for the values that a step takes, worked out now."""
        name = asking.step.name
        texts = []
        for index, node in enumerate(asking.nodes):
            if node is None:
                texts.append("0")
            elif node.is_constant and isinstance(node.value(None), str):
                texts.append("")
            else:
                sort = SORTS.get(name, Sort.NUMBER) if index == 0 else Sort.NUMBER
                texts.append(self._value(node, sort, scope))
        return texts

    def _value(self, node: Node, sort: Sort, scope: Scope) -> str:
        expr = said(node, sort)
        text = self._expressions.text(expr, scope)
        return text if text.isdigit() else scope.fn.new(text)

    def on_a_hex(self, asking: Asking, values: list[str], scope: Scope) -> None:
        """What a step does that was decided for `hex`, `first` being the one chosen before."""
        name = asking.step.name
        if name == "mark":
            at = self._memory(asking, 0, scope)
            scope.fn.line(f"remember_hexes(M, {at}, load(M, {at}) | single(hex))")
            return
        if name not in ON_A_HEX:
            raise NotLowered(f"the step `{asking.step.verb}`", asking.step.span)
        scope.fn.line(ON_A_HEX[name].format(*values, me=scope.me))

    def at_once(self, asking: Asking, values: list[str], rule: str, scope: Scope) -> None:
        """What a step does that asks nobody."""
        name, line = asking.step.name, scope.fn.line
        match name:
            case "gain":
                line(f"do_gain(M, {scope.me}, {values[0]}, {self._gaining(rule)})")
            case "ready":
                places = "~nothing()" if asking.nodes[0] is None else values[0]
                line(f"do_ready(M, {scope.me}, {places})")
            case "remove_cards":
                strikes = asking.nodes[0] is not None
                line(
                    f"do_strike(M, {scope.me}, {values[0]})"
                    if strikes
                    else f"do_remove_cards(M, {scope.me})"
                )
            case "reshuffle":
                line(f"do_reshuffle(M, {scope.me}, {self._zone(asking)})")
            case "add" | "count" | "clear":
                self._remember(asking, values, scope)
            case _ if name in AT_ONCE:
                line(AT_ONCE[name].format(*values, me=scope.me))
            case _:
                raise NotLowered(f"the step `{asking.step.verb}`", asking.step.span)

    def _gaining(self, rule: str) -> int:
        """The number of a rule among those that give gold in play."""
        if rule not in self.gains:
            self.gains.append(rule)
        return self.gains.index(rule)

    def _zone(self, asking: Asking) -> int:
        node = asking.nodes[0]
        assert node is not None
        return ZONES.index(str(node.value(None)))

    def _memory(self, asking: Asking, index: int, scope: Scope) -> str:
        node = asking.nodes[index]
        assert node is not None
        return self._expressions.place_of(str(node.value(None)), scope.me)

    def _remember(self, asking: Asking, values: list[str], scope: Scope) -> None:
        name, line = asking.step.name, scope.fn.line
        at = self._memory(asking, 0 if name == "clear" else 1, scope)
        if name == "add":
            line(f"remember_hexes(M, {at}, load(M, {at}) | {values[0]})")
        elif name == "count":
            line(f"remember_number(M, {at}, max(0, bounded(M[{at}] + {values[0]})))")
        elif self._holds_hexes(asking):
            line(f"remember_hexes(M, {at}, nothing())")
        else:
            line(f"remember_number(M, {at}, 0)")

    def _holds_hexes(self, asking: Asking) -> bool:
        node = asking.nodes[0]
        assert node is not None
        return str(node.value(None)) in self._expressions.hexes_memories
