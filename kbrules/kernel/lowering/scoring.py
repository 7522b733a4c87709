"""The gold of every rule, and who wins, as functions of a kernel: what `engine.scoring` counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

from kbrules.kernel.lowering.expressions import ExpressionLowering
from kbrules.kernel.lowering.writing import FunctionWriter, Scope
from kbrules.lang.typed import Award, Expr, Sort
from kbrules.library.ruleset import OwnedRule


class ScoringLowering:
    """Writes awards. `paying_rules` are those that pay, whether their cards are in play or not."""

    def __init__(self, expressions: ExpressionLowering) -> None:
        self._expressions = expressions
        self._plan = expressions.plan
        owners = self._plan.ruleset.owners.values()
        self.paying_rules: list[OwnedRule] = [owner for owner in owners if owner.rule.awards]
        self._winning = [owner for owner in owners if owner.rule.wins]
        self.functions: list[FunctionWriter] = []

    def write(self) -> None:
        """All of them."""
        for number, owner in enumerate(self.paying_rules):
            self._rule(number, owner)
        self._worth()
        self._result()

    def _text(self, expr: Expr, scope: Scope) -> str:
        return self._expressions.fold_and_lower(expr, scope)

    def _rule(self, number: int, owner: OwnedRule) -> None:
        fn = FunctionWriter(f"gold_{number}", "M, me")
        scope = Scope(fn, "me")
        gold = fn.new_local("0")
        for award in owner.rule.awards:
            with fn.at_place(award.span):
                self._looped(award, 0, gold, scope)
        fn.line(f"return {gold}")
        self.functions.append(fn)

    def _looped(self, award: Award, depth: int, gold: str, scope: Scope) -> None:
        """What an award pays in each round of its loops."""
        if depth == len(award.loops):
            self._pay(award, gold, scope)
            return
        variable, domain, guard = award.loops[depth]
        for item in self._items(domain, scope):
            inner = scope.bound(**{variable: item})
            test = "True" if guard is None else self._text(guard, inner)
            with scope.fn.block(f"if {test}:"):
                self._looped(award, depth + 1, gold, inner)

    def _items(self, domain: Expr, scope: Scope) -> Iterator[str]:
        yield from self._expressions.items(self._plan.folded(domain), scope)

    def _holds(self, award: Award, scope: Scope) -> str:
        return "True" if award.guard is None else self._text(award.guard, scope)

    def _pay(self, award: Award, gold: str, scope: Scope) -> None:
        fn = scope.fn
        top = fn.new_local("M[SCRATCH]")
        if award.domain is None:
            self._once(award, gold, scope)
        else:
            number = fn.new_local("0")
            if award.domain.sort is Sort.HEXES:
                with fn.block(f"if {self._holds(award, scope)}:"):
                    fn.line(f"{number} = count({self._text(award.domain, scope)})")
            else:
                for item in self._items(award.domain, scope):
                    inner = scope.bound(**{award.variable: item})
                    with fn.block(f"if {self._holds(award, inner)}:"):
                        fn.line(f"{number} += 1")
            tests = [number]
            if award.by is not None:
                tests.append(f"{self._place(award.by, scope)} == {award.rank}")
            with fn.block(f"if {' and '.join(tests)}:"):
                amount = self._text(award.amount, scope)
                fn.line(f"{gold} += bounded({amount}) * ({number} // {award.every})")
        fn.line(f"M[SCRATCH] = {top}")

    def _once(self, award: Award, gold: str, scope: Scope) -> None:
        fn = scope.fn
        with ExitStack() as blocks:
            blocks.enter_context(fn.block(f"if {self._holds(award, scope)}:"))
            if award.by is not None:
                place = self._place(award.by, scope)
                blocks.enter_context(fn.block(f"if {place} == {award.rank}:"))
            fn.line(f"{gold} += bounded({self._text(award.amount, scope)})")

    def _place(self, by: Expr, scope: Scope) -> str:
        """The rank of the player by a value."""
        fn = scope.fn
        at, player = fn.new_local("allocate_scratch(M, M[PLAYERS])"), fn.new_local("0")
        with fn.block(f"for {player} in range(M[PLAYERS]):"):
            fn.line(f"M[{at} + {player}] = {self._text(by, scope.of(player))}")
        return fn.new_local(f"place_among(M, {at}, M[PLAYERS], M[{at} + {scope.me}])")

    # who wins

    def _worth(self) -> None:
        """What decides who wins, as a player has it; the gold if nothing does."""
        fn = FunctionWriter("worth", "M, me, total")
        for owner in self._winning:
            tests = self._expressions.owned(-1, owner.card, "me")
            with fn.block(f"if {' and '.join(tests) or 'True'}:"):
                scope = Scope(fn, "me", {"total": "total"})
                fn.line(f"return {self._text(owner.rule.wins[0].by, scope)}")
        fn.line("return total")
        self.functions.append(fn)

    def _is_won(self) -> str:
        """Whether some rule says what decides who wins."""
        tests = [self._expressions.owned(-1, owner.card, "me") for owner in self._winning]
        if any(not each for each in tests):
            return "True"
        return " or ".join(each[0] for each in tests) or "False"

    # what came of a game

    def _result(self) -> None:
        """The outcome in numbers: faults, turns, winners; then of each player in turn."""
        fn = FunctionWriter("write_result", "M, out, at")
        fn.line("out[at + 1] = M[TURNS]")
        fn.line("out[at + 2] = 0")
        fn.line("winners_at = at + 2")
        fn.line("at += 3")
        with fn.block("for me in range(M[PLAYERS]):"):
            fn.line("seat = seat_of(me)")
            fn.line("total = M[seat + GOLD]")
            fn.line("out[at] = total")
            fn.line("out[at + 1] = M[DECISIONS + me]")
            fn.line("at += 2")
            for number, owner in enumerate(self.paying_rules):
                tests = self._expressions.owned(-1, owner.card, "me")
                gold = fn.new_local("0")
                with fn.block(f"if {' and '.join(tests) or 'True'}:"):
                    fn.line(f"{gold} = gold_{number}(M, me)")
                fn.line(f"out[at + {number}] = {gold}")
                fn.line(f"total += {gold}")
            fn.line(f"at += {len(self.paying_rules)}")
            fn.line("M[WIN_VALUES + me] = worth(M, me, total)")
            fn.line("at = write_facts(M, out, at, me)")
        self._winners(fn)
        fn.line("out[winners_at - 2] = M[FAULT]")
        fn.line("return at")
        self.functions.append(fn)

    def _winners(self, fn: FunctionWriter) -> None:
        with fn.block(f"if {self._is_won()}:"):
            fn.line("most = M[WIN_VALUES]")
            with fn.block("for me in range(M[PLAYERS]):"):
                fn.line("most = max(most, M[WIN_VALUES + me])")
            with (
                fn.block("for me in range(M[PLAYERS]):"),
                fn.block("if M[WIN_VALUES + me] == most:"),
            ):
                fn.line("out[winners_at] |= 1 << me")
