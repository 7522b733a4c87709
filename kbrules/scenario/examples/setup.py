"""The game and the state of an example in a rule file, as its drawing and its lines set them up.

The turn of player `a` is at its actions, nothing is used, and no `whenever` takes effect.
A mark `+` is a hex that is offered. A mark `<` is a piece of `a` that is lifted, drawn or not;
then `+` is where it may go. A mark `!` is a hex that is chosen before gold gained is counted. The
digit `1` draws a place with the tile that the example is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kbrules.diagnostics import Diagnostic, quoted
from kbrules.engine.game import Game
from kbrules.engine.interface import Transition
from kbrules.game.board import Board
from kbrules.game.events import Event
from kbrules.game.moves import CHANCE, Move
from kbrules.game.state import READY, State, Tile
from kbrules.hex.masks import Mask, lowest
from kbrules.lang.syntax import tree
from kbrules.lang.typed.core import Rule
from kbrules.library.boards.drawing_source import DrawingSource
from kbrules.library.boards.positions import Position
from kbrules.library.ruleset import Ruleset
from kbrules.plan.limits import MAX_FIRINGS
from kbrules.plan.linking import LinkerFactory, default_linker
from kbrules.primitives.vocabulary import CARD_KINDS, TILE_KINDS
from kbrules.scenario.examples.lines import ExampleLines, read_drawing, read_lines
from kbrules.scenario.setup.position_edits import (
    add_tile,
    enter_stage,
    has_actions,
    place_all_pieces,
    place_pieces,
    queue_reactions,
    queue_setup,
    show_cards,
)

EXPECTED, LIFTED, CHOSEN = "+", "<", "!"


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
    lines: ExampleLines
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
    example, catalog = rule_example.example, ruleset.catalog
    lines, findings = read_lines(example, catalog)
    position, drawing_findings = read_drawing(example, rule_example.rule.id, lines, catalog)
    findings += drawing_findings
    if position is not None and example.drawing is not None:
        findings += _wrong_marks(position, lines, DrawingSource.of(example.drawing))
    if position is None or findings:
        return None, sorted(findings)
    own_card = (rule_example.rule.id,) if rule_example.rule.kind in CARD_KINDS else ()
    cards = tuple(dict.fromkeys((*own_card, *lines.cards)))
    game = Game(ruleset, position.board, _players(position, lines), cards, linking=linking)
    state = _state(game, rule_example.rule, position, lines)
    marks = (position.marks.get(sign, 0) for sign in (EXPECTED, LIFTED, CHOSEN))
    return ExampleGame(rule_example.rule, lines, game, state, *marks), []


def _wrong_marks(
    position: Position, lines: ExampleLines, source: DrawingSource
) -> Iterator[Diagnostic]:
    """Marks without a meaning here, or against a line."""
    known = {EXPECTED, LIFTED, *([CHOSEN] if lines.gains else [])}
    for sign in sorted(position.marks.keys() - known):
        message = f"the mark {quoted(sign)} means nothing in an example"
        help = f"mark what is offered by {quoted(EXPECTED)} and a piece to lift by {quoted(LIFTED)}"
        yield Diagnostic("KB110", source.span, message, help)
    if position.marks.get(LIFTED, 0).bit_count() > 1:
        yield Diagnostic("KB110", source.span, "only one piece can be lifted")
    for claim in lines.offers:
        if claim.none and EXPECTED in position.marks:
            message = f"nothing is to be offered, yet hexes are marked {quoted(EXPECTED)}"
            yield Diagnostic("KB110", claim.span, message)
        elif not claim.none and EXPECTED not in position.marks:
            message = f"no hex is marked {quoted(EXPECTED)}"
            yield Diagnostic("KB110", claim.span, message, "write `offers none` if nothing is")


def _players(position: Position, lines: ExampleLines) -> int:
    """As many players as are drawn or named, and at least two."""
    owners = [owner for owner, _ in position.pieces]
    payees = [claim.player for claim in (*lines.gives, *lines.gains)]
    winners = [claim.player for claim in lines.wins]
    return 1 + max([1, *owners, *payees, *winners])


def _state(game: Game, rule: Rule, position: Position, lines: ExampleLines) -> State:
    draft = game.empty()
    place_all_pieces(draft, game.board, position.pieces)
    lifted = position.marks.get(LIFTED, 0) & ~draft.occupied
    if lifted:
        place_pieces(draft, 0, _first_piece(game.ruleset), lifted, 1)
    show_cards(draft, lines.played)
    if rule.kind in TILE_KINDS:
        kind = game.ruleset.catalog.tile_index(rule.id)
        add_tile(draft, 0, Tile(kind, _origin(game.board, kind), READY))
    enter_stage(draft, game.ruleset, "actions" if has_actions(game.ruleset) else "start", 0)
    if _reacts(rule):
        queue_reactions(draft, game, rule, 0)
    if lines.draws:
        queue_setup(draft, rule)
    draft.firings = MAX_FIRINGS + 1  # a `whenever` of another rule must not change what is drawn
    state = game.run_to_decision(draft)
    return state if rule.actions else draw_cards(game, state, lines.draws)


def _origin(board: Board, kind: int) -> int:
    """A place the tile may come from; else a hex beyond the board."""
    place = board.catalog.tiles[kind].place
    places = board.kinds[board.catalog.hex_index(place)] if place else 0
    return lowest(places) if places else board.grid.full.bit_length()


def _first_piece(ruleset: Ruleset) -> int:
    """The piece that a mark without a piece stands for."""
    pieces = enumerate(ruleset.catalog.pieces)
    return next((index for index, piece in pieces if not piece.neutral), 0)


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
