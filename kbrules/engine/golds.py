"""What rules pay, as numbers alone: by generated code, without the hexes that earned it.

One function answers for all the rules of a table, once tables with the same rules have been
asked often; before, a function for each rule, which many tables share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kbrules.compile.late import OFTEN
from kbrules.compile.scores import Golds, Scores, Teller
from kbrules.game.board import Board
from kbrules.game.state import State
from kbrules.lang.core import Award, Expr, Rule
from kbrules.library.ruleset import IN_PLAY, Ruleset
from kbrules.plan.program import Program

Paid = Callable[[State], Golds]
MOST_KEPT = 256
"""So many mixes of rules are kept written; then they are written anew as they are asked."""
_Key = tuple[tuple[Rule, ...], Any]


class Ledger:
    """The scores of a rule set that have been written so far."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._teller = Teller(ruleset.evaluate, ruleset.memories)
        self._written: dict[Any, Scores | None] = {}
        self._asked: dict[Any, int] = {}

    def scores(self, program: Program, rules: Sequence[Rule]) -> list[Scores | None]:
        """What answers for the rules, in order: one for all of them, or one for each."""
        if len(self._asked) >= MOST_KEPT or len(self._written) >= MOST_KEPT:
            self._asked.clear()
            self._written.clear()
        key = self._key(program, rules)
        self._asked[key] = asked = self._asked.get(key, 0) + 1
        if asked >= OFTEN:
            return [self._of(program, rules, key)]
        return [self._of(program, (rule,), self._key(program, (rule,))) for rule in rules]

    def _key(self, program: Program, rules: Sequence[Rule]) -> Any:
        """What decides how the scores of some rules are written."""
        asks = any(program.ruleset.mentions(rule.awards, IN_PLAY) for rule in rules)
        names = tuple(f"{rule.kind}/{rule.id}" for rule in rules)
        return names, tuple(program.options.values()), program.cards if asks else ()

    def _of(self, program: Program, rules: Sequence[Rule], key: Any) -> Scores | None:
        if key not in self._written:
            payers = [[_decided(award, program) for award in rule.awards] for rule in rules]
            self._written[key] = self._teller.scores(payers)
        return self._written[key]


def paid_by(program: Program, board: Board, rules: Sequence[Rule]) -> Paid | None:
    """What tells the gold of all players at a table, rule by rule; None if only a walk can."""
    ledger: Ledger | None = program.ruleset.kept.get(Ledger)
    if ledger is None:
        ledger = program.ruleset.kept[Ledger] = Ledger(program.ruleset)
    found = ledger.scores(program, rules)
    written = [scores for scores in found if scores is not None]
    if len(written) < len(found):
        return None
    parts = [scores.at(board, program) for scores in written]
    return parts[0] if len(parts) == 1 else _joined(parts)


def _joined(parts: Sequence[Paid]) -> Paid:
    def paid(state: State) -> Golds:
        columns = (part(state) for part in parts)
        return [tuple(sum(rows, ())) for rows in zip(*columns, strict=True)]

    return paid


def _decided(award: Award, program: Program) -> Award:
    """An award in which all is worked out that a table's options and cards decide."""

    def known(expr: Expr | None) -> Any:
        return None if expr is None else program.decided(expr)

    loops = tuple((name, known(domain), known(guard)) for name, domain, guard in award.loops)
    parts = {name: known(getattr(award, name)) for name in ("amount", "domain", "guard", "by")}
    return replace(award, loops=loops, **parts)
