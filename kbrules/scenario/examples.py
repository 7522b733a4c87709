"""Examples in rule files: the game they set up, and the check of what they claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from kbrules.diagnostics import Diagnostic, Label, quoted
from kbrules.engine.configuration import Transition
from kbrules.engine.game import Game
from kbrules.game.board import Board
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import State
from kbrules.hex.sets import Mask, lowest
from kbrules.lang.syntax import tree
from kbrules.lang.typed import Rule
from kbrules.library.boards.positions import OWNERS, DrawnBoard, Pieces
from kbrules.library.position import PlayerSeat, PlayerTurn, Position, SeatTile
from kbrules.library.ruleset import Ruleset
from kbrules.plan.plan import LinkerFactory, default_linker
from kbrules.plan.steps import ORIGIN
from kbrules.primitives import steps, vocabulary
from kbrules.scenario import example_lines, position as positions, report
from kbrules.scenario.checks import gains_of, gains_text, refusal_labels

# The game and the state of an example in a rule file, as its drawing and its lines set them up.
#
# The turn of player `a` is at its actions, nothing is used, and no `whenever` takes effect.


@dataclass(frozen=True, slots=True)
class RuleExample:
    """An example and the rule it belongs to."""

    rule: Rule
    example: tree.Example

    @property
    def title(self) -> str:
        """The rule, and the title of the example if it has one."""
        return f"{self.rule.id}, {self.example.title}" if self.example.title else self.rule.id


@dataclass(frozen=True, slots=True, eq=False)
class ExampleGame:
    """The game and the state of an example, its lines, and the hexes of each mark."""

    rule: Rule
    lines: example_lines.ExampleLines
    game: Game
    state: State
    expected: Mask
    lifted: Mask
    chosen: Mask

    @property
    def action(self) -> str:
        """The rule whose action is checked: this one, or the one that a turn requires."""
        if self.rule.actions or _reacts(self.rule):
            return self.rule.id
        offers = self.game.plan.offers.values()
        return next((o.owner.rule.id for o in offers if o.action.required), self.rule.id)


def examples_of(ruleset: Ruleset) -> list[RuleExample]:
    """All examples of a rule set, in the order of the files and of the lines in them."""
    examples = [RuleExample(rule, each) for rule in ruleset.rules for each in rule.examples]
    return sorted(examples, key=lambda e: (e.example.span.source.name, e.example.span.start))


def set_up_example(
    ruleset: Ruleset, rule_example: RuleExample, linking: LinkerFactory = default_linker
) -> tuple[ExampleGame | None, list[Diagnostic]]:
    """The game and the state of an example, or what is wrong with how it is written."""
    lines, position, findings = example_lines.read_example(
        rule_example.example, rule_example.rule.id, ruleset.catalog
    )
    if position is None or findings:
        return None, sorted(findings)
    own_card = (rule_example.rule.id,) if rule_example.rule.kind in vocabulary.CARD_KINDS else ()
    cards = tuple(dict.fromkeys((*own_card, *lines.cards)))
    named = [owner for owner, _ in position.pieces]
    named += [claim.player for claim in (*lines.gives, *lines.gains)]
    named += [claim.player for claim in lines.wins]
    players = positions.fewest_players(ruleset, named)
    game = Game(ruleset, position.board, players, cards, linking=linking)
    state = _begun(game, rule_example.rule, position, lines)
    marks = (
        position.marks.get(sign, 0)
        for sign in (example_lines.EXPECTED, example_lines.LIFTED, example_lines.CHOSEN)
    )
    return ExampleGame(rule_example.rule, lines, game, state, *marks), []


def _begun(game: Game, rule: Rule, drawn: DrawnBoard, lines: example_lines.ExampleLines) -> State:
    """The state of an example; a `whenever` of another rule must not change what is drawn."""
    card_name = game.ruleset.catalog.card_name
    turn = PlayerTurn(
        played=tuple(map(card_name, lines.played)),
        reacting=rule.id if _reacts(rule) else "",
        preparing=rule.id if lines.draws else "",
    )
    position = Position(None, turn=turn, checked=False, quiet=True, remembers=False)
    if rule.kind in vocabulary.TILE_KINDS:
        position = _with_tile(position, game.board, rule.id)
    state = positions.lay_on(game, position, _with_lifted(drawn, game.ruleset))
    return state if rule.actions else draw_cards(game, state, lines.draws)


def _with_tile(position: Position, board: Board, tile: str) -> Position:
    """A position in which player `a` has one more tile, from a place that keeps all of its own."""
    kind = board.catalog.tile_index(tile)
    place = board.catalog.tiles[kind].place
    places = board.kinds[board.catalog.hex_index(place)] if place else 0
    origin = lowest(places) if places else -1
    name = board.grid.name(origin) if places else None
    held = position.with_seat("a", PlayerSeat(tiles=(SeatTile(tile, name),)))
    left = board.catalog.tiles[board.tiles[origin]].each if origin in board.tiles else 0
    return replace(held, left={name: left}) if name and left else held


def _with_lifted(drawn: DrawnBoard, ruleset: Ruleset) -> Pieces:
    """Return the pieces of a drawing; one that is lifted and not drawn is the first of `a`."""
    pieces = dict(drawn.pieces)
    lifted = drawn.marks.get(example_lines.LIFTED, 0)
    for hexes in drawn.pieces.values():
        lifted &= ~hexes
    if lifted:
        kinds = enumerate(ruleset.catalog.pieces)
        first = 0, next((index for index, kind in kinds if not kind.neutral), 0)
        pieces[first] = pieces.get(first, 0) | lifted
    return pieces


def _reacts(rule: Rule) -> bool:
    """Whether all that a rule offers are reactions to what others do."""
    return not rule.actions and any(trigger.offered for trigger in rule.triggers)


# Moves before a claim is checked


def choose_hexes(game: Game, state: State, rule: str, hexes: Mask) -> Transition | int:
    """What a rule's action on all of the hexes leads to, each as soon as it is offered.

    The first hex that never is offered, if there is one.
    """
    events: tuple[Event, ...] = ()
    while hexes:
        groups = [g for g in game.legal_moves(state).groups if g.rule == rule and g.hexes & hexes]
        if not groups:
            return lowest(hexes)
        hex = lowest(groups[0].hexes & hexes)
        transition = game.play(state, Move(groups[0].verb, rule, hex))
        state, events = transition.state, (*events, *transition.events)
        hexes &= ~(1 << hex)
    return Transition(state, events)


def draw_cards(game: Game, state: State, cards: Sequence[int]) -> State:
    """The state after chance gave these cards, each if one is due."""
    for card in cards:
        moves = game.legal_moves(state)
        if moves.player == CHANCE and Move("draw", "", card) in moves:
            state = game.apply(state, Move("draw", "", card))
    return state


def begin_with_draws(game: Game, state: State, rule: str, cards: Sequence[int]) -> State:
    """The state after a rule's action began with a draw of these cards."""
    groups = game.legal_moves(state).groups if cards else ()
    group = next((g for g in groups if g.rule == rule and not g.hexes), None)
    if group is None:
        return state
    return draw_cards(game, game.apply(state, Move(group.verb, rule)), cards)


