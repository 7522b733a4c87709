"""The check of an example: what its rule offers, pays and counts, and who wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.game.moves import Move
from kbrules.game.state import State
from kbrules.hex.masks import Mask, lowest
from kbrules.library.boards.cells import OWNERS
from kbrules.library.ruleset import Ruleset
from kbrules.plan.crossing import ORIGIN
from kbrules.plan.linking import LinkerFactory, default_linker
from kbrules.primitives.steps import partners
from kbrules.scenario.checks.context import refusal_labels
from kbrules.scenario.checks.scoring import gains_of, gains_text
from kbrules.scenario.examples.lines import GoldClaim, NumberClaim, OfferClaim, WinClaim
from kbrules.scenario.examples.setup import (
    ExampleGame,
    RuleExample,
    begin_with_draws,
    choose_hexes,
    examples_of,
    set_up_example,
)
from kbrules.scenario.report import (
    EARNED,
    FindingWithBoard,
    ScenarioOutcome,
    board_text,
    comparison_text,
    hex_names,
    outcome_of,
)


def run_example(
    ruleset: Ruleset, rule_example: RuleExample, linking: LinkerFactory = default_linker
) -> ScenarioOutcome:
    """Set an example up and check all its claims."""
    example_game, findings = set_up_example(ruleset, rule_example, linking)
    if example_game is None:
        return outcome_of([(rule_example, "") for rule_example in findings])
    return outcome_of(list(_ExampleCheck(example_game).failures()))


def run_examples(ruleset: Ruleset) -> list[tuple[RuleExample, ScenarioOutcome]]:
    """Every example of a rule set with its outcome."""
    return [(each, run_example(ruleset, each)) for each in examples_of(ruleset)]


def offered_hexes(ruleset: Ruleset, rule_example: RuleExample) -> Mask | None:
    """The hexes that the rule of an example offers, marked or not; None if it cannot be set up."""
    example_game, _ = set_up_example(ruleset, rule_example)
    offered = None if example_game is None else _ExampleCheck(example_game).offered()
    return None if isinstance(offered, Diagnostic) else offered


class _ExampleCheck:
    def __init__(self, example: ExampleGame) -> None:
        self._example = example
        self._id = example.rule.id
        self._action = example.action
        self._game = example.game
        self._board = example.game.board
        self._state = example.state

    def failures(self) -> Iterator[FindingWithBoard]:
        """The claims that do not hold."""
        lines = self._example.lines
        for gives in lines.gives:
            yield from self._check_gold(gives)
        for gains in lines.gains:
            yield from self._check_gain(gains)
        for counts in lines.counts:
            yield from self._check_number(counts)
        for offers in lines.offers:
            yield from self._check_offer(offers)
        if lines.wins:
            yield from self._check_winners(lines.wins)

    def _check_gold(self, claim: GoldClaim) -> Iterator[FindingWithBoard]:
        line = self._game.score(self._state).line(self._id, claim.player)
        gold = line.gold if line is not None else 0
        if gold == claim.gold:
            return
        message = f"{quoted(self._id)} gives {gold}, not {claim.gold}"
        help = "" if line is not None else "it has no line that begins with `gold`"
        board = self._board_text({EARNED: line.hexes if line is not None else 0})
        yield Diagnostic("KB505", claim.span, message, help), board

    def _check_winners(self, claims: list[WinClaim]) -> Iterator[FindingWithBoard]:
        actual = self._game.score(self._state).winners
        board = self._board_text({})
        for claim in claims:
            if claim.player not in actual:
                message = f"{OWNERS[claim.player]} does not win"
                yield Diagnostic("KB505", claim.span, message), board
        for player in sorted(set(actual) - {claim.player for claim in claims}):
            message = f"{OWNERS[player]} wins as well"
            yield Diagnostic("KB505", claims[-1].span, message), board

    def _check_gain(self, claim: GoldClaim) -> Iterator[FindingWithBoard]:
        outcome = choose_hexes(self._game, self._state, self._action, self._example.chosen)
        labels: tuple[Label, ...] = ()
        help = ""
        if isinstance(outcome, int):
            message = f"{self._board.grid.name(outcome)} cannot be chosen"
            labels, help = self._explain_refusal(outcome)
        else:
            gold = outcome.state.seats[claim.player].gold
            if gold == claim.gold:
                return
            message = f"{quoted(self._id)} lets gain {gold}, not {claim.gold}"
            by_rule = gains_of(outcome.events, claim.player)
            if by_rule.keys() - {self._id}:
                message = f"{gold} gold is gained, not {claim.gold}: {gains_text(by_rule)}"
                help = f"an example counts what all rules give, not {quoted(self._id)} alone"
        yield Diagnostic("KB505", claim.span, message, help, labels), self._board_text({})

    def _check_number(self, claim: NumberClaim) -> Iterator[FindingWithBoard]:
        view = self._game.view(self._state, 0, {})
        value = self._game.plan.quantity(view, claim.name)
        if value != claim.value:
            message = f"{quoted(claim.name)} is {value}, not {claim.value}"
            yield Diagnostic("KB505", claim.span, message), ""

    def _check_offer(self, claim: OfferClaim) -> Iterator[FindingWithBoard]:
        expected, lifted = self._example.expected, self._example.lifted
        actual = self.offered()
        if isinstance(actual, Diagnostic):
            board = comparison_text(self._game, self._state, expected, 0, lifted)
            yield replace(actual, span=claim.span), board
            return
        if actual == expected:
            return
        missing, surplus = expected & ~actual, actual & ~expected
        parts = [f"not offered: {hex_names(self._board, missing)}"] if missing else []
        parts += [f"offered as well: {hex_names(self._board, surplus)}"] if surplus else []
        labels: tuple[Label, ...] = ()
        help = ""
        if missing and not lifted:
            labels, help = self._explain_refusal(lowest(missing))
        board = comparison_text(self._game, self._state, expected, actual, lifted)
        yield Diagnostic("KB505", claim.span, "; ".join(parts), help, labels), board

    def _board_text(self, signs: dict[str, Mask]) -> str:
        return board_text(self._game, self._state, signs)

    def offered(self) -> Mask | Diagnostic:
        """The hexes where the rule lets a piece be put, the lifted one if there is one."""
        if self._example.lifted:
            return self._targets()
        return self._offered(self._after_draws())

    def _after_draws(self) -> State:
        draws = self._example.lines.draws
        return begin_with_draws(self._game, self._state, self._action, draws)

    def _offered(self, state: State) -> Mask:
        actual = 0
        for group in self._game.legal_moves(state).groups:
            if group.rule == self._action:
                actual |= group.hexes
        return actual

    def _targets(self) -> Mask | Diagnostic:
        """The hexes where the lifted piece may go."""
        rule, lifted = self._example.rule, self._example.lifted
        hex = lowest(lifted)
        if not rule.actions:
            return self._norm_targets(hex)
        legal = self._game.legal_moves(self._state).groups
        groups = [g for g in legal if g.rule == rule.id and g.hexes & lifted]
        if not groups:
            message = f"{self._board.grid.name(hex)} cannot be lifted"
            labels, help = self._explain_refusal(hex, "lift")
            return Diagnostic("KB505", rule.span, message, help, labels)
        move = Move(groups[0].verb, rule.id, hex)
        return self._offered(self._game.apply(self._state, move))

    def _norm_targets(self, hex: int) -> Mask:
        """The hexes where the norms of the table alone let a lifted piece go."""
        verbs = {verb for norm in self._example.rule.norms for verb in norm.verbs}
        norms, view = self._game.plan.norms, self._game.view(self._state, 0, {})
        if "swap" in verbs:
            view = view.bound(ORIGIN, 1 << hex)
            return norms("swap").allowed_hexes(view, partners(view, 1 << hex, None))
        view = self._game.choices.lifted(view, hex)
        return norms("move").allowed_hexes(view, self._board.grid.full)

    def _explain_refusal(self, hex: int, verb: str = "build") -> tuple[tuple[Label, ...], str]:
        """The clauses that refuse a hex, and what the example lacks so that anything is offered."""
        refusal = self._game.explain(self._state, Move(verb, self._action, hex))
        labels = refusal_labels(refusal, f"{self._board.grid.name(hex)}: ")
        needs_card = self._action != self._id and bool(self._game.ruleset.catalog.deck)
        if needs_card and not self._state.shown:
            return labels, "no card is face up: say which with `played` and a terrain"
        return labels, "; ".join(r.text for r in refusal.reasons if r.span is None)