# The check of an example: what its rule offers, pays and counts, and who wins.


def run_example(
    ruleset: Ruleset, rule_example: RuleExample, linking: LinkerFactory = default_linker
) -> report.ScenarioOutcome:
    """Set an example up and check all its claims."""
    example_game, findings = set_up_example(ruleset, rule_example, linking)
    if example_game is None:
        return report.ScenarioOutcome(tuple(findings))
    return report.ScenarioOutcome(tuple(_ExampleCheck(example_game).failures()))


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

    def failures(self) -> Iterator[Diagnostic]:
        """Yield the claims that do not hold."""
        lines = self._example.lines
        checks = (
            (lines.gives, self._check_gold), (lines.gains, self._check_gain),
            (lines.counts, self._check_number), (lines.offers, self._check_offer),
        )  # fmt: skip
        for claims, check in checks:
            for claim in claims:
                yield from check(claim)
        if lines.wins:
            yield from self._check_winners(lines.wins)

    def _check_gold(self, claim: example_lines.Claim) -> Iterator[Diagnostic]:
        line = self._game.score(self._state).line(self._id, claim.player)
        gold = line.gold if line is not None else 0
        if gold == claim.value:
            return
        message = f"{quoted(self._id)} gives {gold}, not {claim.value}"
        help = "" if line is not None else "it has no line that begins with `gold`"
        board = self._board_text({report.EARNED: line.hexes if line is not None else 0})
        yield Diagnostic("KB505", claim.span, message, help, picture=board)

    def _check_winners(self, claims: list[example_lines.Claim]) -> Iterator[Diagnostic]:
        actual = self._game.score(self._state).winners
        board = self._board_text({})
        for claim in claims:
            if claim.player not in actual:
                message = f"{OWNERS[claim.player]} does not win"
                yield Diagnostic("KB505", claim.span, message, picture=board)
        for player in sorted(set(actual) - {claim.player for claim in claims}):
            message = f"{OWNERS[player]} wins as well"
            yield Diagnostic("KB505", claims[-1].span, message, picture=board)

    def _check_gain(self, claim: example_lines.Claim) -> Iterator[Diagnostic]:
        outcome = choose_hexes(self._game, self._state, self._action, self._example.chosen)
        labels: tuple[Label, ...] = ()
        help = ""
        if isinstance(outcome, int):
            message = f"{self._board.grid.name(outcome)} cannot be chosen"
            labels, help = self._explain_refusal(outcome)
        else:
            gold = outcome.state.seats[claim.player].gold
            if gold == claim.value:
                return
            message = f"{quoted(self._id)} lets gain {gold}, not {claim.value}"
            by_rule = gains_of(outcome.events, claim.player)
            if by_rule.keys() - {self._id}:
                message = f"{gold} gold is gained, not {claim.value}: {gains_text(by_rule)}"
                help = f"an example counts what all rules give, not {quoted(self._id)} alone"
        board = self._board_text({})
        yield Diagnostic("KB505", claim.span, message, help, labels, picture=board)

    def _check_number(self, claim: example_lines.Claim) -> Iterator[Diagnostic]:
        view = self._game.view(self._state, 0, {})
        value = self._game.plan.quantity(view, claim.name)
        if value != claim.value:
            message = f"{quoted(claim.name)} is {value}, not {claim.value}"
            yield Diagnostic("KB505", claim.span, message)

    def _check_offer(self, claim: example_lines.Claim) -> Iterator[Diagnostic]:
        expected, lifted = self._example.expected, self._example.lifted
        actual = self.offered()
        if isinstance(actual, Diagnostic):
            board = self._board_text(report.compared(expected, 0, lifted))
            yield replace(actual, span=claim.span, picture=board)
            return
        if actual == expected:
            return
        words, missing = ("not offered:", "offered as well:"), expected & ~actual
        parts = report.differences(self._board, expected, actual, *words)
        labels: tuple[Label, ...] = ()
        help = ""
        if missing and not lifted:
            labels, help = self._explain_refusal(lowest(missing))
        board = self._board_text(report.compared(expected, actual, lifted))
        yield Diagnostic("KB505", claim.span, "; ".join(parts), help, labels, picture=board)

    def _board_text(self, signs: dict[str, Mask]) -> str:
        return report.board_text(self._game, self._state, signs)

    def offered(self) -> Mask | Diagnostic:
        """The hexes where the rule lets a piece be put, the lifted one if there is one."""
        if self._example.lifted:
            return self._targets()
        draws = self._example.lines.draws
        return self._offered(begin_with_draws(self._game, self._state, self._action, draws))

    def _offered(self, state: State) -> Mask:
        groups = self._game.legal_moves(state).groups
        return reduce(or_, (group.hexes for group in groups if group.rule == self._action), 0)

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
            return norms("swap").allowed_hexes(view, steps.partners(view, 1 << hex, None))
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
